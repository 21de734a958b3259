"""States that found other labels each: their sum is the state of all rows, to the byte."""

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from support.forged import forged

import confmat as cm

MERGED = pl.col("state").cm.merge_states()


def check(frame: pl.DataFrame) -> None:
    """Merge the states of `part` to those of `group`; each must be that of its rows."""
    parts = frame.group_by("group", "part").agg(state=cm.state("y", "p"))
    for row in parts.group_by("group").agg(MERGED).iter_rows(named=True):
        rows = frame.filter(group=row["group"])
        assert row["state"] == cm.confusion_matrix(rows["y"], rows["p"]).to_bytes()


def rows_of(n: int, labels: int, parts: int, groups: int, spread: int) -> pl.DataFrame:
    """Return rows whose labels are `spread` neighbours in each part."""
    rng = np.random.default_rng(labels + parts)
    part = rng.integers(0, parts, n)
    first = (part * 7919) % labels
    y, p = ((first + rng.integers(0, spread, n)) % labels for _ in range(2))
    return pl.DataFrame({"group": part % groups, "part": part, "y": y, "p": p})


@pytest.mark.parametrize("dtype", [pl.Int64, pl.String])
@pytest.mark.parametrize(
    "shape",
    [
        (3_000, 12, 300, 4, 4),
        (3_000, 900, 100, 3, 20),
        (4_000, 3_000, 60, 2, 40),  # more labels than one table has
        (3_000, 70, 30, 5, 70),
    ],
)
def test_sums_are_states_of_all_rows(shape: tuple[int, ...], dtype: pl.DataType) -> None:
    check(rows_of(*shape).with_columns(pl.col("y", "p").cast(dtype)))


def test_more_sets_of_labels_than_are_kept_in_mind() -> None:
    rng = np.random.default_rng(1)
    n, parts = 40_000, 9_000
    part = rng.integers(0, parts, n)
    frame = pl.DataFrame({"group": part % 2, "part": part, "y": rng.integers(0, 40, n)})
    check(frame.with_columns(p=(pl.col("y") * 7 + pl.col("part")) % 40))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2), st.integers(0, 5), *[st.one_of(st.none(), st.integers(-3, 300))] * 2
        ),
        max_size=40,
    ),
    st.sampled_from([pl.Int64, pl.String]),
)
def test_random_rows(rows: list, dtype: pl.DataType) -> None:
    schema = dict.fromkeys(("group", "part", "y", "p"), pl.Int64)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    check(frame.with_columns(pl.col("y", "p").cast(dtype)))


def test_states_of_no_rows_have_labels_of_no_kind() -> None:
    nothing = cm.confusion_matrix(pl.Series([None], dtype=pl.Int64), pl.Series([1]))
    texts = cm.confusion_matrix(["a", "b"], ["b", "b"])
    states = [x.to_bytes() for x in (nothing, texts, nothing)]
    for some in (states, states[1:], states[:2]):
        frame = pl.DataFrame({"state": some})
        merged = cm.from_bytes(frame.select(MERGED).item())
        assert merged.labels == ("a", "b")
        assert merged.n_dropped == len(some) - 1


def test_labels_that_have_no_rows_stay() -> None:
    two = cm.confusion_matrix([0, 7], [0, 7])
    rest = two - cm.confusion_matrix([7], [7])
    frame = pl.DataFrame({"state": [rest.to_bytes(), cm.confusion_matrix([1], [0]).to_bytes()]})
    assert cm.from_bytes(frame.select(MERGED).item()).labels == (0, 1, 7)
    nothing = two - two
    for states in ([nothing, nothing], [nothing, two], [two, nothing]):
        frame = pl.DataFrame({"state": [x.to_bytes() for x in states]})
        merged = cm.from_bytes(frame.select(MERGED).item())
        assert (merged.labels, merged.n) == ((0, 7), 2 if two in states else 0)


def test_found_labels_beside_given_ones() -> None:
    given_labels = cm.confusion_matrix([2, 0], [0, 0], labels=[2, 1, 0])
    found = [cm.confusion_matrix([0, 1], [1, 1]), cm.confusion_matrix([2], [0])]
    for states in (
        [given_labels, *found],
        [*found, given_labels],
        [found[0], given_labels, found[1]],
    ):
        frame = pl.DataFrame({"state": [x.to_bytes() for x in states]})
        merged = cm.from_bytes(frame.select(MERGED).item())
        assert merged.labels == (2, 1, 0)
        assert merged.counts.tolist() == [[0, 0, 2], [0, 1, 0], [0, 1, 1]]


@pytest.mark.parametrize("first", [0, 1])
def test_texts_beside_integers_are_refused(first: int) -> None:
    states = [cm.confusion_matrix([1, 2], [1, 1]), cm.confusion_matrix(["a"], ["b"])]
    frame = pl.DataFrame({"state": [states[first].to_bytes(), states[1 - first].to_bytes()]})
    with pytest.raises(pl.exceptions.ComputeError, match="cannot add: labels differ"):
        frame.select(MERGED)


@pytest.mark.parametrize("at", [0, 100, 1_999])
def test_a_changed_byte_is_refused_on_every_core(at: int) -> None:
    states = [cm.confusion_matrix([i % 3, 4], [4, i % 5]).to_bytes() for i in range(2_000)]
    bad = bytearray(states[at])
    bad[-9] ^= 1
    states[at] = bytes(bad)
    frame = pl.DataFrame({"state": states, "group": [i % 50 for i in range(2_000)]})
    for query in (
        frame.lazy().group_by("group").agg(MERGED),
        frame.lazy().select(pl.col("state").cm.state_metrics(["accuracy"])),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match="the checksum does not match"):
            query.collect()


def merged(states: list[bytes]) -> bytes | None:
    """Return the sum of states, or None where it is refused."""
    try:
        return pl.DataFrame({"state": states}).select(MERGED).item()
    except pl.exceptions.ComputeError:
        return None


@pytest.mark.parametrize(
    "m",
    [
        cm.confusion_matrix([0, 1, 1, 5], [0, 1, 0, 5]),
        cm.confusion_matrix([*range(12)], [*range(12)]),
        cm.confusion_matrix(["a", "b", "b"], ["b", "b", "a"]),
        cm.confusion_matrix([3, 1] * 300, [1, 1] * 300, labels=[3, 1]),
        cm.confusion_matrix([1, None], [None, 1]),
    ],
    ids=["dense", "sparse", "texts", "given", "nothing"],
)
def test_what_is_read_alone_is_what_is_summed(m: cm.ConfusionMatrix) -> None:
    state, rng = m.to_bytes(), np.random.default_rng(7)
    for _ in range(400):
        at = int(rng.integers(8, len(state) - 4))
        new = bytes([state[at] ^ (1 << int(rng.integers(8)))])
        changed = forged(state, at, new)
        try:
            wanted = cm.from_bytes(changed).to_bytes()
        except cm.StateError:
            wanted = None
        assert merged([changed]) == wanted, (at, new)
        beside = merged([state, changed])
        if wanted is None:
            assert beside is None, (at, new)
        elif beside is not None:
            assert beside == (m + cm.from_bytes(changed)).to_bytes()
