"""Sparse tables of 0 and 1, as SciPy has them: which rows have which labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.labels import MAX_CLASSES
from confmat.labelsets.indicators import WANTED, other_value, plain_numbers
from confmat.labelsets.set_lists import SetLists


def is_sparse(values: Any) -> bool:
    """Return whether these are a sparse table of SciPy, or act as one."""
    return hasattr(values, "tocsr")


def read_sparse(values: Any, argument: str) -> SetLists:
    """Return a sparse table as the labels of its rows; what is not stored is 0.

    Raises
    ------
    InputError
        Another shape or type, more labels than there may be, a value other than 0 and 1.
    """
    if len(values.shape) != 2 or not values.shape[1]:
        raise InputError(f"`{argument}` has shape {values.shape}; wanted {WANTED}")
    rows, width = values.shape
    if width > MAX_CLASSES:
        raise InputError(
            f"`{argument}` has {width} labels (columns); at most {MAX_CLASSES} are possible"
        )
    table = values.tocsr()
    if not table.has_canonical_format:
        table = table.copy() if table is values else table
        table.sum_duplicates()
    end = table.indptr[-1]
    stored, places = (np.asarray(part)[:end] for part in (table.data, table.indices))
    codes, ends = _core.sparse_lists(table.indptr, places, width, argument, 0)
    if len(stored) != len(codes):
        raise InputError(f"`{argument}` is a sparse matrix of rows that do not fit its values")
    numbers = plain_numbers(stored, argument)
    ones, missing, refused = _core.indicators([numbers], 1, argument, 0)
    if refused is not None:
        at = refused[0]
        row = int(np.searchsorted(ends, at, side="right"))
        raise other_value(stored[at], argument, row, int(places[at]))
    nulls = None
    if missing is not None:
        nulls = np.zeros(rows, dtype=np.bool_)
        nulls[np.searchsorted(ends, np.flatnonzero(missing), side="right")] = True
    is_there = ones[0]
    if not is_there.all():  # zeros may be stored, too
        codes = codes[is_there]
        ends = np.concatenate([[0], np.cumsum(is_there)])[ends]
    return SetLists(codes, ends, width, nulls, None)
