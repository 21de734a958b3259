"""The classes of true and predicted labels of two models, as positions among the labels."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.categories import coded
from confmat.columns.arrow import arrow_series
from confmat.inputs import column
from confmat.labels import MAX_CLASSES, Label, Origin, kind_of, label_set

ARGUMENTS = ("y_true", "y_pred_a", "y_pred_b")
NULL, OTHER = -1, -2  # codes of what is no class

Codes: TypeAlias = npt.NDArray[np.int32]
Triples: TypeAlias = tuple[Codes, Codes, Codes]


class Classes(NamedTuple):
    """The labels, where they come from, and the first one that is none: argument, row, label."""

    labels: list[Label]
    origin: Origin
    outsider: tuple[str, int, str] | None


def series_of(values: Any, argument: str) -> tuple[pl.Series, list[Label] | None]:
    """Return any column as a Series, nan being null, and the labels that its type declares."""
    data, declared, _ = column(values, argument)
    if isinstance(data, np.ndarray):
        series = pl.Series(argument, data.astype(data.dtype.newbyteorder("="), copy=False))
    elif isinstance(data, pl.Series):
        series = data
    else:
        series = arrow_series(data, argument)
    return series.alias(argument), declared


def known_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Return three columns, null in each row where one of them is."""
    known = ~pl.any_horizontal(pl.all().is_null())
    return without_nan(rows).select(pl.when(known).then(pl.all()))


def without_nan(rows: pl.DataFrame) -> pl.DataFrame:
    """Return columns whose nan are nulls."""
    floats = [name for name, dtype in rows.schema.items() if dtype.is_float()]
    return rows.with_columns(pl.col(floats).fill_nan(None)) if floats else rows


def given_labels(
    labels: Any, declared: list[list[Label] | None]
) -> tuple[list[Label] | None, bool]:
    """Return the labels that are known without the rows, and whether the user gave them."""
    if labels is not None:
        return label_set(labels, most=MAX_CLASSES), True
    first = declared[0]
    return (first if all(one == first for one in declared) else None), False


def classes_of(rows: pl.DataFrame, wanted: list[Label] | None, is_given: bool) -> Classes:
    """Return the classes of rows of three columns, as `known_rows` gives them.

    Raises
    ------
    InputError
        Labels that are none, or are of several kinds.
    """
    truth, *predictions = rows.get_columns()
    states, outsider = [], None
    for pred, argument in zip(predictions, ARGUMENTS[1:], strict=True):
        state, found = _core.count(
            coded(truth), coded(pred), None, wanted, 0, pred_argument=argument
        )
        states.append(state)
        outsider = outsider or found
    both = states[0].added(states[1])
    of_type = wanted is not None and not is_given
    return Classes(list(both.labels), Origin.OF_TYPE if of_type else Origin(both.origin), outsider)


def triples_of(rows: pl.DataFrame, labels: list[Label]) -> Triples:
    """Return the positions of the labels of three columns."""
    truth, a, b = (_codes_of(one, labels) for one in without_nan(rows).get_columns())
    return truth, a, b


def _codes_of(values: pl.Series, labels: list[Label]) -> Codes:
    """Return the position of each label; `NULL` of a null, `OTHER` of one that is not there."""
    if labels:
        plain = values.cast(pl.String if kind_of(labels) == "text" else pl.Int64)
        known = pl.Series(labels).cast(plain.dtype)
        places = pl.int_range(len(labels), dtype=pl.Int32, eager=True)
        codes = plain.replace_strict(known, places, default=OTHER, return_dtype=pl.Int32)
    else:
        codes = pl.repeat(OTHER, len(values), dtype=pl.Int32, eager=True)
    if values.null_count():
        codes = codes.zip_with(values.is_not_null(), pl.Series([NULL], dtype=pl.Int32))
    found: Codes = codes.to_numpy()
    return found


def pairs_of(codes: Triples, k: int) -> tuple[pl.Series, pl.Series, pl.Series]:
    """Return codes as what `_core.joint_of_pairs` names them, and where a label is another one.

    They are -1 - truth, and a * k + b of k labels; null where a row has a null or another label.
    """
    lowest = np.minimum(np.minimum(codes[0], codes[1]), codes[2])
    nulls = (codes[0] == NULL) | (codes[1] == NULL) | (codes[2] == NULL)
    known = pl.Series(lowest >= 0)
    truth, a, b = (pl.Series(one.astype(np.int64)) for one in codes)
    nothing = pl.Series([None], dtype=pl.Int64)
    return (
        (-1 - truth).zip_with(known, nothing),
        (a * k + b).zip_with(known, nothing),
        pl.Series((lowest == OTHER) & ~nulls),
    )
