"""The saved form of a sweep: a small binary format, read as untrusted input.

Little-endian throughout:

======  ====================================================================================
bytes   content
======  ====================================================================================
8       magic ``89 63 66 73 0d 0a 1a 0a``: binary, and broken by any change of line ends
2       format version
1       kind of sweep (0 exact; bins: 1 of a power of two, 2 of given edges, 3 of float16, 4 "unit")
1, 1    kind of scores (0 float32, 1 float64, 2 float16), of counts (0 uint32, 1 uint64, 2 float64)
1, 1    kind of labels (0 int, 1 bool, 2 text); how many: 2, or 1 if none is negative
1       1 if a bin may hold several scores, and none are here, else 0
8       size of the whole, checksum included
8, 8    entries, and the bytes that the labels take
8       number of bins (kind 1) or of edges (kind 2), version of the map (kind 4), else 0
8, 8    n_dropped, n_nan
...     labels: int64 each, one byte each, or a 32-bit length and UTF-8 each
...     edges, float64, ascending (kind 2)
...     scores, descending, unless a bin may hold several; those of float16 as float32
...     lower edges, descending, and upper edges, float64 (kinds 1 to 3)
...     places of the bins in the map, descending, uint32 (kind 4)
...     positives; negatives
4       CRC-32 of all before
======  ====================================================================================
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError, StateError
from confmat.labels import Kind, Label, kind_of
from confmat.scores.clipping import ScoreType
from confmat.scores.grid import HALF, MAX_BINS, UNIT, Bins, check_edges, unit_lower
from confmat.scores.saved_checks import (
    check_bins,
    check_counts,
    check_descending,
    check_halves,
    check_within,
    negative_zero,
)
from confmat.scores.saved_labels import decode_labels, encode_labels
from confmat.sealed import CHECKSUM, is_sealed, sealed, size_of

MAGIC = b"\x89cfs\r\n\x1a\n"
FORMAT_VERSION = 1

_HEAD = struct.Struct("<8sHBBBBBBQQQQQQ")
_LABELS: tuple[Kind, ...] = ("int", "bool", "text")
_SCORES = ("<f4", "<f8", "<f4")
_SCORE_TYPES: tuple[ScoreType, ...] = ("float32", "float64", "float16")
_COUNTS = ("<u4", "<u8", "<f8")
_EXACT, _POWER, _EDGES, _HALF, _UNIT = range(5)
_PLACE = "<u4"
_UNIT_VERSION = 1
_EDGE_BYTES = (0, 16, 16, 16, 4)  # of each bin, by kind of sweep


class State(NamedTuple):
    """What a sweep is made of.

    `lower`, `upper` and `bins` are None without bins, `scores` where a bin may hold several.
    """

    scores: npt.NDArray[Any] | None
    lower: npt.NDArray[np.float64] | None
    upper: npt.NDArray[np.float64] | None
    bins: Bins | None
    positives: npt.NDArray[Any]
    negatives: npt.NDArray[Any]
    negative: Label | None  # None where the sweep saw no row of it
    positive: Label
    n_dropped: int
    n_nan: int
    score_type: ScoreType  # float16 scores are float32 here


def encode(state: State) -> bytes:
    """Return the state as bytes, a function of its content alone."""
    known = [label for label in (state.negative, state.positive) if label is not None]
    kind = kind_of(known)
    labels = encode_labels(known, kind)
    scores = _SCORE_TYPES.index(state.score_type)
    counts = _counts_code(state)
    sweep, bins = _EXACT, 0
    parts: list[bytes | tuple[npt.NDArray[Any], str]] = [labels]
    if isinstance(state.bins, np.ndarray):
        sweep, bins = _EDGES, len(state.bins)
        parts.append((state.bins, "<f8"))
    elif state.bins == HALF:
        sweep = _HALF
    elif state.bins == UNIT:
        sweep, bins = _UNIT, _UNIT_VERSION
    elif isinstance(state.bins, int):
        sweep, bins = _POWER, state.bins
    if state.scores is not None:
        parts.append((state.scores, _SCORES[scores]))
    if sweep == _UNIT and state.lower is not None:
        parts.append((np.searchsorted(unit_lower(), state.lower), _PLACE))
    else:
        parts += [(x, "<f8") for x in (state.lower, state.upper) if x is not None]
    parts += [(part, _COUNTS[counts]) for part in (state.positives, state.negatives)]
    head = _HEAD.pack(
        MAGIC,
        FORMAT_VERSION,
        sweep,
        scores,
        counts,
        _LABELS.index(kind),
        len(known),
        state.scores is None,
        _HEAD.size + size_of(parts),
        len(state.positives),
        len(labels),
        bins,
        state.n_dropped,
        state.n_nan,
    )
    return sealed([head, *parts])


def decode(data: bytes) -> State:
    """Return the state held by `data`, every claim checked; allocates no more than `data` holds.

    Raises
    ------
    StateError
        Not a sweep, of a newer format, cut, changed, or not a possible sweep.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise StateError(f"a state is bytes, not {type(data).__name__}")
    data = bytes(data)
    if data[: len(MAGIC)] != MAGIC:
        raise StateError("these bytes are not a saved sweep")
    if len(data) < _HEAD.size + CHECKSUM.size:
        raise StateError(f"cut short: {len(data)} bytes, less than a header")
    head = _HEAD.unpack_from(data)
    _, version, sweep, scores_of, counts_of, labels_of, k, several, total, m, size, bins = head[:12]
    if version != FORMAT_VERSION:
        newer = "a newer confmat wrote it" if version > FORMAT_VERSION else "there is none"
        raise StateError(f"format version {version}; this reads {FORMAT_VERSION} ({newer})")
    if total != len(data):
        raise StateError(f"wanted {total} bytes, as the header says, found {len(data)}")
    end = len(data) - CHECKSUM.size
    if not is_sealed(data):
        raise StateError("changed after it was written: the checksum does not match")
    codes = zip((sweep, scores_of, counts_of, labels_of, several), (_UNIT, 2, 2, 2, 1), strict=True)
    if k not in (1, 2) or any(code > most for code, most in codes):
        raise StateError("unknown kinds of sweep, scores, counts or labels")
    if several and sweep == _EXACT:
        raise StateError("the scores are missing")
    edges = bins if sweep == _EDGES else 0
    width = 2 * np.dtype(_COUNTS[counts_of]).itemsize
    width += 0 if several else np.dtype(_SCORES[scores_of]).itemsize
    width += _EDGE_BYTES[sweep]
    if _HEAD.size + size + 8 * edges + m * width != end:
        raise StateError(f"the sizes do not fit {m} scores")
    dropped, nan = head[12:]
    if max(dropped, nan) >= 2**63:
        raise StateError("n_dropped or n_nan is out of range")
    labels = decode_labels(data[_HEAD.size : _HEAD.size + size], k, _LABELS[labels_of])
    reader = _Reader(data, _HEAD.size + size)
    grid = _bins(sweep, bins, reader)
    scores = None if several else reader.take(_SCORES[scores_of], m)
    lower, upper = _edges(sweep, reader, m)
    positives, negatives = (reader.take(_COUNTS[counts_of], m) for _ in range(2))
    if scores is not None:
        check_descending(scores)
        if _SCORE_TYPES[scores_of] == "float16":
            check_halves(scores)
    if lower is not None and upper is not None:
        check_bins(lower, upper, grid)
        check_within(scores, lower, upper)
    check_counts(positives, negatives)
    if counts_of == 1 and max(int(positives.max(initial=0)), int(negatives.max(initial=0))) < 2**32:
        raise StateError("counts are wider than they need to be")
    negative = labels[0] if k == 2 else None
    return State(
        scores,
        lower,
        upper,
        grid,
        positives,
        negatives,
        negative,
        labels[-1],
        dropped,
        nan,
        _SCORE_TYPES[scores_of],
    )


