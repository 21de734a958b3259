"""Scores of many slices, batch after batch, within a bound of memory, and their states."""

from __future__ import annotations

from typing import Any, Literal

import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.inputs import column, label_column
from confmat.labels import Label, one_label
from confmat.options import check_choice


class SliceBins:
    """The states of scores in "unit" bins of many slices, from batches of their rows.

    Where the rows need more than `max_bytes`, bins of all slices become those of a coarser level,
    the finest one that fits: it follows from the rows alone, not from their order or batches. A
    slice of few rows is kept as a list of its scores, 4 bytes each for float32 and 8 for others;
    one whose list would take more than 2 bytes a bin takes 6: for its counts, for rows that wait to
    be counted, and for its state; and 20 for every 256 rows, but 16 a bin at most, as counts of
    more than 255 rows take more.

    Beside `max_bytes` a batch takes 12 or 24 bytes a row, at most 24 MB; a slice of many rows whose
    bins hold one score each takes 4 or 8 bytes for each of these scores. While bins become those
    of a coarser level, rows can take up to twice the room for a moment; what finer bins took in
    small pieces is only used again for slices, so that counts of more than 255 rows can come on
    top of it: 81 MB were taken of 47 MB allowed, by 4,000 slices of 400,000 rows.

    Parameters
    ----------
    max_bytes : int
        For lists and bins of all slices.
    pos_label : int, bool or str, optional
        The positive class; default 1 or True.
    nan : {"raise", "drop"}, default "raise"
        Refuse nan scores, or leave their rows out.
    threads : int, default 0
        At most so many; 0 for one a core.
    limit : str
        What errors call `max_bytes`.

    Examples
    --------
    >>> import confmat as cm
    >>> import numpy as np
    >>> from confmat.scores.slice_bins import SliceBins
    >>> bins = SliceBins(1 << 30)
    >>> bins.add(np.array([0, 1, 1], np.uint32), [0, 1, 1], [0.1, 0.7, 0.6], n_slices=2)
    >>> bins.add(np.array([1, 0], np.uint32), [0, 1], [0.2, 0.9], n_slices=2)
    >>> [cm.from_bytes(state).roc_auc for state in bins.states()]
    [1.0, 1.0]
    >>> bins.n_slices, bins.level
    (2, 0)
    """

    __slots__ = ("_bins",)

    def __init__(
        self,
        max_bytes: int,
        *,
        pos_label: Label | None = None,
        nan: Literal["raise", "drop"] = "raise",
        threads: int = 0,
        limit: str = "`max_bytes`",
    ) -> None:
        check_choice("nan", nan, "raise", "drop")
        label = None if pos_label is None else one_label(pos_label, "pos_label")
        self._bins = _core.SliceBins(max_bytes, label, nan == "drop", threads, limit)

    def add(
        self, slices: Any, y_true: Any, y_score: Any, n_slices: int, *, rows_before: int = 0
    ) -> None:
        """Add rows.

        Parameters
        ----------
        slices : array-like of uint32, shape (n,)
            The slice of each row, below `n_slices`.
        y_true, y_score : array-like, shape (n,)
            As in `cm.sweep`; all batches have labels of one kind and scores of one dtype. Rows
            with a null count as left out of their slice.
        n_slices : int
            How many slices there are so far.
        rows_before : int, default 0
            Of earlier batches: errors name rows as if they were rows of one column.

        Raises
        ------
        InputError
            As in `cm.sweep`; rows whose slices need more than `max_bytes` in the coarsest bins.
            An error that comes after some rows were added, or an interrupt, ends all: so it does
            where a batch has more than 2**20 rows.
        """
        scores = column(y_score, "y_score")
        truth = coded(label_column(y_true, "y_true").data)
        of = column(slices, "slices").data
        self._bins.add(of, truth, scores.data, n_slices, scores.half, rows_before)

    def states(self) -> pl.Series:
        """Return the state of each slice, in order: Binary, the bytes of `cm.state` of its rows."""
        return pl.Series(self._bins.states()).alias("state")

    @property
    def n_slices(self) -> int:
        """How many slices there are."""
        return self._bins.n_slices

    @property
    def level(self) -> int:
        """The level of the bins: 0 for the finest, 8 for the coarsest."""
        return self._bins.level

    @property
    def bytes(self) -> int:
        """What rows take of `max_bytes`, counts of more than 255 of a bin and class apart."""
        return self._bins.bytes
