"""How often the interval of the largest difference among groups holds it, and how wide it is.

Binomial counts of groups, 20,000 times a scenario, in seconds:

    python benchmarks/fairness_coverage.py            # prints the table
    python benchmarks/fairness_coverage.py --write    # puts it into docs/fairness.md
    python benchmarks/fairness_coverage.py --random
    python benchmarks/fairness_coverage.py --fairlearn

The other methods, for the same counts:

- simultaneous: Wilson's intervals of all groups hold together (Šidák), projected to max - min;
- all pairs: Newcombe's intervals of all pairs hold together (Tukey), the largest of each end;
- observed pair: Newcombe's interval of the largest and the smallest rate, as if named before;
- bootstrap: percentiles of max - min over resampled rows, as other libraries offer it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from confmat.intervals.differences import newcombe
from confmat.intervals.levels import level_of
from confmat.intervals.quantiles import z_of_all_pairs
from confmat.intervals.ranges import range_interval, range_ratio
from confmat.intervals.wilson import wilson

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]

LEVEL, RUNS, SEED, CHUNK = 0.95, 20_000, 20_260, 1_000
GROUPS, SIZES = (2, 5, 20), ("30", "100", "1000", "mixed")
RATES = {0.05: 0.2, 0.2: 0.5, 0.5: 0.8}  # and that of the one group that differs
RESAMPLES, BOOTSTRAPPED = 200, 2_000  # resamples of each of so many runs
WIDE = 0.98  # coverage above which the width is to be compared
MARKS = ("<!-- coverage: begin -->", "<!-- coverage: end -->")


class Scenario(NamedTuple):
    """Groups, rows of each, the rate of all, and that of the first one."""

    groups: int
    rows: str
    rate: float
    first: float

    @property
    def n(self) -> Floats:
        """Rows of each group; "mixed" takes 30, 100 and 1,000 in turn."""
        sizes = [30, 100, 1000] if self.rows == "mixed" else [int(self.rows)]
        return np.resize(np.array(sizes, np.float64), self.groups)

    @property
    def rates(self) -> Floats:
        """The true rates."""
        return np.append(self.first, np.full(self.groups - 1, self.rate))

    def counts(self, runs: int, rng: np.random.Generator) -> Floats:
        """Draw the numerators of so many runs."""
        return rng.binomial(self.n.astype(int), self.rates, (runs, self.groups)).astype(float)


def simultaneous(k: Floats, n: Floats) -> Ends:
    """Project the intervals of all groups that hold together."""
    low, high = wilson(k, n, LEVEL ** (1 / len(n)))
    return np.maximum(low.max(-1) - high.min(-1), 0), high.max(-1) - low.min(-1)


def all_pairs(k: Floats, n: Floats) -> Ends:
    """Take the largest ends of the intervals of all pairs that hold together."""
    level = level_of(z_of_all_pairs(LEVEL, len(n)))
    one, other = (..., slice(None), None), (..., None, slice(None))
    low, high = newcombe(k[one], n[:, None], k[other], n[None], level)
    low[..., range(len(n)), range(len(n))] = high[..., range(len(n)), range(len(n))] = -1
    return np.maximum(low.max((-2, -1)), 0), high.max((-2, -1))


def observed_pair(k: Floats, n: Floats) -> Ends:
    """Take the interval of the two groups that were found to be furthest apart."""
    rates = k / n
    at = np.arange(len(k))
    most, least = rates.argmax(-1), rates.argmin(-1)
    low, high = newcombe(k[at, most], n[most], k[at, least], n[least], LEVEL)
    return np.maximum(low, 0), high


def bootstrap(k: Floats, n: Floats) -> Ends:
    """Take percentiles of max - min of resampled rows of each group."""
    rng = np.random.default_rng(SEED)
    drawn = rng.binomial(n.astype(int), (k / n)[:, None], (len(k), RESAMPLES, len(n))) / n
    low, high = np.quantile(drawn.max(-1) - drawn.min(-1), [0.025, 0.975], axis=-1)
    return low, high


OTHERS: dict[str, Callable[[Floats, Floats], Ends]] = {
    "simultaneous": simultaneous,
    "all pairs": all_pairs,
    "observed pair": observed_pair,
    "bootstrap": bootstrap,
}


class Measured(NamedTuple):
    """Share of runs whose interval holds the truth, and the mean width."""

    coverage: float
    width: float


def measured(ends: Ends, truth: float) -> Measured:
    """Compare intervals with the truth; runs without one are left out."""
    low, high = (end[~np.isnan(ends[0])] for end in ends)
    holds = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    return Measured(float(holds.mean()), float((high - low).mean()))


def run(scenario: Scenario, runs: int = RUNS) -> dict[str, Measured]:
    """Return what each method reaches in a scenario."""
    seed = [SEED, scenario.groups, SIZES.index(scenario.rows), int(100 * scenario.rate)]
    rng = np.random.default_rng([*seed, int(100 * scenario.first)])
    n, k = scenario.n, scenario.counts(runs, rng)
    truth = float(np.ptp(scenario.rates))

    def whole(method: Callable[[Floats, Floats], Ends], runs: int) -> Ends:
        parts = [method(k[at : at + CHUNK], n) for at in range(0, runs, CHUNK)]
        low, high = (np.concatenate(ends) for ends in zip(*parts, strict=True))
        return low, high

    def ours(k: Floats, n: Floats) -> Ends:
        return range_interval(k, n, LEVEL)[1:]

    def ratio(k: Floats, n: Floats) -> Ends:
        return range_ratio(k, n, LEVEL)[1:]

    found = {"confmat": measured(whole(ours, runs), truth)}
    least = float(scenario.rates.min() / scenario.rates.max())
    found["ratio"] = measured(whole(ratio, runs), least)
    for name, method in OTHERS.items():
        few = min(runs, BOOTSTRAPPED) if name == "bootstrap" else runs
        found[name] = measured(whole(method, few), truth)
    return found


def scenarios() -> Iterator[Scenario]:
    """Yield all scenarios, those where all groups are equal first."""
    for groups, rows, (rate, other) in product(GROUPS, SIZES, RATES.items()):
        yield Scenario(groups, rows, rate, rate)
        yield Scenario(groups, rows, rate, other)


def line(scenario: Scenario, found: dict[str, Measured]) -> str:
    """Return a row of the table."""
    ours = found["confmat"]
    held = {name: one for name, one in found.items() if name in OTHERS and one.coverage >= 0.94}
    best = min(held, key=lambda name: held[name].width, default="")
    beside = f"{held[best].width:.4f} ({best})" if best and ours.coverage > WIDE else ""
    rates = f"{scenario.rate:g}"
    rates += "" if scenario.first == scenario.rate else f", one {scenario.first:g}"
    shares = [f"{found[name].coverage:.1%}" for name in OTHERS]
    return (
        " | ".join(
            [
                f"| {scenario.groups}",
                scenario.rows,
                rates,
                f"**{ours.coverage:.1%}**",
                f"{ours.width:.4f}",
                beside,
                f"{found['ratio'].coverage:.1%}",
                *shares,
            ]
        )
        + " |"
    )


def at_random(many: int = 250, runs: int = 6_000) -> str:
    """Return the least coverage of scenarios with drawn sizes and rates."""
    rng = np.random.default_rng(SEED)
    least = {"differences": (1.0, ""), "ratios": (1.0, "")}
    for _ in range(many):
        groups = int(rng.choice([2, 3, 4, 5, 8, 12, 20]))
        n = rng.integers(8, rng.choice([20, 60, 300, 2000]), groups)
        base, other = rng.uniform(0.03, 0.97, 2)
        first = np.arange(groups) < rng.choice([0, 1, groups // 2])
        rates = rng.choice([0, 1]) * rng.uniform(0.03, 0.97, groups)
        rates = rates if rates.any() else np.where(first, other, base)
        k = rng.binomial(n, rates, (runs, groups))
        sizes = f"{groups} groups of {n.min()} to {n.max()} rows"
        told = f"{sizes}, rates {rates.min():.2f} to {rates.max():.2f}"
        found = {
            "differences": measured(range_interval(k, n, LEVEL)[1:], float(np.ptp(rates))),
            "ratios": measured(range_ratio(k, n, LEVEL)[1:], float(rates.min() / rates.max())),
        }
        for name, one in found.items():
            least[name] = min(least[name], (one.coverage, told))
    told = "; ".join(f"{name} {share:.1%} ({where})" for name, (share, where) in least.items())
    return f"Least coverage of {many} scenarios: {told}"


def fairlearn(trials: int = 60, groups: int = 3, rows: int = 100, rate: float = 0.3) -> str:
    """Return how often Fairlearn's interval of a true difference of 0 holds it, and ours."""
    import fairlearn
    from fairlearn.metrics import MetricFrame, selection_rate

    held = [0, 0]
    for trial in range(trials):
        rng = np.random.default_rng([SEED, trial])
        selected = rng.random(groups * rows) < rate
        frame = MetricFrame(
            metrics=selection_rate,
            y_true=np.zeros(groups * rows, int),
            y_pred=selected.astype(int),
            sensitive_features=np.repeat(range(groups), rows),
            n_boot=100,
            ci_quantiles=[0.025, 0.975],
            random_state=trial,
        )
        low, high = frame.difference_ci()
        held[0] += low <= 0 <= high
        _, least, most = range_interval(selected.reshape(groups, rows).sum(1), rows)
        held[1] += bool(least <= 0 <= most)
    return (
        f"Fairlearn {fairlearn.__version__}: {held[0]} of {trials} trials; confmat: {held[1]} "
        f"({groups} equal groups of {rows} rows, rate {rate:g}, 100 resamples)"
    )


HEAD = (
    "| groups | rows of each | rate | coverage | width | best other width | ratio, coverage | "
    + " | ".join(OTHERS)
    + " |\n|"
    + "---:|" * 11
)


def main() -> None:
    """Measure all scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/fairness.md")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--fairlearn", action="store_true", help="the bootstrap of Fairlearn")
    parser.add_argument("--random", action="store_true", help="scenarios that are drawn")
    asked = parser.parse_args()
    if asked.random:
        print(at_random())
        return
    if asked.fairlearn:
        print(fairlearn())
        return
    lines = [HEAD]
    for scenario in scenarios():
        lines.append(line(scenario, run(scenario, asked.runs)))
        print(lines[-1], flush=True)
    if asked.write:
        page = Path(__file__).parents[1] / "docs" / "fairness.md"
        before, _, rest = page.read_text("utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        table = "\n".join([MARKS[0], *lines, MARKS[1]])
        page.write_text(before + table + after, encoding="utf-8")


if __name__ == "__main__":
    main()
