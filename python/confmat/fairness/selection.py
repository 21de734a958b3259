"""The four-fifths rule: shares of rows that are selected, against the most selected group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.fairness.against import places
from confmat.fairness.base import FairnessBase
from confmat.fairness.comparisons import with_groups
from confmat.fairness.groups import Ints
from confmat.frames.state_queries import SCORED, STATE
from confmat.intervals.levels import Floats
from confmat.objects.states import from_bytes

SELECTED = "selection_rate"


def four_fifths(f: FairnessBase, share: float = 0.8) -> pl.DataFrame:
    """Return the selection rate of each group over that of the most selected one.

    Parameters
    ----------
    share : float, default 0.8
        What the ratio is to reach: four fifths in the rule of the Uniform Guidelines on Employee
        Selection Procedures (1978), 29 CFR 1607.4 D.

    Returns
    -------
    pl.DataFrame
        The keys, `n`, `selection_rate`, `ratio` with `ratio_low` and `ratio_high`, `passes`, null
        where the ratio is, and `reason`. The intervals of all pairs hold together, since the data
        chose the group that all are compared with.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": list("ffffmmmm"), "y_true": [0, 1] * 4,
    ...                     "y_pred": [0, 1, 0, 0, 0, 1, 0, 1]})
    >>> f = fairness(cm.partial(log, by="sex"), "sex")
    >>> f.four_fifths().select("sex", "selection_rate", "ratio", "passes").rows()
    [('f', 0.25, 0.5, False), ('m', 0.5, 1.0, True)]
    """
    _checked(share)
    m = f._measures[SELECTED]
    made = with_groups(m, *places(f, m, "best"))
    columns = {
        SELECTED: m.value,
        "ratio": made.ratio,
        "ratio_low": made.ratio_ends[0],
        "ratio_high": made.ratio_ends[1],
    }
    table = f._rows(None, columns, made.reasons)
    passes = (pl.col("ratio") >= share - 1e-12).alias("passes")
    return table.select(pl.exclude("reason"), passes, "reason")


def four_fifths_curve(f: FairnessBase, share: float = 0.8) -> pl.DataFrame:
    """Return the smallest ratio of two selection rates at every threshold of the scores.

    Parameters
    ----------
    share : float, default 0.8
        What the ratio is to reach.

    Returns
    -------
    pl.DataFrame
        The control columns, `threshold`, the highest first (rows with this score or a higher one
        are selected; of bins, their lower edges), `ratio`, null while no group has a selected row,
        the groups `lowest` and `highest`, and `passes`.

    Raises
    ------
    InputError
        No states of scores.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": list("ffmm"), "y_true": [0, 1, 0, 1],
    ...                     "y_score": [0.25, 0.5, 0.25, 0.75]})
    >>> f = fairness(cm.partial(log, y_score="y_score", by="sex"), "sex")
    >>> f.four_fifths_curve().select("threshold", "ratio", "lowest", "passes").rows()
    [(0.75, 0.0, 'f', False), (0.5, 1.0, 'f', True), (0.25, 1.0, 'f', True)]
    """
    _checked(share)
    frames = []
    for control, rows in f._groups.controls():
        sweeps = {f._groups.names[row]: s for row, s in shown_sweeps(f, rows) if s.n}
        thresholds, rates = _selected(list(sweeps.values()))
        frames.append(_curve(control, thresholds, rates, list(sweeps), share))
    types: Any = dict(f._groups.frame.select(f._groups.control).schema)
    return pl.concat(frames).cast(types)


def _curve(
    control: dict[str, Any], thresholds: Floats, rates: Floats, names: list[str], share: float
) -> pl.DataFrame:
    if rates.shape[1] < 2:
        thresholds, rates, names = thresholds[:0], np.zeros((0, 2)), ["", ""]
    least, most = rates.min(1), rates.max(1)
    with np.errstate(invalid="ignore"):
        ratio = np.where(most > 0, least / most, np.nan)
    texts = pl.Series(names, dtype=pl.String)
    frame = pl.DataFrame(
        {
            "threshold": thresholds,
            "ratio": pl.Series(ratio, nan_to_null=True, dtype=pl.Float64),
            "lowest": texts.gather(rates.argmin(1)),
            "highest": texts.gather(rates.argmax(1)),
        }
    )
    passes = (pl.col("ratio") >= share - 1e-12).alias("passes")
    keys = [pl.lit(value).alias(name) for name, value in control.items()]
    return frame.select(*keys, pl.all(), passes)


def _selected(sweeps: list[Any]) -> tuple[Floats, Floats]:
    """Return all thresholds, the highest first, and the share of rows at or above, by group."""
    curves = [s.lift() for s in sweeps]
    if not curves:
        return np.zeros(0), np.zeros((0, 0))
    points = [(c["threshold"].to_numpy().astype(float), c["fraction"].to_numpy()) for c in curves]
    every = np.unique(np.concatenate([at[np.isfinite(at)] for at, _ in points]))[::-1]
    rates = []
    for at, fraction in points:
        reached = np.searchsorted(-at, -every, side="right") - 1
        rates.append(np.where(reached >= 0, fraction[reached], 0.0))
    return every, np.stack(rates, 1)


def _checked(share: Any) -> None:
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share <= 1:
        raise InputError(f"`share` is {share!r}; wanted a number in (0, 1], such as 0.8")


def shown_sweeps(f: FairnessBase, rows: Ints) -> Iterator[tuple[int, Any]]:
    """Yield the rows of groups that are large enough, and their sweeps.

    Raises
    ------
    InputError
        No states of scores of two classes.
    """
    frame = f._groups.frame
    column = SCORED if SCORED in frame.columns else STATE
    for row in map(int, rows):
        data = frame[column][row]
        if data is None or f._measures.hidden[row]:
            continue
        found = from_bytes(data)
        if not hasattr(found, "roc_curve"):
            raise InputError(
                "there are no states of scores of two classes; give `y_score` to `cm.partial` or "
                "`cm.evaluate`"
            )
        yield row, found
