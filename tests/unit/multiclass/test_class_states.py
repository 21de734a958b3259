"""Scores of many classes in bins: the numbers of the rows, and what does not merge."""

import math

import numpy as np
import pytest
from support.kept_states import CLASSES, class_rows

import confmat as cm


def quantized(seed, n, k=3):
    """Return probabilities that are multiples of 1/64: each bin holds one score."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(64, np.full(k, 1 / k), n)
    return rng.integers(0, k, n), counts / 64


def test_float_weights_give_the_same_numbers():
    truth, proba = class_rows(9, 400)
    w = np.random.default_rng(0).random(400)
    whole = cm.multiclass_sweep(truth, proba, sample_weight=w).to_state()
    parts = [
        cm.multiclass_sweep(truth[at::4], proba[at::4], sample_weight=w[at::4]).to_state()
        for at in range(4)
    ]
    merged = cm.merge(parts)
    for name, value in whole.overall().select("metric", "value").rows():
        if value is not None:
            assert merged[name] == pytest.approx(value, rel=1e-14)
    assert merged.at_argmax() == whole.at_argmax()


@pytest.mark.parametrize("pairs", [False, True])
@pytest.mark.parametrize("weights", [None, "integers", "floats"])
def test_numbers_are_those_of_the_rows_where_bins_hold_one_score(pairs, weights):
    truth, proba = quantized(3, 500)
    w = {None: None, "integers": np.arange(500) % 7, "floats": np.arange(500) / 7}[weights]
    k = cm.multiclass_sweep(truth, proba, sample_weight=w)
    binned = k.to_state("unit", pairs=pairs)
    for name, value in k.overall().select("metric", "value").rows():
        if name == "roc_auc_ovo" and not pairs:
            assert binned.reason(name) == (
                "pairs of classes are not kept; k.to_state(pairs=True) keeps them"
            )
            with pytest.raises(cm.InputError, match="pairs=True"):
                _ = binned[name]
            continue
        assert binned[name] == pytest.approx(value, rel=1e-12), name
        assert binned.n_used(name) == k.n_used(name)
    assert binned.at_argmax() == k.at_argmax()
    assert binned.top_k_accuracies().tolist() == pytest.approx(k.top_k_accuracies().tolist())
    assert binned.support.tolist() == pytest.approx(k.support.tolist())
    assert binned.n == pytest.approx(k.n)
    assert binned.n_clipped == k.n_clipped
    for average in ("macro", "micro", None):
        for curve in ("roc_curve", "pr_curve"):
            one, other = (getattr(of, curve)(average=average) for of in (binned, k))
            np.testing.assert_allclose(
                one.drop("label", strict=False).to_numpy(),
                other.drop("label", strict=False).to_numpy(),
                rtol=1e-9,
            )
    for label in k.labels:
        assert binned.one_vs_rest(label).is_exact
        assert binned.one_vs_rest(label).roc_auc == pytest.approx(k.one_vs_rest(label).roc_auc)
    names = ["roc_auc", "average_precision", "ks", "brier"]
    one, other = binned.per_class(names), k.per_class(names)
    np.testing.assert_allclose(one[names].to_numpy(), other[names].to_numpy(), rtol=1e-12)
    if pairs:
        assert binned.pair_table().equals(k.pair_table()) or weights
        ovo = {"multi_class": "ovo", "average": "weighted"}
        assert binned.value("roc_auc", **ovo) == pytest.approx(k.value("roc_auc", **ovo))


def test_bins_of_several_scores_have_bounds():
    truth, proba = class_rows(11, 3_000)
    k = cm.multiclass_sweep(truth, proba)
    binned = k.to_state(4096)
    for label in k.labels:
        low, high = binned.one_vs_rest(label).roc_auc_bounds
        assert low < k.one_vs_rest(label).roc_auc < high
    assert binned.roc_auc == pytest.approx(k.roc_auc, abs=1e-3)
    assert k.to_state("unit").roc_auc == pytest.approx(k.roc_auc, abs=1e-6)
    assert binned.log_loss == k.log_loss
    assert binned.brier == k.brier
    assert binned.top_1_accuracy == k.top_1_accuracy
    assert binned.plot.roc()


def test_scores_that_are_no_probabilities():
    k = cm.multiclass_sweep(*class_rows(5, 30, logits=True)).to_state(64)
    assert k.reason("log_loss") == "some rows hold no probabilities"
    with pytest.raises(cm.InputError, match="log_loss needs probabilities: some rows"):
        _ = k.log_loss
    mixed = k + cm.multiclass_sweep(*class_rows(6, 30)).to_state(64)
    assert mixed.reason("brier") == "some rows hold no probabilities"
    assert mixed.overall().filter(metric="brier")["value"].to_list() == [None]
    assert mixed.n == 60


def test_what_needs_rows_is_refused():
    k = CLASSES["plain"]
    with pytest.raises(cm.InputError, match="only the log loss with the usual clip is kept"):
        k.value("log_loss", clip=1e-3)
    assert not hasattr(k, "soft_matrix")
    exact = cm.multiclass_sweep(*class_rows(1, 5), labels=[0, 1, 2])
    for call in (exact.to_bytes, lambda: exact + exact):
        with pytest.raises(cm.StateError, match=r"k\.to_state\(\) keeps bins"):
            call()


def test_bad_arguments_are_refused():
    k = cm.multiclass_sweep(*class_rows(1, 20), labels=[0, 1, 2])
    for bins in ([0.0, 0.5, 1.0], 100, "fine", None, True):
        with pytest.raises(cm.InputError, match="`bins`"):
            k.to_state(bins)
    many = np.full((2, 300), 1 / 300)
    with pytest.raises(cm.InputError, match="of at most 256; there are 300"):
        cm.multiclass_sweep([0, 1], many, labels=range(300)).to_state(pairs=True)


def test_states_that_differ_do_not_merge():
    k = cm.multiclass_sweep(*class_rows(1, 20), labels=[0, 1, 2])
    one = k.to_state(64)
    for other, message in (
        (k.to_state(128), "64 bins|128"),
        (k.to_state(64, pairs=True), "one keeps pairs of classes"),
        (cm.multiclass_sweep(*class_rows(1, 20), labels=[0, 2, 1]).to_state(64), "labels"),
        (
            cm.multiclass_sweep(*class_rows(1, 20, dtype=np.float32), labels=[0, 1, 2]).to_state(
                64
            ),
            "float",
        ),
    ):
        with pytest.raises(cm.InputError, match=message):
            one + other
    with pytest.raises(cm.InputError, match="cannot subtract"):
        one - (one + one)
    assert math.isnan((one - one).roc_auc)
    assert (one - one).reason("roc_auc") == "there are no rows"
    with pytest.raises(cm.InputError, match="BinnedMulticlassSweep and ConfusionMatrix"):
        cm.merge([one, one.at_argmax()])
    with pytest.raises(TypeError):
        one + 1
    assert sum([one, one]).n == 40


@pytest.mark.parametrize("bins", [None, 100, 0, "zz", [0.0, 0.5, 1.0], ("quantile", 3)])
def test_bins_that_are_no_map_are_refused(bins):
    rows = cm.multiclass_sweep([0, 1], [[0.9, 0.1], [0.2, 0.8]])
    sets = cm.multilabel_sweep([["a"], []], [[0.9], [0.2]])
    told = f'`bins` is {bins!r}; wanted "unit", a power of two from 2 to 65536, "float16"'
    for made in (rows, sets)[: 1 if bins is None else 2]:
        with pytest.raises(cm.InputError) as error:
            made.to_state(bins=bins)
        assert str(error.value) == told
