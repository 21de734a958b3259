"""What every plain function does: count, take one value, warn once where it is undefined."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError, UndefinedMetricWarning
from confmat.labels import Label, finder, label_set, listing
from confmat.matrices.values import left_out, options_of
from confmat.metric_names import asks
from confmat.moments.names import exact
from confmat.name_hints import function_of
from confmat.objects.counting import confusion_matrix
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multioutput_regression import MultioutputRegression
from confmat.objects.regressing import regression
from confmat.objects.regression import Regression
from confmat.objects.sweeping import sweep
from confmat.options import checked_undefined
from confmat.registry import exponent_of_mean, find, means, name_with
from confmat.registry import number as number_of
from confmat.suffixes import POWER, of_sets

Mean: TypeAlias = Literal["harmonic", "geometric", "quadratic", "min", "max", "power"]
Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "ovo"] | Mean
Floats: TypeAlias = npt.NDArray[np.float64]


def value(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    undefined: float | None = None,
    other: Literal["raise", "bucket"] = "raise",
    keep_empty: bool = False,
    nulls: Literal["drop", "raise"] = "drop",
    **params: float,
) -> float:
    """Return one metric of all true and predicted classes; the public functions say more."""
    matrix = confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, other=other, nulls=nulls
    )
    asked = _with(name, params)
    number = matrix.value(asked, undefined=undefined, keep_empty=keep_empty)
    _warn(matrix, asked, number, undefined, None, keep_empty)
    return number


def class_value(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Label | None = None,
    average: Average | None = "binary",
    classes: Sequence[Label] | None = None,
    sample_weight: Any = None,
    undefined: float | None = None,
    other: Literal["raise", "bucket"] = "raise",
    keep_empty: bool = False,
    nulls: Literal["drop", "raise"] = "drop",
    **params: float,
) -> float | Floats:
    """Return one metric of a class, of each, or averaged; the public functions say more."""
    known, exponent = means(name), exponent_of_mean(name)
    if exponent is not None and average != POWER:
        given = number_of(params.pop(exponent, 1.0), find(known[POWER])["params"][-1])
        if given != 1.0:
            raise InputError(
                f'`{exponent}` is the exponent of average="power"; `average` is {average!r}'
            )
    if average not in ("binary", None) and (not isinstance(average, str) or average not in known):
        wanted = ", ".join(map(repr, ("binary", *known)))
        raise InputError(
            f"`average` is {average!r}; wanted {wanted} or None for {name}{of_sets(average)}"
        )
    count = partial(
        confusion_matrix, y_true, y_pred, labels=labels, sample_weight=sample_weight, nulls=nulls
    )
    try:
        matrix = count(other=other)
    except InputError as error:
        asks_all = average == "binary" or classes is not None or other != "raise"
        if asks_all or not count(other="bucket").n_other:
            raise
        instead = "pass labels= as classes= to average over these alone, among all rows"
        raise InputError(f"{error}; or {instead}") from None
    if average is None:
        return _of_classes(matrix, _with(name, params), classes, undefined, keep_empty)
    if average == "binary":
        _check_binary(matrix, name, pos_label, classes, known)
        asked = _with(name, params)
        number = matrix.value(asked, None, pos_label, undefined, keep_empty=keep_empty)
    else:
        asked = _with(known[average], params)
        number = matrix.value(asked, None, None, undefined, classes, keep_empty=keep_empty)
    _warn(matrix, asked, number, undefined, classes, keep_empty)
    return number


def score_value(
    name: str,
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    undefined: float | None = None,
    nulls: Literal["drop", "raise"] = "drop",
    nan: Literal["drop", "raise"] = "raise",
    **params: float,
) -> float:
    """Return one metric of true classes and scores; the public functions say more."""
    fill = checked_undefined(undefined)
    state = sweep(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, nulls=nulls, nan=nan
    )
    asked = _with(name, params)
    number = state.value(asked)
    if fill is not None and math.isnan(number):
        number = fill
    if undefined is None and math.isnan(number):
        _undefined(asked, level=5)
    return number


def regression_value(
    name: str,
    y_true: Any,
    y_pred: Any,
    *,
    average: Literal["uniform", "variance"] | None = "uniform",
    sample_weight: Any = None,
    undefined: float | None = None,
    nulls: Literal["drop", "raise"] = "drop",
    nan: Literal["drop", "raise"] = "raise",
    **params: float,
) -> float | Floats:
    """Return one metric of true and predicted numbers; the public functions say more."""
    is_text = isinstance(average, str)
    if average is not None and not (is_text and average in ("uniform", "variance")):
        raise InputError(
            f"`average` is {average!r}; wanted 'uniform' or 'variance', or None for each output"
        )
    fill = checked_undefined(undefined)
    asked = _with(name, params)
    state: Regression | MultioutputRegression = regression(
        y_true, y_pred, sample_weight=sample_weight, metrics=exact([asked]), nulls=nulls, nan=nan
    )
    if average is None:
        return _of_outputs(state, asked, fill)
    if isinstance(state, MultioutputRegression):
        number = state.value(asked, average=average)
    else:
        number = state.value(asked)
    if fill is not None and math.isnan(number):
        number = fill
    if undefined is None and math.isnan(number):
        _undefined(asked, level=5)
    return number


def _with(name: str, params: Mapping[str, float]) -> str:
    return name_with(name, list(params.values())) if params else name


def _check_binary(
    matrix: ConfusionMatrix, name: str, pos_label: Label | None, classes: Any, known: dict[str, str]
) -> None:
    """Refuse what has no meaning where the metric is of one class."""
    if classes is not None:
        raise InputError(
            '`classes` are those that an average is over; with average="binary" `pos_label` is '
            "the class"
        )
    if pos_label is None and len(matrix.labels) > 2:
        other = 'average="macro"' if "macro" in known else "average=None, for each class"
        if of_many := find(name)["of_many"]:
            other = f"{function_of(of_many)}, of all classes together, or {other}"
        raise InputError(
            f"{name} is of one class, and the classes are {listing(matrix.labels)}; "
            f"give pos_label=..., the positive one, or {other}"
        )


def _of_classes(
    matrix: ConfusionMatrix, name: str, classes: Any, undefined: float | None, keep_empty: bool
) -> Floats:
    """Return the metric of each class, in the order of the labels, or of `classes`."""
    options = options_of(matrix, keep_empty, undefined)
    values: Floats = asks((name,)).per_class(matrix._cells, options)[:, 0]
    labels = list(matrix.labels)
    if classes is not None:
        labels = label_set(classes, "classes")
        values = values[list(map(finder(matrix.labels, "classes"), labels))]
    if undefined is None and np.isnan(values).any():
        _undefined(name, [label for label, of in zip(labels, values, strict=True) if of != of])
    return values


def _of_outputs(
    state: Regression | MultioutputRegression, name: str, undefined: float | None
) -> Floats:
    """Return the metric of each output, in order."""
    outputs: tuple[int | str, ...] = ()
    if isinstance(state, MultioutputRegression):
        outputs = state.outputs
        found = [state.output(output).value(name) for output in outputs]
    else:
        found = [state.value(name)]
    values = np.array(found, np.float64)
    missing = np.isnan(values)
    if undefined is not None:
        values[missing] = undefined
    elif missing.any():
        without = [output for output, none in zip(outputs, missing, strict=False) if none]
        _undefined(name, without, of="output")
    return values


def _warn(
    matrix: ConfusionMatrix,
    name: str,
    number: float,
    undefined: float | None,
    classes: Any,
    keep_empty: bool,
) -> None:
    """Warn where the value is undefined, or an average leaves undefined classes out."""
    if undefined is not None:
        return
    if math.isnan(number):
        _undefined(name)
        return
    out = left_out(matrix, name, classes, keep_empty)
    if out:
        message = (
            f"{name} is undefined for {_named(out)} and averaged over the others; "
            "`undefined=0.0` would count it as 0.0 there"
        )
        warnings.warn(message, UndefinedMetricWarning, stacklevel=5)


def _undefined(name: str, which: Sequence[Label] = (), level: int = 6, of: str = "class") -> None:
    where = f"for {_named(which, of)}" if which else "here"
    message = f"{name} is undefined {where} and nan; `undefined=0.0` would give 0.0 instead"
    warnings.warn(message, UndefinedMetricWarning, stacklevel=level)


def _named(which: Sequence[Label], of: str = "class") -> str:
    ending = ("es" if of == "class" else "s") if len(which) > 1 else ""
    return f"the {of}{ending} {listing(which)[1:-1]}"
