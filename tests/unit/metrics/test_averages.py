"""Averages mean the same at every door, and what scikit-learn's do."""

import math
import re
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import confmat as cm

PAIRS = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "jaccard": sk.jaccard_score,
}
LABELS = [0, 1, 2, 3]
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(0, 2)), min_size=1, max_size=12)


def theirs(name, rows, **options):
    y, p, w = map(np.array, zip(*rows, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PAIRS[name](y, p, sample_weight=w, **options)


def ours(name, rows, **options):
    y, p, w = map(np.array, zip(*rows, strict=True))
    return getattr(cm, name)(y, p, sample_weight=w, **options)


@settings(max_examples=40)
@given(ROWS, st.sampled_from(sorted(PAIRS)), st.sampled_from([0.0, 1.0]), st.booleans())
def test_undefined_is_zero_division(rows, name, fill, given_labels):
    labels = LABELS if given_labels else None
    if not sum(w for *_, w in rows):
        return  # scikit-learn refuses such weights
    if labels is None:
        rows = [row for row in rows if row[2]]
    for average in ("macro", "micro", "weighted", None):
        want = theirs(name, rows, average=average, zero_division=fill, labels=labels)
        got = ours(name, rows, average=average, undefined=fill, labels=labels)
        assert got == pytest.approx(want, abs=1e-12), average


@settings(max_examples=40)
@given(ROWS, st.sampled_from(sorted(PAIRS)), st.sampled_from([[1], [2, 0], [0, 1, 2], LABELS]))
def test_classes_are_the_labels_of_scikit_learn(rows, name, classes):
    if not sum(w for *_, w in rows) or not set(classes) & {y for y, _, _ in rows}:
        return  # scikit-learn refuses such weights, and labels of which none is there
    for average in ("macro", "micro", "weighted", None):
        want = theirs(name, rows, average=average, zero_division=0.0, labels=classes)
        got = ours(name, rows, average=average, undefined=0.0, labels=LABELS, classes=classes)
        if average == "weighted" and not sum(w for y, _, w in rows if y in classes):
            continue
        assert got == pytest.approx(want, abs=1e-12), average


@settings(max_examples=40)
@given(ROWS, st.booleans(), st.sampled_from([None, 0.0, 0.5]))
def test_every_door_has_the_same_averages(rows, keep_empty, undefined):
    y, p, _ = map(list, zip(*rows, strict=True))
    names = ["precision_macro", "specificity_macro", "f1_weighted", "recall_ovo", "jaccard_micro"]
    names += ["balanced_accuracy", "f1_of_macros", "generalized_f1", "accuracy_binary_macro"]
    options = {"undefined": undefined, "keep_empty": keep_empty}
    m = cm.confusion_matrix(y, p, labels=LABELS)
    want = m.values(names, **options)
    frame = pl.DataFrame({"y": y, "p": p, "g": [1] * len(y)})
    asked = cm.metrics("y", "p", names, labels=LABELS, **options)
    rows_of = [
        frame.select(m=asked).unnest("m"),
        frame.group_by("g").agg(m=asked).unnest("m"),
        frame.cm.evaluate("y", "p", metrics=names, labels=LABELS, **options),
        frame.cm.evaluate("y", "p", by="g", metrics=names, labels=LABELS, **options),
        frame.lazy()
        .cm.evaluate("y", "p", by="g", metrics=names, labels=LABELS, **options)
        .collect(),
    ]
    for name in names:
        assert m.value(name, **options) == pytest.approx(want[name], nan_ok=True)
        for row in rows_of:
            got = row[name].item()
            assert (math.nan if got is None else got) == pytest.approx(want[name], nan_ok=True)
    for name in names[:5]:
        base, average = name.rsplit("_", 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cm.UndefinedMetricWarning)
            got = getattr(cm, base)(y, p, average=average, labels=LABELS, **options)
        assert got == pytest.approx(want[name], nan_ok=True)


def test_a_class_of_labels_counts_where_undefined_is_given():
    y, p = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]
    two = cm.f1(y, p, average="macro")
    assert cm.f1(y, p, labels=[0, 1, 2], average="macro") == two
    assert cm.f1(y, p, labels=[0, 1, 2], average="macro", undefined=0.0) == pytest.approx(
        two * 2 / 3
    )
    want = cm.specificity(y, p, average="macro")
    kept = cm.specificity(y, p, labels=[0, 1, 2], average="macro", keep_empty=True)
    assert kept == pytest.approx((2 * want + 1) / 3)  # its own value: it has a specificity


def test_a_class_that_only_a_dtype_adds_never_counts():
    y = pl.Series([True, True, True])
    kind = pl.Enum(["a", "b", "c"])
    e = pl.Series(["a", "b", "a"], dtype=kind)
    for truth, labels in ((y, 2), (e, 3)):
        m = cm.confusion_matrix(truth, truth)
        for door in (m, cm.ConfusionMatrix.from_bytes(m.to_bytes()), m + m, m.T, m.smooth(0)):
            assert len(door.labels) == labels
            for options in ({"undefined": 0.0}, {"keep_empty": True}):
                assert door.value("f1", "macro", **options) == 1.0
                assert door.value("balanced_accuracy", **options) == 1.0
        assert cm.f1(truth, truth, average="macro", undefined=0.0) == 1.0
        given_labels = list(m.labels)
        assert cm.f1(truth, truth, average="macro", labels=given_labels, undefined=0.0) < 1.0
        frame = pl.DataFrame({"y": truth, "p": truth, "g": 1})
        asked = cm.metric("f1_macro", "y", "p", undefined=0.0)
        assert frame.group_by("g").agg(asked)["f1_macro"].item() == 1.0
        for more in ({}, {"by": "g"}):
            out = frame.cm.evaluate("y", "p", metrics="f1_macro", undefined=0.0, **more)
            assert out["f1_macro"].item() == 1.0
            lazy = frame.lazy().cm.evaluate("y", "p", metrics="f1_macro", undefined=0.0, **more)
            assert lazy.collect()["f1_macro"].item() == 1.0


def test_binary_is_the_default_and_none_is_an_array():
    y, p = [0, 1, 2, 2], [0, 2, 2, 2]
    with pytest.raises(cm.InputError, match=r'classes are \[0, 1, 2\].*average="macro"'):
        cm.f1(y, p)
    with pytest.raises(cm.InputError, match="average=None, for each class"):
        cm.tp(y, p)
    assert cm.tp(y, p, average=None).tolist() == [1.0, 0.0, 2.0]
    assert cm.recall(y, p, pos_label=2) == 1.0
    each = cm.recall(y, p, average=None)
    assert each.dtype == np.float64
    assert each.tolist() == [1.0, 0.0, 1.0]
    assert cm.recall(y, p, average=None, classes=[2, 1]).tolist() == [1.0, 0.0]
    assert cm.fbeta(y, p, average=None, beta=2, labels=[2, 1, 0]).shape == (3,)


def test_bad_classes_are_refused():
    y, p = [0, 1, 2], [0, 2, 2]
    m = cm.confusion_matrix(y, p)
    for call, message in (
        (lambda: cm.f1(y, p, average="macro", classes=[7]), "`classes` 7 is not in the labels"),
        (lambda: cm.f1(y, p, average="macro", classes=[1, 1]), "`classes` holds 1 twice"),
        (lambda: cm.f1(y, p, average="macro", classes=[]), "`classes` is empty"),
        (lambda: cm.f1(y, p, average="macro", classes="a"), "`classes` is str"),
        (lambda: cm.f1(y, p, pos_label=1, classes=[1]), "`pos_label` is the class"),
        (lambda: m.value("mcc", classes=[1]), "`classes` is of averages, and mcc is none"),
        (lambda: m.value("f1", classes=[1], pos_label=1), "f1 is none"),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()
    assert m.value("f1", "macro", classes=[0]) == 1.0
    assert m.n_used("precision_macro", classes=[0, 1]) == 1
    assert m.n_used("precision_macro", undefined=0.0, classes=[0, 1]) == 2
    assert m.reason("precision_macro", classes=[1]) == "no class has a value; class 1: tp + fp = 0"
    absent = cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1, 2])
    assert absent.reason("f1_macro", classes=[2]) == "none of these classes occurs"


