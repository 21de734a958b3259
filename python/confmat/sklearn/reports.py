"""The classification report: rates of each class and their averages, as text or a dict."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn import metrics

from confmat.sklearn import rates as of
from confmat.sklearn.classes import Classes
from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.rates import Average, Rates
from confmat.sklearn.sets import Sets
from confmat.sklearn.targets import targets

__all__ = ["classification_report"]

_HEADERS = ("precision", "recall", "f1-score", "support")


@drop_in(metrics.classification_report)
def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> str | dict[str, Any]:
    """Return a table of precision, recall, F1 and support of each class and of their averages.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, or sets of labels.
    labels : array-like, optional
        The classes to tell of, in order. Default: those found, ascending.
    target_names : sequence of str, optional
        What to call them.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    digits : int, default 2
        Decimals of the rates.
    output_dict : bool, default False
        A dict of dicts in place of a text.
    zero_division : {"warn", 0.0, 1.0, nan}, default "warn"
        What stands for 0/0; "warn" is 0.0 and a warning.

    Returns
    -------
    str or dict

    See Also
    --------
    sklearn.metrics.classification_report : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import classification_report
    >>> print(classification_report(["cat", "dog", "cat"], ["cat", "dog", "dog"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             cat       1.00      0.50      0.67         2
             dog       0.50      1.00      0.67         1
    <BLANKLINE>
        accuracy                           0.67         3
       macro avg       0.75      0.75      0.67         3
    weighted avg       0.83      0.67      0.67         3
    <BLANKLINE>
    """
    counted = targets(y_true, y_pred, sample_weight)
    shown = counted.present if labels is None else np.asarray(labels)
    names = _names(shown, target_names, labels is not None)

    def rates(average: Average) -> tuple[Any, Any, Any, Any]:
        found = Rates(counted, shown, average, zero_division, (*_HEADERS[:2], "f-score"))
        values = (of.precision(found), of.recall(found), of.f(found, 1.0))
        return (*map(found.averaged, values), found.parts.true)

    *of_classes, support = rates(None)
    longest = 0 if output_dict else max(map(len, names))
    total = np.sum(support)
    averages: dict[str, tuple[Any, ...]] = {}
    options: tuple[Average, ...] = ("micro", "macro", "weighted")
    for average in (*options, *(("samples",) if isinstance(counted, Sets) else ())):
        covers = average == "micro" and _covers(counted, shown)
        heading = "accuracy" if covers else f"{average} avg"
        averages[heading] = (*rates(average)[:3], total)
    rows = zip(names, *of_classes, support, strict=False)
    return _as_dict(rows, averages) if output_dict else _as_text(longest, rows, averages, digits)


def _names(shown: Any, target_names: Any, given: bool) -> Sequence[str]:
    if target_names is None:
        return [str(label) for label in shown]
    if len(shown) != len(target_names):
        if not given:
            raise ValueError(
                f"Number of classes, {len(shown)}, does not match size of target_names, "
                f"{len(target_names)}. Try specifying the labels parameter"
            )
        warnings.warn(
            f"labels size, {len(shown)}, does not match size of target_names, {len(target_names)}",
            UserWarning,
            stacklevel=4,
        )
    return target_names  # type: ignore[no-any-return]


def _covers(counted: Classes | Sets, shown: Any) -> bool:
    """Return whether the micro average is the accuracy: every row is right or wrong once."""
    return isinstance(counted, Classes) and set(shown.tolist()) >= set(counted.labels)


def _as_dict(rows: Iterable[tuple[Any, ...]], averages: dict[str, Any]) -> dict[str, Any]:
    report: dict[str, Any] = {
        name: dict(zip(_HEADERS, map(float, values), strict=True)) for name, *values in rows
    }
    for heading, values in averages.items():
        named = dict(zip(_HEADERS, map(float, values), strict=True))
        report[heading] = named["precision"] if heading == "accuracy" else named
    return report


def _as_text(
    longest: int,
    rows: Iterable[tuple[Any, ...]],
    averages: dict[str, tuple[Any, ...]],
    digits: int,
) -> str:
    width = max(longest, len("weighted avg"), digits)

    def line(name: str, values: Iterable[Any], support: Any) -> str:
        shown = (value if isinstance(value, str) else f"{value:.{digits}f}" for value in values)
        return f"{name:>{width}s}  {' '.join(f'{text:>9}' for text in shown)} {support!s:>9}\n"

    parts = [f"{'':>{width}s}  {' '.join(f'{header:>9}' for header in _HEADERS)}\n\n"]
    parts += [line(name, values, support) for name, *values, support in rows]
    parts.append("\n")
    for heading, (*values, support) in averages.items():
        parts.append(
            line(heading, ["", "", values[2]] if heading == "accuracy" else values, support)
        )
    return "".join(parts)
