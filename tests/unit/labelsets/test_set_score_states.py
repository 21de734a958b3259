"""Scores for label sets as states: the numbers of the rows, merged in any order, and saved."""

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


def rows(seed, n, labels=3, dtype=np.float64):
    rng = np.random.default_rng(seed)
    truth = rng.random((n, labels)) < 0.4
    return truth, rng.random((n, labels)).astype(dtype)


STATES = {
    "bins": cm.multilabel_sweep(*rows(1, 30)).to_state(),
    "coarse": cm.multilabel_sweep(*rows(2, 30), labels=["a", "b", "c"]).to_state(64),
    "exact": cm.multilabel_sweep(*rows(3, 30)).to_state(None),
    "half": cm.multilabel_sweep(*rows(4, 30, dtype=np.float16)).to_state("float16"),
    "weights": cm.multilabel_sweep(*rows(5, 30), sample_weight=np.arange(30) / 7).to_state(64),
    "dropped": cm.multilabel_sweep(
        [[1], [None], [0]], [[0.5], [0.1], [np.nan]], nan="drop"
    ).to_state(),
    "no rows": cm.multilabel_sweep(np.zeros((0, 2), bool), np.zeros((0, 2))).to_state(16),
}
each_state = pytest.mark.parametrize("s", STATES.values(), ids=STATES)


@each_state
def test_round_trip(s):
    back = cm.from_bytes(s.to_bytes())
    assert type(back) is cm.BinnedMultilabelSweep
    assert back == s
    assert hash(back) == hash(s)
    assert back.to_bytes() == s.to_bytes()
    assert pickle.loads(pickle.dumps(s)) == s
    assert copy.copy(s) is copy.deepcopy(s) is s
    assert back.overall().equals(s.overall())
    assert back.per_class().equals(s.per_class())
    assert (back.n, back.n_rows, back.n_dropped) == (s.n, s.n_rows, s.n_dropped)
    assert back.n_nan == s.n_nan
    assert "Saved scores" in str(s)


@pytest.mark.parametrize("name", ["coarse", "exact", "weights", "no rows"])
def test_prefixes_and_bit_flips_are_refused(name):
    data = bytearray(STATES[name].to_bytes())
    rng = random.Random(name)
    for end in [*range(150), *rng.sample(range(len(data)), 100)]:
        with pytest.raises(cm.StateError):
            cm.BinnedMultilabelSweep.from_bytes(data[:end])
    for at in [*range(100), *rng.sample(range(len(data)), 200)]:
        data[at] ^= 1 << at % 8
        with pytest.raises(cm.StateError):
            cm.from_bytes(bytes(data))
        data[at] ^= 1 << at % 8


@pytest.mark.parametrize("name", STATES)
def test_golden_states(name):
    """What was written must be readable for ever, and is written so until the version changes."""
    data = (GOLDEN / f"set_scores_{name.replace(' ', '_')}.bin").read_bytes()
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
        for use in (str, hash, lambda s: s + s, lambda s: s - s, lambda s: s.overall()):
            with contextlib.suppress(cm.ConfmatError):
                use(back)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(0, 40),
    bins=st.sampled_from([None, 256, "unit"]),
    dtype=st.sampled_from([np.float64, np.float32, np.float16]),
)
def test_any_split_gives_the_same_bytes(seed, n, bins, dtype):
    rng = np.random.default_rng(seed)
    truth, scores = rows(seed, n, 3, dtype)

    def part(at):
        return cm.multilabel_sweep(truth[at], scores[at]).to_state(bins)

    order = rng.permutation(n)
    one, two, three = map(part, np.split(order, np.sort(rng.integers(0, n + 1, 2))))
    data = part(np.arange(n)).to_bytes()
    assert ((one + two) + three).to_bytes() == data
    assert (three + (two + one)).to_bytes() == data
    assert cm.merge([one.to_bytes(), two, three.to_bytes()]).to_bytes() == data
    rest = cm.from_bytes(data) - three
    assert rest.n_rows == (one + two).n_rows
    if bins is None:
        assert rest == one + two
    states = pl.DataFrame({"s": [one.to_bytes(), None, two.to_bytes(), three.to_bytes()]})
    assert states.select(pl.col("s").cm.merge_states()).item() == data


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bins", [None, "unit"])
def test_numbers_are_those_of_the_rows(weighted, bins):
    truth, scores = rows(8, 500)
    scores = np.round(scores * 64) / 64  # a score a bin
    w = np.random.default_rng(1).random(500) if weighted else None
    s = cm.multilabel_sweep(truth, scores, sample_weight=w)
    parts = [
        cm.multilabel_sweep(
            truth[at::3], scores[at::3], sample_weight=None if w is None else w[at::3]
        ).to_state(bins)
        for at in range(3)
    ]
    merged = cm.merge(parts)
    for name, value in s.overall().select("metric", "value").rows():
        assert merged[name] == pytest.approx(value, rel=1e-13), name
        assert merged.n_used(name) == s.n_used(name)
    assert merged.value("ks", "weighted") == pytest.approx(s.value("ks", "weighted"))
    for label in s.labels:
        assert merged.label(label).roc_auc == pytest.approx(s.label(label).roc_auc, rel=1e-13)
        assert type(merged.label(label)) is (cm.Sweep if bins is None else cm.BinnedSweep)
    assert merged.plot.roc()


def test_what_cannot_be():
    s = cm.multilabel_sweep(*rows(1, 20))
    for call in (s.to_bytes, lambda: s + s):
        with pytest.raises(cm.StateError, match=r"s\.to_state\(\) keeps a sweep of each label"):
            call()
    for bins in ([0.0, 0.5, 1.0], 100, "fine", True):
        with pytest.raises(cm.InputError, match="`bins`"):
            s.to_state(bins)
    one = s.to_state(64)
    assert not hasattr(one, "at")
    for other, message in (
        (s.to_state(128), "64 bins|128"),
        (s.to_state(None), "an exact sweep"),
        (cm.multilabel_sweep(*rows(1, 20), labels=["a", "b", "c"]).to_state(64), "labels"),
        (cm.multilabel_sweep(*rows(1, 20, dtype=np.float32)).to_state(64), "float"),
    ):
        with pytest.raises(cm.InputError, match=message):
            one + other
    with pytest.raises(cm.InputError, match="cannot subtract"):
        one - (one + one)
    assert (one - one).reason("coverage_error") == "there are no rows"
    with pytest.raises(TypeError, match=r"s\.to_state\(\)"):
        cm.BinnedMultilabelSweep()
    with pytest.raises(AttributeError, match="do not change"):
        one.labels = ()
