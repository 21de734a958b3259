"""Hostile arguments through every public door: our own errors come out, and nothing else."""

import math
import random
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import confmat as cm

CALLS = 3_000


class Raises:
    """An object whose every use is an error."""

    def __len__(self):
        raise RuntimeError("no length")

    def __iter__(self):
        raise NotImplementedError("no items")

    def __array__(self, *_, **__):
        raise AttributeError("no array")


COLUMNS = (
    [0, 1, 1, 0],
    [0.0, 1.0, math.nan, 1.0],
    [0.1, 0.9, 0.4, 0.3],
    ["a", "b", None, "a"],
    [True, False, True, True],
    [[1, 0], [0, 1], [1, 1], [0, 0]],
    [["a"], [], ["b", "a"], None],
    [{"a"}, {"b"}, set(), {1}],
    [[0.2, 0.8], [0.6, 0.4], [0.5, 0.5], [1.0, 0.0]],
    [[1], [2, 3], [], [4]],
    [np.array([1, 0]), [0, 1], pl.Series([1, 1]), None],
    [object(), 1, "a", None],
    [b"a", b"b", b"\xff", b""],
    ["\ud800", "a", "b", "c"],
    [2**70, -(2**70), 1, 0],
    [10**400, 1, 0, 1],
    [Decimal("1"), Decimal("0.5"), Decimal("nan"), Decimal("1")],
    [pd.NA, pd.NaT, None, 1],
    [math.inf, -math.inf, 0, 1],
    [],
    [None] * 4,
    np.array(3),
    np.zeros((4, 2)),
    np.zeros((2, 2, 2)),
    np.array(["a", "b", "c", "d"], dtype="S1"),
    np.array([1j, 2, 3, 4]),
    np.array(["2020-01-01"] * 4, dtype="M8[D]"),
    np.array([(1, 2.0)] * 4, dtype=[("a", int), ("b", float)]),
    np.arange(4, dtype=np.longdouble),
    np.array([None, "a", 1, 2.5], dtype=object),
    pd.MultiIndex.from_tuples([(1, 2), (3, 4), (5, 6), (7, 8)]),
    pd.Series([pd.Interval(0, 1)] * 4),
    pd.Series(pd.period_range("2020", periods=4, freq="D")),
    pd.DataFrame({"a": [1, 0, 1, 0], "b": [0, 1, 1, 0]}),
    pl.DataFrame({"a": [1, 0, 1, 0], "b": ["x"] * 4}),
    pl.DataFrame(),
    pl.LazyFrame({"a": [1]}),
    pl.Series([{"a": 1}] * 4),
    pl.Series([[1, 2], [3], None, []]),
    pl.Series([b"\xff"] * 4),
    pa.array([1, None, 0, 1]),
    pa.array([{"a": 1}] * 4),
    pa.table({"a": [1, 0, 1, 0], "b": [1, 1, 1, 1]}),
    scipy.sparse.csr_matrix([[1, 0], [0, 1], [1, 1], [0, 0]]),
    {"a": [1, 0, 1, 0], "b": [0, 0, 1, 1]},
    {"a": [1], "b": [1, 2]},
    Raises(),
    [Raises()] * 4,
    "text",
    b"bytes",
    3,
    None,
    math.nan,
    object,
    lambda: 1,
    memoryview(b"abcd"),
)
LABELS = (
    None,
    [0, 1],
    [1.0, 0.0],
    ["a", "b"],
    [0.5, 1],
    [pd.NA, 0],
    [0, "a"],
    [[0], [1]],
    np.array(3),
    np.zeros((2, 2)),
    pd.MultiIndex.from_tuples([(1, 2)]),
    pl.Enum(["a", "b"]),
    pl.DataFrame({"a": [0, 1]}),
    {0, 1},
    {"a": 1},
    Raises(),
    [Raises()],
    "ab",
    3,
    [10**400],
    ["\ud800"],
    [],
)
LABEL = (
    None,
    0,
    1,
    True,
    "a",
    1.0,
    0.5,
    math.nan,
    pd.NA,
    np.array([1, 2]),
    [1],
    {},
    Raises(),
    2**70,
    "\ud800",
)
NUMBERS = (
    None,
    0,
    1,
    -1,
    2,
    0.5,
    math.nan,
    math.inf,
    "x",
    "binary",
    "macro",
    True,
    [1],
    Raises(),
    10**400,
)
NAMES = (
    None,
    "f1",
    "f1_macro",
    "roc_auc",
    "nope",
    "",
    "f1(",
    ["mcc"],
    [1],
    3,
    b"f1",
    Raises(),
    "\ud800",
)


def matrix(draw):
    return cm.confusion_matrix(
        draw(COLUMNS),
        draw(COLUMNS),
        labels=draw(LABELS),
        pos_label=draw(LABEL),
        sample_weight=draw((None, *COLUMNS)),
    )


