"""How much faster `confmat.sklearn` is than the functions of scikit-learn that it stands for.

    python benchmarks/sklearn_dropin.py                 # prints the table, in an hour
    python benchmarks/sklearn_dropin.py --write         # into docs/scikit-learn.md; draws
    python benchmarks/sklearn_dropin.py --sizes 10 1000 --only f1_score log_loss
    python benchmarks/sklearn_dropin.py --keep FILE     # goes on where a run ended

Each function with integers and with texts as labels, from 10 to 10^7 rows, one after the other in
one process: both are called once, the results are compared, then they are timed by turns. A ratio
is their median time over ours; where scikit-learn takes more than 30 seconds, both are called once.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import polars as pl

import confmat.sklearn  # noqa: F401  (its functions are in REPLACED)
from confmat.sklearn.drop_in import REPLACED

PAGE = Path(__file__).parent.parent / "docs" / "scikit-learn.md"
MARKS = ("<!-- speed: begin -->", "<!-- speed: end -->")
SIZES = tuple(10**power for power in range(1, 8))
WORDS = {"integers": np.arange(4), "texts": np.array(["bird", "cat", "dog", "horse"])}
SECONDS, MOST_ROUNDS, SEED = 0.5, 50, 20_260
MOST_ROWS = {"metric_at_thresholds": 1_000}  # it makes a table for every score
ONCE = 30.0  # seconds from which on a first call is enough


class Rows(NamedTuple):
    """Columns of one size."""

    y: Any  # four classes
    p: Any
    two: Any  # two classes
    said: Any
    positive: Any  # one of the two
    score: Any  # of the positive one
    shares: Any  # (n, 4) probabilities
    sets: Any  # (n, 4) indicators
    ascending: Any  # the scores
    numbers: Any  # positive
    guesses: Any


Call = Callable[[Callable[..., Any], Rows], Any]


def _classes(**options: Any) -> Call:
    return lambda f, d: f(d.y, d.p, **options)


def _scores(named: bool = False, **options: Any) -> Call:
    return lambda f, d: f(d.two, d.score, **({"pos_label": d.positive} if named else {}), **options)


def _numbers(f: Callable[..., Any], d: Rows) -> Any:
    return f(d.numbers, d.guesses)


CASES: dict[str, Call] = {
    "accuracy_score": _classes(),
    "balanced_accuracy_score": _classes(),
    "classification_report": _classes(),
    "class_likelihood_ratios": lambda f, d: f(d.two, d.said),
    "cohen_kappa_score": _classes(),
    "confusion_matrix": _classes(),
    "f1_score": _classes(average="macro"),
    "fbeta_score": _classes(average="weighted", beta=2.0),
    "hamming_loss": _classes(),
    "jaccard_score": _classes(average="micro"),
    "matthews_corrcoef": _classes(),
    "multilabel_confusion_matrix": _classes(),
    "precision_recall_fscore_support": _classes(),
    "precision_score": lambda f, d: f(d.two, d.said, pos_label=d.positive),
    "recall_score": _classes(average=None),
    "zero_one_loss": _classes(),
    "brier_score_loss": _scores(named=True),
    "d2_brier_score": _scores(named=True),
    "log_loss": lambda f, d: f(d.y, d.shares),
    "d2_log_loss_score": lambda f, d: f(d.y, d.shares),
    "hinge_loss": _scores(),
    "auc": lambda f, d: f(d.ascending, d.score),
    "average_precision_score": _scores(named=True),
    "calibration_curve": _scores(named=True, n_bins=10),
    "confusion_matrix_at_thresholds": _scores(named=True),
    "det_curve": _scores(named=True),
    "precision_recall_curve": _scores(named=True),
    "roc_auc_score": _scores(),
    "roc_curve": _scores(named=True),
    "top_k_accuracy_score": lambda f, d: f(d.y, d.shares, k=2),
    "metric_at_thresholds": lambda f, d: f(d.two, d.score, _positives),
    "coverage_error": lambda f, d: f(d.sets, d.shares),
    "label_ranking_average_precision_score": lambda f, d: f(d.sets, d.shares),
    "label_ranking_loss": lambda f, d: f(d.sets, d.shares),
    "mean_pinball_loss": _numbers,
    "d2_pinball_score": _numbers,
    "mean_tweedie_deviance": _numbers,
    "d2_tweedie_score": _numbers,
}


WITHOUT_LABELS = {
    "auc",
    "coverage_error",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
} | {f.__name__ for f in REPLACED if f.__name__ not in CASES or CASES[f.__name__] is _numbers}


def _positives(_: Any, pred: Any) -> float:
    return float(np.asarray(pred).sum())


def rows(n: int, words: Any) -> Rows:
    """Return columns of so many rows, of which each class and label has some."""
    rng = np.random.default_rng(SEED)
    y = np.arange(n) % 4
    p = np.where(rng.random(n) < 0.8, y, rng.integers(0, 4, n))
    score = np.clip(rng.normal(0.35 + 0.3 * (y > 1), 0.2), 0.001, 0.999)
    shares = rng.dirichlet(np.ones(4), n)
    sets = (rng.random((n, 4)) < 0.4).astype(np.int64)
    sets[:4] = np.eye(4)
    numbers = rng.gamma(2.0, size=n) + 0.01
    return Rows(
        words[y],
        words[p],
        words[(y > 1).astype(int)],
        words[(p > 1).astype(int)],
        words[1].item(),
        score,
        shares,
        sets,
        np.sort(score),
        numbers,
        numbers * rng.uniform(0.5, 1.5, n),
    )


def ratio(theirs: Callable[[], Any], ours: Callable[[], Any]) -> tuple[float, float]:
    """Return our seconds, and how many times as long theirs take."""
    once = []
    results = []
    for run in (theirs, ours):
        start = time.perf_counter()
        results.append(run())
        once.append(time.perf_counter() - start)
    _check(*results)
    del results
    if once[0] > ONCE:
        return once[1], once[0] / once[1]
    rounds = max(1, min(MOST_ROUNDS, int(SECONDS / max(once[0], 1e-9))))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for run, found in zip((theirs, ours), times, strict=True):
            start = time.perf_counter()
            run()
            found.append(time.perf_counter() - start)
    their_s, our_s = map(statistics.median, times)
    return our_s, their_s / our_s


def _check(expected: Any, found: Any) -> None:
    if isinstance(expected, str) or expected is None:
        assert expected == found
    elif isinstance(expected, (tuple, list)):
        for one, other in zip(expected, found, strict=True):
            _check(one, other)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-10)


def measured(sizes: Sequence[int], only: Sequence[str], keep: Path | None) -> pl.DataFrame:
    """Return the ratio of each function, of each kind of labels, at each size."""
    found = [] if keep is None or not keep.exists() else pl.read_csv(keep).rows()
    known = {row[:3] for row in found}
    for n in sizes:
        for kind, words in WORDS.items():
            data = rows(n, words)
            for theirs, ours in REPLACED.items():
                name = theirs.__name__
                if (only and name not in only) or n > MOST_ROWS.get(name, n):
                    continue
                if (name, kind, n) in known:
                    continue
                call = CASES.get(name, _numbers)
                if name in WITHOUT_LABELS and kind != "integers":
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    seconds, times = ratio(
                        lambda call=call, f=theirs, data=data: call(f, data),
                        lambda call=call, f=ours, data=data: call(f, data),
                    )
                found.append((name, kind, n, seconds, times))
                print(f"{n:>10,} {kind:9} {name:40} {seconds:10.6f} s {times:9.2f}", flush=True)
                if keep is not None:
                    _frame(found).write_csv(keep)
    return _frame(found)


def _frame(found: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    return pl.DataFrame(found, ["function", "labels", "rows", "seconds", "ratio"], orient="row")


def table(found: pl.DataFrame) -> str:
    """Return the ratios in Markdown: a row for each function and kind of labels."""
    slowest = found.sort("ratio").row(0, named=True)
    sizes = found["rows"].unique().sort().to_list()
    lines = [
        f"The slowest is `{slowest['function']}` of {slowest['rows']:,} rows, "
        f"{slowest['ratio']:.2f} times as fast as scikit-learn.",
        "",
        "| function | labels | " + " | ".join(f"{n:,} rows" for n in sizes) + " |",
        "|---" * (len(sizes) + 2) + "|",
    ]
    for (name, kind), part in found.group_by("function", "labels", maintain_order=True):
        by_size = dict(part.select("rows", "ratio").rows())
        shown = (f"{by_size[n]:.2f}" if n in by_size else "" for n in sizes)
        labels = "" if name in WITHOUT_LABELS else kind
        lines.append(f"| `{name}` | {labels} | {' | '.join(shown)} |")
    return "\n".join(lines)


def draw(found: pl.DataFrame, to: Path) -> None:
    """Draw the ratio over the rows, a line for each function, integers beside texts."""
    x = alt.X("rows:Q").scale(type="log").title("rows")
    y = alt.Y("ratio:Q").scale(type="log").title("times as fast as scikit-learn")
    lines = (
        alt.Chart(found)
        .mark_line(opacity=0.6, point=alt.OverlayMarkDef(size=12))
        .encode(x, y, alt.Detail("function:N"))
    )
    even = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(y=alt.datum(1))
    chart = alt.layer(lines, even, data=found).properties(width=300, height=260)
    chart.facet(alt.Column("labels:N").title(None)).save(to, ppi=100)


def main() -> None:
    """Measure, and print the table or write it into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sizes", type=float, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs="+", default=[], help="names of functions")
    parser.add_argument("--keep", type=Path, help="a CSV file of what was measured, which is kept")
    asked = parser.parse_args()
    found = measured([int(size) for size in asked.sizes], asked.only, asked.keep)
    text = table(found)
    if not asked.write:
        print(text)
        return
    page = PAGE.read_text("utf-8")
    before, rest = page.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    PAGE.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", "utf-8")
    draw(found, PAGE.with_name("scikit-learn.png"))


if __name__ == "__main__":
    main()
