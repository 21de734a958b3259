"""Numerators and denominators of the metrics that are rates, of many states at once."""

from __future__ import annotations

from functools import reduce
from operator import add

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.state_queries import STATE, of_each_state
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Floats
from confmat.intervals.proportions import ALL, Proportion, proportion_of, rate_name
from confmat.labels import Label
from confmat.own_errors import own_errors
from confmat.state_kinds import StateKind


@own_errors
def rates_of(
    parts: pl.DataFrame, metric: str, pos_label: Label | None = None
) -> tuple[Floats, Floats]:
    """Return the numerator and the denominator of a rate, of each state.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave, with states of predicted classes.
    metric : str
        A metric that is a rate, or an alias of it: `intervals.proportions` lists them.
    pos_label : int, bool or str, optional
        Of a metric of one class, the class; default the positive one of the states.

    Returns
    -------
    tuple of ndarray
        Whole numbers as float64, in the order of the rows; nan where a state is null.

    Raises
    ------
    InputError
        A metric that is no rate, states of something else.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.frames.state_rates import rates_of
    >>> log = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [1, 1, 0], "y_pred": [1, 0, 0]})
    >>> parts = cm.partial(log, by="site")
    >>> k, n = rates_of(parts, "recall")
    >>> k.tolist(), n.tolist()
    ([1.0, 0.0], [2.0, 0.0])
    """
    rate, name = proportion_of(metric), rate_name(metric)
    if rate is None or name is None:
        raise InputError(f"`metric` is {metric!r}, which is no rate of counted rows")
    if rate.is_of_all_rows:
        table = read(parts, (name,))
        total = table["n"].to_numpy()
        # The share is good to some units in the last place, the count is whole.
        right = table.select((pl.col(name).fill_null(0) * pl.col("n")).round())
        return right.to_series().to_numpy(), total
    return summed(read(parts, ALL, pos_label), rate)


def summed(cells: pl.DataFrame, rate: Proportion) -> tuple[Floats, Floats]:
    """Return numerator and denominator of a rate from a frame of tp, fp, fn and tn."""
    columns = {cell: cells[cell].to_numpy() for cell in ALL}
    numerator: Floats = reduce(add, (columns[cell] for cell in rate.numerator))
    return numerator, reduce(add, (columns[cell] for cell in rate.others), numerator)


def read(
    parts: pl.DataFrame, names: tuple[str, ...], pos_label: Label | None = None
) -> pl.DataFrame:
    """Return `n` and metrics of states of predicted classes; all null where a state is."""
    asked = state_metrics(STATE, names, pos_label=pos_label)
    table = of_each_state(parts.select(STATE), asked)
    return table.struct.unnest().select(pl.col("n", *names).cast(pl.Float64))


def not_counted(parts: pl.DataFrame) -> str | None:
    """Return why the states are no counts of rows by predicted class; None where they are."""
    states = parts[STATE].drop_nulls()
    first = states.head(1).to_list()
    if first and _core.state_kind(first[0]) != StateKind.COUNTS:
        return "the states are not of predicted classes"
    if any(map(_core.state_holds_weights, states)):
        return "the rows are weighted, and the interval is of counts of rows"
    return None
