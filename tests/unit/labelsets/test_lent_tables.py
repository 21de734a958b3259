"""Tables and lists that hand all of their columns over at once: cut, in chunks, with nulls."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support.polars_releases import KNOWS_EXTENSIONS, READS_HIDDEN_ITEMS

import confmat as cm

NAMES = ["a", "b", "c"]
TRUTH = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 1]])
PRED = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1]])
WANTED = cm.multilabel(TRUTH, PRED, labels=NAMES)


def frame(table, dtype=pl.Int64):
    return pl.DataFrame(dict(zip(NAMES, table.T, strict=True))).cast(dtype)


def cut_frame(table):
    return frame(np.vstack([1 - table[:2], table, table]))[2:7]


def structs(table):
    """Return an array of structs that is cut, whose children are not."""
    fields = [pa.array(np.concatenate([[7, 7], part, [7]])) for part in table.T]
    return pa.StructArray.from_arrays(fields, NAMES)[2:7]


TABLES = {
    "Int64": frame,
    "Booleans": lambda table: frame(table, pl.Boolean),
    "Float32": lambda table: frame(table, pl.Float32),
    "Float16": lambda table: frame(table, pl.Float16),
    "Int128": lambda table: frame(table, pl.Int128),
    "mixed": lambda table: frame(table).cast({"a": pl.Boolean, "b": pl.UInt8}),
    "cut": cut_frame,
    "chunks": lambda table: pl.concat([frame(table[:1]), frame(table[1:])], rechunk=False),
    "chunks of columns": lambda table: pl.concat(
        [frame(table[:1]), frame(table[1:])], rechunk=False
    ).with_columns(b=pl.Series(table[:, 1])),
    "pyarrow": lambda table: frame(table).to_arrow(),
    "pyarrow Booleans": lambda table: cut_frame(table).cast(pl.Boolean).to_arrow(),
    "pyarrow cut": lambda table: pa.table(frame(np.vstack([table, table])).to_arrow())[5:],
    "pyarrow batch": lambda table: frame(table).to_arrow().to_batches()[0],
    "pyarrow halves": lambda table: pa.table(
        {name: pa.array(part.astype(np.float16)) for name, part in zip(NAMES, table.T, strict=True)}
    ),
    "pyarrow structs": structs,
    "dict": lambda table: frame(table).to_dict(),
}


@pytest.mark.parametrize("form", TABLES)
def test_tables_however_they_lie(form):
    found = cm.multilabel(TABLES[form](TRUTH), TABLES[form](PRED))
    assert found == WANTED
    assert found.labels == tuple(NAMES)


@pytest.mark.parametrize("form", ["Int64", "cut", "chunks", "pyarrow", "pyarrow structs", "dict"])
def test_other_values_are_told_with_their_row(form):
    bad = TRUTH.copy()
    bad[3, 1] = bad[4, 0] = 2
    with pytest.raises(cm.InputError, match=r"^`y_pred` holds 2 at row 3 of column 1; wanted 0"):
        cm.multilabel(TABLES[form](TRUTH), TABLES[form](bad))


@pytest.mark.parametrize("lend", [lambda table: table, lambda table: table.to_arrow()])
def test_rows_with_nulls_are_left_out(lend):
    holes = frame(PRED).with_columns(c=pl.Series([0, None, 1, 0, None], dtype=pl.Int8))
    found = cm.multilabel(lend(frame(TRUTH)), lend(holes))
    assert found.n_dropped == 2
    rest = [0, 2, 3]
    assert found.counts.tolist() == cm.multilabel(TRUTH[rest], PRED[rest]).counts.tolist()
    with pytest.raises(cm.InputError, match="null at row 1"):
        cm.multilabel(lend(frame(TRUTH)), lend(holes), nulls="raise")


def test_structs_that_are_null_are_rows_with_nulls():
    fields = [pa.array(part) for part in PRED.T]
    mask = pa.array([False, True, False, False, False])
    holes = pa.StructArray.from_arrays(fields, NAMES, mask=mask)
    found = cm.multilabel(frame(TRUTH), holes)
    rest = [0, 2, 3, 4]
    assert found.n_dropped == 1
    assert found.counts.tolist() == cm.multilabel(TRUTH[rest], PRED[rest]).counts.tolist()


def test_columns_that_are_not_indicators_are_told():
    texts = frame(PRED).with_columns(b=pl.lit("1"))
    for lent in (texts, texts.to_arrow()):
        with pytest.raises(cm.InputError, match="has column 1 of String; wanted Booleans, or 0"):
            cm.multilabel(frame(TRUTH), lent)


def test_arrays_of_one_length():
    for dtype in (pl.Boolean, pl.UInt8, pl.Float64):
        sides = [pl.Series(table, dtype=pl.Array(pl.Int64, 3)) for table in (TRUTH, PRED)]
        cast = [side.cast(pl.Array(dtype, 3)) for side in sides]
        assert cm.multilabel(*cast, labels=NAMES) == WANTED
        rest = cm.multilabel(*(side[2:] for side in cast), labels=NAMES)
        assert rest == cm.multilabel(TRUTH[2:], PRED[2:], labels=NAMES)
    bad = pl.Series([[0, 1, 0], [1, 0, 3]], dtype=pl.Array(pl.Int64, 3))
    with pytest.raises(cm.InputError, match="holds 3 at row 1 of column 2"):
        cm.multilabel(bad, bad)
    for holes in ([[0, 1], None], [[0, 1], [None, 1]]):
        array = pl.Series(holes, dtype=pl.Array(pl.Int64, 2))
        with pytest.raises(cm.InputError, match="holds a null; wanted none in rows of indicators"):
            cm.multilabel(array, array)


SETS = [["x"], [], ["y", "x"], ["z"], ["y"]]


def lists(values, kind=pa.large_list):
    return pa.array(values, type=kind(pa.string()))


def hiding(values):
    """Return lists of which the third is null and has items all the same."""
    whole = lists(values)
    mask = pa.array([False, False, True, False, False])
    found = pa.LargeListArray.from_arrays(whole.offsets, whole.values, mask=mask)
    assert len(found.values) == len(whole.values)
    return found


LISTS = {
    "large": lists,
    "small": lambda sets: lists(sets, pa.list_),
    "cut": lambda sets: lists([["w"], *sets, ["w", "x"]])[1:6],
    "chunks": lambda sets: pa.chunked_array([lists(sets[:2]), lists(sets[2:2]), lists(sets[2:])]),
    "Polars": lambda sets: pl.Series(sets, dtype=pl.List(pl.String)),
    "Polars cut": lambda sets: pl.Series([["w"], *sets, ["w"]])[1:6],
    "views of texts": lambda sets: pa.array(sets, type=pa.large_list(pa.string_view())),
    "dictionaries": lambda sets: pa.array(
        sets, type=pa.list_(pa.dictionary(pa.int8(), pa.string()))
    ),
}


@pytest.mark.parametrize("form", LISTS)
def test_lists_however_they_lie(form):
    pred = [["x"], ["x"], ["x"], [], ["y", "z"]]
    found = cm.multilabel(LISTS[form](SETS), LISTS[form](pred))
    assert found.labels == ("x", "y", "z")
    assert found == cm.multilabel(SETS, pred)


def test_items_behind_nulls_are_nothing():
    kept = [*SETS[:2], *SETS[3:]]
    for lent in (hiding(SETS), pl.Series(hiding(SETS)))[: 1 + READS_HIDDEN_ITEMS]:
        found = cm.multilabel(lent, lists(SETS))
        assert found.n_dropped == 1
        assert (
            found.counts.tolist() == cm.multilabel(kept, kept, labels=list("xyz")).counts.tolist()
        )
    with pytest.raises(cm.InputError, match="null at row 2"):
        cm.multilabel(hiding(SETS), lists(SETS), nulls="raise")


def test_faults_in_lists_are_told_with_their_row():
    holes = pa.array([["x"], ["x"], ["y", None]], type=pa.list_(pa.string()))
    with pytest.raises(cm.InputError, match="`y_pred` holds a null inside the list at row 2"):
        cm.multilabel(lists(SETS[:3]), holes)
    with pytest.raises(cm.InputError, match=r"label 'y' at row 2 of `y_true` is not in labels"):
        cm.multilabel(lists(SETS), lists(SETS), labels=["x", "z"])
    with pytest.raises(cm.InputError, match="holds names of Int64, and the labels are"):
        cm.multilabel(pl.Series([[1], [2]]), pl.Series([[1], [2]]), labels=["x", "z"])


def test_arrays_without_rows_are_no_indicators():
    none = pl.Series([], dtype=pl.Array(pl.Boolean, 3))
    for lent in (none, none.to_arrow()):
        with pytest.raises(cm.InputError, match="`y_true` has no rows; wanted n x L indicators"):
            cm.multilabel(lent, lent)


def test_fields_of_one_name_are_told():
    twice = pa.table([pa.array([1, 0]), pa.array([0, 1])], names=["a", "a"])
    with pytest.raises(cm.InputError, match="`y_true` has two columns 'a'; wanted a name for each"):
        cm.multilabel(twice, twice)


@pytest.mark.skipif(not KNOWS_EXTENSIONS, reason="older Polars reads what they hold")
def test_extension_types_are_no_indicators():
    storage = pa.array([1, 0], pa.int8())
    table = pa.table({"a": [1, 0], "b": pa.ExtensionArray.from_storage(pa.bool8(), storage)})
    with pytest.raises(cm.InputError, match=r"`y_true\[1\]` has dtype Extension"):
        cm.multilabel(table, table)


@pytest.mark.parametrize("width", [1, 7, 8, 9, 64, 65, 513])
@pytest.mark.parametrize("weighted", [False, True])
def test_frames_of_any_width_are_as_their_tables(width, weighted):
    rng = np.random.default_rng(width)
    truth, pred = rng.random((2, 300, width)) < 0.3
    names = [f"label {i}" for i in range(width)]
    weights = rng.random(300) if weighted else None
    frames = [pl.DataFrame(dict(zip(names, side.T, strict=True))) for side in (truth, pred)]
    wanted = cm.multilabel(truth, pred, labels=names, sample_weight=weights)
    for sides in (frames, [frames[0], pred], [frame.to_arrow() for frame in frames]):
        found = cm.multilabel(*sides, labels=names, sample_weight=weights)
        assert found.to_bytes() == wanted.to_bytes()
