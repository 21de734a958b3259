"""Bins and thresholds given by the user: a map by name or number, increasing numbers, quantiles."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError

MAX_BINS = _core.MAX_BINS
MAX_EDGES = 1_048_576
BinMap: TypeAlias = int | Literal["float16", "unit"]
Bins: TypeAlias = BinMap | npt.NDArray[np.float64]
HALF: Literal["float16"] = "float16"
UNIT: Literal["unit"] = "unit"
MAX_LEVEL = _core.MAX_LEVEL
_LEVELS = tuple(str(level) for level in range(1, MAX_LEVEL + 1))
_MAPS = f'"unit", a power of two from 2 to {MAX_BINS}, "float16"'
_WANTED = f'{_MAPS}, increasing edges, or ("quantile", number of bins)'


class Grid(NamedTuple):
    """What the core takes as bins, and the number of quantiles to join these bins to, or None."""

    bins: Bins
    quantiles: int | None = None


def read_grid(bins: Any, half: bool = False) -> Grid:
    """Return checked bins; the most that a number can ask for are, of `half` scores, theirs."""
    if isinstance(bins, str) and (bins in (UNIT, HALF) or _is_level(bins)):
        return Grid(HALF if bins == HALF else cast("Literal['unit']", bins))
    if isinstance(bins, tuple) and bins and isinstance(bins[0], str):
        if len(bins) != 2 or bins[0] != "quantile" or not _is_int(bins[1]):
            raise InputError(f"`bins` is {bins!r}; wanted {_WANTED}")
        if not 1 <= bins[1] <= MAX_BINS:
            raise InputError(f"`bins` asks for {bins[1]} quantiles; wanted 1 to {MAX_BINS}")
        return Grid(MAX_BINS, int(bins[1]))
    if _is_int(bins):
        if not 2 <= bins <= MAX_BINS or int(bins) & (int(bins) - 1):
            raise InputError(f"`bins` is {bins}; wanted {_WANTED}")
        return Grid(HALF if half and bins == MAX_BINS else int(bins))
    if isinstance(bins, (str, bytes, dict, set, frozenset)) or np.isscalar(bins):
        raise InputError(f"`bins` is {bins!r}; wanted {_WANTED}")
    try:
        edges = np.array(bins, dtype=np.float64)
    except Exception as error:  # of code that is not ours
        raise InputError(f"`bins` is not a list of numbers ({error}); wanted {_WANTED}") from error
    check_edges(edges, "bins")
    return Grid(edges + 0.0)


def map_code(bins: Any) -> int:
    """Return what states call a map of scores to bins: a power of two, or a name."""
    try:
        grid = read_grid(bins) if isinstance(bins, str) or _is_int(bins) else None
    except InputError:
        grid = None
    if grid is None or isinstance(grid.bins, np.ndarray):
        raise InputError(f"`bins` is {bins!r}; wanted {_MAPS}")
    return _core.bin_map_code(grid.bins)


def check_edges(edges: npt.NDArray[np.float64], argument: str) -> None:
    """Refuse edges that are too few or many, not finite or not increasing."""
    if edges.ndim != 1 or not 2 <= len(edges) <= MAX_EDGES:
        raise InputError(
            f"`{argument}` has shape {edges.shape}; wanted 2 to {MAX_EDGES} edges in one dimension"
        )
    check_increasing(edges, argument)


def increasing(values: Any, argument: str) -> npt.NDArray[np.float64]:
    """Return numbers given by the user: one dimension, finite, increasing."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"`{argument}` is not a list of numbers: {error}") from error
    if numbers.ndim != 1:
        raise InputError(f"`{argument}` has shape {numbers.shape}; wanted one dimension")
    check_increasing(numbers, argument)
    return numbers


def as_threshold(threshold: Any) -> float:
    """Return a threshold as a float: any number but nan."""
    try:
        number = float(threshold)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number) or isinstance(threshold, (str, bytes)):
        raise InputError(f"`threshold` is {threshold!r}; wanted a number")
    return number


def check_increasing(values: npt.NDArray[np.float64], argument: str) -> None:
    """Refuse numbers that are not finite or not strictly increasing."""
    bad = ~np.isfinite(values)
    if bad.any():
        at = int(bad.argmax())
        raise InputError(f"`{argument}` holds {values[at]} at position {at}; wanted finite numbers")
    bad = values[1:] <= values[:-1]
    if bad.any():
        at = int(bad.argmax()) + 1
        raise InputError(
            f"`{argument}` holds {values[at]} after {values[at - 1]} at position {at}; "
            "wanted increasing numbers"
        )


def refined(state: _core.SweepState) -> npt.NDArray[np.float64]:
    """Return edges that cut each bin into parts of equal width, as many as its rows call for."""
    lower, upper = state.lower, state.upper
    assert lower is not None
    assert upper is not None
    if not len(lower):
        raise InputError("`bins` asks for quantiles and there are no rows; wanted edges")
    weight = state.positives.astype(np.float64) + state.negatives
    parts = np.ceil(weight / (weight.sum() or 1.0) * MAX_BINS).astype(np.int64)
    parts = np.maximum(parts, 1)
    begin = np.repeat(np.cumsum(parts) - parts, parts)
    share = (np.arange(len(begin)) - begin) / np.repeat(parts, parts)
    low, high = np.repeat(lower, parts), np.repeat(upper, parts)
    with np.errstate(invalid="ignore"):  # inf * 0
        inner = low * (1 - share) + high * share  # no overflow, unlike a difference
    edges = np.unique(np.concatenate([inner, lower, upper]))
    if not np.isfinite(edges[[0, -1]]).all():
        raise InputError("`y_score` holds an infinite score; bins of quantiles want finite ones")
    return edges


def quantile_edges(state: _core.SweepState, quantiles: int) -> npt.NDArray[np.float64]:
    """Return edges that join neighbouring bins to about `quantiles` ones of equal weight.

    A bin goes to the quantile in which its middle row lies, so no row has to be read again.
    """
    assert state.lower is not None
    assert state.upper is not None
    weight = state.positives.astype(np.float64) + state.negatives
    total = np.cumsum(weight)
    middle = (total - weight / 2) / (total[-1] or 1.0)
    first = np.flatnonzero(np.diff(np.floor(middle * quantiles), prepend=-1.0))
    last = np.append(first[1:], len(weight)) - 1
    return np.append(state.lower[last][::-1], state.upper[0])


def _is_level(bins: str) -> bool:
    """Return whether this is how coarser "unit" bins are called: "unit/1" and on."""
    name, _, level = bins.partition("/")
    return name == UNIT and level in _LEVELS


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
