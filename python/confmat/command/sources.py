"""Files on the command line: which they are, how to scan them, what was meant by a label."""

from __future__ import annotations

import csv
import difflib
import glob
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl

from confmat.errors import InputError
from confmat.labels import Label


def _csv(path: Path, separator: str = ",") -> pl.LazyFrame:
    return pl.scan_csv(path, separator=separator, infer_schema_length=10_000, glob=False)


def _lines(path: Path) -> pl.LazyFrame:
    return pl.scan_ndjson(glob.escape(str(path)))  # it has no option against globs


def _ipc(path: Path) -> pl.LazyFrame:
    return pl.scan_ipc(path, glob=False)


_SCANS: dict[str, Callable[[Path], pl.LazyFrame]] = {
    ".parquet": lambda path: pl.scan_parquet(path, glob=False),
    ".csv": _csv,
    ".tsv": lambda path: _csv(path, "\t"),
    ".ndjson": _lines,
    ".jsonl": _lines,
    ".arrow": _ipc,
    ".ipc": _ipc,
    ".feather": _ipc,
}

_LABELS = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Null)


def expand(patterns: Iterable[str]) -> list[Path]:
    """Return the files that paths and globs name, in order and each once.

    Raises
    ------
    InputError
        If a path does not exist, is a folder, or has an extension that cannot be read.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        path = Path(pattern)
        if path.is_dir():
            raise InputError(f"{pattern} is a folder; name files, or '{path / '*.parquet'}'")
        matches = [pattern] if path.exists() else sorted(glob.glob(pattern, recursive=True))
        if not matches:
            raise InputError(f"no such file: {pattern}")
        found |= dict.fromkeys(map(Path, matches))
    for path in found:
        if _extension(path) not in _SCANS:
            known = " ".join(_SCANS)
            raise InputError(f"{path} is of no known kind; its name must end in one of {known}")
    return list(found)


def _extension(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = suffixes[-1:] in ([".gz"], [".zst"]) and suffixes[-2:-1] in ([".csv"], [".tsv"])
    return (suffixes[-2] if packed else suffixes[-1]) if suffixes else ""


def columns_of(path: Path) -> list[str]:
    """Return the columns of a file; InputError if it cannot be read."""
    try:
        return _SCANS[_extension(path)](path).collect_schema().names()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error


def scan(paths: Sequence[Path], columns: Iterable[str]) -> pl.LazyFrame:
    """Scan files for the columns that are needed, and no others.

    Raises
    ------
    InputError
        If a file lacks a column; the message lists the columns that it has.
    """
    wanted = list(dict.fromkeys(columns))
    frames = []
    for path in paths:
        present = columns_of(path)
        for name in wanted:
            if name not in present:
                near = difflib.get_close_matches(name, present, n=1)
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                raise InputError(f"{path} has no column {name!r}{hint}; it has {present}")
        frames.append(_SCANS[_extension(path)](path).select(wanted))
    return pl.concat(frames, how="vertical_relaxed")


def split(text: str | None) -> list[str] | None:
    """Split a comma-separated option; commas inside parentheses or quotes do not count."""
    if text is None:
        return None
    parts: list[str] = []
    for part in next(csv.reader([text], skipinitialspace=True), []):
        if parts and parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def as_label(text: str, dtype: pl.DataType, option: str) -> Label:
    """Return the label that a text means in a column of this type."""
    if dtype.is_integer():
        number = _whole(text)
        if number is None:
            raise InputError(f"`{option}`: {text!r} is no integer, and the column is")
        if not -(2**63) <= number < 2**63:
            raise InputError(f"`{option}`: {text} is beyond 64-bit integers")
        return number
    if dtype == pl.Boolean:
        if text.lower() not in {"true", "false"}:
            raise InputError(f"`{option}`: {text!r} is neither true nor false, as the column is")
        return text.lower() == "true"
    return text


def _whole(text: str) -> int | None:
    """Return the whole number that a text is, also one written as 1.0."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None


def whole_numbers(frame: pl.LazyFrame, columns: Mapping[str, str]) -> pl.LazyFrame:
    """Return the frame with whole numbers in floats as integers, where columns are labels.

    Parameters
    ----------
    frame : pl.LazyFrame
        The rows; nan is null in a column of labels.
    columns : mapping of option to column
        The columns of labels, and the options that name them.

    Raises
    ------
    InputError
        A fraction, an infinity or a number beyond 2^53, or a column that holds no labels.
    """
    schema = frame.collect_schema()
    floats = {}
    for option, name in columns.items():
        kind = schema[name]
        if kind.is_float():
            floats[option] = name
        elif not (kind.is_integer() or kind in _LABELS):
            raise InputError(
                f"`{option}` is the column {name!r} of {kind}; wanted integers, booleans, texts or "
                "categories"
            )
    for option, name in floats.items():
        value = pl.col(name).fill_nan(None)
        odd = (value != value.round()) | (value.abs() > 2**53)
        rows = frame.select(found=name, odd=odd).with_row_index("row").filter("odd")
        first = rows.head(1).collect(engine="streaming")
        if not first.is_empty():
            at, found, _ = first.row(0)
            look = f"; if these are scores, give `--y-score {name}`" if option == "--y-pred" else ""
            raise InputError(
                f"`{option}`: the column {name!r} holds {found!r} at row {at}; wanted whole numbers"
                + look
            )
    whole = list(dict.fromkeys(floats.values()))
    return frame.with_columns(pl.col(name).fill_nan(None).cast(pl.Int64) for name in whole)


def by_columns(given: Iterable[str], present: Sequence[str]) -> list[str]:
    """Return the columns to slice by: each option is a column, or several with commas between."""
    columns = [
        name for text in given for name in ([text] if text in present else split(text) or [])
    ]
    return list(dict.fromkeys(columns))
