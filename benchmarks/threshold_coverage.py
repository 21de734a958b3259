"""How often 95 % intervals along thresholds hold the truth, and at thresholds that were chosen.

    python benchmarks/threshold_coverage.py            # prints the tables, in ten minutes
    python benchmarks/threshold_coverage.py --write    # puts them into docs/uncertainty.md
    python benchmarks/threshold_coverage.py --only "one side"      # one table

Scores are normal in each class, one apart so that the area under the ROC curve is as said, and are
probabilities by the logistic function. The truth is that of the normal distributions: of net
benefit, costs, lift and precision at four thresholds, of a metric at the threshold that `best`
takes for these rows, which is another one in each sample, and of means over rows at a share that
was set, where it is that of a million rows of each class. One-sided limits hold it where it lies
above the lower one, or below the upper one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from interval_coverage import table
from numpy.typing import NDArray
from scipy import stats

import confmat as cm
from confmat.intervals.levels import Side
from confmat.scores.set_share import mean_at_share

Floats = NDArray[np.float64]

LEVEL, SEED = 0.95, 20_262
RUNS, CHOICES, ONE_SIDED = 1_000, 600, 2_000
ONE: tuple[Side, Side] = ("lower", "upper")
PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"
AT = np.array([0.1, 0.3, 0.5, 0.8])
COST = [[0, 1], [5, 0]]
NUMBERS = ("net_benefit", "mean_cost", "lift", "precision")
CHOSEN = ("f1", "mcc", "informedness", "mean_cost")
SIZES = (200, 1_000)
SHARES = (0.5, 0.1, 0.02)
OF_SHARES = ("brier", "log_loss", "brier_skill", "average_precision")
ROWS = ((20, 20), (50, 50), (50, 500), (200, 1_000), (1_000, 1_000))  # positives, negatives
LARGE = 1_000_000  # rows of each class that stand for all there are
AREAS = ((0.8, 0.5), (0.8, 0.1), (0.65, 0.1), (0.9, 0.1))  # and the share of positives


def drawn(n: int, share: float, area: float, rng: np.random.Generator) -> cm.Sweep:
    """Return a sweep of rows with both classes."""
    y = rng.random(n) < share
    y[:2] = True, False
    scores = rng.normal(size=n) + _apart(area) * y
    return cm.sweep(y, stats.logistic.cdf(scores), pos_label=True)


def rates(t: Floats | float, area: float) -> tuple[Floats, Floats]:
    """Return the true rates at thresholds: tpr and fpr."""
    score = stats.logistic.ppf(t)
    return stats.norm.sf(score - _apart(area)), stats.norm.sf(score)


def _apart(area: float) -> float:
    return float(np.sqrt(2) * stats.norm.ppf(area))


def along(s: cm.Sweep, side: Side = "both") -> dict[str, tuple[Floats, Floats]]:
    """Return the ends of each number at each threshold."""
    limits: dict[str, Any] = {"ci": LEVEL, "side": side}
    down = limits | {"thresholds": AT}
    frames = {
        "net_benefit": s.decision_curve(AT, **limits),
        "mean_cost": s.cost_curve(COST, **down).reverse(),
        "lift": s.lift(**down).reverse(),
        "precision": s.pr_curve(**down).reverse(),
    }
    return {name: _ends(frame, name) for name, frame in frames.items()}


def _ends(frame: pl.DataFrame, name: str) -> tuple[Floats, Floats]:
    low, high = (frame[f"{name}_{end}"].fill_null(np.nan).to_numpy() for end in ("low", "high"))
    return low, high


def true_numbers(share: float) -> dict[str, Floats]:
    """Return the true numbers at each threshold, of an area of 0.8."""
    tpr, fpr = rates(AT, 0.8)
    lift = tpr / (share * tpr + (1 - share) * fpr)
    return {
        "net_benefit": share * tpr - (1 - share) * fpr * AT / (1 - AT),
        "mean_cost": (1 - share) * fpr + 5 * share * (1 - tpr),
        "lift": lift,
        "precision": share * lift,
    }


def along_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a share of positives, number of rows and share that was set."""
    rng = np.random.default_rng(SEED)
    for share in (0.5, 0.1):
        for n in (200, 2_000):
            for known in (None, 0.02):
                truth = true_numbers(share if known is None else known)
                held = {name: np.zeros((2, len(AT))) for name in NUMBERS}
                for _ in range(RUNS):
                    s = drawn(n, share, 0.8, rng)
                    found = along(s if known is None else s.at_prevalence(known))
                    for name, (low, high) in found.items():
                        is_in = (low <= truth[name]) & (truth[name] <= high)
                        held[name] += is_in, ~np.isnan(low)
                cells = [100 * a / b for a, b in held.values()]
                yield (
                    f"{share}",
                    f"{n:,}",
                    "" if known is None else f"{known}",
                    *(f"{one.min():.1f} to {one.max():.1f}" for one in cells),
                )


