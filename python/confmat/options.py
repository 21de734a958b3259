"""Options, checked before the core sees them."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any

from confmat.errors import InputError


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
