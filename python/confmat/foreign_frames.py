"""Frames of other libraries, where one of Polars is wanted."""

from __future__ import annotations

from typing import Any

from confmat.errors import InputError

FRAMES = "a pl.DataFrame or pl.LazyFrame"
FRAME = "a pl.DataFrame, a lazy frame collected"


def is_frame(value: Any) -> bool:
    """Return whether a value is a frame or a table of another library."""
    own = type(value).__module__.partition(".")[0] == "polars"
    return not own and hasattr(value, "columns") and hasattr(value, "shape")


def frame_error(value: Any, argument: str, wanted: str) -> InputError:
    """Return the error for what is no frame of Polars: it tells how to make one, where that can be.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from confmat.foreign_frames import FRAME, frame_error
    >>> print(frame_error(pa.table({"y": [1]}), "frame", FRAME))
    `frame` is a pyarrow Table; wanted a pl.DataFrame, a lazy frame collected: pl.DataFrame(frame)
    """
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if not is_frame(value):
        return InputError(f"`{argument}` is {kind.__name__}; wanted {wanted}")
    made = "pl.from_pandas" if library == "pandas" else "pl.DataFrame"
    hint = f": {made}({argument})" if hasattr(value, "__arrow_c_stream__") else ""
    return InputError(f"`{argument}` is a {library} {kind.__name__}; wanted {wanted}{hint}")
