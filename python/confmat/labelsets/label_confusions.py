"""Errors of sets of labels that meet in rows: which is missed where which other is named."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.labelsets.inputs import SetTable
from confmat.labelsets.rows import read_rows
from confmat.own_errors import own_errors


@own_errors
def label_confusions(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> pl.DataFrame:
    """Count the rows that miss one label and name another: what is taken for what.

    Parameters
    ----------
    y_true, y_pred, labels, sample_weight, nulls
        As in `multilabel`.

    Returns
    -------
    polars.DataFrame
        Columns `missed`, `named` and `count`: in so many rows the one is true and not predicted,
        and the other predicted and not true. The largest counts first, equal ones in the order of
        the labels; pairs that do not occur are left out. A row that misses two labels and names one
        is in two pairs.

    Raises
    ------
    InputError
        What `multilabel` refuses.

    See Also
    --------
    confmat.multilabel : Counts of each label by itself, and every metric of them.

    Examples
    --------
    >>> import confmat as cm
    >>> true = [["cat"], ["cat", "dog"], ["dog"]]
    >>> pred = [["lynx"], ["lynx", "dog"], ["dog"]]
    >>> cm.label_confusions(true, pred).rows()
    [('cat', 'lynx', 2)]
    """
    rows = read_rows(y_true, y_pred, labels, sample_weight, nulls)
    weights = np.ones(rows.true.rows, np.int64) if rows.weights is None else rows.weights
    missed = _only_in(rows.true, rows.pred, "missed")
    missed = missed.with_columns(count=pl.Series(weights[missed["row"].to_numpy()]))
    pairs = missed.join(_only_in(rows.pred, rows.true, "named"), on="row")
    count = pl.col("count")
    # Float weights are summed exactly, so that no order of the rows shows.
    exact = count.map_elements(math.fsum, return_dtype=pl.Float64)
    are_floats = weights.dtype.kind == "f"
    found = (
        pairs.group_by("missed", "named")
        .agg(count if are_floats else count.sum())
        .with_columns(exact if are_floats else count)
        .filter(pl.col("count") > 0)
        .sort("count", "missed", "named", descending=[True, False, False])
    )
    known = pl.Series(list(rows.labels))
    return found.with_columns(
        known.gather(found["missed"]).alias("missed"), known.gather(found["named"]).alias("named")
    )


def _only_in(one: SetTable, other: SetTable, name: str) -> pl.DataFrame:
    """Return the labels of rows that the one has and the other has not."""
    places, others = one.places(), other.places()
    at = np.searchsorted(others, places)
    found = at < len(others)
    found[found] = others[at[found]] == places[found]
    row, label = np.divmod(places[~found], max(one.width, 1))
    return pl.DataFrame({"row": row, name: label})
