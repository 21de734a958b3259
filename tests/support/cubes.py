"""What a cube must be: every subset of the keys evaluated apart, from its rows."""

from itertools import combinations

import polars as pl


def evaluated_apart(frame, by, groupings=None, **options):
    """Return the table of groupings (default: all subsets of `by`), each from the rows."""
    if groupings is None:
        groupings = [of for size in range(len(by), -1, -1) for of in combinations(by, size)]
    tables = []
    for grouping in groupings:
        table = frame.cm.evaluate(by=list(grouping) or None, **options)
        missing = [pl.lit(None, frame.schema[key]).alias(key) for key in by if key not in grouping]
        name = pl.lit(", ".join(grouping) or "all").alias("grouping")
        tables.append(table.with_columns(*missing, name))
    first = [*by, "grouping"]
    return pl.concat(tables, how="diagonal").select(*first, pl.exclude(first))
