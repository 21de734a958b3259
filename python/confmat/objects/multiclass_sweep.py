"""Scores of many classes against the true class: every number that follows from them."""

from __future__ import annotations

from confmat.multiclass.state import MulticlassState
from confmat.objects import multiclass_views
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.objects.base import MadeOfRows
from confmat.objects.binned_multiclass_sweep import to_state


class MulticlassSweep(MulticlassState, AnyMulticlassSweep, MadeOfRows):
    """Scores of K classes and the true class of each row, made by `multiclass_sweep`.

    Every number of `overall()` is an attribute (`k.roc_auc`, `k.roc_auc_ovo`, `k.log_loss`), and
    `value` takes parameters. Sums over the rows are there from the start; ranks and curves are
    computed when first asked for, from the columns, which are not copied: do not change them.
    `pickle` and `copy` work; `to_state` gives what merges and is saved.

    `print` and notebooks show 95 % intervals of what has a formula: averages of areas and of
    average precision where there are at most 200,000 scores, those of pairs of at most 20 classes;
    losses, and areas of the classes shown, of at most a million. `overall(ci=)` and
    `per_class(ci=)` have all.

    Attributes
    ----------
    labels : tuple
        The class of each column.
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows, n_dropped : int
        Rows counted, and rows left out for a null label or weight.
    n_clipped : int
        Rows whose probability of the true class `log_loss` raised.
    support : ndarray of shape (K,)
        Rows of each class, or the sum of their weights.
    n_classes_used, n_pairs_used : int
        Classes, and pairs of classes, that have rows: what averages are of.
    """

    _instead = "; k.to_state() keeps bins of the scores, which merge and are saved"

    at_argmax = multiclass_views.at_argmax
    at_top_k = multiclass_views.at_top_k
    at_min_cost = multiclass_views.at_min_cost
    soft_matrix = multiclass_views.soft_matrix
    one_vs_rest = multiclass_views.one_vs_rest
    to_state = to_state
