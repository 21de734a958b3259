"""Options, checked before the core sees them."""

from __future__ import annotations

import math
import operator
import secrets
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

from confmat.errors import InputError

_MOST_BYTES = 1 << 30  # of the values of replicates


class Options(NamedTuple):
    """How metrics are computed: `confmat::metrics::Options`, which has these fields."""

    pos: int = -1  # position of the positive class; -1: none was given
    undefined: float | None = None
    smoothing: float = 0.0
    keep_empty: bool = False
    implied: bool = False  # classes without rows are there by a dtype alone
    classes: Sequence[int] | None = None  # positions that averages are over


SECOND = Options(pos=1)  # of two classes the second is positive


def check_choice(argument: str, value: Any, *choices: str) -> None:
    """Refuse a value that is none of these texts."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"`{argument}` is {value!r}; wanted {' or '.join(map(repr, choices))}")


def checked_smoothing(smoothing: Any) -> float:
    """Return `smoothing` as a float that is finite and not negative."""
    try:
        number = float(smoothing)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`smoothing` is {smoothing!r}; wanted a number") from None
    if not (math.isfinite(number) and number >= 0):
        raise InputError(f"`smoothing` is {smoothing!r}; wanted a finite number, at least 0")
    return number + 0.0


def checked_undefined(undefined: Any) -> float | None:
    """Return `undefined` as a float, or None."""
    if undefined is None or type(undefined) is float:
        return undefined
    if not isinstance(undefined, bool) and isinstance(undefined, Real):
        try:
            return float(undefined)
        except OverflowError:
            pass
    raise InputError(f"`undefined` is {undefined!r}; wanted a number or None")


def checked_min_n(min_n: Any) -> int:
    """Return `min_n` as an integer that is not negative."""
    if not isinstance(min_n, bool):
        try:
            number = operator.index(min_n)
        except TypeError:
            number = -1
        if number >= 0:
            return number
    raise InputError(f"`min_n` is {min_n!r}; wanted a number of rows, at least 0")


def checked_replicates(replicates: Any, numbers: int) -> int:
    """Return how many replicates of so many numbers to draw: at least 1, of at most 1 GiB."""
    try:
        count = -1 if isinstance(replicates, bool) else operator.index(replicates)
    except TypeError:
        count = -1
    if count < 1:
        raise InputError(f"`replicates` is {replicates!r}; wanted a number of them, at least 1")
    most = _MOST_BYTES // (8 * max(numbers, 1))
    if count > most:
        raise InputError(
            f"`replicates` is {count:,}, which for {numbers} numbers each are "
            f"{8e-9 * count * numbers:.3g} GB, above the limit of 1 GiB; wanted at most {most:,}"
        )
    return count


def refuse_unused(method: str | None, seed: Any, replicates: Any) -> None:
    """Refuse what only the bootstrap takes where the method is another one."""
    for name, given in (("seed", seed), ("replicates", replicates)):
        if given is not None and method != "bootstrap":
            raise InputError(f"`{name}` is {given!r}, and only method='bootstrap' draws rows again")


def checked_seed(seed: Any) -> int:
    """Return the seed of random numbers; None: one that nobody knows beforehand."""
    if seed is None:
        return secrets.randbits(64)
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << 64:
        raise InputError(f"`seed` is {seed!r}; wanted a whole number from 0 to 2**64 - 1, or None")
    return number
