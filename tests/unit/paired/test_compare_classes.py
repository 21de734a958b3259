"""Scores of many classes of two models on the same rows: values, intervals, slices, refusals."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from support.class_scores import ALL, CLASSES, COLUMNS, TOPS, compared, log, row_of, sweep_of

import confmat as cm


def slopes(frame, name, weight=None, step=1e-5):
    """Return how fast the difference changes with the weight of each row."""
    w = np.ones(frame.height) if weight is None else frame[weight].to_numpy().copy()
    out = []
    for at in range(frame.height):
        both = []
        for sign in (1, -1):
            moved = w.copy()
            moved[at] += sign * step
            heavy = frame.with_columns(pl.Series("moved", moved))
            both.append(
                sweep_of(heavy, "b", "moved").value(name)
                - sweep_of(heavy, "a", "moved").value(name)
            )
        out.append((both[0] - both[1]) / (2 * step))
    return w, np.array(out)


@pytest.mark.parametrize("weight", [None, "w"])
def test_values_are_those_of_sweeps(weight):
    frame = log()
    table = compared(frame, sample_weight=weight).table()
    for name in ALL:
        found = row_of(table, name)
        a, b = (sweep_of(frame, model, weight).value(name) for model in "ab")
        assert (found["value_a"], found["value_b"]) == (a, b)
        assert found["difference"] == b - a


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", [name for name in ALL if name not in TOPS])
def test_errors_are_those_of_the_slopes_in_the_weights(name, weight):
    frame = log()
    w, slope = slopes(frame, name, weight)
    added = w * slope
    codes = frame["y"].to_numpy()
    samples = [np.ones(len(w), bool)]
    if name.endswith(("macro", "ovo")) or name == "roc_auc":
        samples = [codes == label for label in CLASSES]
    variance = sum(
        (added[one] ** 2).sum() / (1 - (w[one] ** 2).sum() / w[one].sum() ** 2) for one in samples
    )
    c = compared(frame, sample_weight=weight)
    assert c.difference(name).se == pytest.approx(math.sqrt(variance), rel=2e-4)
    found = row_of(c.table(), name)
    reach = stats.norm.ppf(0.975) * c.difference(name).se
    assert found["high"] - found["difference"] == pytest.approx(reach)
    assert found["difference"] - found["low"] == pytest.approx(reach)
    p = 2 * stats.norm.sf(abs(found["difference"]) / c.difference(name).se)
    assert found["p_value"] == pytest.approx(p)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", ["roc_auc_macro", "average_precision_weighted", "top_2_accuracy"])
def test_clusters_are_summed(name, weight):
    frame = log()
    w, slope = slopes(frame, name, weight)
    sums = np.bincount(frame["user"], w * slope)
    wanted = math.sqrt((sums @ sums) * 40 / 39)
    c = compared(frame, cluster="user", sample_weight=weight)
    assert frame["user"].n_unique() == 40
    assert c.difference(name).se == pytest.approx(wanted, rel=2e-4)
    assert c.difference(name).method == "cluster"


def test_two_classes_are_as_the_positive_one():
    frame = log().filter(pl.col("y") != "emu").with_columns(y=pl.col("y") == "dog")
    columns = {}
    for of in "ab":
        both = pl.col(f"{of}_cat") + pl.col(f"{of}_dog")
        frame = frame.with_columns(
            (pl.col(f"{of}_cat") / both).alias(f"{of}0"),
            (pl.col(f"{of}_dog") / both).alias(f"{of}1"),
        )
        columns[of] = [f"{of}0", f"{of}1"]
    many = cm.compare(frame, "y", y_score=columns, metrics=["roc_auc", "log_loss", "brier"])
    two = cm.compare(frame, "y", y_score={"a": "a1", "b": "b1"}, metrics=["roc_auc", "log_loss"])
    for name in ("roc_auc", "log_loss"):
        one, other = row_of(many.table(), name), row_of(two.table(), name)
        for end in ("difference", "low", "high", "p_value"):
            assert one[end] == pytest.approx(other[end], abs=1e-9)
        assert (one["method"], one["n"]) == (other["method"], other["n"])


def test_the_top_class_is_compared_as_accuracy():
    frame = log(decimals=1)
    codes = {of: np.array([frame[name] for name in COLUMNS[of]])[::-1].argmax(0) for of in "ab"}
    frame = frame.with_columns(
        pl.Series(f"p{of}", np.array(CLASSES)[2 - codes[of]]) for of in "ab"
    )  # of equal scores the last
    both = {"y_pred": {"a": "pa", "b": "pb"}, "y_score": COLUMNS}
    for options in ({}, {"side": "lower"}, {"by": "site", "min_n": 5}):
        c = cm.compare(frame, "y", **both, metrics=["accuracy", "top_1_accuracy"], **options)
        table = c.table().drop("metric")
        assert table[1::2].equals(table[::2])
        assert table["method"].to_list() == ["tango"] * table.height
