"""How often 95 % intervals of metrics of numbers hold the truth, by simulation.

python benchmarks/regression_coverage.py            # prints the tables, in some minutes
python benchmarks/regression_coverage.py --write    # puts them into docs/regression.md
python benchmarks/regression_coverage.py --runs 500 # rougher ones
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import confmat as cm
from confmat import InputError

Floats = NDArray[np.float64]
Rows = tuple[Floats, Floats]

LEVEL, RUNS, SEED = 0.95, 1_000, 20_262
SIZES = (20, 100, 1_000)
LARGE = 4_000_000  # rows that stand for all there are
METHODS = ("delta", "normal")
METRICS = (
    "mean_error", "mae", "rmse", "mape", "error_quantile", "r2", "explained_variance",
    "pearson_r", "ccc", "slope", "intercept",
)  # fmt: skip
PAGE = Path(__file__).parent.parent / "docs" / "regression.md"
MARKS = "coverage"
MARKS_OF_MEANS = "means over outputs"
OUTPUTS = 4
MEANS = (("mae", "uniform"), ("rmse", "uniform"), ("r2", "uniform"), ("r2", "variance"))


class Scenario(NamedTuple):
    """How truths and predictions come about."""

    name: str
    draw: Callable[[Generator, int], Rows]


def normal(rng: Generator, n: int) -> Rows:
    """Truths and errors of normal distributions, with a bias."""
    y = rng.normal(50, 10, n)
    return y, y + rng.normal(1, 4, n)


def skewed(rng: Generator, n: int) -> Rows:
    """Amounts, whose errors grow with them."""
    y = rng.gamma(2, 10, n) + 5
    return y, y * rng.lognormal(0, 0.2, n)


def long_tails(rng: Generator, n: int) -> Rows:
    """Errors of a t distribution of 5 degrees."""
    y = rng.normal(50, 10, n)
    return y, 10 + 0.8 * y + 2 * rng.standard_t(5, n)


SCENARIOS = (
    Scenario("normal truths and errors", normal),
    Scenario("amounts, errors grow with them", skewed),
    Scenario("errors with long tails", long_tails),
)


def coverage(scenario: Scenario, n: int, runs: int, truth: Floats) -> Floats:
    """Return how often each interval holds the truth, by method and metric; nan: there is none."""
    rng = np.random.default_rng([SEED, n])
    held = np.zeros((len(METHODS), len(METRICS)))
    for _ in range(runs):
        r = cm.regression(*scenario.draw(rng, n), metrics=["mape", "error_quantile", "intervals"])
        for place in np.ndindex(held.shape):
            method, name = METHODS[place[0]], METRICS[place[1]]
            try:
                low, high = r.ci(name, LEVEL, method=method)[1:3]
            except InputError:
                held[place] = np.nan  # it has no such method
            else:
                held[place] += low <= truth[place[1]] <= high if low == low else np.nan
    return held / runs


def text(runs: int) -> str:
    """Return the table, in Markdown."""
    lines = ["| rows | method | " + " | ".join(f"`{name}`" for name in METRICS) + " |"]
    lines.append("|" + "---|" * (len(METRICS) + 2))
    for scenario in SCENARIOS:
        y, p = scenario.draw(np.random.default_rng(SEED), LARGE)
        r = cm.regression(y, p, metrics=["mape", "error_quantile"])
        truth = np.array([r.value(name) for name in METRICS])
        lines.append(f"| **{scenario.name}** |" + " |" * (len(METRICS) + 1))
        for n in SIZES:
            for method, found in zip(METHODS, coverage(scenario, n, runs, truth), strict=True):
                cells = ["" if np.isnan(x) else f"{100 * x:.1f}" for x in found]
                lines.append(f"| {n:,} | {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def outputs(rng: Generator, n: int, shared: float) -> Rows:
    """Numbers of unlike spread, whose truths and errors share so much of their variance."""
    own, common = rng.normal(size=(2, n, OUTPUTS)), rng.normal(size=(2, n, 1))
    truth, error = np.sqrt(1 - shared) * own + np.sqrt(shared) * common
    y = truth * np.arange(1, OUTPUTS + 1)
    return y, y + 0.5 * error


def text_of_means(runs: int) -> str:
    """Return the table of means over outputs, in Markdown."""
    heads = [f"`{name}`" + (", variance" if of == "variance" else "") for name, of in MEANS]
    lines = ["| errors in common | rows | " + " | ".join(heads) + " |", "|---" * 6 + "|"]
    for shared in (0.0, 0.5, 1.0):
        rng = np.random.default_rng(SEED)
        r = cm.regression(*outputs(rng, LARGE // OUTPUTS, shared))
        truth = [r.value(name, average=of) for name, of in MEANS]
        for n in SIZES:
            held = np.zeros(len(MEANS))
            for _ in range(runs):
                r = cm.regression(*outputs(rng, n, shared), metrics=["intervals"])
                ends = [r.ci(name, LEVEL, average=of)[1:3] for name, of in MEANS]
                held += [low <= one <= high for one, (low, high) in zip(truth, ends, strict=True)]
            cells = " | ".join(f"{100 * x / runs:.1f}" for x in held)
            lines.append(f"| {shared:g} | {n:,} | {cells} |")
    return "\n".join(lines)


def write(marks: str, table: str) -> None:
    """Put a table between its marks."""
    begin, end = f"<!-- {marks}: begin -->", f"<!-- {marks}: end -->"
    before, rest = PAGE.read_text("utf-8").split(begin)
    PAGE.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}", "utf-8")


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS)
    asked = parser.parse_args()
    for marks, of in ((MARKS_OF_MEANS, text_of_means), (MARKS, text)):
        if asked.write:
            write(marks, of(asked.runs))
        else:
            print(of(asked.runs) + "\n", flush=True)


if __name__ == "__main__":
    main()
