"""Joint counts of what two models predict, for each slice of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.frames.interruptible import collected
from confmat.frames.state_queries import JOINT, grouped_states
from confmat.frames.states import state
from confmat.labels import Label
from confmat.matrices.joint_codes import (
    ARGUMENTS,
    classes_of,
    given_labels,
    known_rows,
    pairs_of,
    triples_of,
)
from confmat.objects.joint_matrix import checked_classes

_TRIPLE = tuple(f"__joint_{name}" for name in ARGUMENTS)
_N, _WEIGHT = "__joint_n", "__joint_weight"
_PAIRS = ("__joint_truth", "__joint_pair", "__joint_other")


def joint_counts(
    frame: pl.DataFrame | pl.LazyFrame,
    columns: Sequence[str],
    keys: Sequence[str | pl.Expr],
    labels: Any,
    sample_weight: str | None,
    other: str,
) -> pl.DataFrame:
    """Return the keys, sorted, and the state `joint` of truth and two predictions."""
    lazy = frame.lazy()
    schema = lazy.collect_schema()
    names = lazy.select(keys).collect_schema().names() if keys else []
    triple = [pl.col(name).alias(to) for to, name in zip(_TRIPLE, columns, strict=True)]
    wanted, is_given = given_labels(labels, [_categories(schema[name]) for name in columns])
    if sample_weight is not None:
        rows = lazy.select(*keys, *triple, pl.col(sample_weight).alias(_WEIGHT)).collect()
        return _weighted(rows, names, wanted, is_given, other)
    query = lazy.group_by(*keys, *triple).agg(pl.len().cast(pl.Int64).alias(_N))
    height = frame.height if isinstance(frame, pl.DataFrame) else None
    cells = query.collect(engine="streaming") if height is None else collected(query, height)
    classes = classes_of(known_rows(_triples(cells)), wanted, is_given)
    if classes.outsider is not None and other == "raise":
        checked_classes(_triples(lazy.select(triple).collect()), wanted, is_given, other)
    starts = np.array([0, cells.height], dtype=np.int64)
    slices = pl.DataFrame()
    if keys:
        slices = cells.group_by(names).agg(pl.col(*_TRIPLE, _N)).sort(names, nulls_last=True)
        starts = np.concatenate([[0], slices[_N].list.len().cast(pl.Int64).cum_sum().to_numpy()])
        items = pl.col(*_TRIPLE, _N).explode(empty_as_null=False)
        cells = slices.select(items) if slices.height else cells
        slices = slices.select(names)
    codes = triples_of(cells.select(_TRIPLE), classes.labels)
    n = cells[_N].to_numpy()
    made = _core.joint_states(*codes, n, starts, classes.labels, classes.origin)
    return _beside(slices, made)


def _weighted(
    rows: pl.DataFrame, names: list[str], wanted: list[Label] | None, is_given: bool, other: str
) -> pl.DataFrame:
    """Sum the weights of pairs of codes in each slice, as states of matrices do: exactly."""
    has_weight = rows[_WEIGHT].is_not_null()
    triples = _triples(rows).select(pl.when(has_weight).then(pl.all()))
    classes = checked_classes(triples, wanted, is_given, other)
    codes = triples_of(triples, classes.labels)
    pairs = dict(zip(_PAIRS, pairs_of(codes, len(classes.labels)), strict=True))
    truth, pair, is_other = _PAIRS
    sums = grouped_states(
        rows.select(*names, _WEIGHT).with_columns(**pairs),
        names,
        {JOINT: state(truth, pair, sample_weight=_WEIGHT), is_other: pl.col(is_other).sum()},
    )
    made = [
        _core.joint_of_pairs(
            _core.Counts.from_bytes(data), classes.labels, classes.origin, n_other
        ).to_bytes()
        for data, n_other in sums.select(JOINT, is_other).rows()
    ]
    return _beside(sums.select(names), made)


def _beside(keys: pl.DataFrame, states: list[bytes]) -> pl.DataFrame:
    return pl.DataFrame([*keys.get_columns(), pl.Series(JOINT, states, dtype=pl.Binary)])


def _triples(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.col(old).alias(new) for old, new in zip(_TRIPLE, ARGUMENTS, strict=True))


def _categories(dtype: Any) -> list[Label] | None:
    known = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else []
    return known or None
