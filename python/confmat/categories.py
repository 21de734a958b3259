"""Polars Categoricals as codes and the texts behind them: as Arrow data they are numbered anew."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core

# A dictionary of all codes up to the greatest is short beside the rows, or short at all.
_SHORT = 1 << 12


def coded(labels: Any) -> Any:
    """Return a Categorical as the codes that it holds and their texts, anything else as it is."""
    if not isinstance(labels, pl.Series) or not isinstance(labels.dtype, pl.Categorical):
        return labels
    codes = labels.to_physical()
    greatest: Any = codes.max()
    if greatest is None or greatest >= max(_SHORT, len(labels) // 4):
        return labels
    known = pl.int_range(greatest + 1, eager=True).cast(codes.dtype)
    try:
        # Polars 2 has a method of its own for what was a cast.
        to = getattr(known.cat, "to", known.cast)
        texts = to(labels.dtype).cast(pl.String)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return labels  # a code below the greatest stands for no text
    return _core.CodedTexts(codes, texts.rechunk())
