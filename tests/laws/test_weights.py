"""A weight is a repetition of the row, and weight 0 is its removal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.value_names import ASKED

import confmat as cm

LABELS = [0, 1, 2]
ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=40
)


def counted(y, p, w=None, kind=np.int64):
    weight = None if w is None else np.asarray(w, kind)
    return cm.confusion_matrix(np.array(y, np.int64), np.array(p, np.int64), labels=LABELS,
                               sample_weight=weight)  # fmt: skip


def bits(m):
    return np.array(list(m.values(ASKED, pos_label=1).values())).tobytes()


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.float32, np.float64])
@given(rows=ROWS)
def test_weight_is_repetition(kind, rows):
    y, p, w = zip(*rows, strict=True)
    repeated = counted(np.repeat(y, w), np.repeat(p, w))
    weighted = counted(y, p, w, kind)
    assert np.array_equal(weighted.counts, repeated.counts)
    assert bits(weighted) == bits(repeated)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@given(rows=ROWS, scale=st.sampled_from([1, 0.1]))
def test_weight_zero_is_removal(kind, rows, scale):
    y, p, w = map(np.array, zip(*rows, strict=True))
    kept = w > 0
    w = w * scale if kind is np.float64 else w
    with_zeros, without = counted(y, p, w, kind), counted(y[kept], p[kept], w[kept], kind)
    assert with_zeros.counts.tobytes() == without.counts.tobytes()
    assert with_zeros.weights_sq.tobytes() == without.weights_sq.tobytes()
    assert bits(with_zeros) == bits(without)


@given(rows=ROWS)
def test_squares_of_weights_are_summed(rows):
    y, p, w = map(np.array, zip(*rows, strict=True))
    m = counted(y, p, w)
    wanted = np.zeros((3, 3))
    np.add.at(wanted, (y, p), w.astype(float) ** 2)
    assert np.array_equal(m.weights_sq, wanted)
    assert np.isclose(m.n_effective * (w.astype(float) ** 2).sum(), float(w.sum()) ** 2)


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), -0.5])
def test_a_weight_that_is_none_is_refused(bad):
    with pytest.raises(cm.InputError, match="row 2"):
        cm.confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=[1.0, 2.0, bad])
