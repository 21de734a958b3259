"""All slices of a frame of states: coarser ones merged from finer ones, none from rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import merge
from confmat.frames.plugin_errors import core_errors
from confmat.frames.roll_up import GROUPING, Grouping, RollUp, subsets
from confmat.frames.state_queries import SCORED, STATE
from confmat.labels import listing
from confmat.own_errors import own_errors
from confmat.slices.reading import checked_parts, keys_of

MODEL = "model"  # the key of several models, which are not to be merged


@own_errors
def lattice(
    parts: pl.DataFrame,
    by: str | Sequence[str],
    *,
    cube: bool = False,
    grouping_sets: Iterable[str | Sequence[str]] | None = None,
    depth: int | None = None,
    within: str | Sequence[str] | None = None,
) -> pl.DataFrame:
    """Slices by `by` and by fewer of these keys, each merged from finer ones.

    Every grouping is made from the smallest one that has its keys; states merge exactly, so each
    slice is as if its rows had been counted again (float weights of scores: but for the last bits).

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave. Rows of the same slice are merged first, as are those
        that differ in keys named neither by `by` nor by `within`.
    by : str or sequence of str
        Keys.
    cube : bool, default False
        All subsets of `by`, down to all rows.
    grouping_sets : iterable of sequences of str, optional
        These sets of keys; an empty one is all rows.
    depth : int, optional
        All subsets of at most so many keys. Default, with neither `cube` nor `grouping_sets`: all
        keys, and nothing coarser.
    within : str or sequence of str, optional
        Keys that every grouping has besides its own. Default: `model`, where there is one.

    Returns
    -------
    pl.DataFrame
        The keys, those of `within` first; `grouping`, which names the keys that cut the slice
        (``"site, shift"``, ``"all"``) and so tells all values from a missing one, both of which are
        null; the states. Sets with more keys come first, given ones as they are given; within each
        slices are sorted, nulls last. `cm.finish` keeps this order.

    Raises
    ------
    InputError
        Names that are no keys, several ways at once to say which sets are wanted.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.slices.lattice import lattice
    >>> log = pl.DataFrame({
    ...     "site": ["a", "a", "b", None],
    ...     "shift": [1, 2, 1, 1],
    ...     "y_true": [0, 1, 1, 0],
    ...     "y_pred": [0, 1, 0, 0],
    ... })
    >>> parts = cm.partial(log, by=["site", "shift"])
    >>> slices = lattice(parts, ["site", "shift"], grouping_sets=[["site"], []])
    >>> cm.finish(slices, "accuracy").select("site", "grouping", "n", "accuracy").rows()
    [('a', 'site', 2, 1.0), ('b', 'site', 1, 0.0), (None, 'site', 1, 1.0), (None, 'all', 4, 0.75)]
    """
    columns = _columns(checked_parts(parts))
    keys = _named(by, "by", columns)
    if not keys:
        raise InputError("`by` is empty; wanted keys of `parts`")
    held_back = _named(_within(columns, keys) if within is None else within, "within", columns)
    both = [key for key in held_back if key in keys]
    if both:
        raise InputError(f"`within` and `by` have the key {both[0]!r} both")
    sets = groupings_of(keys, cube=cube, grouping_sets=grouping_sets, depth=depth)
    states = tuple(name for name in (STATE, SCORED) if name in parts.columns)
    roll_up = RollUp(held_back, keys, sets, states)
    with core_errors(lambda: merge(parts, by=[])):  # which names the row of bytes that are no state
        return roll_up(parts)


def groupings_of(
    by: Grouping,
    *,
    cube: bool = False,
    grouping_sets: Iterable[str | Sequence[str]] | None = None,
    depth: int | None = None,
) -> tuple[Grouping, ...]:
    """Return the sets of keys asked for, each in the order of `by`.

    Examples
    --------
    >>> from confmat.slices.lattice import groupings_of
    >>> groupings_of(("site", "shift"), depth=1)
    (('site',), ('shift',), ())
    >>> groupings_of(("site", "shift"), grouping_sets=[["shift", "site"], []])
    (('site', 'shift'), ())
    """
    asked = {"cube": bool(cube), "grouping_sets": grouping_sets is not None}
    asked["depth"] = depth is not None
    several = [name for name, is_asked in asked.items() if is_asked]
    if len(several) > 1:
        raise InputError(f"`{several[0]}` and `{several[1]}` are both given; wanted one of them")
    if grouping_sets is not None:
        return _given_sets(grouping_sets, by)
    if depth is not None:
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
            raise InputError(f"`depth` is {depth!r}; wanted a number of keys, at least 0")
        return subsets(by, depth)
    return subsets(by) if cube else (by,)


def _given_sets(grouping_sets: Any, by: Grouping) -> tuple[Grouping, ...]:
    if isinstance(grouping_sets, str) or not isinstance(grouping_sets, Iterable):
        raise InputError(
            f"`grouping_sets` is {grouping_sets!r}; wanted sets of keys, as [['site'], []]"
        )
    sets: list[Grouping] = []
    for one in grouping_sets:
        asked = [one] if isinstance(one, str) else list(one)
        for key in asked:
            if key not in by:
                raise InputError(f"`grouping_sets` has {key!r}; wanted keys of `by`, {list(by)}")
        keys = tuple(key for key in by if key in asked)
        if keys in sets:
            raise InputError(f"`grouping_sets` has {list(keys)} twice")
        sets.append(keys)
    if not sets:
        raise InputError("`grouping_sets` is empty; wanted sets of keys, [[]] for all rows")
    return tuple(sets)


def _columns(parts: pl.DataFrame) -> list[str]:
    if GROUPING in parts.columns:
        raise InputError(
            "`parts` has a column 'grouping': it holds some slices several times; wanted the "
            "finest ones alone"
        )
    return keys_of(parts)


def _within(columns: Sequence[str], by: Grouping) -> list[str]:
    return [MODEL] if MODEL in columns and MODEL not in by else []


def _named(names: Any, argument: str, columns: list[str]) -> Grouping:
    """Return names of keys, checked."""
    asked = [names] if isinstance(names, str) else list(names)
    for name in asked:
        if name not in columns:
            raise InputError(
                f"`{argument}` has the key {name!r}, and `parts` has {listing(columns)}"
            )
    if len(set(asked)) < len(asked):
        raise InputError(f"`{argument}` names a key twice: {asked}")
    return tuple(asked)


def check_one_model(parts: pl.DataFrame) -> None:
    """Refuse states of several models, which are not to be merged."""
    if MODEL in parts.columns and parts[MODEL].n_unique() > 1:
        models = listing(parts[MODEL].unique(maintain_order=True).to_list())
        raise InputError(
            f"`parts` has several models, {models}; wanted those of one, as by "
            f'.filter(pl.col("{MODEL}") == ...)'
        )
