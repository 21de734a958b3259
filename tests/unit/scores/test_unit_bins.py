"""The bins called "unit": where they begin, what they hold, and that every door has the same."""

import itertools
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import confmat as cm
from confmat import _core
from confmat.frames.state_values import state_metrics
from confmat.frames.states import merge_states

LOWER = _core.bin_map_lower("unit")
UPPER = np.append(LOWER[1:], np.inf)
any_score = st.floats(allow_nan=False) | st.floats(0, 1)
RNG = np.random.default_rng(20)


def octaves(exponents, bits, end):
    """Return bounds within [2^e, 2^(e + 1)) for each e, or (2^e, 2^(e + 1)] from its other end."""
    for e in exponents:
        n = 2 ** bits(e)
        parts = np.arange(n) / n
        yield np.ldexp(1 + parts, e) if end == "lower" else np.ldexp(2 - parts, e)


def layout():
    """Return the bounds as the map is described, ascending."""

    def outside(e):
        return 2 if e < -4 else 7 if e < 8 else 3

    def near_zero(e):
        return e + 133 if e < -126 else 8 if e < -20 else 11

    def near_one(e):
        return min(8, e + 53) if e < -20 else 11

    negative = [-part for part in octaves(range(127, -127, -1), outside, "upper")]
    above_one = list(octaves(range(128), outside, "lower"))
    above_one[0][0] = np.nextafter(1, 2)
    negative[0][0] = -np.inf
    return np.concatenate(
        [
            *negative,
            [-(2.0**-126), 0.0],
            *octaves(range(-133, -5), near_zero, "lower"),
            np.arange(2.0**-5, 1 - 2.0**-5, 2.0**-15),
            *[1 - part for part in octaves(range(-6, -54, -1), near_one, "upper")],
            [1 - 2.0**-53, 1.0],
            *above_one,
            [np.inf],
        ]
    )


def bins_of(scores):
    """Return the bin of each score, read from a sweep of it alone."""
    lower = [cm.sweep([1], scores[i : i + 1], bins="unit").lower for i in range(len(scores))]
    return np.searchsorted(LOWER, np.concatenate(lower))


def check(scores):
    """Check that a sweep counts each of many scores where its bounds say."""
    s = cm.sweep(np.ones(len(scores), dtype=bool), scores, bins="unit")
    wanted = np.bincount(np.searchsorted(LOWER, scores.astype(np.float64), "right") - 1)
    used = np.flatnonzero(wanted)[::-1]
    np.testing.assert_array_equal(s.lower, LOWER[used])
    np.testing.assert_array_equal(s.upper, UPPER[used])
    np.testing.assert_array_equal(s.positives, wanted[used])


def test_bounds_are_those_described():
    np.testing.assert_array_equal(LOWER, layout())
    assert (np.diff(LOWER) > 0).all()
    assert len(LOWER) == 131_051 <= 2**17


@given(st.lists(any_score, min_size=1, max_size=8), st.sampled_from([np.float32, np.float64]))
@example(
    [0.0, -0.0, 0.5, 1.0, 1 - 2**-53, 1 + 2**-52, 2**-133, -(2**-133), 1e300, -1e300], np.float64
)
@example([np.inf, -np.inf, 1e-300, -1e-300, 0.96875, 0.03125, -1.0], np.float64)
def test_a_bin_holds_its_score_and_ascends_with_it(scores, dtype):
    with np.errstate(over="ignore", under="ignore"):
        scores = np.sort(np.array(scores).astype(dtype))
    bins = bins_of(scores)
    assert (LOWER[bins] <= scores).all()
    assert ((scores < UPPER[bins]) | (scores == np.inf)).all()
    assert (np.diff(bins) >= 0).all()
    assert bins.tolist() == bins_of(scores.astype(np.float64)).tolist()
    check(scores)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_lies_beside_a_bound(dtype):
    with np.errstate(over="ignore"):
        at = LOWER.astype(dtype)
        beside = [np.nextafter(at, dtype(end)) for end in (-np.inf, np.inf)]
    check(np.concatenate([at, *beside]))


