"""What ``confmat check`` does: files of states held against expectations in a TOML file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from confmat.command import export, table
from confmat.command.showing import console_of_output
from confmat.command.toml_files import read_toml, with_line
from confmat.gates.checking import check as checked
from confmat.gates.checks import Checks
from confmat.gates.expectation import ExpectationError, expectations_of
from confmat.labels import shown
from confmat.logs.merged_files import merged_files
from confmat.whole_file import write_whole

_SHOWN = 60  # checks that passed or were skipped


def check(
    expectations: Annotated[
        Path, typer.Argument(metavar="EXPECTATIONS.toml", help="What is expected.")
    ],
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="States: Parquet or Arrow with a column `state`, or what to_bytes gave; or globs.",
        ),
    ],
    baseline: Annotated[
        list[str] | None,
        typer.Option(help="States that changes are from, as of the model before; repeat."),
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write a report in JUnit's XML.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write .json, .csv or .parquet.")] = None,
    max_memory: Annotated[str | None, typer.Option(help="For merged states, such as 2GB.")] = None,
) -> None:
    """Check metrics of states against what is expected: a gate for models.

    Exits with 0 where all holds, 1 where something failed, 2 where the input is wrong. A slice that
    is not there, and a value that is undefined, are failures.
    """
    given, text = read_toml(expectations)
    try:
        expectations_of(given)  # before any file is read
        found = merged_files(files, None, max_memory)
        before = None if baseline is None else merged_files(baseline, None, max_memory)
        inputs = [expectations, *map(Path, [*found.files, *(before.files if before else [])])]
        for path, option, kinds in ((out, "--out", export.KINDS), (junit, "--junit", (".xml",))):
            if path is not None:
                export.check(path, inputs, option=option, kinds=kinds)
        checks = checked(found.parts, given, None if before is None else before.parts)
    except ExpectationError as error:
        raise with_line(error, expectations, text) from None
    if junit is not None:
        report = checks.junit()
        write_whole(junit, lambda file: file.write(f"{report}\n".encode()))
    if out is not None:
        export.write(checks.table(), out)
    _print(checks)
    for written in filter(None, (junit, out)):
        print(f"wrote {shown(str(written))}", file=sys.stderr)
    raise typer.Exit(0 if checks.passed else 1)


def _print(checks: Checks) -> None:
    """Print what failed, and the first of what did not."""
    rows = checks.screen()
    failed = rows.filter(outcome="failed")
    rest = rows.filter(rows["outcome"] != "failed")
    console = console_of_output()
    console.print(Text(f"{checks.title()}\n", style="bold"))
    console.print(table.of_checks(failed.vstack(rest.head(_SHOWN))))
    if rest.height > _SHOWN:
        print(f"... and {rest.height - _SHOWN:,} more that passed or were skipped (--out has all)")
