"""Every route that `evaluate` takes gives the bytes of the lazy form."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.slices import KINDS, METRICS, ONE_CLASS, N, check_same, frame_of, labels_of

import confmat as cm
from confmat.frames.asked import Asked
from confmat.frames.evaluate import evaluate_eager
from confmat.frames.request import make_request


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


def refuse(*_: object) -> None:
    raise AssertionError("a query")


def test_all_rows_take_the_kernel_and_not_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confmat.frames.evaluate.by_expressions", refuse)
    frame = frame_of("int")
    assert frame.cm.evaluate("y", "p").height == 1
    assert frame.cm.evaluate("y", "p", sample_weight="w").height == 1
    assert frame.cm.evaluate("y", "p", by="g", sample_weight="w").height == 9


@pytest.mark.parametrize("labels", [None, [0, 1, 2]])
@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt8, pl.Date, pl.Enum([*"012345678"])])
def test_keys_of_integers_take_the_kernel(
    monkeypatch: pytest.MonkeyPatch, labels: list[int] | None, dtype: pl.DataType
) -> None:
    monkeypatch.setattr("confmat.frames.evaluate.by_expressions", refuse)
    by_text = isinstance(dtype, pl.Enum)
    key = pl.col("g").cast(pl.String if by_text else pl.Int32)
    frame = frame_of("int").with_columns(key.cast(dtype))
    assert frame.cm.evaluate("y", "p", by="g", labels=labels).height == 9
    assert frame.cm.evaluate("y", "p", by=["g", "y"], labels=labels).height > 9
    with pytest.raises(AssertionError, match="a query"):
        frame.with_columns(f=pl.lit(0.5)).cm.evaluate("y", "p", by="f", labels=labels)


def test_keep_empty() -> None:
    frame = pl.DataFrame({"g": ["a", "a"], "y": [0, 1], "p": [0, 0]})
    m = cm.confusion_matrix(frame["y"], frame["p"], labels=[0, 1, 2])
    names = ["eve", "specificity_macro"]
    options = {"metrics": names, "labels": [0, 1, 2]}
    want = m.values(names, keep_empty=True)
    assert want["specificity_macro"] != m.specificity_macro
    for by in (None, "g"):
        out = check_same(frame, by=by, keep_empty=True, **options)
        assert out.select(*want).row(0, named=True) == want
        assert (
            out["specificity_macro"][0]
            != check_same(frame, by=by, **options)["specificity_macro"][0]
        )
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
def test_booleans_are_those_of_the_expression(
    by: str | list[str], options: dict[str, object]
) -> None:
    names = [*METRICS, *ONE_CLASS, "kappa_linear", "cen", "mcc_ovo"]
    rng = np.random.default_rng(0)
    many = pl.DataFrame({"seg": rng.choice(list("abc"), 999), "key": rng.integers(0, 4, 999)})
    many = many.with_columns(y=pl.Series(rng.random(999) < 0.3), p=pl.Series(rng.random(999) < 0.5))
    keys = [by] if isinstance(by, str) else by
    for frame in (BOOLEANS, pl.concat([BOOLEANS, many]), BOOLEANS.clear()):
        query = frame.lazy().cm.evaluate("y", "p", by=by, metrics=names, **options)
        rest = {key: value for key, value in options.items() if key != "min_n"}
        expr = cm.metrics("y", "p", names, **rest)
        want = frame.group_by(keys).agg(expr).unnest("metrics").sort(keys, nulls_last=True)
        if "min_n" in options:
            want = want.with_columns(pl.when(pl.col("n") >= options["min_n"]).then(pl.col(names)))
        for engine in ("in-memory", "streaming"):
            assert_frame_equal(query.collect(engine=engine), want, check_exact=True)


def test_a_request_knows_its_numbers() -> None:
    frame = frame_of("int")
    asked = Asked(smoothing=1)
    request = make_request(frame.schema, asked, y_true="y", y_pred="p", min_n=np.int64(3))
    assert (request.asked.smoothing, request.min_n) == (1.0, 3)
    assert evaluate_eager(frame, request).height == 1
