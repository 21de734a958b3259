"""Lists of label names, one a row, as tables of indicators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.errors import InputError, Row
from confmat.labels import Label, listing, shown, sorted_union
from confmat.labelsets.indicators import Bools, Indicators

_FIRST = 10_000  # names in which all are looked for at first


def from_names(
    sides: Mapping[str, pl.Series], given: list[Label] | None
) -> tuple[list[Indicators], list[Label]]:
    """Return the sets of each side, a List Series by its argument, and their labels.

    Without labels given these are the names that occur, sorted.

    Raises
    ------
    InputError
        A null inside a list, a name that is not a label.
    """
    read = [_Listed(series, argument) for argument, series in sides.items()]
    labels = _united(listed.first_names for listed in read) if given is None else given
    codes = [listed.codes(labels) for listed in read]
    if given is None and any(code is None for code in codes):
        labels = _united(listed.items.unique() for listed in read)
        codes = [listed.codes(labels) for listed in read]
    tables = [listed.table(code, labels) for listed, code in zip(read, codes, strict=True)]
    return tables, labels


def _united(names: Iterable[pl.Series]) -> list[Label]:
    distinct = [name for part in names for name in part]
    return sorted_union(distinct, "y_true") if distinct else []


class _Listed:
    """The names of all rows one after the other, and how many each row has."""

    def __init__(self, series: pl.Series, argument: str) -> None:
        self.argument = argument
        self.nulls: Bools | None = series.is_null().to_numpy() if series.null_count() else None
        sets = pl.col("sets")
        items = sets.explode(empty_as_null=False, keep_nulls=False)
        if isinstance(getattr(series.dtype, "inner", None), (pl.Categorical, pl.Enum)):
            items = items.cast(pl.String)
        # One query for all of them: of few rows queries are what takes time.
        rows = series.alias("sets").to_frame()
        parts = rows.select(
            lengths=sets.list.len().fill_null(0).implode(),
            items=items.implode(),
            first_names=items.head(_FIRST).unique().implode(),
        )
        self.lengths: npt.NDArray[np.uint32] = parts["lengths"].item().to_numpy()
        self.items: pl.Series = parts["items"].item()
        self.first_names: pl.Series = parts["first_names"].item()
        if self.items.null_count():
            raise InputError(
                f"`{argument}` holds a null inside the list ",
                Row(self._row(self.items.is_null().arg_max())),
            )

    def codes(self, labels: list[Label]) -> npt.NDArray[Any] | None:
        """Return the position of each name in the labels, or None if that needs a closer look."""
        if not len(self.items):
            return np.zeros(0, dtype=np.uint32)
        if self.items.dtype.is_float() or not labels:
            return None
        try:
            return _core.class_codes(self.items, labels, 0)
        except InputError:
            return None

    def table(self, codes: npt.NDArray[Any] | None, labels: list[Label]) -> Indicators:
        """Return which rows have which labels."""
        found = self._looked_up(labels) if codes is None else codes
        table = _core.named_sets(found.astype(np.uint32), self.lengths, len(labels), 0)
        return Indicators(table, self.nulls, labels)

    def _looked_up(self, labels: list[Label]) -> npt.NDArray[Any]:
        items = self.items
        if (items.dtype == pl.String) != isinstance(labels[0], str):
            raise InputError(
                f"`{self.argument}` holds names of {items.dtype}, and the labels are "
                f"{listing(labels)}"
            )
        places = items.replace_strict(labels, range(len(labels)), default=None)
        if places.null_count():
            at = places.is_null().arg_max() or 0
            raise InputError(
                f"label {shown(items[at])} ",
                Row(self._row(at)),
                f" of `{self.argument}` is not in labels {listing(labels)}",
            )
        found: npt.NDArray[Any] = places.to_numpy()
        return found

    def _row(self, item: int | None) -> int:
        return int(np.searchsorted(np.cumsum(self.lengths), item or 0, side="right"))
