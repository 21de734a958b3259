"""The saved form of a confusion matrix: a small binary format, read as untrusted input.

Little-endian throughout:

======  ====================================================================================
bytes   content
======  ====================================================================================
8       magic ``89 63 66 6d 0d 0a 1a 0a``: binary, and broken by any change of line ends
2       format version
1, 1    kind of labels (0 int, 1 bool, 2 text) and of cells (0 int64, 1 float64)
1, 1    1 where squared weights follow; 1 where the labels are those of a dtype
2       the positive class: 1 for the first label ...; 0 where none is named
8       size of the whole, checksum included
8, 8    K, and the bytes that the labels take
8, 8    n_dropped, n_other
8       smoothing, float64
...     labels: int64 each, one byte each, or a 32-bit length and UTF-8 each
8 K²    cells, by rows
8 K²    squared weights, if any
4       CRC-32 of all before
======  ====================================================================================
"""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError, StateError
from confmat.labels import MAX_LABEL_BYTES, Kind, Label, kind_of, label_set
from confmat.matrices.cells import Cells, check_cells
from confmat.positive_class import usual
from confmat.sealed import CHECKSUM, is_sealed, sealed, size_of

MAGIC = b"\x89cfm\r\n\x1a\n"
FORMAT_VERSION = 1

_HEAD = struct.Struct("<8sHBBBBBBQQQQQd")
_LENGTH = struct.Struct("<I")
_KINDS: tuple[Kind, ...] = ("int", "bool", "text")


class State(NamedTuple):
    """What a confusion matrix is made of."""

    cells: Cells
    labels: list[Label]
    weights_sq: npt.NDArray[np.float64] | None
    n_dropped: int
    n_other: int
    smoothing: float
    implied: bool = False
    positive: Label | None = None  # where it is not the usual one


def encode(state: State) -> bytes:
    """Return the state as bytes, a function of its content alone."""
    kind = kind_of(state.labels)
    labels = encode_labels(state.labels, kind)
    real = state.cells.dtype.kind == "f"
    parts: list[bytes | tuple[npt.NDArray[Any], str]] = [labels]
    parts.append((state.cells, "<f8" if real else "<i8"))
    if state.weights_sq is not None:
        parts.append((state.weights_sq, "<f8"))
    head = _HEAD.pack(
        MAGIC,
        FORMAT_VERSION,
        _KINDS.index(kind),
        int(real),
        int(state.weights_sq is not None),
        int(state.implied),
        *_positive_code(state).to_bytes(2, "little"),
        _HEAD.size + size_of(parts),
        len(state.labels),
        len(labels),
        state.n_dropped,
        state.n_other,
        state.smoothing,
    )
    return sealed([head, *parts])


def _positive_code(state: State) -> int:
    if state.positive is None:
        return 0
    return state.labels.index(state.positive) + 1


