"""The test of two intervals by the sides that face each other, written again."""

import math

from scipy import stats

Z = stats.norm.ppf(0.975)


def by_sides(one, rest, freedom, reaches=(Z, Z)):
    """Return the test of two intervals by the sides that face each other: (statistic, p, ends)."""
    gap = one.value - rest.value
    down, up = (
        [(one.value - one.low) / reaches[0], (rest.high - rest.value) / reaches[1]],
        [(one.high - one.value) / reaches[0], (rest.value - rest.low) / reaches[1]],
    )

    def df_of(sides):
        parts = [side**4 / df for side, df in zip(sides, freedom, strict=True)]
        return math.hypot(*sides) ** 4 / math.fsum(parts) if math.fsum(parts) else math.inf

    sides = down if gap > 0 else up
    z = gap / math.hypot(*sides)
    p = 2 * stats.t.sf(abs(z), df_of(sides))
    low = gap - math.hypot(*down) * stats.t.ppf(0.975, df_of(down))
    return z, p, low, gap + math.hypot(*up) * stats.t.ppf(0.975, df_of(up))


def numbers_of(row):
    names = ("statistic", "p_value", "difference_low", "difference_high")
    return tuple(row[name] for name in names)
