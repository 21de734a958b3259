"""What may have been meant by an argument that a function does not take."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from confmat.registry import find_quietly

# Words of others for an argument.
_MEANT = dict.fromkeys(("weight", "weights", "sample_weights", "w"), "sample_weight")


def of_call(function: Callable[..., Any], given: Iterable[tuple[str, Any]]) -> str:
    """Return "; did you mean ...?" for the first keyword that there is none of, or nothing."""
    known = inspect.signature(function).parameters
    if any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return ""
    for key, value in given:
        if key not in known:
            averaged = f"{function.__name__}_{value}"
            fact = find_quietly(averaged) if key == "average" else None
            if fact is not None:
                of_columns = next(iter(known), "") == "y_true"
                call = f"{fact['base']}(..., average={value!r})"
                return f"; did you mean `{call if of_columns else averaged}`?"
            near = difflib.get_close_matches(key, known, n=1)
            meant = _MEANT[key] if _MEANT.get(key) in known else "".join(near)
            return f"; did you mean `{meant}`?" if meant else ""
    return ""
