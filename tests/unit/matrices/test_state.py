"""The saved form of a confusion matrix: of its content alone, and read with a smoothing."""

import io
import pickle
import pickletools
from itertools import product

import numpy as np
import pytest
from support.kept_states import COUNTS

import confmat as cm


def test_bytes_are_a_function_of_the_content():
    one = cm.ConfusionMatrix(np.array([[1, 2], [3, 4]], dtype=np.int8))
    two = cm.ConfusionMatrix(np.array([[1, 3], [2, 4]], dtype=">u8").T, labels=range(2))
    assert one.to_bytes() == two.to_bytes()
    assert cm.ConfusionMatrix([[-0.0]]).to_bytes() == cm.ConfusionMatrix([[0.0]]).to_bytes()


def test_smoothing_is_how_a_state_is_read():
    m = COUNTS["weights"].smooth(0.5)
    assert m.to_bytes() == COUNTS["weights"].to_bytes()
    assert cm.from_bytes(m.to_bytes()) == m.smooth(0)
    assert pickle.loads(pickle.dumps(m)).smoothing == 0.5


def test_a_pickle_names_one_function_of_ours():
    data = pickle.dumps(COUNTS["weights"], 4)
    strings = [arg for _, arg, _ in pickletools.genops(io.BytesIO(data)) if isinstance(arg, str)]
    assert strings == ["confmat.objects.matrix", "read_matrix"]


def test_many_states_are_one():
    m, s = COUNTS["other"], cm.sweep([0, 1], [0.1, 0.2])
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


def told(compute):
    try:
        return compute().to_bytes()
    except cm.InputError as error:
        return str(error)


def test_many_are_merged_as_one_after_the_other():
    few = [
        cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1, 2]),
        cm.confusion_matrix([0, 1], [0, 1]),
        cm.confusion_matrix([0, 1], [0, 1], pos_label=0),
        cm.confusion_matrix([7], [7]),
        cm.confusion_matrix([0, 1], [1, 1], sample_weight=[0.5, 0.25]),
    ]
    for one, other, last in product(few, repeat=3):
        wanted = told(lambda: (one + other) + last)  # noqa: B023
        assert told(lambda: cm.merge([one, other, last])) == wanted  # noqa: B023
