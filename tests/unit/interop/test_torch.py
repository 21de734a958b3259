"""Tensors of PyTorch on the CPU. Run where PyTorch is, as in `.ci/long`."""

import numpy as np
import pytest

import confmat as cm

torch = pytest.importorskip("torch")
Y, P = np.array([0, 1, 2, 1, 0, 2] * 50), np.array([0, 1, 1, 1, 2, 2] * 50)
S = np.random.default_rng(3).random(300)


class OnlyDLPack:
    """A tensor without what NumPy alone asks for."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, **options):
        return self.tensor.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


@pytest.mark.parametrize("wrap", [lambda x: x, OnlyDLPack])
@pytest.mark.parametrize("kind", [torch.uint8, torch.int32, torch.int64])
def test_labels(wrap, kind):
    y, p = torch.tensor(Y, dtype=kind), torch.tensor(P, dtype=kind)
    assert cm.confusion_matrix(wrap(y), wrap(p)) == cm.confusion_matrix(Y, P)
    assert cm.confusion_matrix(wrap(y[::2]), wrap(p[::2])) == cm.confusion_matrix(Y[::2], P[::2])


@pytest.mark.parametrize("wrap", [lambda x: x, OnlyDLPack])
@pytest.mark.parametrize("kind", [torch.float16, torch.float32, torch.float64])
def test_scores(wrap, kind):
    s = torch.tensor(S, dtype=kind)
    assert cm.sweep(Y == 1, wrap(s)) == cm.sweep(Y == 1, s.numpy())


def test_probabilities_of_classes():
    proba = torch.softmax(torch.tensor(S.reshape(100, 3)), dim=1)
    assert cm.multiclass_sweep(Y[:100], proba).roc_auc == (
        cm.multiclass_sweep(Y[:100], proba.numpy()).roc_auc
    )


@pytest.mark.parametrize("wrap", [lambda x: x, OnlyDLPack])
def test_what_cannot_be_read_says_why(wrap):
    with pytest.raises(cm.InputError, match=r"`y_score`.*(detach|require)"):
        cm.sweep(Y == 1, wrap(torch.tensor(S, requires_grad=True)))
    with pytest.raises(cm.InputError, match="`y_score`"):
        cm.sweep(Y == 1, wrap(torch.tensor(S, dtype=torch.bfloat16)))
