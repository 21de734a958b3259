"""A matrix as JSON text that people and other languages read, and back."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.labels import MAX_CLASSES, Origin, label_set
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import check_cells
from confmat.matrices.sparse import AnyCells, SparseCells, require_table
from confmat.options import checked_smoothing

M = TypeVar("M", bound=MatrixBase)

_KIND, _VERSION = "confusion matrix", 1
_FROM = {"rows": Origin.FOUND, "user": Origin.GIVEN, "type": Origin.OF_TYPE}
_NEEDED = ("confmat", "version", "labels")
_OTHERS = ("labels_from", "pos_label", "n_dropped", "n_other", "smoothing", "class_sizes_known")
_KNOWN = (*_NEEDED, "counts", "weights_sq", "cells", *_OTHERS)
_MOST_ROWS = 1 << 63


def to_json(state: MatrixBase) -> str:
    """Return the matrix as JSON, for people, other languages and version control.

    `from_json` reads it. `to_bytes` is smaller, merges without being read, and keeps what sums of
    weights lose to rounding.

    Returns
    -------
    str
        One object: `labels`, `counts` (rows true, columns predicted), `n_dropped`, `n_other`, and
        `pos_label`, `weights_sq`, `smoothing` and `class_sizes_known` where there are such. Of many
        classes whose cells are mostly empty it has `cells` in place of `counts`: `[true, pred,
        count]`, and the squared weights where they are known, of each cell that is not, by the
        positions of its labels. Whole numbers are exact; weights are the shortest decimals that
        give the same floats.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.confusion_matrix(["cat", "dog", "dog"], ["cat", "dog", "cat"])
    >>> print(m.to_json())
    {"confmat": "confusion matrix", "version": 1, "labels": ["cat", "dog"], "labels_from": "rows",
     "counts": [[1, 0], [1, 1]], "n_dropped": 0, "n_other": 0}
    >>> cm.ConfusionMatrix.from_json(m.to_json()) == m
    True
    """
    cells, squares = state._cells, state._squares
    out: dict[str, Any] = {"confmat": _KIND, "version": _VERSION, "labels": list(state._labels)}
    out["labels_from"] = next(word for word, origin in _FROM.items() if origin == state._origin)
    if state._positive is not None:
        out["pos_label"] = state._positive
    if isinstance(cells, SparseCells):
        columns = [cells.rows, cells.columns, cells.values, *([] if squares is None else [squares])]
        out["cells"] = [list(cell) for cell in zip(*(c.tolist() for c in columns), strict=True)]
    else:
        out["counts"] = cells.tolist()
        if squares is not None:
            out["weights_sq"] = squares.tolist()
    out["n_dropped"], out["n_other"] = state._state.n_dropped, state.n_other
    if state.smoothing:
        out["smoothing"] = state.smoothing
    if state.class_sizes_known:
        out["class_sizes_known"] = True
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in out.items()]
    at = list(out).index("cells" if isinstance(cells, SparseCells) else "counts")
    return "{" + ", ".join(parts[:at]) + ",\n " + ", ".join(parts[at:]) + "}"


def of_json(cls: type[M], text: str | bytes) -> M:
    """Return the matrix that `to_json` wrote."""
    read = _object(text)
    named = _list(read, "labels")
    labels = label_set(named, most=MAX_CLASSES) if named else []
    cells, squares = _sparse(read, len(labels)) if "cells" in read else _dense(read, len(labels))
    origin = read.get("labels_from", "user")
    if not isinstance(origin, str) or origin not in _FROM:
        raise InputError(f"`text`: 'labels_from' is {origin!r}; wanted one of {list(_FROM)}")
    positive = read.get("pos_label")
    if positive is not None and not any(_is_same(positive, label) for label in labels):
        raise InputError(f"`text`: 'pos_label' is {positive!r}, which is not among the labels")
    known = read.get("class_sizes_known", False)
    if not isinstance(known, bool):
        raise InputError(f"`text`: 'class_sizes_known' is {known!r}; wanted true or false")
    if known and squares is None:
        raise InputError("`text` has 'class_sizes_known', but no squared weights beside the counts")
    made = cls._of(
        cells,
        labels,
        squares,
        n_dropped=_rows(read, "n_dropped"),
        n_other=_rows(read, "n_other"),
        smoothing=checked_smoothing(read.get("smoothing", 0.0)),
        origin=_FROM[origin],
    )
    return made._about(positive)._knowing_class_sizes(known)


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _object(text: str | bytes) -> dict[str, Any]:
    if not isinstance(text, (str, bytes, bytearray)):
        raise InputError(f"`text` is {type(text).__name__}; wanted the str that `to_json` gives")
    try:
        read = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # digits without end, brackets without end
        raise InputError(f"`text` is no JSON: {error}") from None
    wanted = f"an object with 'confmat': {_KIND!r}, 'labels' and 'counts', as `to_json` gives it"
    if not isinstance(read, dict) or read.get("confmat") != _KIND:
        raise InputError(f"`text` is another JSON than wanted: {wanted}")
    if missing := [name for name in _NEEDED if name not in read]:
        raise InputError(f"`text` lacks {missing[0]!r}; wanted {wanted}")
    if unknown := [name for name in read if name not in _KNOWN]:
        raise InputError(f"`text` has {unknown[0]!r}, which no matrix has; known are {_KNOWN}")
    if read["version"] != _VERSION or isinstance(read["version"], bool):
        raise InputError(
            f"`text` is of version {read['version']!r}; this confmat reads version {_VERSION}"
        )
    return read


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _list(read: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(read[name], list):
        raise InputError(f"`text`: {name!r} is {type(read[name]).__name__}; wanted a list")
    return read[name]  # type: ignore[no-any-return]


def _rows(read: dict[str, Any], name: str) -> int:
    rows = read.get(name, 0)
    if not isinstance(rows, int) or isinstance(rows, bool) or not 0 <= rows < _MOST_ROWS:
        raise InputError(f"`text`: {name!r} is {rows!r}; wanted a number of rows")
    return rows


def _dense(read: dict[str, Any], k: int) -> tuple[AnyCells, npt.NDArray[np.float64] | None]:
    if "counts" not in read:
        raise InputError("`text` has neither 'counts' nor 'cells'")
    require_table(k, "A matrix in JSON", "write 'cells' in place of 'counts'")
    cells = _table(read, "counts", k)
    squares = _table(read, "weights_sq", k).astype(np.float64) if "weights_sq" in read else None
    return check_cells(cells), squares


def _table(read: dict[str, Any], name: str, k: int) -> npt.NDArray[Any]:
    rows = _list(read, name)
    if len(rows) != k:
        raise InputError(f"`text`: {name!r} has {len(rows)} rows for {k} labels")
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != k or not _are_numbers(row):
            raise InputError(f"`text`: row {i} of {name!r} is no list of {k} numbers")
    return check_cells(_array(rows, name).reshape(k, k), name)


def _sparse(read: dict[str, Any], k: int) -> tuple[AnyCells, npt.NDArray[np.float64] | None]:
    if "counts" in read or "weights_sq" in read:
        raise InputError("`text` has both 'cells' and a table; wanted one of them")
    rows = _list(read, "cells")
    size = 4 if rows and isinstance(rows[0], list) and len(rows[0]) == 4 else 3
    places = []
    for i, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != size or not _are_numbers(row):
            raise InputError(
                f"`text`: number {i} of 'cells' is no list of true class, predicted class and count"
            )
        if not all(isinstance(at, int) and 0 <= at < k for at in row[:2]):
            raise InputError(f"`text`: number {i} of 'cells' is of no two of {k} labels")
        places.append(row[0] * k + row[1])
    if any(one >= other for one, other in pairwise(places)):
        raise InputError("`text`: 'cells' do not ascend by true and predicted class")
    values = check_cells(_array([row[2] for row in rows], "cells"), "cells")
    cells = SparseCells(k, np.array(places, np.int64), values)
    if size == 3:
        return cells, None
    return cells, check_cells(_array([row[3] for row in rows], "cells"), "cells").astype(np.float64)


def _are_numbers(row: list[Any]) -> bool:
    return all(type(cell) in (int, float) for cell in row)


def _array(numbers: list[Any], name: str) -> npt.NDArray[Any]:
    flat = [x for one in numbers for x in (one if isinstance(one, list) else [one])]
    whole = [abs(x) for x in flat if isinstance(x, int)]
    if whole and max(whole) >= 2**63:
        raise InputError(f"`text`: {name!r} holds numbers beyond 64-bit integers")
    if len(whole) < len(flat) and whole and max(whole) > 2**53:
        raise InputError(f"`text`: {name!r} holds whole numbers beyond 2^53 beside floats")
    return np.array(flat, dtype=np.int64 if len(whole) == len(flat) else np.float64)
