"""How much memory states may take: as bytes, or as a text such as "2 GB"."""

from __future__ import annotations

import re
from typing import Any

from confmat.errors import InputError

DEFAULT = 1_000_000_000
_LEAST = 1_000_000
_UNITS = {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 2**10, "MIB": 2**20}
_UNITS |= {"GIB": 2**30, "TIB": 2**40}


def checked_memory(given: Any) -> int:
    """Return a number of bytes.

    Examples
    --------
    >>> checked_memory("1.5 GB"), checked_memory(2**20), checked_memory(None)
    (1500000000, 1048576, 1000000000)
    """
    if given is None:
        return DEFAULT
    size = -1.0
    if isinstance(given, str):
        found = re.fullmatch(r"\s*([\d.]+)\s*([a-zA-Z]*)\s*", given)
        if found and found[2].upper() in {*_UNITS, ""} and found[1].count(".") < 2:
            size = float(found[1]) * _UNITS.get(found[2].upper(), 1)
    elif isinstance(given, (int, float)) and not isinstance(given, bool):
        size = float(given)
    if not _LEAST <= size < 2**62:
        raise InputError(
            f'`max_memory` is {given!r}; wanted a number of bytes, at least 1 MB, or "2 GB"'
        )
    return int(size)


def shown_memory(size: float) -> str:
    """Return a number of bytes in words.

    Examples
    --------
    >>> shown_memory(1_234_567), shown_memory(5e9)
    ('1.23 MB', '5 GB')
    """
    for unit in ("TB", "GB", "MB", "KB"):
        if size >= _UNITS[unit]:
            return f"{size / _UNITS[unit]:.3g} {unit}"
    return f"{size:.0f} B"
