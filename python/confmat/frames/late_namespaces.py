"""`.cm` of Polars' expressions and frames, whose classes are loaded when first used.

Polars asks for a class, but does no more with it than to call it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from confmat.frames import namespaces


@pl.api.register_expr_namespace("cm")  # type: ignore[arg-type]
def _of_expression(expr: pl.Expr) -> namespaces.ExprNamespace:
    from confmat.frames.namespaces import ExprNamespace

    return ExprNamespace(expr)


@pl.api.register_dataframe_namespace("cm")  # type: ignore[arg-type]
def _of_frame(frame: pl.DataFrame) -> namespaces.DataFrameNamespace:
    from confmat.frames.namespaces import DataFrameNamespace

    return DataFrameNamespace(frame)


@pl.api.register_lazyframe_namespace("cm")  # type: ignore[arg-type]
def _of_query(frame: pl.LazyFrame) -> namespaces.LazyFrameNamespace:
    from confmat.frames.namespaces import LazyFrameNamespace

    return LazyFrameNamespace(frame)
