"""Bytes of a saved state, which end with a checksum: written and checked piece by piece.

So that Ctrl-C is answered in between, however large the state.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

CHECKSUM = struct.Struct("<I")
_AT_ONCE = 1 << 20


def sealed(parts: Sequence[bytes | tuple[npt.NDArray[Any], str]]) -> bytes:
    """Return the parts one after another, arrays as the dtype beside them, and a checksum."""
    out, checksum = io.BytesIO(), 0
    for part in parts:
        array, dtype = (np.frombuffer(part, "u1"), "u1") if isinstance(part, bytes) else part
        flat = array.reshape(-1)
        for first in range(0, len(flat), _AT_ONCE):
            piece = flat[first : first + _AT_ONCE].astype(dtype).tobytes()
            checksum = zlib.crc32(piece, checksum)
            out.write(piece)
    out.write(CHECKSUM.pack(checksum))
    return out.getvalue()


def size_of(parts: Sequence[bytes | tuple[npt.NDArray[Any], str]]) -> int:
    """Return how many bytes the parts and their checksum take."""
    sizes = (
        len(part) if isinstance(part, bytes) else part[0].size * np.dtype(part[1]).itemsize
        for part in parts
    )
    return sum(sizes) + CHECKSUM.size


def is_sealed(data: bytes) -> bool:
    """Return whether bytes end with their checksum. Needs: they are long enough to hold one."""
    view = memoryview(data)[: -CHECKSUM.size]
    checksum = 0
    for first in range(0, len(view), 8 * _AT_ONCE):
        checksum = zlib.crc32(view[first : first + 8 * _AT_ONCE], checksum)
    return bool(CHECKSUM.unpack_from(data, len(view))[0] == checksum)
