"""What a metric is made of: its facts and numbers, which pairs cost most, what is confused."""

import json
import math
from html import escape

import numpy as np
import pytest
from support.value_names import where

import confmat as cm

THREE = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]], labels=["a", "b", "c"])
TWO = cm.ConfusionMatrix([[90, 10], [20, 80]])
ROUGH = cm.ConfusionMatrix([[40, 5, 5, 0], [2, 30, 9, 1], [4, 8, 33, 3], [9, 0, 1, 50]])


def same(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("name", [*where(level="overall"), *where(level="average")])
def test_every_metric_of_a_matrix(name):
    x = ROUGH.explain(name)
    assert same(x.value, ROUGH.value(name))
    assert x.reason == ROUGH.reason(name)
    assert x.lo <= x.value <= x.hi or math.isnan(x.value)
    assert x.summary
    assert x.formula in str(x)
    assert x.classes.height == 4
    assert 0 < x.pairs.height <= 6
    assert json.dumps(x.to_dict(), allow_nan=True)
    assert f"<p>{escape(x.summary)}</p>" in x._repr_html_()


@pytest.mark.parametrize("name", where(level="class"))
def test_every_metric_of_a_class(name):
    x = ROUGH.explain(name, pos_label=2)
    assert same(x.value, ROUGH.value(name, pos_label=2))
    assert x.classes["label"].to_list() == [2]
    told = x.classes[x.metric][0]
    assert same(math.nan if told is None else told, x.value)
    assert x.classes.select("tp", "fp", "fn", "tn").row(0) == (33, 15, 15, 137)


@pytest.mark.parametrize("name", ["mcc", "gmcc", "f1_macro", "error", "hamming_loss", "eve"])
def test_a_pair_gains_what_its_errors_cost(name):
    x = ROUGH.explain(name)
    better = -1 if x.better == "lower" else 1
    for one, other, errors, value, gain in x.pairs.rows():
        right = ROUGH.counts.copy()
        assert errors == right[one, other] + right[other, one]
        right[one, one] += right[one, other]
        right[other, other] += right[other, one]
        right[one, other] = right[other, one] = 0
        assert value == cm.ConfusionMatrix(right).value(name)
        assert gain == better * (value - x.value)
    gains = x.pairs["gain"].to_list()
    assert gains == sorted(gains, reverse=True)


def test_pairs_without_errors_cost_nothing():
    assert THREE.explain("mcc").pairs.select("one", "other").rows() == [("b", "c")]
    assert cm.ConfusionMatrix(np.eye(3)).explain("mcc").pairs.height == 0


def confused(blocks, sizes, seed=0):
    """Return a matrix whose classes are confused within blocks, and hardly elsewhere."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 2, (sum(sizes), sum(sizes)))
    first = 0
    for size, is_block in zip(sizes, blocks, strict=True):
        inside = slice(first, first + size)
        cells[inside, inside] += 100 if is_block else 0
        first += size
    return cm.ConfusionMatrix(cells + 300 * np.eye(len(cells), dtype=int))


@pytest.mark.parametrize("name", ["gmcc", "gmcc_root", "log_abs_gmcc", "eve"])
def test_classes_that_are_confused_are_a_block(name):
    m = confused([True, False], [3, 5])
    blocks = m.explain(name).blocks
    told = blocks.filter(blocks["number"] < 0.9)
    assert told.height >= 2  # of three classes that are one but for two directions
    for classes in told["classes"]:
        assert set(classes) <= {0, 1, 2}
        assert len(classes) >= 2
    assert blocks["weight"].is_between(0.5, 1).all()


def test_the_numbers_of_blocks_are_singular_values():
    told = ROUGH.explain("gmcc").blocks["number"].to_list()
    assert told == pytest.approx(ROUGH.singular_values[::-1][:3])
    assert math.prod(ROUGH.singular_values) == pytest.approx(ROUGH.gmcc)
    told = ROUGH.explain("eve").blocks["number"].to_list()
    assert told == pytest.approx(sorted(ROUGH.eve_eigenvalues)[:3])
    for name in ("mcc", "gmcc_mean", "fbeta_macro", "canonical_correlation"):
        assert ROUGH.explain(name).blocks is None


def test_an_average_says_over_how_many_classes_it_is():
    m = cm.ConfusionMatrix([[5, 0, 0], [3, 0, 0], [0, 0, 2]])  # none is predicted as 1
    x = m.explain("precision_macro")
    assert (x.n_used, x.to_dict()["n_used"]) == (2, 2)
    assert "Over 2 of 3 classes." in str(x).splitlines()
    assert "<p>Over 2 of 3 classes.</p>" in x._repr_html_()
    assert "Over 3 of 3 classes." in str(m.explain("recall", "geometric"))
    assert "Over 1 of 2 classes." in str(m.explain("precision", "macro", classes=[0, 1]))
    assert m.explain("precision_ovo").n_used == m.n_used("precision_ovo") == 4
    assert "Over 4 of 6 ordered pairs of classes." in str(m.explain("precision_ovo"))
    assert "Over 3 of 3 classes." in str(m.explain("balanced_accuracy"))  # leaves classes out, too
    assert m.explain("mcc").n_used == 3
    assert "Over" not in str(m.explain("mcc"))
    assert TWO.explain("recall").n_used is None


def test_a_class_that_is_kept_counts():
    m = cm.confusion_matrix([0, 1, 1], [0, 1, 0], labels=[0, 1, 2])
    assert m.explain("recall_micro").n_used == 2
    assert m.explain("recall_micro", keep_empty=True).n_used == 3


def test_arguments_are_those_of_value():
    assert ROUGH.explain("fbeta", average="macro", beta=2).value == ROUGH.value("fbeta_macro(2)")
    assert ROUGH.explain("fbeta_macro(2)").metric == "fbeta_macro(2)"
    assert ROUGH.explain("f1", "macro", classes=[0, 1]).value == ROUGH.value(
        "f1", "macro", classes=[0, 1]
    )
    assert (
        ROUGH.explain("f2_macro").classes["f2"].to_list()
        == ROUGH.per_class(["fbeta(2)"])["fbeta(2)"].to_list()
    )
    assert TWO.explain("recall").classes.rows() == [(1, 80, 10, 20, 90, 0.8)]
    assert TWO.explain("recall", pos_label=0).value == 0.9
    with pytest.raises(cm.InputError, match="did you mean"):
        TWO.explain("recal")
    with pytest.raises(cm.InputError, match="pos_label"):
        ROUGH.explain("recall")
    with pytest.raises(cm.InputError, match="no parameter"):
        TWO.explain("mcc", beta=2)


def test_of_no_rows_and_of_counts():
    nothing = cm.confusion_matrix([], [])
    for name in ("recall", "f1_macro", "mcc", "eve"):
        x = nothing.explain(name)
        assert math.isnan(x.value)
        assert (x.classes.height, x.pairs.height, x.blocks) == (0, 0, None)
    told = str(TWO.explain("tp"))
    assert told.startswith("tp = 80; from 0 to inf")
    assert "Always defined." in told
    assert ROUGH.explain("f1_macro", classes=[0, 2]).classes["label"].to_list() == [0, 2]


def test_what_is_undefined_says_why():
    x = cm.ConfusionMatrix([[5, 0], [3, 0]]).explain("precision")
    assert math.isnan(x.value)
    assert x.reason == "class 1: tp + fp = 0"
    assert str(x).startswith("precision = - (class 1: tp + fp = 0); from 0 to 1")
    assert x.pairs["gain"].to_list() == [None]
    nothing = cm.confusion_matrix([], [], labels=["a", "b"]).explain("gmcc")
    assert (nothing.pairs.height, nothing.blocks) == (0, None)
    assert "inf" in str(TWO.explain("lr_positive"))


def test_weights_smoothing_and_many_classes():
    weighted = cm.confusion_matrix([1, 0, 1, 0], [1, 1, 0, 0], sample_weight=[0.5, 1.5, 1, 2])
    assert weighted.explain("mcc").pairs["errors"].to_list() == [2.5]
    smooth = THREE.smooth(0.5)
    assert smooth.explain("mcc").value == smooth.mcc
    y = np.arange(9_000) % 1_500
    wide = cm.confusion_matrix(y, np.where(y % 10 == 0, (y + 1) % 1_500, y))
    x = wide.explain("f1_macro")
    assert (x.value, x.pairs.height) == (wide.f1_macro, 0)
    assert "Of more than 1,000 classes no pairs are tried." in str(x)
    assert x.classes.height == 1_500
    few = cm.confusion_matrix(y % 400, np.where(y % 10 == 0, (y + 1) % 400, y % 400))
    assert few.explain("mcc").pairs.height == 10


def test_labels_of_markup_stay_text():
    m = cm.ConfusionMatrix([[3, 1], [2, 4]], labels=["<script>", "a\nb"])
    assert "<script>" not in m.explain("gmcc")._repr_html_()
    assert "\nb" not in str(m.explain("gmcc")).replace("\n\n", "")[-60:]


@pytest.mark.parametrize(
    ("name", "of_class"),
    [
        ("recall_power(3)", "recall"),
        ("fbeta_power(2, p=3)", "fbeta(2)"),
        ("phi_power(mean_p=3, p=0)", "phi(p=0)"),
        ("tversky_power(0.3,2,min)", "tversky(0.3,2)"),
        ("f2_power(3)", "f2"),
        ("f1_power", "f1"),
    ],
)
def test_classes_of_a_power_mean_have_the_metric_without_its_exponent(name, of_class):
    m = cm.ConfusionMatrix([[20, 6, 3], [2, 20, 7], [12, 14, 8]])
    explained = m.explain(name)
    assert explained.classes.columns[-1] == of_class
    assert explained.value == m[name]