def test_options_of_the_matrix_are_those_of_the_functions():
    assert cm.accuracy([0, 1, 7], [0, 1, 1], labels=[0, 1], other="bucket") == 1.0
    with pytest.raises(cm.InputError, match='other="bucket"'):
        cm.accuracy([0, 1, 7], [0, 1, 1], labels=[0, 1])
    with pytest.raises(cm.InputError, match="null at row 1"):
        cm.f1([0, None, 1], [0, 1, 1], nulls="raise")
    with pytest.raises(cm.InputError, match="null"):
        cm.roc_auc([0, None, 1], [0.1, 0.2, 0.3], nulls="raise")
    assert cm.roc_auc([0, 1, 1], [0.1, math.nan, 0.3], nan="drop") == 1.0


def averaged(average):
    return lambda y, p: cm.precision(y, p, average=average)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (averaged("macro"), "precision_macro is undefined for the class 1 and averaged over"),
        (averaged("weighted"), "precision_weighted is undefined for the class 1 and averaged"),
        (averaged("ovo"), "precision_ovo is undefined for the class 1 and averaged"),
        (averaged(None), "precision is undefined for the class 1 and nan"),
        (lambda y, p: cm.balanced_accuracy(p, y), "balanced_accuracy is undefined for the class 1"),
        (cm.f1_of_macros, "f1_of_macros is undefined for the class 1"),
        (lambda y, p: cm.mcc(y[:1], p[:1]), "mcc is undefined here and nan"),
    ],
)
def test_an_average_that_leaves_a_class_out_warns_once(call, words):
    with pytest.warns(cm.UndefinedMetricWarning, match=words) as caught:
        call([0, 1, 2], [0, 2, 2])
    assert len(caught) == 1
    assert "undefined=0.0" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_objects_frames_and_given_values_do_not_warn():
    y, p = [0, 1, 2], [0, 2, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m = cm.confusion_matrix(y, p)
        assert (m.precision_macro, m.n_used("precision_macro")) == (0.75, 2)
        cm.precision(y, p, average="macro", undefined=0.0)
        cm.recall(y, p, average="macro")
        cm.f1(y, p, average="macro", labels=[0, 1, 2, 3])  # 3 is absent, not undefined
        frame = pl.DataFrame({"y": y, "p": p, "g": 1})
        frame.group_by("g").agg(cm.metrics("y", "p"))
        frame.cm.evaluate("y", "p", by="g")


CLASSES = [[5, 2, 0], [1, 7, 1], [3, 1, 4]]  # as imbalanced-learn 0.14 has them
G_MEAN = (5 / 7 * 7 / 9 * 4 / 8) ** (1 / 3)


def test_the_geometric_mean_score_of_many_classes_is_that_of_the_recalls():
    m = cm.ConfusionMatrix(CLASSES)
    y, p = (np.repeat(of.ravel(), np.ravel(CLASSES)) for of in np.indices((3, 3)))
    assert m.recall_geometric == pytest.approx(G_MEAN, rel=1e-15)
    for ask in (
        lambda: m.geometric_mean_score,
        lambda: m.value("geometric_mean_score"),
        lambda: m.gmean,
        lambda: m.explain("geometric_mean_score"),
        lambda: pl.DataFrame({"y": y, "p": p}).select(cm.metric("g_mean", "y", "p")),
    ):
        with pytest.raises(Exception, match="ask for 'recall_geometric' or 'gmean_macro'"):
            ask()
    called = r"recall\(\.\.\., average='geometric'\)"
    with pytest.raises(cm.InputError, match=f"{called}, of all classes together, or average="):
        cm.gmean(y, p)
    with pytest.raises(AttributeError, match=f"did you mean gmean, or of many classes {called}"):
        _ = cm.geometric_mean_score
    assert cm.recall(y, p, average="geometric") == pytest.approx(G_MEAN, rel=1e-15)


def test_the_geometric_mean_score_of_two_classes_is_that_of_recall_and_specificity():
    m = cm.ConfusionMatrix([[6, 2], [1, 5]])
    assert m.geometric_mean_score == m.gmean == pytest.approx((5 / 6 * 6 / 8) ** 0.5, rel=1e-15)
    assert m.recall_geometric == pytest.approx(m.gmean, rel=1e-15)


@pytest.mark.parametrize(
    ("average", "theirs"),
    [
        ("multiclass", G_MEAN),
        ("macro", 0.7442037495696555),
        ("weighted", 0.7463418411095881),
        ("micro", 0.7453559924999299),
    ],
)
def test_averages_of_imbalanced_learn_are_other_ones_and_said(average, theirs):
    m = cm.ConfusionMatrix(CLASSES)
    with pytest.raises(cm.InputError, match="is no name of a metric; ") as error:
        m.value("geometric_mean_score", average)
    call = re.split("it is | has it as ", str(error.value))[1].partition(" (or")[0]
    assert eval(call, {"m": m, "math": math}) == pytest.approx(theirs, rel=1e-14)


@pytest.mark.parametrize("average", ["foo", "", "Macro", "none", 3])
@pytest.mark.parametrize("door", ["value", "ci", "reason", "n_used", "explain"])
def test_an_average_that_is_none_is_named(door, average):
    m = cm.ConfusionMatrix([[20, 6, 3], [2, 20, 7], [12, 14, 8]])
    wanted = f"^`average` is {average!r}; wanted 'macro', 'micro', 'weighted', 'ovo', 'harmonic'"
    with pytest.raises(cm.InputError, match=wanted):
        getattr(m, door)("f1", average=average)
