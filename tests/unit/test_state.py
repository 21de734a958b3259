"""The saved form of a confusion matrix, as a boundary that anybody's bytes may cross."""

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
from confmat.matrices import saved as state

HEAD = struct.Struct("<8sHBBBBBBQQQQQd")


def weighted():
    y, p = ["a", "b", "a", None], ["a", "a", "b", "b"]
    return cm.confusion_matrix(y, p, sample_weight=[0.5, 1.25, 3.0, 1.0], smoothing=0.5)


MATRICES = {
    "ints": cm.ConfusionMatrix([[5, 1], [2, 9]]),
    "negative labels": cm.ConfusionMatrix([[2**62, 1], [0, 0]], labels=[2**63 - 1, -(2**63)]),
    "bools": cm.ConfusionMatrix([[5, 1], [2, 9]], labels=[True, False]),
    "texts": cm.ConfusionMatrix(np.arange(9).reshape(3, 3), labels=["", "a\0b", "漢字"]),
    "an empty text": cm.ConfusionMatrix([[5, 1], [2, 9]], labels=["a", ""]),
    "floats": cm.ConfusionMatrix([[0.5, 1e-300], [0.0, 7.0]]),
    "one class": cm.ConfusionMatrix([[3]]),
    "weights": weighted(),
    "other": cm.confusion_matrix([0, 1, 5], [0, 1, 1], labels=[0, 1], other="bucket"),
}
each_matrix = pytest.mark.parametrize("m", MATRICES.values(), ids=MATRICES)


def forged(m, at=None, value=None, **fields):
    """Return the bytes of `m` with header fields or a byte changed and the checksum mended."""
    data = bytearray(m.to_bytes())
    names = "magic version labels_of cells_of squared z1 z2 z3 total k size dropped other alpha"
    head = dict(zip(names.split(), HEAD.unpack_from(data), strict=True)) | fields
    HEAD.pack_into(data, 0, *head.values())
    if at is not None:
        data[at : at + len(value)] = value
    data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
    return bytes(data)


@each_matrix
def test_round_trip(m):
    back = cm.ConfusionMatrix.from_bytes(m.to_bytes())
    assert back == m
    assert back.to_bytes() == m.to_bytes()
    assert back.counts.dtype == m.counts.dtype
    assert [type(label) for label in back.labels] == [type(label) for label in m.labels]
    assert (back.n_dropped, back.n_other, back.smoothing) == (m.n_dropped, m.n_other, m.smoothing)
    assert (back.weights_sq is None) == (m.weights_sq is None)
    assert not back.counts.flags.writeable


@each_matrix
def test_every_prefix_is_refused(m):
    data = m.to_bytes()
    for end in range(len(data)):
        with pytest.raises(cm.StateError):
            cm.ConfusionMatrix.from_bytes(data[:end])


@each_matrix
def test_every_bit_flip_is_refused(m):
    data = bytearray(m.to_bytes())
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            with pytest.raises(cm.StateError):
                cm.ConfusionMatrix.from_bytes(bytes(data))
            data[at] ^= 1 << bit


@each_matrix
def test_trailing_bytes_are_refused(m):
    for more in (b"\0", m.to_bytes()):
        with pytest.raises(cm.StateError, match="bytes"):
            cm.ConfusionMatrix.from_bytes(m.to_bytes() + more)


def test_random_changes_with_a_valid_checksum_never_escape():
    rng = random.Random(7)
    for m in MATRICES.values():
        for _ in range(2_000):
            data = bytearray(m.to_bytes())
            for _ in range(rng.choice((1, 1, 2, 8))):
                data[rng.randrange(8, len(data))] = rng.choice((0, 1, 127, 128, 255))
            data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))
            try:
                back = cm.ConfusionMatrix.from_bytes(bytes(data))
            except cm.StateError:
                continue
            assert back.to_bytes() == bytes(data)
            assert (back.counts >= 0).all()
            assert len(set(back.labels)) == len(back.labels)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"version": 2}, "newer confmat"),
        ({"version": 0}, "format version 0"),
        ({"labels_of": 3}, "unknown kinds"),
        ({"cells_of": 2}, "unknown kinds"),
        ({"squared": 2}, "unknown kinds"),
        ({"z2": 9}, "positive class is none of the labels"),
        ({"total": 2**63}, "wanted 9223372036854775808 bytes"),
        ({"k": 2**32}, "sizes do not fit"),
        ({"k": 3}, "sizes do not fit"),
        ({"k": 0}, "sizes do not fit"),
        ({"size": 2**64 - 1}, "sizes do not fit"),
        ({"squared": 1}, "sizes do not fit"),
        ({"dropped": 2**63}, "out of range"),
        ({"other": 2**64 - 1}, "out of range"),
        ({"alpha": -1.0}, "out of range"),
        ({"alpha": float("nan")}, "out of range"),
        ({"alpha": float("inf")}, "out of range"),
        ({"labels_of": 2}, "last label"),
        ({"labels_of": 1}, "labels do not fit"),
        ({"at": HEAD.size + 8, "value": bytes(8)}, "0 twice"),
        ({"at": HEAD.size + 16, "value": struct.pack("<q", -1)}, "non-negative"),
        ({"at": HEAD.size + 16, "value": struct.pack("<q", 2**63 - 1)}, "beyond 64-bit"),
        ({"cells_of": 1, "at": HEAD.size + 16, "value": struct.pack("<d", -0.5)}, "non-negative"),
        ({"cells_of": 1, "at": HEAD.size + 16, "value": struct.pack("<d", np.nan)}, "finite"),
        ({"cells_of": 1, "at": HEAD.size + 16, "value": struct.pack("<d", np.inf)}, "finite"),
    ],
)
def test_impossible_contents_are_refused(fields, words):
    with pytest.raises(cm.StateError, match=words):
        cm.ConfusionMatrix.from_bytes(forged(MATRICES["ints"], **fields))


