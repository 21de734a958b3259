"""What every object says of itself means the same everywhere: objects by names."""

import copy
import math
import pickle
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

import confmat as cm

Y, S = [0, 1, 1, 0, 1, 0], [0.1, 0.7, 0.6, 0.4, 0.35, 0.8]
CLASSES = [0, 1, 2, 0, 1, 2]
PROBA = [
    *([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7]),
    *([0.5, 0.2, 0.3], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]),
]
SETS, SET_SCORES = [[0, 1], [1, 1], [1, 0]], [[0.1, 0.9], [0.7, 0.4], [0.6, 0.5]]
OBJECTS = {
    "matrix": cm.confusion_matrix(Y, [0, 1, 0, 0, 1, 1]),
    "weighted matrix": cm.confusion_matrix(Y, Y, sample_weight=S),
    "sweep": cm.sweep(Y, S),
    "weighted sweep": cm.sweep(Y, S, sample_weight=S),
    "sweep of one class": cm.sweep([1, 1], [0.2, 0.9]),
    "sweep of no row": cm.sweep([], []),
    "binned sweep": cm.sweep(Y, S, bins=[0.0, 0.38, 0.5, 1.0]),
    "exact bins": cm.sweep(Y, S, bins=65536),
    "unit bins": cm.sweep(Y, S, bins="unit"),
    "many classes": cm.multiclass_sweep(CLASSES, PROBA),
    "classes in bins": cm.multiclass_sweep(CLASSES, PROBA).to_state(pairs=True),
    "an absent class": cm.multiclass_sweep([0, 1] * 3, PROBA, labels=[0, 1, 2]),
    "label sets": cm.multilabel(SETS, [[0, 1], [1, 0], [1, 1]]),
    "scored sets": cm.multilabel_sweep(SETS, SET_SCORES),
    "saved scores of sets": cm.multilabel_sweep(SETS, SET_SCORES).to_state(),
    "calibration": cm.sweep(Y, S).calibration(bins=3),
    "isotonic calibration": cm.sweep(Y, S).calibration(strategy="isotonic"),
}
each = pytest.mark.parametrize("x", OBJECTS.values(), ids=OBJECTS)


def same(one, two):
    return one == two or (math.isnan(one) and math.isnan(two))


@pytest.mark.parametrize(
    ("kind", "maker"),
    [
        (cm.Sweep, r"cm\.sweep\(y_true, y_score\)"),
        (cm.BinnedSweep, r"cm\.sweep\(y_true, y_score, bins="),
        (cm.MultilabelMatrix, r"cm\.multilabel\("),
        (cm.BinnedMulticlassSweep, r"k\.to_state\(\)"),
    ],
)
def test_classes_name_the_functions_that_make_them(kind, maker):
    for arguments in ((), (Y, S)):
        with pytest.raises(TypeError, match=maker):
            kind(*arguments)


@each
def test_numbers_by_name(x):
    frame = x.overall()
    assert frame.columns == ["metric", "value", "reason"]
    names = frame["metric"].to_list()
    assert x.overall(names[:2]).equals(frame.head(2))
    assert x.overall(names[0]).equals(frame.head(1))
    for name, number, reason in frame.rows():
        value = x.value(name)
        assert same(value, x[name])
        assert same(value, getattr(x, name))
        assert same(value, math.nan if number is None else number)
        assert x.reason(name) == reason
        assert (reason is not None) or number is not None
        used = x.n_used(name)
        assert (used == 0) == (number is None)
    with pytest.raises(cm.InputError):
        x.value("nonsense")
    with pytest.raises(cm.InputError):
        x.reason("nonsense")
    with pytest.raises(cm.InputError):
        x.n_used("nonsense")
    with pytest.raises(cm.InputError):
        x.overall(["nonsense"])
    with pytest.raises(cm.InputError):
        x.per_class(["nonsense"])


@each
def test_one_row_a_class(x):
    frame = x.per_class()
    assert frame.columns[0] == "label"
    if hasattr(x, "labels"):
        assert frame["label"].to_list() == list(x.labels)
    last = frame.columns[-1]
    assert x.per_class([last])[last].equals(frame[last])
    assert x.per_class(last)[last].equals(frame[last])
    assert not any(
        frame[name].is_nan().any() for name in frame.select(pl.selectors.float()).columns
    )


@each
def test_copies_and_pages(x):
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert type(again) is type(x)
        assert again.overall().equals(x.overall())
        assert again.per_class().equals(x.per_class())
    assert str(x).strip()
    HTMLParser().feed(x._repr_html_())


