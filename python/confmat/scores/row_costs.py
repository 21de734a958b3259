"""Costs that differ from row to row: their total at every threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError, Row
from confmat.inputs import column, label_column
from confmat.labels import Label
from confmat.missing import first_missing, first_null
from confmat.own_errors import own_errors
from confmat.scores.from_rows import swept
from confmat.scores.state import Floats, ScoreState
from confmat.scores.thinning import kept


@own_errors
def cost_sweep(
    y_true: Any,
    y_score: Any,
    *,
    fp: Any,
    fn: Any,
    tp: Any = 0.0,
    tn: Any = 0.0,
    pos_label: Label | None = None,
    max_points: int | None = None,
    max_error: float | None = None,
) -> pl.DataFrame:
    """Return the total cost at every threshold, where each row has costs of its own.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n,)
        Two classes and scores, as `sweep` takes them; no nulls.
    fp, fn, tp, tn : float or array-like of shape (n,)
        What each outcome costs: one number, or one a row. Of a row only the two that fit its
        class count. Negative costs are gains.
    pos_label : label, optional
        The positive class. Needed unless the classes are {0, 1}, {False, True} or {-1, 1}.
    max_points, max_error
        As in `Sweep.cost_curve`.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `cost` and `mean_cost`, from the threshold +inf, at which no row is
        predicted positive, down to the lowest score. `frame.sort("cost").row(0)` is the cheapest,
        of equally cheap ones the highest threshold.

    Raises
    ------
    InputError
        A cost that is a null or not finite, costs of another length, and what `sweep` refuses.

    Notes
    -----
    A row predicted positive costs `fp` - `tn` more if negative, and `fn` - `tp` less if positive:
    the total is a difference of two weighted sweeps, in O(n log n).

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> import confmat as cm
    >>> y, scores, amounts = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [20.0, 500.0, 90.0, 40.0]
    >>> cm.cost_sweep(y, scores, fp=5.0, fn=amounts).rows()[:4]
    [(inf, 130.0, 32.5), (0.8, 90.0, 22.5), (0.4, 95.0, 23.75), (0.35, 5.0, 1.25)]
    """
    truth, scores = label_column(y_true, "y_true").data, column(y_score, "y_score").data
    for argument, data in (("y_true", truth), ("y_score", scores)):
        row = (first_missing if argument == "y_true" else first_null)(data)
        if row is not None:
            raise InputError("null ", Row(row), f" of `{argument}`; wanted none beside costs")
    plain = ScoreState._around(swept(truth, scores, pos_label=pos_label))
    n = int(plain.n)
    given = {"fp": fp, "fn": fn, "tp": tp, "tn": tn}
    costs = {name: _costs(value, n, name) for name, value in given.items()}

    def of_class(weights: Floats, positive: bool) -> Floats:
        """Return the sum of the weights of one class at and above each score."""
        total = np.zeros(len(plain._at) + 1)
        for sign in (1.0, -1.0):
            part = np.maximum(sign * weights, 0.0)
            if part.any():
                weighted = swept(truth, scores, pos_label=pos_label, sample_weight=part)
                s = ScoreState._around(weighted)
                sums = s.tp if positive else s.fp
                # Scores whose weights are all zero may be absent.
                at = len(s._at) - np.searchsorted(s._at[::-1], plain._at)
                total[1:] += sign * np.append(0.0, sums)[at]
        return total

    refused = of_class(costs["fn"], True)[-1] + of_class(costs["tn"], False)[-1]
    more = of_class(costs["fp"] - costs["tn"], False)
    less = of_class(costs["fn"] - costs["tp"], True)
    total = refused + more - less
    mean = total / (n or math.nan)
    keep = kept([mean], max_points, max_error)
    thresholds: npt.NDArray[Any] = np.append(plain._at.dtype.type(math.inf), plain._at)
    columns = {"threshold": thresholds, "cost": total, "mean_cost": mean}
    frame = pl.DataFrame({name: values[keep] for name, values in columns.items()})
    return frame.with_columns(pl.col("mean_cost").fill_nan(None))


def _costs(value: Any, n: int, argument: str) -> Floats:
    """Return one cost a row, checked."""
    if np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return np.full(n, _finite(np.array([value]).reshape(1), argument)[0])
    data = column(value, argument).data
    row = first_null(data)
    if row is not None:
        raise InputError(f"`{argument}` is null ", Row(row), "; wanted a number")
    numbers = _finite(
        data if isinstance(data, np.ndarray) else pl.Series(data).to_numpy(), argument
    )
    if len(numbers) != n:
        raise InputError(f"`{argument}` has {len(numbers)} rows and `y_true` has {n}")
    return numbers


def _finite(values: npt.NDArray[Any], argument: str) -> Floats:
    if values.dtype.kind not in "biuf":
        raise InputError(f"`{argument}` has dtype {values.dtype}; wanted numbers")
    numbers = values.astype(np.float64)
    bad = ~np.isfinite(numbers)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(f"`{argument}` is {numbers[row]} ", Row(row), "; wanted finite numbers")
    return numbers
