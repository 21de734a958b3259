"""Two models on the same rows: counts of truth x prediction of the one x that of the other."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices import joint_codes, joint_hypotheses, joint_state, joint_summary
from confmat.matrices.joint_codes import (
    ARGUMENTS,
    classes_of,
    known_rows,
    series_of,
    triples_of,
)
from confmat.matrices.joint_state import JointState
from confmat.objects.counting import outsider_error, refuse_identifiers
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.two_models import TwoModels
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.render.figures import figure
from confmat.render.text import left_out, many, number

_MODELS: tuple[Literal["a"], Literal["b"]] = ("a", "b")
_CELL = ("y_true", "a", "b", "n")


class JointMatrix(JointState, TwoModels):
    """Counts of true classes by what two models, a and b, predict for the same rows.

    Made by `joint_matrix`, or of a long frame. Immutable; `+` merges, `-` takes away, `to_bytes`,
    `pickle` and `copy` work.

    Parameters
    ----------
    counts : pl.DataFrame or JointMatrix
        Columns `y_true`, `a`, `b` and `n`, integers: a row for each cell that occurs; rows of the
        same cell are added up.
    labels : sequence of int, bool or str, optional
        The classes, in the order wanted. Default: the categories of an Enum, or the sorted labels
        found.

    Attributes
    ----------
    labels : tuple
    n : int or float
        Rows counted, or the sum of their weights.
    n_dropped, n_other : int
        Rows left out for a null, or for a label outside `labels`, in any of the three columns.
    counts : ndarray of shape (K, K, K)
        Truth, model a, model b; of up to 512 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> j = cm.joint_matrix([0, 1, 1, 1], [0, 1, 0, 0], [0, 1, 1, 0])
    >>> j.matrix("a").accuracy, j.matrix("b").accuracy
    (0.5, 0.75)
    >>> j.flips().select("label", "only_a", "only_b").rows()
    [(0, 0, 0), (1, 0, 1)]
    """

    __slots__ = ()

    _index = "a JointMatrix has no numbers by name; those of a model are in `matrix`"
    _of_one = "matrix"
    _counts = ("n_dropped", "n_other")

    to_polars = joint_state.to_polars
    flips = joint_state.flips
    test = joint_hypotheses.test

    def __init__(self, counts: Any, labels: Any = None) -> None:
        if isinstance(counts, JointMatrix) and labels is None:
            state = counts._state
        else:
            state = _of_frame(counts, labels)
        object.__setattr__(self, "_state", state)

    def matrix(self, model: Literal["a", "b"]) -> ConfusionMatrix:
        """Return the confusion matrix of one of the models, over the rows that this one counts.

        Both matrices have all `labels`, those that only the other model predicts, too.

        Parameters
        ----------
        model : {"a", "b"}

        Examples
        --------
        >>> import confmat as cm
        >>> j = cm.joint_matrix(["x", "y"], ["x", "x"], ["x", "z"])
        >>> j.matrix("b").counts.tolist()
        [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
        """
        check_choice("model", model, "a", "b")
        return ConfusionMatrix._around(self._state.matrix(model == "b"))

    def _title(self) -> str:
        rights = [figure(self.matrix(model).accuracy) for model in _MODELS]
        return (
            f"Two models on rows of {many(len(self.labels), 'class')}, n = {number(self.n)}: "
            f"accuracy {rights[0]} of a, {rights[1]} of b{left_out(self.n_dropped)}"
        )

    def _frames(self) -> list[pl.DataFrame]:
        return [joint_summary.accuracies(self), self.flips()]

    def __repr__(self) -> str:
        return f"<JointMatrix of {len(self.labels)} {self._about()}>"


@own_errors
def joint_matrix(
    y_true: Any,
    y_pred_a: Any,
    y_pred_b: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    other: Literal["raise", "bucket"] = "raise",
) -> JointMatrix:
    """Count true labels by what two models predict for the same rows.

    What two confusion matrices cannot tell: on which rows the models differ. McNemar's test, flip
    rates and paired intervals of differences are read from these counts.

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b : array-like of shape (n,)
        Labels of one kind, as in `confusion_matrix`.
    labels, sample_weight, other
        As in `confusion_matrix`, of all three columns.

    Returns
    -------
    JointMatrix
        Cells that are not 0. A row with a null in any of the columns is left out and counted in
        `n_dropped`.

    Raises
    ------
    InputError
        As `confusion_matrix`.

    Examples
    --------
    >>> import confmat as cm
    >>> j = cm.joint_matrix(["cat", "dog", "dog"], ["cat", "cat", "dog"], ["cat", "dog", "dog"])
    >>> j.n, j.labels
    (3, ('cat', 'dog'))
    >>> j.matrix("a") == cm.confusion_matrix(["cat", "dog", "dog"], ["cat", "cat", "dog"])
    True
    """
    check_choice("other", other, "raise", "bucket")
    columns, declared = zip(
        *(
            series_of(values, argument)
            for values, argument in zip((y_true, y_pred_a, y_pred_b), ARGUMENTS, strict=True)
        ),
        strict=True,
    )
    for one, argument in zip(columns, ARGUMENTS, strict=True):
        _check_length(one, argument, len(columns[0]))
    rows = pl.DataFrame(list(columns))
    wanted, is_given = joint_codes.given_labels(labels, list(declared))
    if sample_weight is None:
        state = _counted(rows, wanted, is_given, other)
    else:
        weight, _ = series_of(sample_weight, "sample_weight")
        _check_length(weight, "sample_weight", len(rows))
        state = _weighted(rows, weight, wanted, is_given, other)
    if wanted is None:
        refuse_identifiers(list(state.labels), state.rows)
    return JointMatrix._around(state)


def checked_classes(
    rows: pl.DataFrame, wanted: list[Label] | None, is_given: bool, other: str
) -> joint_codes.Classes:
    """Return the classes of rows of three columns; refuse the first other label if that is asked.

    Raises
    ------
    InputError
        A label that is not in `labels`, with its row; labels of several kinds.
    """
    found = classes_of(known_rows(rows), wanted, is_given)
    if found.outsider is not None and other == "raise":
        raise outsider_error(found.outsider, found.labels)
    return found


def _counted(
    rows: pl.DataFrame, wanted: list[Label] | None, is_given: bool, other: str
) -> _core.Joint:
    """Count the triples that occur, and name their classes."""
    cells = rows.group_by(*ARGUMENTS).agg(_n=pl.len())
    triples = cells.select(ARGUMENTS)
    try:
        classes = classes_of(known_rows(triples), wanted, is_given)
    except InputError:  # its row is that of a triple
        classes_of(known_rows(rows), wanted, is_given)
        raise
    if classes.outsider is not None and other == "raise":
        checked_classes(rows, wanted, is_given, other)
    return state_of_cells(triples, cells["_n"], classes)


def state_of_cells(
    triples: pl.DataFrame, n: pl.Series, classes: joint_codes.Classes
) -> _core.Joint:
    """Return the state of triples of labels, each of so many rows."""
    codes = triples_of(triples, classes.labels)
    starts = np.array([0, len(n)], dtype=np.int64)
    numbers = n.cast(pl.Int64).to_numpy()
    made = _core.joint_states(*codes, numbers, starts, classes.labels, classes.origin)
    return _core.Joint.from_bytes(made[0])


def _weighted(
    rows: pl.DataFrame, weight: pl.Series, wanted: list[Label] | None, is_given: bool, other: str
) -> _core.Joint:
    """Sum weights by pairs of codes, as a matrix of these does: exactly."""
    if weight.null_count():
        rows = rows.select(pl.when(weight.is_not_null()).then(pl.all()))
    classes = checked_classes(rows, wanted, is_given, other)
    codes = triples_of(rows, classes.labels)
    truth, pair, is_other = joint_codes.pairs_of(codes, len(classes.labels))
    pairs, _ = _core.count(truth, pair, weight, None, 0)
    return _core.joint_of_pairs(pairs, classes.labels, classes.origin, int(is_other.sum()))


def _check_length(values: pl.Series, argument: str, rows: int) -> None:
    if len(values) != rows:
        raise InputError(f"`y_true` has {rows} rows, `{argument}` has {len(values)}")


def _of_frame(frame: Any, labels: Any) -> _core.Joint:
    if not isinstance(frame, pl.DataFrame) or not set(_CELL) <= set(frame.columns):
        found = (
            f"a frame of {frame.columns}"
            if isinstance(frame, pl.DataFrame)
            else type(frame).__name__
        )
        raise InputError(f"`counts` is {found}; wanted a pl.DataFrame of {list(_CELL)}")
    frame = frame.select(_CELL)
    for name, nulls in zip(_CELL, frame.null_count().row(0), strict=True):
        if nulls:
            raise InputError(f"`counts`: column `{name}` has a null; wanted none")
    n = frame["n"]
    if not n.dtype.is_integer() or (len(n) and n.min() < 0):
        raise InputError("`counts`: column `n` has to hold numbers of rows, integers from 0 on")
    pairs = [
        series_of(frame[name], argument) for name, argument in zip(_CELL, ARGUMENTS, strict=False)
    ]
    triples = pl.DataFrame([series for series, _ in pairs])
    wanted, is_given = joint_codes.given_labels(labels, [declared for _, declared in pairs])
    classes = checked_classes(triples, wanted, is_given, "raise")
    state: _core.Joint = state_of_cells(triples, n, classes)
    return state
