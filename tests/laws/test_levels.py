"""Levels of "unit" bins: a coarser state is what the rows give there, and merges in any order."""

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat import _core

MAX = _core.MAX_LEVEL
levels = st.integers(0, MAX)
places = st.integers(0, 8).map(lambda k: k / 8) | st.floats(0, 1)
any_score = places | st.floats(allow_nan=False) | st.sampled_from([-0.0, 1 + 2**-52, 1 - 2**-53])
FEW = ("roc_auc", "average_precision", "ks", "eer", "brier", "log_loss", "ece")


def cast(scores, dtype):
    with np.errstate(over="ignore", under="ignore"):
        return scores.astype(dtype)


def name(level):
    return f"unit/{level}" if level else "unit"


@st.composite
def rows(draw, score=any_score, least=0):
    """Draw labels, scores, and weights or None."""
    some = draw(st.lists(st.tuples(st.booleans(), score), min_size=least, max_size=25))
    weight = draw(st.sampled_from([None, "int", "float"]))
    n = len(some)
    weights = None
    if weight == "int":
        weights = draw(st.lists(st.integers(0, 2**40), min_size=n, max_size=n))
    if weight == "float":
        weights = draw(st.lists(st.sampled_from([0.1, 2.0**-60, 3.0]), min_size=n, max_size=n))
    dtype = draw(st.sampled_from([np.float64, np.float32]))
    scores = cast(np.array([s for _, s in some], dtype=np.float64), dtype)
    return np.array([y for y, _ in some], dtype=bool), scores, weights


def swept(rows, level=0):
    y, scores, weights = rows
    return cm.sweep(y, scores, sample_weight=weights, bins=name(level))


@given(rows(), levels, levels)
def test_coarser_is_what_the_rows_give(rows, level, further):
    fine = swept(rows)
    coarse = fine.coarser(level)
    assert coarse == swept(rows, level)
    assert (coarse.level, coarse.bins) == (level, name(level))
    if rows[2] is None:
        assert coarse.to_bytes() == swept(rows, level).to_bytes()
    if further >= level:
        assert coarse.coarser(further) == fine.coarser(further)
        assert coarse.coarser(further).to_bytes() == fine.coarser(further).to_bytes()


@given(st.lists(st.tuples(rows(), levels), min_size=1, max_size=5), levels, st.randoms())
def test_merged_then_coarser_is_coarser_then_merged(parts, level, rng):
    dtype = parts[0][0][1].dtype
    fine = [swept((y, cast(s, dtype), w)) for (y, s, w), _ in parts]
    mixed = [one.coarser(k) for one, (_, k) in zip(fine, parts, strict=True)]
    coarsest = max(k for _, k in parts)
    wanted = cm.merge(fine).coarser(coarsest)
    assert cm.merge([one.coarser(coarsest) for one in fine]) == wanted
    assert (wanted.is_exact, wanted.level) == (cm.merge(mixed).is_exact, coarsest)
    for _ in range(3):
        rng.shuffle(mixed)
        assert cm.merge(mixed) == wanted
        assert cm.merge(mixed).to_bytes() == wanted.to_bytes()
        assert cm.merge([one.to_bytes() for one in mixed]).to_bytes() == wanted.to_bytes()
    assert cm.merge(mixed).coarser(max(level, coarsest)) == wanted.coarser(max(level, coarsest))


@given(rows(), rows(), levels, levels)
def test_taken_away(one, other, k, j):
    y, scores, weights = other
    other = y, cast(scores, one[1].dtype), weights
    both = swept(one) + swept(other)
    left = (both.coarser(k) - swept(other, j)).coarser(max(k, j))
    wanted = (both - swept(other)).coarser(max(k, j))
    np.testing.assert_array_equal(left.lower, wanted.lower)
    np.testing.assert_array_equal(left.positives, wanted.positives)
    np.testing.assert_array_equal(left.negatives, wanted.negatives)
    assert left.level == max(k, j)
    assert wanted.is_exact or not left.is_exact


@given(rows(st.floats(0, 1), least=1), levels)
def test_intervals_hold_the_exact_values(rows, level):
    exact = cm.sweep(rows[0], rows[1], sample_weight=rows[2])
    coarse = swept(rows, level)
    assert coarse.is_exact == (len(coarse) == len(exact))
    if coarse.is_exact:
        assert coarse.scores.tolist() == exact.scores.tolist()
    for metric in FEW:
        value = exact.value(metric)
        low, high = coarse.bounds(metric)
        assert (np.isnan(value) and np.isnan(low)) or low <= value <= high
        assert not coarse.is_exact or low == high or np.isnan(low)