def frame_of(draw):
    data = {"y": [0, 1, 1, 0], "p": [0, 1, 0, 0], "s": [0.1, 0.9, 0.4, 0.2], "t": list("abab")}
    return pl.DataFrame(data).with_columns(f=pl.col("s") * 3, d=pl.date(2020, 1, 1))


COLUMN = ("y", "p", "s", "t", "f", "d", "none", 3, None, pl.col("y"))
DOORS = {
    "confusion_matrix": matrix,
    "ConfusionMatrix": lambda draw: cm.ConfusionMatrix(
        draw(COLUMNS), draw(LABELS), pos_label=draw(LABEL)
    ),
    "from_bytes": lambda draw: cm.ConfusionMatrix.from_bytes(draw(COLUMNS)),
    "f1": lambda draw: cm.f1(
        draw(COLUMNS),
        draw(COLUMNS),
        labels=draw(LABELS),
        pos_label=draw(LABEL),
        average=draw(("binary", "macro", None)),
        undefined=draw(NUMBERS),
    ),
    "joint_matrix": lambda draw: cm.joint_matrix(
        draw(COLUMNS),
        draw(COLUMNS),
        draw(COLUMNS),
        labels=draw(LABELS),
        sample_weight=draw((None, *COLUMNS)),
        other=draw(("bucket", "raise", 3)),
    ),
    "joint_matrix of one column": lambda draw: (
        lambda one: cm.joint_matrix(
            one, one, one, labels=draw(LABELS), sample_weight=draw((None, *COLUMNS))
        )
    )(draw(COLUMNS)),
    "JointMatrix": lambda draw: cm.JointMatrix(
        pl.DataFrame(
            {
                "y_true": draw(COLUMNS[:5]),
                "a": [0, 1, 1, 0],
                "b": [0, 0, 0, 0],
                "n": draw(COLUMNS[:5]),
            }
        )
        if draw((True, False))
        else draw(COLUMNS),
        draw(LABELS),
    ),
    "joint_parts": lambda draw: cm.joint_parts(
        frame_of(draw),
        y_true=draw(COLUMN),
        y_pred_a=draw(COLUMN),
        y_pred_b=draw(COLUMN),
        by=draw(COLUMN),
        labels=draw(LABELS),
        sample_weight=draw(COLUMN),
    ),
    "roc_auc": lambda draw: cm.roc_auc(draw(COLUMNS), draw(COLUMNS), pos_label=draw(LABEL)),
    "sweep": lambda draw: cm.sweep(
        draw(COLUMNS), draw(COLUMNS), pos_label=draw(LABEL), bins=draw((None, 64, *NUMBERS))
    ),
    "multiclass_sweep": lambda draw: cm.multiclass_sweep(
        draw(COLUMNS), draw(COLUMNS), labels=draw(LABELS)
    ),
    "multilabel": lambda draw: cm.multilabel(draw(COLUMNS), draw(COLUMNS), labels=draw(LABELS)),
    "multilabel_sweep": lambda draw: cm.multilabel_sweep(
        draw(COLUMNS), draw(COLUMNS), labels=draw(LABELS)
    ),
    "cost_sweep": lambda draw: cm.cost_sweep(
        draw(COLUMNS), draw(COLUMNS), fp=draw(NUMBERS), fn=draw(COLUMNS), pos_label=draw(LABEL)
    ),
    "value": lambda draw: cm.confusion_matrix([0, 1], [0, 1]).value(
        draw(NAMES), pos_label=draw(LABEL), undefined=draw(NUMBERS)
    ),
    "one_vs_rest": lambda draw: cm.confusion_matrix([0, 1], [0, 1]).one_vs_rest(draw(LABEL)),
    "metrics": lambda draw: cm.metrics(
        "y", "p", draw(NAMES), labels=draw(LABELS), pos_label=draw(LABEL), undefined=draw(NUMBERS)
    ),
    "sweep_metrics": lambda draw: cm.sweep_metrics("y", "s", draw(NAMES), pos_label=draw(LABEL)),
    "evaluate": lambda draw: frame_of(draw).cm.evaluate(
        draw(COLUMN), draw(COLUMN), by=draw(COLUMN), labels=draw(LABELS), pos_label=draw(LABEL)
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_only_our_own_errors_come_out(door):
    rng = random.Random(door)
    drawn = []

    def draw(choices):
        at = rng.randrange(len(choices))
        drawn.append(at)
        return choices[at]

    for _ in range(CALLS // len(DOORS)):
        drawn.clear()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                DOORS[door](draw)
        except cm.ConfmatError:
            pass
        except BaseException as error:
            raise AssertionError(f"{door} with {drawn}: {type(error).__name__}") from error
