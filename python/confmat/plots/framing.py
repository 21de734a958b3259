"""What any picture can be asked for: a title, a width, a threshold to mark."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from confmat.errors import InputError

MOST = 10_000  # pixels


class Framing(NamedTuple):
    """A title in place of the usual one, a width in pixels, a threshold, how far an axis goes."""

    title: str | None = None
    width: float | None = None
    mark: float | None = None
    max_fpr: float | None = None


def framing(title: Any = None, width: Any = None, mark: Any = None, max_fpr: Any = None) -> Framing:
    """Return the checked wishes; InputError names the one that cannot be met."""
    if title is not None and not isinstance(title, str):
        raise InputError(f"`title` is {_told(title)}; wanted a text")
    pixels = _number(width, "width", f"a number of pixels from 50 to {MOST}")
    if pixels is not None and not 50 <= pixels <= MOST:
        raise InputError(f"`width` is {width!r}; wanted a number of pixels from 50 to {MOST}")
    threshold = _number(mark, "mark", "a threshold")
    rate = _number(max_fpr, "max_fpr", "a number in (0, 1]")
    if rate is not None and not 0 < rate <= 1:
        raise InputError(f"`max_fpr` is {max_fpr!r}; wanted a number in (0, 1]")
    return Framing(title, pixels, threshold, rate)


def _number(value: Any, argument: str, wanted: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.nan
        if not math.isnan(number):
            return number
    raise InputError(f"`{argument}` is {_told(value)}; wanted {wanted}")


def _told(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 40 and told.isprintable() else f"a {type(value).__name__}"
