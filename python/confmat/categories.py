"""Columns of Polars as the core reads labels: Categoricals as codes and the texts behind them.

As Arrow data these would be numbered anew.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core

# A dictionary of all codes up to the greatest is short beside the rows, or short at all.
_SHORT = 1 << 12
# Of so few rows the texts are made sooner than a dictionary.
_FEW_ROWS = 1 << 12
# From so many rows on, looking for the greatest code costs more than reading a short dictionary.
_LONG_COLUMN = 1 << 20


def coded(labels: Any) -> Any:
    """Return a Categorical as the codes that it holds and their texts, or of few rows as texts.

    Anything else as it is.
    """
    if not isinstance(labels, pl.Series) or not isinstance(labels.dtype, pl.Categorical):
        return labels
    if len(labels) <= _FEW_ROWS:
        return labels.cast(pl.String)
    codes = labels.to_physical()
    texts = None
    if len(labels) >= _LONG_COLUMN:
        texts = _all_texts(getattr(labels.dtype, "categories", None))
    if texts is None:
        texts = _texts_up_to_greatest(codes, labels.dtype)
    return labels if texts is None else _core.CodedTexts(codes, texts.rechunk())


def _all_texts(categories: Any) -> pl.Series | None:
    """Return the texts of all codes, in their order, if there are few; null for a code of none."""
    if not hasattr(categories, "to_series"):  # older Polars
        return None
    try:
        are_many = categories[_SHORT] is not None  # Polars 1 has None for a code of none
    except IndexError:
        are_many = False
    texts: pl.Series | None = None if are_many else categories.to_series()
    return texts


def _texts_up_to_greatest(codes: pl.Series, dtype: pl.Categorical) -> pl.Series | None:
    greatest: Any = codes.max()
    if greatest is None or greatest >= max(_SHORT, len(codes) // 4):
        return None
    known = pl.int_range(greatest + 1, eager=True).cast(codes.dtype)
    try:
        # Polars 2 has a method of its own for what was a cast.
        to = getattr(known.cat, "to", known.cast)
        texts: pl.Series = to(dtype).cast(pl.String)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None  # a code below the greatest stands for no text
    return texts