def test_bins_are_as_narrow_as_promised():
    low, high = LOWER[LOWER >= 0], UPPER[LOWER >= 0]
    low, high = low[high <= 1], high[high <= 1]
    width = high - low
    assert width.max() == 2**-15
    for nearer in (low, 1 - high):  # the distance of what lies in the bin to an end, at least
        for far, near, most in ((2**-5, 2**-20, 2**-11), (2**-20, 2**-45, 2**-8)):
            inside = (nearer < far) & (nearer >= near)
            assert inside.sum() > 5_000
            assert (width[inside] <= nearer[inside] * most).all()


BFLOAT16 = (np.arange(0x3F81, dtype=np.uint32) << 16).view(np.float32)
FLOAT16 = np.arange(0x3C01, dtype=np.uint16).view(np.float16)
FINE = {
    "float16": FLOAT16,
    "float16 as float32": FLOAT16.astype(np.float32),
    "bfloat16": BFLOAT16,
    "k / 255": np.arange(256) / 255,
    "k / 255, float32": (np.arange(256) / 255).astype(np.float32),
    "k / 1000": np.arange(1001) / 1000,
    "k / 1000, float32": (np.arange(1001) / 1000).astype(np.float32),
    "integers": np.arange(-255, 256),
}


@pytest.mark.parametrize("scores", FINE.values(), ids=FINE)
def test_such_scores_are_told_apart(scores):
    y = RNG.integers(0, 2, len(scores) * 3)
    s = cm.sweep(y, np.tile(scores, 3), bins="unit")
    assert s.is_exact
    assert len(s) == len(scores)
    assert s.roc_auc_bounds == (s.roc_auc,) * 2 == (cm.sweep(y, np.tile(scores, 3)).roc_auc,) * 2


def test_the_flights_are_exact():
    flights = pl.read_parquet(Path(cm.__file__).parent / "data" / "flights.parquet")
    s = cm.sweep(flights["late"], flights["late_score"], bins="unit")
    assert s.is_exact
    assert s.roc_auc_bounds == (cm.sweep(flights["late"], flights["late_score"]).roc_auc,) * 2


def logistic(rows, mean, spread):
    """Return classes drawn from probabilities, and these: the logistic function of normal ones."""
    p = 1 / (1 + np.exp(-RNG.normal(mean, spread, rows)))
    return RNG.random(rows) < p, p.astype(np.float32)


@pytest.mark.parametrize(
    ("mean", "spread"), [(0.0, 1.5), (-8.5, 1.8)], ids=["usual", "one of 1,000"]
)
def test_bounds_of_large_logs_are_narrow(mean, spread):
    y, s = logistic(5_000_000, mean, spread)
    if mean < 0:
        assert 0.0005 < y.mean() < 0.0015
        assert np.median(s) < 1e-3
    binned = cm.sweep(y, s, bins="unit")
    low, high = binned.roc_auc_bounds
    assert not binned.is_exact
    assert low <= cm.sweep(y, s).roc_auc <= high
    assert high - low <= 2e-4
    assert len(binned.to_bytes()) <= 1_000_000
    state = pl.DataFrame({"y": y, "s": s}).select(cm.state("y", y_score="s"))
    assert state["state"].bin.size().item() <= 1_000_000
    out = state.select(state_metrics(metrics="roc_auc")).item()
    assert [out["roc_auc_lo"], out["roc_auc_hi"]] == pytest.approx([low, high], abs=1e-12)


SCORES = np.concatenate([FLOAT16[::7].astype(np.float32), RNG.normal(size=999).astype(np.float32)])
TRUTH = RNG.integers(0, 2, len(SCORES))
DOORS = {
    "float32": SCORES,
    "float64": SCORES.astype(np.float64),
    "list": SCORES.astype(np.float64).tolist(),
    "Polars": pl.Series(SCORES),
    "chunks": pl.concat([pl.Series(SCORES[:500]), pl.Series(SCORES[500:])], rechunk=False),
    "not contiguous": np.repeat(SCORES, 2)[::2],
}


@pytest.mark.parametrize("scores", DOORS.values(), ids=DOORS)
def test_every_door_has_the_same_bins(scores):
    s = cm.sweep(TRUTH, SCORES, bins="unit")
    other = cm.sweep(TRUTH, scores, bins="unit")
    for part in ("lower", "upper", "positives", "negatives"):
        np.testing.assert_array_equal(getattr(other, part), getattr(s, part))
    assert other.is_exact == s.is_exact
    frame = pl.DataFrame({"y": TRUTH, "s": pl.Series(scores)})
    out = frame.select(cm.state("y", y_score="s")).select(state_metrics(metrics=["roc_auc", "ks"]))
    assert out.item()["ks"] == pytest.approx(s.ks, abs=1e-15)
    assert [out.item()[f"roc_auc_{end}"] for end in ("lo", "hi")] == pytest.approx(
        s.roc_auc_bounds, abs=1e-12
    )


