"""What is asked of every group, as the small message that expressions carry to the core."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from confmat.errors import InputError
from confmat.labels import Label

# What every result has before its metrics.
TOTALS = ("n", "n_dropped", "n_other")
# The Struct of texts that comes last where it is asked for.
REASONS = "reasons"

_VERSION = 1
_NONE, _INT, _BOOL, _TEXT = range(4)


def _texts(texts: Sequence[Any]) -> bytes:
    encoded = [str(text).encode() for text in texts]
    body = b"".join(struct.pack("<I", len(text)) + text for text in encoded)
    return struct.pack("<I", len(encoded)) + body


def _labels(labels: Sequence[Label] | None) -> bytes:
    if labels is None:
        return struct.pack("<B", _NONE)
    first = labels[0]
    if isinstance(first, str):
        return struct.pack("<B", _TEXT) + _texts(labels)
    kind = _BOOL if isinstance(first, bool) else _INT
    return struct.pack(f"<BI{len(labels)}q", kind, len(labels), *(int(x) for x in labels))


def pack_spec(
    names: Sequence[str],
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    undefined: float | None = None,
    other: str = "raise",
    weighted: bool = False,
    smoothing: float = 0.0,
    keep_empty: bool = False,
    implied: bool = False,
    found: Sequence[Label] | None = None,
    reasons: bool = False,
    of_booleans: Sequence[str] | None = None,
) -> bytes:
    """Pack a request; the core reads it in `evaluate/spec.cpp`.

    `implied`: the labels are those of a dtype; averages leave classes without rows out.
    `found` are the labels of all groups where none were given: each group keeps those present in
    it, and rows travel as codes.
    `of_booleans` are the names where both label columns turn out to be Boolean.
    """
    if other not in ("raise", "bucket"):
        raise InputError(f"`other` is {other!r}: wanted 'raise' or 'bucket'")
    flags = (
        (1 if other == "bucket" else 0)
        | (2 if weighted else 0)
        | (4 if keep_empty else 0)
        | (8 if undefined is not None else 0)
        | (32 if implied else 0)
        | (16 if labels is None and found is not None else 0)
        | (64 if reasons else 0)
        | (128 if of_booleans is not None else 0)
    )
    return b"".join(
        (
            struct.pack("<BBdd", _VERSION, flags, undefined or 0.0, smoothing),
            _labels(found if labels is None else labels),
            _labels(None if pos_label is None else [pos_label]),
            _texts(names),
            b"" if of_booleans is None else _texts(of_booleans),
        )
    )
