"""What ``confmat merge`` and ``confmat show`` do: states from many files, merged and read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from confmat.command import export
from confmat.command.choices import Sides
from confmat.command.job import flat, level_of
from confmat.command.showing import show_slices
from confmat.command.state_view import StateView, opening, view_of, whole_tables
from confmat.command.texts import split
from confmat.errors import InputError
from confmat.frames.state_families import kinds_of
from confmat.labels import shown
from confmat.logs.merged_files import MergedFiles, merged_files

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES...",
        help="States: Parquet or Arrow with a column `state`, or what to_bytes gave; or globs.",
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        help="A key that is kept, or a date cut, as day:month; repeat. Default: all keys."
    ),
]
Whole = Annotated[bool, typer.Option("--whole", help="Keep no key: all rows as one.")]
Metrics = Annotated[str | None, typer.Option(help="Metric names, with commas.")]
PosLabel = Annotated[str | None, typer.Option(help="The positive class.")]
MinN = Annotated[int, typer.Option(min=0, help="No metrics for slices with fewer rows.")]
Ci = Annotated[float | None, typer.Option(help="The level of intervals, such as 0.95.")]
Side = Annotated[Sides, typer.Option(help="Which end the intervals of --ci or 0.95 have.")]
Cluster = Annotated[
    str | None,
    typer.Option(help="The key that says what belongs together: for intervals, of --ci or 0.95."),
]
Reasons = Annotated[bool, typer.Option("--reasons", help="Why values of a slice are undefined.")]
MaxMemory = Annotated[str | None, typer.Option(help="For merged states, such as 2GB.")]


def merge(
    files: Files,
    out: Annotated[Path, typer.Option(help="Where the states are written: .parquet.")],
    by: By = None,
    whole: Whole = False,
    metrics: Metrics = None,
    pos_label: PosLabel = None,
    min_n: MinN = 0,
    ci: Ci = None,
    side: Side = Sides.BOTH,
    cluster: Cluster = None,
    reasons: Reasons = False,
    max_memory: MaxMemory = None,
) -> None:
    """Merge states of many days or machines, to coarser slices too, and write them as one file.

    Rows of the same keys become one, as if their rows had been counted together; several models
    stay apart. Files are read side by side, a part of each at a time. Then the metrics of the
    merged slices are printed, as by `confmat show`. With --cluster a state of each cluster of a
    slice is kept.
    """
    given = _inputs(files, by, whole, metrics)
    hint = "; `confmat show --out` writes metrics"
    found = merged_files(files, given, max_memory, cluster)
    paths = map(Path, found.files)
    export.check(out, paths, kinds=export.STATES, hint=hint)
    view = view_of(
        found,
        metrics=split(metrics),
        pos_label=pos_label,
        min_n=min_n,
        ci=level_of(ci, side, cluster),
        side=side.value,
        cluster=cluster,
        reasons=reasons,
    )
    export.write_states(found.parts, out)
    _print(found, view)
    print(f"wrote {shown(str(out))}", file=sys.stderr)


def show(
    files: Files,
    by: By = None,
    whole: Whole = False,
    metrics: Metrics = None,
    pos_label: PosLabel = None,
    min_n: MinN = 0,
    ci: Ci = None,
    side: Side = Sides.BOTH,
    cluster: Cluster = None,
    reasons: Reasons = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the metrics: .json, .csv or .parquet.")
    ] = None,
    max_memory: MaxMemory = None,
) -> None:
    """Show what files of states hold: kinds, keys, rows, labels, and the metrics by slice.

    Several files are merged first; nothing is written unless --out is given.
    """
    given = _inputs(files, by, whole, metrics)
    found = merged_files(files, given, max_memory, cluster)
    if out is not None:
        export.check(out, map(Path, found.files))
    view = view_of(
        found,
        metrics=split(metrics),
        pos_label=pos_label,
        min_n=min_n,
        ci=level_of(ci, side, cluster),
        side=side.value,
        cluster=cluster,
        reasons=reasons,
    )
    if out is not None:
        table = view.slices()
        export.write(flat(table) if out.suffix.lower() == ".csv" else table, out)
    _print(found, view)
    if out is not None:
        print(f"wrote {shown(str(out))}", file=sys.stderr)


def _inputs(
    files: Sequence[str], by: Sequence[str] | None, whole: bool, metrics: str | None
) -> list[str] | None:
    """Return the keys that are asked for; refuse names of no metric before any file is read."""
    for name in split(metrics) or ():
        kinds_of([name])
    if whole and by:
        raise InputError("`--whole` keeps no key, and `--by` names some; give one of them")
    return [] if whole else None if by is None else list(by)


def _print(found: MergedFiles, view: StateView) -> None:
    for line in opening(found, view.cluster):
        print(line)
    print()
    if view.by:
        show_slices(view.slices(), view)
    else:
        print("\n\n".join(whole_tables(view)))
    for path, what in found.left_out:
        print(f"left out: {shown(f'{what} in {path}')}", file=sys.stderr)
