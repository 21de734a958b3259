"""Keys that are expressions, as columns of the frame that they cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import polars as pl

from confmat.errors import InputError

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def with_keys(frame: Frame, by: Any, needed: Iterable[Any]) -> tuple[Frame, Any]:
    """Return the frame with the expressions of `by` as columns, and `by` as names.

    `needed` are other names that are asked for: a key may not take the place of one.
    """
    asked = [by] if isinstance(by, (str, pl.Expr)) else by
    if not isinstance(asked, (list, tuple)) or not any(isinstance(key, pl.Expr) for key in asked):
        return frame, by
    taken = {name for name in needed if isinstance(name, str)}
    made: list[pl.Expr] = []
    names: list[Any] = []
    for key in asked:
        if not isinstance(key, pl.Expr):
            names.append(key)
            continue
        outputs = frame.lazy().select(key).collect_schema().names()
        is_plain = key.meta.is_column() and outputs == key.meta.root_names()
        for name in outputs:
            if name in taken and not is_plain:
                raise InputError(
                    f"`by` makes a column {name!r}, and a column of this name is asked for "
                    f"besides; give the key a name of its own, .alias({name + '_key'!r})"
                )
        if not is_plain:
            made.append(key)
        names += outputs
    return (frame.with_columns(made) if made else frame), names
