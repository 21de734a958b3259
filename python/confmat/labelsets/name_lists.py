"""Lists of label names, one a row, as places of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.labels import MAX_CLASSES, Label, listing
from confmat.labelsets.indicators import Bools
from confmat.labelsets.set_lists import SetLists


def from_names(
    sides: Mapping[str, pl.Series], given: list[Label] | None
) -> tuple[list[SetLists], list[Label]]:
    """Return the sets of each side, a List Series by its argument, and their labels.

    Without labels given these are the names that occur, sorted.

    Raises
    ------
    InputError
        A null inside a list, a name that is not a label, more labels than there may be.
    """
    read = {argument: _listed(series) for argument, series in sides.items()}
    for argument, listed in read.items():
        items = listed.items
        if given is not None and len(items) and _is_other_kind(items.dtype, given):
            raise InputError(
                f"`{argument}` holds names of {items.dtype}, and the labels are {listing(given)}"
            )
    columns = [(listed.items, listed.ends, argument) for argument, listed in read.items()]
    codes, found = _core.label_codes(columns, given, 0)
    labels = given or found or []
    if len(labels) > MAX_CLASSES:
        raise InputError(
            f"`{next(iter(read))}` has {len(labels)} labels; at most {MAX_CLASSES} are possible"
        )
    sets = [
        SetLists(of_side, listed.ends, len(labels), listed.nulls, labels)
        for of_side, listed in zip(codes, read.values(), strict=True)
    ]
    return sets, labels


class _Listed(NamedTuple):
    """The names of all rows one after the other, and where those of each row end."""

    items: pl.Series
    ends: npt.NDArray[np.int64]
    nulls: Bools | None


def _listed(series: pl.Series) -> _Listed:
    nulls = series.is_null().to_numpy() if series.null_count() else None
    sets = pl.col("sets")
    # One query for both: of few rows queries are what takes time.
    parts = (
        series.alias("sets")
        .to_frame()
        .select(
            ends=sets.list.len().fill_null(0).cast(pl.Int64).cum_sum().implode(),
            items=sets.explode(empty_as_null=False, keep_nulls=False).implode(),
        )
    )
    return _Listed(parts["items"].item(), parts["ends"].item().to_numpy(), nulls)


def _is_other_kind(dtype: Any, labels: list[Label]) -> bool:
    texts = dtype == pl.String or isinstance(dtype, (pl.Categorical, pl.Enum))
    return texts != isinstance(labels[0], str)
