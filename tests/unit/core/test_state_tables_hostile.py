"""Bytes of tables of slices that were cut, changed or forged: an error of ours, or a table."""

import random
import struct

import polars as pl
import pytest
from support.forged import forged
from support.kept_tables import SAVED, TABLES

import confmat as cm
from confmat.state_tables import merge_tables, read_table, table_bytes

each = pytest.mark.parametrize("name", TABLES)


def counts(*cells):
    """Return the state of a matrix of two classes."""
    return cm.ConfusionMatrix([cells[:2], cells[2:]]).to_bytes()


def table(asked, state):
    """Return the table of one slice."""
    frame = pl.DataFrame({"site": ["a"], "state": pl.Series([state], dtype=pl.Binary)})
    return table_bytes(frame, asked, {})


@each
def test_every_prefix_and_every_bit_flip_is_refused(name):
    data, rng = bytearray(SAVED[name]), random.Random(name)
    places = range(len(data)) if len(data) < 400 else rng.sample(range(len(data)), 150)
    for end in places:
        with pytest.raises(cm.StateError):
            read_table(bytes(data[:end]))
        data[end] ^= 1 << (bit := rng.randrange(8))
        with pytest.raises(cm.StateError):
            read_table(bytes(data))
        data[end] ^= 1 << bit
    with pytest.raises(cm.StateError):
        read_table(bytes(data) + b"\0")
    with pytest.raises(cm.StateError, match="at position 1"):
        merge_tables([SAVED[name], SAVED[name][:-1]])


@each
def test_forged_tables_are_refused_or_read(name):
    """With a checksum that is right: an error of ours, or a table that is written as it was."""
    rng, whole = random.Random(name), SAVED[name]
    words = [struct.pack("<Q", w) for w in (0, 1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1)]
    for _ in range(300):
        at = rng.randrange(8, len(whole) - 12)
        made = forged(whole, at, rng.choice([bytes([rng.randrange(256)]), *words]))
        try:
            back = read_table(made)
        except cm.StateError:
            continue
        assert table_bytes(*back) == made


def test_changed_states_within_are_refused():
    state = counts(1, 2, 3, 4)
    data = table({}, state)
    at = data.index(state)
    with pytest.raises(cm.StateError, match="checksum does not match"):
        read_table(forged(data, at + len(state) - 8, b"\xff"))
    kind = data.index(state) + 10
    with pytest.raises(cm.StateError, match="a table lies within a table"):
        read_table(forged(data, kind, b"\6"))


def test_other_texts_of_what_was_asked_are_refused():
    data = table({"a": 1}, None)
    for text, words in (
        (b'{"a" 1}', "no JSON"),
        (b'{"a":1 ', "no JSON"),
        (b"[1,2,3]", "not written"),
        (b'{"a":.1', "no JSON"),
        (b"NaN    ", "not written"),
    ):
        at = data.index(b'{"a":1}')
        with pytest.raises(cm.StateError, match=words):
            read_table(forged(data, at, text))


@pytest.mark.parametrize(
    ("value", "dtype", "other"),
    [
        (300, pl.Int16, "UInt8"),
        (-1, pl.Date, "Time"),
        (1, pl.Date, "Null"),
        (1, pl.Date, "List"),
        (0.1, pl.Float64, "Float32"),
        (0.5, pl.Float64, "Boolean"),
        (2**40, pl.UInt64, "UInt32"),
    ],
)
def test_keys_that_are_none_of_their_type_are_refused(value, dtype, other):
    key = pl.Series([value]).cast(dtype)
    data = table_bytes(pl.DataFrame({"key": key, "state": [counts(1, 0, 0, 0)]}), {}, {})
    text = f'["{dtype}"]'
    made = f'["{other}"]'
    assert len(made) == len(text)
    with pytest.raises(cm.StateError, match="the key 'key' does not hold values"):
        read_table(forged(data, data.index(text.encode()), made.encode()))


@pytest.mark.parametrize(
    "key", [pl.Series(["b"], dtype=pl.Enum(["a", "b"])), pl.Series([True])], ids=["enum", "bool"]
)
def test_a_value_beyond_the_last_is_refused(key):
    data = table_bytes(pl.DataFrame({"key": key, "state": [counts(1, 0, 0, 0)]}), {}, {})
    at = data.index(counts(1, 0, 0, 0)) - 10  # before the sizes of states
    assert data[at] == 1
    with pytest.raises(cm.StateError, match="the key 'key' does not hold values"):
        read_table(forged(data, at, b"\2"))
