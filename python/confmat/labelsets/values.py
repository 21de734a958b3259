"""Every metric of sets of labels, by name: averaged over labels, over rows, or pooled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.labelsets.state import LabelSetState
from confmat.matrices.cells import Cells
from confmat.metric_names import Ask, ask
from confmat.multiclass.inputs import Floats
from confmat.named_numbers import mean
from confmat.options import SECOND, Options, checked_undefined
from confmat.registry import find, is_regression_metric, is_score_metric

Average: TypeAlias = Literal["samples", "micro", "macro", "weighted"]

_AVERAGES: tuple[str, ...] = get_args(Average)
DEFAULT = ("precision", "recall", "f1", "jaccard")
CLASSES = ["False", "True"]
_NO_ROWS = "there are no rows"
_NO_WEIGHT = "all weights are 0"
_NO_LABEL = "no label occurs"


def exact_match(state: LabelSetState) -> float:
    """Return the share of rows whose set is predicted exactly; nan without rows."""
    return _ratio(state._sizes.exact, state.n)


def hamming_loss(state: LabelSetState) -> float:
    """Return the share of wrong labels of all rows, (fp + fn) / (n L); nan without rows."""
    cells = state.counts
    if cells.dtype.kind == "i":
        wrong = cells.reshape(-1, 4)[:, 1:3].sum(dtype=np.float64)  # beyond 2^63 - 1
    else:
        s = state._sizes
        wrong = (s.weight * (s.true + s.pred - 2 * s.shared)).sum()
    return _ratio(wrong, state.n * len(cells))


WHOLE: dict[str, Callable[[LabelSetState], float]] = {
    "exact_match": exact_match,
    "hamming_loss": hamming_loss,
}
NAMES = (*WHOLE, *(f"{name}_{kind}" for name in DEFAULT for kind in _AVERAGES))


def value(
    state: LabelSetState,
    name: str,
    average: Average | None = None,
    undefined: float | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> float:
    """Return one metric.

    Parameters
    ----------
    name : str
        "exact_match", "hamming_loss", or a metric of a 2 x 2 table with its average as suffix
        or in `average`: "f1_samples", "jaccard_macro", "fbeta(2)".
    average : {"samples", "micro", "macro", "weighted"}, optional
        "samples": the mean over rows of the metric of the row's labels; "micro": that of the
        summed tables; "macro" and "weighted": the mean over labels, or weighted by support.
    undefined : float, optional
        Takes the place of undefined values, before averaging; then averages are over labels
        that no row has or is given, too. Default: averages leave both out (`n_used`). With 0.0
        values are those of scikit-learn.
    keep_empty : bool, default False
        Keep labels that no row has or is given.
    **params : float or str
        Parameters of the metric, such as `beta=2`.

    Returns
    -------
    float
        nan where undefined: `reason` says why.

    Raises
    ------
    InputError
        An unknown name or average; a metric of one table without an average.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
    >>> m.value("f1", "micro"), m.value("recall_samples"), m["precision_macro"]
    (0.6666666666666666, 0.75, 0.75)
    """
    fill = checked_undefined(undefined)
    if name in WHOLE and average is None and not params:
        number = WHOLE[name](state)
    else:
        number = mean(*parts_of(state, *asked_of(name, average, params), fill, keep_empty))
    return fill if fill is not None and math.isnan(number) else number


def n_used(
    state: LabelSetState,
    name: str,
    average: Average | None = None,
    undefined: float | None = None,
    *,
    keep_empty: bool = False,
    **params: Any,
) -> int | float:
    """Return how many labels an average is over; for "samples" how many rows, or their weight.

    Arguments as `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
    >>> m.n_used("recall_samples"), m.n_used("recall_macro")
    (2, 2)
    """
    if name in WHOLE:
        return state.n
    asked, kind = asked_of(name, average, params)
    fill = checked_undefined(undefined)
    values, _ = parts_of(state, asked, kind, fill, keep_empty)
    used = ~np.isnan(values)
    if kind == "samples":
        weight = state._sizes.weight[used].sum()
        return int(weight) if weight.dtype.kind == "i" else float(weight)
    if kind == "micro":
        return int(seen_labels(state, fill, keep_empty).sum()) if used.any() else 0
    return int(used.sum())


def reason(
    state: LabelSetState,
    name: str,
    average: Average | None = None,
    *,
    keep_empty: bool = False,
    **params: Any,
) -> str | None:
    """Return why a metric is nan, or None. Arguments as `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([[0, 1], [0, 1]], [[0, 0], [0, 0]])
    >>> m["precision_micro"], m.reason("precision_micro")
    (nan, 'class True: tp + fp = 0')
    """
    if not math.isnan(value(state, name, average, keep_empty=keep_empty, **params)):
        return None
    if not state.n:
        return _NO_WEIGHT if state._state.rows else _NO_ROWS
    if not state.labels:
        return _NO_LABEL
    asked, kind = asked_of(name, average, params)
    seen = seen_labels(state, None, keep_empty)
    if kind != "samples" and not seen.any():
        return _NO_LABEL
    if kind == "micro":
        return asked.parsed.reasons(pooled(state, seen), CLASSES, SECOND)[0]
    labels = "label" if seen.all() else "label that occurs"
    what = "row" if kind == "samples" else labels
    of_each = parts_of(state, asked, "macro", None, keep_empty)[0]
    if kind == "weighted" and not np.isnan(of_each).all():
        return f"{asked.name} is defined for labels without support alone"
    return f"{asked.name} is undefined for every {what}"


def of_labels(state: LabelSetState, asked: Ask, undefined: float | None) -> Floats:
    """Return a metric of the table of each label."""
    return asked.parsed.values(state.counts, CLASSES, Options(1, undefined))[:, 0]


def parts_of(
    state: LabelSetState, asked: Ask, kind: str, undefined: float | None, keep_empty: bool
) -> tuple[Floats, Any]:
    """Return the values that are averaged, and their weights."""
    if kind == "samples":
        rows = state._sizes.tables(len(state.counts))
        values = asked.parsed.values(rows, CLASSES, Options(1, undefined))[:, 0]
        return values, state._sizes.weight
    seen = seen_labels(state, undefined, keep_empty)
    if kind == "micro":
        summed = pooled(state, seen)
        values = asked.parsed.values(summed, CLASSES, Options(1, undefined))
        return values, np.ones(1)
    values = of_labels(state, asked, undefined)[seen]
    if kind == "macro":
        return values, np.ones(len(values))
    return values, state.counts[seen, 1].sum(axis=1)


def pooled(state: LabelSetState, seen: npt.NDArray[np.bool_]) -> Cells:
    """Return the sum of the tables of these labels."""
    total = state.n * int(seen.sum())
    if total >= 2**63 if isinstance(total, int) else math.isinf(total):
        raise InputError(
            f"the counts of {len(state._labels)} labels pooled pass the range of counts; "
            'wanted another average than "micro"'
        )
    summed: Cells = state.counts[seen].sum(axis=0)
    return summed


def seen_labels(
    state: LabelSetState, undefined: float | None, keep_empty: bool
) -> npt.NDArray[np.bool_]:
    """Return which labels averages are over: those that rows have or are given, or all."""
    if undefined is not None or keep_empty:
        return np.ones(len(state._labels), dtype=np.bool_)
    of_rows = state.counts.reshape(-1, 4)[:, 1:]
    return np.asarray(of_rows.any(axis=1))


def asked_of(name: Any, average: Any, params: dict[str, Any]) -> tuple[Ask, str]:
    """Return the metric of a table that a name is of, and the average."""
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a metric")
    base, bracket, inline = name.partition("(")
    for kind in _AVERAGES:
        if average is None and base.endswith(f"_{kind}"):
            base, average = base.removesuffix(f"_{kind}"), kind
    if is_score_metric(base):
        raise InputError(
            f"`{base}` is a metric of scores; `cm.multilabel_sweep(y_true, scores)` has it"
        )
    if is_regression_metric(base):
        _core.Asks([base])  # which says what has it
    if average is None:
        find(base)
        raise InputError(
            f"{name} is about one label; ask for {base}_samples, _micro, _macro or _weighted, "
            "or for per_class()"
        )
    if not isinstance(average, str) or average not in _AVERAGES:
        wanted = ", ".join(map(repr, _AVERAGES))
        raise InputError(f"`average` is {average!r}; wanted one of {wanted}")
    return ask(base + bracket + inline, None, tuple(sorted(params.items()))), average


def _ratio(part: Any, whole: Any) -> float:
    """Return a share; sums of weights that are the same may round apart."""
    return min(float(part / whole), 1.0) if whole else math.nan
