"""What may have been meant by an argument that a function does not take."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from confmat.errors import InputError
from confmat.name_hints import function_of
from confmat.registry import find_quietly, name_with, names

# Words of others for an argument.
_MEANT = {
    **dict.fromkeys(("weight", "weights", "sample_weights", "w"), "sample_weight"),
    **dict.fromkeys(("group_by", "groupby", "groups", "keys"), "by"),
    **dict.fromkeys(("confidence", "confidence_level", "level"), "ci"),
    "zero_division": "undefined",
}
# What such arguments of others are here, by the function that does not take them.
_INSTEAD = {
    ("confusion_matrix", "normalize"): "; `normalize({!r})` of the matrix has shares",
    ("roc_auc", "multi_class"): (
        '; of many classes cm.multiclass_sweep(y_true, scores).value("roc_auc", multi_class=...)'
    ),
    **{
        ("confusion_matrix", name): "; scores are for cm.sweep(y_true, y_score)"
        for name in ("y_score", "y_prob", "y_proba", "threshold")
    },
}

# What takes the weights of errors, where a function has none.
_WEIGHTED = {"gwet_ac1": "gwet_ac2", "krippendorff_alpha": "weighted_alpha"}
_LISTED = {"gwet_ac1": "gwet_ac2", "krippendorff_alpha": "krippendorff_alpha", "kappa": "kappa"}
_OF_ERRORS = ("nominal", "linear", "quadratic", "ordinal")


def of_call(function: Callable[..., Any], given: Iterable[tuple[str, Any]]) -> str:
    """Return "; did you mean ...?" for the first keyword that there is none of, or nothing.

    An average comes before others, as these may be its parameters.
    """
    known = inspect.signature(function).parameters
    if any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return ""
    named = dict(given)
    of_columns = next(iter(known), "") == "y_true"
    key = next((key for key in ("average", *named) if key in named and key not in known), None)
    if key is None:
        return ""
    if (function.__name__, key) in _INSTEAD:
        value = named[key] if isinstance(named[key], str) else "true"
        return _INSTEAD[function.__name__, key].format(value)
    meant = ""
    if key == "average":
        meant = _averaged(function.__name__, named, of_columns)
    elif key == "weights":
        meant = _weighted(function.__name__, named[key], of_columns)
    if not meant:
        near = difflib.get_close_matches(key, known, n=1)
        meant = _MEANT[key] if _MEANT.get(key) in known else "".join(near)
    return f"; did you mean `{meant}`?" if meant else ""


def _averaged(name: str, given: dict[str, Any], of_columns: bool) -> str:
    """Return what has an average of a metric, or nothing."""
    average = given["average"]
    if not isinstance(average, str):
        return ""
    averaged = f"{name}_{'macro' if average == 'arithmetic' else average}"
    fact = find_quietly(averaged)
    if fact is None:
        return ""
    if of_columns:
        return function_of(averaged)
    if averaged in names("average"):
        return averaged
    try:
        values = [given.get(of["name"], of["value"]) for of in fact["params"]]
        averaged = name_with(averaged, values)
    except (InputError, OverflowError):
        pass  # a value that no parameter takes: the name alone
    return f'cm.metric("{averaged}", y_true, y_pred)'


def _weighted(name: str, weights: Any, of_columns: bool) -> str:
    """Return what has a coefficient of agreement under weights of errors, or nothing."""
    is_named = isinstance(weights, str) and weights in _OF_ERRORS
    rows = isinstance(weights, (list, tuple)) and [
        isinstance(row, (list, tuple)) for row in weights
    ]
    is_table = getattr(weights, "ndim", 0) == 2 or any(rows or ())
    if of_columns and name in _WEIGHTED and (is_named or is_table):
        return f"{_WEIGHTED[name]}(..., weights={repr(weights) if is_named else '...'})"
    listed = f"{_LISTED[name]}_{weights}" if is_named and name in _LISTED else ""
    return listed if listed in names("overall") else ""