@pytest.mark.parametrize("name", ["many classes", "scored sets"])
def test_what_needs_its_rows_has_no_state(name):
    x = OBJECTS[name]
    with pytest.raises(cm.StateError, match="pickle"):
        x.to_bytes()
    with pytest.raises(cm.StateError, match="all rows together"):
        x + x
    with pytest.raises(TypeError):
        x + 1


@pytest.mark.parametrize("name", ["matrix", "sweep", "binned sweep", "label sets"])
def test_states_merge(name):
    x = OBJECTS[name]
    assert (x + x).n == 2 * x.n


@pytest.mark.parametrize("name", ["sweep", "binned sweep", "many classes", "scored sets"])
def test_pictures(name):
    pytest.importorskip("altair")
    chart = OBJECTS[name].plot.roc()
    assert "ROC" in chart.title.text


def test_n_used_of_a_sweep_counts_classes():
    one, none = OBJECTS["sweep of one class"], OBJECTS["sweep of no row"]
    assert (one.n_used("brier"), one.n_used("roc_auc"), none.n_used("brier")) == (1, 0, 0)
    assert OBJECTS["sweep"].n_used("ece", bins=5) == 2
    idle = cm.sweep([0, 1, 1], [0.1, 0.5, 0.7], sample_weight=[0.0, 1.0, 1.0])
    assert idle.n_used("brier") == 1


def test_n_used_counts_what_a_number_is_over():
    assert cm.sweep([0, 0], [0.2, 0.9]).n_used("brier") == 1
    absent = OBJECTS["an absent class"]
    assert (absent.n_used("roc_auc"), absent.n_used("roc_auc", multi_class="ovo")) == (2, 1)
    assert absent.n_used("roc_auc", average="micro") == 3
    assert absent.n_used("roc_auc", undefined=0.5) == 3
    assert cm.Calibration([0.25, 0.75], [1, 0], [3, 0], bins=[0, 0.6, 1]).n_used("ece") == 1
    truth, found = [["a"], ["a", "b"], [], ["c"]], [["a"], ["b"], ["b"], []]
    sets = cm.multilabel(truth, found)
    assert (sets.n_used("exact_match"), sets.n_used("recall_macro")) == (4, 3)
    weighted = cm.multilabel(truth, found, sample_weight=[1, 2, 3, 4])
    assert weighted.n_used("recall_samples") == 7
    none_found = cm.multilabel([[1, 0]], [[0, 0]])
    assert (none_found.n_used("precision_micro"), none_found.n_used("recall_micro")) == (0, 1)


def test_what_is_undefined_is_null_in_a_frame():
    m = cm.confusion_matrix([1, 1], [1, 1], labels=[0, 1])
    assert m.overall(["mcc", "accuracy"])["value"].to_list() == [None, 1.0]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_each_class_of_a_sweep_is_the_positive_one(kind, weighted):
    rng = np.random.default_rng(4)
    truth, scores = rng.integers(0, 2, 500), rng.random(500).round(2).astype(kind)
    weight = rng.random(500) if weighted else None
    names = ["roc_auc", "average_precision", "ks", "ece", "brier", "log_loss"]
    found = cm.sweep(truth, scores, sample_weight=weight).per_class(names)
    other = cm.sweep(1 - truth, (1 - scores.astype(np.float64)).astype(kind), sample_weight=weight)
    wanted = [other, cm.sweep(truth, scores, sample_weight=weight)]
    assert found["n"].to_list() == pytest.approx([x.n_positive for x in wanted], rel=1e-14)
    for name in names:
        assert found[name].to_list() == pytest.approx([x.value(name) for x in wanted], rel=1e-12)


def test_any_number_of_each_class():
    k = OBJECTS["many classes"]
    frame = k.per_class(["ks", "roc_auc", "ece(4)"])
    assert frame.columns == ["label", "n", "ks", "roc_auc", "ece(4)"]
    for label, _, ks, area, error in frame.rows():
        one = k.one_vs_rest(label)
        assert (one.ks, one.roc_auc, one.value("ece", bins=4)) == (ks, area, error)
    c = cm.Calibration([0.25, 0.75], [1, 5], [3, 3], bins=[0, 0.6, 1])
    other = cm.Calibration([0.25, 0.75], [3, 3], [5, 1], bins=[0, 0.4, 1])
    names = ["ece", "slope"]
    wanted = [[other.value(name) for name in names], [c.value(name) for name in names]]
    assert np.allclose(c.per_class(names).select(names).to_numpy(), wanted)
