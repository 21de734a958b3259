"""Files of a log: which ones a path, a glob or a folder names, and how Polars scans each."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import polars as pl

from confmat.errors import InputError
from confmat.logs.stores import is_remote, listed

_Scan = Callable[[str, dict[str, Any]], pl.LazyFrame]
_INFERRED = 10_000  # rows of a text file that tell the types of its columns


def _parquet(path: str, options: dict[str, Any]) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False, **options)


def _csv(path: str, options: dict[str, Any], separator: str = ",") -> pl.LazyFrame:
    keys = _literal_keys(path, options)
    scan = partial(pl.scan_csv, path, separator=separator, glob=False, **options)
    frame = scan(infer_schema_length=_INFERRED)
    with suppress(pl.exceptions.PolarsError, OSError):  # told where the schema is asked for
        frame = scan(schema=frame.collect_schema())  # else every look at it reads rows again
    return frame.with_columns(keys)


def _lines(path: str, options: dict[str, Any]) -> pl.LazyFrame:
    keys = _literal_keys(path, options)
    return pl.scan_ndjson(glob.escape(path), **options).with_columns(
        keys
    )  # no option against globs


def _ipc(path: str, options: dict[str, Any]) -> pl.LazyFrame:
    return pl.scan_ipc(path, glob=False, **options)


_SCANS: dict[str, _Scan] = {
    ".parquet": _parquet,
    ".pq": _parquet,
    ".csv": _csv,
    ".tsv": lambda path, options: _csv(path, options, "\t"),
    ".ndjson": _lines,
    ".jsonl": _lines,
    ".arrow": _ipc,
    ".ipc": _ipc,
    ".feather": _ipc,
}
_READ: dict[type[pl.DataType], Callable[[str], Any]] = {
    pl.Int64: int,
    pl.Date: date.fromisoformat,
    pl.String: str,
}
_NULL = "__HIVE_DEFAULT_PARTITION__"
_PACKED = (".gz", ".zst")


def kind_of(path: str) -> str:
    """Return the extension that says how a file is read, or the one that nothing reads."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] and suffixes[-1] in _PACKED and suffixes[-2:-1]
    return (suffixes[-2] if packed else suffixes[-1]) if suffixes else ""


def scan_file(
    path: str,
    storage_options: dict[str, Any] | None = None,
    folder_keys: Mapping[str, type[pl.DataType]] | None = None,
) -> pl.LazyFrame:
    """Return the query over one file; `folder_keys` in the names of its folders are columns too."""
    options: dict[str, Any] = {}
    if storage_options is not None:
        options["storage_options"] = storage_options
    keys = {name: dtype for name, dtype in (folder_keys or {}).items() if name in _keys_of(path)}
    if keys:
        options |= {"hive_partitioning": True, "hive_schema": keys}
    return _SCANS[kind_of(path)](path, options)


def folder_keys(paths: Iterable[str]) -> dict[str, type[pl.DataType]]:
    """Return the keys in names of folders such as `day=2024-05-01`, and the type of their values.

    Examples
    --------
    >>> folder_keys(["log/site=01/day=2024-05-01/a.parquet", "log/site=2/day=2024-05-02/b.parquet"])
    {'site': String, 'day': Date}
    """
    values: dict[str, list[str]] = {}
    for path in paths:
        for name, value in _keys_of(path).items():
            values.setdefault(name, []).append(value)
    return {name: _type_of([v for v in some if v != _NULL]) for name, some in values.items()}


def _keys_of(path: str) -> dict[str, str]:
    parts = [part.partition("=") for part in Path(path).parts[:-1]]
    return {unquote(name): unquote(value) for name, found, value in parts if found and name}


def _literal_keys(path: str, options: dict[str, Any]) -> list[pl.Expr]:
    """Return the keys in names of folders as columns, for readers that have no option for them."""
    options.pop("hive_partitioning", None)
    texts = _keys_of(path)
    return [
        pl.lit(None if texts[name] == _NULL else _READ[dtype](texts[name]), dtype).alias(name)
        for name, dtype in options.pop("hive_schema", {}).items()
    ]


def _type_of(values: list[str]) -> type[pl.DataType]:
    """Return integers or dates where all are written as such; else texts, which lose nothing."""
    if values and all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value) for value in values):
        return pl.Int64
    return pl.Date if values and all(map(_is_date, values)) else pl.String


def _is_date(value: str) -> bool:
    try:
        return str(date.fromisoformat(value)) == value
    except ValueError:
        return False


def expand(
    patterns: Iterable[str | os.PathLike[str]],
    storage_options: dict[str, Any] | None = None,
    *,
    any_kind: bool = False,
) -> list[str]:
    """Return the files that paths, globs and folders name, sorted and each once.

    Two names of one file, as by a link, are one file. Object stores have globs, but no folders.
    `any_kind`: also files that are named, whose extension says nothing.

    Raises
    ------
    InputError
        A path that does not exist, a folder without files that can be read, or a file with an
        extension that says nothing.
    """
    found: dict[object, str] = {}
    for pattern in patterns:
        for path in _matches(os.fspath(pattern), storage_options):
            if kind_of(path) not in _SCANS and not any_kind:
                known = " ".join(_SCANS)
                glob = f"; or name files as {path}**/*.parquet" if path.endswith("/") else ""
                raise InputError(
                    f"{path} is of no known kind; its name must end in one of {known}{glob}"
                )
            found.setdefault(_identity(path), path)
    return list(found.values())


def _matches(pattern: str, storage_options: dict[str, Any] | None) -> list[str]:
    if is_remote(pattern):
        return listed(pattern, storage_options)
    path = Path(pattern)
    if path.is_dir():
        inside = sorted(str(one) for one in path.rglob("*") if kind_of(str(one)) in _SCANS)
        inside = [one for one in inside if not _is_hidden(Path(one).relative_to(path))]
        if not inside:
            raise InputError(
                f"{pattern} is a folder without files to read: names end in {' '.join(_SCANS)}"
            )
        return inside
    matches = [pattern] if path.exists() else sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise InputError(f"no such file: {pattern}")
    return [one for one in matches if not Path(one).is_dir()] or _refuse_folders(pattern)


def _refuse_folders(pattern: str) -> list[str]:
    raise InputError(f"{pattern} names folders alone; name files, or '{Path(pattern) / '*'}'")


def _is_hidden(path: Path) -> bool:
    """Return whether engines leave a file out: those that they write beside the data."""
    return any(part[:1] in {".", "_"} and "=" not in part for part in path.parts)


def _identity(path: str) -> object:
    """Return what is the same for two names of one file."""
    if is_remote(path):
        return path
    status = os.stat(path)
    return status.st_dev, status.st_ino
