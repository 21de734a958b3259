"""Scores for label sets as states: the numbers of the rows, and what does not merge."""

import numpy as np
import pytest
from support.kept_states import set_rows

import confmat as cm


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bins", [None, "unit"])
def test_numbers_are_those_of_the_rows(weighted, bins):
    truth, scores = set_rows(8, 500)
    scores = np.round(scores * 64) / 64  # a score a bin
    w = np.random.default_rng(1).random(500) if weighted else None
    s = cm.multilabel_sweep(truth, scores, sample_weight=w)
    parts = [
        cm.multilabel_sweep(
            truth[at::3], scores[at::3], sample_weight=None if w is None else w[at::3]
        ).to_state(bins)
        for at in range(3)
    ]
    merged = cm.merge(parts)
    for name, value in s.overall().select("metric", "value").rows():
        assert merged[name] == pytest.approx(value, rel=1e-13), name
        assert merged.n_used(name) == s.n_used(name)
    assert merged.value("ks", "weighted") == pytest.approx(s.value("ks", "weighted"))
    for label in s.labels:
        assert merged.label(label).roc_auc == pytest.approx(s.label(label).roc_auc, rel=1e-13)
        assert type(merged.label(label)) is (cm.Sweep if bins is None else cm.BinnedSweep)
    assert merged.plot.roc()


def test_what_cannot_be():
    s = cm.multilabel_sweep(*set_rows(1, 20))
    for call in (s.to_bytes, lambda: s + s):
        with pytest.raises(cm.StateError, match=r"s\.to_state\(\) keeps a sweep of each label"):
            call()
    for bins in ([0.0, 0.5, 1.0], 100, "fine", True):
        with pytest.raises(cm.InputError, match="`bins`"):
            s.to_state(bins)
    one = s.to_state(64)
    assert not hasattr(one, "at")
    for other, message in (
        (s.to_state(128), "64 bins|128"),
        (s.to_state(None), "an exact sweep"),
        (cm.multilabel_sweep(*set_rows(1, 20), labels=["a", "b", "c"]).to_state(64), "labels"),
        (cm.multilabel_sweep(*set_rows(1, 20, dtype=np.float32)).to_state(64), "float"),
    ):
        with pytest.raises(cm.InputError, match=message):
            one + other
    with pytest.raises(cm.InputError, match="cannot subtract"):
        one - (one + one)
    assert (one - one).reason("coverage_error") == "there are no rows"
    with pytest.raises(TypeError, match=r"s\.to_state\(\)"):
        cm.BinnedMultilabelSweep()
