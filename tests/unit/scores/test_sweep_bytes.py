"""The saved form of a sweep, as a boundary that anybody's bytes may cross."""

import copy
import io
import pickle
import pickletools
import random
import struct
import zlib

import numpy as np
import pytest

import confmat as cm

HEAD = struct.Struct("<8sHBBBBBBQQQQQQ")
NAMES = "magic version sweep scores counts labels_of k several total m size bins dropped nan"

Y, SCORES = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, -0.0]
SWEEPS = {
    "exact": cm.sweep(Y, SCORES),
    "float32": cm.sweep(Y, np.array(SCORES, dtype=np.float32)),
    "weights": cm.sweep(Y, SCORES, sample_weight=[0.5, 1.25, 3.0, 1.0, 1e-300]),
    "big counts": cm.sweep(Y, SCORES, sample_weight=[2**33, 1, 2, 3, 4]),
    "bools": cm.sweep([False, True], [1.0, np.inf]),
    "texts": cm.sweep(["", "漢\0字"], [-np.inf, 0.0], pos_label="漢\0字"),
    "no negative": cm.sweep(["yes"], [0.5], pos_label="yes"),
    "dropped": cm.sweep([1, None, 0], [np.nan, 0.5, 0.1], nan="drop"),
    "empty": cm.sweep(np.zeros(0, dtype=np.int64), np.zeros(0)),
    "power": cm.sweep(Y, SCORES, bins=1024),
    "half": cm.sweep(Y, np.array(SCORES, dtype=np.float16), bins=65536),
    "unit": cm.sweep(Y, SCORES, bins="unit"),
    "unit, several": cm.sweep([*Y, 1], [*SCORES, 0.8000001], bins="unit"),
    "half, several": cm.sweep(Y, [*SCORES[:4], 0.10001], bins="float16"),
    "power, several": cm.sweep([*Y, 1], [*SCORES, 0.8001], bins=1024),
    "edges": cm.sweep(Y, SCORES, bins=[-1.0, 0.0, 0.2, 0.5, 0.7, 1.0]),
    "every bin": cm.sweep([0, 1], [-1.0, 1.0], bins=2),
    "many rows left out": cm.sweep([None] * 300, [0.5] * 300),
    "edges, weights": cm.sweep(Y, SCORES, bins=[-1, 1], sample_weight=[0.5, 1, 2, 3, 4]),
}
each_sweep = pytest.mark.parametrize("s", SWEEPS.values(), ids=SWEEPS)


def forged(s, at=None, value=None, **fields):
    """Return the bytes of `s` with header fields or bytes changed and the checksum mended."""
    data = bytearray(s.to_bytes())
    head = dict(zip(NAMES.split(), HEAD.unpack_from(data), strict=True)) | fields
    HEAD.pack_into(data, 0, *head.values())
    if at is not None:
        at = at if at >= 0 else len(data) - 4 + at
        data[at : at + len(value)] = value
    data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
    return bytes(data)


@each_sweep
def test_round_trip(s):
    back = type(s).from_bytes(s.to_bytes())
    assert back == s
    assert hash(back) == hash(s)
    assert back.to_bytes() == s.to_bytes()
    assert back._at.dtype == s._at.dtype
    assert back.labels == s.labels
    assert [type(label) for label in back.labels] == [type(label) for label in s.labels]
    assert (back.n_dropped, back.n_nan, back.n) == (s.n_dropped, s.n_nan, s.n)
    assert not back.positives.flags.writeable
    assert not back.tp.flags.writeable


@each_sweep
def test_pickle_and_copy(s):
    data = pickle.dumps(s)
    assert pickle.loads(data) == s
    assert copy.copy(s) is copy.deepcopy(s) is s
    found = io.StringIO()
    pickletools.dis(data, found)
    assert "sweep" in found.getvalue()


@each_sweep
def test_every_prefix_is_refused(s):
    data = s.to_bytes()
    for end in range(len(data)):
        with pytest.raises(cm.StateError):
            type(s).from_bytes(data[:end])


@each_sweep
def test_every_bit_flip_is_refused(s):
    data = bytearray(s.to_bytes())
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            with pytest.raises(cm.StateError):
                type(s).from_bytes(bytes(data))
            data[at] ^= 1 << bit


