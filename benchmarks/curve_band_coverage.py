"""How often bands hold a whole curve, and regions two rates: by simulation.

    python benchmarks/curve_band_coverage.py            # prints the tables, in six minutes
    python benchmarks/curve_band_coverage.py --write    # puts them into docs/uncertainty.md

Scores are normal, those of positives higher. A band holds a curve where its limits hold both rates
at every threshold, those between two scores included. Widths are of tpr at a false positive rate of
0.1: of the band, and of a band of the bootstrap, which reaches as many standard deviations of its
replicates as 95 % of them stay within at 99 false positive rates.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from interval_coverage import table
from numpy.typing import NDArray
from scipy import stats

import confmat as cm

Floats = NDArray[np.float64]

LEVEL, RUNS, SEED = 0.95, 1_000, 20_261
DRAWN_RUNS, REPLICATES = 100, 200
SHIFTS = {"0.7": np.sqrt(2) * stats.norm.ppf(0.7), "0.9": np.sqrt(2) * stats.norm.ppf(0.9)}
SIZES = ((20, 20), (50, 500), (1_000, 1_000))
GRID = np.linspace(0.01, 0.99, 99)
PAIRS = {"roc": ("fpr", "tpr"), "pr": ("recall", "precision")}
PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"


def rows(shift: float, sizes: tuple[int, int], rng: np.random.Generator) -> tuple[Any, Floats]:
    """Return the classes and the scores of so many positives and negatives."""
    y = np.repeat([True, False], sizes)
    return y, rng.normal(size=len(y)) + shift * y


def is_held(curve: pl.DataFrame, truth: dict[str, Any]) -> bool:
    """Return whether the limits of a curve hold both rates at all thresholds."""
    upper = curve["threshold"].to_numpy()
    lower = np.append(upper[1:], -np.inf)
    for name, rate in truth.items():
        low, high = (curve[f"{name}_{end}"].to_numpy() for end in ("low", "high"))
        for at in (rate(upper), rate(lower)):
            if (np.isfinite(at) & ((at < low - 1e-12) | (at > high + 1e-12))).any():
                return False
    return True


def truth_of(shift: float, prevalence: float) -> dict[str, Any]:
    """Return the true rates at thresholds."""

    def precision(t: Floats) -> Floats:
        right = prevalence * stats.norm.sf(t - shift)
        with np.errstate(invalid="ignore"):
            return right / (right + (1 - prevalence) * stats.norm.sf(t))

    tpr = {"tpr": lambda t: stats.norm.sf(t - shift)}
    return tpr | {"fpr": stats.norm.sf, "recall": tpr["tpr"], "precision": precision}


def width(curve: pl.DataFrame, at: float) -> float:
    """Return how far the lines that enclose the curve lie apart at a false positive rate."""
    high = curve.filter(pl.col("fpr_low") <= at)["tpr_high"].max()
    low = curve.filter(pl.col("fpr_high") <= at)["tpr_low"].max()
    return float(high or 0.0) - float(low or 0.0)


def drawn_again(y: Any, scores: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the least and the greatest tpr of a band of the bootstrap on the grid."""
    positives, negatives = scores[y], scores[~y]

    def curve(of: Floats, others: Floats) -> Floats:
        cuts = np.quantile(others, 1 - GRID, method="higher")
        return 1 - np.searchsorted(np.sort(of), cuts) / len(of)

    found = curve(positives, negatives)
    draws = (
        (rng.choice(positives, len(positives)), rng.choice(negatives, len(negatives)))
        for _ in range(REPLICATES)
    )
    many = np.stack([curve(*draw) for draw in draws])
    spread = many.std(0)
    apart = np.abs(many - found)
    most = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > 0).max(1)
    reach = np.quantile(most, LEVEL) * spread
    return np.maximum(found - reach, 0), np.minimum(found + reach, 1)


