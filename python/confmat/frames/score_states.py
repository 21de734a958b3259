"""Binned sweeps as a column: one Binary state a group, merged and read in later queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.expressions import IntoExpr, plugin
from confmat.frames.score_expressions import encode_score, pack_score_spec, score_metric_names
from confmat.labels import Label
from confmat.scores.grid import UNIT, BinMap, map_code


def binned_sweep(
    y_true: IntoExpr = "y_true",
    y_score: IntoExpr = "y_score",
    *,
    bins: BinMap = UNIT,
    pos_label: Label | None = None,
    sample_weight: IntoExpr | None = None,
    nan: str = "raise",
) -> pl.Expr:
    """Return the binned sweep of each group as bytes: a state that later queries can merge.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight, nan
        As in `sweep_metrics`.
    bins : "unit", int or "float16", default "unit"
        As in `cm.sweep`: "unit" is fine everywhere in [0, 1]; of a power of two, at most 65536,
        bins are told apart by the leading bits of the score as float32, so that their relative
        width is the same for scores of any size; of "float16" each float16 is a bin, of the scores
        up to the next: a plan has to ask for it, also where the scores are float16.

    Returns
    -------
    pl.Expr
        Binary called "binned_sweep", as `to_bytes` of a binned sweep writes it and `cm.from_bytes`
        reads it. It takes about 130 bytes, and for each bin that holds a row 1 to 4 bytes for its
        distance from the next, 1 to 8 for each of its two counts (8 for sums of weights), and while
        each bin holds one score alone, 8 for that score (4 where it is no Float64): such a state is
        exact. The name of a negative class that is a text is kept where it is the lowest or the
        highest label of the group.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_states import binned_metrics, binned_sweep, merge_binned_sweeps
    >>> log = pl.DataFrame({
    ...     "day": [1, 1, 1, 2, 2, 2],
    ...     "y_true": [0, 1, 0, 1, 1, 0],
    ...     "y_score": [0.2, 0.9, 0.4, 0.6, 0.3, 0.1],
    ... })
    >>> days = log.group_by("day").agg(binned_sweep())
    >>> days.select(merge_binned_sweeps("binned_sweep")).select(
    ...     binned_metrics("binned_sweep", "roc_auc")
    ... ).item()["roc_auc"]
    0.8888888888888888
    """
    spec = pack_score_spec(
        (),
        pos_label=pos_label,
        weighted=sample_weight is not None,
        nan=nan,
        bins=map_code(bins),
    )
    labels = _column(y_true)
    args = [encode_score(y_true, y_score, sample_weight, spec), labels.min(), labels.max()]
    if sample_weight is not None:
        args.append(_column(sample_weight).first())
    return plugin("binned_sweep", args, spec, is_elementwise=True).alias("binned_sweep")


def merge_binned_sweeps(state: str | pl.Expr = "binned_sweep") -> pl.Expr:
    """Return the sum of the binned sweeps of each group; null where there are none.

    It is exact if all of them are, and no bin holds one score in one and another in another.

    Parameters
    ----------
    state : str or pl.Expr, default "binned_sweep"
        States of `binned_sweep`, or of `to_bytes`, all with the same `bins`; nulls are left out.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_states import binned_sweep, merge_binned_sweeps
    >>> log = pl.DataFrame({"y_true": [0, 1], "y_score": [0.2, 0.9]})
    >>> state = log.select(binned_sweep())
    >>> pl.concat([state, state]).select(merge_binned_sweeps().bin.size()).item()
    150
    """
    lists = _column(state).implode(maintain_order=False)
    return plugin("merge_binned", [lists], pack_score_spec(()), is_elementwise=True)


def binned_metrics(
    state: IntoExpr = "binned_sweep", metrics: Sequence[str] | str | None = None
) -> pl.Expr:
    """Return metrics of binned sweeps, with the bounds of the area under the ROC curve.

    Parameters
    ----------
    state : str or pl.Expr, default "binned_sweep"
        States of `binned_sweep`, or of `to_bytes` of a sweep.
    metrics : sequence of str, optional
        Names as in `sweep_metrics`, of those that need no probabilities. Scores of one bin tie.

    Returns
    -------
    pl.Expr
        A Struct called "binned_metrics": `n`, `n_dropped`, one Float64 a metric, `roc_auc_lo` and
        `roc_auc_hi`: the exact area lies between them; and `is_exact`, whether each bin holds one
        score alone: then every metric is that of the exact scores.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.frames.score_states import binned_metrics, binned_sweep
    >>> log = pl.DataFrame({"y_true": [0, 1, 1], "y_score": [0.61, 0.6, 0.9]})
    >>> coarse = log.select(binned_sweep(bins=256))
    >>> coarse.select(binned_metrics(metrics="roc_auc")).unnest("binned_metrics").rows()
    [(3.0, 0, 0.5, 0.0, 1.0, False)]
    >>> fine = log.select(binned_sweep())
    >>> fine.select(binned_metrics(metrics="roc_auc")).unnest("binned_metrics").rows()
    [(3.0, 0, 0.5, 0.5, 0.5, True)]
    """
    names = score_metric_names(metrics)
    needy = {n for f in _core.score_facts() if f["needs_probability"] for n in _names_of(f)}
    for name in names:
        if name.partition("(")[0].strip(" ") in needy:
            raise InputError(
                f"`metrics` holds {name!r}, which needs each score: bins do not keep them"
            )
    if {"roc_auc_lo", "roc_auc_hi"} & set(names):
        raise InputError("`metrics` holds a bound; both are always there")
    spec = pack_score_spec(names)
    return plugin("binned_metrics", [state], spec, is_elementwise=True).alias("binned_metrics")


def _column(column: IntoExpr) -> pl.Expr:
    if isinstance(column, pl.Expr):
        return column
    return pl.col(column) if isinstance(column, str) else pl.lit(column)


def _names_of(fact: dict[str, Any]) -> list[str]:
    return [fact["name"], *fact["aliases"]]
