"""Labels and scores of many classes, checked and brought together as a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.inputs import column, label_column
from confmat.labels import Label, label_set, listing
from confmat.missing import null_error
from confmat.multiclass.inputs import (
    agree,
    in_column_order,
    normalized,
    read_table,
)
from confmat.objects.multiclass_sweep import MulticlassSweep
from confmat.options import check_choice
from confmat.own_errors import own_errors


@own_errors
def multiclass_sweep(
    y_true: Any,
    scores: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: bool = False,
    tolerance: float | None = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> MulticlassSweep:
    """Read scores of K classes: AUC, top-k accuracy; of probabilities losses and calibration.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Integers, booleans or texts, as for `confusion_matrix`.
    scores : array-like of shape (n, K)
        Any real scores, as logits, higher where the class is more likely; log loss, Brier score
        and calibration need probabilities. A NumPy array of any strides, a list of rows (lists,
        tuples or arrays of K numbers), a List or Array Series, a Polars or pandas DataFrame, a
        pyarrow Table, a dict of columns or a list of K Polars Series. float32 and float64 columns
        are read where they lie.
    labels : sequence of int, bool or str, optional
        The class of each column, in order. Default: the column names of a frame, where they hold
        every label of `y_true`; the categories of an Enum; otherwise the sorted labels of `y_true`,
        of which there must be K. Where all column names of a frame are such a label with the same
        text before it and after it, as in "p_short" and "p_long", each column is of its label, in
        whatever order they are.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights.
    normalize : bool, default False
        Divide each row by its sum, in a copy.
    tolerance : float, optional
        How far the sum of a row of probabilities may be from 1. Default: 1e-5, or 1e-3 for float16.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null label or weight out and count them in `n_dropped`, or refuse them.
        Their scores are not looked at. A null score is always an error.

    Returns
    -------
    MulticlassSweep

    Raises
    ------
    InputError
        Shapes and labels that do not fit; a nan or null, with its row; bad weights; with
        `normalize` a negative value, or a row of zeros.

    Notes
    -----
    One pass over the rows on every core. Results do not depend on the number of threads.

    Examples
    --------
    >>> import confmat as cm
    >>> proba = [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]
    >>> k = cm.multiclass_sweep(["a", "a", "b", "c"], proba)
    >>> k.roc_auc, k.value("top_k_accuracy", k=2), k.at_argmax().accuracy
    (1.0, 0.75, 0.75)
    """
    check_choice("nulls", nulls, "drop", "raise")
    found, declared, _ = label_column(y_true, "y_true")
    truth = coded(found)
    table = read_table(scores)
    known = labels_of_columns(truth, declared, len(table.columns), table.names, labels)
    codes = _core.class_codes(truth, known, 0)
    k, rows = len(known), len(codes)
    if table.rows != rows:
        raise InputError(f"`scores` has {table.rows} rows and `y_true` {rows}")
    weights = weight_column = None
    if sample_weight is not None:
        weight_column = column(sample_weight, "sample_weight").data
        weights, missing = _core.row_weights(weight_column, rows, codes >= k, True, 0)
        if missing is not None:
            codes = np.where(missing, np.uint16(k + 1), codes)
    used = codes < k
    if nulls == "raise" and not used.all():
        columns = {"y_true": found}
        if weight_column is not None:
            columns["sample_weight"] = weight_column
        raise null_error(columns, len(used) - int(used.sum()))
    if normalize:
        table = normalized(table, used)
    half = table.half and not normalize
    return MulticlassSweep(
        table.columns,
        codes,
        tuple(known),
        weights,
        weight_column,
        _tolerance(tolerance, half),
        table.score_type,
    )


def labels_of_columns(
    truth: Any,
    declared: list[Label] | None,
    k: int,
    names: Sequence[str] | None,
    given: Any,
    argument: str = "scores",
) -> list[Label]:
    """Return the class of each of k columns of scores, from names, labels given or found.

    `declared`: those of the type of the truth. Raises InputError: there are not k.
    """
    if given is not None:
        known = label_set(given)
        if len(known) != k:
            raise InputError(f"`labels` has {len(known)} labels for {k} columns of `{argument}`")
        agree(names, known, argument)
        return known
    found = list(_core.count(truth, truth, None, None, 0)[0].labels)
    if names is not None and len(set(names)) == k and set(found) <= set(names):
        return list(names)
    known = found if declared is None else declared
    if len(known) != k:
        raise InputError(
            f"`{argument}` has {k} columns and `y_true` {len(known)} classes, {listing(known)}; "
            "pass labels=..., the class of each column in order"
        )
    order = None if names is None else in_column_order(names, known)
    if order is None:
        agree(names, known, argument, are_given=False)
    return order or known


def _tolerance(given: Any, half: bool) -> float:
    if given is None:
        return 1e-3 if half else 1e-5
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
        raise InputError(f"`tolerance` is {given!r}; wanted a number from 0 to 1")
    return float(given)
