"""How often 95 % intervals hold the truth: of rates exactly, of other metrics by simulation.

    python benchmarks/interval_coverage.py            # prints the tables, in two minutes
    python benchmarks/interval_coverage.py --write    # puts them into docs/uncertainty.md; draws

A rate is computed over all counts that a binomial sample can have, for 481 true rates from 0.02 to
0.98. Metrics of matrices and the area under the ROC curve are simulated, 20,000 samples a line,
average precision 2,000, and rows that come in clusters 600.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import altair as alt
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import integrate, stats

import confmat as cm
from confmat import _core
from confmat.intervals.binomial import METHODS, rate_interval
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.scales import reach
from confmat.intervals.wilson import wilson
from confmat.options import Options

Floats = NDArray[np.float64]

LEVEL, RUNS, SEED = 0.95, 20_000, 20_261
SIZES = (10, 30, 100, 1_000)
RATES = np.linspace(0.02, 0.98, 481)
METRICS = ("mcc", "kappa", "f1", "gmcc", "f1_macro", "balanced_accuracy", "eve")
FOLDER = Path(__file__).parent.parent / "docs"
PRECISION_ROWS, PRECISION_RUNS = ((400, 0.5), (2_000, 0.5), (4_000, 0.05), (20_000, 0.05)), 2_000
USERS, USER_RUNS = (10, 20, 40, 100), 600


class Classes(NamedTuple):
    """True classes by predicted ones, as shares of all rows."""

    name: str
    shares: Floats
    sizes: tuple[int, ...]


def two(positives: float, recall: float, specificity: float) -> Floats:
    """Return the shares of the cells of two classes, the positive one second."""
    rows = np.array([1 - positives, positives])[:, None]
    right = np.array([specificity, recall])[:, None]
    return rows * np.where(np.eye(2, dtype=bool), right, 1 - right)


def three(right: float) -> Floats:
    """Return those of three classes of one size, which are mistaken for each other evenly."""
    return np.where(np.eye(3, dtype=bool), right, (1 - right) / 2) / 3


def five(right: float) -> Floats:
    """Return those of five classes of unlike sizes."""
    sizes = np.array([0.6, 0.2, 0.1, 0.07, 0.03])[:, None]
    return sizes * np.where(np.eye(5, dtype=bool), right, (1 - right) / 4)


SCENARIOS = (
    Classes("balanced, recall 0.9, specificity 0.8", two(0.5, 0.9, 0.8), (50, 200, 1_000)),
    Classes("balanced, recall and specificity 0.98", two(0.5, 0.98, 0.98), (50, 200, 1_000)),
    Classes("1 : 50, recall 0.8, specificity 0.95", two(1 / 51, 0.8, 0.95), (500, 5_000, 20_000)),
    Classes("1 : 19, recall 0.6, specificity 0.99", two(1 / 20, 0.6, 0.99), (50, 200)),
    Classes("three classes, each right in 0.8", three(0.8), (60, 200, 1_000)),
    Classes("five classes of 60 to 3 %, each right in 0.85", five(0.85), (100, 500, 2_000)),
)


def of_rates(method: str, n: int) -> Floats:
    """Return the coverage at each true rate."""
    k = np.arange(n + 1)
    low, high = rate_interval(k, n, method, LEVEL)
    held = (low[:, None] <= RATES) & (high[:, None] >= RATES)
    return (stats.binom.pmf(k[:, None], n, RATES) * held).sum(0)


def rate_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a method: mean and least coverage for each number of rows."""
    for method in METHODS:
        found = [of_rates(method, n) for n in SIZES]
        yield (method, *(f"{100 * c.mean():.1f} ({100 * c.min():.1f})" for c in found))


def matrix_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows of each scenario: the coverage of each metric."""
    rng = np.random.default_rng(SEED)
    asks = _core.Asks(METRICS)
    for name, shares, sizes in SCENARIOS:
        k = len(shares)
        labels = [str(at) for at in range(k)]
        truth = asks.values(shares, labels, Options(k - 1))
        for n in sizes:
            cells = rng.multinomial(n, shares.ravel(), RUNS).reshape(RUNS, k, k)
            found, _ = _core.intervals(asks, cells, labels, Options(k - 1), *reach(LEVEL))
            known = ~np.isnan(found[..., 0])
            held = known & (found[..., 1] <= truth) & (truth <= found[..., 2])
            yield (name, f"{n:,}", *(f"{100 * x:.1f}" for x in held.sum(0) / known.sum(0)))


def area_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line an area: its coverage with 50 positives and so many negatives."""
    rng = np.random.default_rng(SEED)
    for area in (0.7, 0.9, 0.97):
        shift = np.sqrt(2) * stats.norm.ppf(area)
        cells = []
        for negatives in (50, 500):
            y = np.repeat([1, 0], [50, negatives])
            held = 0
            for _ in range(RUNS):
                s = cm.sweep(y, rng.normal(size=len(y)) + shift * y).ci("roc_auc", LEVEL)
                held += s.low <= area <= s.high
            cells.append(f"{100 * held / RUNS:.1f}")
        yield (f"{area}", *cells)