def one_sided_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a share of positives, number of rows and side."""
    rng = np.random.default_rng(SEED)
    for share in (0.5, 0.1):
        truth = true_numbers(share)
        for n in (50, 200, 2_000):
            for side in ONE:
                held = {name: np.zeros((2, len(AT))) for name in NUMBERS}
                of_matrix, of_choice = 0, 0
                for run in range(ONE_SIDED):
                    s = drawn(n, share, 0.8, rng)
                    for name, (low, high) in along(s, side).items():
                        is_in = (low <= truth[name]) & (truth[name] <= high)
                        held[name] += is_in, ~np.isnan(low)
                    cost = s.at(AT[1]).cost(COST, ci=LEVEL, side=side)
                    of_matrix += cost.low <= n * truth["mean_cost"][1] <= cost.high
                    if run < CHOICES:
                        at, _, found = s.best("f1", ci=LEVEL, side=side, seed=run)
                        f1 = true_metric("f1", min(at, 1.0), share, 0.8)
                        of_choice += found.low <= f1 <= found.high
                cells = [100 * a / b for a, b in held.values()]
                yield (
                    f"{share}",
                    f"{n:,}",
                    side,
                    *(f"{one.min():.1f} to {one.max():.1f}" for one in cells),
                    f"{100 * of_matrix / ONE_SIDED:.1f}",
                    f"{100 * of_choice / CHOICES:.1f}",
                )


def true_metric(name: str, t: float, share: float, area: float) -> float:
    """Return a metric at a threshold of all rows that there could be."""
    tpr, fpr = (float(rate) for rate in rates(t, area))
    if name == "mean_cost":
        return (1 - share) * fpr + 5 * share * (1 - tpr)
    cells = [[(1 - share) * (1 - fpr), (1 - share) * fpr], [share * (1 - tpr), share * tpr]]
    value: float = cm.ConfusionMatrix(np.array(cells)).value(name)
    return value


def chosen_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a scenario: coverage of the interval at the threshold, and of the choice."""
    rng = np.random.default_rng(SEED)
    for area, share in AREAS:
        for n in SIZES:
            held = {name: np.zeros(2) for name in CHOSEN}
            for run in range(CHOICES):
                s = drawn(n, share, area, rng)
                for name in CHOSEN:
                    at, _, interval = s.best(name, COST, ci=LEVEL, seed=run)
                    t = min(at, 1.0)  # +inf, at which no row is predicted positive
                    truth = true_metric(name, t, share, area)
                    ends = [(interval.low, interval.high), alone(s, name, t)]
                    held[name] += [low <= truth <= high for low, high in ends]
            yield (
                f"{area}",
                f"{share}",
                f"{n:,}",
                *(
                    f"{100 * of_choice / CHOICES:.1f} ({100 * fixed / CHOICES:.1f})"
                    for of_choice, fixed in held.values()
                ),
            )


def alone(s: cm.Sweep, name: str, t: float) -> tuple[float, float]:
    """Return the interval at a threshold as if it had not been chosen."""
    if name == "mean_cost":
        low, high = _ends(s.cost_curve(COST, thresholds=[t], ci=LEVEL), name)
        return float(low[0]), float(high[0])
    interval = s.at(t).ci(name, LEVEL)
    return interval.low, interval.high


def rows_of(positives: int, negatives: int, rng: np.random.Generator) -> cm.Sweep:
    """Return a sweep of so many rows of each class, of an area of 0.8."""
    y = np.repeat([True, False], [positives, negatives])
    return cm.sweep(y, stats.logistic.cdf(rng.normal(size=len(y)) + _apart(0.8) * (y - 0.5)))


def share_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a share that is set and numbers of rows: the coverage of means over rows."""
    rng = np.random.default_rng(SEED)
    all_rows = rows_of(LARGE, LARGE, rng)
    for share in SHARES:
        truth = all_rows.at_prevalence(share).values(OF_SHARES)
        for rows in ROWS:
            held = dict.fromkeys(OF_SHARES, 0)
            for _ in range(RUNS):
                s = rows_of(*rows, rng).at_prevalence(share)
                for name in OF_SHARES:
                    low, high = s.ci(name, LEVEL)[1:3]
                    if has_none := low != low:
                        value = s.value(name)
                        low, high = mean_at_share(s, name).around(value, value, LEVEL, "both")
                    held[name] += low <= truth[name] <= high
            cells = [f"{100 * count / RUNS:.1f}" for count in held.values()]
            if has_none:  # of the last one
                cells[-1] = f"({cells[-1]})"
            yield (f"{share}", f"{rows[0]:,} + {rows[1]:,}", *cells)


def texts(names: Sequence[str]) -> dict[str, str]:
    """Return what stands between the marks of the page, by their name."""
    return {name: table(*TABLES[name]()) for name in names}


TABLES: dict[str, Callable[[], tuple[tuple[str, ...], Iterator[tuple[str, ...]]]]] = {
    "shares set": lambda: (
        ("share set", "positives + negatives", *OF_SHARES),
        share_lines(),
    ),
    "thresholds": lambda: (("positives", "rows", "share set", *NUMBERS), along_lines()),
    "one side": lambda: (
        ("positives", "rows", "side", *NUMBERS, "cost of a matrix", "best f1"),
        one_sided_lines(),
    ),
    "chosen thresholds": lambda: (("area", "positives", "rows", *CHOSEN), chosen_lines()),
}


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=TABLES)
    asked = parser.parse_args()
    shown = texts([asked.only] if asked.only else list(TABLES))
    if not asked.write:
        print("\n\n".join(shown.values()))
        return
    whole = PAGE.read_text("utf-8")
    for name, text in shown.items():
        begin, end = (f"<!-- {name}: {mark} -->" for mark in ("begin", "end"))
        before, rest = whole.split(begin)
        whole = f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}"
    PAGE.write_text(whole, "utf-8")


if __name__ == "__main__":
    main()
