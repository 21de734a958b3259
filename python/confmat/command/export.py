"""Results as files: JSON, CSV or Parquet, by the extension of the name."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors as cs

from confmat.errors import InputError

KINDS = (".json", ".csv", ".parquet")


def check(path: Path) -> None:
    """Raise InputError if a result cannot be written there, before any work is done."""
    if path.suffix.lower() not in KINDS:
        raise InputError(f"`--out` is {str(path)!r}; its name must end in {', '.join(KINDS)}")
    if not path.parent.is_dir():
        raise InputError(f"`--out` is {str(path)!r}; there is no folder {str(path.parent)!r}")


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
    """Write strict JSON; dates and the like become text."""
    text = json.dumps(_plain(value), indent=1, allow_nan=False, ensure_ascii=False, default=str)
    path.write_text(text + "\n", encoding="utf-8")


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def write(frame: pl.DataFrame, path: Path) -> None:
    """Write a table.

    JSON is an array of objects with null for every number that is not finite. In CSV a text that
    a spreadsheet would take for a formula (it begins with ``= + - @``, tab or return) gets a ``'``
    in front, and numbers that are nan are left empty. Parquet is the table as it is.
    """
    kind = path.suffix.lower()
    if kind == ".parquet":
        frame.write_parquet(path)
    elif kind == ".json":
        write_json(frame.to_dicts(), path)
    else:
        texts = (cs.string() | cs.categorical() | cs.enum()).as_expr().cast(pl.String)
        risky = texts.str.contains(r"^[=+\-@\t\r]")
        frame = frame.with_columns(pl.when(risky).then("'" + texts).otherwise(texts).name.keep())
        frame = frame.with_columns(cs.float().fill_nan(None)).rename(_safe)
        frame.write_csv(path)
