"""The saved form of a sweep, as a boundary that anybody's bytes may cross."""

import contextlib
import copy
import io
import math
import pickle
import pickletools
import random
import struct
from pathlib import Path

import numpy as np
import pytest
from support.forged import forged

import confmat as cm

GOLDEN = Path(__file__).parents[2] / "state" / "v1"

Y, SCORES = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, -0.0]
SWEEPS = {
    "exact": cm.sweep(Y, SCORES),
    "float32": cm.sweep(Y, np.array(SCORES, dtype=np.float32)),
    "weights": cm.sweep(Y, SCORES, sample_weight=[0.5, 1.25, 3.0, 1.0, 1e-300]),
    "big counts": cm.sweep(Y, SCORES, sample_weight=[2**33, 1, 2, 3, 4]),
    "bools": cm.sweep([False, True], [1.0, np.inf]),
    "texts": cm.sweep(["", "漢\0字"], [-np.inf, 0.0], pos_label="漢\0字"),
    "no negative": cm.sweep(["yes"], [0.5], pos_label="yes"),
    "dropped": cm.sweep([1, None, 0], [np.nan, 0.5, 0.1], nan="drop"),
    "empty": cm.sweep(np.zeros(0, dtype=np.int64), np.zeros(0)),
    "power": cm.sweep(Y, SCORES, bins=1024),
    "half": cm.sweep(Y, np.array(SCORES, dtype=np.float16), bins=65536),
    "unit": cm.sweep(Y, SCORES, bins="unit"),
    "unit, several": cm.sweep([*Y, 1], [*SCORES, 0.8000001], bins="unit"),
    "half, several": cm.sweep(Y, [*SCORES[:4], 0.10001], bins="float16"),
    "power, several": cm.sweep([*Y, 1], [*SCORES, 0.8001], bins=1024),
    "edges": cm.sweep(Y, SCORES, bins=[-1.0, 0.0, 0.2, 0.5, 0.7, 1.0]),
    "every bin": cm.sweep([0, 1], [-1.0, 1.0], bins=2),
    "many rows left out": cm.sweep([None] * 300, [0.5] * 300),
    "edges, weights": cm.sweep(Y, SCORES, bins=[-1, 1], sample_weight=[0.5, 1, 2, 3, 4]),
}
each_sweep = pytest.mark.parametrize("s", SWEEPS.values(), ids=SWEEPS)


@each_sweep
def test_round_trip(s):
    back = type(s).from_bytes(s.to_bytes())
    assert back == s
    assert hash(back) == hash(s)
    assert back.to_bytes() == s.to_bytes()
    assert back._at.dtype == s._at.dtype
    assert back.labels == s.labels
    assert [type(label) for label in back.labels] == [type(label) for label in s.labels]
    assert (back.n_dropped, back.n_nan, back.n) == (s.n_dropped, s.n_nan, s.n)
    assert not back.positives.flags.writeable
    assert not back.tp.flags.writeable


@each_sweep
def test_pickle_and_copy(s):
    data = pickle.dumps(s)
    assert pickle.loads(data) == s
    assert copy.copy(s) is copy.deepcopy(s) is s
    found = io.StringIO()
    pickletools.dis(data, found)
    assert "sweep" in found.getvalue()


@each_sweep
def test_every_prefix_is_refused(s):
    data = s.to_bytes()
    for end in range(len(data)):
        with pytest.raises(cm.StateError):
            type(s).from_bytes(data[:end])


@each_sweep
def test_every_bit_flip_is_refused(s):
    data = bytearray(s.to_bytes())
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            with pytest.raises(cm.StateError):
                type(s).from_bytes(bytes(data))
            data[at] ^= 1 << bit


def test_other_bytes_are_refused():
    matrix = cm.ConfusionMatrix([[1, 2], [3, 4]]).to_bytes()
    for data, words in (
        (matrix, "are a saved confusion matrix, not a saved sweep"),
        (b"", "not a saved sweep"),
        ("text", "bytes, not str"),
        (SWEEPS["exact"].to_bytes()[:20], "cut short"),
        (SWEEPS["exact"].to_bytes() + b"\0", "wanted"),
        (SWEEPS["power"].to_bytes(), "BinnedSweep.from_bytes reads it"),
    ):
        with pytest.raises(cm.StateError, match=words):
            cm.Sweep.from_bytes(data)
    with pytest.raises(cm.StateError, match=r"Sweep.from_bytes reads it"):
        cm.BinnedSweep.from_bytes(SWEEPS["exact"].to_bytes())
    assert cm.Sweep.from_bytes(memoryview(SWEEPS["exact"].to_bytes())) == SWEEPS["exact"]


def test_bytes_of_the_first_development_versions_are_refused_by_name():
    with pytest.raises(cm.StateError, match="development version before the first release"):
        cm.from_bytes(b"\x89cfs\r\n\x1a\n" + bytes(80))


@pytest.mark.parametrize("name", SWEEPS)
def test_golden_states(name):
    """What was written must be readable for ever, and is written so until the version changes."""
    kind = "curve" if isinstance(SWEEPS[name], cm.Sweep) else "bins"
    data = (GOLDEN / f"{kind}_{name.replace(', ', '_').replace(' ', '_')}.bin").read_bytes()
    assert cm.from_bytes(data) == SWEEPS[name]
    assert SWEEPS[name].to_bytes() == data


@pytest.mark.parametrize("name", SWEEPS)
def test_forged_states_are_refused_or_answer(name):
    """With a checksum that is right: an error of ours, or an object that answers."""
    rng, whole = random.Random(name), SWEEPS[name].to_bytes()
    words = [struct.pack("<Q", w) for w in (0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1)]
    words += [struct.pack("<d", d) for d in (-0.0, -1.0, 1e308, 5e-324, math.inf, math.nan, 0.5)]
    read = 0
    for _ in range(150):
        at = rng.randrange(8, len(whole) - 12)
        new = rng.choice([bytes([rng.randrange(256)]), *words])
        try:
            back = cm.from_bytes(forged(whole, at, new))
        except cm.StateError:
            continue
        read += 1
        assert back.to_bytes() == forged(whole, at, new)
        for use in (str, hash, lambda s: s + s, lambda s: s - s, lambda s: s.overall()):
            with contextlib.suppress(cm.ConfmatError):
                use(back)
    assert read > 0
