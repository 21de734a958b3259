"""Matrices of label sets as states: merged in any order, saved, and refused where changed."""

import contextlib
import copy
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
TEXTS = pl.List(pl.String)
LISTS = [["a"], ["a", "c"], [], ["c"], ["b", "c"]], [["a"], ["b"], [], ["c", "a"], ["b", "c"]]
WIDE = np.eye(11, dtype=bool), np.eye(11, dtype=bool)[::-1]
MATRICES = {
    "found": cm.multilabel(*LISTS),
    "given": cm.multilabel(*LISTS, labels=["c", "a", "b", "none"]),
    "table": cm.multilabel([[1, 0], [0, 1], [1, 1]], [[1, 1], [0, 0], [1, 1]]),
    "integer weights": cm.multilabel(*LISTS, sample_weight=[1, 0, 2**40, 3, 5]),
    "weights": cm.multilabel(*LISTS, sample_weight=[0.1, 2**-70, 3.0, 1e17, 0.0]),
    "large weights": cm.multilabel(*LISTS, sample_weight=[9e149, 1, 1e-150, 1, 1.0]),
    "wide": cm.multilabel(*WIDE),
    "wide, weights": cm.multilabel(*WIDE, sample_weight=np.arange(11) / 7),
    "no rows": cm.multilabel(np.zeros((0, 3), bool), np.zeros((0, 3), bool)),
    "no labels": cm.multilabel([[], []], [[], []]),
    "dropped": cm.multilabel([["x"], None], [["x"], ["y"]]),
}
each_matrix = pytest.mark.parametrize("m", MATRICES.values(), ids=MATRICES)


@each_matrix
def test_round_trip(m):
    back = cm.from_bytes(m.to_bytes())
    assert type(back) is cm.MultilabelMatrix
    assert back == m
    assert hash(back) == hash(m)
    assert back.to_bytes() == m.to_bytes()
    assert pickle.loads(pickle.dumps(m)) == m
    assert copy.copy(m) is copy.deepcopy(m) is m
    assert [type(label) for label in back.labels] == [type(label) for label in m.labels]
    assert (back.n, back.n_dropped) == (m.n, m.n_dropped)
    assert back.overall().equals(m.overall())
    assert back.powerset().equals(m.powerset())
    assert back.counts.dtype == m.counts.dtype
    assert not back.counts.flags.writeable


@each_matrix
def test_every_prefix_and_every_bit_flip_is_refused(m):
    data = bytearray(m.to_bytes())
    for end in range(len(data)):
        with pytest.raises(cm.StateError):
            cm.MultilabelMatrix.from_bytes(data[:end])
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            with pytest.raises(cm.StateError):
                cm.from_bytes(bytes(data))
            data[at] ^= 1 << bit


@pytest.mark.parametrize("name", MATRICES)
def test_golden_states(name):
    """What was written must be readable for ever, and is written so until the version changes."""
    data = (GOLDEN / f"sets_{name.replace(', ', '_').replace(' ', '_')}.bin").read_bytes()
    assert cm.from_bytes(data) == MATRICES[name]
    assert MATRICES[name].to_bytes() == data


@pytest.mark.parametrize("name", MATRICES)
def test_forged_states_are_refused_or_answer(name):
    """With a checksum that is right: an error of ours, or an object that answers."""
    rng, whole = random.Random(name), MATRICES[name].to_bytes()
    words = [struct.pack("<Q", w) for w in (0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1)]
    words += [struct.pack("<d", d) for d in (-1.0, 1e308, 5e-324, np.inf, np.nan, 0.5)]
    for _ in range(300):
        at = rng.randrange(8, len(whole) - 12)
        made = forged(whole, at, rng.choice([bytes([rng.randrange(256)]), *words]))
        try:
            back = cm.from_bytes(made)
        except cm.StateError:
            continue
        assert back.to_bytes() == made
        for use in (str, hash, lambda m: m + m, lambda m: m - m, lambda m: m.overall()):
            with contextlib.suppress(cm.ConfmatError):
                use(back)


