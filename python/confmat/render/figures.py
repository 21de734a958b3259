"""How a number is printed: with some decimals, and never as 0 where it is not."""

from __future__ import annotations

import math


def figure(value: float | None, places: int = 4) -> str:
    """Return a number with `places` decimals; one too near 0 for them with two digits.

    What is undefined is a dash; without decimals, digits are grouped.

    Examples
    --------
    >>> [figure(value) for value in (0.12345, 0.0, 0.00012345, -1.2345e-05, None)]
    ['0.1235', '0.0000', '0.00012', '-1.2e-05', '-']
    """
    if value is None or math.isnan(value):
        return "-"
    least = 10.0 ** (1 - places) if places > 1 else 0.5 * 10.0**-places
    if 0 < abs(value) < least:
        return f"{value:.2g}"
    if abs(value) >= 1e6 and places:
        return f"{value:.6g}"
    return f"{value + 0.0:.{places}f}" if places else f"{round(value) + 0.0:,.0f}"
