"""The names that may have been meant where one is not there, those of scikit-learn among them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from confmat._core import absent_average, fixed_params
from confmat.registry import elsewhere, find, meant

# Functions of scikit-learn for which there is an object, and how to get there.
_INSTEAD = {
    "auc": "cm.roc_auc(y_true, y_score), or a curve of cm.sweep(y_true, y_score)",
    "calibration_curve": "cm.sweep(y_true, y_score).calibration().table()",
    "class_likelihood_ratios": "cm.lr_positive and cm.lr_negative",
    "classification_report": "print(cm.confusion_matrix(y_true, y_pred))",
    "confusion_matrix_at_thresholds": "cm.sweep(y_true, y_score).table()",
    "coverage_error": "cm.multilabel_sweep(y_true, scores).coverage_error",
    "det_curve": "cm.sweep(y_true, y_score).det_curve()",
    "label_ranking_average_precision_score": (
        "cm.multilabel_sweep(y_true, scores).label_ranking_average_precision"
    ),
    "label_ranking_loss": "cm.multilabel_sweep(y_true, scores).label_ranking_loss",
    "multilabel_confusion_matrix": "cm.multilabel(y_true, y_pred).counts",
    "precision_recall_curve": "cm.sweep(y_true, y_score).pr_curve()",
    "precision_recall_fscore_support": "cm.confusion_matrix(y_true, y_pred).per_class()",
    "report": "cm.evaluate(df, y_true, y_pred, y_score).report(path)",
    "roc_curve": "cm.sweep(y_true, y_score).roc_curve()",
}


def of_threshold(name: str, of_matrix: Iterable[str]) -> str:
    """Return how a sweep gets to a metric of labels, or to what a matrix has; or nothing."""
    if name in ("confusion_matrix", "matrix"):
        return "; `at(t)` is the confusion matrix at a threshold `t`"
    asked = meant(name)
    if asked and find(asked)["level"] in ("overall", "class", "average"):
        more = "; `best` and `table` have metrics of thresholds, too"
        return f"; `at(t).{asked}` has it at a threshold `t`{more}"
    if name in of_matrix and not name.startswith("_"):
        return f"; the confusion matrix at a threshold `t` has it: `at(t).{name}`"
    return ""


def function_of(name: str) -> str:
    """Return how the function that has a metric is called: "f1(..., average='macro')"."""
    fact = find(name)
    is_average = fact["level"] == "average"
    given = [f"average={fact['average']!r}"] if is_average else []
    given += [f"{of}={value:g}" for of, value in fixed_params(name).items()]
    function = fact["base"] if is_average else fact["name"]
    return f"{function}(..., {', '.join(given)})" if given else function


def hint(name: str, public: Iterable[str]) -> str:
    """Return "; did you mean ...?" for a name that the package does not have, or nothing."""
    if name in _INSTEAD:
        return f"; see {_INSTEAD[name]}"
    if name in elsewhere():
        return f"; {elsewhere()[name].partition('; ')[2]}"
    known = list(public)
    asked = meant(name)
    if asked and find(asked)["level"] == "regression":
        return "; cm.regression(y_true, y_pred) has it"
    if asked:
        many = find(asked)["of_many"]
        more = f", or of many classes {function_of(many)}" if many else ""
        return f"; did you mean {function_of(asked)}{more}?"
    why = absent_average(name)
    if why:
        return f"; {why}"
    stem = name.removesuffix("_score")
    near = difflib.get_close_matches(name, known, n=3)
    near += difflib.get_close_matches(stem, known, n=3)
    near = list(dict.fromkeys(near))[:3]
    return f"; did you mean {', '.join(near)}?" if near else "; cm.list_metrics() lists the metrics"
