"""Accumulated states of slices: byte for byte those of `cm.state` of the rows of each slice."""

import subprocess
import sys
import threading

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import confmat as cm
from confmat import _core
from confmat.frames.state_queries import STATE
from confmat.logs.bin_levels import at_common_level
from confmat.scores.slice_bins import SliceBins

PLENTY = 1 << 40
N_SLICES = 4
SCORES = {"float32": np.float32, "float64": np.float64}
TRUTHS = {
    "bool": ([False, True], None),
    "int": ([0, 1], None),
    "signed": ([-1, 1], None),
    "named": ([3, 8], 8),
    "text": (["no", "yes"], "yes"),
    "other text": (["no", "yes"], "no"),
}
few = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.1])
score = few | st.floats(0, 1, width=32) | st.floats(allow_nan=False, width=32)


def state_name(level):
    return f"unit/{level}" if level else "unit"


def wanted(log, level, pos_label=None, nan="raise", n_slices=N_SLICES):
    """Return the state of each slice, as groups of a frame have it; None of one without rows."""
    state = cm.state(y_score="y_score", bins=state_name(level), pos_label=pos_label, nan=nan)
    found = dict(log.group_by("slice").agg(state).iter_rows())
    return [found.get(slice) for slice in range(n_slices)]


def added(log, cuts, max_bytes=PLENTY, n_slices=N_SLICES, **options):
    bins = SliceBins(max_bytes, **options)
    for first, last in zip([0, *cuts], [*cuts, len(log)], strict=True):
        batch = log[first:last]
        bins.add(batch["slice"], batch["y_true"], batch["y_score"], n_slices)
    return bins


@st.composite
def logs(draw):
    """Draw a frame, its positive label, and where batches end."""
    classes, pos_label = TRUTHS[draw(st.sampled_from(sorted(TRUTHS)))]
    label = st.none() | st.sampled_from(classes)
    value = st.none() | st.just(float("nan")) | score
    row = st.tuples(st.integers(0, N_SLICES - 1), label, value)
    rows = draw(st.lists(row, max_size=40))
    kind = {bool: pl.Boolean, int: pl.Int16, str: pl.String}[type(classes[0])]
    dtype = draw(st.sampled_from([pl.Float32, pl.Float64]))
    schema = {"slice": pl.UInt32, "y_true": kind, "y_score": dtype}
    log = pl.DataFrame(rows, schema=schema, orient="row")
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    return log, pos_label, cuts


@given(logs(), st.randoms())
def test_states_are_those_of_the_rows(drawn, rng):
    log, pos_label, cuts = drawn
    states = added(log, cuts, pos_label=pos_label, nan="drop").states()
    assert (states.dtype, states.name, len(states)) == (pl.Binary, "state", N_SLICES)
    for found, expected in zip(states, wanted(log, 0, pos_label, "drop"), strict=True):
        if expected is not None:
            assert found == expected
        else:
            empty = cm.from_bytes(found)
            assert (empty.n, empty.n_dropped, empty.is_exact) == (0, 0, True)
    order = list(range(len(log)))
    rng.shuffle(order)
    again = added(log[order], cuts[:1], pos_label=pos_label, nan="drop", threads=1).states()
    assert again.to_list() == states.to_list()


def bytes_taken(log, level):
    """Return what slices take at a level: lists up to the size of a table of bins, then that.

    A table counts with as much room for rows that wait, and again for the state.
    """
    width = 4 if log.schema["y_score"] == pl.Float32 else 8
    table = 2 * len(_core.bin_map_lower(state_name(level)))
    full = 2 * table + 2 * (2**17 >> level)
    total = 80 * N_SLICES
    for slice in range(N_SLICES):
        listed = 0
        for label in (False, True):
            left = log.filter(slice=slice, y_true=label).height
            size = sizes = 0
            while left > 0:  # each block doubles what there is, up to 8 KiB
                size = min(max(sizes, 64), 8192)
                sizes += size
                left -= (size - 16) // width
            listed += sizes
        total += listed if listed <= table else full
    return total


