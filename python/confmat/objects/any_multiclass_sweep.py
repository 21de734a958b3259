"""What sweeps of many classes have in common, of rows or in bins: the table of contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from confmat.attributes import MulticlassAttributes
from confmat.multiclass import confidence, curves, losses, ranking, screen, tables, values
from confmat.multiclass.state import ClassSums
from confmat.objects.base import ObjectBase
from confmat.objects.pictures import sweep_plots
from confmat.render.text import left_out, many, number

if TYPE_CHECKING:
    from confmat.objects.pictures import SweepPlots


class AnyMulticlassSweep(MulticlassAttributes, ClassSums, ObjectBase):
    """Every number and curve of scores of many classes."""

    one_vs_rest: Any

    _in_bins = ""
    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("confusion_matrix", "matrix", "argmax", "at"),
            "`at_argmax()` is the confusion matrix of the most probable classes",
        ),
        **dict.fromkeys(("sweep", "binary"), "`one_vs_rest(label)` is the sweep of one class"),
    }

    value = values.value
    reason = values.reason
    n_used = values.n_used
    overall = tables.overall
    per_class = tables.per_class
    ci = confidence.ci
    _frames = screen.frames

    pair_table = ranking.pair_table
    top_k_accuracies = losses.top_k_accuracies

    roc_curve = curves.roc_curve
    pr_curve = curves.pr_curve

    @property
    def plot(self) -> SweepPlots:
        """Pictures of each class against the rest: `k.plot.roc()`; see `Sweep.plot`."""
        return sweep_plots({label: self.one_vs_rest(label) for label in self.labels})

    def _names(self) -> tuple[str, ...]:
        return values.NAMES

    def _title(self) -> str:
        what = "Scores" if self._sums["not_probabilities"] else "Probabilities"
        rows = f"n = {number(self.n, 2)}{left_out(self.n_dropped)}"
        return f"{what} of {many(len(self.labels), 'class')}{self._in_bins}, {rows}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.labels)} classes, n={self.n}>"
