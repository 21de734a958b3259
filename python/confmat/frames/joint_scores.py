"""Joint states of the scores of two models, for each slice of a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat import _core
from confmat.frames.state_queries import JOINT, grouped_states
from confmat.frames.states import state
from confmat.labels import Label
from confmat.scores.from_rows import swept
from confmat.scores.joint_state import (
    ARGUMENTS,
    WEIGHT,
    Columns,
    columns_of,
    held,
    joint_rows,
)

_A, _B, _KEY, _SLICE = "__joint_a", "__joint_b", "__joint_key_", "__joint_slice"
_IS_NULL, _IS_NAN = "__joint_is_null", "__joint_is_nan"


def joint_scores(
    frame: pl.DataFrame | pl.LazyFrame,
    columns: Sequence[str],
    keys: Sequence[str | pl.Expr],
    pos_label: Label | None,
    sample_weight: str | None,
    nan: Literal["raise", "drop"],
) -> pl.DataFrame:
    """Return the keys, sorted, and the state `joint` of truth and two scores."""
    lazy = frame.lazy()
    own = ARGUMENTS if sample_weight is None else (*ARGUMENTS, WEIGHT)
    given = columns if sample_weight is None else [*columns, sample_weight]
    read = [pl.col(name).alias(to) for to, name in zip(own, given, strict=True)]
    values = lazy.select(read).collect()
    sliced = lazy.select(keys).collect() if keys else pl.DataFrame()
    # Keys may be called as anything is here.
    private = sliced.rename({name: f"{_KEY}{at}" for at, name in enumerate(sliced.columns)})
    rows = joint_rows(values, nan)
    truth, a, b = ARGUMENTS
    options: dict[str, Any] = {"pos_label": pos_label, "nan": "drop"}
    options["sample_weight"] = None if sample_weight is None else WEIGHT
    counted = values.with_columns(rows.truth.alias(truth))
    counted = counted.with_columns(rows.is_null.alias(_IS_NULL), rows.is_nan.alias(_IS_NAN))
    slices = grouped_states(
        counted.hstack(private),
        private.columns,
        {
            _A: state(truth, y_score=a, **options),
            _B: state(truth, y_score=b, **options),
            _IS_NULL: pl.col(_IS_NULL).sum(),
            _IS_NAN: pl.col(_IS_NAN).sum(),
        },
    )
    cells = rows.cells(_positive(rows.truth) if pos_label is None else pos_label)
    parts = zip(
        *(slices[name].to_list() for name in (_A, _B)),
        _cells_of(slices.select(private.columns), private, cells),
        *(slices[name].to_list() for name in (_IS_NULL, _IS_NAN)),
        strict=True,
    )
    states = pl.Series(JOINT, [_state_of(*part) for part in parts], dtype=pl.Binary)
    found = slices.select(private.columns).rename(
        dict(zip(private.columns, sliced.columns, strict=True))
    )
    return pl.DataFrame([*found.get_columns(), states])


def _positive(truth: pl.Series) -> Label:
    """Return the positive class of labels that have a usual one. Raises InputError: they do not."""
    nothing = pl.Series([0.0]).new_from_index(0, len(truth))
    return swept(truth, nothing).positive


def _cells_of(slices: pl.DataFrame, keys: pl.DataFrame, cells: pl.DataFrame) -> Iterator[Columns]:
    """Yield the cells of the rows of each slice, in order."""
    if not slices.width:
        yield columns_of(held(cells))
        return
    at = keys.join(
        slices.with_row_index(_SLICE), on=slices.columns, how="left", nulls_equal=True
    ).get_column(_SLICE)
    known = held(cells.with_columns(at)).sort(_SLICE)
    positive, bin_a, bin_b, amount = columns_of(known)
    ends = np.searchsorted(known[_SLICE].to_numpy(), np.arange(slices.height), side="right")
    for first, last in zip([0, *ends], ends, strict=False):
        rows = slice(first, last)
        yield positive[rows], bin_a[rows], bin_b[rows], amount[rows]


def _state_of(a: bytes, b: bytes, cells: Columns, n_dropped: int, n_nan: int) -> bytes:
    of_a, of_b = (_core.SweepState.from_bytes(one) for one in (a, b))
    return _core.JointScores(of_a, of_b, *cells, n_dropped, n_nan).to_bytes()
