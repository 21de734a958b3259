"""Words for values: every scale at and around its limits, and what has none."""

import math

import pytest

import confmat as cm
from confmat.matrices.interpretation import SCALES
from confmat.registry import find


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: f"{scale.metric} {scale.name}")
def test_scales(scale):
    assert len(scale.words) == len(scale.limits) + 1 == len(set(scale.words))
    assert list(scale.limits) == sorted(scale.limits)
    for limit, below, above in zip(scale.limits, scale.words, scale.words[1:], strict=False):
        assert scale.word(limit) == above
        assert scale.word(math.nextafter(limit, -math.inf)) == below
    assert scale.word(math.nan) is None
    assert scale.source
    assert find(scale.metric)["name"] == scale.metric


def test_metrics_of_the_matrix_by_default():
    m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    found = m.interpretation()
    assert set(found["metric"]) == {s.metric for s in SCALES if find(s.metric)["level"] != "class"}
    for metric, value in found.select("metric", "value").rows():
        assert value == m.value(metric)
    assert found.equals(m.interpretation(found["metric"].unique(maintain_order=True).to_list()))


def test_metrics_of_a_class():
    m = cm.ConfusionMatrix([[190, 10], [20, 180]])
    found = m.interpretation(["plr", "Q"])
    assert found.select("metric", "word").rows() == [("lr_positive", "good"), ("yule_q", "strong")]
    other = m.interpretation("lr_positive", pos_label=0)
    assert other["value"].item() == m.value("lr_positive", pos_label=0)


def test_undefined_values_have_no_word():
    found = cm.ConfusionMatrix([[3, 0], [0, 0]]).interpretation("kappa")
    assert found["value"].null_count() == found["word"].null_count() == 4


def test_refused():
    m = cm.ConfusionMatrix([[3, 1], [0, 2]])
    with pytest.raises(cm.InputError, match="'accuracy', which has no scale; wanted some of kappa"):
        m.interpretation(["kappa", "acc"])
    with pytest.raises(cm.InputError, match="did you mean kappa"):
        m.interpretation("kapa")
    with pytest.raises(cm.InputError, match="`metrics` has int 3 at position 0"):
        m.interpretation([3])