@pytest.mark.parametrize(
    ("name", "at", "value", "words"),
    [
        ("texts", HEAD.size, struct.pack("<I", 2**32 - 1), "longer than the bytes"),
        ("texts", HEAD.size + 8, b"\xff", "UTF-8"),
        ("texts", HEAD.size, struct.pack("<I", 1), "label"),
        ("bools", HEAD.size, b"\x02", "neither 0 nor 1"),
        ("bools", HEAD.size, b"\x00", "twice"),
        ("weights", -4 - 8, struct.pack("<d", -1.0), "squared weights"),
        ("weights", -4 - 8, struct.pack("<d", np.nan), "squared weights"),
        ("weights", -4 - 8, struct.pack("<Q", 0x7FF0000000000001), "squared weights"),
        ("floats", -4 - 8, struct.pack("<Q", 0x7FF0000000000001), "finite"),
        ("floats", -4 - 16, struct.pack("<d", -0.0), "not written as"),
    ],
)
def test_impossible_parts_are_refused(name, at, value, words):
    m = MATRICES[name]
    at = at if at >= 0 else len(m.to_bytes()) + at
    with pytest.raises(cm.StateError, match=words):
        cm.ConfusionMatrix.from_bytes(forged(m, at=at, value=value))


@pytest.mark.parametrize("data", ["text", None, 5, b"", b"\x89", b"\x89PNG\r\n\x1a\n" + bytes(99)])
def test_foreign_values_are_refused(data):
    with pytest.raises(cm.StateError):
        cm.ConfusionMatrix.from_bytes(data)


def test_bytes_are_a_function_of_the_content():
    one = cm.ConfusionMatrix(np.array([[1, 2], [3, 4]], dtype=np.int8))
    two = cm.ConfusionMatrix(np.array([[1, 3], [2, 4]], dtype=">u8").T, labels=range(2))
    assert one.to_bytes() == two.to_bytes()
    assert cm.ConfusionMatrix([[-0.0, 1.5]] * 2) == cm.ConfusionMatrix([[0.0, 1.5]] * 2)
    assert cm.ConfusionMatrix([[-0.0]]).to_bytes() == cm.ConfusionMatrix([[0.0]]).to_bytes()


def test_the_format_stays_readable():
    golden = """
        8963666d0d0a1a0a 0100 00 00 00 000000 7400000000000000
        0200000000000000 1000000000000000 0000000000000000 0000000000000000 0000000000000000
        0000000000000000 0100000000000000
        0500000000000000 0100000000000000 0200000000000000 0900000000000000 54fdb4f3
    """
    data = bytes.fromhex(golden)
    assert cm.ConfusionMatrix([[5, 1], [2, 9]]).to_bytes() == data
    assert cm.ConfusionMatrix.from_bytes(data) == cm.ConfusionMatrix([[5, 1], [2, 9]])


def test_other_buffers_are_read():
    m = MATRICES["texts"]
    for kind in (bytearray, memoryview):
        assert cm.ConfusionMatrix.from_bytes(kind(m.to_bytes())) == m


@each_matrix
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_and_copy(m, protocol):
    assert pickle.loads(pickle.dumps(m, protocol)) == m
    assert copy.copy(m) == copy.deepcopy(m) == m


def test_a_pickle_names_one_function_and_one_class_of_ours():
    data = pickle.dumps(MATRICES["weights"], 4)
    strings = [arg for _, arg, _ in pickletools.genops(io.BytesIO(data)) if isinstance(arg, str)]
    assert strings[:2] == ["confmat.objects.base", "restored"]
    assert strings[2:] == ["confmat.objects.matrix", "ConfusionMatrix"]


def test_decode_reads_k_zero_as_written():
    empty = state.State(np.zeros((0, 0), dtype=np.int64), [], None, 3, 0, 0.0)
    back = state.decode(state.encode(empty))
    assert back.labels == []
    assert back.n_dropped == 3
