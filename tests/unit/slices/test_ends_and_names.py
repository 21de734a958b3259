"""Slices: ends that a metric can have, keys of any name, and a reason for each slice."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

ROWS = pl.DataFrame(
    {
        "site": ["a"] * 40 + ["b"] * 4,
        "y": [0, 1] * 22,
        "p": [0, 1, 1, 1] * 10 + [0, 1, 0, 1],
    }
)
TRUE = {"y_true": "y", "y_pred": "p"}


@pytest.mark.parametrize(("metric", "width"), [("f1", 1), ("mcc", 2), ("balanced_accuracy", 1)])
def test_ends_of_few_rows_are_possible(metric, width):
    e = cm.evaluate(ROWS, **TRUE, by="site", pos_label=1)
    found = e.test_slices(metric)
    assert found["difference_low"].min() == -width
    assert found["difference_high"].max() == width
    apart = e.test_slices(metric, against=0.5)
    lo = -1 if metric == "mcc" else 0
    assert (apart["difference_low"] >= lo - 0.5).all()
    assert (apart["difference_high"] <= 0.5).all()


@pytest.mark.parametrize("key", ["shown", "why", "rest_reason", "overall"])
def test_keys_may_be_called_as_they_like(key):
    rows = ROWS.rename({"site": key})
    wanted = cm.evaluate(ROWS, **TRUE, by="site").worst("accuracy").drop("site")
    found = cm.evaluate(rows, **TRUE, by=key).worst("accuracy")
    assert found.columns[0] == key
    assert found.drop(key).equals(wanted)


def test_a_key_called_as_a_column_of_the_result_is_refused():
    e = cm.evaluate(ROWS.rename({"site": "loss"}), **TRUE, by="loss")
    with pytest.raises(cm.InputError, match="the key 'loss', a name of the result; rename it"):
        e.worst("accuracy")


def test_each_slice_has_its_own_reason():
    rng = np.random.default_rng(0)
    sets = rng.random((6, 60)) < 0.4
    columns = {f"{of}{at}": sets[at] for of, start in (("t", 0), ("p", 3)) for at in range(3)}
    rows = pl.DataFrame({"site": ["a"] * 59 + ["b"], **columns})
    names = {"y_true": ["t0", "t1", "t2"], "y_pred": ["p0", "p1", "p2"]}
    e = cm.evaluate(rows, **names, by="site")
    why = dict(e.worst("hamming_loss").select("site", "reason").iter_rows())
    alone = "there is no interval: one row alone has no spread"
    assert why == {"a": f"of the rest: {alone}", "b": alone}
    tested = dict(e.test_slices("hamming_loss").select("site", "reason").iter_rows())
    assert tested == {"a": "there is no standard error of hamming_loss", "b": alone}
