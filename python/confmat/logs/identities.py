"""What tells whether a file is as it was: its size, its time, and a checksum of both its ends."""

from __future__ import annotations

import os
import zlib
from typing import Any

from confmat.logs.stores import is_remote

_BLOCK = 65_536


def identity(path: str) -> list[Any]:
    """Return the name of a file and what tells it apart; of an object store the name alone."""
    if is_remote(path):
        return [path]
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        ends = file.read(_BLOCK)
        file.seek(max(status.st_size - _BLOCK, 0))
        ends += file.read(_BLOCK)
    return [os.path.realpath(path), status.st_size, status.st_mtime_ns, zlib.crc32(ends)]