def curve_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line for each area and numbers of rows."""
    rng = np.random.default_rng(SEED)
    for area, shift in SHIFTS.items():
        for sizes in SIZES:
            prevalence = sizes[0] / sum(sizes)
            truth = truth_of(shift, prevalence)
            of = {name: {x: truth[x] for x in pair} for name, pair in PAIRS.items()}
            held = dict.fromkeys(("pointwise", "roc", "pr"), 0)
            widths = []
            for _ in range(RUNS):
                s = cm.sweep(*rows(shift, sizes, rng))
                roc = s.roc_curve(ci=LEVEL, band="simultaneous")
                held["roc"] += is_held(roc, of["roc"])
                held["pointwise"] += is_held(s.roc_curve(ci=LEVEL), of["roc"])
                widths.append(width(roc, 0.1))
                y = rng.random(sum(sizes)) < prevalence  # precision: the prevalence is drawn too
                if not 0 < y.sum() < len(y):
                    continue
                s = cm.sweep(y, rng.normal(size=len(y)) + shift * y)
                held["pr"] += is_held(s.pr_curve(ci=LEVEL, band="simultaneous"), of["pr"])
            inside, drawn_widths = 0, []
            true_tpr = stats.norm.sf(stats.norm.isf(GRID) - shift)
            for _ in range(DRAWN_RUNS):
                low, high = drawn_again(*rows(shift, sizes, rng), rng)
                inside += bool(((low <= true_tpr) & (true_tpr <= high)).all())
                drawn_widths.append(high[9] - low[9])
            shares = [f"{100 * held[x] / RUNS:.1f}" for x in ("pointwise", "roc", "pr")]
            yield (
                area,
                f"{sizes[0]:,} + {sizes[1]:,}",
                *shares,
                f"{np.mean(widths):.3f}",
                f"{100 * inside / DRAWN_RUNS:.1f}",
                f"{np.mean(drawn_widths):.3f}",
            )


def weight_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a kind of weights: the coverage of the ROC band of 200 rows of each class."""
    rng = np.random.default_rng(SEED)
    shift = SHIFTS["0.7"]
    for name in ("exponential", "exp(score / 2), higher for higher scores"):
        goes_along = 0.0 if name == "exponential" else 0.5
        truth = {
            "tpr": lambda t, a=goes_along: stats.norm.sf(t - shift - a),
            "fpr": lambda t, a=goes_along: stats.norm.sf(t - a),
        }
        held = 0
        for _ in range(RUNS):
            y, scores = rows(shift, (200, 200), rng)
            w = np.exp(goes_along * scores) if goes_along else rng.exponential(size=len(y))
            s = cm.sweep(y, scores, sample_weight=w)
            held += is_held(s.roc_curve(ci=LEVEL, band="simultaneous"), truth)
        yield name, f"{100 * held / RUNS:.1f}"


TABLES = (
    ("balanced, recall 0.9, precision 0.8", (0.45, 0.1125, 0.05, 0.3875), (50, 200, 1_000)),
    ("1 : 19, recall 0.6, precision 0.75", (0.03, 0.01, 0.02, 0.94), (200, 1_000, 5_000)),
    ("balanced, recall and precision 0.98", (0.49, 0.01, 0.01, 0.49), (50, 200, 1_000)),
)


def holds(polygon: pl.DataFrame, x: float, y: float) -> bool:
    """Return whether a polygon has a point inside: a ray from it crosses an odd number of sides."""
    px, py = (polygon.to_series(at).to_numpy() for at in (0, 1))
    x0, y0, x1, y1 = px[:-1], py[:-1], px[1:], py[1:]
    across = (y0 > y) != (y1 > y)
    with np.errstate(invalid="ignore", divide="ignore"):
        right = x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return bool((across & right).sum() % 2)


def region_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line for each table and number of rows: regions, and two intervals at once."""
    rng = np.random.default_rng(SEED)
    for name, shares, sizes in TABLES:
        tp, fp, fn, tn = shares
        truth = {"recall": tp / (tp + fn), "precision": tp / (tp + fp), "fpr": fp / (fp + tn)}
        for n in sizes:
            held = np.zeros(3)
            for drawn in rng.multinomial(n, shares, RUNS):
                m = cm.ConfusionMatrix([[drawn[3], drawn[1]], [drawn[2], drawn[0]]])
                for at, pair in enumerate((("recall", "precision"), ("fpr", "recall"))):
                    region = m.confidence_region(*pair, level=LEVEL)
                    held[at] += holds(region, *(truth[x] for x in pair))
                both = (m.ci(x, LEVEL) for x in ("recall", "precision"))
                ends = zip(("recall", "precision"), both, strict=True)
                held[2] += all(one.low <= truth[x] <= one.high for x, one in ends)
            yield (name, f"{n:,}", *(f"{100 * x / RUNS:.1f}" for x in held))


def text() -> str:
    """Return the tables."""
    of_curves = (
        *("area", "positives + negatives", "ROC, pointwise", "ROC, simultaneous"),
        *("PR, simultaneous", "width of tpr", "bootstrap", "its width"),
    )
    of_regions = ("true classes", "rows", "recall and precision", "fpr and recall")
    return "\n\n".join(
        [
            "Bands of 95 %: in percent of the samples, the whole true curve held:",
            table(of_curves, curve_lines()),
            "The same with weights, of 200 rows of each class and an area of 0.7:",
            table(("weights", "ROC, simultaneous"), weight_lines()),
            "Regions of 95 %: in percent of the samples, both rates held:",
            table((*of_regions, "two intervals of recall and precision"), region_lines()),
        ]
    )


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    is_written = parser.parse_args().write
    shown = text()
    if not is_written:
        print(shown)
        return
    begin, end = (f"<!-- curves: {mark} -->" for mark in ("begin", "end"))
    before, rest = PAGE.read_text("utf-8").split(begin)
    PAGE.write_text(f"{before}{begin}\n{shown}\n{end}{rest.split(end)[1]}", "utf-8")


if __name__ == "__main__":
    main()
