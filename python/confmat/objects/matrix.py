"""The confusion matrix: counted from two columns of labels, or made from given counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from confmat import _core, positive_class, registry
from confmat.attributes import MatrixAttributes
from confmat.labels import MAX_CLASSES, Label, label_set
from confmat.matrices import confidence, gradients, heatmap, hypotheses, summary, tables
from confmat.matrices import values as numbers
from confmat.matrices import views as derived
from confmat.matrices.adequacy import adequacy
from confmat.matrices.adjusted_information import adjusted_mutual_information
from confmat.matrices.agreement import agreement
from confmat.matrices.aickin import aickin_alpha
from confmat.matrices.base import MatrixBase
from confmat.matrices.baselines import baselines
from confmat.matrices.cells import read_cells
from confmat.matrices.class_costs import class_costs
from confmat.matrices.class_entropies import class_entropies
from confmat.matrices.confidence_region import confidence_region
from confmat.matrices.explain import explain
from confmat.matrices.interpretation import interpretation
from confmat.matrices.json_text import of_json, to_json
from confmat.matrices.long_frame import to_polars
from confmat.matrices.normalize import Normalization, normalize
from confmat.matrices.relabel import pruned, relabel, subset
from confmat.matrices.top_confusions import top_confusions
from confmat.matrices.what_if import at_prevalence, with_label_noise, without_label_noise
from confmat.objects.base import Counted
from confmat.objects.class_report import classification_report
from confmat.objects.pictures import heat_map
from confmat.options import checked_smoothing

if TYPE_CHECKING:
    import altair as alt


class ConfusionMatrix(MatrixAttributes, MatrixBase, Counted):
    """A K x K confusion matrix, rows true, columns predicted, and every metric of it.

    Immutable; `+` merges, `-` takes away, `to_bytes`, `pickle` and `copy` work. Every metric of
    `list_metrics()` that needs no positive class is an attribute (`m.mcc`, `m.f1_macro`); where the
    positive class is known the others are too (`m.precision`).

    Parameters
    ----------
    counts : array-like of shape (K, K), dict of dicts, crosstab, long frame or ConfusionMatrix
        Non-negative cells. A dict of dicts is `{true: {pred: n}}`, missing cells being zero. A
        pandas crosstab has the true labels as index. A long frame has the columns `true`, `pred`
        and `count` (or `y_true`, `y_pred` and `n`); rows of the same cell are added up. A
        ConfusionMatrix is copied with all that it knows.
    labels : sequence of int, bool or str, optional
        The class labels in order. Default: 0, ..., K - 1 for an array; the categories of an Enum
        column; otherwise the sorted labels found.
    pos_label : label, optional
        The positive class: metrics about one class, such as `m.precision`, are of it. Default: 1
        or True of {0, 1}, {False, True} and {-1, 1}.

    Attributes
    ----------
    counts : ndarray of shape (K, K)
        int64, or float64 for weights; read-only.
    labels : tuple
    pos_label : label or None
        The positive class, where it is named or the usual one.
    n : int or float
        Rows counted, or the sum of their weights.
    n_dropped : int
        Rows left out for a null.
    n_other : int
        Rows left out for a label outside `labels`.
    smoothing : float
        Added to every cell before a metric; `counts` do not hold it.
    weights_sq : ndarray of shape (K, K) or None
        Sums of squared weights.
    class_sizes_known : bool
        Whether the numbers of rows of the true classes are known beforehand, as `at_prevalence`
        takes them: intervals are then of what happens within classes. Like `smoothing` kept by
        `pickle` and not by `to_bytes`, without which intervals are wider.

    Raises
    ------
    InputError
        Cells that are negative or not finite, a shape that is not square, labels that do not fit.

    Notes
    -----
    An undefined metric (0/0) is nan, without a warning; `m.reason(name)` says why, and
    `m.value(name, undefined=0.0)` replaces it.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> m.accuracy, m.mcc, m.precision
    (0.9, 0.8, 0.9)
    >>> m.labels, m.n
    ((0, 1), 200)
    >>> (m + m).n
    400
    """

    __slots__ = ()

    _index = "index with the name of a metric; the cells are in `counts`"
    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("matrix", "table", "cells", "to_numpy"), "the cells are in `counts`"),
        **dict.fromkeys(("merge", "add", "update"), "`+` and `sum` merge matrices"),
        **dict.fromkeys(("class_stat", "class_stats"), "did you mean `per_class`?"),
        **dict.fromkeys(("classes", "columns", "index"), "the classes are `labels`"),
        **dict.fromkeys(
            ("collapse", "group", "merge_classes", "rename"),
            "`relabel({old: new})` renames classes, and joins those of one new name",
        ),
        **dict.fromkeys(("reorder", "select", "filter"), "`subset(labels)` has these, in order"),
        "report": "did you mean `classification_report`? cm.evaluate(...).report(path) is a page",
        "shape": "there are len(m.labels) classes, and the cells are in `counts`",
        "summary": "`print(m)` shows one, `overall()` has all metrics of the matrix in a frame",
        "to_pandas": "did you mean `to_polars().to_pandas()`?",
    }

    value = numbers.value
    values = numbers.values
    reason = numbers.reason
    n_used = numbers.n_used
    ci = confidence.ci
    confidence_region = confidence_region
    gradient = gradients.gradient
    overall = tables.overall
    per_class = tables.per_class
    class_costs = class_costs
    class_entropies = class_entropies
    classification_report = classification_report
    interpretation = interpretation
    explain = explain

    one_vs_rest = derived.one_vs_rest
    one_vs_one = derived.one_vs_one
    pair_counts = derived.pair_counts
    balanced = derived.balanced
    relabel = relabel
    subset = subset
    pruned = pruned
    smooth = derived.smooth

    cost = derived.cost
    agreement = agreement
    aickin_alpha = aickin_alpha
    adjusted_mutual_information = adjusted_mutual_information
    baselines = baselines

    test = hypotheses.test
    adequacy = adequacy
    at_prevalence = at_prevalence
    with_label_noise = with_label_noise
    without_label_noise = without_label_noise

    normalize = normalize
    top_confusions = top_confusions
    to_polars = to_polars
    to_json = to_json

    __str__ = summary.text
    _repr_html_ = heatmap.html

    @property
    def eve_eigenvalues(self) -> npt.NDArray[np.float64]:
        """The eigenvalues of (P + Pᵀ) / 2, P the row-stochastic matrix; descending.

        One for each class that occurs in truth or prediction.
        """
        return _core.eve_eigenvalues(self._smoothed())

    @property
    def eve_bounds(self) -> tuple[float, float]:
        """Gershgorin's interval (1 - radius, 1 + radius), the diagonal scaled to 1."""
        return _core.eve_bounds(self._smoothed())

    @property
    def singular_values(self) -> npt.NDArray[np.float64]:
        """The singular values of C[i, j] / sqrt(r[i] c[j]), descending from 1.

        One for each class that occurs in truth or prediction.
        """
        return _core.singular_values(self._smoothed())

    def __init__(self, counts: Any, labels: Any = None, *, pos_label: Label | None = None) -> None:
        if isinstance(counts, ConfusionMatrix):
            self._hold(counts._state, counts.smoothing)
            if labels is not None:
                known = label_set(labels, most=MAX_CLASSES)
                self._hold(counts._state.renamed(known), counts.smoothing)
                if counts._positive is not None:
                    self._about(known[counts.labels.index(counts._positive)])
        else:
            cells, known, origin = read_cells(counts, labels)
            self._hold(ConfusionMatrix._of(cells, known, origin=origin)._state, 0.0)
        self._about(positive_class.named(list(self._labels), pos_label))
        if isinstance(counts, ConfusionMatrix):
            self._knowing_class_sizes(counts.class_sizes_known)
            if counts._mixed is not None:
                self._mixing(*counts._mixed)

    @classmethod
    def from_json(cls, text: str | bytes) -> ConfusionMatrix:
        """Return the matrix that `to_json` wrote.

        Parameters
        ----------
        text : str or bytes
            JSON as `to_json` gives it; all but what it is, the labels and the counts may be
            missing.

        Returns
        -------
        ConfusionMatrix

        Raises
        ------
        InputError
            Text that is no JSON or no such object; cells that no matrix has.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.ConfusionMatrix.from_json(
        ...     '{"confmat": "confusion matrix", "version": 1,'
        ...     ' "labels": ["cat", "dog"], "counts": [[3, 1], [0, 2]]}'
        ... )
        >>> m.accuracy, m.labels
        (0.8333333333333334, ('cat', 'dog'))
        """
        return of_json(cls, text)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return read_matrix, (self.to_bytes(), self.smoothing, self.class_sizes_known, self._mixed)

    def plot(
        self,
        normalize: Normalization | None = "true",
        *,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the matrix as a heat map, true classes down, predicted classes across.

        Parameters
        ----------
        normalize : {"true", "pred", "all", "bistochastic"} or None, default "true"
            The share that shades the cells and is written below the counts: of the true class
            (recall on the diagonal), of the predicted class, of all rows, or with rows and columns
            scaled to 1. None: counts only, shaded by count.
        title : str, optional
            In place of "Confusion matrix".
        width : float, optional
            Of the cells together, in pixels. Default: what their number and texts need.

        Returns
        -------
        altair.LayerChart
            Notebooks show it; `.save("matrix.png")`, `.svg` and `.html` need no browser. Right
            cells are blue and wrong ones orange; cells of a class without rows, whose share is
            0/0, are grey. Above 40 classes there is no text in the cells. A name that is cut has
            the whole as a tooltip.

        Raises
        ------
        InputError
            An unknown `normalize`, no class, or more than 200; a `title` or `width` that is none.
        ConfmatError
            Altair is not installed: `pip install 'confmat[plot]'`.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.ConfusionMatrix([[90, 10], [20, 80]], labels=["cat", "dog"])
        >>> chart = m.plot()
        >>> chart.title.text
        'Confusion matrix'
        >>> chart.save("matrix.svg")  # doctest: +SKIP
        """
        return heat_map(self, normalize, title, width)

    def _names(self) -> tuple[str, ...]:
        found = registry.names("overall") + registry.names("average")
        if self._positive is not None or positive_class.are_two(self._labels, None):
            found += registry.names("class")
        return found


def read_matrix(
    data: bytes, smoothing: float, class_sizes_known: bool = False, mixed: Any = None
) -> ConfusionMatrix:
    """Return the matrix that `to_bytes` wrote; what unpickling calls."""
    made = ConfusionMatrix._around(_core.Counts.from_bytes(data), checked_smoothing(smoothing))
    if mixed is not None:
        made._mixing(*mixed)
    return made._knowing_class_sizes(class_sizes_known)
