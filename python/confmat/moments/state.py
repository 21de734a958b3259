"""The state of a regression: exact sums over its rows."""

from __future__ import annotations

import math

from confmat import _core
from confmat.core_state import CoreState
from confmat.labels import Label
from confmat.moments.spread import Spread, spread_of


class MomentState(CoreState):
    """Sums over true and predicted numbers. Immutable."""

    __slots__ = ("_known", "_state")

    _core_class = _core.Moments
    _merge = staticmethod(_core.merge_moments)

    _state: _core.Moments
    _known: Spread

    @property
    def labels(self) -> tuple[Label, ...]:
        """There are none."""
        return ()

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._state.n if self._state.has_weights else self._state.rows

    @property
    def n_rows(self) -> int:
        """Rows counted, whatever they weigh."""
        return self._state.rows

    @property
    def n_nan(self) -> int:
        """Rows left out for a nan."""
        return self._state.n_nan

    @property
    def y_range(self) -> tuple[float, float]:
        """The least and the largest true value.

        nan where there are no rows, or where rows were taken away that may have had it.
        """
        bounds = self._state.least_truth, self._state.largest_truth
        return bounds if not math.isinf(bounds[0]) else (math.nan, math.nan)

    def _spread(self) -> Spread:
        """Return how truth and error vary together, found once."""
        if not hasattr(self, "_known"):
            object.__setattr__(self, "_known", spread_of(self._state))
        return self._known

    def holds(self, name: str) -> bool:
        """Return whether the state has the sums that a metric needs."""
        return self._state.holds(name)
