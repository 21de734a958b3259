"""How often intervals of differences, and drawn ones, hold the truth; how often tests cry wolf.

    python benchmarks/difference_coverage.py            # prints the tables, in half an hour
    python benchmarks/difference_coverage.py --write    # puts them into docs/uncertainty.md
    python benchmarks/difference_coverage.py --runs 200 # rougher ones
    python benchmarks/difference_coverage.py --classes  # many classes alone, in ten minutes

Samples are the slices of one log, so that the doors are those that users call.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from interval_coverage import table

import confmat as cm

LEVEL, RUNS, SEED = 0.95, 2_000, 20_263
DRAWN_RUNS = 8  # of so many runs one is drawn: a drawn interval takes milliseconds,
MOST_DRAWN = 200  # and of two models and more rows longer
OF_DRAWS = ("average_precision", "brier_skill", "h_measure")
LARGE = 2_000_000  # rows that stand for all there are
RATES = ("accuracy", "recall", "precision", "f1", "mcc", "kappa", "balanced_accuracy")
SCORES = ("roc_auc", "brier", "log_loss")
DRAWN: dict[str, dict[str, Any]] = {
    "average_precision": {},
    "partial_auc": {"max_fpr": 0.2},
    "ks": {},
    "ece": {},
}
CLASS_SCORES = (
    *("roc_auc_macro", "roc_auc_weighted", "roc_auc_micro", "roc_auc_ovo"),
    *("average_precision_macro", "average_precision_weighted", "average_precision_micro"),
    *("log_loss", "brier", "d2_brier", "top_1_accuracy"),
)
PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"
OF_CLASSES = "<!-- differences of classes: begin -->", "<!-- differences of classes: end -->"
BEGIN, END = "<!-- differences: begin -->", "<!-- differences: end -->"


class Rows(NamedTuple):
    """How truths and the scores of two models come about, and how many rows a sample has."""

    name: str
    positives: float
    better: float  # by how much b tells the classes further apart than a
    sizes: tuple[int, ...]


SCENARIOS = (
    Rows("balanced, models alike", 0.5, 0.0, (50, 200, 1_000)),
    Rows("balanced, b is better", 0.5, 0.5, (50, 200, 1_000)),
    Rows("1 : 19, models alike", 0.05, 0.0, (200, 1_000)),
    Rows("1 : 19, b is better", 0.05, 0.5, (200, 1_000)),
)
METRICS = (*RATES, *SCORES)
ALARMS = (50, 200, 400, 1_000)  # rows of slices


class Classes(NamedTuple):
    """How rows of many classes come about, and how many rows a sample has."""

    name: str
    shares: tuple[float, ...]
    better: float
    sizes: tuple[int, ...]


_EVEN, _SKEWED, _TEN = (1 / 3,) * 3, (0.5, 0.25, 0.15, 0.07, 0.03), (0.1,) * 10
OF_MANY = tuple(
    Classes(f"{name}, {told}", shares, better, sizes)
    for name, shares, sizes in (
        ("3 alike", _EVEN, (60, 200, 1_000)),
        ("5, from 50 % to 3 %", _SKEWED, (200, 2_000)),
        ("10 alike", _TEN, (100, 800)),
    )
    for told, better in (("models alike", 0.0), ("b is better", 0.5))
)


def drawn(rows: Rows, samples: int, n: int, rng: np.random.Generator) -> pl.DataFrame:
    """Return samples of rows, whose two scores share most of what they are wrong about."""
    total = samples * n
    y = rng.random(total) < rows.positives
    common = rng.normal(0, 0.8, total)
    log = pl.DataFrame({"sample": np.repeat(np.arange(samples), n), "y": y})
    for model, shift in (("a", 1.2), ("b", 1.2 + rows.better)):
        apart = common + rng.normal(0, 0.6, total) + shift * (y - 0.5)
        odds = apart * shift + np.log(rows.positives / (1 - rows.positives))  # calibrated
        log = log.with_columns(
            pl.Series(f"s{model}", 1 / (1 + np.exp(-odds))),
            pl.Series(model, apart > 0.3 * (rows.positives < 0.5)),
        )
    return log


def true_differences(rows: Rows, metrics: tuple[str, ...]) -> dict[str, float]:
    """Return the differences of all rows that there could be."""
    if rows.better == 0:
        return dict.fromkeys(metrics, 0.0)
    many = drawn(rows, 1, LARGE, np.random.default_rng(SEED))
    one, other = ({"y": many["y"], "p": many[of], "s": many[f"s{of}"]} for of in "ab")
    values = [
        cm.evaluate(pl.DataFrame(of), "y", "p", "s", bins=None).overall(metrics)["value"]
        for of in (one, other)
    ]
    return dict(zip(metrics, values[1] - values[0], strict=True))


def compared(log: pl.DataFrame, metrics: Sequence[str], **options: Any) -> Any:
    """Return both models beside each other."""
    models = {"y_pred": ["a", "b"], "y_score": ["sa", "sb"]}
    return cm.compare(log, "y", **models, metrics=list(metrics), **options)


def share(held: pl.Series) -> str:
    """Return a share in percent; nothing where there is no interval."""
    return "" if held.is_empty() else f"{100 * held.to_numpy().mean():.1f}"


def held(found: pl.DataFrame, truth: float) -> str:
    """Return how many of the intervals that there are hold the truth."""
    known = found.drop_nulls("low")
    return share((known["low"] <= truth) & (known["high"] >= truth))


def difference_lines(
    runs: int, metrics: tuple[str, ...], most: int = 10**6
) -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows of each scenario: the coverage of each difference."""
    rng = np.random.default_rng(SEED)
    for rows in SCENARIOS:
        truth = true_differences(rows, metrics)
        for n in [n for n in rows.sizes if n <= most]:
            c = compared(drawn(rows, runs, n, rng), metrics, by="sample")
            cells = (held(c.slices(name, adjust=None), truth[name]) for name in metrics)
            yield (rows.name, f"{n:,}", *cells)


