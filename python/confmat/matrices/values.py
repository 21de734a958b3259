"""Every metric of a confusion matrix, by name: values, and why they are undefined."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from confmat import _core, positive_class
from confmat.errors import InputError
from confmat.labels import MAX_CLASSES, Label, finder, label_set, listing, position
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import AnyCells, SparseCells, class_counts
from confmat.metric_names import Ask, ask, asks, names_asked
from confmat.name_calls import base_of
from confmat.options import Options, checked_undefined
from confmat.registry import names

_usual: Callable[..., Options] = lru_cache(Options)  # small calls would feel it made anew


def value(
    state: MatrixBase,
    name: str,
    average: str | None = None,
    pos_label: Label | None = None,
    undefined: float | None = None,
    classes: Sequence[Label] | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> float:
    """Return one metric.

    Parameters
    ----------
    name : str
        A name or alias of `list_metrics()`, such as "mcc", "f1", "f1_macro" or "fbeta(2)".
    average : {"macro", "micro", "weighted", "ovo", "min", "max"}, optional
        The average over the classes; the same as the suffix in the name. "harmonic",
        "geometric" and "quadratic" means, and the "power" mean of any exponent `p`, are there
        for metrics that are never negative.
    pos_label : label, optional
        The positive class of a metric that is about one class. Default: 1 or True when the
        matrix has two classes; with more it must be given.
    undefined : float, optional
        Takes the place of undefined values, before averaging; then averages are over classes
        of `labels` that no row has, too. Default: undefined values are nan, and averages leave
        them and such classes out.
    classes : sequence of labels, optional
        Those that an average is over; rows of the others still count against them. Default:
        all.
    keep_empty : bool, default False
        Keep classes that occur in neither truth nor prediction. Averages leave those out that
        only a dtype adds (Boolean, Enum), also then.
    **params : float or str
        Parameters of the metric, such as `beta=2`. One that is the exponent of a mean also
        takes "min", "harmonic", "geometric", "arithmetic", "quadratic" or "max": `p="min"`.
        (`mean_p` is that of "power" where the metric itself has a `p`.)

    Returns
    -------
    float
        nan where undefined, silently: `reason` says why. `tp`, `fp`, `fn`, `tn` and `support`
        are integers when the cells are.

    Raises
    ------
    InputError
        An unknown name, average or parameter; a label that is not in the matrix; a metric
        about one class with no positive class.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    >>> m.value("f1", average="macro") == m.value("f1_macro") == m["f1_macro"] == m.f1_macro
    True
    >>> round(m.value("recall", pos_label=2), 2)
    0.86
    """
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    at = None if classes is None else among(state, asked, classes)
    return number(state, asked, pos_label, undefined, keep_empty, at)


def reason(
    state: MatrixBase,
    name: str,
    average: str | None = None,
    pos_label: Label | None = None,
    classes: Sequence[Label] | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> str | None:
    """Return why a metric is undefined or degenerate here, or None. Arguments as `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[5, 0], [3, 0]])
    >>> m.precision, m.reason("precision")
    (nan, 'class 1: tp + fp = 0')
    >>> m.reason("accuracy") is None
    True
    """
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    at = among(state, asked, classes)
    given = asked_of(state, asked.parsed, pos_label, keep_empty, None, at, asked.name)
    return asked.parsed.reasons(*given)[0]


def n_used(
    state: MatrixBase,
    name: str,
    average: str | None = None,
    undefined: float | None = None,
    classes: Sequence[Label] | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> int:
    """Return how many classes an average is over.

    Classes that are absent from both sides and classes whose value is undefined are left out,
    unless `undefined` stands in for them. Arguments as `value`.

    Returns
    -------
    int
        Classes; ordered pairs of classes for "ovo"; all present classes for "micro" and for
        metrics of the whole matrix. 0 where the average is undefined.

    Raises
    ------
    InputError
        An unknown name, or a metric about one class.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[5, 0, 0], [3, 0, 0], [0, 0, 2]])
    >>> m.precision_macro, m.n_used("precision_macro"), m.n_used("recall_macro")
    (0.8125, 2, 3)
    """
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    if asked.needs_positive:
        raise InputError(f"{asked.name} is about one class; wanted an average of it")
    fill, at = checked_undefined(undefined), among(state, asked, classes)
    return asked.parsed.n_used(state._cells, options_of(state, keep_empty, fill, at))[0]


def left_out(state: MatrixBase, name: str, classes: Any, keep_empty: bool) -> list[Label]:
    """Return the classes that an average leaves out as undefined."""
    asked = ask(name)
    if not asked.may_leave_out and classes is None:
        return []
    options = options_of(state, keep_empty, None, among(state, asked, classes))
    found = asked.parsed.left_out(state._cells, options)
    return [state._labels[at] for at in found]


def values(
    state: MatrixBase,
    metrics: Iterable[str] | None = None,
    pos_label: Label | None = None,
    undefined: float | None = None,
    *,
    keep_empty: bool = False,
) -> dict[str, float]:
    """Return many metrics at once, as a dict by name; margins are computed once.

    `metrics` defaults to the overall ones. The other arguments are those of `value`.
    """
    wanted = names("overall") if metrics is None else names_asked(metrics)
    parsed = asks(wanted)
    numbers = parsed.values(*asked_of(state, parsed, pos_label, keep_empty, undefined))
    return dict(zip(wanted, numbers.tolist(), strict=True))


def among(state: MatrixBase, asked: Ask, classes: Any) -> list[int] | None:
    """Return the positions of the classes that an average is over; None: all."""
    if classes is None:
        return None
    if asked.needs_positive or base_of(asked.name) in names("overall"):
        raise InputError(f"`classes` is of averages, and {asked.name} is none")
    wanted = label_set(classes, "classes", MAX_CLASSES)
    return list(map(finder(state._labels, "classes"), wanted))


def number(
    state: MatrixBase,
    asked: Ask,
    pos_label: Label | None,
    undefined: float | None,
    keep_empty: bool,
    classes: list[int] | None = None,
) -> float:
    """Return what is asked for of the class `pos_label`, of the matrix, or of these `classes`."""
    shown: Sequence[Label]
    if not asked.needs_positive and pos_label is None:
        # Names are for messages about a positive class, and take a while to make.
        cells, shown, pos, is_added = state._cells, state._labels, -1, False
    else:
        cells, shown, pos, is_added = placed(state, asked.needs_positive, asked.name, pos_label)
        if asked.is_count and pos >= 0:
            exact = {} if state.smoothing else class_counts(cells)
            if asked.name in exact:
                return int(exact[asked.name][pos])
    if isinstance(cells, SparseCells):
        # It may need all cells of a matrix that is too large for a table.
        refused = asked.parsed.refused(cells, options_of(state, keep_empty, None, classes))[0]
        if refused is not None:
            raise InputError(refused)
    options = options_of(state, keep_empty, undefined, classes, pos, is_added)
    number = asked.parsed.value(cells, shown, options)
    return math.nan if number != number else number


def asked_of(
    state: MatrixBase,
    parsed: _core.Asks,
    pos_label: Label | None,
    keep_empty: bool,
    undefined: float | None = None,
    classes: list[int] | None = None,
    name: str = "a metric asked for",
) -> tuple[AnyCells, tuple[str, ...], Options]:
    """Return the cells, the names of the classes and what else the core needs for metrics."""
    cells, shown, pos, is_added = placed(state, parsed.needs_positive, name, pos_label)
    return cells, shown, options_of(state, keep_empty, undefined, classes, pos, is_added)


def options_of(
    state: MatrixBase,
    keep_empty: bool,
    undefined: float | None = None,
    classes: list[int] | None = None,
    pos: int = -1,
    is_added: bool = False,
) -> Options:
    """Return how metrics of a matrix are computed; `is_added`: the class at `pos`, by `placed`."""
    fill = None if undefined is None else checked_undefined(undefined)
    make = _usual if keep_empty is False and classes is None else Options
    return make(pos, fill, state.smoothing, keep_empty, is_added or state._implied, classes)


def placed(
    state: MatrixBase, needed: bool, name: str, pos_label: Label | None
) -> tuple[AnyCells, tuple[str, ...], int, bool]:
    """Return the cells, the names of the classes and the position of the positive one, or -1.

    A matrix of at most one class, not of texts, gets the class 1, empty; last, whether it does.
    """
    labels = state._labels
    if pos_label is None and needed:
        pos_label = state._positive
    if pos_label is None and (not needed or len(labels) > 2):
        # With more than two classes the core says which averages there are.
        return state._cells, state._shown, -1, False
    if positive_class.may_add(labels, pos_label):
        cells, _, pos = positive_class.added(state.counts, labels)
        return cells, (*state._shown[:pos], "1", *state._shown[pos:]), pos, True
    if pos_label is not None:
        at = position(labels, pos_label, "pos_label")
        return state._cells, state._shown, at, False
    pos = positive_class.found(labels, None)
    if pos < 0:
        raise InputError(
            f"{name} needs a positive class and the labels are {listing(labels)}; "
            f"pass pos_label=..., one of them"
        )
    return state._cells, state._shown, pos, False
