"""One column of labels in every form that a caller may hold it in."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

INTS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


def strided(values):
    """Return the values as every third element of a larger array."""
    wide = np.full((len(values), 3), 99).astype(values.dtype)
    wide[:, 1] = values
    return wide[:, 1]


def reversed_view(values):
    return values[::-1].copy()[::-1]


def swapped(values):
    """Return the values in the other byte order."""
    return values.astype(values.dtype.newbyteorder())


def unaligned(values):
    """Return the values one byte off their alignment."""
    room = np.empty(values.nbytes + 1, np.uint8)
    room[1:] = np.frombuffer(values.tobytes(), np.uint8)
    return room[1:].view(values.dtype)


def read_only(values):
    values = values.copy()
    values.flags.writeable = False
    return values


NUMPY_FORMS = (np.array, strided, reversed_view, swapped, unaligned, read_only)


def cuts_of(rng, n):
    """Return random cuts of n rows, empty pieces included."""
    return [0, *sorted(rng.integers(0, n + 1, int(rng.integers(0, 6)))), n]


def chunked_polars(series, rng):
    """Return the series in random chunks, each a slice of a longer one."""
    edges = cuts_of(rng, len(series))
    pieces = []
    for a, b in pairwise(edges):
        before, after = rng.integers(0, min(9, len(series) + 1), 2)
        longer = pl.concat([series.head(before), series.slice(a, b - a), series.tail(after)])
        pieces.append(longer.rechunk().slice(min(before, len(series)), b - a))
    return pl.concat(pieces, rechunk=False)


def chunked_arrow(array, rng):
    """Return the Arrow array in random chunks, each at an odd offset of a longer one."""
    edges = cuts_of(rng, len(array))
    pieces = []
    for a, b in pairwise(edges):
        before = int(rng.integers(0, min(9, len(array) + 1)))
        longer = pa.concat_arrays([array.slice(0, before), array.slice(a, b - a)])
        pieces.append(longer.slice(before))
    return pa.chunked_array(pieces, type=array.type)


def forms(series, rng):
    """Yield (name, column) for a Polars series with or without nulls."""
    yield "polars", series
    yield "chunked polars", chunked_polars(series, rng)
    yield "arrow", series.to_arrow()
    yield "chunked arrow", chunked_arrow(plain_arrow(series), rng)
    yield "list", series.to_list()
    yield "tuple", tuple(series.to_list())
    yield "pandas", pd.Series(series.to_list(), dtype=object)
    if series.dtype == pl.String:
        yield "pandas category", pd.Series(series.to_list(), dtype="category")
        yield "pyarrow dictionary", plain_arrow(series).dictionary_encode()
        yield "large string", plain_arrow(series).cast(pa.large_string())
        if not series.null_count():
            yield "numpy text", np.array(series.to_list(), dtype=np.str_)
    elif not series.null_count():
        for form in NUMPY_FORMS:
            yield f"numpy {form.__name__}", form(series.to_numpy())
        yield "pandas numpy", pd.Series(series.to_numpy())
        yield "memoryview", memoryview(np.ascontiguousarray(series.to_numpy()))


def plain_arrow(series):
    """Return the series as one Arrow array of the plainest type."""
    kinds = {pl.String: pa.string(), pl.Boolean: pa.bool_()}
    kind = kinds.get(series.dtype) or getattr(pa, str(series.dtype).lower())()
    return pa.array(series.to_list(), type=kind)
