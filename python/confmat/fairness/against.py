"""What groups are compared with: all rows, the rest, a named group, the best or the largest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.fairness.base import FairnessBase
from confmat.fairness.comparisons import Compared, with_all, with_groups, with_rest
from confmat.fairness.groups import Groups, Ints, found, place
from confmat.fairness.measures import OWN, Measure, Measures, of_counts
from confmat.frames.state_queries import SCORED, STATE
from confmat.intervals.levels import Floats
from confmat.objects.states import from_bytes
from confmat.registry import find

Against: TypeAlias = Literal["overall", "rest", "reference", "best", "majority"]
AGAINST = ("overall", "rest", "reference", "best", "majority")


def compared(f: FairnessBase, to: Against | None = None, reference: Any = None) -> pl.DataFrame:
    """Return differences and ratios of each group to something, with their intervals.

    Parameters
    ----------
    to : {"overall", "rest", "reference", "best", "majority"}, optional
        All rows, the rows of all other groups, the group `reference`, the group whose value is best
        (the lowest of an error, else the highest), the group of most rows. Default: "reference"
        where one is known, else "overall".
    reference : value, tuple or dict, optional
        The sensitive values of a group; default the one given to `fairness`.

    Returns
    -------
    pl.DataFrame
        The keys, `metric`, `value`, `other` (that of what it is compared with), `difference`,
        `ratio`, each with `_low` and `_high`, and `reason`. Differences of rates have Newcombe's
        interval, ratios the score interval; to the "best" group, which the data chose, at a level
        at which those of all pairs hold together.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.fairness.from_parts import fairness
    >>> log = pl.DataFrame({"sex": ["f", "f", "m", "m"], "y_true": [0, 1, 0, 1],
    ...                     "y_pred": [0, 0, 0, 1]})
    >>> f = fairness(cm.partial(log, by="sex"), "sex", metrics="tpr", reference="m")
    >>> f.compared().select("sex", "difference", "ratio").rows()
    [('f', -1.0, 0.0), ('m', 0.0, 1.0)]
    """
    if to is None:
        to = "overall" if reference is None and f.reference is None else "reference"
    if to not in AGAINST:
        raise InputError(f"`to` is {to!r}; wanted one of {', '.join(AGAINST)}")
    named = None
    if to == "reference":
        if reference is None and f.reference is None:
            raise InputError("`to` is 'reference'; name the group by `reference`")
        named = f.reference if reference is None else found(f._groups, reference)
    frames = []
    for name in f.metrics:
        m = f._measures[name]
        if to in ("overall", "rest"):
            made = _with_others(f, m, to)
        else:
            made = with_groups(m, *places(f, m, to, named))
        frames.append(_frame(f, m, made))
    return f._tidy(frames)


def places(
    f: FairnessBase, m: Measure, to: str, named: Mapping[str, Any] | None = None
) -> tuple[Ints, float, Ints | None]:
    """Return the row that each group is compared with, the level, and of how many it was chosen."""
    at = np.full(len(m.value), -1)
    among = np.zeros(len(m.value), int)
    for rows in f._groups.blocks:
        values = m.value[rows]
        among[rows] = (~np.isnan(values)).sum()
        if to == "majority":
            found = int(f._measures.n[rows].argmax())
        elif to == "best":
            found = _best(m.name, values)
        else:
            assert named is not None
            found = place(f._groups, rows, named)
        if found >= 0:
            at[rows] = rows[found]
    return at, f.level, among if to == "best" else None


def _best(name: str, values: Floats) -> int:
    if np.isnan(values).all():
        return -1
    lowest = name not in OWN and find(name)["better"] == "lower"
    return int(np.nanargmin(values) if lowest else np.nanargmax(values))


def _with_others(f: FairnessBase, m: Measure, to: str) -> Compared:
    rest = _rest_of(f, m.name)
    if to == "rest":
        return with_rest(m, rest, f.level)
    return with_all(m, rest, f._overall[m.name].value[_block(f._groups)], f.level)


def _block(groups: Groups) -> Ints:
    """Return the number of the block of each group."""
    return np.repeat(np.arange(len(groups.blocks)), [len(rows) for rows in groups.blocks])


def _rest_of(f: FairnessBase, name: str) -> Measure:
    """Return a metric of the rows of all other groups; of groups too small to be shown, too."""
    groups, m, total = f._groups, f._measures[name], f._overall[name]
    block = _block(groups)
    if m.counts is not None and total.counts is not None:
        k, n = (every[block] - own for every, own in zip(total.counts, m.counts, strict=True))
        return of_counts(name, k, n, "undefined for the rest")

    def make() -> Measures:
        rest = _others(groups, f._overall.groups, block)
        return Measures(rest, f.metrics, 0, f._is_binary)

    return f._rest(make)[name]


def _others(groups: Groups, whole: Groups, block: Ints) -> Groups:
    """Return the states of all other rows of the block, of each group."""
    columns = []
    for column in [name for name in (STATE, SCORED) if name in groups.frame.columns]:
        sums = [None if state is None else from_bytes(state) for state in whole.frame[column]]
        states = [
            None if sums[at] is None else _less(sums[at], state)
            for at, state in zip(block, groups.frame[column], strict=True)
        ]
        columns.append(pl.Series(column, states, dtype=pl.Binary))
    frame = pl.DataFrame([*groups.keys.get_columns(), *columns])
    return Groups(frame, groups.control, groups.sensitive, groups.pos_label)


def _less(total: Any, state: bytes | None) -> bytes:
    data: bytes = (total if state is None else total - from_bytes(state)).to_bytes()
    return data


def _frame(f: FairnessBase, m: Measure, made: Compared) -> pl.DataFrame:
    columns: dict[str, Floats] = {
        "value": m.value,
        "other": made.other,
        "difference": made.difference,
        "difference_low": made.difference_ends[0],
        "difference_high": made.difference_ends[1],
        "ratio": made.ratio,
        "ratio_low": made.ratio_ends[0],
        "ratio_high": made.ratio_ends[1],
    }
    return f._rows(m.name, columns, made.reasons)
