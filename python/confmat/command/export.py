"""Results as files: JSON, CSV or Parquet, by the extension of the name."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from confmat.command.spreadsheet import UNSEEN, header, readable
from confmat.errors import InputError
from confmat.whole_file import target_of, write_whole

KINDS = (".json", ".csv", ".parquet")
PAGES = (".html", ".htm")  # of reports
STATES = (".parquet",)  # which hold bytes
_GROUP = 1 << 22  # bytes of states that are read together


def check(
    path: Path,
    inputs: Iterable[Path],
    *,
    option: str = "--out",
    kinds: Sequence[str] = KINDS,
    hint: str = "",
) -> None:
    """Raise InputError if a result cannot be written there, before any work is done.

    It must not be one of the inputs, by whatever name: a link, or another spelling.
    """
    if path.suffix.lower() not in kinds:
        named = f"`{option}` is {str(path)!r}; its name must end in {', '.join(kinds)}"
        raise InputError(f"{named}{hint}")
    try:
        target = target_of(path)
    except InputError as error:
        raise InputError(f"`{option}` is {error}") from None
    if not target.exists():
        return
    for source in inputs:
        if os.path.samefile(target, source):
            also = "" if str(source) == str(path) else f" as {str(source)!r}"
            raise InputError(
                f"`{option}` is {str(path)!r}, which is read{also}; name a file that is not"
            )


def _plain(value: Any) -> Any:
    """Return what strict JSON can hold: null for a number that is not finite."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_json(value: Any, path: Path) -> None:
    """Write strict JSON; dates and the like become text, controls are escaped in it."""
    text = json.dumps(_plain(value), indent=1, allow_nan=False, ensure_ascii=False, default=str)
    text = re.sub(f"(?!\n)[{UNSEEN}]", lambda c: f"\\u{ord(c[0]):04x}", text)
    write_whole(path, lambda file: file.write(f"{text}\n".encode()))


def write_states(states: pl.DataFrame, path: Path) -> None:
    """Write a frame of states as Parquet, in groups of rows that take little memory to read.

    LZ4, as states of bins are read twice as fast as with zstd, which makes them half as large.
    """
    group = max(1, int(_GROUP * states.height / max(states.estimated_size(), 1)))
    write_whole(
        path, lambda file: states.write_parquet(file, compression="lz4", row_group_size=group)
    )


def write(frame: pl.DataFrame, path: Path) -> None:
    """Write a table; a file that is there is replaced when the new one is whole.

    JSON is an array of objects with null for every number that is not finite. In CSV a text that
    a spreadsheet would take for a formula gets a ``'`` in front, controls are escaped, and numbers
    that are nan are left empty. Parquet is the table as it is.
    """
    kind = path.suffix.lower()
    if kind == ".parquet":
        write_whole(path, frame.write_parquet)
    elif kind == ".json":
        write_json(frame.to_dicts(), path)
    else:
        rows = pl.DataFrame([readable(column) for column in frame])
        # Not by Polars into the file: 1.39 does not tell of a disk that is full.
        whole = header(frame.columns) + rows.write_csv(include_header=False).encode()
        write_whole(path, lambda file: file.write(whole))
