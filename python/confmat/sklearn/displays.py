"""scikit-learn's display of a confusion matrix, as a chart of Altair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted

from confmat.objects.matrix import ConfusionMatrix
from confmat.sklearn.confusion import confusion_matrix

if TYPE_CHECKING:
    import altair as alt
    from typing_extensions import Self

__all__ = ["ConfusionMatrixDisplay"]


class Display:
    """A chart, and the numbers that it shows as attributes.

    Attributes
    ----------
    chart : altair.Chart
        Notebooks show it; `.save("roc.png")`, `.svg` and `.html` need no browser.
    """

    chart: alt.VConcatChart | alt.LayerChart

    def __init__(self, chart: Any, **shown: Any) -> None:
        self.chart = chart
        for name, value in shown.items():
            setattr(self, name, value)

    def plot(self) -> Any:
        """Return the chart."""
        return self.chart

    def save(self, path: Any, **options: Any) -> None:
        """Save the chart as PNG, SVG, HTML or JSON, by the end of the name."""
        self.chart.save(path, **options)

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> Any:
        return self.chart._repr_mimebundle_(*args, **kwargs)


class ConfusionMatrixDisplay(Display):
    """A confusion matrix as a heat map, as scikit-learn's class of this name has it.

    Attributes
    ----------
    confusion_matrix : ndarray of shape (K, K)
        True classes down, predicted ones across.
    display_labels : list
        The names of the classes.
    chart : altair.LayerChart
        The picture.

    Examples
    --------
    >>> from confmat.sklearn import ConfusionMatrixDisplay
    >>> shown = ConfusionMatrixDisplay.from_predictions([0, 0, 1, 1], [0, 1, 1, 1])
    >>> shown.confusion_matrix.tolist()
    [[1, 1], [0, 2]]
    >>> shown.save("matrix.png")  # doctest: +SKIP
    """

    confusion_matrix: Any
    display_labels: list[Any]

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        normalize: str | None = None,
        display_labels: Any = None,
        title: str | None = None,
        width: float | None = None,
    ) -> Self:
        """Draw true against predicted classes.

        Parameters
        ----------
        y_true, y_pred, labels, sample_weight, normalize
            As of `confusion_matrix`; `normalize` is also what shades the cells.
        display_labels : array-like of shape (K,), optional
            Names of the classes. Default: the labels.
        title, width
            As of `ConfusionMatrix.plot`.
        """
        counts = confusion_matrix(y_true, y_pred, labels=labels, sample_weight=sample_weight)
        if display_labels is None:
            display_labels = unique_labels(y_true, y_pred) if labels is None else labels
        names = np.asarray(display_labels).tolist()
        shares = counts
        if normalize is not None:
            options = {"labels": labels, "sample_weight": sample_weight, "normalize": normalize}
            shares = confusion_matrix(y_true, y_pred, **options)
        m = ConfusionMatrix(counts, names if len(set(names)) == len(names) else None)
        chart = m.plot(normalize, title=title, width=width)  # type: ignore[arg-type]
        return cls(chart, confusion_matrix=shares, display_labels=names)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **options: Any) -> Self:
        """Draw the predictions of a fitted classifier; options as of `from_predictions`."""
        check_is_fitted(estimator)
        return cls.from_predictions(y, estimator.predict(X), **options)
