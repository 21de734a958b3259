"""Numbers by name: read with parameters, refused where unknown, and as a frame with reasons."""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.errors import InputError


def called(of: Callable[..., Any], name: str, params: Mapping[str, Any]) -> Any:
    """Return what a number is with these parameters; one that it does not take is refused."""
    known = list(inspect.signature(of).parameters)
    for key in params:
        if key not in known:
            wanted = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InputError(f"`{name}` has no parameter `{key}`; {wanted}")
    return of(**params)


def unknown(name: Any, known: Sequence[str], aliases: Sequence[str] = ()) -> InputError:
    """Return the error for a name of no number, with the nearest names."""
    if not isinstance(name, str):
        return InputError(f"`name` is {type(name).__name__}; wanted the name of a number")
    near = difflib.get_close_matches(name, dict.fromkeys([*known, *aliases]), n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"wanted one of {', '.join(known)}"
    return InputError(f"no number is named {name!r}; {hint}")


def mean(values: npt.NDArray[np.float64], weights: Any) -> float:
    """Return the weighted mean of the values that are not nan; nan where there is no weight."""
    used = ~np.isnan(values)
    total = _core.exact_sum(weights[used])
    return _core.exact_sum(values[used] * weights[used]) / total if total else math.nan


def numbers(
    metrics: Sequence[str], values: Iterable[float], reasons: Iterable[str | None]
) -> pl.DataFrame:
    """Return a frame of `metric`, `value` (null where undefined) and `reason`."""
    columns = {"metric": list(metrics), "value": list(values), "reason": list(reasons)}
    schema = {"metric": pl.String, "value": pl.Float64, "reason": pl.String}
    return pl.DataFrame(columns, schema=schema).with_columns(pl.col("value").fill_nan(None))
