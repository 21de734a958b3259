"""Cells: a K x K table of counts read from arrays, nested dicts, crosstabs and long frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.inputs import label_column
from confmat.labels import (
    MAX_CLASSES,
    Label,
    Origin,
    label_set,
    listing,
    plain,
    sorted_union,
)
from confmat.matrices.sparse import AnyCells, is_large, of_core

Cells: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]

_LONG = (("true", "y_true"), ("pred", "y_pred"), ("count", "n"))
_WANTED = "a K x K array, a dict of dicts {true: {pred: n}} or a long frame"


_Read: TypeAlias = tuple[AnyCells, list[Label], Origin]


def read_cells(counts: Any, labels: Any) -> _Read:
    """Return checked cells and labels from any of the forms that `ConfusionMatrix` takes."""
    given = None if labels is None else label_set(labels, most=MAX_CLASSES)
    if isinstance(counts, pl.LazyFrame):
        counts = counts.collect()
    if isinstance(counts, pl.DataFrame):
        return _from_long(counts, given)
    if isinstance(counts, Mapping):
        return _from_nested(counts, given)
    if type(counts).__module__.partition(".")[0] == "pandas" and hasattr(counts, "columns"):
        names = list(counts.columns)
        if all(any(word in names for word in words) for words in _LONG):
            return _from_long(pl.DataFrame({name: counts[name].tolist() for name in names}), given)
        rows = zip(counts.index.tolist(), counts.to_numpy().tolist(), strict=True)
        return _from_nested(
            {true: dict(zip(counts.columns.tolist(), row, strict=True)) for true, row in rows},
            given,
        )
    return *_from_square(counts, given), Origin.GIVEN


def check_cells(cells: npt.NDArray[Any], what: str = "counts") -> Cells:
    """Return the cells as int64 or float64, contiguous, with no negative zero.

    Raises `InputError` for another dtype, a cell that is negative, infinite or nan, or a total
    that does not fit the type.
    """
    kind = cells.dtype.kind
    if kind not in "biuf" or cells.dtype.itemsize > 8:
        raise InputError(f"`{what}` has dtype {cells.dtype}; wanted integers or floats")
    if kind == "f":
        real = np.array(cells, dtype=np.float64, order="C")
        _refuse(~np.isfinite(real), real, what, "finite")
        _refuse(real < 0, real, what, "non-negative")
        real += 0.0
        with np.errstate(over="ignore"):
            total = float(real.sum())
        if total == float("inf"):
            raise InputError(f"`{what}`: the total is beyond the range of floats")
        return real
    if kind == "i":
        _refuse(cells < 0, cells, what, "non-negative")
    # The float total is within K * K ulps, so only near 2**63 is the exact sum needed.
    if float(cells.sum(dtype=np.float64)) >= 2.0**62 and sum(map(int, cells.flat)) >= 2**63:
        raise InputError(f"`{what}`: the total is beyond 64-bit integers")
    return np.array(cells, dtype=np.int64, order="C")


def _refuse(bad: npt.NDArray[np.bool_], cells: npt.NDArray[Any], what: str, wanted: str) -> None:
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(f"`{what}` holds {cells[at]} at {list(at)}; wanted {wanted} cells")


def _from_square(counts: Any, labels: list[Label] | None) -> tuple[Cells, list[Label]]:
    if isinstance(counts, (str, bytes)) or np.isscalar(counts):
        raise InputError(f"`counts` is {counts!r}; wanted {_WANTED}")
    if hasattr(counts, "tocsr"):
        raise InputError(f"`counts` is a sparse {type(counts).__name__}; pass its .toarray()")
    try:
        square = np.asarray(counts)
    except Exception as error:  # of code that is not ours
        why = _ragged(counts) or f"`counts` is not an array ({error})"
        raise InputError(f"{why}; wanted {_WANTED}") from error
    if square.ndim != 2 or square.shape[0] != square.shape[1] or square.size == 0:
        raise InputError(f"`counts` has shape {square.shape}; wanted {_WANTED}")
    rows = counts if type(counts) in (list, tuple) else ()
    if rows and all(type(row) in (list, tuple) for row in rows):
        _refuse_rounded(square, chain(*rows))
    cells = check_cells(square)
    if labels is None:
        return cells, list(range(len(cells)))
    if len(labels) != len(cells):
        raise InputError(f"`labels` has {len(labels)} labels for counts of shape {cells.shape}")
    return cells, labels


def _refuse_rounded(values: npt.NDArray[Any], numbers: Iterable[Any]) -> None:
    """Refuse integers of Python of which NumPy made floats, as they fit no type of its own."""
    if values.dtype.kind == "f" and all(type(number) is int for number in numbers):
        raise InputError("`counts`: the total is beyond 64-bit integers")


def _ragged(counts: Any) -> str:
    """Return which row of a list of lists is not as long as the first; or nothing."""
    rows = counts if type(counts) in (list, tuple) else ()
    sizes = [
        len(row) if type(row) in (list, tuple) else row.shape[0]
        for row in rows
        if type(row) in (list, tuple) or (isinstance(row, np.ndarray) and row.ndim > 0)
    ]
    if len(sizes) < len(rows):
        return ""
    at = next((at for at, size in enumerate(sizes) if size != sizes[0]), None)
    if at is None:
        return ""
    return f"`counts` has {sizes[at]} cells in row {at} and {sizes[0]} in row 0"


def _from_nested(counts: Mapping[Any, Any], labels: list[Label] | None) -> _Read:
    cell_of: list[tuple[Any, Any, Any]] = []
    for true, row in counts.items():
        if not isinstance(row, Mapping):
            raise InputError(
                f"`counts`[{true!r}] is {type(row).__name__}; wanted a dict {{pred: n}}"
            )
        cell_of.extend((true, pred, n) for pred, n in row.items())
    found = [*counts, *(pred for _, pred, _ in cell_of)]
    known = sorted_union(found, "counts", MAX_CLASSES) if labels is None else labels
    origin = Origin.FOUND if labels is None else Origin.GIVEN
    if is_large(len(known)):
        columns = zip(*cell_of, strict=True) if cell_of else [(), (), ()]
        return _count(*map(list, columns), labels=known), known, origin
    return _fill(cell_of, known), known, origin


def _from_long(frame: pl.DataFrame, labels: list[Label] | None) -> _Read:
    names = []
    for words in _LONG:
        name = next((word for word in words if word in frame.columns), None)
        if name is None:
            raise InputError(
                f"`counts` is a frame with columns {frame.columns}; "
                f"it has no column `{words[0]}` (or `{words[1]}`)"
            )
        names.append(name)
    frame = frame.select(names)
    for name, nulls in zip(names, frame.null_count().row(0), strict=True):
        if nulls:
            raise InputError(f"`counts`: column `{name}` has a null; wanted none")
    true, pred, _ = frame.dtypes
    origin = Origin.GIVEN
    if labels is None and isinstance(true, pl.Enum) and true == pred:
        labels, origin = true.categories.to_list(), Origin.OF_TYPE
    if labels is None:
        origin = Origin.FOUND
        sides = [frame[name] for name in names[:2]]
        found = [side.unique() for side in sides] if len(frame) > 1 << 16 else sides
        labels = sorted_union([*found[0], *found[1]], "counts", MAX_CLASSES)
    if is_large(len(labels)):
        return _count(*(frame[name] for name in names), labels=labels), labels, origin
    return _fill(frame.rows(), labels), labels, origin


def _count(*columns: Any, labels: list[Label]) -> AnyCells:
    """Return the cells of very many labels: true, predicted, and numbers to be added up."""
    true, pred, numbers = columns
    values = check_cells(_values(numbers if isinstance(numbers, list) else numbers.to_numpy()))
    sides = [coded(label_column(side, "counts").data) for side in (true, pred)]
    state, outsider = _core.count(sides[0], sides[1], values, labels, 0)
    found = state.labels
    if state.n_dropped:
        raise InputError(f"`counts` holds the label None, which is not in labels {listing(found)}")
    if outsider is not None:
        raise InputError(
            f"`counts` holds the label {outsider[2]}, which is not in labels {listing(found)}"
        )
    return of_core(len(found), state.cells)


def _fill(cell_of: list[tuple[Any, Any, Any]], labels: list[Label]) -> Cells:
    index = {label: i for i, label in enumerate(labels)}
    k = len(labels)
    values = check_cells(_values([n for _, _, n in cell_of]), "counts")
    real = values.dtype.kind == "f"
    cells: Cells = np.zeros((k, k), np.float64) if real else np.zeros((k, k), np.int64)
    for (*pair, _), n in zip(cell_of, values, strict=True):
        true, pred = map(plain, pair)
        for label in (true, pred):
            if label not in index:
                raise InputError(
                    f"`counts` holds the label {label!r}, which is not in labels {listing(labels)}"
                )
        cells[index[true], index[pred]] += n
    return cells


def _values(numbers: Any) -> npt.NDArray[Any]:
    if not len(numbers):
        return np.zeros(0, dtype=np.int64)
    try:
        values = np.asarray(numbers)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"`counts` is not made of numbers: {error}") from error
    if values.ndim != 1:
        raise InputError(f"`counts` is nested, of shape {values.shape}; wanted {_WANTED}")
    _refuse_rounded(values, numbers)
    return values
