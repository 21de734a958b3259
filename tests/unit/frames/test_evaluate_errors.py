"""Errors of `evaluate`: of one kind and with the same words on every route."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.polars_releases import ERROR_OF_SOURCES
from support.slices import METRICS, check_same, frame_of

import confmat as cm


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
        (pl.col("y") + 0.5, {}, r"label 0\.5 at row 0 of `y_true` is not a whole number"),
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


@pytest.mark.parametrize("name", ROUTES)
def test_the_row_is_that_of_the_frame(name: str) -> None:
    """Parts of it are read at the same time, and each could name its own first row."""
    rows = 100_000
    frame = pl.DataFrame({"y": [0.0, 1.0] * (rows // 2), "p": 1, "w": 1.0}).with_columns(
        pl.when(pl.int_range(pl.len()) >= rows // 2 + 7)
        .then(0.5)
        .otherwise(pl.col("y"))
        .alias("y"),
        g=pl.int_range(pl.len()) % 50,
        s=pl.format("a{}", pl.int_range(pl.len()) % 7),
    )
    message = r"label 0\.5 at row 50007 of `y_true` is not a whole number"
    with pytest.raises(cm.InputError, match=message):
        frame.cm.evaluate("y", "p", **route(name))


def test_weights_that_cannot_be_used_are_an_input_error() -> None:
    frame = frame_of("int").with_columns(w=-pl.col("w"))
    with pytest.raises(cm.InputError, match="at row 0 of `sample_weight`") as caught:
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
        ({"by": 3}, "`by` is 3"),
        ({"sample_weight": pl.col("w")}, "`sample_weight` has a Polars expression"),
        ({"min_n": None}, "`min_n` is None"),
        ({"min_n": -1}, "`min_n` is -1"),
        ({"min_n": True}, "`min_n` is True"),
        ({"min_n": 1.5}, "`min_n` is 1.5"),
        ({"metrics": ["mcc", " mcc"]}, "'mcc' twice"),
        ({"other": "maybe"}, "`other` is 'maybe'"),
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
    assert check_same(frame, by="g", metrics="mcc").columns[-1] == "mcc"


def test_names_of_totals_are_taken_only_where_they_are_used() -> None:
    frame = frame_of("int").rename({"g": "n_scored"})
    assert check_same(frame, by="n_scored").columns[0] == "n_scored"
    with pytest.raises(cm.InputError, match="'n_scored', a name of the result"):
        frame.cm.evaluate("y", "p", "w", by="n_scored")
    with pytest.raises(cm.InputError, match="'n_other', a name of the result"):
        frame.rename({"n_scored": "n_other"}).cm.evaluate("y", "p", by="n_other")


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


def test_weighted_strangers_are_refused_by_every_route() -> None:
    frame = pl.DataFrame({"g": [1, 1], "y": [0, 5], "p": [0, 1], "w": [1.0, 2.0]})
    options = {"labels": [0, 1], "sample_weight": "w", "metrics": ["accuracy"]}
    for by in ("g", None):
        with pytest.raises(cm.InputError, match="label 5 at row 1 of `y_true`"):
            frame.cm.evaluate("y", "p", by=by, **options)
    for by in ("g", None):
        with pytest.raises(ERROR_OF_SOURCES, match="label 5 at row 1 of `y_true`"):
            frame.lazy().cm.evaluate("y", "p", by=by, **options).collect()
    bucket = frame.cm.evaluate("y", "p", by="g", other="bucket", **options)
    assert bucket.row(0) == (1, 1.0, 0, 1, 1.0)


def test_the_weight_of_a_dropped_row_is_not_looked_at() -> None:
    frame = pl.DataFrame({"y": [0, None, 1], "p": [0, 1, 1], "w": [1.0, float("nan"), 2.0]})
    m = cm.confusion_matrix(frame["y"], frame["p"], sample_weight=frame["w"])
    assert (m.n, m.n_dropped) == (3.0, 1)
    for labels in (None, [0, 1]):
        out = frame.select(cm.metrics("y", "p", ["accuracy"], labels=labels, sample_weight="w"))
        assert out.unnest("metrics").row(0) == (3.0, 1, 0, 1.0)


@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_a_positive_class_that_no_row_has_is_refused(by: str | None, weight: str | None) -> None:
    frame = pl.DataFrame({"g": list("aab"), "y": list("npn"), "p": list("npp"), "w": [0.5, 1, 2]})
    options: dict[str, Any] = {"by": by, "sample_weight": weight, "metrics": ["f1"]}
    assert frame.cm.evaluate("y", "p", pos_label="p", **options)["f1"].null_count() == 0
    with pytest.raises(cm.InputError, match="`pos_label` 'q'"):
        frame.cm.evaluate("y", "p", pos_label="q", **options)


@pytest.mark.parametrize("scores", [{"y_pred": ["pa", "pb"]}, {"y_score": "s", "y_pred": None}])
def test_columns_of_label_sets_are_told_where_they_are_evaluated(scores: dict[str, Any]) -> None:
    frame = pl.DataFrame({"a": [1, 0], "b": [0, 1], "pa": [1, 1], "pb": [0, 1]})
    frame = frame.with_columns(s=pl.concat_list("pa", "pb").cast(pl.List(pl.Float64)))
    told = r"rows of sets of labels are for cm.evaluate\(df, y_true=\['a', 'b'\], y_"
    for of in (frame, frame.lazy()):
        with pytest.raises(cm.InputError, match=told):
            of.cm.evaluate(["a", "b"], **scores)
    assert cm.evaluate(frame, y_true=["a", "b"], **scores).n == 2
