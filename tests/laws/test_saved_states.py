"""The saved form of every kind of state, as a boundary that anybody's bytes may cross."""

import contextlib
import copy
import itertools
import math
import pickle
import pickletools
import random
import struct
from pathlib import Path

import numpy as np
import pytest
from support.forged import forged
from support.kept_states import KINDS, STATES

import confmat as cm

GOLDEN = Path(__file__).parents[1] / "state" / "v1"
SAID = ("n", "n_rows", "n_dropped", "n_other", "n_nan", "pos_label", "bins", "has_pairs")
ARRAYS = ("counts", "weights_sq", "positives", "negatives", "tp", "_at")

each_name = pytest.mark.parametrize("name", STATES)
each = pytest.mark.parametrize("x", STATES.values(), ids=STATES)


@each
def test_round_trip(x):
    data = x.to_bytes()
    for back in (cm.from_bytes(data), type(x).from_bytes(memoryview(data))):
        assert type(back) is type(x)
        assert back == x
        assert hash(back) == hash(x)
        assert back.to_bytes() == data
        assert [type(label) for label in back.labels] == [type(label) for label in x.labels]
        for name in SAID:
            assert np.array_equal(getattr(back, name, None), getattr(x, name, None)), name
        if hasattr(x, "overall"):
            assert back.overall().equals(x.overall())
        if hasattr(x, "per_class"):
            assert back.per_class().equals(x.per_class())
        assert str(back) == str(x)


@each
def test_arrays_are_read_only(x):
    back = cm.from_bytes(x.to_bytes())
    for name in ARRAYS:
        one, other = getattr(back, name, None), getattr(x, name, None)
        assert (one is None) == (other is None)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert not one.flags.writeable
    with pytest.raises(AttributeError, match="does not change; cannot set 'labels'"):
        back.labels = ()


@each
def test_pickle_and_copy(x):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        data = pickle.dumps(x, protocol)
        assert pickle.loads(data) == x
    assert copy.copy(x) is copy.deepcopy(x) is x
    names = {word for _, word, _ in pickletools.genops(data) if isinstance(word, str)}
    assert {name.partition(".")[0] for name in names if "." in name} == {"confmat"}


def few(places, rng):
    """Return all places, or of very many the first and some."""
    return places if len(places) < 600 else [*places[:200], *rng.sample(places, 150)]


@each_name
def test_every_prefix_is_refused(name):
    data = STATES[name].to_bytes()
    for end in few(range(len(data)), random.Random(name)):
        with pytest.raises(cm.StateError):
            type(STATES[name]).from_bytes(data[:end])


@each_name
def test_every_bit_flip_is_refused(name):
    data = bytearray(STATES[name].to_bytes())
    for at, bit in itertools.product(few(range(len(data)), random.Random(name)), range(8)):
        data[at] ^= 1 << bit
        with pytest.raises(cm.StateError):
            cm.from_bytes(data)
        data[at] ^= 1 << bit


@each
def test_trailing_bytes_are_refused(x):
    for more in (b"\0", x.to_bytes()):
        with pytest.raises(cm.StateError, match="bytes, as the header says, found"):
            type(x).from_bytes(x.to_bytes() + more)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, states in KINDS.items() for name in states]
)
def test_golden_states(kind, name):
    """What was written must be readable for ever, and is written so until the version changes."""
    data = (GOLDEN / f"{kind}_{name.replace(', ', '_').replace(' ', '_')}.bin").read_bytes()
    assert cm.from_bytes(data) == KINDS[kind][name]
    assert KINDS[kind][name].to_bytes() == data


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*_without_squares.bin")), ids=str)
def test_sweeps_without_squared_weights_stay_readable(path):
    """Sweeps of weights were written without the sums of squares, and still are where none is."""
    data = path.read_bytes()
    old = cm.from_bytes(data)
    new = cm.from_bytes(path.with_stem(path.stem.removesuffix("_without_squares")).read_bytes())
    assert old.to_bytes() == data
    assert len(new.to_bytes()) > len(data)
    assert old.overall().equals(new.overall())
    assert old != new
    assert (old + new).to_bytes() == (old + old).to_bytes()


@each_name
def test_forged_states_are_refused_or_answer(name):
    """With a checksum that is right: an error of ours, or an object that answers."""
    rng, whole = random.Random(name), STATES[name].to_bytes()
    words = [struct.pack("<Q", w) for w in (0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1)]
    words += [struct.pack("<d", d) for d in (-0.0, -1.0, 1e308, 5e-324, math.inf, math.nan, 0.5)]
    for _ in range(200):
        at = rng.randrange(8, len(whole) - 12)
        made = forged(whole, at, rng.choice([bytes([rng.randrange(256)]), *words]))
        try:
            back = cm.from_bytes(made)
        except cm.StateError:
            continue
        assert back.to_bytes() == made
        for use in (str, hash, lambda x: x + x, lambda x: x - x, lambda x: x.overall()):
            with contextlib.suppress(cm.ConfmatError):
                use(back)


@pytest.mark.parametrize("data", ["text", None, 5, b"", b"\x89", b"\x89PNG\r\n\x1a\n" + bytes(99)])
def test_foreign_values_are_refused(data):
    for read in (cm.from_bytes, *(type(x).from_bytes for x in STATES.values())):
        with pytest.raises(cm.StateError):
            read(data)


def test_what_else_is_saved_is_told():
    named = {
        "counts": "a saved confusion matrix",
        "curve": "a saved sweep",
        "sets": "a saved matrix of label sets",
        "classes": "saved scores of many classes",
        "set_scores": "saved scores for label sets",
        "joint": "saved joint counts",
        "moments": "saved moments of a regression",
    }
    first = {kind: next(iter(KINDS[kind].values())) for kind in named}
    for wanted, found in itertools.permutations(named, 2):
        with pytest.raises(cm.StateError, match=f"are {named[found]}, not {named[wanted]}"):
            type(first[wanted]).from_bytes(first[found].to_bytes())


def test_exact_and_binned_sweeps_are_told_apart():
    for kind, other, words in (
        (cm.Sweep, "bins, power", r"a binned sweep; BinnedSweep\.from_bytes reads it"),
        (cm.BinnedSweep, "curve, exact", r"an exact sweep; Sweep\.from_bytes reads it"),
    ):
        with pytest.raises(cm.StateError, match=words):
            kind.from_bytes(STATES[other].to_bytes())


@pytest.mark.parametrize("magic", [b"\x89cfm\r\n\x1a\n", b"\x89cfs\r\n\x1a\n"])
def test_bytes_of_the_first_development_versions_are_refused_by_name(magic):
    with pytest.raises(cm.StateError, match="development version before the first release"):
        cm.from_bytes(magic + bytes(99))


def test_newer_formats_are_refused_by_number():
    newer = bytearray(STATES["counts, ints"].to_bytes())
    newer[8] = 2
    with pytest.raises(cm.StateError, match="format version 2; this reads 1"):
        cm.from_bytes(newer)