def score_lines(runs: int) -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows: the coverage of drawn intervals of one model's scores."""
    rng = np.random.default_rng(SEED)
    for rows in SCENARIOS[1::2]:
        many = drawn(rows, 1, LARGE, rng)
        whole = cm.sweep(many["y"], many["sb"])
        truth = {name: whole.value(name, **options) for name, options in DRAWN.items()}
        for n in rows.sizes:
            found: dict[str, list[bool]] = {name: [] for name in DRAWN}
            for (_,), log in drawn(rows, runs, n, rng).group_by("sample"):
                one = cm.sweep(log["y"], log["sb"])
                for name, options in DRAWN.items():
                    low, high = one.ci(name, LEVEL, **options)[1:3]
                    if low == low:
                        found[name].append(low <= truth[name] <= high)
            cells = (share(pl.Series(found[name], dtype=pl.Boolean)) for name in DRAWN)
            yield (rows.name.split(",")[0], f"{n:,}", *cells)


def matrix_lines(runs: int) -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows: the coverage of the bootstrap of cells."""
    rng = np.random.default_rng(SEED)
    for rows in SCENARIOS[1::2]:
        many = drawn(rows, 1, LARGE, rng)
        whole = cm.confusion_matrix(many["y"], many["b"])
        for n in rows.sizes:
            found: dict[str, list[bool]] = {name: [] for name in RATES}
            for (_,), log in drawn(rows, runs, n, rng).group_by("sample"):
                one = cm.confusion_matrix(log["y"], log["b"], labels=[False, True])
                for name in RATES:
                    low, high = one.ci(name, LEVEL, method="bootstrap")[1:3]
                    if low == low:
                        found[name].append(low <= whole.value(name) <= high)
            cells = (share(pl.Series(found[name], dtype=pl.Boolean)) for name in RATES)
            yield (rows.name.split(",")[0], f"{n:,}", *cells)


def alarm_lines(runs: int) -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows: how many slices like all others get a p value below 0.05."""
    rng = np.random.default_rng(SEED)
    for rows in SCENARIOS[::2]:
        for n in [n for n in ALARMS if n >= rows.sizes[0]]:
            log = drawn(rows, runs, n, rng)
            e = cm.evaluate(log, "y", "a", "sa", by="sample", metrics=[*METRICS])
            cells = []
            for name in METRICS:
                p = e.test_slices(name, adjust=None)["p_value"].drop_nulls()
                cells.append(share(p < 1 - LEVEL))
            yield (rows.name.split(",")[0], f"{n:,}", *cells)


