"""The state of a sweep: positives and negatives at each score, and their totals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.core_state import CoreState
from confmat.labels import Label, shown
from confmat.scores.clipping import ScoreType, clip_of
from confmat.scores.grid import Bins

if TYPE_CHECKING:
    from typing_extensions import Self

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[Any]  # uint32, uint64 or float64
Totals: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
_AT_ONCE = 1 << 22


class ScoreState(CoreState):
    """Scores in descending order with the positives and negatives at each. Immutable.

    An exact sweep has one entry for each distinct score; a binned one has one for each bin
    [lower, upper) that is not empty. `_scores` is None where a bin may hold several; then the lower
    edges stand for them in `_at`.
    """

    __slots__ = (
        "_at",
        "_bins",
        "_counted",
        "_fp",
        "_labels",
        "_lower",
        "_negatives",
        "_positives",
        "_score_type",
        "_scores",
        "_squares",
        "_state",
        "_tp",
        "_upper",
        "n_dropped",
        "n_nan",
    )

    _core_class = _core.SweepState
    _merge = staticmethod(_core.merge_sweeps)

    _state: _core.SweepState
    _counted: ScoreState | None  # the rows, where their shares were set: these are then known
    _at: npt.NDArray[Any]
    _scores: npt.NDArray[Any] | None
    _lower: Floats | None
    _upper: Floats | None
    _bins: Bins | None
    _positives: Counts
    _negatives: Counts
    _squares: tuple[Floats, Floats] | None  # of float weights, of positives and of negatives
    _labels: tuple[Label | None, Label]  # negative: None where no row is
    _tp: Totals | None
    _fp: Totals | None
    _score_type: ScoreType
    n_dropped: int
    n_nan: int

    @classmethod
    def _around(cls, state: _core.SweepState) -> Self:
        """Build around a state, whose arrays are shared and read-only."""
        made = cls.__new__(cls)
        put = object.__setattr__
        put(made, "_state", state)
        put(made, "_counted", None)
        put(made, "_scores", state.scores)
        put(made, "_lower", state.lower)
        put(made, "_upper", state.upper)
        put(made, "_bins", state.bins)
        put(made, "_positives", state.positives)
        put(made, "_negatives", state.negatives)
        put(made, "_squares", state.squares)
        put(made, "_at", made._lower if made._scores is None else made._scores)
        put(made, "_labels", (state.negative, state.positive))
        put(made, "_tp", None)
        put(made, "_fp", None)
        put(made, "n_dropped", state.n_dropped)
        put(made, "n_nan", state.n_nan)
        put(made, "_score_type", state.score_type)
        return made

    def with_labels(self, negative: Label | None, positive: Label) -> Self:
        """Return the same sweep with other names of its classes."""
        made = self._around(self._state.with_labels(negative, positive))
        return made._from_rows_of(self._counted)

    def _from_rows_of(self, counted: ScoreState | None) -> Self:
        """Return this sweep, just built, whose rows were counted at the same scores by another."""
        object.__setattr__(self, "_counted", counted)
        return self

    @property
    def clip(self) -> float:
        """Log loss moves scores into [clip, 1 - clip]: the machine epsilon of their dtype."""
        return clip_of(self._score_type)

    @property
    def is_exact(self) -> bool:
        """Whether the distinct scores are known, so that every number is that of an exact sweep.

        Always of an exact sweep; of a binned one while each of its bins holds one score alone.
        """
        return self._scores is not None

    def _edges(self) -> tuple[Floats, Floats]:
        """Return the lower and upper edges of the bins that are not empty. Needs: it has bins."""
        assert self._lower is not None
        assert self._upper is not None
        return self._lower, self._upper

    @property
    def positives(self) -> Counts:
        """Positive rows at each score or bin: uint32 or uint64, or float64 for weights."""
        return self._positives

    @property
    def negatives(self) -> Counts:
        """Negative rows at each score or bin, of the same dtype as `positives`."""
        return self._negatives

    @property
    def tp(self) -> Totals:
        """Positives at or above each threshold: int64, or float64 for weights. Read-only."""
        if self._tp is None:
            object.__setattr__(self, "_tp", _cumulative(self._positives))
        return self._tp  # type: ignore[return-value]

    @property
    def fp(self) -> Totals:
        """Negatives at or above each threshold: int64, or float64 for weights. Read-only."""
        if self._fp is None:
            object.__setattr__(self, "_fp", _cumulative(self._negatives))
        return self._fp  # type: ignore[return-value]

    @property
    def labels(self) -> list[Label]:
        """The two classes, [negative, positive].

        Where no row is negative and `pos_label` is not 0 or 1, the negative class has no name of
        its own: it is 0 or 1, whichever is not positive, or "not ..." of a text.
        """
        negative, positive = self._labels
        return [_other_than(positive) if negative is None else negative, positive]

    @property
    def pos_label(self) -> Label:
        """The positive class."""
        return self._labels[1]

    @property
    def weighted(self) -> bool:
        """Whether the state holds sums of float weights rather than counts."""
        return bool(self._positives.dtype.kind == "f")

    def _effective_squares(self) -> tuple[Counts, Counts] | None:
        """Return the sums of squared weights at each score, of counts these; None: not known."""
        if self.weighted:
            return self._squares
        return self._positives, self._negatives

    def _squares_within(self) -> tuple[Floats, Floats] | None:
        """Return the squared weights as rates within classes take them; None: of counts, unknown.

        Where the shares of the classes were set, these are known also of rows that were counted.
        """
        if self._counted is None:
            return self._squares
        squares = self._counted._effective_squares()
        if squares is None:
            return None
        sizes = (self.n_positive, self.n_negative)
        before = (self._counted.n_positive, self._counted.n_negative)
        positives, negatives = (
            side * (size / old) ** 2 for side, size, old in zip(squares, sizes, before, strict=True)
        )
        return positives, negatives

    def _effective_rows(self) -> tuple[float, float]:
        """Return the rows of both classes, of weights Kish's effective number; nan: not known."""
        # Sums of the counts take less than the running ones.
        sums = [float(side.sum()) for side in (self._positives, self._negatives)]
        if not self.weighted:
            return sums[0], sums[1]
        known = self._squares_within()
        if known is None:
            return math.nan, math.nan
        found = []
        for total, side in zip(sums, known, strict=True):
            squares = float(side.sum())
            found.append(total * (total / squares) if squares > 0 else total and math.nan)
        return found[0], found[1]

    @property
    def n_positive(self) -> int | float:
        """Rows of the positive class, or the sum of their weights."""
        return self.tp[-1].item() if len(self.tp) else self._zero()

    @property
    def n_negative(self) -> int | float:
        """Rows of the negative class, or the sum of their weights."""
        return self.fp[-1].item() if len(self.fp) else self._zero()

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self.n_positive + self.n_negative

    def _zero(self) -> int | float:
        return 0.0 if self.weighted else 0

    def _start(self) -> bool:
        """Return whether a threshold of +inf predicts no row positive: no score is +inf."""
        return not len(self._at) or bool(self._at[0] < math.inf)

    def __len__(self) -> int:
        return len(self._at)

    def __repr__(self) -> str:
        what = "scores" if self._bins is None else "bins"
        extra = "".join(
            f", {name}={value}"
            for name, value in (("n_dropped", self.n_dropped), ("n_nan", self.n_nan))
            if value
        )
        negative, positive = (shown(label) for label in self.labels)
        return (
            f"<{type(self).__name__} of {len(self._at):,} {what}, n={self.n}, "
            f"positive {positive} ({self.n_positive}), negative {negative} "
            f"({self.n_negative}){extra}>"
        )


def _cumulative(parts: Counts) -> Totals:
    kind: Any = np.float64 if parts.dtype.kind == "f" else np.int64
    total: Totals = np.empty(len(parts), dtype=kind)
    for first in range(0, len(parts), _AT_ONCE):  # Ctrl-C is answered in between
        some = parts[first : first + _AT_ONCE].astype(kind)
        if first:
            some[0] += total[first - 1]
        np.cumsum(some, out=total[first : first + _AT_ONCE])
    total.flags.writeable = False
    return total


def _other_than(positive: Label) -> Label:
    if isinstance(positive, str):
        return f"not {positive}"
    return not positive if isinstance(positive, bool) else int(positive == 0)