def precision_of(shift: float, share: float) -> float:
    """Return the average precision of normal scores, of any number of rows."""

    def added(at: float) -> float:
        positives, negatives = share * stats.norm.sf(at - shift), (1 - share) * stats.norm.sf(at)
        return float(positives / (positives + negatives) * stats.norm.pdf(at - shift))

    return float(integrate.quad(added, -12, 12, limit=200)[0])


def precision_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line an area: the coverage of the average precision of so many rows."""
    rng = np.random.default_rng(SEED)
    for area in (0.7, 0.9, 0.97):
        shift = np.sqrt(2) * stats.norm.ppf(area)
        cells = []
        for n, share in PRECISION_ROWS:
            truth = precision_of(shift, share)
            held = 0
            for _ in range(PRECISION_RUNS):
                y = rng.random(n) < share
                s = cm.sweep(y, rng.normal(size=n) + shift * y)
                one = s.ci("average_precision", LEVEL, method="delta")
                held += one.low <= truth <= one.high
            cells.append(f"{100 * held / PRECISION_RUNS:.1f}")
        yield (f"{area}", *cells)


def of_users(users: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return 2 to 14 rows of each user, who is predicted right at a rate of his own."""
    sizes = rng.integers(2, 15, users)
    user = np.repeat(np.arange(users), sizes)
    y = rng.random(len(user)) < 0.5
    is_right = rng.random(len(user)) < rng.beta(6, 2, users)[user]
    ease = rng.normal(0.0, 1.0, users)[user]  # how far the scores of a user's classes are apart
    score = rng.normal(size=len(user)) + np.where(y, 1, -1) * (1 + ease) / 2
    return pl.DataFrame({"user": user, "y": y, "p": y == is_right, "s": score})


def user_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a number of users: the coverage of intervals with `cluster=`, and without."""
    rng = np.random.default_rng(SEED)
    many = of_users(200_000, rng)
    m = cm.confusion_matrix(many["y"], many["p"])
    truth = {"accuracy": 0.75, "mcc": m.mcc, "roc_auc": cm.sweep(many["y"], many["s"]).roc_auc}
    for users in USERS:
        held, alone = dict.fromkeys(truth, 0), 0
        for _ in range(USER_RUNS):
            rows = of_users(users, rng)
            e = cm.evaluate(rows, "y", "p", "s", cluster="user", ci=LEVEL, metrics=list(truth))
            for metric, low, high in e.overall().select("metric", "low", "high").rows():
                held[metric] += low is not None and low <= truth[metric] <= high
            one = e.matrix().ci("accuracy", LEVEL)
            alone += one.low <= truth["accuracy"] <= one.high
        counts = (*held.values(), alone)
        yield (f"{users}", *(f"{100 * count / USER_RUNS:.1f}" for count in counts))


def of_more(users: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return the same of scores of three classes, of sets of three labels, and of numbers."""
    user = np.repeat(np.arange(users), rng.integers(2, 15, users))
    n = len(user)
    y = rng.integers(0, 3, n)
    ease = rng.normal(1.0, 1.0, users)[user]
    scores = np.exp(rng.normal(size=(n, 3)) + ease[:, None] * np.eye(3)[y])
    scores /= scores.sum(1, keepdims=True)
    truth = rng.random((n, 3)) < np.array([0.5, 0.4, 0.3])
    right = rng.random((n, 3)) < rng.beta(6, 2, users)[user][:, None]
    number = rng.normal(size=n)
    guess = number + rng.normal(0, 0.6, users)[user] + rng.normal(0, 0.6, n)
    columns: dict[str, Floats] = {"user": user, "y": y, "number": number, "guess": guess}
    for at in range(3):
        columns |= {f"s{at}": scores[:, at], f"t{at}": truth[:, at]}
        columns[f"p{at}"] = np.where(right[:, at], truth[:, at], ~truth[:, at])
    return pl.DataFrame(columns)


QUESTIONS = (
    {"y_true": "y", "y_score": ["s0", "s1", "s2"], "labels": [0, 1, 2]}
    | {"metrics": ["roc_auc_macro", "average_precision_macro", "log_loss"]},
    {"y_true": ["t0", "t1", "t2"], "y_pred": ["p0", "p1", "p2"]}
    | {"metrics": ["f1_macro", "f1_samples", "exact_match"]},
    {"y_true": "number", "y_pred": "guess", "task": "regression"} | {"metrics": ["mae", "r2"]},
)
OF_MORE = [name for question in QUESTIONS for name in question["metrics"]]


