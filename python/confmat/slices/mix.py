"""All rows as they would be with another mix of slices: post-stratification."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import merge
from confmat.frames.state_queries import STATE
from confmat.intervals.sample_size import checked_share
from confmat.labels import listing
from confmat.matrices.what_if import scaled
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes, merged
from confmat.own_errors import own_errors
from confmat.slices.lattice import check_one_model

_SLACK = 1e-9


@own_errors
def at_mix(parts: pl.DataFrame, mix: Mapping[Any, Mapping[Any, float]]) -> ConfusionMatrix:
    """Return the matrix of all rows as it would be with another mix of slices.

    Each slice is weighted to its share and the total stays: direct standardization. What happens
    within slices does not change.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave, with states of predicted classes.
    mix : mapping
        One key and the shares of its values, `{"country": {"DE": 0.5, "FR": 0.2}}`; values that are
        not named share the rest as they do here. Of several keys a tuple of them, and tuples of
        their values: `{("country", "sex"): {("DE", "f"): 0.3, ...}}`.

    Returns
    -------
    ConfusionMatrix
        Cells are sums of weights. Intervals take the numbers of rows of slices as those that they
        happened to have, and are a little wide for known shares.

    Raises
    ------
    InputError
        A key or value that is not there, several keys apart, shares that do not add up to 1, a
        share of a slice without rows.

    References
    ----------
    Holt and Smith (1979), https://doi.org/10.2307/2344652

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.slices.mix import at_mix
    >>> log = pl.DataFrame({"site": [1] * 3 + [2], "y": [0, 1, 1, 1], "p": [0, 1, 1, 0]})
    >>> parts = cm.partial(log, y_true="y", y_pred="p", by="site")
    >>> at_mix(parts, {"site": {1: 0.5, 2: 0.5}}).accuracy
    0.5
    """
    keys, given = _checked(parts, mix)
    check_one_model(parts)
    slices = merge(parts, by=keys).drop_nulls(STATE)
    values = [row[0] if len(keys) == 1 else row for row in slices.select(keys).rows()]
    states = [_matrix(data) for data in slices[STATE]]
    rows = np.array([float(state.n) for state in states])
    shares = _shares(given, values, rows, keys)
    total = rows.sum()
    weighted = [
        scaled(state, state._cells, np.full(len(state.labels), share * total / n if n else 0.0))
        for state, share, n in zip(states, shares, rows, strict=True)
    ]
    result: ConfusionMatrix = merged(weighted)
    return result


def _checked(parts: pl.DataFrame, mix: Any) -> tuple[list[str], Mapping[Any, Any]]:
    """Return the keys and the shares of their values."""
    if not isinstance(mix, Mapping) or len(mix) != 1:
        raise InputError(
            f"`mix` is {mix!r}; wanted one key, or a tuple of keys, with shares of its values: "
            '{"country": {"DE": 0.5, ...}}'
        )
    ((named, given),) = mix.items()
    keys = list(named) if isinstance(named, tuple) else [named]
    there = [name for name in parts.columns if parts[name].dtype != pl.Binary]
    for key in keys:
        if key not in there:
            raise InputError(f"`mix` has the key {key!r}; the keys are {listing(there)}")
    if not isinstance(given, Mapping):
        raise InputError(f"`mix` of {named!r} is {given!r}; wanted shares of its values")
    return keys, given


def _matrix(data: bytes) -> ConfusionMatrix:
    state = from_bytes(data)
    if not isinstance(state, ConfusionMatrix):
        raise InputError("`parts` has states of something else; wanted those of predicted classes")
    return state


def _shares(given: Mapping[Any, Any], values: list[Any], rows: Any, keys: list[str]) -> list[float]:
    """Return the share of each slice."""
    name = keys[0] if len(keys) == 1 else tuple(keys)
    for value, share in given.items():
        if value not in values:
            raise InputError(f"`mix` has {value!r} of {name!r}; there are {listing(values)}")
        checked_share(share, "mix", ends=True)
    rest = 1 - math.fsum(given.values())
    others = [n for value, n in zip(values, rows, strict=True) if value not in given]
    if rest < -_SLACK or (rest > _SLACK and not sum(others)):
        raise InputError(f"`mix` adds up to {1 - rest:g}; wanted shares that add up to 1")
    rest = rest if rest > _SLACK else 0.0
    found = []
    for value, n in zip(values, rows, strict=True):
        share = given[value] if value in given else rest * (n / sum(others) if n else 0.0)
        if share and not n:
            raise InputError(f"`mix` of {value!r} is {share:g}, and there are no rows of it")
        found.append(float(share))
    return found
