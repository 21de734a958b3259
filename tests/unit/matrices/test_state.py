"""The saved form of a confusion matrix, as a boundary that anybody's bytes may cross."""

import copy
import io
import pickle
import pickletools
from pathlib import Path

import numpy as np
import pytest

import confmat as cm

GOLDEN = Path(__file__).parents[2] / "state" / "v1"


def weighted(**options):
    y, p = ["a", "b", "a", "a", None], ["a", "a", "b", "a", "b"]
    return cm.confusion_matrix(y, p, sample_weight=[0.5, 1.25, 3.0, 2**-70, 1.0], **options)


MATRICES = {
    "ints": cm.ConfusionMatrix([[5, 1], [2, 9]]),
    "negative labels": cm.ConfusionMatrix([[2**62, 1], [0, 0]], labels=[2**63 - 1, -(2**63)]),
    "bools": cm.confusion_matrix([True, False, True], [True, True, True]),
    "texts": cm.ConfusionMatrix(np.arange(9).reshape(3, 3), labels=["", "a\0b", "漢字"]),
    "an empty text": cm.ConfusionMatrix([[5, 1], [2, 9]], labels=["a", ""], pos_label="a"),
    "floats": cm.ConfusionMatrix([[0.5, 1e-300], [0.0, 7.0]]),
    "one class": cm.ConfusionMatrix([[3]]),
    "no class": cm.confusion_matrix([None], [None]),
    "weights": weighted(),
    "integer weights": cm.confusion_matrix([7, 7, 9], [7, 9, 9], sample_weight=[2**40, 3, 0]),
    "other": cm.confusion_matrix([0, 1, 5], [0, 1, 1], labels=[0, 1], other="bucket"),
    "named": cm.confusion_matrix([0, 1, 1], [0, 1, 0], pos_label=1),
    "few of many": cm.confusion_matrix(range(40), [3] * 40),
}
each_matrix = pytest.mark.parametrize("m", MATRICES.values(), ids=MATRICES)


@each_matrix
def test_round_trip(m):
    back = cm.ConfusionMatrix.from_bytes(m.to_bytes())
    assert back == m
    assert cm.from_bytes(m.to_bytes()) == m
    assert back.to_bytes() == m.to_bytes()
    assert back.counts.dtype == m.counts.dtype
    assert [type(label) for label in back.labels] == [type(label) for label in m.labels]
    assert (back.n_dropped, back.n_other) == (m.n_dropped, m.n_other)
    assert back.pos_label == m.pos_label
    assert (back.weights_sq is None) == (m.weights_sq is None)
    assert not back.counts.flags.writeable


@each_matrix
def test_every_prefix_and_every_bit_flip_is_refused(m):
    data = bytearray(m.to_bytes())
    for end in range(len(data)):
        with pytest.raises(cm.StateError):
            cm.ConfusionMatrix.from_bytes(data[:end])
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            with pytest.raises(cm.StateError):
                cm.ConfusionMatrix.from_bytes(data)
            data[at] ^= 1 << bit


@each_matrix
def test_trailing_bytes_are_refused(m):
    for more in (b"\0", m.to_bytes()):
        with pytest.raises(cm.StateError, match="bytes, as the header says, found"):
            cm.ConfusionMatrix.from_bytes(m.to_bytes() + more)


@pytest.mark.parametrize("data", ["text", None, 5, b"", b"\x89", b"\x89PNG\r\n\x1a\n" + bytes(99)])
def test_foreign_values_are_refused(data):
    for read in (cm.ConfusionMatrix.from_bytes, cm.from_bytes):
        with pytest.raises(cm.StateError):
            read(data)


def test_what_else_is_saved_is_told():
    sweep = cm.sweep([0, 1], [0.1, 0.2])
    with pytest.raises(
        cm.StateError, match="these bytes are a saved sweep, not a saved confusion matrix"
    ):
        cm.ConfusionMatrix.from_bytes(sweep.to_bytes())
    with pytest.raises(cm.StateError, match="development version before the first release"):
        cm.from_bytes(b"\x89cfm\r\n\x1a\n" + bytes(99))
    newer = bytearray(MATRICES["ints"].to_bytes())
    newer[8] = 2
    with pytest.raises(cm.StateError, match="format version 2; this reads 1"):
        cm.from_bytes(newer)


def test_bytes_are_a_function_of_the_content():
    one = cm.ConfusionMatrix(np.array([[1, 2], [3, 4]], dtype=np.int8))
    two = cm.ConfusionMatrix(np.array([[1, 3], [2, 4]], dtype=">u8").T, labels=range(2))
    assert one.to_bytes() == two.to_bytes()
    assert cm.ConfusionMatrix([[-0.0]]).to_bytes() == cm.ConfusionMatrix([[0.0]]).to_bytes()


@each_matrix
def test_the_format_stays_readable(m):
    name = next(key for key, value in MATRICES.items() if value is m).replace(" ", "_")
    data = (GOLDEN / f"counts_{name}.bin").read_bytes()
    assert m.to_bytes() == data
    assert cm.from_bytes(data) == m


def test_smoothing_is_how_a_state_is_read():
    m = weighted(smoothing=0.5)
    assert m.to_bytes() == weighted().to_bytes()
    assert cm.from_bytes(m.to_bytes()) == m.smooth(0)
    assert pickle.loads(pickle.dumps(m)).smoothing == 0.5


@each_matrix
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_and_copy(m, protocol):
    assert pickle.loads(pickle.dumps(m, protocol)) == m
    assert copy.copy(m) == copy.deepcopy(m) == m


def test_a_pickle_names_one_function_of_ours():
    data = pickle.dumps(MATRICES["weights"], 4)
    strings = [arg for _, arg, _ in pickletools.genops(io.BytesIO(data)) if isinstance(arg, str)]
    assert strings == ["confmat.objects.matrix", "read_matrix"]


def test_many_states_are_one():
    m, s = MATRICES["other"], cm.sweep([0, 1], [0.1, 0.2])
    assert cm.merge([m, m.to_bytes(), m]) == m + m + m
    assert cm.merge(iter([m])) == m
    assert cm.merge([s, s.to_bytes()]) == s + s
    assert cm.merge([m.smooth(1), m.smooth(1)]).smoothing == 1
    for states, words in [
        ([], "nothing to merge"),
        ([m, s], "holds ConfusionMatrix and Sweep; wanted one kind"),
        ([m, None], "holds NoneType at position 1"),
        (m.to_bytes(), "`states` is bytes; wanted a list"),
        ([m, m.smooth(1)], "smoothing differs, 0.0 and 1"),
    ]:
        with pytest.raises(cm.InputError, match=words):
            cm.merge(states)
    with pytest.raises(cm.StateError):
        cm.merge([m, b"foreign"])
