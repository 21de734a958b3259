"""What scores for sets of labels have in common, of rows or saved: the table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.attributes import ScoredSetsAttributes
from confmat.labelsets import averages, score_intervals, score_tables, screen
from confmat.labelsets.scored import LabelSweeps
from confmat.objects.base import ObjectBase
from confmat.objects.pictures import sweep_plots
from confmat.render.text import left_out, many

if TYPE_CHECKING:
    from confmat.objects.pictures import SweepPlots


class AnyMultilabelSweep(ScoredSetsAttributes, LabelSweeps, ObjectBase):
    """Every number of scores for sets of labels."""

    label: Any

    _what = "Scores"

    value = averages.value
    reason = averages.reason
    n_used = averages.n_used
    overall = score_tables.overall
    per_class = score_tables.per_class
    ci = score_intervals.ci
    _frames = screen.frames_of_scores

    @property
    def plot(self) -> SweepPlots:
        """Pictures of the sweep of each label: `s.plot.roc()`; see `Sweep.plot`."""
        return sweep_plots({label: self.label(label) for label in self.labels})

    def _names(self) -> tuple[str, ...]:
        return averages.NAMES

    def _title(self) -> str:
        rows = f"{self.n_rows:,} rows{left_out(self.n_dropped, self.n_nan)}"
        return f"{self._what} of {many(len(self.labels), 'label')}, {rows}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.labels)} labels, {self.n_rows} rows>"
