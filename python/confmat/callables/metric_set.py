"""Several metrics asked for together: counted once, as a function and as scorers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.labels import Label
from confmat.metric_names import ask, names_asked
from confmat.moments.names import exact, regression_names
from confmat.multiclass.values import is_of_classes
from confmat.objects.counting import confusion_matrix
from confmat.objects.multiclass_sweeping import multiclass_sweep
from confmat.objects.regressing import regression
from confmat.objects.sweeping import sweep
from confmat.own_errors import OwnErrors
from confmat.registry import find_quietly, is_regression_metric, is_score_metric


class MetricSet(OwnErrors):
    """Metrics that are asked for together, of rows that are counted once.

    Parameters
    ----------
    metrics : str or sequence of str
        Names from `list_metrics()`: of predicted classes, of scores, or both; or of numbers.

    Raises
    ------
    InputError
        An unknown name, one given twice, or metrics of classes and of numbers together.

    Examples
    --------
    >>> import confmat as cm
    >>> few = cm.MetricSet(["accuracy", "f1", "roc_auc"])
    >>> few([0, 0, 1, 1], [0, 1, 1, 1], y_score=[0.1, 0.6, 0.7, 0.8])
    {'accuracy': 0.75, 'f1': 0.8, 'roc_auc': 1.0}
    """

    __slots__ = ("_of_labels", "_of_numbers", "_of_scores", "names")

    names: tuple[str, ...]

    def __init__(self, metrics: Sequence[str] | str) -> None:
        names = tuple(name.strip(" ") for name in names_asked(metrics))
        if not names:
            raise InputError("`metrics` is empty; wanted names of metrics")
        for at, name in enumerate(names):
            if name in names[:at]:
                raise InputError(f"`metrics` holds {name!r} twice, again at position {at}")
        self.names = names
        self._of_numbers = [name for name in names if is_regression_metric(name)]
        self._of_scores = [
            name
            for name in names
            if name not in self._of_numbers and (is_score_metric(name) or is_of_classes(name))
        ]
        rest = (*self._of_numbers, *self._of_scores)
        self._of_labels = [name for name in names if name not in rest]
        for name in self._of_labels:
            ask(name)  # refuses an unknown one
        if self._of_numbers and len(self._of_numbers) < len(names):
            other = next(name for name in names if name not in self._of_numbers)
            raise InputError(
                f"`metrics` holds {self._of_numbers[0]!r}, which is of numbers, and {other!r}, "
                "which is of classes; wanted one kind"
            )
        regression_names(self._of_numbers)

    def __repr__(self) -> str:
        return f"MetricSet({list(self.names)!r})"

    def __call__(
        self,
        y_true: Any,
        y_pred: Any = None,
        *,
        y_score: Any = None,
        labels: Sequence[Label] | None = None,
        pos_label: Label | None = None,
        sample_weight: Any = None,
    ) -> dict[str, float]:
        """Return the metrics by name.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
            True and predicted classes, or numbers. `y_pred` may be left out where every metric is
            of scores.
        y_score : array-like of shape (n,) or (n, K), optional
            What metrics of scores need: scores of the positive class, or of each class in the
            order of `labels`.
        labels, pos_label, sample_weight
            As of `confusion_matrix`, `sweep` and `multiclass_sweep`.

        Returns
        -------
        dict of str to float
            In the order of `names`; nan where undefined.

        Raises
        ------
        InputError
            A column that a metric needs is not given; whatever counting refuses.

        Examples
        --------
        >>> import confmat as cm
        >>> cm.MetricSet(["mae", "rmse"])([1.0, 2.0], [1.0, 4.0])
        {'mae': 1.0, 'rmse': 1.4142135623730951}
        """
        rows = (y_true, y_pred, y_score, sample_weight)
        return self._counted(*rows, labels, labels, pos_label)

    def _counted(
        self,
        y_true: Any,
        y_pred: Any,
        y_score: Any,
        sample_weight: Any,
        labels: Sequence[Label] | None,
        columns: Sequence[Label] | None,  # the labels of the columns of scores
        pos_label: Label | None,
    ) -> dict[str, float]:
        found: dict[str, float] = {}
        if self._of_numbers:
            _need(y_pred, "y_pred", self._of_numbers[0])
            numbers = regression(
                y_true, y_pred, sample_weight=sample_weight, metrics=exact(self._of_numbers)
            )
            found |= numbers.values(self._of_numbers)
        if self._of_labels:
            _need(y_pred, "y_pred", self._of_labels[0])
            m = confusion_matrix(
                y_true, y_pred, labels=labels, pos_label=pos_label, sample_weight=sample_weight
            )
            found |= m.values(self._of_labels)
        if self._of_scores:
            _need(y_score, "y_score", self._of_scores[0])
            if np.ndim(y_score) == 2:
                k = multiclass_sweep(y_true, y_score, labels=columns, sample_weight=sample_weight)
                found |= {name: k.value(name) for name in self._of_scores}
            else:
                s = sweep(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
                found |= {name: s.value(name) for name in self._of_scores}
        return {name: found[name] for name in self.names}

    def as_scorers(self, *, pos_label: Label | None = None) -> Scorers:
        """Return what `scoring=` of scikit-learn's `cross_validate` and searches takes.

        All metrics of a fold come from one call of `predict`, and one of `predict_proba` or
        `decision_function` where a metric needs scores, and from one pass over the rows.

        Parameters
        ----------
        pos_label : label, optional
            The positive one of two classes. Default: the last of the estimator's `classes_`.

        Returns
        -------
        Scorers
            A callable `(estimator, X, y)` that gives a dict of numbers. Larger ones are better, as
            scikit-learn has it: a metric of which smaller values are better is negated, and its
            name starts with ``neg_``.

        Examples
        --------
        >>> import confmat as cm
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> scoring = cm.MetricSet(["mcc", "roc_auc", "log_loss"]).as_scorers()
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> found = cross_validate(GaussianNB(), X, y, cv=3, scoring=scoring)
        >>> sorted(name for name in found if name.startswith("test_"))
        ['test_mcc', 'test_neg_log_loss', 'test_roc_auc']
        """
        return Scorers(self, pos_label)


class Scorers(OwnErrors):
    """A metric set as scikit-learn's `scoring=`; made by `MetricSet.as_scorers`."""

    __slots__ = ("metrics", "pos_label")

    def __init__(self, metrics: MetricSet, pos_label: Label | None = None) -> None:
        self.metrics = metrics
        self.pos_label = pos_label

    def __repr__(self) -> str:
        return f"{self.metrics!r}.as_scorers()"

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: Any = None
    ) -> dict[str, float]:
        """Return the numbers of a fitted estimator on rows, larger ones being better."""
        of = self.metrics
        pred = estimator.predict(X) if of._of_labels or of._of_numbers else None
        classes = [] if of._of_numbers else np.asarray(estimator.classes_).tolist()
        positive = self.pos_label
        if positive is None and len(classes) == 2:
            positive = classes[-1]
        scores = columns = None
        if of._of_scores:
            scores = _scores(estimator, X, classes, positive)
            columns = classes if np.ndim(scores) == 2 else None
        found = of._counted(y, pred, scores, sample_weight, None, columns, positive)
        return dict(_larger_is_better(name, value) for name, value in found.items())


def _scores(estimator: Any, X: Any, classes: list[Label], positive: Any) -> Any:
    """Return scores of the positive one of two classes, or those of all classes."""
    two = len(classes) == 2
    if hasattr(estimator, "predict_proba"):
        scores = np.asarray(estimator.predict_proba(X))
        return scores[:, classes.index(positive)] if two else scores
    if not hasattr(estimator, "decision_function"):
        raise InputError(
            f"`estimator` is a {type(estimator).__name__}; wanted one with predict_proba or "
            "decision_function, which metrics of scores need"
        )
    scores = np.asarray(estimator.decision_function(X))
    return -scores if two and positive == classes[0] else scores


def _larger_is_better(name: str, value: float) -> tuple[str, float]:
    fact = find_quietly(name)
    is_loss = name.endswith("_ece") if fact is None else fact["better"] == "lower"
    return (f"neg_{name}", -value) if is_loss else (name, value)


def _need(values: Any, argument: str, name: str) -> None:
    if values is None:
        raise InputError(f"`{argument}` is not given, and {name!r} needs it")
