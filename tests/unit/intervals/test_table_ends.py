"""Tables of numbers say why an interval is missing, as `ci` of the object does."""

import math

import numpy as np
import pytest

import confmat as cm


def objects():
    rng = np.random.default_rng(0)
    y, scores = rng.integers(0, 3, 60), rng.random((60, 3))
    k = cm.multiclass_sweep(y, scores / scores.sum(axis=1, keepdims=True))
    sets = rng.random((60, 3)) < 0.5
    s = cm.multilabel_sweep(sets, scores)
    two = cm.sweep(y > 0, scores[:, 0])
    return {
        "matrix": cm.ConfusionMatrix([[8, 2], [1, 9]]),
        "sweep": two.at_prevalence(0.2),
        "sweep that was saved": cm.from_bytes(two.at_prevalence(0.2).to_bytes()),
        "classes": k,
        "classes in bins": k.to_state(),
        "sets": cm.multilabel(sets, scores > 0.5),
        "set scores": s,
        "set scores in bins": s.to_state(),
    }


@pytest.mark.parametrize("kind", list(objects()))
def test_every_number_has_an_interval_or_a_reason(kind):
    of = objects()[kind]
    plain = of.overall()
    table = of.overall(ci=0.9)
    assert table.columns == ["metric", "value", "low", "high", "reason"]
    assert table.select("metric", "value").equals(plain.select("metric", "value"))
    missing = table["low"].is_null()
    assert (table["reason"].is_not_null() >= missing).all()
    was_told = plain["reason"].is_not_null()
    assert table["reason"].filter(was_told).equals(plain["reason"].filter(was_told))
    for name, why in table.filter(missing & ~was_told).select("metric", "reason").rows():
        assert why.startswith("no interval: ")
        if kind.startswith("classes") and name.endswith("_ece"):  # which never has one
            with pytest.raises(cm.InputError, match=why.removeprefix("no interval: ")):
                of.ci(name, 0.9)
        elif "drawn again" not in why:
            found = of.ci(name, 0.9)
            assert math.isnan(found.low)
            assert found.method == why.replace("no interval: ", "none: ")


def test_which_reasons_there_are():
    of = objects()
    told = {kind: dict(of[kind].overall(ci=0.9).select("metric", "reason").rows()) for kind in of}
    flat = "no interval: the gradient is 0 here, or there is none"
    assert told["matrix"]["entropy_true"] == flat
    saved = told["sweep that was saved"]
    assert saved["roc_auc"] == "no interval: the squared weights are not known"
    drawn = "no interval: that of average_precision_macro takes rows drawn again"
    assert told["classes"]["average_precision_macro"].startswith(drawn)
    assert told["classes in bins"]["average_precision_macro"] is None
    assert told["classes in bins"]["log_loss"] == "no interval: bins do not keep the rows"
    assert set(told["sets"].values()) == {None}
    assert set(told["set scores"].values()) == {None}
    pooled = "no interval: how the labels of a row go together is not kept"
    assert told["set scores in bins"]["roc_auc_micro"].startswith(pooled)


def test_what_takes_long_to_draw_is_drawn_where_it_is_named():
    sweep = cm.sweep([0, 1, 0, 1] * 9, [0.2, 0.7, 0.4, 0.3] * 9)
    told = dict(sweep.overall(ci=0.9).select("metric", "reason").rows())
    slow = [name for name, why in told.items() if why is not None and "drawn again" in why]
    assert slow == ["smooth_ece"]
    assert told["smooth_ece"].endswith("name it in `metrics`")
    found = sweep.overall(["smooth_ece"], ci=0.9, seed=0)
    assert found.select("low", "high").row(0) == tuple(sweep.ci("smooth_ece", 0.9, seed=0))[1:3]