def more_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a number of users: the coverage of intervals of other states."""
    rng = np.random.default_rng(SEED)
    many = of_more(50_000, rng)
    truth: dict[str, float] = {}
    for question in QUESTIONS:
        truth |= dict(cm.evaluate(many, **question).overall().select("metric", "value").rows())
    for users in USERS:
        held = dict.fromkeys(OF_MORE, 0)
        for _ in range(USER_RUNS):
            rows = of_more(users, rng)
            for question in QUESTIONS:
                e = cm.evaluate(rows, **question, cluster="user", ci=LEVEL)
                for metric, low, high in e.overall().select("metric", "low", "high").rows():
                    held[metric] += low is not None and low <= truth[metric] <= high
        yield (f"{users}", *(f"{100 * count / USER_RUNS:.1f}" for count in held.values()))


WEIGHTS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "from 0.2 to 1.8": lambda rng, shape: rng.uniform(0.2, 1.8, shape),
    "1 or 5": lambda rng, shape: rng.choice([1.0, 5.0], shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
}
# How heavy a row that is wrong is beside one that is right.
HEAVIER = (1.0, 2.0, 0.5)


def weight_lines() -> Iterator[tuple[str, ...]]:
    """Yield a line a kind of weights and number of rows: the coverage of weighted rates."""
    rng = np.random.default_rng(SEED)
    for name, draw_weights in WEIGHTS.items():
        for n in (30, 60, 200, 1_000):
            cells = []
            for rate in (0.85, 0.95):
                for heavier in HEAVIER:
                    right = rng.random((RUNS, n)) < rate
                    w = draw_weights(rng, (RUNS, n)) * np.where(right, 1.0, heavier)
                    part, whole = (w * right).sum(1), w.sum(1)
                    squares = (w * w * right).sum(1), (w * w).sum(1)
                    low, high = wilson(*effective_rows(part, whole, squares), LEVEL)
                    truth = rate / (rate + heavier * (1 - rate))
                    cells.append(f"{100 * np.mean((low <= truth) & (truth <= high)):.1f}")
            yield (name, f"{n:,}", *cells)


def table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def text() -> str:
    """Return the tables of independent rows."""
    return "\n\n".join(
        [
            "Rates: mean over true rates from 0.02 to 0.98, and the least in brackets, in percent:",
            table(("method", *(f"{n:,} rows" for n in SIZES)), rate_lines()),
            "Metrics of matrices, `m.ci(name)`, in percent of the samples where it is defined:",
            table(("true classes", "rows", *METRICS), matrix_lines()),
            'The area under the ROC curve, `s.ci("roc_auc")`, 50 positives, normal scores:',
            table(("area", "50 negatives", "500 negatives"), area_lines()),
            'Average precision, `s.ci("average_precision", method="delta")`, normal scores:',
            table(
                ("area", *(f"{n:,} rows, {share:.0%} positive" for n, share in PRECISION_ROWS)),
                precision_lines(),
            ),
        ]
    )


OF_USERS = ("users", "accuracy", "mcc", "roc_auc", "accuracy, as if rows were independent")
OF_WEIGHTS = [
    f"{rate}, {how}" for rate in (0.85, 0.95) for how in ("alike", "wrong 2", "wrong 0.5")
]
TEXTS: dict[str, Callable[[], str]] = {
    "clusters": lambda: table(OF_USERS, user_lines()),
    "more clusters": lambda: table(("users", *OF_MORE), more_lines()),
    "weighted rates": lambda: table(("weights", "rows", *OF_WEIGHTS), weight_lines()),
    "coverage": text,
}


def draw() -> None:
    """Draw the coverage of rates of 30 rows along the true rate."""
    frame = pl.concat(
        pl.DataFrame({"method": method, "true rate": RATES, "coverage": of_rates(method, 30)})
        for method in METHODS
    )
    line = (
        alt.Chart(frame)
        .mark_line(strokeWidth=1.2)
        .encode(
            alt.X("true rate:Q").scale(domain=(0, 1)),
            alt.Y("coverage:Q").scale(domain=(0.82, 1), clamp=True).axis(format="%"),
        )
    )
    wanted = alt.Chart(frame).mark_rule(strokeDash=[4, 3], color="#888").encode(y=alt.datum(LEVEL))
    chart = (line + wanted).properties(width=300, height=130)
    chart = chart.facet(
        alt.Facet("method:N", title=None, sort=list(METHODS)), columns=2
    ).properties(title="How often a 95 % interval of a rate of 30 rows holds the true rate")
    chart.save(FOLDER / "coverage.png", ppi=100)


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=TEXTS, action="append", help="one table")
    asked = parser.parse_args()
    texts = {name: TEXTS[name]() for name in asked.only or TEXTS}
    if not asked.write:
        print("\n\n".join(texts.values()))
        return
    page = FOLDER / "uncertainty.md"
    whole = page.read_text("utf-8")
    for name, shown in texts.items():
        begin, end = (f"<!-- {name}: {mark} -->" for mark in ("begin", "end"))
        before, rest = whole.split(begin)
        whole = f"{before}{begin}\n{shown}\n{end}{rest.split(end)[1]}"
    page.write_text(whole, "utf-8")
    if "coverage" in texts:
        draw()


if __name__ == "__main__":
    main()
