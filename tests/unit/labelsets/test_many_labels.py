"""Sets of very many labels: lists and sparse tables, without a table of rows by labels."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from support.label_sets import sparse, table

import confmat as cm

LABELS = 100_000
FAR = 250_000


def drawn(rows, labels, most, seed):
    """Return sets as lists of numbers, some empty."""
    rng = np.random.default_rng(seed)
    return [
        rng.choice(labels, rng.integers(0, most + 1), replace=False).tolist() for _ in range(rows)
    ]


def named(sets):
    return [[f"label {label:06}" for label in row] for row in sets]


def text_lists(sets):
    return pl.Series(named(sets), dtype=pl.List(pl.String))


DOORS = {
    "lists of texts": named,
    "sets of texts": lambda sets: [set(row) for row in named(sets)],
    "sets of integers": lambda sets: [set(row) for row in sets],
    "List of texts": text_lists,
    "List of integers": lambda sets: pl.Series(sets, dtype=pl.List(pl.Int32)),
    "List of unsigned": lambda sets: pl.Series(sets, dtype=pl.List(pl.UInt64)),
    "List of floats": lambda sets: pl.Series(sets, dtype=pl.List(pl.Float64)),
    "List of categories": lambda sets: text_lists(sets).cast(pl.List(pl.Categorical)),
    "several chunks": lambda sets: pl.concat(
        [text_lists(sets[:7]), text_lists(sets[7:])], rechunk=False
    ),
    "pyarrow": lambda sets: pa.array(named(sets), type=pa.list_(pa.string())),
    "pyarrow large": lambda sets: pa.array(sets, type=pa.large_list(pa.int64())),
}
SPARSE = {
    "csr": sparse,
    "csc": lambda sets, width: sparse(sets, width).tocsc(),
    "coo": lambda sets, width: sparse(sets, width).tocoo(),
    "matrix": lambda sets, width: scipy.sparse.csr_matrix(sparse(sets, width)),
    "lists of lists": lambda sets, width: sparse(sets, width).tolil(),
    "Booleans": lambda sets, width: sparse(sets, width).astype(bool),
    "floats": lambda sets, width: sparse(sets, width).astype(np.float64),
}


def weights_of(kind, rows, rng):
    if kind is None:
        return None
    return rng.integers(0, 5, rows) if kind == "integers" else rng.random(rows)


@pytest.mark.parametrize("kind", [None, "integers", "floats"])
@pytest.mark.parametrize("width", [1, 3, 8, 9, 64, 512, 513, 2000])
def test_lists_have_the_bytes_of_indicators(width, kind):
    truth, pred = (
        drawn(90, width, min(width, 6), width),
        drawn(90, width, min(width, 6), -width % 97),
    )
    w = weights_of(kind, 90, np.random.default_rng(1))
    options = {"labels": list(range(width)), "sample_weight": w}
    wanted = cm.multilabel(table(truth, width), table(pred, width), **options)
    integers = DOORS["List of integers"]
    assert cm.multilabel(integers(truth), integers(pred), **options).to_bytes() == wanted.to_bytes()
    for read in SPARSE.values():
        one = cm.multilabel(read(truth, width), read(pred, width), sample_weight=w)
        assert one.to_bytes() == wanted.to_bytes()
        assert one.overall().equals(wanted.overall())
    for one, other in ((sparse, table), (table, sparse)):
        mixed = cm.multilabel(one(truth, width), other(pred, width), sample_weight=w)
        assert mixed.to_bytes() == wanted.to_bytes()


@pytest.mark.parametrize("door", DOORS)
def test_every_door_finds_the_same_labels_among_many(door):
    truth, pred = drawn(200, LABELS, 6, 1), drawn(200, LABELS, 6, 2)
    found = cm.multilabel(DOORS[door](truth), DOORS[door](pred))
    names = sorted({label for row in (*truth, *pred) for label in row})
    is_text = isinstance(found.labels[0], str)
    assert list(found.labels) == ([f"label {at:06}" for at in names] if is_text else names)
    places = {label: at for at, label in enumerate(names)}
    dense = [
        table([[places[x] for x in row] for row in sets], len(names)) for sets in (truth, pred)
    ]
    wanted = cm.multilabel(*dense)
    assert found.counts.tolist() == wanted.counts.tolist()
    assert found.overall().equals(wanted.overall())
    assert found.powerset()["n_true"].to_list() == wanted.powerset()["n_true"].to_list()
    given = cm.multilabel(DOORS[door](truth), DOORS[door](pred), labels=list(found.labels))
    assert given.counts.tolist() == wanted.counts.tolist()


@pytest.mark.parametrize("kind", [None, "integers", "floats"])
def test_numbers_of_very_many_labels_are_those_of_the_labels_that_occur(kind):
    truth, pred = drawn(3_000, FAR, 5, 3), drawn(3_000, FAR, 5, 4)
    pred[::3] = truth[::3]
    w = weights_of(kind, 3_000, np.random.default_rng(5))
    many = cm.multilabel(sparse(truth, FAR), sparse(pred, FAR), sample_weight=w)
    few = cm.multilabel(
        pl.Series(truth, dtype=pl.List(pl.Int64)),
        pl.Series(pred, dtype=pl.List(pl.Int64)),
        sample_weight=w,
    )
    assert (len(many.labels), many.n, many.counts.shape) == (FAR, few.n, (FAR, 2, 2))
    assert len(few.labels) < 20_000
    np.testing.assert_array_equal(many.counts[list(few.labels)], few.counts)
    names = ["exact_match", "f1_samples", "jaccard_micro", "precision_macro", "recall_weighted"]
    assert many.overall(names).equals(few.overall(names))
    assert many.hamming_loss == pytest.approx(few.hamming_loss * len(few.labels) / FAR)
    assert many.powerset().equals(few.powerset())
    label = few.labels[7]
    assert many.label(label) == few.label(label)
    per_class = many.per_class(["recall", "support"])
    kept = per_class.filter(pl.col("label").is_in(few.labels))
    assert kept.equals(few.per_class(["recall", "support"]))


@pytest.mark.parametrize("kind", [None, "integers", "floats"])
def test_states_of_very_many_labels_are_short_and_merge(kind):
    truth, pred = drawn(600, FAR, 5, 6), drawn(600, FAR, 5, 7)
    w = weights_of(kind, 600, np.random.default_rng(8))

    def part(rows, door=sparse):
        of = [door(sets[rows], FAR) for sets in (truth, pred)]
        return cm.multilabel(*of, sample_weight=None if w is None else w[rows])

    one, two, whole = part(slice(250)), part(slice(250, None)), part(slice(None))
    saved = whole.to_bytes()
    assert len(saved) < FAR * 110  # in bits the sets take 37 MB
    assert cm.from_bytes(saved) == whole
    assert (one + two).to_bytes() == saved
    assert cm.merge([two.to_bytes(), one]).to_bytes() == saved
    assert (whole - two).to_bytes() == one.to_bytes()
    assert (one + two).powerset().equals(whole.powerset())


def test_found_labels_unite_beyond_what_bits_are_for():
    one, two = ([{at, at + 1} for at in range(first, first + 400)] for first in (0, 300))
    both = cm.multilabel(one, one) + cm.multilabel(two, two[::-1])
    whole = cm.multilabel([*one, *two], [*one, *two[::-1]])
    assert len(both.labels) > 512
    assert both.to_bytes() == whole.to_bytes()
    assert (
        (both - cm.multilabel(two, two[::-1])).powerset().equals(cm.multilabel(one, one).powerset())
    )


def test_states_of_large_bits_become_lists():
    rows = pl.Series(np.arange(20_000)).map_elements(lambda i: [i], return_dtype=pl.List(pl.Int64))
    m = cm.multilabel(rows, rows, labels=range(60_000))  # in bits 150 MB
    assert len(m.to_bytes()) < 2_000_000
    assert cm.from_bytes(m.to_bytes()) == m
    few = cm.multilabel(rows[:100], rows[:100], labels=range(60_000))
    assert len(few.to_bytes()) > 100 * 60_000 // 8  # as they ever were


def test_errors_that_meet_in_rows_of_very_many_labels():
    truth, pred = drawn(2_000, FAR, 4, 9), drawn(2_000, FAR, 4, 10)
    found = cm.label_confusions(sparse(truth, FAR), sparse(pred, FAR))
    lists = cm.label_confusions(
        pl.Series(truth, dtype=pl.List(pl.Int64)), pl.Series(pred, dtype=pl.List(pl.Int64))
    )
    assert found.equals(lists)
    pairs = sum(
        len(set(t) - set(p)) * len(set(p) - set(t)) for t, p in zip(truth, pred, strict=True)
    )
    assert found["count"].sum() == pairs


def test_groups_of_a_frame():
    n = 400
    log = pl.DataFrame(
        {
            "site": ["u", "v"] * (n // 2),
            "tags": text_lists(drawn(n, LABELS, 5, 11)),
            "guess": text_lists(drawn(n, LABELS, 5, 12)),
        }
    )
    labels = [f"label {label:06}" for label in range(LABELS)]
    names = ["exact_match", "f1_micro", "f1_macro", "recall_samples"]
    for known in (None, labels):
        asked = cm.multilabel_metrics("tags", "guess", names, labels=known)
        by_site = log.group_by("site", maintain_order=True).agg(m=asked).unnest("m")
        options = {"by": "site", "metrics": names, "labels": known}
        e = cm.evaluate(log, y_true=["tags"], y_pred=["guess"], **options)
        for site, rows in log.group_by("site"):
            m = cm.multilabel(rows["tags"], rows["guess"], labels=known)
            wanted = (len(rows), 0, *(m[name] for name in names))
            assert by_site.filter(site=site[0]).row(0)[1:] == wanted
            found = e.slices().filter(site=site[0]).select(names)
            assert found.row(0) == wanted[2:]


def test_labels_that_occur_twice_in_a_row_count_once():
    once = cm.multilabel([["a", "b"], [], ["b"]], [["b"], ["a"], []])
    twice = cm.multilabel([["b", "a", "b", "a"], [], ["b", "b"]], [["b"] * 9, ["a", "a"], []])
    assert twice == once
    many = pl.Series([[7, FAR, 7], [FAR] * 5, []])
    assert cm.multilabel(many, many, labels=range(FAR + 1)).counts[:, 1, 1].sum() == 3


def test_rows_with_nulls_are_left_out():
    truth = pl.Series([["a"], None, ["a", "b"], [], ["c"]])
    pred = pl.Series([["b"], ["a"], None, [], ["c"]])
    m = cm.multilabel(truth, pred)
    assert (m.n, m.n_dropped, m.labels) == (3, 2, ("a", "b", "c"))
    assert m.exact_match == 2 / 3
    with pytest.raises(cm.InputError, match="null at row 1"):
        cm.multilabel(truth, pred, nulls="raise")
    stored = sparse([[0], [1], [2]], 3).astype(float)
    stored.data[1] = np.nan
    m = cm.multilabel(stored, sparse([[0], [1], [1]], 3))
    assert (m.n, m.n_dropped, m.exact_match) == (2, 1, 0.5)


def test_stored_zeros_and_parts_of_one_value():
    ends, codes = [0, 3, 4], [2, 0, 1, 0]
    zeros = scipy.sparse.csr_array((np.array([1, 0, 1, 0]), codes, ends), (2, 3))
    assert cm.multilabel(zeros, zeros).counts[:, 1, 1].tolist() == [0, 1, 1]
    halves = scipy.sparse.csr_array((np.array([0.5, 0.5]), [1, 1], [0, 2]), (1, 3))
    assert cm.multilabel(halves, halves).counts[:, 1, 1].tolist() == [0, 1, 0]
    assert halves.nnz == 2  # the caller's matrix stays as it is


LISTS = [["a"], ["b"], ["c", "d"]]
REFUSED = {
    "of row 2 of `y_pred` is not in labels": (LISTS, LISTS, {"labels": ["a", "b", "c"]}),
    "`y_true` holds a null inside the list at row 2": (
        pl.Series([["a"], [], ["b", None]]),
        LISTS,
        {},
    ),
    "`y_pred` holds a null inside the list at row 1": (
        LISTS[:2],
        pl.Series([["a"], [None]], dtype=pl.List(pl.String)),
        {},
    ),
    "`y_true` holds names of Int64, and the labels are ['a']": (
        pl.Series([[1]]),
        pl.Series([[1]]),
        {"labels": ["a"]},
    ),
    "labels of one kind": (pl.Series([[1]]), pl.Series([["a"]]), {}),
    "`labels` has 16777217 labels; at most 16777216": (
        LISTS,
        LISTS,
        {"labels": range((1 << 24) + 1)},
    ),
    "columns); at most 16777216": (*2 * [scipy.sparse.csr_array((1, (1 << 24) + 1))], {}),
    "`y_true` holds 2 at row 1 of column 5; wanted 0 and 1": (
        2 * sparse([[], [5]], 9),
        sparse([[], [5]], 9),
        {},
    ),
    "these look like scores": (0.5 * sparse([[], [5]], 9), sparse([[], [5]], 9), {}),
    "`y_true` has 9 labels (columns) and `y_pred` 8": (sparse([[1]], 9), sparse([[1]], 8), {}),
    "`y_true` has 2 rows and `y_pred` 1": (sparse([[1], []], 9), sparse([[1]], 9), {}),
}


@pytest.mark.parametrize("message", REFUSED)
def test_lists_that_cannot_be_are_refused(message):
    true, pred, options = REFUSED[message]
    wanted = message.removeprefix("of row 2 of `y_pred` ")
    with pytest.raises(cm.InputError) as caught:
        cm.multilabel(true, pred, **options)
    assert wanted in str(caught.value)


def test_a_label_outside_tells_its_row_among_many():
    sets = pl.Series([[label] for label in range(200_000)], dtype=pl.List(pl.Int64))
    zeros = pl.Series([[0]] * 200_000, dtype=pl.List(pl.Int64))
    with pytest.raises(cm.InputError, match="label 150000 at row 150000 of `y_pred`") as caught:
        cm.multilabel(zeros, sets, labels=range(150_000))
    assert caught.value.row == 150_000
