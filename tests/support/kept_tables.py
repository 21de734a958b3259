"""Tables of slices: frames of keys and states, by what is special about them, what was asked."""

import datetime as dt

import numpy as np
import polars as pl

import confmat as cm
from confmat.state_tables import table_bytes

_STATES = [cm.confusion_matrix([0, 1, i % 2], [0, 1, 1]).to_bytes() for i in range(3)]
_SCORED = [cm.sweep([0, 1], [0.1 * i, 0.5], bins="unit").to_bytes() for i in range(3)]
_DAY = dt.datetime(2026, 2, 28, 23, 59, 59, 999_999)

_KEYS = {
    "ints": pl.Series([3, None, -(2**63)]),
    "wide": pl.Series([2**64 - 1, 0, None], dtype=pl.UInt64),
    "bools": pl.Series([True, None, False]),
    "texts": pl.Series(["漢\0字", None, ""]),
    "categories": pl.Series(["b", "a", None], dtype=pl.Categorical),
    "named categories": pl.Series(
        ["b", None, "a"], dtype=pl.Categorical(pl.Categories("sites", "plant", pl.UInt8))
    ),
    "enum": pl.Series(["low", None, "high"], dtype=pl.Enum(["low", "high", "none"])),
    "floats": pl.Series([np.nan, -0.0, None]),
    "singles": pl.Series([np.inf, -np.inf, 0.1], dtype=pl.Float32),
    "dates": pl.Series([_DAY.date(), None, dt.date(1, 1, 1)]),
    "times": pl.Series([dt.time(23, 59, 59), None, dt.time(0)]),
    "datetimes": pl.Series([_DAY, None, _DAY]).dt.cast_time_unit("ms"),
    "zoned": pl.Series([_DAY, None, None]).dt.replace_time_zone("Europe/Berlin"),
    "durations": pl.Series([dt.timedelta(days=-1), None, dt.timedelta(0)]),
    "nothing": pl.Series([None, None, None]),
}
for _bits in (8, 16, 32):
    _KEYS[f"int{_bits}"] = pl.Series([1, None, -1], dtype=getattr(pl, f"Int{_bits}"))
    _KEYS[f"uint{_bits}"] = pl.Series([1, None, 0], dtype=getattr(pl, f"UInt{_bits}"))
ASKED = {"by": ["key"], "metrics": None, "bins": "unit", "share": 0.5}


def _frame(keys, **states):
    binary = {name: pl.Series(values, dtype=pl.Binary) for name, values in states.items()}
    return pl.DataFrame(keys | binary)


# Frames, what was asked, and totals.
TABLES = {
    name: (_frame({"key": key, "row": pl.Series([1, 2, 3])}, state=_STATES), ASKED, {"n": 1})
    for name, key in _KEYS.items()
} | {
    "no keys": (_frame({}, state=_STATES[:1]), {}, {}),
    "no rows": (_frame({"key": pl.Series([], dtype=pl.String)}, state=[]), {}, {}),
    "null states": (_frame({"key": pl.Series([1, 2, 3])}, state=[None, _STATES[0], None]), {}, {}),
    "two states": (
        _frame({"key": pl.Series(["a", "b", "c"])}, state=_STATES, scored=_SCORED),
        {},
        {},
    ),
    "totals": (_frame({"é": pl.Series([1])}, state=_STATES[:1]), {"é": "ü"}, {"b": 0, "a": 2**61}),
}
SAVED = {name: table_bytes(*parts) for name, parts in TABLES.items()}
