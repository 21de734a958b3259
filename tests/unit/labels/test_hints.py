"""Each hint about labels is provoked, and then followed through the same door."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import confmat as cm

Y = np.array([0, 1, 1, 0])
S = np.array([0.1, 0.9, 0.4, 0.3])
PROBA = np.c_[1 - S, S]
DAYS = np.array(["2020-01-01", "2020-01-02"] * 2, dtype="M8[D]")
INDEX = pd.MultiIndex.from_tuples([(0, "a"), (1, "b"), (1, "c"), (0, "d")])
FRAME = pl.DataFrame({"g": list("aabb"), "y": Y, "s": S, "t": ["no", "yes", "yes", "no"]})
SPARSE = scipy.sparse.csr_matrix(Y[:, None])
DATES = pl.Series([f"{day}" for day in DAYS]).str.to_date()
DECIMALS = pl.Series([0.1, 0.2, 0.3, 0.9][: len(Y)]).cast(pl.Decimal(10, 2))
ZONED = pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize("UTC"))
TWO = [[0.2, 0.8], [0.3, 0.7]]
SETS, SET_SCORES = [[1, 0], [0, 1]], [[0.9, 0.2], [0.3, 0.8]]

Call = Callable[[], Any]
HINTS: dict[str, tuple[Call, str, Call]] = {
    "scores to sweep": (
        lambda: cm.f1(Y, S),
        "these look like scores: give them to cm.sweep, or compare them with a threshold",
        lambda: (cm.sweep(Y, S), cm.f1(Y, S >= 0.4)),
    ),
    "true labels first": (
        lambda: cm.sweep(S, Y),
        "these look like scores, and true labels come before them",
        lambda: cm.sweep(Y, S),
    ),
    "probabilities": (
        lambda: cm.f1(Y, PROBA),
        "pass the column of the positive class, `y_pred[:, 1]`, to cm.sweep, or use "
        "cm.multiclass_sweep",
        lambda: (cm.sweep(Y, PROBA[:, 1]), cm.multiclass_sweep(Y, PROBA)),
    ),
    "probabilities of a sweep": (
        lambda: cm.sweep(Y, PROBA),
        "pass the column of the positive class, `y_score[:, 1]`, to cm.sweep",
        lambda: cm.sweep(Y, PROBA[:, 1]),
    ),
    "three scores": (
        lambda: cm.f1(Y, np.c_[PROBA, S]),
        "if these are scores of each class, use cm.multiclass_sweep",
        lambda: cm.multiclass_sweep(Y, np.c_[PROBA, S], labels=[0, 1, 2]),
    ),
    "one-hot rows": (
        lambda: cm.accuracy(np.eye(3), np.eye(3, dtype=int)),
        "`y_true` has shape (3, 3); `np.argmax(y_true, axis=1)` makes classes of one-hot rows",
        lambda: cm.accuracy(np.argmax(np.eye(3), axis=1), np.argmax(np.eye(3), axis=1)),
    ),
    "one-hot rows of scores": (
        lambda: cm.sweep(np.eye(2), S),
        "makes classes of one-hot rows; sets of labels are for cm.multilabel, their scores for "
        "cm.multilabel_sweep",
        lambda: cm.multilabel_sweep(np.eye(2, dtype=int), PROBA[:2]),
    ),
    "no rows": (
        lambda: cm.accuracy(np.zeros((0, 2), int), []),
        "`y_true` has shape (0, 2); wanted a one-dimensional array",
        lambda: cm.accuracy([0], [0]),
    ),
    "one-hot rows in lists": (
        lambda: cm.accuracy([0, 1], [[1, 0], [0, 1]]),
        "`np.argmax(y_pred, axis=1)` makes classes of one-hot rows; sets of labels are for "
        "cm.multilabel",
        lambda: cm.accuracy([0, 1], np.argmax([[1, 0], [0, 1]], axis=1)),
    ),
    "sets": (
        lambda: cm.f1([[1, 0], [1]], [0, 1]),
        "sets of labels are for cm.multilabel",
        lambda: cm.multilabel([[1, 0], [0, 1]], [[1, 0], [1, 1]]),
    ),
    "scores of sets": (
        lambda: cm.multilabel(SETS, SET_SCORES),
        "give them to cm.multilabel_sweep as `y_score`, or compare them with a threshold",
        lambda: (
            cm.multilabel_sweep(SETS, SET_SCORES),
            cm.multilabel(SETS, np.array(SET_SCORES) >= 0.5),
        ),
    ),
    "a frame": (
        lambda: cm.f1(FRAME, Y),
        "wanted one column of it",
        lambda: cm.f1(FRAME["y"], Y),
    ),
    "a lazy frame": (
        lambda: cm.f1(FRAME.lazy(), Y),
        "collect it, and pass one column of it",
        lambda: cm.f1(FRAME.lazy().collect()["y"], Y),
    ),
    "sparse": (lambda: cm.f1(SPARSE, Y), "pass its .toarray()", lambda: cm.f1(SPARSE.toarray(), Y)),
    "days": (
        lambda: cm.accuracy(DAYS, DAYS),
        '`.astype("U")` makes texts of them',
        lambda: cm.accuracy(DAYS.astype("U"), DAYS.astype("U")),
    ),
    "dates": (
        lambda: cm.accuracy(DATES, DATES),
        "`.cast(pl.String)` makes texts of them",
        lambda: cm.accuracy(DATES.cast(pl.String), DATES.cast(pl.String)),
    ),
    "decimals": (
        lambda: cm.roc_auc(Y, DECIMALS),
        "`.cast(pl.Float64)` makes floats of them",
        lambda: cm.roc_auc(Y, DECIMALS.cast(pl.Float64)),
    ),
    "decimals of DuckDB": (
        lambda: cm.roc_auc(Y, DECIMALS.to_arrow()),
        "cast them to int64, float64 or string",
        lambda: cm.roc_auc(Y, DECIMALS.to_arrow().cast("float64")),
    ),
    "128 bits": (
        lambda: cm.f1([2**70, 1], [1, 1]),
        "wanted integers of 64 bits; labels may be texts",
        lambda: cm.accuracy([str(2**70), "1"], ["1", "1"]),
    ),
    "dates of pandas": (
        lambda: cm.accuracy(ZONED, ZONED),
        "`.astype(str)` makes texts of them",
        lambda: cm.accuracy(ZONED.astype(str), ZONED.astype(str)),
    ),
    "dates of Arrow": (
        lambda: cm.accuracy(DATES.to_arrow(), DATES.to_arrow()),
        '`.cast("string")` makes texts of them',
        lambda: cm.accuracy(DATES.to_arrow().cast("string"), DATES.to_arrow().cast("string")),
    ),
    "two columns in a list": (
        lambda: cm.sweep([0, 1], TWO),
        "[row[1] for row in y_score]",
        lambda: cm.sweep([0, 1], [row[1] for row in TWO]),
    ),
    "long doubles": (
        lambda: cm.f1(Y.astype(np.longdouble), Y),
        "`.astype(float)` makes floats of them",
        lambda: cm.f1(Y.astype(np.longdouble).astype(float), Y),
    ),
    "several levels": (
        lambda: cm.f1(INDEX, Y),
        "`.get_level_values(0)`",
        lambda: cm.f1(INDEX.get_level_values(0), Y),
    ),
    "integers beside floats": (
        lambda: cm.accuracy([2**53 + 1, float("nan")], [2**53 + 1, 0]),
        "wanted integers alone, with None for a null",
        lambda: cm.accuracy([2**53 + 1, None], [2**53 + 1, 0]),
    ),
    "nulls": (
        lambda: cm.confusion_matrix([0, None], [0, 1], nulls="raise"),
        'nulls="drop" leaves such rows out',
        lambda: cm.confusion_matrix([0, None], [0, 1], nulls="drop"),
    ),
    "an outsider": (
        lambda: cm.confusion_matrix([0, 2], [0, 1], labels=[0, 1]),
        'add it, or pass other="bucket"',
        lambda: (
            cm.confusion_matrix([0, 2], [0, 1], labels=[0, 1, 2]),
            cm.confusion_matrix([0, 2], [0, 1], labels=[0, 1], other="bucket"),
        ),
    ),
    "an outsider of a plain function": (
        lambda: cm.f1([0, 2], [0, 1], labels=[0, 1]),
        'pass other="bucket"',
        lambda: cm.f1([0, 1, 2], [0, 1, 1], labels=[0, 1], other="bucket"),
    ),
    "an outsider of a slice": (
        lambda: FRAME.cm.evaluate("y", "y", by="g", labels=[0, 2]),
        'pass other="bucket"',
        lambda: FRAME.cm.evaluate("y", "y", by="g", labels=[0, 2], other="bucket"),
    ),
    "no positive class": (
        lambda: cm.f1(FRAME["t"], FRAME["t"]),
        "pos_label",
        lambda: cm.f1(FRAME["t"], FRAME["t"], pos_label="yes"),
    ),
    "no positive class of a sweep": (
        lambda: cm.sweep(FRAME["t"], S),
        "pos_label says which one is positive of two",
        lambda: cm.sweep(FRAME["t"], S, pos_label="yes"),
    ),
    "no positive class of a frame": (
        lambda: FRAME.cm.evaluate("t", "t", metrics=["f1"]),
        "give pos_label",
        lambda: FRAME.cm.evaluate("t", "t", metrics=["f1"], pos_label="yes"),
    ),
    "three classes of a sweep": (
        lambda: cm.sweep([0, 1, 2, 1], S),
        "of more, compare `y_true == label`, or use cm.multiclass_sweep",
        lambda: (
            cm.sweep(np.array([0, 1, 2, 1]) == 1, S),
            cm.multiclass_sweep([0, 1, 2, 1], np.c_[PROBA, S]),
        ),
    ),
    "positive classes that differ": (
        lambda: (
            cm.confusion_matrix(["a"], ["b"], pos_label="a")
            + cm.confusion_matrix(["a"], ["b"], pos_label="b")
        ),
        "count both with the same `pos_label=`",
        lambda: (
            cm.confusion_matrix(["a"], ["b"], pos_label="a")
            + cm.confusion_matrix(["a"], ["b"], pos_label="a")
        ),
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_a_hint_can_be_followed_where_it_is_given(name: str) -> None:
    call, words, follow = HINTS[name]
    with pytest.raises(cm.InputError) as caught:
        call()
    assert words in str(caught.value)
    assert "allow_float" not in str(caught.value)
    follow()


def test_hints_of_expressions_can_be_followed() -> None:
    with pytest.raises(pl.exceptions.ComputeError, match=r"give them to cm\.sweep_metrics, or"):
        FRAME.select(cm.metrics("y", "s"))
    FRAME.select(cm.sweep_metrics("y", "s"))
    FRAME.select(cm.metrics("y", pl.col("s") >= 0.4))
    with pytest.raises(pl.exceptions.ComputeError, match="give pos_label"):
        FRAME.select(cm.metric("f1", "t", "t"))
    FRAME.select(cm.metric("f1", "t", "t", pos_label="yes"))
    with pytest.raises(pl.exceptions.ComputeError, match="or a pos_label"):
        FRAME.select(cm.sweep_metrics(pl.col("y") + 1, "s"))
    FRAME.select(cm.sweep_metrics(pl.col("y") + 1, "s", pos_label=2))


AMOUNTS = FRAME.with_columns(pl.col("y", "s").cast(pl.Decimal(10, 2)))
OF_LABELS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "frame": lambda df: df.cm.evaluate("y", "y", metrics=["accuracy"]),
    "slices": lambda df: df.cm.evaluate("y", "y", by="g", metrics=["accuracy"]),
    "query": lambda df: df.lazy().cm.evaluate("y", "y", by="g", metrics=["accuracy"]).collect(),
    "expression": lambda df: df.select(cm.metrics("y", "y", ["accuracy"])),
    "log": lambda df: cm.evaluate(df, "y", "y", metrics=["accuracy"]),
    "truths of scores": lambda df: df.select(cm.sweep_metrics("y", pl.col("s").cast(float))),
}
OF_NUMBERS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "frame": lambda df: df.cm.evaluate("y", "s", task="regression"),
    "slices": lambda df: df.cm.evaluate("y", "s", by="g", task="regression"),
    "query": lambda df: df.lazy().cm.evaluate("y", "s", by="g", task="regression").collect(),
    "expression": lambda df: df.group_by("g").agg(cm.regression_metrics("y", "s")),
    "log": lambda df: cm.evaluate(df, "y", "s", task="regression"),
    "scores": lambda df: df.group_by("g").agg(cm.sweep_metrics(pl.col("y").cast(int), "s")),
    "weights": lambda df: df.group_by("g").agg(cm.metrics("g", "g", sample_weight="s")),
}


@pytest.mark.parametrize("of", ["labels", "numbers"])
def test_decimals_are_cast_where_it_is_said(of: str) -> None:
    doors, dtype = (OF_LABELS, pl.Int64) if of == "labels" else (OF_NUMBERS, pl.Float64)
    for name, door in doors.items():
        with pytest.raises((cm.InputError, pl.exceptions.ComputeError)) as caught:
            door(AMOUNTS)
        hint = "cast it to pl.Float64, or labels to pl.Int64"
        assert hint in str(caught.value) or "`.cast(pl.Float64)`" in str(caught.value), name
        door(AMOUNTS.with_columns(pl.col("y", "s").cast(dtype)))
