"""Scores of many classes in bins: the numbers of the rows, merged in any order, and saved."""

import contextlib
import copy
import math
import pickle
import random
import struct
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.forged import forged

import confmat as cm

GOLDEN = Path(__file__).parents[2] / "state" / "v1"


def rows(seed, n, k=3, dtype=np.float64, logits=False):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    scores = rng.normal(size=(n, k)) + 1.5 * np.eye(k)[truth]
    if not logits:
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return truth, scores.astype(dtype)


def quantized(seed, n, k=3):
    """Return probabilities that are multiples of 1/64: each bin holds one score."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(64, np.full(k, 1 / k), n)
    return rng.integers(0, k, n), counts / 64


LABELS = {"labels": [0, 1, 2]}
STATES = {
    "plain": cm.multiclass_sweep(*rows(1, 40), **LABELS).to_state(),
    "pairs": cm.multiclass_sweep(*rows(2, 30), **LABELS).to_state(64, pairs=True),
    "float32": cm.multiclass_sweep(*rows(3, 30, dtype=np.float32), **LABELS).to_state("unit"),
    "half": cm.multiclass_sweep(*rows(4, 30, dtype=np.float16), **LABELS).to_state("float16"),
    "logits": cm.multiclass_sweep(*rows(5, 30, logits=True), **LABELS).to_state(64),
    "texts": cm.multiclass_sweep(["a", None, "b"], np.eye(3)[:, :2] * 0 + 0.5).to_state(16),
    "weights": cm.multiclass_sweep(*rows(6, 30), sample_weight=np.arange(30) / 7).to_state(64),
    "integer weights": cm.multiclass_sweep(*rows(7, 30), sample_weight=range(30)).to_state(64),
    "no rows": cm.multiclass_sweep(
        np.zeros(0, int), np.zeros((0, 2)), labels=[False, True]
    ).to_state(),
}
each_state = pytest.mark.parametrize("k", STATES.values(), ids=STATES)


@each_state
def test_round_trip(k):
    back = cm.from_bytes(k.to_bytes())
    assert type(back) is cm.BinnedMulticlassSweep
    assert back == k
    assert hash(back) == hash(k)
    assert back.to_bytes() == k.to_bytes()
    assert pickle.loads(pickle.dumps(k)) == k
    assert copy.copy(k) is copy.deepcopy(k) is k
    assert back.overall().equals(k.overall())
    assert back.per_class().equals(k.per_class())
    assert (back.n, back.n_dropped, back.bins) == (k.n, k.n_dropped, k.bins)
    assert "classes in bins" in str(k)
    assert k._repr_html_()


@pytest.mark.parametrize("name", ["pairs", "half", "logits", "integer weights", "no rows"])
def test_prefixes_and_bit_flips_are_refused(name):
    data = bytearray(STATES[name].to_bytes())
    rng = random.Random(name)
    for end in [*range(200), *rng.sample(range(len(data)), 100)]:
        with pytest.raises(cm.StateError):
            cm.BinnedMulticlassSweep.from_bytes(data[:end])
    for at in [*range(100), *rng.sample(range(len(data)), 200)]:
        data[at] ^= 1 << at % 8
        with pytest.raises(cm.StateError):
            cm.from_bytes(bytes(data))
        data[at] ^= 1 << at % 8


@pytest.mark.parametrize("name", STATES)
def test_golden_states(name):
    """What was written must be readable for ever, and is written so until the version changes."""
    data = (GOLDEN / f"classes_{name.replace(' ', '_')}.bin").read_bytes()
    assert cm.from_bytes(data) == STATES[name]
    assert STATES[name].to_bytes() == data


@pytest.mark.parametrize("name", STATES)
def test_forged_states_are_refused_or_answer(name):
    """With a checksum that is right: an error of ours, or an object that answers."""
    rng, whole = random.Random(name), STATES[name].to_bytes()
    words = [struct.pack("<Q", w) for w in (0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1)]
    words += [struct.pack("<d", d) for d in (-1.0, 1e308, 5e-324, np.inf, np.nan, 0.5)]
    for _ in range(200):
        at = rng.randrange(8, len(whole) - 12)
        made = forged(whole, at, rng.choice([bytes([rng.randrange(256)]), *words]))
        try:
            back = cm.from_bytes(made)
        except cm.StateError:
            continue
        assert back.to_bytes() == made
        for use in (str, hash, lambda k: k + k, lambda k: k - k, lambda k: k.overall()):
            with contextlib.suppress(cm.ConfmatError):
                use(back)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 40),
    pairs=st.booleans(),
    weighted=st.booleans(),
    dtype=st.sampled_from([np.float64, np.float32, np.float16]),
)
def test_any_split_gives_the_same_bytes(seed, n, pairs, weighted, dtype):
    rng = np.random.default_rng(seed)
    truth, proba = rows(seed, n, 3, dtype)
    w = rng.integers(0, 9, n) if weighted else None

    def part(at):
        made = cm.multiclass_sweep(
            truth[at], proba[at], sample_weight=None if w is None else w[at], labels=[0, 1, 2]
        )
        return made.to_state(256, pairs=pairs)

    order = rng.permutation(n)
    one, two, three = map(part, np.split(order, np.sort(rng.integers(0, n + 1, 2))))
    data = part(np.arange(n)).to_bytes()
    assert ((one + two) + three).to_bytes() == data
    assert (three + (two + one)).to_bytes() == data
    assert cm.merge([one.to_bytes(), two, three.to_bytes()]).to_bytes() == data
    rest, both = cm.from_bytes(data) - three, one + two  # bins of several scores stay such
    assert rest.at_argmax() == both.at_argmax()
    assert (rest.n_clipped, rest.n) == (both.n_clipped, both.n)
    for name in ("log_loss", "brier", "top_1_accuracy"):
        assert rest[name] == pytest.approx(both[name], nan_ok=True, rel=0, abs=0)
    states = pl.DataFrame({"s": [one.to_bytes(), None, two.to_bytes(), three.to_bytes()]})
    assert states.select(pl.col("s").cm.merge_states()).item() == data


def test_float_weights_give_the_same_numbers():
    truth, proba = rows(9, 400)
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
    truth, proba = rows(11, 3_000)
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
    k = cm.multiclass_sweep(*rows(5, 30, logits=True)).to_state(64)
    assert k.reason("log_loss") == "some rows hold no probabilities"
    with pytest.raises(cm.InputError, match="log_loss needs probabilities: some rows"):
        _ = k.log_loss
    mixed = k + cm.multiclass_sweep(*rows(6, 30)).to_state(64)
    assert mixed.reason("brier") == "some rows hold no probabilities"
    assert mixed.overall().filter(metric="brier")["value"].to_list() == [None]
    assert mixed.n == 60


def test_what_needs_rows_is_refused():
    k = STATES["plain"]
    with pytest.raises(cm.InputError, match="only the log loss with the usual clip is kept"):
        k.value("log_loss", clip=1e-3)
    assert not hasattr(k, "soft_matrix")
    exact = cm.multiclass_sweep(*rows(1, 5), **LABELS)
    for call in (exact.to_bytes, lambda: exact + exact):
        with pytest.raises(cm.StateError, match=r"k\.to_state\(\) keeps bins"):
            call()


def test_bad_arguments_are_refused():
    k = cm.multiclass_sweep(*rows(1, 20), **LABELS)
    for bins in ([0.0, 0.5, 1.0], 100, "fine", None, True):
        with pytest.raises(cm.InputError, match="`bins`"):
            k.to_state(bins)
    many = np.full((2, 300), 1 / 300)
    with pytest.raises(cm.InputError, match="of at most 256; there are 300"):
        cm.multiclass_sweep([0, 1], many, labels=range(300)).to_state(pairs=True)
    with pytest.raises(AttributeError, match="does not change"):
        k.to_state().bins = 3


def test_states_that_differ_do_not_merge():
    k = cm.multiclass_sweep(*rows(1, 20), **LABELS)
    one = k.to_state(64)
    for other, message in (
        (k.to_state(128), "64 bins|128"),
        (k.to_state(64, pairs=True), "one keeps pairs of classes"),
        (cm.multiclass_sweep(*rows(1, 20), labels=[0, 2, 1]).to_state(64), "labels"),
        (cm.multiclass_sweep(*rows(1, 20, dtype=np.float32), **LABELS).to_state(64), "float"),
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
