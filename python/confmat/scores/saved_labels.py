"""Labels as bytes, in the saved form of a sweep."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from confmat.errors import InputError, StateError
from confmat.labels import MAX_LABEL_BYTES, Kind, Label, label_set

_LENGTH = struct.Struct("<I")


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


def _decode_texts(data: bytes, k: int) -> Iterator[str]:
    at = 0
    for _ in range(k):
        if at + _LENGTH.size > len(data):
            raise StateError("the labels end early")
        (size,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if size > min(MAX_LABEL_BYTES, len(data) - at):
            raise StateError("a label is longer than the bytes in hand, or than the limit")
        try:
            yield data[at : at + size].decode()
        except UnicodeDecodeError:
            raise StateError("a label is not valid UTF-8") from None
        at += size
    if at != len(data):
        raise StateError("bytes are left after the last label")
