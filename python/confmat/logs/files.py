"""Files of a log: which ones a path, a glob or a folder names, and how Polars scans each."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl

from confmat.errors import InputError

_Scan = Callable[[str, dict[str, Any]], pl.LazyFrame]


def _parquet(path: str, options: dict[str, Any]) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False, **options)


def _csv(path: str, options: dict[str, Any], separator: str = ",") -> pl.LazyFrame:
    options.pop("hive_partitioning", None)
    return pl.scan_csv(
        path, separator=separator, infer_schema_length=10_000, glob=False, **options
    )


def _lines(path: str, options: dict[str, Any]) -> pl.LazyFrame:
    options.pop("hive_partitioning", None)
    return pl.scan_ndjson(glob.escape(path), **options)  # it has no option against globs


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
_PACKED = (".gz", ".zst")


def is_remote(path: str) -> bool:
    """Return whether a path is of an object store or of the web."""
    scheme, found, _ = path.partition("://")
    return bool(found) and scheme != "file"


def kind_of(path: str) -> str:
    """Return the extension that says how a file is read, or the one that nothing reads."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    packed = suffixes[-1:] and suffixes[-1] in _PACKED and suffixes[-2:-1]
    return (suffixes[-2] if packed else suffixes[-1]) if suffixes else ""


def scan_file(path: str, storage_options: dict[str, Any] | None = None) -> pl.LazyFrame:
    """Return the query over one file; keys in the names of its folders are columns too."""
    options: dict[str, Any] = {}
    if storage_options is not None:
        options["storage_options"] = storage_options
    if any("=" in part for part in Path(path).parts[:-1]):
        options["hive_partitioning"] = True
    return _SCANS[kind_of(path)](path, options)


def expand(patterns: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files that paths, globs and folders name, sorted and each once.

    Two names of one file, as by a link, are one file. Names of object stores stay as they are.

    Raises
    ------
    InputError
        A path that does not exist, a folder without files that can be read, or a file with an
        extension that says nothing.
    """
    found: dict[object, str] = {}
    for pattern in patterns:
        for path in _matches(os.fspath(pattern)):
            if kind_of(path) not in _SCANS:
                known = " ".join(_SCANS)
                raise InputError(
                    f"{path} is of no known kind; its name must end in one of {known}"
                )
            found.setdefault(_identity(path), path)
    return list(found.values())


def _matches(pattern: str) -> list[str]:
    if is_remote(pattern):
        return [pattern]
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