def drawn_classes(
    of: Classes, samples: int, n: int, rng: np.random.Generator
) -> tuple[pl.DataFrame, dict[str, list[str]]]:
    """Return samples of rows of many classes, with probabilities of two models, and the columns."""
    k, total = len(of.shares), samples * n
    y = rng.choice(k, total, p=of.shares)
    common = rng.normal(0, 0.8, (total, k))
    log = pl.DataFrame({"sample": np.repeat(np.arange(samples), n), "y": y})
    columns = {}
    for model, shift in (("a", 1.2), ("b", 1.2 + of.better)):
        odds = common + rng.normal(0, 0.6, (total, k))
        odds[np.arange(total), y] += shift
        p = np.exp(1.2 * odds) * of.shares
        p /= p.sum(axis=1, keepdims=True)
        columns[model] = [f"{model}{at}" for at in range(k)]
        log = log.with_columns(pl.Series(name, p[:, i]) for i, name in enumerate(columns[model]))
    return log, columns


def class_lines(runs: int) -> Iterator[tuple[str, ...]]:
    """Yield a line a number of rows of each scenario: the coverage of differences of many classes.

    Of two models that are alike all differences are 0.
    """
    rng = np.random.default_rng(SEED)
    for of in OF_MANY:
        log, columns = drawn_classes(of, 1, LARGE // 10, rng)
        asked: dict[str, Any] = {"labels": range(len(of.shares)), "metrics": list(CLASS_SCORES)}
        truth = dict.fromkeys(CLASS_SCORES, 0.0)
        if of.better:
            many = cm.compare(log, "y", y_score=columns, **asked).table()
            truth = dict(many.select("metric", "difference").iter_rows())
        for n in of.sizes:
            count = max(runs * min(of.sizes) // n, runs // 4)
            log, columns = drawn_classes(of, count, n, rng)
            c = cm.compare(log, "y", y_score=columns, by="sample", **asked)
            of_metrics = c.table().partition_by("metric", as_dict=True)
            cells = []
            for name in CLASS_SCORES:
                found = of_metrics[(name,)]
                few = found["low"].count() < count / 2  # too few to say
                cells.append("" if few else held(found, truth[name]))
            yield (of.name, f"{n:,}", f"{count:,}", *cells)


def class_part(runs: int) -> str:
    """Return the table of many classes."""
    heads = ("classes", "rows", "samples", *CLASS_SCORES)
    return table(heads, class_lines(runs))


def parts(runs: int) -> Iterator[str]:
    """Yield the tables, and what they are of."""
    few = runs // DRAWN_RUNS
    yield "Differences of two models on the same rows, `cm.compare`:"
    yield table(("rows", "of a sample", *METRICS), difference_lines(runs, METRICS))
    yield "One model's scores, drawn again, `s.ci(name)`:"
    yield table(("rows", "of a sample", *DRAWN), score_lines(few))
    yield 'One matrix, its cells drawn again, `m.ci(name, method="bootstrap")`:'
    yield table(("rows", "of a sample", *RATES), matrix_lines(few))
    yield "Slices like all others whose p-value of `e.test_slices` is below 0.05, in percent:"
    yield table(("rows", "of a slice", *METRICS), alarm_lines(runs))
    yield "Differences that are drawn again:"
    lines = difference_lines(few, OF_DRAWS, MOST_DRAWN)
    yield table(("rows", "of a sample", *OF_DRAWS), lines)


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--classes", action="store_true")
    asked = parser.parse_args()
    made = [(OF_CLASSES, iter([class_part(asked.runs)]))]
    if not asked.classes:
        made.append(((BEGIN, END), parts(asked.runs)))
    for (begin, end), found in made:
        if not asked.write:
            for part in found:
                print(part + "\n", flush=True)
            continue
        shown = "\n\n".join(found)
        before, rest = PAGE.read_text("utf-8").split(begin)
        PAGE.write_text(f"{before}{begin}\n{shown}\n{end}{rest.split(end)[1]}", "utf-8")


if __name__ == "__main__":
    main()
