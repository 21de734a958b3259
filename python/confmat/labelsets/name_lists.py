"""Lists of label names, one a row, as places of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.labels import MAX_CLASSES, Label, listing
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
    for argument, series in sides.items():
        inner = series.dtype.inner  # type: ignore[attr-defined]
        if given is not None and _is_other_kind(inner, given) and series.list.len().sum():
            raise InputError(
                f"`{argument}` holds names of {inner}, and the labels are {listing(given)}"
            )
    columns = [(series, argument) for argument, series in sides.items()]
    read, found = _core.label_codes(columns, given, 0)
    labels = given or found or []
    if len(labels) > MAX_CLASSES:
        raise InputError(
            f"`{next(iter(sides))}` has {len(labels)} labels; at most {MAX_CLASSES} are possible"
        )
    return [
        SetLists(codes, ends, len(labels), nulls, labels) for codes, ends, nulls in read
    ], labels


def _is_other_kind(dtype: Any, labels: list[Label]) -> bool:
    texts = dtype == pl.String or isinstance(dtype, (pl.Categorical, pl.Enum))
    return texts != isinstance(labels[0], str)
