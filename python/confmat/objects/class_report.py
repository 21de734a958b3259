"""The report of classes of a matrix: a line a class, and averages over the classes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError, UndefinedMetricWarning
from confmat.intervals.levels import Confidence, Side, arguments_of, confidence
from confmat.labels import Label, finder, label_set, listing
from confmat.metric_names import ask, names_asked
from confmat.options import SECOND, check_choice, checked_undefined
from confmat.render.class_report import FORMATS, NO_ENDS, ClassReport, Line

Format: TypeAlias = Literal["text", "polars", "dict", "markdown", "html", "json", "latex"]
COLUMNS = ("precision", "recall", "f1", "support")
_SUPPORT = "support"
_TWO = ["False", "True"]
_CELLS = ("tn", "fp", "fn", "tp")
_OWN = (_SUPPORT, *_CELLS)  # counts, which have no average
_MOST_DIGITS = 17


def classification_report(
    state: Any,
    *,
    labels: Any = None,
    target_names: Sequence[str] | None = None,
    columns: Sequence[str] = COLUMNS,
    ci: float | None = None,
    side: Side = "both",
    undefined: float | Literal["warn"] = "warn",
    digits: int = 2,
    format: Format = "text",
) -> Any:
    """Return a line a class, and the averages over classes, as scikit-learn's report has them.

    Parameters
    ----------
    labels : sequence, optional
        Which classes, in the order wanted. Default: all.
    target_names : sequence of str, optional
        What the classes are called, in the order of `labels`.
    columns : sequence of str, default precision, recall, f1 and support
        Metrics of one class, as `per_class` takes them.
    ci : float, optional
        The level of intervals, such as 0.95.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
        range.
    undefined : float or "warn", default "warn"
        Takes the place of values that are 0/0, before they are averaged; nan: averages leave them
        out. "warn": 0.0, with a warning.
    digits : int, default 2
        Decimals, of formats that are texts.
    format : {"text", "polars", "dict", "markdown", "html", "json", "latex"}, default "text"
        "dict" and "json" have the keys of scikit-learn, unrounded, nan being null in JSON; "polars"
        is a frame.

    Returns
    -------
    str, dict or polars.DataFrame
        The line "accuracy" stands for "micro avg" where all classes are in the report.

    Raises
    ------
    InputError
        A label that the matrix does not have, as many names as there are no classes, an unknown
        metric or format.

    Warns
    -----
    UndefinedMetricWarning
        Values are 0/0, and `undefined` is "warn".

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])
    >>> print(m.classification_report(columns=["recall", "mcc_binary", "support"]))
                     recall mcc_binary   support
    <BLANKLINE>
             cat       0.80       0.70        10
             dog       0.90       0.70        10
    <BLANKLINE>
        accuracy                  0.85        20
       macro avg       0.85       0.70        20
    weighted avg       0.85       0.70        20
    <BLANKLINE>
    >>> m.classification_report(format="dict")["cat"]["recall"]
    0.8
    """
    check_choice("format", format, *FORMATS)
    names = names_asked(columns)
    if not isinstance(digits, int) or isinstance(digits, bool) or not 0 <= digits <= _MOST_DIGITS:
        raise InputError(f"`digits` is {digits!r}; wanted a number from 0 to {_MOST_DIGITS}")
    of_ends = confidence(ci, side)
    fill = 0.0 if undefined == "warn" else checked_undefined(undefined)
    fill = math.nan if fill is None else fill
    known = list(state.labels)
    wanted = known if labels is None else label_set(labels)
    at = list(map(finder(known, "labels"), wanted))
    called = _names(target_names, wanted)

    asked = [*_CELLS, _SUPPORT, *(n for n in names if n not in _OWN)]
    frame = state.per_class(asked, **arguments_of(of_ends))
    of_all, frame = frame, frame[at]
    rates = [name for name in names if name not in _OWN]
    if undefined == "warn":
        _warn(frame, rates, wanted)
    frame = frame.with_columns(pl.col(rates).fill_null(fill)) if rates else frame
    averages = _Averages(state, frame, wanted, names, fill, of_ends)
    report = ClassReport(
        names,
        [
            Line(name, [row[n] for n in names], _ends(row, names, of_ends))
            for name, row in zip(called, frame.iter_rows(named=True), strict=True)
        ],
        averages.lines(are_all=_are_all(of_all, at)),
        digits,
    )
    return FORMATS[format](report)


class _Averages:
    """The lines of averages over the classes of a report."""

    def __init__(
        self,
        state: Any,
        frame: pl.DataFrame,
        labels: list[Label],
        names: tuple[str, ...],
        fill: float,
        ci: Confidence | None,
    ) -> None:
        self._state, self._frame, self._labels = state, frame, labels
        self._names, self._fill, self._ci = names, fill, ci
        self._is_matrix = hasattr(state, "one_vs_one")

    def lines(self, are_all: bool) -> list[Line]:
        """Return the averages; of rows only where all classes are in the report."""
        kinds = ["micro", "macro", "weighted"]
        if not self._is_matrix and are_all:
            kinds.append("samples")
        first = [self._accuracy()] if self._is_matrix and are_all else []
        return first + [self._line(kind) for kind in kinds[len(first) :]]

    def _accuracy(self) -> Line:
        numbers: list[Any] = [None] * len(self._names)
        places = [at for at, name in enumerate(self._names) if name != _SUPPORT]
        for at, name in enumerate(self._names):
            numbers[at] = self._support() if name == _SUPPORT else None
        ends = None
        if places:
            found = self._state.value("accuracy")
            numbers[places[-1]] = self._fill if math.isnan(found) else found
            ends = self._ends({self._names[places[-1]]: ("accuracy", {})})
        return Line("accuracy", numbers, ends, alone=True)

    def _line(self, kind: str) -> Line:
        numbers = [
            self._support() if name == _SUPPORT else self._number(name, kind)
            for name in self._names
        ]
        options: dict[str, Any] = {"average": kind, "keep_empty": True}
        if self._is_matrix:
            options["classes"] = self._labels
        asked = {name: (name, options) for name in self._names if name not in _OWN}
        return Line(f"{kind} avg", numbers, self._ends(asked))

    def _number(self, name: str, kind: str) -> float:
        if name in _CELLS:
            return math.nan
        if kind == "samples":
            found = self._state.value(name, "samples", self._or_none())
        elif kind == "micro":
            cells = self._frame.select(_CELLS).sum().to_numpy().reshape(1, 2, 2)
            found = ask(name).parsed.values(cells, _TWO, SECOND)[0, 0]
        else:
            weights = self._frame[_SUPPORT].to_numpy() if kind == "weighted" else None
            return _mean(self._frame[name].to_numpy(), weights)
        return self._fill if math.isnan(found) else found

    def _or_none(self) -> float | None:
        return None if math.isnan(self._fill) else self._fill

    def _support(self) -> float | int:
        return self._frame[_SUPPORT].sum()  # type: ignore[return-value]

    def _ends(
        self, asked: dict[str, tuple[str, dict[str, Any]]]
    ) -> list[tuple[float, float]] | None:
        if self._ci is None:
            return None
        level, side = self._ci
        ends = []
        for name in self._names:
            if name not in asked:
                ends.append(NO_ENDS)
                continue
            metric, options = asked[name]
            interval = self._state.ci(metric, level, side=side, **options)
            ends.append((interval.low, interval.high))
        return ends


def _mean(values: npt.NDArray[Any], weights: npt.NDArray[Any] | None) -> float:
    """Return the mean of what is known, as scikit-learn rounds it; without weight, of all alike."""
    known = ~np.isnan(values)
    if not known.any():
        return math.nan
    if weights is not None and weights[known].any():
        return float(np.average(values[known], weights=weights[known]))
    return float(np.average(values[known]))


def _are_all(frame: pl.DataFrame, at: list[int]) -> bool:
    """Return whether no row has a class that is not in the report."""
    rest = np.ones(len(frame), dtype=np.bool_)
    rest[at] = False
    others = frame.filter(pl.Series(rest, dtype=pl.Boolean)).select("tp", "fp", "fn")
    return not any(others.sum().row(0)) if len(others) else True


def _ends(
    row: dict[str, Any], names: Sequence[str], ci: Confidence | None
) -> list[tuple[float, float]] | None:
    if ci is None:
        return None
    found = [(row.get(f"{name}_low"), row.get(f"{name}_high")) for name in names]
    return [NO_ENDS if low is None or high is None else (low, high) for low, high in found]


def _names(target_names: Any, labels: list[Label]) -> list[str]:
    if target_names is None:
        return [str(label) for label in labels]
    if isinstance(target_names, str):
        raise InputError(f"`target_names` is {target_names!r}; wanted a list of names")
    found = [str(name) for name in target_names]
    if len(found) != len(labels):
        raise InputError(
            f"`target_names` has {len(found)} names for {len(labels)} classes, {listing(labels)}"
        )
    return found


def _warn(frame: pl.DataFrame, names: list[str], labels: list[Label]) -> None:
    for name in names:
        missing = frame[name].is_null()
        if missing.any():
            of = [label for label, is_so in zip(labels, missing, strict=True) if is_so]
            message = (
                f"{name} is undefined (0/0) for {listing(of)[1:-1]} and 0.0 in the report; "
                "`undefined=0.0` says so without a warning, `undefined=float('nan')` shows nan"
            )
            warnings.warn(message, UndefinedMetricWarning, stacklevel=5)
            return
