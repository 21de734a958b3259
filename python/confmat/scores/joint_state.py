"""The state of two scores of the same rows: a sweep of each, and how often their bins meet."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import polars as pl

from confmat import _core
from confmat.core_state import CoreState
from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.joint_codes import series_of
from confmat.scores.from_rows import swept
from confmat.scores.grid import UNIT
from confmat.scores.state import ScoreState

ARGUMENTS = ("y_true", "y_score_a", "y_score_b")
WEIGHT = "sample_weight"
CELLS = ("positive", "bin_a", "bin_b", "amount")


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
                f"`{argument}` has {len(values)} rows and `y_true` {len(columns['y_true'])}; "
                "wanted as many"
            )
    rows = joint_rows(pl.DataFrame(list(columns.values())), pos_label, nan)
    known = rows.cells.drop_nulls()
    n_dropped, n_nan = int(rows.is_null.sum()), int(rows.is_nan.sum())
    return joined(*rows.sweeps, known, n_dropped, n_nan)


def joined(
    a: _core.SweepState, b: _core.SweepState, cells: pl.DataFrame, n_dropped: int, n_nan: int
) -> _core.JointScores:
    """Return the state of two sweeps and the columns `CELLS` of the same rows."""
    positive, bin_a, bin_b, amount = (cells[name].to_numpy() for name in CELLS)
    return _core.JointScores(a, b, positive, bin_a, bin_b, amount, n_dropped, n_nan)


class JointRows(NamedTuple):
    """Rows with two scores, as they are counted.

    `truth` is null where a row is left out, and so are `cells`, whose columns are `CELLS`; `sweeps`
    are of all rows.
    """

    truth: pl.Series
    cells: pl.DataFrame
    is_null: pl.Series
    is_nan: pl.Series
    sweeps: tuple[_core.SweepState, _core.SweepState]


def joint_rows(
    rows: pl.DataFrame, pos_label: Label | None, nan: Literal["raise", "drop"]
) -> JointRows:
    """Read columns that are called by their arguments.

    Raises
    ------
    InputError
        What `cm.sweep` refuses, with the row and the argument.
    """
    truth, a, b = rows.select(ARGUMENTS).get_columns()
    weight = rows[WEIGHT] if WEIGHT in rows.columns else None
    is_null = truth.is_null() | _nan_of(truth) | a.is_null() | b.is_null()
    if weight is not None:
        is_null |= weight.is_null()
    is_nan = (_nan_of(a) | _nan_of(b)) & ~is_null
    is_known = ~(is_null | is_nan)
    # Columns keep their length, so that messages name their rows.
    known = truth.zip_with(is_known, pl.Series([None], dtype=truth.dtype))
    refusing = truth.zip_with(~is_null, pl.Series([None], dtype=truth.dtype))
    swept_from = known if nan == "drop" else refusing
    of_a, of_b = (_swept(swept_from, one, weight, pos_label, nan) for one in (a, b))
    is_positive = pl.Series([None] * len(known), dtype=pl.Boolean)
    if known.dtype != pl.Null:
        is_positive = known == of_a.positive
    cells = [is_positive.cast(pl.Int32), _bins_of(a), _bins_of(b), _amounts(weight, len(known))]
    frame = pl.DataFrame(dict(zip(CELLS, cells, strict=True)))
    frame = frame.select(pl.when(is_known).then(pl.all()))
    return JointRows(known, frame, is_null, is_nan, (of_a, of_b))


def _nan_of(values: pl.Series) -> pl.Series:
    found: pl.Series = pl.Series([False]).new_from_index(0, len(values))
    if values.dtype.is_float():
        found = values.is_nan().fill_null(value=False)
    return found


def _swept(
    truth: pl.Series,
    scores: pl.Series,
    weight: pl.Series | None,
    pos_label: Label | None,
    nan: Literal["raise", "drop"],
) -> _core.SweepState:
    try:
        return swept(truth, scores, sample_weight=weight, pos_label=pos_label, bins=UNIT, nan=nan)
    except InputError as error:
        raise InputError(str(error).replace("`y_score`", f"`{scores.name}`")) from None


def _bins_of(scores: pl.Series) -> pl.Series:
    return pl.Series(_core.unit_bins(scores.cast(pl.Float64).fill_null(0.0).to_numpy()))


def _amounts(weight: pl.Series | None, rows: int) -> pl.Series:
    out: pl.Series = pl.Series([1]).new_from_index(0, rows)
    if weight is not None:
        out = weight.cast(pl.Float64 if weight.dtype.is_float() else pl.Int64)
    return out
