"""scikit-learn's displays of curves, as charts of Altair from scores that are counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.utils._response import _get_response_values_binary
from sklearn.utils.validation import _check_pos_label_consistency

from confmat.objects.sweeping import sweep
from confmat.plots.pictures import SweepPlots
from confmat.sklearn.areas import average_precision_score, roc_auc_score
from confmat.sklearn.calibration import calibration_curve
from confmat.sklearn.curves import det_curve, precision_recall_curve, roc_curve
from confmat.sklearn.displays import Display

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "CalibrationDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
]


class CurveDisplay(Display):
    """A picture of the scores of two classes."""

    _draws: ClassVar[str]  # a method of the pictures of a sweep
    _title: ClassVar[str]

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        width: float | None = None,
        **options: Any,
    ) -> Self:
        """Draw the curve of scores or probabilities of the positive class.

        Parameters
        ----------
        y_true, y_score, sample_weight, pos_label
            As of the function that gives the points.
        name : str, optional
            Of the model; the title says it.
        width : float, optional
            Of the panel, in pixels.
        **options
            As of the picture of a sweep, such as `ci` or `mark`; of calibration also `n_bins` and
            `strategy`.
        """
        rows = {"sample_weight": sample_weight, "pos_label": pos_label}
        shown = cls._points(y_true, y_score, rows, options)
        positive = _check_pos_label_consistency(pos_label, y_true)
        truth = np.asarray(np.ravel(np.asarray(y_true)) == positive)
        s = sweep(truth, y_score, pos_label=True, sample_weight=sample_weight)
        s = s.with_labels(*_names(np.asarray(y_true), positive))
        title = None if name is None else f"{cls._title}: {name}"
        chart = getattr(SweepPlots(s), cls._draws)(title=title, width=width, **options)
        return cls(chart, name=name, pos_label=positive, **shown)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Draw the scores of a fitted classifier of two classes.

        Parameters
        ----------
        estimator : classifier
            Fitted, of two classes.
        X, y : array-like
            Rows, and their true classes.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores.
        pos_label, name, **options
            As of `from_predictions`; the name is by default that of the estimator's class.
        """
        method = cls._response(response_method)
        scores, positive = _get_response_values_binary(estimator, X, method, pos_label)
        name = type(estimator).__name__ if name is None else name
        return cls.from_predictions(y, scores, pos_label=positive, name=name, **options)

    @classmethod
    def _response(cls, asked: str) -> str:
        return asked

    @classmethod
    def _points(
        cls, y_true: Any, y_score: Any, rows: dict[str, Any], options: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what the display has as attributes."""
        raise NotImplementedError


def _names(y_true: Any, positive: Any) -> tuple[Any, Any]:
    """Return names of the negative and the positive class."""
    others = [label for label in np.unique(y_true).tolist() if label != positive]
    return others[0] if len(others) == 1 else f"not {positive}", positive


class RocCurveDisplay(CurveDisplay):
    """A ROC curve, as scikit-learn's class of this name has it.

    Attributes
    ----------
    fpr, tpr : ndarray
        The points of `roc_curve`.
    roc_auc : float
        The area under them.
    name, pos_label
        Of the model, and of the positive class.
    chart : altair.LayerChart
        The picture.

    Examples
    --------
    >>> from confmat.sklearn import RocCurveDisplay
    >>> shown = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.roc_auc, shown.chart.title.text
    (0.75, 'ROC curve')
    """

    _draws, _title = "roc", "ROC curve"

    @classmethod
    def _points(cls, y_true: Any, y_score: Any, rows: Any, options: Any) -> dict[str, Any]:
        fpr, tpr, _ = roc_curve(y_true, y_score, **rows)
        truth = np.asarray(y_true) == _check_pos_label_consistency(rows["pos_label"], y_true)
        area = roc_auc_score(truth, y_score, sample_weight=rows["sample_weight"])
        return {"fpr": fpr, "tpr": tpr, "roc_auc": area}


class PrecisionRecallDisplay(CurveDisplay):
    """Precision against recall, as scikit-learn's class of this name has it.

    Attributes
    ----------
    precision, recall : ndarray
        The points of `precision_recall_curve`.
    average_precision : float
        The area under their steps.
    name, pos_label
        Of the model, and of the positive class.
    chart : altair.LayerChart
        The picture.

    Examples
    --------
    >>> from confmat.sklearn import PrecisionRecallDisplay
    >>> shown = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(shown.average_precision, 4)
    0.8333
    """

    _draws, _title = "pr", "Precision and recall"

    @classmethod
    def _points(cls, y_true: Any, y_score: Any, rows: Any, options: Any) -> dict[str, Any]:
        precision, recall, _ = precision_recall_curve(y_true, y_score, **rows)
        positive = _check_pos_label_consistency(rows["pos_label"], y_true)
        weight = rows["sample_weight"]
        area = average_precision_score(y_true, y_score, pos_label=positive, sample_weight=weight)
        return {"precision": precision, "recall": recall, "average_precision": area}


class DetCurveDisplay(CurveDisplay):
    """A curve of detection errors, as scikit-learn's class of this name has it.

    Attributes
    ----------
    fpr, fnr : ndarray
        The points of `det_curve`.
    name, pos_label
        Of the model, and of the positive class.
    chart : altair.LayerChart
        The picture, on axes of normal deviates.

    Examples
    --------
    >>> from confmat.sklearn import DetCurveDisplay
    >>> shown = DetCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> shown.fpr.tolist(), shown.fnr.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5])
    """

    _draws, _title = "det", "Detection errors"

    @classmethod
    def _points(cls, y_true: Any, y_score: Any, rows: Any, options: Any) -> dict[str, Any]:
        fpr, fnr, _ = det_curve(y_true, y_score, drop_intermediate=True, **rows)
        return {"fpr": fpr, "fnr": fnr}


class CalibrationDisplay(CurveDisplay):
    """Shares of positives in bins of the probability, as scikit-learn's class of this name has it.

    Attributes
    ----------
    prob_true, prob_pred : ndarray
        The points of `calibration_curve`.
    y_prob : array-like
        The probabilities.
    name, pos_label
        Of the model, and of the positive class.
    chart : altair.VConcatChart
        The curve with a band, over a count of the rows.

    Examples
    --------
    >>> from confmat.sklearn import CalibrationDisplay
    >>> shown = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_bins=2)
    >>> shown.prob_true.round(3).tolist(), shown.prob_pred.round(3).tolist()
    ([0.333, 1.0], [0.283, 0.8])
    """

    _draws, _title = "calibration", "Calibration"

    @classmethod
    def _response(cls, asked: str) -> str:
        return "predict_proba" if asked == "auto" else asked

    @classmethod
    def _points(cls, y_true: Any, y_score: Any, rows: Any, options: Any) -> dict[str, Any]:
        bins, strategy = options.pop("n_bins", 5), options.get("strategy", "uniform")
        options["bins"] = bins
        true, pred = calibration_curve(
            y_true, y_score, pos_label=rows["pos_label"], n_bins=bins, strategy=strategy
        )
        return {"prob_true": true, "prob_pred": pred, "y_prob": y_score}
