"""Metrics of groups and of all rows, and criteria, as frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.fairness.base import FairnessBase


def table(f: FairnessBase) -> pl.DataFrame:
    """Return the metrics of each group, one row a group and metric.

    Returns
    -------
    pl.DataFrame
        The control and sensitive columns, `n`, `metric`, `value`, the interval `low` and `high`
        at `level`, and `reason`: why there is no value, or no interval.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": list("ffm"), "y_true": [0, 1, 0], "y_pred": [0, 1, 1]})
    >>> f = fairness(cm.partial(log, by="sex"), "sex", metrics=["tpr", "accuracy"])
    >>> f.table().select("sex", "metric", "value", "reason").rows()[1:3]
    [('f', 'accuracy', 1.0, None), ('m', 'tpr', None, 'tp + fn = 0')]
    """
    frames = []
    for name in f.metrics:
        m = f._measures[name]
        low, high = m.ends(f.level)
        without = np.isnan(low) | np.isnan(high)
        reasons = [
            reason or ((m.no_interval or None) if no else None)
            for reason, no in zip(m.reasons, without, strict=True)
        ]
        columns = {"value": m.value, "low": low, "high": high}
        frames.append(f._rows(name, columns, reasons))
    return f._tidy(frames)


def by_group(f: FairnessBase) -> pl.DataFrame:
    """Return the metrics of each group, one row a group and one column a metric."""
    values = [
        pl.Series(name, f._measures[name].value, nan_to_null=True, dtype=pl.Float64)
        for name in f.metrics
    ]
    return pl.DataFrame([*f._groups.keys.get_columns(), f._n(), *values])


def overall(f: FairnessBase) -> pl.DataFrame:
    """Return the metrics of all rows, one row a combination of the control columns.

    Groups that are too small are among them.
    """
    values = [
        pl.Series(name, f._overall[name].value, nan_to_null=True, dtype=pl.Float64)
        for name in f.metrics
    ]
    n = pl.Series("n", f._overall.n)
    return pl.DataFrame([*f._overall.groups.keys.get_columns(), n, *values])


def between(f: FairnessBase) -> pl.DataFrame:
    """Return how far groups lie apart, one row a criterion (and combination of controls).

    Returns
    -------
    pl.DataFrame
        The control columns, `criterion`, `value`, the interval `low` and `high`, the groups
        `lowest` and `highest`, `groups`, how many were compared, and `reason`.

    Notes
    -----
    A difference is that of the highest and the lowest group, a ratio their quotient, lowest by
    highest. The intervals can reach 0 and 1: `docs/fairness.md` has their coverage.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": list("ffmm"), "y_true": [0, 1] * 2, "y_pred": [0, 0, 0, 1]})
    >>> f = fairness(cm.partial(log, by="sex"), "sex")
    >>> f.between().select("criterion", "value", "lowest", "highest").rows()[0]
    ('demographic_parity_difference', 0.5, 'f', 'm')
    """
    rows = []
    for control, block in f._groups.controls():
        names = [f._groups.names[int(row)] for row in block]
        for one in f._criteria:
            found = f._spread(one, block)
            ends = {"lowest": found.lowest, "highest": found.highest}
            shown = {end: None if at is None else names[at] for end, at in ends.items()}
            numbers = {"value": found.value, "low": found.low, "high": found.high}
            more = {"groups": found.groups, "reason": found.reason}
            rows.append(control | {"criterion": one.name} | numbers | shown | more)
    schema: dict[str, Any] = dict(f._groups.frame.select(f._groups.control).schema)
    schema |= {"criterion": pl.String, "value": pl.Float64, "low": pl.Float64}
    schema |= {"high": pl.Float64, "lowest": pl.String, "highest": pl.String}
    schema |= {"groups": pl.Int64, "reason": pl.String}
    return pl.DataFrame(rows, schema=schema).fill_nan(None)
