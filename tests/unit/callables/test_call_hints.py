"""Calls that do not fit, and what they lead to."""

import re

import numpy as np
import polars as pl
import pytest

import confmat as cm


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cm.f1([0], [0], averages=1), r"^f1\(\) got an unexpected keyword .*'averages'"),
        (lambda: cm.mcc([0]), r"^mcc\(\) missing 1 required positional argument: 'y_pred'"),
        (lambda: cm.roc_auc([0], [0], 1), r"^roc_auc\(\) takes 2 positional arguments"),
        (lambda: pl.col("y").cm.fbeta("p", gamma=1), r"^fbeta\(\) got .*'gamma'"),
        (lambda: LOG.cm.evaluate(gamma=1), r"^evaluate\(\) got .*'gamma'$"),
        (lambda: LOG.lazy().cm.evaluate(1, 2, 3, 4), r"^evaluate\(\) takes from 1 to 4 pos"),
        (lambda: cm.sweep([0, 1], [0, 1]).at(), r"^at\(\) missing 1 .*'threshold'$"),
        (lambda: pl.col("y").cm.ece("p", 4), r"^ece\(\) takes from 1 to 2 pos"),
    ],
)
def test_a_call_that_does_not_fit_is_named(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda **more: cm.f1([0, 1], [0, 1], **more), "f1()"),
        (lambda **more: cm.sweep([0, 1], [0, 1], **more), "sweep()"),
        (lambda **more: cm.confusion_matrix([0, 1], [0, 1], **more), "confusion_matrix()"),
        (lambda **more: cm.metrics("y", "p", **more), "metrics()"),
        (lambda **more: pl.col("y").cm.f1("p", **more), "f1()"),
        (lambda **more: pl.col("y").cm.roc_auc("p", **more), "roc_auc()"),
        (lambda **more: pl.col("y").cm.metrics("p", **more), "metrics()"),
    ],
)
def test_an_argument_of_another_name_leads_to_its_own(call, named):
    wanted = "; did you mean `sample_weight`?"
    for name in ("weights", "weight", "sample_weigth"):
        with pytest.raises(TypeError) as caught:
            call(**{name: [1, 1]})
        told = f"{named} got an unexpected keyword argument {name!r}{wanted}"
        assert str(caught.value) == told
    call(sample_weight=[1, 1] if named[0] in "sc" or named == "f1()" else "w")
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'zzz'$"):
        call(zzz=1)


LOG = pl.DataFrame({"y_true": [0, 1, 1], "y_pred": [0, 1, 0], "k": ["a", "b", "b"]})


@pytest.mark.parametrize(
    "call",
    [
        lambda **more: cm.evaluate(LOG, **more),
        LOG.cm.evaluate,
        LOG.lazy().cm.evaluate,
        lambda **more: cm.partial(LOG, **more),
        lambda **more: cm.compare(LOG, "y_true", ["y_true", "y_pred"], **more),
    ],
    ids=["evaluate", "frame", "query", "partial", "compare"],
)
def test_what_others_group_by_is_by(call):
    for name in ("group_by", "groupby", "groups", "keys"):
        with pytest.raises(TypeError, match=rf"{name!r}; did you mean `by`\?$"):
            call(**{name: "k"})
    assert call(by="k") is not None


def test_what_others_call_a_level_is_ci():
    m = cm.confusion_matrix([0, 1, 1], [0, 1, 0])
    for name in ("confidence", "confidence_level", "level"):
        for call in (m.overall, m.per_class, lambda **more: cm.evaluate(LOG, **more)):
            with pytest.raises(TypeError, match=rf"{name!r}; did you mean `ci`\?$"):
                call(**{name: 0.9})
    assert m.overall(ci=0.9) is not None
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'confidence'$"):
        cm.f1([0], [0], confidence=0.9)


def test_what_others_call_zero_division_is_undefined():
    with pytest.raises(TypeError, match=r"'zero_division'; did you mean `undefined`\?$"):
        cm.f1([0, 0], [0, 0], zero_division=0)
    assert cm.f1([0, 0], [0, 0], undefined=0.0) == 0
    m = cm.confusion_matrix([0, 0], [0, 0], labels=[0, 1])
    for call in (m.value, m.ci, m.reason, m.explain):
        told = r"`f1` has no parameter `zero_division`; `undefined` of `value`, `values` and tables"
        with pytest.raises(cm.InputError, match=told):
            call("f1", zero_division=0)
    assert m.value("f1", undefined=0.0) == m.values(["f1"], undefined=0.0)["f1"] == 0
    assert m.overall(["f1"], undefined=0.0)["value"].item() == 0


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("normalize", "; `normalize({!r})` of the matrix has shares"),
        ("y_score", "; scores are for cm.sweep(y_true, y_score)"),
    ],
)
def test_what_a_matrix_is_not_made_of(name, meant):
    for value in ("true", "pred", "all"):
        with pytest.raises(TypeError) as caught:
            cm.confusion_matrix([0, 1], [0, 1], **{name: value})
        told = f"unexpected keyword argument {name!r}{meant.format(value)}"
        assert str(caught.value).endswith(told)
        cm.confusion_matrix([0, 1], [0, 1]).normalize(value)
    if name == "normalize":
        with pytest.raises(TypeError, match=r"; `normalize\('true'\)` of the matrix"):
            cm.confusion_matrix([0, 1], [0, 1], normalize=True)


Y_COLUMN = pl.col("y").cm


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (
            lambda: Y_COLUMN.recall("p", average="power", p=3),
            'cm.metric("recall_power(3)", y_true, y_pred)',
        ),
        (
            lambda: Y_COLUMN.recall("p", p=3, average="power"),
            'cm.metric("recall_power(3)", y_true, y_pred)',
        ),
        (
            lambda: Y_COLUMN.fbeta("p", average="power", p="min", beta=2),
            'cm.metric("fbeta_power(2,min)", y_true, y_pred)',
        ),
        (
            lambda: Y_COLUMN.recall("p", average="harmonic"),
            'cm.metric("recall_harmonic", y_true, y_pred)',
        ),
        (lambda: Y_COLUMN.recall("p", average="arithmetic"), "recall_macro"),
        (lambda: Y_COLUMN.kappa("p", weights="linear"), "kappa_linear"),
        (lambda: Y_COLUMN.gwet_ac1("p", weights="linear"), "gwet_ac2_linear"),
        (
            lambda: cm.krippendorff_alpha([0], [0], weights="quadratic"),
            "weighted_alpha(..., weights='quadratic')",
        ),
        (lambda: cm.gwet_ac1([0], [0], weights=np.eye(2)), "gwet_ac2(..., weights=...)"),
        (lambda: cm.gwet_ac1([0], [0], weights=[[1, 0], [0, 1]]), "gwet_ac2(..., weights=...)"),
        (lambda: cm.gwet_ac1([0], [0], weights=[1]), "sample_weight"),
        (lambda: cm.kappa([0], [0], weights="quadratic"), "kappa_quadratic"),
    ],
)
def test_averages_and_weights_lead_to_what_has_them(call, meant):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).endswith(f"; did you mean `{meant}`?")
    named = re.search(r'cm.metric\("(.*)",', meant)
    if named:
        frame = pl.DataFrame({"y": [0, 1, 1], "p": [0, 1, 0]})
        assert frame.select(cm.metric(named[1], "y", "p")).item() > 0
