"""States as methods of the Polars expression namespace ``cm``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from confmat.frames import state_values, states
from confmat.frames.objects_by_group import IntoColumns
from confmat.frames.shown_options import options_of


class StateMethods:
    """States of a column of true classes, and what a column of states holds."""

    _expr: pl.Expr

    @options_of(states.state)
    def state(self, y_pred: IntoColumns | None = None, **options: Any) -> pl.Expr:
        """State of each group as bytes, which later queries merge; see `confmat.state`.

        Examples
        --------
        >>> import confmat
        >>> import polars as pl
        >>> log = pl.DataFrame({"day": [1, 1, 2, 2], "y": [0, 1, 1, 0], "s": [0.2, 0.9, 0.3, 0.4]})
        >>> days = log.group_by("day").agg(state=pl.col("y").cm.state(y_score="s"))
        >>> all_days = days.select(pl.col("state").cm.merge_states())
        >>> metrics = all_days.select(pl.col("state").cm.state_metrics(["roc_auc"]))
        >>> metrics.unnest("metrics").rows()  # n, n_dropped, the area, its bounds, is_exact
        [(4.0, 0, 0.75, 0.75, 0.75, True)]
        """
        return states.state(self._expr, y_pred, **options)

    def merge_states(self) -> pl.Expr:
        """Return the sum of the states in this column, of each group; null where there are none."""
        return states.merge_states(self._expr)

    @options_of(state_values.state_metrics)
    def state_metrics(self, metrics: Sequence[str] | str | None = None, **options: Any) -> pl.Expr:
        """Return metrics of the states in this column, of any kind, as one Struct.

        See `confmat.frames.state_values.state_metrics`.
        """
        return state_values.state_metrics(self._expr, metrics, **options)

    def state_curve(self, curve: Literal["roc", "pr"] = "roc") -> pl.Expr:
        """Return the ROC or the precision-recall curve of the states of scores in this column."""
        return state_values.state_curve(self._expr, curve)
