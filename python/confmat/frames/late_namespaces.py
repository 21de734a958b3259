"""`.cm` of Polars' expressions and frames, whose classes are loaded when first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import polars as pl


class _Late:
    """A class of `namespaces`, before it is loaded. Polars calls it; its attributes are there too.

    Examples
    --------
    >>> import polars as pl
    >>> import confmat
    >>> pl.DataFrame.cm.evaluate.__name__
    'evaluate'
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def _loaded(self) -> Any:
        return getattr(import_module("confmat.frames.namespaces"), self._name)

    def __call__(self, of: Any) -> Any:
        return self._loaded()(of)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._loaded(), name)

    def __dir__(self) -> list[str]:
        return dir(self._loaded())


# Polars asks for a class, but does no more with it than to call it.
pl.api.register_expr_namespace("cm")(_Late("ExprNamespace"))  # type: ignore[arg-type]
pl.api.register_dataframe_namespace("cm")(_Late("DataFrameNamespace"))  # type: ignore[arg-type]
pl.api.register_lazyframe_namespace("cm")(_Late("LazyFrameNamespace"))  # type: ignore[arg-type]
