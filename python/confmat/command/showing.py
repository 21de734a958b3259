"""What ``confmat evaluate`` prints: a matrix, scores, slices, and their metrics."""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol

import polars as pl
from rich.console import Console
from rich.text import Text

import confmat as cm
from confmat.command import table
from confmat.command.job import Job
from confmat.command.screens import screen
from confmat.frames.asked import REASONS
from confmat.labels import shown
from confmat.logs.evaluation import Evaluation
from confmat.logs.screen import overall
from confmat.logs.shown_intervals import first_ends
from confmat.matrices import summary
from confmat.registry import find, find_quietly

SHOWN = 60
HALF = 20


class Sliced(Protocol):
    """What was asked to be shown of slices."""

    @property
    def evaluation(self) -> Evaluation:
        """What the slices are of."""

    @property
    def by(self) -> list[str]:
        """The keys."""

    @property
    def reasons(self) -> bool:
        """Whether it is told why values are undefined."""

    @property
    def rows(self) -> str:
        """How many rows there are, or their weights, in words."""

    def metric_columns(self, result: pl.DataFrame) -> list[str]:
        """Return the columns of a result that are metrics."""


def console_of_output() -> Console:
    """Return the console of the output; a pipe gets full width and no colours."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return Console(highlight=False)
    return Console(highlight=False, width=1000)


def show_matrix(matrix: cm.ConfusionMatrix, job: Job) -> None:
    """Print the summary of a matrix, and the metrics asked for."""
    values = _values(job, job.label_metrics)
    why = "--metrics NAME --pos-label CLASS"
    print(summary.text(matrix, why, rows_are_independent=job.cluster is None))
    _show_values(values)


def show_sweep(swept: Any, job: Job) -> None:
    """Print the summary of the scores, and the metrics asked for."""
    values = _values(job, job.score_metrics)
    print(screen(swept, rows_are_independent=job.cluster is None))
    _show_values(values)


def show_regression(summed: cm.Regression, job: Job) -> None:
    """Print the metrics of numbers that were asked for, or all."""
    if job.metrics is None:
        print(summed)
        return
    values = _values(job, job.metrics)
    print(summed._title())
    _show_values(values)


def _values(job: Job, names: list[str]) -> pl.DataFrame | None:
    """Return metrics of all rows that were asked for by name, if any, with their intervals.

    Where a level was asked for `show_intervals` has them.
    """
    return overall(job.evaluation, names) if names and job.ci is None else None


def _show_values(values: pl.DataFrame | None) -> None:
    if values is not None:
        print()
        table.print_values(console_of_output(), values)


def show_intervals(job: Job) -> None:
    """Print the metrics of all rows with their intervals."""
    of = "" if job.cluster is None else f", as wide as clusters by {shown(job.cluster)} ask"
    what = "intervals" if job.side == "both" else f"{job.side} limits"
    print(f"\n{100 * (job.ci or 0):.6g} % {what}{of}\n")
    table.print_values(console_of_output(), job.evaluation.overall())


def label_values(matrix: cm.ConfusionMatrix, job: Job) -> pl.DataFrame:
    """Return the metrics of labels that are asked for, or all."""
    if job.metrics is None:
        return matrix.overall()
    return matrix.overall(job.label_metrics, pos_label=job.pos_label)


def show_slices(result: pl.DataFrame, job: Sliced) -> None:
    """Print the slices; of very many only the first and the worst."""
    console, names = console_of_output(), job.metric_columns(result)
    by = ", ".join(shown(name) for name in job.by)
    if result.height <= SHOWN:
        count = "1 slice" if result.height == 1 else f"{result.height:,} slices"
        console.print(Text(f"{count} by {by}, {job.rows}\n", style="bold"))
        _show_part(console, result, job, names)
        return
    title = f"The first {HALF} of {result.height:,} slices by {by}, {job.rows}\n"
    console.print(Text(title, style="bold"))
    _show_part(console, result.head(HALF), job, names)
    facts = ((name, find_quietly(name)) for name in names)
    ranked = [name for name, fact in facts if fact is not None and fact["better"] != "neither"]
    if ranked:
        title = f"The {HALF} worst by {ranked[0]} (--out writes all slices)\n"
        console.print(Text(title, style="bold"))
        downwards = find(ranked[0])["better"] == "lower"
        known = result.filter(pl.col(ranked[0]).is_not_nan())
        worst = known.sort(ranked[0], descending=downwards, maintain_order=True)
        _show_part(console, worst.head(HALF), job, names)


def _show_part(console: Console, slices: pl.DataFrame, job: Sliced, names: list[str]) -> None:
    """Print some slices, and why values of them are undefined."""
    found = first_ends(job.evaluation, slices, names)
    table.print_slices(console, slices, job.by, names, found)
    if job.reasons:
        table.print_reasons(console, slices, job.by, REASONS)
