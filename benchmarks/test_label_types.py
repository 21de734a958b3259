"""What do labels cost that are texts, by what holds them.

NumPy's texts race scikit-learn; those of pandas, pyarrow and objects race the same labels in a
column of Polars.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import cells_of, labels
from sklearn.metrics import confusion_matrix as sklearn_matrix

import confmat as cm

K = 10
NAMES = [f"{k:02d}" for k in range(K)]
SKLEARN_ROWS = 2_000_000
NULL_EVERY = 7


def _shared(codes: Any) -> Any:
    return np.array(NAMES, dtype=object)[codes]


def _with_none(codes: Any) -> Any:
    return np.where(np.arange(len(codes)) % NULL_EVERY == 0, None, _shared(codes))


NUMPY: dict[str, Callable[[Any], Any]] = {
    "U2": lambda codes: np.array(NAMES)[codes],
    "U2, byte-swapped": lambda codes: np.array(NAMES).astype(">U2")[codes],
    "U12": lambda codes: np.array([f"label_num_{name}" for name in NAMES])[codes],
    "S2": lambda codes: np.array(NAMES).astype("S")[codes],
    "S12": lambda codes: np.array([f"label_num_{name}" for name in NAMES]).astype("S")[codes],
}
if hasattr(np.dtypes, "StringDType"):
    NUMPY["StringDType"] = lambda codes: np.array(NAMES, dtype=np.dtypes.StringDType())[codes]
OTHERS: dict[str, Callable[[Any], Any]] = {
    "object, shared texts": _shared,
    "object, a text a row": lambda codes: np.array(NAMES)[codes].astype(object),
    "object, some None": _with_none,
    "pandas object": lambda codes: pd.Series(_shared(codes), dtype=object),
    "pandas str": lambda codes: pd.Series(_shared(codes)),
    "pandas string[python]": lambda codes: pd.Series(
        _shared(codes), dtype=pd.StringDtype("python")
    ),
    "pandas ArrowDtype": lambda codes: pd.Series(_shared(codes), dtype=pd.ArrowDtype(pa.string())),
    "pyarrow string": lambda codes: pa.array(_shared(codes), pa.string()),
    "pyarrow large_string": lambda codes: pa.array(_shared(codes), pa.large_string()),
}


def _matrix(y: Any, p: Any) -> Any:
    return cm.confusion_matrix(y, p).counts


@pytest.mark.parametrize("name", ["ours", "scikit-learn"])
@pytest.mark.parametrize("kind", NUMPY)
def test_numpy(race: Race, rows: int, kind: str, name: str) -> None:
    n = min(rows, SKLEARN_ROWS)
    codes = labels(n, K, "int64")
    # scikit-learn takes no bytes and no StringDType.
    refused = {"S2": "U2", "S12": "U12", "StringDType": "U2"}
    made = NUMPY[kind if name == "ours" else refused.get(kind, kind)]
    y, p = (made(side) for side in codes)
    cells = cells_of(*codes, K)[0]
    role: Role = "ours" if name == "ours" else "peer"
    run = _matrix if name == "ours" else sklearn_matrix
    race(
        f"{n:,} labels in NumPy {kind}, K={K}",
        "cm.confusion_matrix" if name == "ours" else name,
        role,
        lambda: run(y, p),
        check=lambda found: np.testing.assert_array_equal(found, cells),
        rows=n,
    )


@pytest.mark.parametrize("name", ["ours", "a column of Polars"])
@pytest.mark.parametrize("kind", OTHERS)
def test_others(race: Race, rows: int, kind: str, name: str) -> None:
    codes = labels(rows, K, "int64")
    has_none = kind == "object, some None"
    lying = _with_none if has_none else _shared
    y, p = (
        OTHERS[kind](side) if name == "ours" else pl.Series(lying(side).tolist(), dtype=pl.String)
        for side in codes
    )
    known = np.arange(rows) % NULL_EVERY != 0 if has_none else slice(None)
    cells = cells_of(*(side[known] for side in codes), K)[0]
    race(
        f"{rows:,} labels in {kind}, K={K}",
        "cm.confusion_matrix" if name == "ours" else f"cm.confusion_matrix of {name}",
        "ours" if name == "ours" else "peer",
        lambda: _matrix(y, p),
        check=lambda found: np.testing.assert_array_equal(found, cells),
        rows=rows,
    )