def test_float16_scores_and_columns_of_them():
    for scores in (FLOAT16, pl.Series(FLOAT16)):
        y = np.arange(len(FLOAT16)) % 2
        s = cm.sweep(y, scores, bins="unit")
        np.testing.assert_array_equal(s.scores, FLOAT16[::-1].astype(np.float32))
        assert s.bins == "unit"


def test_merged_days_are_the_whole():
    whole = cm.sweep(TRUTH, SCORES, bins="unit")
    cuts = [0, 7, 500, 1500, len(SCORES)]
    days = [cm.sweep(TRUTH[a:b], SCORES[a:b], bins="unit") for a, b in itertools.pairwise(cuts)]
    assert sum(days) == whole
    assert sum(days).to_bytes() == whole.to_bytes()
    assert whole - days[0] == sum(days[1:])
    frame = pl.DataFrame({"y": TRUTH, "s": SCORES, "day": np.arange(len(SCORES)) // 700})
    states = frame.group_by("day").agg(cm.state("y", y_score="s"))
    merged = states.select(merge_states()).item()
    assert merged == frame.select(cm.state("y", y_score="s")).item()


def test_bytes_name_the_map():
    s = cm.sweep([0, 1, 1], [0.1, math.inf, -math.inf], bins="unit")
    data = s.to_bytes()
    assert data[40:44] == bytes([0, 2, 1, 18])  # the map and its version
    back = cm.BinnedSweep.from_bytes(data)
    assert back == s
    assert back.bins == "unit"
    assert [back.upper[0], back.lower[-1]] == [np.inf, -np.inf]
    frame = pl.DataFrame({"y": [0, 1], "s": [0.1, 0.2]})
    unit = frame.select(cm.state("y", y_score="s", bins="unit")).item()
    assert frame.select(cm.state("y", y_score="s")).item() == unit  # the default
    assert unit[40:44] == data[40:44]


@pytest.mark.parametrize("bins", [65536, 2, "float16", [0.0, 0.5, 1.0], None])
def test_other_bins_do_not_merge(bins):
    unit, other = (cm.sweep([0, 1], [0.25, 0.75], bins=b) for b in ("unit", bins))
    for one, two in ((unit, other), (other, unit)):
        with pytest.raises(
            cm.InputError, match=r"cannot add: .*a sweep of unit bins.*same `bins=`"
        ):
            one + two


def test_nan_follows_the_door():
    scores = [0.5, math.nan, 0.75]
    with pytest.raises(cm.InputError, match="score nan at row 1"):
        cm.sweep([0, 1, 1], scores, bins="unit")
    s = cm.sweep([0, 1, 1], scores, bins="unit", nan="drop")
    assert (s.n, s.n_nan) == (2, 1)
    frame = pl.DataFrame({"y": [0, 1, 1], "s": scores})
    state = frame.select(cm.state("y", y_score="s", nan="drop"))
    out = state.select(state_metrics(metrics="roc_auc")).item()
    assert (out["n"], out["n_dropped"]) == (2, 1)


def test_zero_has_no_sign_and_one_is_alone():
    above = np.nextafter(1, 2)
    assert len(set(bins_of(np.array([-0.0, 0.0])))) == 1
    assert len(set(bins_of(np.array([1 - 2**-53, 1.0, above])))) == 3
    s = cm.sweep([0, 1], [1.0, 1.5], bins="unit")
    with pytest.raises(cm.InputError, match="needs probabilities"):
        s.value("brier")
    assert cm.sweep([0, 1], [0.5, 1.0], bins="unit").brier == 0.125


def test_usual_thresholds_are_bounds():
    s = cm.sweep(TRUTH, RNG.random(len(TRUTH)), bins="unit")
    assert not s.is_exact
    for at in (0.0, 0.125, 0.5, 0.75, 1.0):
        assert s.at(at).n == s.n
