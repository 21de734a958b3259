"""Joint states of the scores of two models, for each slice of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat import _core
from confmat.frames.state_queries import JOINT, grouped_states
from confmat.frames.states import state
from confmat.labels import Label
from confmat.scores.joint_state import ARGUMENTS, CELLS, WEIGHT, joined, joint_rows

# What a frame is called by that is made of rows; keys may have any other name.
_TRUTH, _A, _B, _WEIGHT = (f"__joint_{name}" for name in (*ARGUMENTS, WEIGHT))
_IS_NULL, _IS_NAN, _SLICE = "__joint_is_null", "__joint_is_nan", "__joint_slice"


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
    names = lazy.select(keys).collect_schema().names() if keys else []
    own = [_TRUTH, _A, _B] if sample_weight is None else [_TRUTH, _A, _B, _WEIGHT]
    given = [*columns] if sample_weight is None else [*columns, sample_weight]
    read = [pl.col(name).alias(to) for to, name in zip(own, given, strict=True)]
    whole = lazy.select(*keys, *read).collect()
    arguments = dict(zip(own, (*ARGUMENTS, WEIGHT), strict=False))
    rows = joint_rows(whole.select(own).rename(arguments), pos_label, nan)
    whole = whole.with_columns(
        rows.truth.alias(_TRUTH), rows.is_null.alias(_IS_NULL), rows.is_nan.alias(_IS_NAN)
    )
    weight = None if sample_weight is None else _WEIGHT
    options: dict[str, Any] = {"pos_label": rows.sweeps[0].positive, "sample_weight": weight}
    slices = grouped_states(
        whole,
        names,
        {
            _A: state(_TRUTH, y_score=_A, nan="drop", **options),
            _B: state(_TRUTH, y_score=_B, nan="drop", **options),
            _IS_NULL: pl.col(_IS_NULL).sum(),
            _IS_NAN: pl.col(_IS_NAN).sum(),
        },
    )
    parts = zip(
        *(slices[name].to_list() for name in (_A, _B)),
        _cells_of(slices.select(names), whole.select(names), rows.cells),
        *(slices[name].to_list() for name in (_IS_NULL, _IS_NAN)),
        strict=True,
    )
    states = pl.Series(JOINT, [_state_of(*part) for part in parts], dtype=pl.Binary)
    return pl.DataFrame([*slices.select(names).get_columns(), states])


def _cells_of(slices: pl.DataFrame, keys: pl.DataFrame, cells: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the cells of the rows of each slice, in order."""
    if not slices.width:
        return [cells.drop_nulls()]
    at = keys.join(
        slices.with_row_index(_SLICE), on=slices.columns, how="left", nulls_equal=True
    ).get_column(_SLICE)
    known = cells.with_columns(at).drop_nulls().sort(_SLICE)
    lengths = dict(known[_SLICE].value_counts().iter_rows())
    out, first = [], 0
    for slice_at in range(slices.height):
        length = lengths.get(slice_at, 0)
        out.append(known.slice(first, length).select(CELLS))
        first += length
    return out


def _state_of(a: bytes, b: bytes, cells: pl.DataFrame, n_dropped: int, n_nan: int) -> bytes:
    of_a, of_b = (_core.SweepState.from_bytes(one) for one in (a, b))
    return joined(of_a, of_b, cells, n_dropped, n_nan).to_bytes()