def test_random_changes_with_a_valid_checksum_never_escape():
    rng = random.Random(7)
    escaped = 0
    for s in SWEEPS.values():
        for _ in range(1_000):
            data = bytearray(s.to_bytes())
            for _ in range(rng.choice((1, 1, 2, 8))):
                data[rng.randrange(8, len(data))] = rng.choice((0, 1, 127, 128, 255))
            data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
            try:
                back = type(s).from_bytes(bytes(data))
            except cm.StateError:
                continue
            escaped += 1
            assert back.to_bytes() == bytes(data)
            assert (np.diff(back._at.astype(np.float64)) < 0).all()
            assert back.n >= 0
    assert escaped > 100


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("exact", {"version": 2}, "newer confmat"),
        ("exact", {"version": 0}, "format version 0"),
        ("exact", {"sweep": 5}, "unknown kinds"),
        ("exact", {"scores": 3}, "unknown kinds"),
        ("exact", {"counts": 3}, "unknown kinds"),
        ("exact", {"labels_of": 3}, "unknown kinds"),
        ("exact", {"k": 3}, "unknown kinds"),
        ("exact", {"several": 2}, "unknown kinds"),
        ("exact", {"several": 1}, "scores are missing"),
        ("power", {"several": 1}, "sizes do not fit"),
        ("power, several", {"several": 0}, "sizes do not fit"),
        ("half", {"bins": 16}, "no number of bins"),
        ("power", {"sweep": 3, "bins": 0}, "begin at one float16"),
        ("exact", {"total": 2**63}, "wanted 9223372036854775808 bytes"),
        ("exact", {"m": 2**61}, "sizes do not fit"),
        ("exact", {"m": 4}, "sizes do not fit"),
        ("exact", {"size": 2**64 - 1}, "sizes do not fit"),
        ("exact", {"bins": 8}, "no number of bins"),
        ("exact", {"dropped": 2**63}, "out of range"),
        ("exact", {"nan": 2**63}, "out of range"),
        ("exact", {"k": 1}, "labels do not fit 1 classes"),
        ("power", {"bins": 1000}, "1000 bins; wanted a power of two"),
        ("unit", {"bins": 2}, 'version 2 of the bins "unit"; this reads 1'),
        ("unit", {"sweep": 3, "bins": 0}, "sizes do not fit"),
        ("power", {"bins": 2}, "bins of 2 are not empty"),
        ("edges", {"bins": 2**60}, "sizes do not fit"),
        ("edges", {"sweep": 1}, "sizes do not fit"),
    ],
)
def test_forged_headers(name, fields, words):
    with pytest.raises(cm.StateError, match=words):
        type(SWEEPS[name]).from_bytes(forged(SWEEPS[name], **fields))


def float64(*values):
    return struct.pack(f"<{len(values)}d", *values)


@pytest.mark.parametrize(
    ("name", "at", "value", "words"),
    [
        ("exact", HEAD.size, struct.pack("<2q", 1, 1), "holds 1 twice"),
        ("exact", HEAD.size + 16, float64(0.1), "descending order"),
        ("exact", HEAD.size + 16, float64(float("nan")), "descending order"),
        ("exact", HEAD.size + 48, float64(-0.0), "descending order"),
        ("weights", -8, float64(-1.0), "negative or not finite"),
        ("weights", -8, float64(-0.0), "negative or not finite"),
        ("weights", -8, float64(float("inf")), "negative or not finite"),
        ("weights", -16, float64(1.7e308, 1.7e308), "beyond the range"),
        ("big counts", -8, struct.pack("<Q", 2**63), "beyond the range"),
        ("big counts", -16, bytes(8), "wider than they need"),
        ("edges", HEAD.size + 16, float64(0.5), "wanted increasing"),
        ("edges", HEAD.size + 24, float64(-0.0), "negative zero"),
        ("edges", HEAD.size + 64, float64(0.71), "does not begin at one of the edges"),
        ("edges", HEAD.size + 88, float64(2.0), "does not end at the next edge"),
        ("power, several", HEAD.size + 16, float64(1e9), "overlap"),
        ("power", HEAD.size + 16, float64(1e9), "not in its bin"),
        ("power", HEAD.size + 48, float64(-0.0), "descending order"),
        ("half", HEAD.size + 16, struct.pack("<f", 0.9), "no float16"),
        ("half", HEAD.size + 16, struct.pack("<f", 0.90625), "not in its bin"),
        ("half", HEAD.size + 16, struct.pack("<f", float("nan")), "descending order"),
        ("half", HEAD.size + 36, float64(0.79), "begin at one float16"),
        ("half", HEAD.size + 76, float64(0.81), "begin at one float16"),
        ("power", HEAD.size + 16 + 8 * len(SWEEPS["power"]), float64(float("nan")), "not numbers"),
    ],
)
def test_forged_arrays(name, at, value, words):
    with pytest.raises(cm.StateError, match=words):
        type(SWEEPS[name]).from_bytes(forged(SWEEPS[name], at, value))


def test_other_bytes_are_refused():
    matrix = cm.ConfusionMatrix([[1, 2], [3, 4]]).to_bytes()
    for data, words in (
        (matrix, "not a saved sweep"),
        (b"", "not a saved sweep"),
        ("text", "bytes, not str"),
        (SWEEPS["exact"].to_bytes()[:20], "cut short"),
        (SWEEPS["exact"].to_bytes() + b"\0", "wanted"),
        (SWEEPS["power"].to_bytes(), "BinnedSweep.from_bytes reads it"),
    ):
        with pytest.raises(cm.StateError, match=words):
            cm.Sweep.from_bytes(data)
    with pytest.raises(cm.StateError, match=r"Sweep.from_bytes reads it"):
        cm.BinnedSweep.from_bytes(SWEEPS["exact"].to_bytes())
    assert cm.Sweep.from_bytes(memoryview(SWEEPS["exact"].to_bytes())) == SWEEPS["exact"]


def test_golden_bytes():
    """The format of version 1, byte for byte: what was written must be readable for ever."""
    s = cm.sweep([0, 1], np.array([0.5, 0.25], dtype=np.float32))
    data = bytes.fromhex(
        "896366730d0a1a0a" "0100" "00" "00" "00" "00" "02" "00"
        "6c00000000000000" "0200000000000000" "1000000000000000"
        "0000000000000000" "0000000000000000" "0000000000000000"
        "0000000000000000" "0100000000000000"
        "0000003f" "0000803e" "00000000" "01000000" "01000000" "00000000"
    )  # fmt: skip
    assert s.to_bytes() == data + struct.pack("<I", zlib.crc32(data))
