"""What scores can be made of: expressions and sweeps take and refuse the same."""

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from sklearn.metrics import log_loss, roc_auc_score

import confmat as cm

RNG = np.random.default_rng(12)
FRAME = pl.DataFrame({"y": RNG.integers(0, 2, 200), "s": RNG.integers(0, 17, 200) / 16})


def test_booleans_as_scores_are_0_and_1():
    frame = FRAME.with_columns(b=pl.col("s") > 0.5)
    names = ["roc_auc", "average_precision", "brier", "log_loss"]
    got = frame.select(cm.sweep_metrics("y", "b", names).struct.field(*names)).row(0, named=True)
    for scores in (frame["b"], frame["b"].to_numpy(), frame["b"].to_list(), frame["b"] * 1.0):
        assert cm.sweep(frame["y"], scores).values(names) == pytest.approx(got, rel=1e-14)
        binned = cm.sweep(frame["y"], scores, bins=[0.0, 0.5, 1.0])
        assert binned.roc_auc == pytest.approx(got["roc_auc"], rel=1e-14)
    assert got["roc_auc"] == pytest.approx(roc_auc_score(frame["y"], frame["b"]), rel=1e-14)
    assert got["log_loss"] == pytest.approx(log_loss(frame["y"], frame["b"]), rel=1e-14)


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["a", "b"])])
def test_errors_name_the_dtype_of_texts(dtype):
    frame = pl.DataFrame({"y": [0, 1, 1], "s": pl.Series(["a", "b", "a"], dtype=dtype)})
    word = str(dtype).partition("(")[0]
    with pytest.raises(ComputeError, match=f"`y_score` has dtype {word}: wanted numbers"):
        frame.select(pl.col("y").cm.roc_auc("s"))
    with pytest.raises(ComputeError, match=f"`y_pred` is {word}: labels of one kind"):
        frame.select(cm.metric("f1", "y", "s"))
