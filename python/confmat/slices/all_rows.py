"""Slices beside all rows: those of each value of the keys that all of them share."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import merge
from confmat.frames.roll_up import ALL, GROUPING
from confmat.labels import listing
from confmat.slices.lattice import MODEL
from confmat.slices.reading import Metric, keys_of, rest_of


def slices_of(parts: pl.DataFrame) -> pl.DataFrame:
    """Return the slices that have a rest, a row each."""
    keys = keys_of(parts)
    if GROUPING in keys:
        return parts.filter(pl.col(GROUPING) != ALL)
    if not keys:
        raise InputError("`parts` has no keys; wanted states of slices, as of `cm.partial(by=...)`")
    return merge(parts) if parts.select(keys).is_duplicated().any() else parts


def all_rows(parts: pl.DataFrame, common: list[str]) -> pl.DataFrame:
    """Return the states of all rows, of each value of the keys that slice and rest share."""
    if GROUPING in parts.columns:
        counted = parts[GROUPING].value_counts().sort("count", GROUPING)
        parts = parts.filter(pl.col(GROUPING) == counted[GROUPING][0])
    return merge(parts, by=common)


def beside(slices: pl.DataFrame, wholes: pl.DataFrame, on: list[str]) -> pl.DataFrame:
    """Return what belongs to each slice."""
    if not on:
        return pl.DataFrame([column.new_from_index(0, slices.height) for column in wholes])
    keys = slices.select(on)
    return keys.join(wholes, on=on, how="left", nulls_equal=True, maintain_order="left")


def rests(
    asked: Metric, slices: pl.DataFrame, whole: pl.DataFrame, common: list[str], shown: pl.Series
) -> tuple[pl.DataFrame, pl.Series]:
    """Return the states of the rest of each slice, and the metric of all rows beside it.

    A slice that is not shown has no rest.
    """
    of_all = whole.select(*common, pl.col(asked.column).alias("whole"))
    paired = beside(slices, of_all.hstack([asked.read(whole)["value"].alias("overall")]), common)
    wholes = paired["whole"].set(~shown, None)
    rest = pl.DataFrame([rest_of(wholes, slices[asked.column]).alias(asked.column)])
    return rest, paired["overall"]


def common_keys(keys: list[str], within: str | Sequence[str] | None) -> list[str]:
    """Return the keys that a slice and its rest have in common, checked."""
    own = [key for key in keys if key not in (MODEL, GROUPING)]
    if within is None:
        return [MODEL] if MODEL in keys and own else []
    asked = [within] if isinstance(within, str) else list(within)
    for key in asked:
        if key not in keys or key == GROUPING:
            raise InputError(f"`within` has the key {key!r}, and `parts` has {listing(keys)}")
    return asked
