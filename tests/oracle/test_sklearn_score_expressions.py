"""Grouped score metrics against scikit-learn, group by group: ties, weights, float dtypes."""

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import confmat as cm

NAMES = ["roc_auc", "average_precision", "brier", "log_loss", "pr_auc_trapezoid", "ks"]
RNG = np.random.default_rng(21)
N = 3000
FRAME = pl.DataFrame(
    {
        "seg": RNG.integers(0, 12, N),
        "y": RNG.integers(0, 2, N),
        "ties": RNG.integers(0, 11, N) / 10,
        "fine": RNG.random(N),
        "w": RNG.random(N) * RNG.integers(0, 3, N),
    }
)


def theirs(frame, score, weight):
    y, s = frame["y"].to_numpy(), frame[score].cast(pl.Float64).to_numpy()
    w = None if weight is None else frame[weight].to_numpy()
    precision, recall, _ = sk.precision_recall_curve(y, s, sample_weight=w)
    fpr, tpr, _ = sk.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    return [
        sk.roc_auc_score(y, s, sample_weight=w),
        sk.average_precision_score(y, s, sample_weight=w),
        sk.brier_score_loss(y, s, sample_weight=w),
        sk.log_loss(y, s, sample_weight=w),
        sk.auc(recall, precision),
        np.abs(tpr - fpr).max(),
    ]


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("score", ["ties", "fine"])
def test_every_group(score, weight):
    asked = cm.sweep_metrics("y", score, NAMES, sample_weight=weight)
    out = FRAME.group_by("seg").agg(m=asked).unnest("m").sort("seg")
    for row in out.iter_rows(named=True):
        group = FRAME.filter(pl.col("seg") == row["seg"])
        np.testing.assert_allclose(
            [row[name] for name in NAMES], theirs(group, score, weight), rtol=1e-12
        )


@pytest.mark.parametrize("weight", [None, "w"])
def test_curves(weight):
    y, s = FRAME["y"].to_numpy(), FRAME["ties"].to_numpy()
    w = None if weight is None else FRAME[weight].to_numpy()
    roc = FRAME.select(pl.col("y").cm.roc_curve("ties", sample_weight=weight)).item()
    fpr, tpr, at = sk.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    ours = np.array([list(point.values()) for point in roc])
    np.testing.assert_allclose(ours[:, 1], fpr, atol=1e-14)
    np.testing.assert_allclose(ours[:, 2], tpr, atol=1e-14)
    np.testing.assert_array_equal(ours[1:, 0], at[1:])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_log_loss_of_certain_scores_is_clipped(dtype):
    y, s = np.array([1, 0, 1, 0]), np.array([0, 1, 1, 0.5], dtype)
    ours = pl.DataFrame({"y": y, "s": s}).select(pl.col("y").cm.log_loss("s")).item()
    np.testing.assert_allclose(ours, sk.log_loss(y, s), rtol=1e-6)
