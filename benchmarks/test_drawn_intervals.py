"""What do intervals cost that take rows drawn again: in a table of slices, and of two models."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race

import confmat as cm

A_SLICE, MOST_SLICES, MOST_ROWS = 1_000, 100, 1_000_000
CLASSES, OF_CLASSES = 5, 100  # rows a slice


def _log(rows: int) -> pl.DataFrame:
    """Return truths and two scores that share half of what they are wrong about."""
    rng = np.random.default_rng(15)
    y = rng.random(rows) < 0.3
    common = rng.normal(size=rows) + 1.5 * y
    a, b = (common + 0.7 * rng.normal(size=rows) for _ in "ab")
    scores = {name: 1 / (1 + np.exp(1.0 - of)) for name, of in (("a", a), ("b", b))}
    return pl.DataFrame({"slice": np.arange(rows) // A_SLICE, "y": y, **scores})


@pytest.mark.parametrize("what", ["intervals", "values"])
def test_slices(race: Race, rows: int, what: str) -> None:
    slices = min(max(rows // A_SLICE, 1), MOST_SLICES)
    parts = cm.partial(_log(slices * A_SLICE), y_true="y", y_score="a", by="slice", bins=None)
    ci = {"ci": 0.95} if what == "intervals" else {}

    def run() -> pl.DataFrame:
        return cm.finish(parts, ["average_precision"], **ci)

    def check(found: pl.DataFrame) -> None:
        assert found["average_precision"].is_not_null().all()
        if ci:
            assert (found["average_precision_low"] < found["average_precision_high"]).all()

    name, role = ("finish(ci=0.95)", "ours") if ci else ("finish()", "floor")
    question = f"average precision of {slices:,} slices of 1,000 rows"
    race(question, name, role, run, check=check, rows=slices * A_SLICE)


@pytest.mark.parametrize("what", ["intervals", "values"])
def test_slices_of_classes(race: Race, rows: int, what: str) -> None:
    slices = min(max(rows // OF_CLASSES, 1), MOST_SLICES)
    rng = np.random.default_rng(16)
    y = rng.integers(0, CLASSES, slices * OF_CLASSES)
    scores = np.exp(rng.normal(size=(len(y), CLASSES)) + np.eye(CLASSES)[y])
    scores /= scores.sum(axis=1, keepdims=True)
    names = [f"s{at}" for at in range(CLASSES)]
    log = pl.DataFrame({"slice": np.arange(len(y)) // OF_CLASSES, "y": y})
    log = log.hstack(pl.DataFrame(scores, schema=names))
    asked = {"y_score": names, "by": "slice", "metrics": ["average_precision_macro"]}
    asked |= {"labels": list(range(CLASSES))} | ({"ci": 0.95} if what == "intervals" else {})

    def run() -> pl.DataFrame:
        return log.cm.evaluate("y", **asked)

    def check(found: pl.DataFrame) -> None:
        name = "average_precision_macro"
        assert found[name].is_not_null().all()
        if what == "intervals":
            assert (found[f"{name}_low"] < found[f"{name}_high"]).all()

    name, role = ("evaluate(ci=0.95)", "ours") if what == "intervals" else ("evaluate()", "floor")
    question = f"average precision of {CLASSES} classes in {slices:,} slices of {OF_CLASSES} rows"
    race(question, name, role, run, check=check, rows=len(y))


@pytest.mark.parametrize("metric", ["average_precision", "roc_auc"])
def test_two_models(race: Race, rows: int, metric: str) -> None:
    """Against the area, which has a formula."""
    used = min(rows, MOST_ROWS)
    log = _log(used)

    def run() -> Any:
        return cm.compare(log, "y", y_score=["a", "b"], metrics=[metric]).table()

    def check(found: pl.DataFrame) -> None:
        assert found["low"][0] < found["difference"][0] < found["high"][0]

    role = "ours" if metric == "average_precision" else "floor"
    race(f"two models on {used:,} rows", metric, role, run, check=check, rows=used)
