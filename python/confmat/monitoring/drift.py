"""What has drifted between two states: classes, predictions, cells, scores, and which of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.labels import listing
from confmat.monitoring.distributions_of import Distribution, distributions_of
from confmat.monitoring.divergences import NAMES, Apart, apart, least_expected, p_value
from confmat.options import checked_smoothing
from confmat.own_errors import own_errors
from confmat.render.shown import Shown

_WORST = 3  # parts that `print` shows of each distribution


class Drift(Shown):
    """How far two states lie apart, and which classes, cells or bins that comes from.

    `cm.drift` makes it. `print(d)` shows one screen.

    Attributes
    ----------
    distributions : tuple of str
        What was compared: of matrices "true", "predicted" and "cells"; of sweeps "true", "score",
        "score_negative" and "score_positive".

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> june = cm.ConfusionMatrix([[80, 20], [10, 90]], labels=["cat", "dog"])
    >>> july = cm.ConfusionMatrix([[70, 30], [10, 90]], labels=["cat", "dog"])
    >>> d = cm.drift(june, july)
    >>> d.table().select("distribution", pl.col("total_variation").round(9)).rows()
    [('true', 0.0), ('predicted', 0.05), ('cells', 0.05)]
    """

    __slots__ = ("_found", "_smoothing")

    def __init__(self, found: Mapping[str, tuple[Distribution, Apart]], smoothing: float) -> None:
        self._found = dict(found)
        self._smoothing = smoothing

    @property
    def distributions(self) -> tuple[str, ...]:
        """The names of what was compared."""
        return tuple(self._found)

    def table(self) -> pl.DataFrame:
        """Return a row a distribution, with every measure.

        Returns
        -------
        polars.DataFrame
            - `distribution`, `n_a`, `n_b` (rows, or their weight);
            - `psi`, the population stability index, sum (q - p) ln(q / p), and `smoothed`, whether
              `smoothing` was added to every part, as one had no rows;
            - `jensen_shannon`, the divergence in bits, and `total_variation`: 0 to 1;
            - `chi_squared` of one distribution, its `df` and `p_value` (SciPy), and
              `least_expected`, the smallest expected count, of which 5 is often wanted;
            - `reason`, why something is null.
        """
        rows = [self._row(name) for name in self._found]
        floats = ("n_a", "n_b", "psi", *NAMES[1:], "p_value", "least_expected")
        names = ["distribution", "n_a", "n_b", "psi", "smoothed", *NAMES[1:], "df", "p_value"]
        frame = pl.DataFrame(
            rows,
            schema={
                name: pl.Float64
                if name in floats
                else {"smoothed": pl.Boolean, "df": pl.Int64}.get(name, pl.String)
                for name in [*names, "least_expected", "reason"]
            },
        )
        if all(of.are_rows for of, _ in self._found.values()):
            frame = frame.with_columns(pl.col("n_a", "n_b").cast(pl.Int64))
        return frame.with_columns(pl.selectors.float().fill_nan(None))

    def parts(self, distribution: str) -> pl.DataFrame:
        """Return what each class, cell or bin adds to each measure; the largest part of psi first.

        Parameters
        ----------
        distribution : str
            One of `distributions`.

        Returns
        -------
        polars.DataFrame
            `true`, `predicted`, or the bin from `low` to `high`, not in it; `n_a`, `n_b`,
            `share_a`, `share_b`, and `psi`, `jensen_shannon`, `total_variation` and `chi_squared`,
            which add up to those of `table()`.

        Raises
        ------
        InputError
            There is no such distribution.

        Examples
        --------
        >>> import confmat as cm
        >>> june = cm.ConfusionMatrix([[80, 20], [10, 90]], labels=["cat", "dog"])
        >>> july = cm.ConfusionMatrix([[70, 30], [10, 90]], labels=["cat", "dog"])
        >>> worst = cm.drift(june, july).parts("cells")
        >>> worst.select("true", "predicted", "share_a", "share_b").row(0)
        ('cat', 'dog', 0.1, 0.15)
        """
        if not isinstance(distribution, str) or distribution not in self._found:
            raise InputError(
                f"`distribution` is {distribution!r}; wanted one of {listing(self.distributions)}"
            )
        of, found = self._found[distribution]
        columns: dict[str, Any] = {"n_a": found.a, "n_b": found.b}
        for name, part in (("share_a", found.a), ("share_b", found.b)):
            columns[name] = part / part.sum() if part.sum() else np.full(part.shape, np.nan)
        columns |= {name: getattr(found, name) for name in NAMES}
        frame = pl.DataFrame([*of.parts, *pl.DataFrame(columns).get_columns()])
        if of.are_rows:
            frame = frame.with_columns(pl.col("n_a", "n_b").cast(pl.Int64))
        order = np.argsort(-np.nan_to_num(found.psi), kind="stable")
        return frame[order].with_columns(
            pl.col("share_a", "share_b", *NAMES).fill_nan(None)  # bins may reach to infinity
        )

    def _row(self, name: str) -> dict[str, Any]:
        of, found = self._found[name]
        p, why = p_value(found)
        if not of.are_rows:
            why = "the rows are weighted, and a test is of counts of rows"
        for side, part in (("a", found.a), ("b", found.b)):
            why = why if part.sum() > 0 else f"`{side}` has no rows"
        return {
            "distribution": name,
            "n_a": found.a.sum(),
            "n_b": found.b.sum(),
            **found.totals(),
            "smoothed": found.smoothed,
            "df": max(len(found.a) - 1, 0),
            "p_value": p,
            "least_expected": least_expected(found),
            "reason": why,
        }

    def _title(self) -> str:
        first = next(iter(self._found.values()))[1]
        told = f"Drift: n = {first.a.sum():,.10g} in a, {first.b.sum():,.10g} in b"
        if any(found.smoothed for _, found in self._found.values()):
            told += f"; psi with {self._smoothing:g} rows added to parts, as some have none"
        return told

    def _frames(self) -> list[pl.DataFrame]:
        table = self.table().drop("n_a", "n_b", "smoothed", "least_expected")
        worst = (
            self.parts(name)
            .head(_WORST)
            .drop(*NAMES[1:])
            .select(pl.lit(name).alias("of"), pl.all())
            for name in self._found
        )
        return [table, *worst]

    def __repr__(self) -> str:
        worst = max((math.fsum(found.psi) for _, found in self._found.values()), default=math.nan)
        return f"<Drift of {', '.join(self.distributions)}: psi up to {worst:.4g}>"


@own_errors
def drift(a: Any, b: Any, *, bins: Any = 10, smoothing: float = 0.5) -> Drift:
    """Compare two states: how far classes, predictions, cells or scores have drifted, and where.

    Parameters
    ----------
    a, b : ConfusionMatrix, Sweep or BinnedSweep, or their bytes
        Two of one kind: before and after. Labels unite as in a + b.
    bins : int or array-like of float, default 10
        Of sweeps: so many bins of scores with about the same number of rows of `a`; or increasing
        thresholds between bins.
    smoothing : float, default 0.5
        Rows added to every part of both where one of them has none, for the population stability
        index alone, which would be infinite.

    Returns
    -------
    Drift
        `.table()`, `.parts(distribution)`; `print` shows one screen.

    Raises
    ------
    InputError
        States of two kinds, or such as cannot be added; bins or smoothing that are none.

    References
    ----------
    Yurdakul and Naranjo (2020), https://doi.org/10.21314/JRMV.2020.227, for the population
    stability index; Lin (1991), https://doi.org/10.1109/18.61115, for that of Jensen and Shannon.

    Examples
    --------
    >>> import confmat as cm
    >>> before = cm.sweep([0, 0, 1, 1] * 50, [0.1, 0.4, 0.35, 0.8] * 50)
    >>> after = cm.sweep([0, 0, 1, 1] * 50, [0.1, 0.4, 0.4, 0.8] * 50)
    >>> found = cm.drift(before, after).table()
    >>> found.select("distribution", "total_variation").rows()
    [('true', 0.0), ('score', 0.25), ('score_negative', 0.0), ('score_positive', 0.5)]
    """
    smoothing = checked_smoothing(smoothing)
    found = {}
    for of in distributions_of(a, b, bins):
        kept = (of.a > 0) | (of.b > 0)
        some = of._replace(
            a=of.a[kept], b=of.b[kept], parts=[part.filter(pl.Series(kept)) for part in of.parts]
        )
        found[of.name] = (some, apart(some.a, some.b, smoothing, of.are_rows))
    return Drift(found, smoothing)
