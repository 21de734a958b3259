"""The state of two scores of the same rows: a sweep of each, and how often their bins meet."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.core_state import CoreState
from confmat.errors import InputError, Row
from confmat.labels import Label
from confmat.matrices.joint_codes import series_of
from confmat.scores.from_rows import swept
from confmat.scores.grid import UNIT
from confmat.scores.state import ScoreState

ARGUMENTS = ("y_true", "y_score_a", "y_score_b")
WEIGHT = "sample_weight"
CELLS = ("positive", "bin_a", "bin_b", "amount")
Columns: TypeAlias = tuple[
    npt.NDArray[np.int32], npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[Any]
]


class JointScoreState(CoreState):
    """Scores of two models, a and b, for the same rows. Immutable."""

    __slots__ = ("_state",)

    _state: _core.JointScores

    _core_class = _core.JointScores
    _merge = staticmethod(_core.merge_joint_scores)

    @property
    def labels(self) -> list[Label]:
        """The two classes, [negative, positive]."""
        return of_model(self, "a").labels

    @property
    def pos_label(self) -> Label:
        """The positive class."""
        return of_model(self, "a").pos_label

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return of_model(self, "a").n

    @property
    def n_nan(self) -> int:
        """Rows left out for a nan score of either model."""
        return self._state.n_nan


def of_model(state: JointScoreState, model: Literal["a", "b"]) -> ScoreState:
    """Return the sweep of one of the models."""
    return ScoreState._around(state._state.sweep(model == "b"))


def counted(
    y_true: Any,
    y_score_a: Any,
    y_score_b: Any,
    *,
    pos_label: Label | None,
    sample_weight: Any,
    nan: Literal["raise", "drop"],
) -> _core.JointScores:
    """Count the rows that have a value in each column; `cm.joint_sweep` says more."""
    given = dict(zip(ARGUMENTS, (y_true, y_score_a, y_score_b), strict=True))
    if sample_weight is not None:
        given[WEIGHT] = sample_weight
    columns = {argument: series_of(values, argument)[0] for argument, values in given.items()}
    for argument, values in columns.items():
        if len(values) != len(columns["y_true"]):
            raise InputError(
                f"`y_true` has {len(columns['y_true'])} rows, `{argument}` has {len(values)}"
            )
    frame = pl.DataFrame(list(columns.values()))
    rows = joint_rows(frame, nan)
    of_a, of_b = (_swept(rows.truth, frame, name, pos_label) for name in ARGUMENTS[1:])
    columns_held = columns_of(held(rows.cells(of_a.positive)))
    n_dropped, n_nan = int(rows.is_null.sum()), int(rows.is_nan.sum())
    return _core.JointScores(of_a, of_b, *columns_held, n_dropped, n_nan)


def held(cells: pl.DataFrame) -> pl.DataFrame:
    """Return the cells of rows that count: those of weight 0 are not there."""
    return cells.drop_nulls().filter(pl.col("amount") != 0)


def columns_of(cells: pl.DataFrame) -> Columns:
    """Return the columns `CELLS` as the core reads them."""
    positive, bin_a, bin_b, amount = (cells[name].to_numpy() for name in CELLS)
    return positive, bin_a, bin_b, amount


class JointRows(NamedTuple):
    """Rows with two scores; `truth` is null where a row is left out."""

    frame: pl.DataFrame
    truth: pl.Series
    is_null: pl.Series
    is_nan: pl.Series

    def cells(self, positive: Label) -> pl.DataFrame:
        """Return the columns `CELLS`, null where a row is left out."""
        is_positive = pl.Series([None], dtype=pl.Boolean).new_from_index(0, len(self.truth))
        if self.truth.dtype != pl.Null:
            is_positive = self.truth == positive
        weight = self.frame[WEIGHT] if WEIGHT in self.frame.columns else None
        bins = [_bins_of(self.frame[name]) for name in ARGUMENTS[1:]]
        columns = [is_positive.cast(pl.Int32), *bins, _amounts(weight, len(self.truth))]
        whole = pl.DataFrame(dict(zip(CELLS, columns, strict=True)))
        return whole.select(pl.when(self.truth.is_not_null()).then(pl.all()))


def joint_rows(frame: pl.DataFrame, nan: Literal["raise", "drop"]) -> JointRows:
    """Say which rows count, of columns that are called by their arguments.

    Raises
    ------
    InputError
        A nan score, unless these rows are dropped.
    """
    truth, a, b = frame.select(ARGUMENTS).get_columns()
    is_null = truth.is_null() | _nan_of(truth) | a.is_null() | b.is_null()
    if WEIGHT in frame.columns:
        is_null |= frame[WEIGHT].is_null()
    for scores in (a, b):
        bad = _nan_of(scores) & ~is_null
        if nan == "raise" and bad.any():
            raise InputError(
                "nan ",
                Row(bad.arg_max() or 0),
                f' of `{scores.name}`; wanted numbers, or nan="drop" to leave these rows out',
            )
    is_nan = (_nan_of(a) | _nan_of(b)) & ~is_null
    # The column keeps its length, so that messages name its rows.
    known = truth.zip_with(~(is_null | is_nan), pl.Series([None], dtype=truth.dtype))
    return JointRows(frame, known, is_null, is_nan)


def _nan_of(values: pl.Series) -> pl.Series:
    found: pl.Series = pl.Series([False]).new_from_index(0, len(values))
    if values.dtype.is_float():
        found = values.is_nan().fill_null(value=False)
    return found


def _swept(
    truth: pl.Series, frame: pl.DataFrame, name: str, pos_label: Label | None
) -> _core.SweepState:
    weight = frame[WEIGHT] if WEIGHT in frame.columns else None
    return swept(
        truth,
        frame[name],
        sample_weight=weight,
        pos_label=pos_label,
        bins=UNIT,
        nan="drop",
        score_argument=name,
    )


def _bins_of(scores: pl.Series) -> pl.Series:
    return pl.Series(_core.unit_bins(scores.cast(pl.Float64).fill_null(0.0).to_numpy()))


def _amounts(weight: pl.Series | None, rows: int) -> pl.Series:
    out: pl.Series = pl.Series([1]).new_from_index(0, rows)
    if weight is not None:
        out = weight.cast(pl.Float64 if weight.dtype.is_float() else pl.Int64)
    return out