@given(
    st.integers(0, 2**32),
    st.sampled_from([0, 7, 255]),
    st.sampled_from(sorted(SCORES)),
    st.integers(13, 21),
    st.lists(st.integers(0, 30_000), max_size=3).map(sorted),
)
@example(1, 7, "float64", 13, [10, 20])
@example(2, 255, "float32", 15, list(range(1_000, 30_000, 1_000)))  # scores are known to level 7
def test_the_level_is_the_finest_that_fits(seed, steps, dtype, size, cuts):
    """It follows from the rows, whatever their order and batches."""
    rng = np.random.default_rng(seed)
    n = 30_000
    scores = rng.random(n) if steps == 0 else rng.integers(0, steps + 1, n) / steps
    log = pl.DataFrame(
        {
            "slice": np.minimum(rng.integers(0, 4, n), rng.integers(0, 4, n)).astype(np.uint32),
            "y_true": rng.random(n) < 0.3,
            "y_score": scores.astype(SCORES[dtype]),
        }
    )
    shuffled = log.sample(fraction=1, shuffle=True, seed=seed)
    if 2**size < added(log, [], 2**15).bytes and size < 15:
        for rows, ends in ((log, cuts), (shuffled, [])):
            with pytest.raises(cm.InputError, match="in the coarsest bins"):
                added(rows, ends, 2**size)
        return
    bins = added(log, cuts, 2**size)
    taken = [bytes_taken(log, level) for level in range(9)]
    assert bins.level == min(level for level in range(9) if taken[level] <= 2**size)
    assert bins.bytes == taken[bins.level] <= 2**size
    assert bins.states().to_list() == wanted(log, bins.level)
    mixed = added(shuffled, [17], 2**size, threads=1)
    assert (mixed.level, mixed.bytes) == (bins.level, bins.bytes)
    assert mixed.states().to_list() == bins.states().to_list()
    finest = added(log, cuts).states()
    for fine, coarse in zip(finest, bins.states(), strict=True):
        assert cm.from_bytes(fine).coarser(bins.level).to_bytes() == coarse


def quantized(rng, slice, n):
    return pl.DataFrame(
        {
            "slice": np.full(n, slice, np.uint32),
            "y_true": rng.random(n) < 0.4,
            "y_score": (rng.integers(0, 256, n) / 255).astype(np.float32),
        }
    )


def test_a_slice_that_gets_no_more_rows_becomes_coarser_too():
    rng = np.random.default_rng(9)
    first, second = quantized(rng, 0, 6_000), quantized(rng, 1, 3_000)
    bins = added(first, [], 7_400)
    assert bins.level == 7
    assert bins.states().to_list()[:1] == wanted(first, 7)[:1]
    assert cm.from_bytes(bins.states()[0]).is_exact
    bins.add(second["slice"], second["y_true"], second["y_score"], N_SLICES)
    assert bins.level == 8
    assert bins.states().to_list()[:2] == wanted(pl.concat([first, second]), 8)[:2]
    assert not cm.from_bytes(bins.states()[0]).is_exact


@pytest.mark.parametrize("rows", range(50, 701, 50))
def test_a_list_stays_as_long_as_it_is_the_smaller(rows):
    rng = np.random.default_rng(rows)
    log = pl.concat([quantized(rng, slice, 6_000) for slice in (0, 2)])
    assert added(log, [], 11_000).level == 8
    log = pl.concat([log, quantized(rng, 1, rows)])
    bins = added(log, [12_000], 11_000)
    assert bins.bytes == bytes_taken(log, 8)


def test_small_slices_stay_fine_beside_large_ones():
    rng = np.random.default_rng(5)
    n, small = 200_000, 5_000
    slices = np.concatenate([rng.integers(0, small, n), np.full(n, small)]).astype(np.uint32)
    y, scores = rng.random(2 * n) < 0.4, rng.random(2 * n, dtype=np.float32)
    bins = SliceBins(8 << 20)
    bins.add(slices, y, scores, small + 1)
    assert bins.level == 0
    tight = SliceBins(bins.bytes - 500_000)
    tight.add(slices, y, scores, small + 1)
    assert tight.level > 0
    log = pl.DataFrame({"slice": slices, "y_true": y, "y_score": scores})
    for one in (bins, tight):
        expected = wanted(log, one.level, n_slices=small + 1)
        assert one.states().to_list() == expected


