"""Texts in NumPy arrays, in objects and in pandas, read where they lie."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.columns.arrow import arrow_data
from confmat.columns.column_input import as_series
from confmat.errors import InputError, Row
from confmat.labels import is_null

_PLAIN = (np.ndarray, np.memmap, np.matrix)  # others give other values than lie in their memory


def lying_texts(values: Any, argument: str) -> Any:
    """Return texts as the core reads them without a Python object a row, or None.

    None is no refusal: it says that these are no texts, or texts that need a closer look.
    """
    if isinstance(values, _core.CodedTexts):
        return values
    if type(values) in _PLAIN:
        return _from_numpy(np.asarray(values), argument)
    if type(values).__module__.partition(".")[0] == "pandas":
        return _from_pandas(values, argument)
    return None


def decoded(values: np.ndarray[Any, Any], argument: str) -> np.ndarray[Any, Any]:
    """Return texts of UTF-8 in bytes (`S`) as NumPy's texts.

    Raises
    ------
    InputError
        One that is no UTF-8.
    """
    try:
        return np.char.decode(values, "utf-8")
    except UnicodeDecodeError as error:
        is_text = np.array([_is_utf8(item) for item in values.tolist()])
        row = int(is_text.argmin())
        raise InputError("the text ", Row(row), f" of `{argument}` is not UTF-8") from error


def _is_utf8(item: bytes) -> bool:
    try:
        item.decode()
    except UnicodeDecodeError:
        return False
    return True


def _from_numpy(values: np.ndarray[Any, Any], argument: str) -> Any:
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        return None
    kind = values.dtype.kind
    if kind in "US":
        return values
    if kind == "O":
        return _coded(_core.object_codes(values), argument)
    return _from_strings(values, argument) if kind == "T" else None


def _from_strings(values: np.ndarray[Any, Any], argument: str) -> _core.CodedTexts | None:
    null = getattr(values.dtype, "na_object", None)
    if not (isinstance(null, str) or is_null(null)):
        return None
    return _coded(_core.string_codes(values, null if isinstance(null, str) else None), argument)


def _coded(found: Any, argument: str) -> _core.CodedTexts | None:
    if found is None or len(found[1]) == 1:
        return None
    codes, texts = found
    return _core.CodedTexts(pl.Series(argument, codes), as_series(texts, argument, pl.String))


def _from_pandas(values: Any, argument: str) -> Any:
    pandas = sys.modules["pandas"]
    if not isinstance(values, (pandas.Series, pandas.Index)) or isinstance(
        values, pandas.MultiIndex
    ):
        return None
    dtype = values.dtype
    if dtype == np.dtype(object) or (
        isinstance(dtype, pandas.StringDtype) and dtype.storage == "python"
    ):
        return _from_numpy(np.asarray(values.array, dtype=object), argument)
    if getattr(dtype, "type", None) is not str or isinstance(dtype, np.dtype):
        return None
    if importlib.util.find_spec("pyarrow") is None:
        return None
    pyarrow = importlib.import_module("pyarrow")
    data = arrow_data(pyarrow.array(values.array), argument)
    return data if data.readable else None
