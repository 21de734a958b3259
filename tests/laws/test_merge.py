"""Rows split in any way and counted apart merge to what all rows give, to the bit."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

ANY = ("none", "integers", "floats")
WHOLE = ("none", "integers")  # sums of floats in bins are rounded as they are made


def weights_of(rng, n, kinds=ANY):
    """Return a function that gives the weights of some rows, None or an array."""
    kind = rng.choice(kinds)
    weights = {
        "none": None,
        "integers": rng.integers(0, 2**20, n),
        "floats": rng.random(n) * 10.0 ** rng.integers(-20, 20, n),
    }[kind]
    return lambda at: None if weights is None else weights[at]


def matrices(rng, n):
    y, p = rng.integers(0, 5, (2, n))
    weights = weights_of(rng, n)
    return lambda at: cm.confusion_matrix(
        y[at], p[at], labels=[0, 1, 2, 3], sample_weight=weights(at), other="bucket"
    )


def found_matrices(rng, n):
    y, p = np.array(["a", "b", "c", "d", "e"])[rng.integers(0, 5, (2, n))]
    weights = weights_of(rng, n)
    return lambda at: cm.confusion_matrix(y[at], p[at], sample_weight=weights(at))


def sweeps(rng, n, bins=None):
    y, scores = rng.integers(0, 2, n), rng.random(n).round(rng.integers(1, 9))
    scores = scores.astype(rng.choice([np.float64, np.float32, np.float16]))
    weights = weights_of(rng, n, WHOLE)
    return lambda at: cm.sweep(y[at], scores[at], sample_weight=weights(at), bins=bins)


def binned_sweeps(rng, n):
    return sweeps(rng, n, [64, "unit", [0.0, 0.25, 0.5, 1.0]][rng.integers(0, 3)])


def label_sets(rng, n):
    tables, weights = rng.random((2, n, rng.choice([1, 3, 8, 9, 25]))) < 0.3, weights_of(rng, n)
    return lambda at: cm.multilabel(*tables[:, at], sample_weight=weights(at))


def found_sets(rng, n):
    names = np.array([f"l{i:02}" for i in range(rng.integers(1, 12))])
    sides = [[names[row].tolist() for row in rng.random((n, len(names))) < 0.2] for _ in range(2)]
    weights = weights_of(rng, n)

    def part(at):
        true, pred = (pl.Series([s[i] for i in at], dtype=pl.List(pl.String)) for s in sides)
        return cm.multilabel(true, pred, sample_weight=weights(at))

    return part


def class_scores(rng, n):
    truth, proba = rng.integers(0, 3, n), rng.dirichlet(np.ones(3), n)
    proba = proba.astype(rng.choice([np.float64, np.float32, np.float16]))
    weights, pairs = weights_of(rng, n, WHOLE), bool(rng.integers(0, 2))
    return lambda at: cm.multiclass_sweep(
        truth[at], proba[at], sample_weight=weights(at), labels=[0, 1, 2]
    ).to_state(256, pairs=pairs)


def set_scores(rng, n, bins=None):
    truth, scores = rng.random((n, 3)) < 0.4, rng.random((n, 3))
    scores = scores.astype(rng.choice([np.float64, np.float32, np.float16]))
    return lambda at: cm.multilabel_sweep(truth[at], scores[at]).to_state(bins)


def binned_set_scores(rng, n):
    return set_scores(rng, n, [256, "unit"][rng.integers(0, 2)])


# A kind of state, and whether it is without a trace what it was before rows came.
DRAWN = {
    matrices: True,
    found_matrices: True,
    sweeps: True,
    binned_sweeps: False,  # bins of several scores stay such
    label_sets: True,
    found_sets: True,
    class_scores: False,
    set_scores: True,
    binned_set_scores: False,
}


@pytest.mark.parametrize("kind", DRAWN, ids=lambda kind: kind.__name__)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(0, 60))
def test_any_split_gives_the_same_bytes(kind, seed, n):
    rng = np.random.default_rng(seed)
    part = kind(rng, n)
    whole = part(np.arange(n))
    cuts = np.sort(rng.integers(0, n + 1, 2))
    one, two, three = map(part, np.split(rng.permutation(n), cuts))
    data = whole.to_bytes()
    assert ((one + two) + three).to_bytes() == data
    assert (three + (two + one)).to_bytes() == data
    assert sum([two, three, one]) == whole
    assert hash(one + two + three) == hash(whole)
    assert cm.merge([one.to_bytes(), two, three.to_bytes()]).to_bytes() == data
    assert cm.merge(iter([whole])) == whole
    states = pl.DataFrame({"s": [one.to_bytes(), None, two.to_bytes(), three.to_bytes()]})
    assert states.select(pl.col("s").cm.merge_states()).item() == data
    rest, left = whole - three, one + two
    assert rest.n_dropped == left.n_dropped
    assert rest.overall()["metric"].equals(left.overall()["metric"])
    if DRAWN[kind] and rest.labels == left.labels:
        assert rest == left
        assert rest.to_bytes() == left.to_bytes()


def test_labels_outside_are_counted_in_every_part():
    rng = np.random.default_rng(5)
    whole = matrices(rng, 200)(np.arange(200))
    assert whole.n_other > 0
    assert (whole + whole).n_other == 2 * whole.n_other


def test_other_things_do_not_merge():
    states = [kind(np.random.default_rng(1), 9)(np.arange(9)) for kind in DRAWN]
    for one, other in zip(states, [*states[1:], 1], strict=True):
        if getattr(other, "_core_class", None) is not one._core_class:
            for join in (one.__add__, one.__sub__, one.__eq__):
                assert join(other) is NotImplemented
            with pytest.raises(cm.InputError, match=r"wanted one kind|wanted objects or bytes"):
                cm.merge([one, other])


def test_merging_needs_the_same_labels():
    one = cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1])
    with pytest.raises(cm.InputError, match="only in the second: \\[2\\]"):
        one + cm.confusion_matrix([0, 1, 2], [0, 1, 2])