def test_slices_that_come_later():
    bins = SliceBins(PLENTY)
    assert (bins.n_slices, bins.level, bins.bytes, len(bins.states())) == (0, 0, 0, 0)
    one = np.array([0], np.uint32)
    bins.add(one, [1], [0.5], 1)
    bins.add(one + 99, [0], [0.5], 100)
    states = bins.states()
    assert len(states) == bins.n_slices == 100
    merged = cm.from_bytes(pl.DataFrame({"s": states}).select(pl.col("s").cm.merge_states()).item())
    assert merged == cm.sweep([1, 0], [0.5, 0.5], bins="unit")


def test_columns_of_many_makers():
    rng = np.random.default_rng(6)
    n = 5_000
    slices, y = rng.integers(0, 3, n).astype(np.uint32), rng.random(n) < 0.5
    scores = (rng.integers(0, 2000, n) / 2000).astype(np.float16)
    bins = SliceBins(PLENTY)
    bins.add(slices, y, scores, 3)
    for slice, state in enumerate(bins.states()):
        at = slices == slice
        assert state == cm.sweep(y[at], scores[at], bins="unit").to_bytes()
    texts = np.where(y, "yes", "no")
    makers = [
        pl.Series(texts),
        pl.Series(texts, dtype=pl.Categorical),
        pl.Series(texts, dtype=pl.Enum(["yes", "no"])),
        pa.array(texts.tolist()),
        pa.chunked_array([texts[:77].tolist(), texts[77:].tolist()]),
        texts.tolist(),
    ]
    found = set()
    for truth in makers:
        bins = SliceBins(PLENTY, pos_label="yes")
        chunks = pa.chunked_array([slices[:1000], slices[1000:1003], slices[1003:]])
        bins.add(chunks, truth, pa.array(scores.astype(np.float64)), 3)
        found.add(tuple(bins.states()))
    assert len(found) == 1
    integers = SliceBins(PLENTY)
    integers.add(np.zeros(3, np.uint32)[::-1], np.array([1, 0, 1]), np.array([5, -7, 300]), 1)
    assert integers.states().item() == cm.sweep([1, 0, 1], [5, -7, 300], bins="unit").to_bytes()


def test_batches_without_values_say_nothing_of_types():
    nothing = pl.Series([None, None])
    at = np.zeros(2, np.uint32)
    bins = SliceBins(PLENTY)
    bins.add(at, nothing, nothing, 1)
    bins.add(at, [True, False], nothing, 1)
    bins.add(at, [True, False], np.array([0.25, 0.5], np.float32), 1)
    bins.add(at, nothing, nothing, 1)
    s = cm.from_bytes(bins.states().item())
    assert (s.n, s.n_dropped) == (2, 6)
    assert s.scores.dtype == np.float32


def test_what_is_refused():
    at = np.zeros(2, np.uint32)
    y, s = [0, 1], [0.2, 0.6]

    def refused(match, slices=at, y=y, s=s, n_slices=1, before=(), **options):
        bins = SliceBins(PLENTY, **options)
        for batch in before:
            bins.add(at, *batch, 1)
        kept = bins.states().to_list()
        with pytest.raises(cm.InputError, match=match):
            bins.add(slices, y, s, n_slices)
        assert bins.states().to_list()[: len(kept)] == kept
        if before:
            bins.add(at, *before[0], 1)

    refused(
        "slice 7 at row 1 of `slices`; wanted less than 7", np.array([6, 7], np.uint32), n_slices=7
    )
    refused("`slices` is null at row 1;", pl.Series([0, None], dtype=pl.UInt32))
    refused("`slices` has dtype Int64: wanted uint32", np.zeros(2, np.int64))
    refused("`n_slices` is 0 after 1", n_slices=0, before=[(y, s)])
    refused(r"score nan at row 1 of `y_score`.*nan=\"drop\"", s=[0.2, np.nan])
    refused("`y_score` holds float32 after batches of float64", s=np.float32(s), before=[(y, s)])
    refused("`y_true` holds booleans after batches of integers", y=[True, False], before=[(y, s)])
    refused("label 2 at row 1 of `y_true` is neither 0 nor 1", y=[0, 2])
    refused("label -1 at row 0 of `y_true` is neither 0 nor 1", y=[-1, 1], before=[(y, s)])
    refused(
        "label 4 at row 1 of `y_true` is a third class beside 3 and 5;",
        y=[3, 4],
        before=[([3, 5], s)],
        pos_label=5,
    )
    refused("`y_true` holds strings", y=["a", "b"])
    refused("unequal|lengths|rows", y=[0, 1, 1])
    tight = SliceBins(100)
    with pytest.raises(
        cm.InputError, match="`max_bytes` is 100, but the rows of 2 slices take 288 in"
    ):
        tight.add(at, y, s, 2)
    with pytest.raises(cm.InputError, match="an error ended an earlier call"):
        tight.states()
    with pytest.raises(cm.InputError, match="`nan` is 'skip'"):
        SliceBins(PLENTY, nan="skip")


