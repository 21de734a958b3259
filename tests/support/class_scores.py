"""A log with scores of three classes of two models."""

import numpy as np
import polars as pl

import confmat as cm

CLASSES = ["cat", "dog", "emu"]
AREAS = ["roc_auc", "roc_auc_weighted", "roc_auc_micro", "roc_auc_ovo"]
PRECISIONS = [f"average_precision_{of}" for of in ("macro", "weighted", "micro")]
LOSSES = ["brier", "log_loss", "ranked_probability_score", "hinge_loss"]
SAVED = ["d2_brier", "d2_log_loss"]
TOPS = ["top_1_accuracy", "top_2_accuracy"]
ALL = [*AREAS, *PRECISIONS, *LOSSES, *SAVED, *TOPS]
COLUMNS = {of: [f"{of}_{label}" for label in CLASSES] for of in "ab"}


def log(n=240, seed=1, decimals=2):
    """Return rows of three classes, two models of like errors, weights, users and sites."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, n, p=[0.4, 0.35, 0.25])
    common = rng.normal(0, 0.8, (n, 3))
    frame = pl.DataFrame(
        {
            "y": np.array(CLASSES)[y],
            "w": rng.uniform(0.2, 3, n),
            "user": rng.integers(0, 40, n),
            "site": np.array(["x", "y"])[rng.integers(0, 2, n)],
        }
    )
    for model, shift in (("a", 1.0), ("b", 1.4)):
        odds = common + rng.normal(0, 0.6, (n, 3))
        odds[np.arange(n), y] += shift
        p = np.exp(odds) / np.exp(odds).sum(1, keepdims=True)
        p = np.round(p, decimals)  # ties
        p[:, 2] = 1 - p[:, 0] - p[:, 1]
        frame = frame.with_columns(
            pl.Series(name, p[:, at]) for at, name in enumerate(COLUMNS[model])
        )
    return frame


def compared(frame, metrics=ALL, **options):
    return cm.compare(frame, "y", y_score=COLUMNS, metrics=metrics, **options)


def sweep_of(frame, model, weight=None):
    weights = None if weight is None else frame[weight]
    scores = [frame[name] for name in COLUMNS[model]]
    return cm.multiclass_sweep(frame["y"], scores, labels=CLASSES, sample_weight=weights)


def row_of(table, name):
    return table.row(by_predicate=pl.col("metric") == name, named=True)
