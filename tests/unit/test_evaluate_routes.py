"""Every route that `evaluate` takes gives the bytes of the lazy form, and errors of one kind."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm
from confmat.evaluate import evaluate_eager
from confmat.request import make_request

METRICS = ["accuracy", "mcc", "f1_macro", "kappa_quadratic", "gmcc", "eve", "precision_micro"]
ONE_CLASS = ["precision", "recall", "specificity", "tn", "lr_positive"]
N = 500


def frame_of(kind: str, size: int = N, classes: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(classes)
    y, p = rng.integers(0, classes, size), rng.integers(0, classes, size)
    frame = pl.DataFrame({"g": rng.integers(0, 9, size), "y": y, "p": p, "w": rng.random(size)})
    rows = pl.int_range(pl.len())
    frame = frame.with_columns(pl.when(rows % 17 != 3).then("y"), pl.when(rows % 23 != 5).then("p"))
    both = pl.col("y", "p")
    casts = {
        "int": both,
        "int8": both.cast(pl.Int8),
        "bool": both % 2 == 1,
        "text": both.cast(pl.String),
        "category": both.cast(pl.String).cast(pl.Categorical),
        "enum": both.cast(pl.String).cast(pl.Enum(["0", "1", "2", "9"])),
    }
    return frame.with_columns(casts[kind])


KINDS = ("int", "int8", "bool", "text", "category", "enum")


def labels_of(kind: str) -> list[object]:
    if kind == "bool":
        return [False, True]
    return [1, 0, 2] if kind in ("int", "int8") else ["1", "0", "2"]


def check_same(frame: pl.DataFrame, **options: object) -> pl.DataFrame:
    eager = frame.cm.evaluate("y", "p", **options)
    query = frame.lazy().cm.evaluate("y", "p", **options)
    assert query.collect_schema() == eager.schema
    for engine in ("in-memory", "streaming"):
        assert_frame_equal(eager, query.collect(engine=engine), check_exact=True)
    return eager


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("size", [0, 1, N])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"undefined": 0.25},
        {"smoothing": 0.5},
        {"keep_empty": True},
        {"min_n": 600},
        {"positive": True, "metrics": [*ONE_CLASS, *METRICS]},
    ],
    ids=lambda options: "-".join(options) or "plain",
)
def test_all_rows_are_bit_identical_to_the_query(
    kind: str, labelled: bool, size: int, options: dict[str, object]
) -> None:
    options = {"metrics": METRICS} | options
    if options.pop("positive", False):
        options["pos_label"] = labels_of(kind)[1 if kind == "bool" else 0]
    options["labels"] = labels_of(kind) if labelled else None
    if size == 1 and "pos_label" in options and not labelled and kind not in ("bool", "enum"):
        frame = frame_of(kind, classes=2).filter(pl.col("y") == pl.col("p"))
    else:
        frame = frame_of(kind, size)
    out = check_same(frame, **options)
    assert [out.schema[name] for name in ("n", "n_dropped", "n_other")] == [pl.UInt64] * 3
    assert out.height == 1
    assert out["n"][0] + out["n_dropped"][0] == frame.height


@pytest.mark.parametrize("data", [[0, 0], [1, 1], [], [None, 0]])
@pytest.mark.parametrize("labels", [None, [0], [1]])
def test_one_class_gets_a_positive_one(data: list[int | None], labels: list[int] | None) -> None:
    if labels == [1] and 0 in data:
        return
    frame = pl.DataFrame({"y": data, "p": data}, schema={"y": pl.Int64, "p": pl.Int64})
    if labels == [0] and 1 in data:
        with pytest.raises(cm.InputError, match="row 0"):
            frame.cm.evaluate("y", "p", labels=labels)
        return
    check_same(frame, metrics=[*ONE_CLASS, "kappa_linear"], labels=labels)


def test_all_rows_with_other_labels() -> None:
    frame = frame_of("int")
    out = check_same(frame, labels=[0, 2], other="bucket", metrics=METRICS)
    assert out["n_other"][0] > 100
    assert out.row(0)[0] + out.row(0)[1] + out.row(0)[2] == N
    m = cm.confusion_matrix(frame["y"], frame["p"], labels=[0, 2], other="bucket")
    assert out.row(0)[3:5] == (m.accuracy, m.mcc)


def test_all_rows_take_the_kernel_and_not_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a query")

    monkeypatch.setattr("confmat.evaluate.evaluate_lazy", refuse)
    frame = frame_of("int")
    assert frame.cm.evaluate("y", "p").height == 1
    with pytest.raises(AssertionError, match="a query"):
        frame.cm.evaluate("y", "p", sample_weight="w")


def route(name: str) -> dict[str, object]:
    return {
        "all": {},
        "key": {"by": "g"},
        "two keys": {"by": ["g", "s"]},
        "text key": {"by": "s"},
        "weights": {"sample_weight": "w"},
        "weights by key": {"by": "g", "sample_weight": "w"},
        "cube": {"by": ["g", "s"], "cube": True},
    }[name]


ROUTES = ("all", "key", "two keys", "text key", "weights", "weights by key", "cube")


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize("texts", [False, True])
def test_an_outsider_is_named_on_every_route(name: str, texts: bool) -> None:
    frame = pl.DataFrame(
        {"g": [1, 1, 2], "s": ["a", "b", "a"], "w": [1.0] * 3, "y": [0, 1, 1], "p": [0, 1, 7]}
    )
    labels: list[object] = [0, 1]
    if texts:
        frame, labels = frame.cast({"y": pl.String, "p": pl.String}), ["0", "1"]
    message = r"label '?7'? at row 2 of `y_pred` is not in labels"
    with pytest.raises(cm.InputError, match=message):
        frame.cm.evaluate("y", "p", labels=labels, **route(name))
    out = frame.cm.evaluate("y", "p", labels=labels, other="bucket", **route(name))
    assert out["n_other"].max() == 1


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (pl.col("y").cast(pl.Float64), {}, "`y_true` has dtype [Ff]loat64"),
        (pl.col("y").cast(pl.String), {}, "one kind"),
        (pl.col("y"), {"metrics": ["recall"]}, "recall_macro"),
    ],
)
def test_errors_of_the_core_are_input_errors(
    name: str, change: pl.Expr, options: dict[str, object], message: str
) -> None:
    frame = pl.DataFrame(
        {"g": [1, 1, 1], "s": ["a"] * 3, "w": [1.0] * 3, "y": [0, 1, 2], "p": [0, 1, 7]}
    ).with_columns(change)
    with pytest.raises(cm.InputError, match=message) as caught:
        frame.cm.evaluate("y", "p", **options, **route(name))
    assert "plugin" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_weights_that_cannot_be_used_are_an_input_error() -> None:
    frame = frame_of("int").with_columns(w=-pl.col("w"))
    with pytest.raises(cm.InputError, match="sample_weight") as caught:
        frame.cm.evaluate("y", "p", by="g", sample_weight="w")
    assert "\n" not in str(caught.value)


def test_very_many_labels_but_few_a_group() -> None:
    size = 60_000
    rng = np.random.default_rng(0)
    y = np.arange(size) // 2
    p = np.where(rng.random(size) < 0.5, y, (y + 1) % 30_000)
    frame = pl.DataFrame({"g": y // 2, "y": y, "p": p})
    assert frame["y"].n_unique() == 30_000
    check_same(frame, by="g", metrics=["accuracy", "f1_macro"])


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["a"]), pl.Int64, pl.Boolean])
def test_no_row_that_counts(dtype: pl.DataType) -> None:
    nothing = pl.Series([None, None], dtype=dtype)
    frame = pl.DataFrame({"g": [1, 2], "y": nothing, "p": nothing})
    assert check_same(frame, by="g", metrics=METRICS)["n_dropped"].to_list() == [1, 1]
    assert check_same(frame, metrics=METRICS).row(0)[:3] == (0, 2, 0)


def test_an_enum_without_categories() -> None:
    nothing = pl.Series([None, None], dtype=pl.Enum([]))
    m = cm.confusion_matrix(nothing, nothing)
    assert (m.labels, m.n_dropped) == ((), 2)
    frame = pl.DataFrame({"g": [1, 1], "y": nothing, "p": nothing})
    for by in (None, "g"):
        assert frame.cm.evaluate("y", "p", by=by)["n_dropped"].to_list() == [2]


@pytest.mark.parametrize("by", [None, "g"])
def test_pos_label_must_be_a_label(by: str | None) -> None:
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 2, 0], "p": [0, 2, 2]})
    with pytest.raises(cm.InputError, match=r"`pos_label` 5 is not in the labels \[0, 2\]"):
        frame.cm.evaluate("y", "p", by=by, metrics=["recall"], pos_label=5)
    booleans = frame.with_columns(pl.col("y", "p") == 2)
    with pytest.raises(cm.InputError, match=r"`pos_label` 5 is not in the labels \[False, True\]"):
        booleans.lazy().cm.evaluate("y", "p", by=by, metrics=["recall"], pos_label=5)
    good = frame.cm.evaluate("y", "p", by=by, metrics=["recall"], pos_label=2)
    assert good["recall"].to_list()[0] == 1.0


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(("texts", "pos_label"), [(False, "1"), (True, 1), (True, True)])
def test_pos_label_of_the_wrong_kind(lazy: bool, texts: bool, pos_label: object) -> None:
    frame = pl.DataFrame({"y": [0, 1], "p": [0, 1]})
    frame = frame.cast(pl.String) if texts else frame
    with pytest.raises(cm.InputError, match=r"`pos_label` .* is (text|int|bool), .*(String|Int64)"):
        (frame.lazy() if lazy else frame).cm.evaluate(
            "y", "p", metrics=["recall"], pos_label=pos_label
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_true": pl.col("y")}, "`y_true` has a Polars expression"),
        ({"y_pred": 3}, "`y_pred` has 3"),
        ({"by": [pl.col("g")]}, "`by` has a Polars expression"),
        ({"by": pl.col("g")}, "`by` is a Polars expression"),
        ({"by": 3}, "`by` is 3"),
        ({"sample_weight": pl.col("w")}, "`sample_weight` has a Polars expression"),
        ({"min_n": None}, "`min_n` is None"),
        ({"min_n": -1}, "`min_n` is -1"),
        ({"min_n": True}, "`min_n` is True"),
        ({"min_n": 1.5}, "`min_n` is 1.5"),
        ({"metrics": ["mcc", " mcc"]}, "'mcc' twice"),
        ({"smoothing": "a"}, "`smoothing` is 'a'"),
        ({"smoothing": None}, "`smoothing` is None"),
        ({"smoothing": -1}, "`smoothing` is -1"),
        ({"undefined": "zero"}, "`undefined` is 'zero'"),
        ({"undefined": 1j}, "`undefined` is 1j"),
        ({"undefined": True}, "`undefined` is True"),
    ],
)
@pytest.mark.parametrize("lazy", [False, True])
def test_wrong_arguments(lazy: bool, options: dict[str, object], message: str) -> None:
    frame = frame_of("int")
    options = {"y_true": "y", "y_pred": "p"} | options
    with pytest.raises(cm.InputError, match=message):
        (frame.lazy() if lazy else frame).cm.evaluate(**options)


def test_options_that_are_numbers_of_expressions_and_matrices() -> None:
    for bad in ({"smoothing": "a"}, {"smoothing": None}, {"undefined": "zero"}):
        name = next(iter(bad))
        with pytest.raises(cm.InputError, match=f"`{name}`"):
            cm.metrics("y", "p", **bad)
    m = cm.ConfusionMatrix([[1, 0], [1, 0]])
    for call in (m.value, m.values, m.overall, m.per_class):
        arguments = ("f1",) if call == m.value else (["f1"],)
        with pytest.raises(cm.InputError, match="`undefined` is 'zero'"):
            call(*arguments, undefined="zero")
    with pytest.raises(cm.InputError, match="`undefined`"):
        cm.f1([0, 1], [0, 0], undefined="zero")
    assert m.value("precision", undefined=np.float32(0.5)) == 0.5
    assert m.value("precision", undefined=2) == 2.0


def test_everything_after_the_columns_is_named() -> None:
    for frame in (frame_of("int"), frame_of("int").lazy()):
        with pytest.raises(TypeError, match="positional"):
            frame.cm.evaluate("y", "p", "s", "g")


def test_names_with_blanks_and_a_key_called_metrics() -> None:
    frame = frame_of("int")
    assert frame.select(cm.metric(" mcc ", "y", "p")).columns == ["mcc"]
    keyed = frame.rename({"g": "metrics"})
    want = frame.cm.evaluate("y", "p", by="g").rename({"g": "metrics"})
    assert_frame_equal(check_same(keyed, by="metrics"), want)
    texts = keyed.with_columns(pl.col("metrics").cast(pl.String))
    check_same(texts, by="metrics")


def test_keys_of_128_bits() -> None:
    frame = frame_of("int")
    want = frame.cm.evaluate("y", "p", by="g").drop("g")
    for dtype in ("Int128", "UInt128"):
        if hasattr(pl, dtype):
            wide = frame.with_columns(pl.col("g").cast(getattr(pl, dtype)))
            assert_frame_equal(check_same(wide, by="g").drop("g"), want)


def test_labels_too_long_for_an_expression() -> None:
    labels = [f"{i:02}" + "x" * 60_000 for i in range(20)]
    with pytest.raises(cm.InputError, match="`labels`"):
        cm.metrics("y", "p", labels=labels)
    frame = pl.DataFrame({"y": labels, "p": labels})
    assert frame.cm.evaluate("y", "p", labels=labels, metrics=["accuracy"])["accuracy"][0] == 1.0


def test_keep_empty() -> None:
    frame = pl.DataFrame({"g": ["a", "a"], "y": [0, 1], "p": [0, 1]})
    m = cm.confusion_matrix(frame["y"], frame["p"], labels=[0, 1, 2])
    options = {"metrics": ["eve", "recall_macro"], "labels": [0, 1, 2], "undefined": 0.0}
    want = m.values(["eve", "recall_macro"], undefined=0.0, keep_empty=True)
    assert want["recall_macro"] != m.value("recall_macro", undefined=0.0)
    for by in (None, "g"):
        out = check_same(frame, by=by, keep_empty=True, **options)
        assert out.select(*want).row(0, named=True) == want
        assert out["recall_macro"][0] != check_same(frame, by=by, **options)["recall_macro"][0]
    struct = frame.select(cm.metrics("y", "p", keep_empty=True, **options)).unnest("metrics")
    assert struct.select(*want).row(0, named=True) == want


BOOLEANS = pl.DataFrame(
    {
        "seg": ["a", "a", "a", "b", "b", "c", "c", "d", "e", "e"],
        "key": [1, 1, 1, 2, 2, 3, 3, 4, None, None],
        "y": [True, False, None, True, True, False, False, None, None, True],
        "p": [False, False, True, True, True, False, False, None, True, False],
    }
)


@pytest.mark.parametrize("by", ["seg", "key", ["seg", "key"]])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"labels": [False, True]},
        {"pos_label": False},
        {"undefined": 0.5},
        {"smoothing": 0.25},
        {"keep_empty": True},
        {"min_n": 2},
    ],
)
def test_booleans_counted_natively_are_those_of_the_expression(
    by: str | list[str], options: dict[str, object]
) -> None:
    names = [*METRICS, *ONE_CLASS, "kappa_linear", "cen", "mcc_ovo"]
    rng = np.random.default_rng(0)
    many = pl.DataFrame({"seg": rng.choice(list("abc"), 999), "key": rng.integers(0, 4, 999)})
    many = many.with_columns(y=pl.Series(rng.random(999) < 0.3), p=pl.Series(rng.random(999) < 0.5))
    keys = [by] if isinstance(by, str) else by
    for frame in (BOOLEANS, pl.concat([BOOLEANS, many]), BOOLEANS.clear()):
        query = frame.lazy().cm.evaluate("y", "p", by=by, metrics=names, **options)
        assert "confmat_cells" in query.explain()
        rest = {key: value for key, value in options.items() if key != "min_n"}
        expr = cm.metrics("y", "p", names, **rest)
        want = frame.group_by(keys).agg(expr).unnest("metrics").sort(keys, nulls_last=True)
        if "min_n" in options:
            want = want.with_columns(pl.when(pl.col("n") >= options["min_n"]).then(pl.col(names)))
        for engine in ("in-memory", "streaming"):
            assert_frame_equal(query.collect(engine=engine), want, check_exact=True)


def test_only_two_boolean_columns_are_counted_natively() -> None:
    frame = BOOLEANS.lazy().with_columns(w=pl.lit(1.0), i=pl.col("y").cast(pl.Int8))
    for query in (
        frame.cm.evaluate("y", "p", by="seg", sample_weight="w"),
        frame.cm.evaluate("i", "p", by="seg"),
        frame.cm.evaluate("y", "p", by="seg", labels=[True, False]),
    ):
        assert "confmat_cells" not in query.explain()
        assert query.collect().height == 5


def test_a_request_knows_its_numbers() -> None:
    frame = frame_of("int")
    options: dict[str, object] = dict.fromkeys(
        ("by", "metrics", "labels", "sample_weight", "pos_label", "undefined", "y_score")
    )
    options |= {
        "other": "raise",
        "nan": "raise",
        "smoothing": 1,
        "keep_empty": False,
        "cube": False,
    }
    request = make_request(frame.schema, y_true="y", y_pred="p", min_n=np.int64(3), **options)
    assert (request.smoothing, request.min_n) == (1.0, 3)
    assert evaluate_eager(frame, request).height == 1


def test_weighted_strangers_are_refused_by_every_route() -> None:
    frame = pl.DataFrame({"g": [1, 1], "y": [0, 5], "p": [0, 1], "w": [1.0, 2.0]})
    options = {"labels": [0, 1], "sample_weight": "w", "metrics": ["accuracy"]}
    with pytest.raises(cm.InputError, match="label 5 at row 1 of `y_true`"):
        frame.cm.evaluate("y", "p", by="g", **options)
    for query in (
        frame.lazy().cm.evaluate("y", "p", by="g", **options),
        frame.lazy().cm.evaluate("y", "p", **options),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match=r"not in labels \[0, 1\]"):
            query.collect()
    bucket = frame.cm.evaluate("y", "p", by="g", other="bucket", **options)
    assert bucket.row(0) == (1, 1.0, 0, 1, 1.0)


def test_the_weight_of_a_dropped_row_is_not_looked_at() -> None:
    frame = pl.DataFrame({"y": [0, None, 1], "p": [0, 1, 1], "w": [1.0, float("nan"), 2.0]})
    m = cm.confusion_matrix(frame["y"], frame["p"], sample_weight=frame["w"])
    assert (m.n, m.n_dropped) == (3.0, 1)
    for labels in (None, [0, 1]):
        out = frame.select(cm.metrics("y", "p", ["accuracy"], labels=labels, sample_weight="w"))
        assert out.unnest("metrics").row(0) == (3.0, 1, 0, 1.0)
