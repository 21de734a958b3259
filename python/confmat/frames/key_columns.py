"""Columns whose values tell slices apart, as the core takes them, and as it gives them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.categories import coded

if TYPE_CHECKING:
    from confmat._core import KeyValues

_PHYSICAL = (pl.Enum, pl.Date, pl.Datetime, pl.Duration, pl.Time)
_DTYPES = (pl.Boolean, pl.String, pl.Categorical, *_PHYSICAL)


def is_key(dtype: pl.DataType) -> bool:
    """Return whether the core reads the values of such a key."""
    return isinstance(dtype, _DTYPES) or (dtype.is_integer() and "128" not in str(dtype))


def key_numbers(key: pl.Series) -> Any:
    """Return a key as integers or texts; the order of both is that of its values."""
    return key.to_physical() if isinstance(key.dtype, _PHYSICAL) else coded(key)


def key_values(
    dtype: pl.DataType,
    numbers: npt.NDArray[np.int64],
    base: int,
    listed: list[str] | npt.NDArray[np.int64] | None,
) -> pl.Series:
    """Return the values of a key in the groups."""
    number = pl.Series(numbers)
    if (numbers < 0).any():
        number = number.replace(-1, None)
    values: pl.Series = number + base
    if listed is not None:
        of = pl.String if isinstance(listed, list) else pl.Int64
        values = pl.Series(listed, dtype=of).gather(number)
    elif isinstance(dtype, pl.Enum):
        values = dtype.categories.gather(values)
    cast: pl.Series = values.cast(dtype)
    return cast


class KeyColumns:
    """The keys of batches of one schema; without any, all rows are one slice."""

    def __init__(self, names: Sequence[str], schema: Mapping[str, pl.DataType]) -> None:
        self.names = tuple(names)
        self.types = [schema[name] for name in names]

    def numbers(self, batch: pl.DataFrame) -> list[Any]:
        """Return the keys of rows."""
        if not self.names:
            return [pl.repeat(0, batch.height, dtype=pl.UInt8, eager=True)]
        return [key_numbers(batch.get_column(name)) for name in self.names]

    def values(self, found: Iterable[KeyValues]) -> list[pl.Series]:
        """Return the keys of slices."""
        if not self.names:
            return []
        return [
            key_values(dtype, *parts).alias(name)
            for name, dtype, parts in zip(self.names, self.types, found, strict=True)
        ]