def decode(data: bytes) -> State:
    """Return the state held by `data`, every claim checked; allocates no more than `data` holds.

    Raises
    ------
    StateError
        Not a state, of a newer format, cut, changed, or not a possible confusion matrix.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise StateError(f"a state is bytes, not {type(data).__name__}")
    data = bytes(data)
    if data[: len(MAGIC)] != MAGIC:
        raise StateError("these bytes are not a saved confusion matrix")
    if len(data) < _HEAD.size + CHECKSUM.size:
        raise StateError(f"cut short: {len(data)} bytes, less than a header")
    (
        _,
        version,
        labels_of,
        cells_of,
        squared,
        implied,
        *positive,
        total,
        k,
        size,
        dropped,
        other,
        alpha,
    ) = _HEAD.unpack_from(data)
    if version != FORMAT_VERSION:
        newer = "a newer confmat wrote it" if version > FORMAT_VERSION else "there is none"
        raise StateError(f"format version {version}; this reads {FORMAT_VERSION} ({newer})")
    if total != len(data):
        raise StateError(f"wanted {total} bytes, as the header says, found {len(data)}")
    end = len(data) - CHECKSUM.size
    if not is_sealed(data):
        raise StateError("changed after it was written: the checksum does not match")
    if labels_of > 2 or cells_of > 1 or max(squared, implied) > 1:
        raise StateError("unknown kinds of labels or cells")
    if _HEAD.size + size + 8 * k * k * (1 + squared) != end:
        raise StateError(f"the sizes do not fit {k} classes")
    if max(dropped, other) >= 2**63 or not (math.isfinite(alpha) and alpha >= 0):
        raise StateError("n_dropped, n_other or smoothing is out of range")
    labels = decode_labels(data[_HEAD.size : _HEAD.size + size], k, _KINDS[labels_of])
    cells, squares = _decode_cells(data, _HEAD.size + size, k, cells_of, squared)
    named = int.from_bytes(bytes(positive), "little")
    if named > k:
        raise StateError("the positive class is none of the labels")
    label = labels[named - 1] if named else None
    if named and label == usual(labels):
        raise StateError("not written as this format writes it")
    state = State(cells, labels, squares, dropped, other, alpha + 0.0, bool(implied), label)
    if encode(state) != data:
        raise StateError("not written as this format writes it")
    return state


def _decode_cells(
    data: bytes, at: int, k: int, cells_of: int, squared: int
) -> tuple[Cells, npt.NDArray[np.float64] | None]:
    try:
        cells = check_cells(_square(data, at, k, "<f8" if cells_of else "<i8"), "cells")
    except InputError as error:
        raise StateError(str(error)) from None
    if not squared:
        return cells, None
    squares = _square(data, at + 8 * k * k, k, "<f8").astype(np.float64)
    if np.isnan(squares).any() or (squares < 0).any():
        raise StateError("a sum of squared weights is negative or nan")
    return cells, squares + 0.0


def _square(data: bytes, at: int, k: int, dtype: str) -> npt.NDArray[Any]:
    return np.frombuffer(data, dtype=dtype, count=k * k, offset=at).reshape(k, k)


def encode_labels(labels: list[Label], kind: Kind) -> bytes:
    """Return the labels as bytes: int64 each, one byte each, or a length and UTF-8 each."""
    if kind == "int":
        return struct.pack(f"<{len(labels)}q", *labels)
    if kind == "bool":
        return bytes(labels)  # type: ignore[arg-type]
    texts = [str(label).encode() for label in labels]
    return b"".join(_LENGTH.pack(len(text)) + text for text in texts)


def decode_labels(data: bytes, k: int, kind: Kind) -> list[Label]:
    """Return the `k` labels that `data` holds and nothing else; a StateError says what is wrong."""
    labels: list[Label]
    if kind == "text":
        labels = list(_decode_texts(data, k))
    elif len(data) != k * (8 if kind == "int" else 1):
        raise StateError(f"the labels do not fit {k} classes")
    elif kind == "int":
        labels = list(struct.unpack(f"<{k}q", data))
    elif set(data) <= {0, 1}:
        labels = [bool(byte) for byte in data]
    else:
        raise StateError("a boolean label is neither 0 nor 1")
    if not labels:
        return labels
    try:
        return label_set(labels)
    except InputError as error:
        raise StateError(str(error)) from None


def _decode_texts(data: bytes, k: int) -> list[str]:
    texts = []
    at = 0
    for _ in range(k):
        if at + _LENGTH.size > len(data):
            raise StateError("the labels end early")
        (size,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if size > min(MAX_LABEL_BYTES, len(data) - at):
            raise StateError("a label is longer than the bytes in hand, or than the limit")
        try:
            texts.append(data[at : at + size].decode())
        except UnicodeDecodeError:
            raise StateError("a label is not valid UTF-8") from None
        at += size
    if at != len(data):
        raise StateError("bytes are left after the last label")
    return texts