def weights_of(kind, rng, n):
    return {
        "none": lambda: None,
        "integers": lambda: rng.integers(0, 2**20, n),
        "floats": lambda: rng.random(n) * 10.0 ** rng.integers(-20, 20, n),
    }[kind]()


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 60),
    width=st.integers(1, 12),
    kind=st.sampled_from(["none", "integers", "floats"]),
)
def test_any_split_gives_the_same_bytes(seed, n, width, kind):
    rng = np.random.default_rng(seed)
    names = np.array([f"l{i:02}" for i in range(width)])
    sides = [[names[row].tolist() for row in rng.random((n, width)) < 0.2] for _ in range(2)]
    w = weights_of(kind, rng, n)

    def part(rows):
        true, pred = (pl.Series([side[i] for i in rows], dtype=TEXTS) for side in sides)
        return cm.multilabel(true, pred, sample_weight=None if w is None else w[rows])

    whole = part(np.arange(n))
    order = rng.permutation(n)
    cuts = np.sort(rng.integers(0, n + 1, 2))
    one, two, three = (part(rows) for rows in np.split(order, cuts))
    data = whole.to_bytes()
    assert ((one + two) + three).to_bytes() == data
    assert (three + (two + one)).to_bytes() == data
    assert cm.merge([one.to_bytes(), two, three.to_bytes()]).to_bytes() == data
    rest = whole - three
    if rest.labels == (one + two).labels:
        assert rest == one + two
    states = pl.DataFrame({"s": [one.to_bytes(), None, two.to_bytes(), three.to_bytes()]})
    assert states.select(pl.col("s").cm.merge_states()).item() == data


def test_many_rows_are_shared_among_threads():
    rng = np.random.default_rng(3)
    n = 600_000
    true, pred = rng.random((2, n, 12)) < 0.1
    for w in (None, rng.random(n)):
        parts = [
            cm.multilabel(true[at::7], pred[at::7], sample_weight=None if w is None else w[at::7])
            for at in range(7)
        ]
        whole = cm.multilabel(true, pred, sample_weight=w)
        assert cm.merge(parts).to_bytes() == whole.to_bytes()
    assert whole.counts[:, 1, 1].tolist() == pytest.approx((w @ (true & pred)).tolist())


def test_found_labels_unite_and_given_ones_hold():
    one = cm.multilabel([["b"]], [["b", "d"]])
    two = cm.multilabel([["a"], ["b"]], [["a"], []])
    both = one + two
    assert both.labels == ("a", "b", "d")
    assert both == cm.multilabel([["b"], ["a"], ["b"]], [["b", "d"], ["a"], []])
    assert both.label("a").counts.tolist() == [[2, 0], [0, 1]]
    given = cm.multilabel([["d"]], [["d"]], labels=["d", "c", "b", "a"])
    assert (given + one).labels == given.labels
    assert (one + given).n == 2
    with pytest.raises(cm.InputError, match="labels differ"):
        cm.multilabel([["b"]], [["b"]], labels=["b"]) + one
    with pytest.raises(cm.InputError, match="cannot add"):
        one + cm.multilabel([[1]], [[1]])


def test_more_cannot_be_taken_away_than_is_there():
    one = cm.multilabel([["a"], ["b"]], [["a"], ["b"]])
    for other, message in (
        (cm.multilabel([["a"], ["a"]], [["a"], ["a"]]), "1 true and 1 predicted|the label"),
        (cm.multilabel([["a"]], [["b"]]), "has more rows in the second"),
        (cm.multilabel([["a", "b"]], [["a"]]), "sets of 2 true and 1 predicted labels has more"),
        (cm.multilabel([["q"]], [["q"]]), "labels differ"),
        (cm.multilabel([["a"], None], [["a"], []]), "n_dropped is larger in the second"),
    ):
        with pytest.raises(cm.InputError, match=message):
            one - other
    assert (one - one).n == 0
    assert (one - one).labels == one.labels


def test_rows_merge_with_weights():
    rows = cm.multilabel([["a"], []], [["a"], ["a"]])
    floats = cm.multilabel([["a"]], [["b"]], sample_weight=[0.25])
    both = rows + floats
    assert both.n == 2.25
    assert both.label("a").weights_sq.tolist() == [[0, 1], [0.0625, 1]]


def test_states_of_other_kinds_are_told_apart():
    sets = MATRICES["found"].to_bytes()
    matrix = cm.ConfusionMatrix([[1, 2], [3, 4]])
    with pytest.raises(cm.StateError, match="matrix of label sets, not a saved confusion matrix"):
        cm.ConfusionMatrix.from_bytes(sets)
    with pytest.raises(cm.StateError, match="confusion matrix, not a saved matrix of label sets"):
        cm.MultilabelMatrix.from_bytes(matrix.to_bytes())
    with pytest.raises(cm.InputError, match="holds ConfusionMatrix and MultilabelMatrix"):
        cm.merge([sets, matrix])
    frame = pl.DataFrame({"s": [sets, matrix.to_bytes()]})
    with pytest.raises(pl.exceptions.ComputeError, match="states of several kinds"):
        frame.select(pl.col("s").cm.merge_states())
    with pytest.raises(pl.exceptions.ComputeError, match="a state of label sets, and the metrics"):
        frame[:1].select(pl.col("s").cm.state_metrics(["mcc"]))
    with pytest.raises(cm.InputError, match="a state of label sets, and the metrics are of scores"):
        frame[:1].select(pl.col("s").cm.state_metrics(["roc_auc"]))
