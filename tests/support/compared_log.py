"""A log of two models, or three, with scores, slices, weights and clusters, and its comparison."""

import numpy as np
import polars as pl

import confmat as cm

NUMBERS = ["value_a", "value_b", "difference", "low", "high", "p_value"]
COLUMNS = ["model_a", "model_b", "metric", "n", *NUMBERS, "method", "reason"]


def log(n=400, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    noise = [rng.integers(0, classes, n) for _ in range(3)]
    wrong = [rng.random(n) < share for share in (0.3, 0.2, 0.25)]
    a, b, c = (np.where(w, other, y) for w, other in zip(wrong, noise, strict=True))
    scores = [np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, n), 0.01, 0.99) for _ in range(2)]
    return pl.DataFrame(
        {
            "y": y,
            "a": a,
            "b": b,
            "c": c,
            "sa": scores[0],
            "sb": scores[1],
            "site": rng.choice(["x", "y", "z"], n),
            "w": rng.uniform(0.2, 3, n),
            "user": rng.integers(0, 50, n),
        }
    )


def compared(frame, y_pred=("a", "b"), **options):
    return cm.compare(frame, "y", list(y_pred), **options)
