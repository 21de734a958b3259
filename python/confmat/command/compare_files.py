"""What ``confmat compare`` does: two models on the same rows, in one file or in two."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from confmat.command import export
from confmat.command.choices import Nan, NanOption, Other, OtherOption, Sides, Task
from confmat.command.texts import as_label, by_columns, split
from confmat.errors import InputError
from confmat.frames.request import Y_PRED, check_columns
from confmat.labels import shown
from confmat.logs.files import expand
from confmat.logs.sources import parts_of
from confmat.paired.comparing import compare as compared
from confmat.paired.joining import A, B, joined


class Methods(str, Enum):
    """How intervals are found."""

    DELTA = "delta"
    BOOTSTRAP = "bootstrap"


class Bins(str, Enum):
    """What is kept of scores."""

    UNIT = "unit"


def compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE [FILE]", help="Two files of predictions, or one with those of all models."
        ),
    ],
    on: Annotated[
        list[str] | None, typer.Option("--on", help="Of two files: the column of ids; repeat.")
    ] = None,
    y_true: Annotated[str, typer.Option("--y-true", help="Column of true classes.")] = "y_true",
    y_pred: Annotated[
        list[str] | None,
        typer.Option("--y-pred", help="Column of predictions; of one file repeat, for each model."),
    ] = None,
    y_score: Annotated[
        list[str] | None,
        typer.Option(
            "--y-score",
            help="Column of scores: of the positive class, or lists, one of each class.",
        ),
    ] = None,
    by: Annotated[list[str] | None, typer.Option(help="Slice by this column; repeat.")] = None,
    metrics: Annotated[str | None, typer.Option(help="Metric names, with commas.")] = None,
    labels: Annotated[str | None, typer.Option(help="The classes in order, with commas.")] = None,
    pos_label: Annotated[str | None, typer.Option(help="The positive class.")] = None,
    sample_weight: Annotated[str | None, typer.Option(help="Column of weights.")] = None,
    other: OtherOption = Other.RAISE,
    nan: NanOption = Nan.RAISE,
    cluster: Annotated[
        str | None, typer.Option(help="Column of what belongs together, such as a user.")
    ] = None,
    level: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    method: Annotated[
        Methods | None, typer.Option(help="Of the intervals; default by metric.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of --method bootstrap.")] = None,
    replicates: Annotated[int | None, typer.Option(help="Of --method bootstrap; 10,000.")] = None,
    bins: Annotated[
        Bins | None, typer.Option(help="Keep joint bins of scores in place of rows.")
    ] = None,
    side: Annotated[Sides, typer.Option(help="Which end the intervals have.")] = Sides.BOTH,
    min_n: Annotated[int, typer.Option(min=0, help="No values for slices with fewer rows.")] = 0,
    task: Annotated[
        Task | None, typer.Option(help="True and predicted values are numbers, not classes.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write .json, .csv or .parquet.")] = None,
) -> None:
    """Compare models on the same rows: differences of metrics, with intervals and tests.

    The first model is the baseline, a; differences are those of b minus a. Of two files, rows are
    those of the same --on; every id has to be in both, once, with the same true class. Slices,
    weights and clusters are columns of the first file.
    """
    paths = expand(files)
    if out is not None:
        export.check(out, map(Path, paths))
    if len(files) == 2:
        source, of = _of_two(
            files, on, y_true, y_pred, y_score, [*(by or ()), *_named(sample_weight, cluster)]
        )
    elif len(files) == 1:
        source, of = _of_one(files[0], on, y_pred, y_score)
    else:
        raise InputError(f"there are {len(files)} files; wanted one, or two with `--on`")
    schema = source.collect_schema()
    check_columns([("y_true", y_true)], schema)
    dtype = schema[y_true]
    texts = split(labels)
    c = compared(
        source,
        y_true,
        **of,
        by=by_columns(by or (), list(schema)) or None,
        metrics=split(metrics),
        labels=None if texts is None else [as_label(text, dtype, "--labels") for text in texts],
        pos_label=None if pos_label is None else as_label(pos_label, dtype, "--pos-label"),
        sample_weight=sample_weight,
        other=other.value if labels else "raise",
        nan=nan.value,
        cluster=cluster,
        level=level,
        method=None if method is None else method.value,
        seed=seed,
        replicates=replicates,
        bins=None if bins is None else bins.value,
        side=side.value,
        task=None if task is None else task.value,
        min_n=min_n,
    )
    if out is not None:  # before anything is printed, to a reader that may go away
        export.write(c.table(), out)
    print(c)
    if out is not None:
        print(f"wrote {shown(str(out))}", file=sys.stderr)


def _named(*names: str | None) -> list[str]:
    return [name for name in names if name is not None]


def _scan(path: str) -> pl.LazyFrame:
    return pl.concat([part.frame for part in parts_of([path])], how="vertical_relaxed")


def _of_one(
    path: str, on: list[str] | None, y_pred: list[str] | None, y_score: list[str] | None
) -> tuple[pl.LazyFrame, dict[str, Any]]:
    if on:
        raise InputError("`--on` tells rows of two files apart, and there is one; give two")
    given = {"y_pred": y_pred, "y_score": y_score}
    for name, columns in given.items():
        if columns is not None and len(columns) < 2:
            option = name.replace("_", "-")
            raise InputError(
                f"there is one file and one `--{option}`; wanted two files, or `--{option}` for "
                "each model"
            )
    return _scan(path), {name: columns or None for name, columns in given.items()}


def _of_two(
    files: list[str],
    on: list[str] | None,
    y_true: str,
    y_pred: list[str] | None,
    y_score: list[str] | None,
    others: list[str],
) -> tuple[pl.LazyFrame, dict[str, Any]]:
    if not on:
        raise InputError("there are two files; give `--on`, the column of ids that both have")
    for option, columns in (("--y-pred", y_pred), ("--y-score", y_score)):
        if columns is not None and len(columns) > 1:
            raise InputError(f"`{option}` is given {len(columns)} times; of two files wanted one")
    frames = [_scan(path) for path in files]
    present = list(frames[0].collect_schema())
    if y_pred is None and (y_score is None or Y_PRED in present):
        y_pred = [Y_PRED]
    values = [*(y_pred or ()), *(y_score or ())]
    names = _names(files)
    by = by_columns(others, present)
    ids = by_columns(on, present)
    rows = joined(frames[0], frames[1], ids, y_true, values, by, names)
    of = {
        argument: dict(zip(names, (columns[0] + A, columns[0] + B), strict=True))
        for argument, columns in (("y_pred", y_pred), ("y_score", y_score))
        if columns
    }
    return rows.lazy(), of


def _names(files: list[str]) -> tuple[str, str]:
    """Return what the two models are called: the names of their files, or all of their paths."""
    a, b = (Path(path).name.split(".")[0] for path in files)
    if a and b and a != b:
        return a, b
    a, b = files
    return (a, b) if a != b else (f"{a} (a)", f"{b} (b)")
