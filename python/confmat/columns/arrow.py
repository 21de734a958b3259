"""Arrow data: read once, and known to be sound before others take it."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError


def is_arrow(values: Any) -> bool:
    """Return whether an object hands over Arrow data."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def arrow_series(values: Any, argument: str) -> pl.Series:
    """Return Arrow data as a Series, once it is known to hold what its type promises.

    Raises
    ------
    InputError
        It does not, it cannot be read, or Polars has no such type.
    """
    data = values if isinstance(values, _core.ArrowData) else arrow_data(values, argument)
    try:
        return pl.Series(argument, data)
    except (
        TypeError,
        ValueError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
    ) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"`{argument}` is not readable as {data.dtype}: {error}") from error


def arrow_data(values: Any, argument: str) -> _core.ArrowData:
    """Return Arrow data as the core holds it.

    Raises
    ------
    InputError
        It is not what its type promises, as far as that is known at once.
    """
    # pyarrow knows the sizes of its buffers, which it cannot hand over: whether they are large
    # enough is a matter of constant time for it.
    if type(values).__module__.partition(".")[0] == "pyarrow" and hasattr(values, "validate"):
        try:
            values.validate()
        except ValueError as error:
            raise InputError(f"`{argument}` is not a valid Arrow array: {error}") from error
    return _core.ArrowData(values, argument)


def arrow_table(values: Any, argument: str) -> pl.Series | pl.DataFrame:
    """Return Arrow data as a frame if its rows are structs, as those of a table are."""
    series = arrow_series(values, argument)
    return series.struct.unnest() if series.dtype == pl.Struct else series
