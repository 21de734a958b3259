"""Coarser slices from finer ones: states merge along keys, and no row is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import polars as pl

from confmat.frames.asked import Asked
from confmat.frames.expressions import plugin

GROUPING = "grouping"  # names the keys that cut a slice
ALL = "all"

Grouping: TypeAlias = tuple[str, ...]

_MOST_CODES = 1 << 62  # what a code of several keys stays below
_ROW = "row"


def subsets(keys: Sequence[str], depth: int | None = None) -> tuple[Grouping, ...]:
    """Return the subsets of at most `depth` keys, large ones first, as `cube` lists them."""
    most = len(keys) if depth is None else min(depth, len(keys))
    return tuple(subset for size in range(most, -1, -1) for subset in combinations(keys, size))


def merged_by(parts: pl.DataFrame, keys: Sequence[str], states: Sequence[str]) -> pl.DataFrame:
    """Return one row a slice, sorted by its keys, nulls last: its states merged, each read."""
    level = _Coded.of(parts, tuple(keys), states).to(tuple(keys)).rows
    columns = [parts[key].gather(level[_ROW]) for key in keys]
    return pl.DataFrame([*columns, *(level[f"s{i}"].alias(of) for i, of in enumerate(states))])


@dataclass(frozen=True)
class RollUp:
    """What is made of a frame of slices and states: one row a slice of each grouping.

    `within` are keys that every grouping has, besides its own; `states` the columns that merge.
    """

    within: Grouping
    by: Grouping
    groupings: tuple[Grouping, ...]
    states: tuple[str, ...]

    def schema(self, parts: pl.Schema) -> pl.Schema:
        """Return that of the result."""
        keys = {key: parts[key] for key in (*self.within, *self.by)}
        return pl.Schema(keys | {GROUPING: pl.String()} | dict.fromkeys(self.states, pl.Binary()))

    def lazily(self, parts: pl.LazyFrame) -> pl.LazyFrame:
        """Return the query: rows stream, and slices are in memory, as in every group-by."""
        returned = pl.Struct(self.schema(parts.collect_schema()))
        slices = pl.struct(*self.within, *self.by, *self.states)
        return parts.select(slices.map_batches(self._of_struct, returned).alias(_ROW)).unnest(_ROW)

    def _of_struct(self, parts: pl.Series) -> pl.Series:
        return self(parts.struct.unnest()).to_struct(_ROW)

    def __call__(self, parts: pl.DataFrame) -> pl.DataFrame:
        """Return the groupings below each other, each sorted by its keys, nulls last."""
        keys = (*self.within, *self.by)
        coded = _Coded.of(parts, keys, self.states)
        known = {keys: coded.one_a_slice()}
        frames = []
        for grouping in self.groupings:
            wanted = (*self.within, *grouping)
            if wanted not in known:
                finer = [of for of in known if set(of) >= set(wanted)]
                least = min(finer, key=lambda of: known[of].rows.height)
                known[wanted] = known[least].to(wanted)
            frames.append(self._frame(parts, known[wanted], grouping))
        return pl.concat(frames) if frames else self.schema(parts.schema).to_frame()

    def _frame(self, parts: pl.DataFrame, level: _Coded, grouping: Grouping) -> pl.DataFrame:
        held = level.rows
        if held.is_empty() and not level.keys:  # all of no rows, whose states are null
            held = held.clear(1)
        rows = held[_ROW]
        columns = []
        for key in (*self.within, *self.by):
            if key in self.within or key in grouping:
                columns.append(parts[key].gather(rows))
            else:
                columns.append(
                    pl.Series(key, [None], parts.schema[key]).new_from_index(0, len(rows))
                )
        name = pl.Series(GROUPING, [", ".join(grouping) or ALL]).new_from_index(0, len(rows))
        states = [held[f"s{i}"].alias(state) for i, state in enumerate(self.states)]
        return pl.DataFrame([*columns, name, *states])


@dataclass(frozen=True)
class _Coded:
    """Slices with a small integer for each of their keys, in the order of its values."""

    rows: pl.DataFrame  # columns "0", "1", ... of codes, "row" of `parts`, "s0", ... of states
    keys: Grouping
    sizes: dict[str, int]

    @classmethod
    def of(cls, parts: pl.DataFrame, keys: Grouping, states: Sequence[str]) -> _Coded:
        columns, sizes = [], {}
        for i, key in enumerate(keys):
            values = parts.select(pl.col(key).alias("value"))
            known = values.unique().sort("value", nulls_last=True).with_row_index("code")
            joined = values.join(
                known, on="value", how="left", nulls_equal=True, maintain_order="left"
            )
            columns.append(joined["code"].alias(str(i)))
            sizes[key] = known.height
        columns.append(pl.int_range(parts.height, dtype=pl.UInt32, eager=True).alias(_ROW))
        columns += [parts[state].alias(f"s{i}") for i, state in enumerate(states)]
        return cls(pl.DataFrame(columns), keys, sizes)

    def one_a_slice(self) -> _Coded:
        """Return one row a slice, sorted: where there are several their states merge."""
        code = self._code(self.keys)
        if code.n_unique() < len(code):
            return self.to(self.keys)
        return _Coded(self.rows[code.arg_sort()], self.keys, self.sizes)

    def to(self, keys: Grouping) -> _Coded:
        """Return the slices that fewer keys cut."""
        spec = Asked().packed()
        states = [name for name in self.rows.columns if name.startswith("s")]
        code = self._code(keys)
        merged = self.rows.select(
            plugin("merge_states_by", [pl.col(name), code], spec, changes_length=True).alias(name)
            for name in states
        )
        first = merged["s0"].struct.field("row")
        kept = [str(i) for i, key in enumerate(self.keys) if key in keys]
        rows = self.rows.select(*kept, _ROW)[first]
        rows = rows.rename({old: str(i) for i, old in enumerate(kept)})
        sums = [merged[name].struct.field("state").alias(name) for name in states]
        return _Coded(pl.DataFrame([*rows.get_columns(), *sums]), keys, self.sizes)

    def _code(self, keys: Grouping) -> pl.Series:
        """Return one integer a row for the values of several keys, in their order."""
        code, size = pl.repeat(0, self.rows.height, dtype=pl.Int64, eager=True), 1
        for i, key in enumerate(self.keys):
            if key not in keys:
                continue
            if size * self.sizes[key] > _MOST_CODES:
                code = code.rank("dense").cast(pl.Int64) - 1
                size = len(code)
            size *= max(self.sizes[key], 1)
            code = code * self.sizes[key] + self.rows[str(i)].cast(pl.Int64)
        return code