def test_errors_count_the_rows_before():
    at = np.zeros(3, np.uint32)
    for match, slices, y, s in (
        ("score nan at row 1002 of `y_score`", at, [0, 1, 1], [0.1, 0.2, np.nan]),
        ("label 2 at row 1001 of `y_true`", at, [0, 2, 1], [0.1, 0.2, 0.3]),
        ("slice 9 at row 1000 of `slices`", at + np.array([9, 0, 0]), [0, 1, 1], [0.1, 0.2, 0.3]),
    ):
        bins = SliceBins(PLENTY)
        with pytest.raises(cm.InputError, match=match):
            bins.add(slices.astype(np.uint32), y, s, 1, rows_before=1000)


def test_threads_of_python_take_turns():
    rng = np.random.default_rng(8)
    n = 300_000
    slices, y = rng.integers(0, 50, n).astype(np.uint32), rng.random(n) < 0.2
    scores = rng.random(n, dtype=np.float32)
    bins = SliceBins(PLENTY)
    threads = [
        threading.Thread(target=bins.add, args=(slices[i::4], y[i::4], scores[i::4], 50))
        for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = SliceBins(PLENTY)
    whole.add(slices, y, scores, 50)
    assert bins.states().to_list() == whole.states().to_list()


@pytest.mark.parametrize("scores", ["of their own bins", "of shared bins"])
@pytest.mark.parametrize("dtype", SCORES)
def test_slices_of_few_and_of_many_rows(scores, dtype):
    rng = np.random.default_rng(3)
    n = 60_000
    number = rng.integers(0, 256, n) / 255 if scores == "of their own bins" else rng.random(n)
    log = pl.DataFrame(
        {
            "slice": np.where(rng.random(n) < 0.9, 0, rng.integers(1, 9, n)).astype(np.uint32),
            "y_true": rng.random(n) < 0.3,
            "y_score": number.astype(SCORES[dtype]),
        }
    )
    assert added(log, [20_000], n_slices=9).states().to_list() == wanted(log, 0, n_slices=9)


@pytest.mark.parametrize("dtype", [pl.Float16, pl.Float32, pl.Float64])
def test_merged_states_have_the_level_of_all_rows(dtype):
    rng = np.random.default_rng(6)
    scores = pl.Series(rng.integers(0, 200, 9_000) / 200).cast(dtype)
    at, y = rng.integers(0, 3, 9_000).astype(np.uint32), rng.random(9_000) < 0.4
    for size in range(14, 21):
        bins, fine = SliceBins(2**size), SliceBins(PLENTY)
        bins.add(at, y, scores, 3)
        fine.add(at, y, scores, 3)
        states = at_common_level(pl.DataFrame({STATE: fine.states()}), dtype, 2**size)
        assert states[STATE].to_list() == bins.states().to_list(), size


LEFT_WITHOUT_MEMORY = """
import resource
import numpy as np
from confmat.scores.slice_bins import SliceBins

n = 1 << 20
at, y, s = np.zeros(n, np.uint32), np.arange(n) % 2, np.arange(n) / n
bins = SliceBins(1 << 30, threads=1)
bins.add(at[:10], y[:10], s[:10], n_slices=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limits = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + 8_000_000, limits[1]))
try:
    bins.add(at, y, s, n_slices=1)
except MemoryError:
    print("no memory")
resource.setrlimit(resource.RLIMIT_AS, limits)
bins.add(at, y, s, n_slices=1)
print(len(bins.states()))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space are Linux's here")
def test_rows_come_again_after_there_was_no_memory_for_them():
    asked = [sys.executable, "-c", LEFT_WITHOUT_MEMORY]
    left = subprocess.run(asked, check=False, capture_output=True)
    assert left.returncode == 0, left.stderr.decode()
    assert left.stdout.split() == [b"no", b"memory", b"1"]