class _Reader:
    """Arrays of known lengths, one after another."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at

    def take(self, dtype: str, count: int) -> npt.NDArray[Any]:
        found = np.frombuffer(self.data, dtype, count, self.at)
        self.at += found.nbytes
        return found.astype(np.dtype(dtype).newbyteorder("="))


def _code(array: npt.NDArray[Any], dtypes: tuple[str, ...]) -> int:
    return [np.dtype(name) for name in dtypes].index(array.dtype.newbyteorder("<"))


def _counts_code(state: State) -> int:
    """Return the narrowest type of counts: how they were summed up must not show."""
    largest = max(int(part.max(initial=0)) for part in (state.positives, state.negatives))
    code = _code(state.positives, _COUNTS)
    return code if code == _COUNTS.index("<f8") else int(largest >= 2**32)


def _bins(sweep: int, bins: int, reader: _Reader) -> Bins | None:
    if sweep in (_EXACT, _HALF):
        if bins:
            raise StateError("an exact sweep, or one of float16 bins, has no number of bins")
        return HALF if sweep == _HALF else None
    if sweep == _POWER:
        if not 2 <= bins <= MAX_BINS or bins & (bins - 1):
            raise StateError(f"{bins} bins; wanted a power of two from 2 to {MAX_BINS}")
        return bins
    if sweep == _UNIT:
        if bins != _UNIT_VERSION:
            raise StateError(f'version {bins} of the bins "unit"; this reads {_UNIT_VERSION}')
        return UNIT
    edges = reader.take("<f8", bins)
    try:
        check_edges(edges, "edges")
    except InputError as error:
        raise StateError(str(error)) from None
    if negative_zero(edges):
        raise StateError("an edge is a negative zero")
    return edges


def _edges(sweep: int, reader: _Reader, m: int) -> tuple[Any, Any]:
    """Return lower and upper edges of the bins; None of an exact sweep."""
    if sweep == _EXACT:
        return None, None
    if sweep != _UNIT:
        return reader.take("<f8", m), reader.take("<f8", m)
    places = reader.take(_PLACE, m).astype(np.int64)
    lower = unit_lower()
    if m and ((places[1:] >= places[:-1]).any() or places[0] >= len(lower)):
        raise StateError("the bins are not in descending order, or beyond the last one")
    return lower[places], np.append(lower, np.inf)[places + 1]
