"""Objects made of scores of many classes: confusion matrices, one class against the rest."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.costs import checked_costs
from confmat.labels import Label
from confmat.multiclass.losses import checked_k
from confmat.multiclass.memberships import membership_cells
from confmat.multiclass.state import MulticlassState, kept
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.sweep import Sweep
from confmat.options import check_choice
from confmat.scores.clipping import clip_of


def at_argmax(state: MulticlassState) -> ConfusionMatrix:
    """Return the confusion matrix of the highest score; of equal ones, the first column.

    Returns
    -------
    ConfusionMatrix
        Integer weights give integer cells, and squared weights are kept.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.at_argmax().counts.tolist()
    [[1, 0], [1, 1]]
    """
    return at_top_k(state, 1)


def at_top_k(
    state: MulticlassState, k: int, ties: Literal["first", "last"] = "first"
) -> ConfusionMatrix:
    """Return the confusion matrix where k guesses a row are allowed.

    A row whose true class is among the k of its highest scores counts as predicted right; any
    other row counts as predicted to be the class of its highest score. So the accuracy of the
    matrix is the top-k accuracy, the recall of a class is its top-k recall, and what is off
    the diagonal is what the true class lost to.

    Parameters
    ----------
    k : int
        At least 1; 1 is `at_argmax`.
    ties : {"first", "last"}, default "first"
        Which of the columns with equal scores comes first.

    Returns
    -------
    ConfusionMatrix

    Examples
    --------
    >>> import confmat as cm
    >>> proba = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    >>> s = cm.multiclass_sweep([0, 1, 2], proba)
    >>> s.at_top_k(2).counts.tolist()
    [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    """
    check_choice("ties", ties, "first", "last")
    named = _core.predict_top_k(state._columns, state._codes, checked_k(k), ties == "last", 0)
    return _predicted(state, named)


def at_min_cost(state: MulticlassState, cost_matrix: Any) -> ConfusionMatrix:
    """Return the confusion matrix of the decisions that cost least, by the probabilities.

    Each row is predicted to be the class j of the least expected cost, the sum over classes i
    of p_i times the cost of (true i, predicted j); of equal ones the first column. So
    `m.cost(cost_matrix)` of the result is what these decisions cost in all, and `/ m.n` what
    they cost a row.

    Parameters
    ----------
    cost_matrix : array-like, shape (K, K)
        Rows true, columns predicted, in label order. Negative costs are gains.

    Returns
    -------
    ConfusionMatrix

    Raises
    ------
    InputError
        Another shape, or a cost that is not finite.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> cost = [[0, 1], [5, 0]]
    >>> m = s.at_min_cost(cost)
    >>> m.counts.tolist(), m.cost(cost), s.at_argmax().cost(cost)
    ([[0, 1], [0, 2]], 1.0, 5.0)
    """
    costs = checked_costs(cost_matrix, len(state._labels))
    state._need_probabilities("at_min_cost")
    rounding = 4 * len(costs) * float(np.finfo(np.float64).eps)
    least = np.full(len(state._codes), np.inf)
    room = np.zeros(len(state._codes))  # costs that only rounding sets apart are equal
    named = np.zeros(len(state._codes), dtype=np.uint16)
    for at, of_predicted in enumerate(costs.T):
        # Added up column by column: unlike a product of matrices, the same on any machine.
        expected, size = np.zeros(len(state._codes)), np.zeros(len(state._codes))
        with np.errstate(invalid="ignore"):  # of rows that are left out anything may be there
            for column, price in zip(state._columns, of_predicted, strict=True):
                term = column.astype(np.float64, copy=False) * price
                expected += term
                size += np.abs(term)
            cheaper = expected < least - np.maximum(room, rounding * size)
        least[cheaper], named[cheaper] = expected[cheaper], at
        room[cheaper] = rounding * size[cheaper]
    return _predicted(state, named)


def _predicted(state: MulticlassState, named: npt.NDArray[np.uint16]) -> ConfusionMatrix:
    """Return the matrix of predicted classes, by their position."""
    counted, _ = _core.count(
        kept(state, state._codes),
        named,
        state._weight_column,
        list(range(len(state._labels))),
        0,
    )
    return ConfusionMatrix._around(counted.renamed(state._labels))


def soft_matrix(state: MulticlassState, memberships: Any = None) -> ConfusionMatrix:
    """Return the soft confusion matrix: row i sums up the probabilities of the rows of class i.

    Parameters
    ----------
    memberships : array-like, n x K, optional
        How much each row belongs to each class, shares that sum to 1, in any form that scores
        have. Row i then sums up the probabilities of all rows by their share of class i, in place
        of those whose true class it is.

    Returns
    -------
    ConfusionMatrix
        float64 cells; each row of the matrix sums to the weight of its class, within the
        tolerance of the rows' sums.

    Raises
    ------
    InputError
        Scores that are no probabilities; memberships of another shape, or that are no shares.

    References
    ----------
    Dembélé (2025), https://arxiv.org/abs/2511.01904.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.soft_matrix().counts.round(6).tolist()
    [[0.6, 0.4], [0.9, 1.1]]
    >>> s.soft_matrix([[1, 0], [0.5, 0.5], [0, 1]]).counts.round(6).tolist()
    [[0.95, 0.55], [0.55, 0.95]]
    """
    state._need_probabilities("soft_matrix")
    if memberships is None:
        cells = state._added_up(clip_of(state._score_type), soft=True)["soft"]
    else:
        cells = membership_cells(state, memberships)
    return ConfusionMatrix._of(cells, state._labels, None, state.n_dropped)


def one_vs_rest(state: MulticlassState, label: Label) -> Sweep:
    """Return the exact sweep of one class against the rest, by the score of that class.

    Parameters
    ----------
    label : label
        One of `labels`.

    Returns
    -------
    Sweep
        As `sweep(y_true == label, column)`, with True as the positive class.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.one_vs_rest(1).roc_auc
    0.5
    """
    return Sweep._around(state._against_rest(label)._state)