@pytest.mark.parametrize("level", range(MAX + 1))
def test_bins_of_a_level_join_those_before(level):
    lower = _core.bin_map_lower(name(level))
    assert np.isin(lower, _core.bin_map_lower("unit")).all()
    assert np.isin([0.0, 0.25, 0.5, 0.75, 1.0, 2.0**-20, 1 - 2.0**-20], lower).all()
    if level:
        before = _core.bin_map_lower(name(level - 1))
        assert np.isin(lower, before).all()
        assert abs(2 * len(lower) - len(before)) <= 3
    middle = lower[(lower >= 2**-5) & (lower <= 1 - 2**-5)]
    assert np.diff(middle).max() == 2.0 ** (level - 15)


def test_many_states_of_mixed_levels():
    """More entries than are added one by one, so that they go through the table of all bins."""
    rng = np.random.default_rng(4)
    y, scores = rng.integers(0, 2, 60_000), rng.random(60_000)
    parts = [cm.sweep(y[i::6], scores[i::6], bins="unit") for i in range(6)]
    wanted = cm.sweep(y, scores, bins="unit/3")
    for at in itertools.permutations(range(6), 2):
        mixed = [part.coarser(3 if i in at else i % 3) for i, part in enumerate(parts)]
        assert cm.merge(mixed) == wanted
        assert cm.merge(mixed).to_bytes() == wanted.to_bytes()


def test_doors_read_states_of_any_level():
    rng = np.random.default_rng(7)
    log = pl.DataFrame({"day": rng.integers(0, 4, 900), "y_score": rng.random(900)})
    log = log.with_columns(y_true=(rng.random(900) < log["y_score"].to_numpy()))
    for level in range(MAX + 1):
        days = log.group_by("day", maintain_order=True).agg(
            cm.state(y_score="y_score", bins=name(level))
        )
        for day, state in days.rows():
            rows = log.filter(day=day)
            assert state == cm.sweep(rows["y_true"], rows["y_score"], bins=name(level)).to_bytes()
        whole = cm.sweep(log["y_true"], log["y_score"], bins=name(level))
        month = days.select(pl.col("state").cm.merge_states())
        assert month.item() == whole.to_bytes()
        assert cm.from_bytes(month.item()) == whole
        metrics = month.select(pl.col("state").cm.state_metrics(["roc_auc", "brier"]))
        found = metrics.unnest("metrics").row(0, named=True)
        assert found["roc_auc"] == pytest.approx(whole.roc_auc, abs=1e-15)
        assert found["brier"] == pytest.approx(whole.brier, abs=1e-15)
        assert found["roc_auc_lo"] <= whole.roc_auc <= found["roc_auc_hi"]
        curve = month.select(pl.col("state").cm.state_curve("roc")).item()
        assert len(curve) == len(whole) + 1
        parts = cm.partial(log, y_score="y_score", by="day", bins=name(level))
        assert cm.finish(cm.merge(parts, by=[]), ["roc_auc"])["roc_auc"].item() == found["roc_auc"]
    mixed = pl.concat(
        cm.partial(log.filter(day=day), y_score="y_score", bins=name(2 * day)) for day in range(4)
    )
    merged = cm.merge(mixed, by=[])
    column = next(name for name, kind in merged.schema.items() if kind == pl.Binary)
    assert cm.from_bytes(merged[column].item()) == cm.sweep(
        log["y_true"], log["y_score"], bins="unit/6"
    )


def test_what_has_no_such_level_is_refused():
    s = cm.sweep([0, 1], [0.2, 0.6], bins="unit")
    for level in (-1, 9, 2**70, 1.5, True, "2"):
        with pytest.raises(cm.InputError, match=r"`level` is .*; wanted"):
            s.coarser(level)
    with pytest.raises(cm.InputError, match="`level` is 2; wanted 3, the level of the sweep, to 8"):
        s.coarser(3).coarser(2)
    with pytest.raises(cm.InputError, match="a sweep of 64 bins has no levels; wanted a"):
        cm.sweep([0, 1], [0.2, 0.6], bins=64).coarser(1)
    assert cm.sweep([0, 1], [0.2, 0.6], bins=64).level is None
    with pytest.raises(cm.InputError, match="and a sweep of unit/2 bins"):
        cm.sweep([0, 1], [0.2, 0.6], bins=64) + s.coarser(2)
    for bins in ("unit/0", "unit/9", "unit/10", "unit/", "unit/a", "float16/1"):
        with pytest.raises(cm.InputError, match="`bins` is"):
            cm.sweep([0, 1], [0.2, 0.6], bins=bins)
