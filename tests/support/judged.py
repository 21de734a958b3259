"""A log with groups that tests of fairness judge, and its states."""

import numpy as np
import polars as pl

import confmat as cm


def log(rows=6_000, seed=3):
    """Rows with groups that are judged differently."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m", "x"], rows, p=[0.45, 0.45, 0.1])
    age = rng.choice(["old", "young"], rows)
    region = rng.integers(1, 4, rows)
    y = rng.random(rows) < np.where(sex == "f", 0.35, 0.5)
    score = np.round(np.clip(rng.normal(0.3 + 0.3 * y + 0.1 * (sex == "m"), 0.2), 0, 1), 2)
    return pl.DataFrame(
        {
            "sex": sex,
            "age": age,
            "region": region,
            "y": y.astype(int),
            "p": (score >= 0.5).astype(int),
            "s": score,
        }
    )


LOG = log()
KEYS = ["sex", "age", "region"]
PARTS = cm.partial(LOG, y_true="y", y_pred="p", y_score="s", by=KEYS)
LABELS = cm.partial(LOG, y_true="y", y_pred="p", by=KEYS)
