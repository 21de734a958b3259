"""Objects that share memory through DLPack alone, as tensors do."""

import numpy as np
import pytest

import confmat as cm


class Tensor:
    """What has nothing but DLPack."""

    def __init__(self, values, device=1):
        self.values, self.device = np.asarray(values), device

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device, 0


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.float32])
def test_the_same_as_of_the_array(kind):
    y, p = np.array([0, 1, 1, 0], kind), np.array([0, 1, 0, 0], kind)
    if kind == np.float32:
        assert cm.sweep(Tensor(np.array([0, 1, 1, 0])), Tensor(p)) == cm.sweep([0, 1, 1, 0], p)
    else:
        assert cm.confusion_matrix(Tensor(y), Tensor(p)) == cm.confusion_matrix(y, p)
        assert cm.mcc(Tensor(y), p) == cm.mcc(y, p)


def test_strides_and_single_columns():
    y = np.arange(12, dtype=np.int32).reshape(6, 2) % 2
    assert cm.confusion_matrix(Tensor(y[:, 0]), Tensor(y[:, :1])) == cm.confusion_matrix(
        y[:, 0], y[:, 0]
    )


def test_memory_of_a_gpu_is_refused():
    with pytest.raises(cm.InputError, match=r"`y_pred` of type Tensor lies on a device of kind 2"):
        cm.confusion_matrix([0, 1], Tensor([0, 1], device=2))
