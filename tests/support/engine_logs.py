"""A log in parts, and what is asked of it, for engines: skewed keys, nulls, labels of one part."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

RNG = np.random.default_rng(11)
N = 20_000
_SCORES = RNG.random((N, 3)).round(3)
LOG = pl.DataFrame(
    {
        "y": RNG.choice(["cat", "dog", None], N, p=[0.6, 0.39, 0.01]).tolist(),
        "p": RNG.choice(["cat", "dog", None], N, p=[0.5, 0.49, 0.01]).tolist(),
        "p2": RNG.choice(["cat", "dog"], N).tolist(),
        "b": RNG.random(N) < 0.3,
        "q": RNG.random(N) < 0.4,
        "s": _SCORES[:, 0],
        "k": RNG.choice(["big", "small", None], N, p=[0.98, 0.01, 0.01]).tolist(),
        "site": RNG.integers(-3, 4, N),
        "id": RNG.permutation(N),
        "w": RNG.integers(0, 4, N),
        "x": RNG.random(N) * 10.0 ** RNG.integers(-8, 9, N),
        "c": RNG.integers(0, 3, N),
        "s0": _SCORES[:, 0],
        "s1": _SCORES[:, 1],
        "s2": _SCORES[:, 2],
        "t0": RNG.integers(0, 2, N),
        "t1": RNG.integers(0, 2, N),
        "u0": RNG.integers(0, 2, N),
        "u1": RNG.integers(0, 2, N),
    }
).with_columns(  # a class, and a slice, of the last rows alone
    y=pl.when(pl.int_range(pl.len()) > N - 50).then(pl.lit("rare")).otherwise("y"),
    k=pl.when(pl.int_range(pl.len()) > N - 9).then(pl.lit("last")).otherwise("k"),
)
BOUNDS = (0, 900, 900, 7_000, 7_001, 15_000, N)  # of the parts, of which one has no rows

SCORES = {"y_true": "b", "y_score": "s"}
QUESTIONS = {
    "whole": {"y_true": "y", "y_pred": "p"},
    "slices": {"y_true": "y", "y_pred": "p", "by": "k", "metrics": ["accuracy", "mcc"]},
    "many slices": {"y_true": "y", "y_pred": "p", "by": ["id", "k"]},
    "integer weights": {"y_true": "y", "y_pred": "p", "by": "k", "sample_weight": "w"},
    "float weights": {"y_true": "y", "y_pred": "p", "by": "site", "sample_weight": "x"},
    "models": {"y_true": "y", "y_pred": ["p", "p2"], "by": "site", "cube": True},
    "scores": SCORES,
    "scores by slices": {**SCORES, "by": ["k", "site"]},
    "scores exactly": {**SCORES, "by": "site", "bins": None},
    "scores and weights": {**SCORES, "by": "k", "sample_weight": "w"},
    "both": {"y_true": "b", "y_pred": "q", "y_score": "s", "by": "k"},
    "clusters": {**SCORES, "y_pred": "q", "by": "k", "cluster": "w", "ci": 0.9},
    "many classes": {"y_true": "c", "y_score": ["s0", "s1", "s2"], "labels": [0, 1, 2]},
    "label sets": {"y_true": ["t0", "t1"], "y_pred": ["u0", "u1"], "by": "k"},
    "numbers": {
        "y_true": "s0",
        "y_pred": "s1",
        "by": "site",
        "sample_weight": "x",
        "task": "regression",
        "metrics": ["mae", "r2", "mape"],
    },
    "expressions": {
        "y_true": "y",
        "y_pred": "p",
        "pos_label": "dog",
        "ci": 0.9,
        "by": [pl.col("site").abs().alias("distance"), pl.col("k").str.len_chars()],
        "where": pl.col("w") > 0,
    },
}
OF_ROWS = [  # of those, what differs where an engine hands rows over
    *("slices", "many slices", "models", "scores by slices", "many classes", "expressions"),
]
IN_EVERY_RUN = ("slices", "scores by slices", "numbers")
ROUNDED = {**SCORES, "by": "k", "sample_weight": "x"}  # sums of bins: values, not bytes


def in_long_runs(*cases):
    """Return cases of a test that `.ci/long` alone tries; a tuple is several arguments."""
    groups = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*group, marks=pytest.mark.long) for group in groups]


def most_in_long_runs(questions):
    """Return names of questions: a few for every run, the others for long ones."""
    return [name if name in IN_EVERY_RUN else in_long_runs(name)[0] for name in questions]


def parts():
    """Yield the parts of the log."""
    for first, end in pairwise(BOUNDS):
        yield LOG[first:end]


def write(folder):
    """Write the parts as files of a folder, and return it."""
    for at, part in enumerate(parts()):
        part.write_parquet(folder / f"{at}.parquet")
    return folder
