"""Labels at the ends of what one, two and four bytes a class hold, for every form of labels."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

SIZES = [253, 254, 255, 256, 65_532, 65_533, 65_534, 65_536]


def rows_of(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that have the first and the last classes, and some between."""
    y = np.unique(np.r_[np.arange(min(k, 300)), np.arange(max(k - 300, 0), k)])
    return y, np.roll(y, 7)


def cells_of(m: cm.ConfusionMatrix) -> dict[tuple[str, str], int]:
    cells = m.to_polars().filter(pl.col("count") > 0)
    return {(str(true), str(pred)): count for true, pred, count in cells.rows()}


FORMS = {
    "ints": lambda side: side * 3,
    "texts": lambda side: pl.Series(side * 3).cast(pl.String),
    "numpy texts": lambda side: (side * 3).astype(str),
    "categories": lambda side: pl.Series(side * 3).cast(pl.String).cast(pl.Categorical),
    "keys of four bytes": lambda side: _dictionary(side * 3),
}


def _dictionary(side: np.ndarray) -> object:
    pa = pytest.importorskip("pyarrow")
    values, keys = np.unique(side.astype(str), return_inverse=True)
    return pa.DictionaryArray.from_arrays(pa.array(keys, pa.int32()), pa.array(values))


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("order", ["contiguous", "permuted"])
@pytest.mark.parametrize("form", FORMS)
def test_given_labels_of_every_form(form, order, k):
    numbers = np.arange(k)
    if order == "permuted":
        numbers = np.random.default_rng(k).permutation(k)
    y, p = rows_of(k)
    labels = (numbers * 3).tolist() if form == "ints" else (numbers * 3).astype(str).tolist()
    m = cm.confusion_matrix(FORMS[form](y), FORMS[form](p), labels=labels)
    assert (list(m.labels), m.n) == (labels, len(y))
    assert cells_of(m) == {(str(a * 3), str(b * 3)): 1 for a, b in zip(y, p, strict=True)}


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("form", ["ints", "texts", "categories"])
def test_a_label_beside_those_given_is_other(form, k):
    y, p = rows_of(k)
    y = np.r_[y, k]
    p = np.r_[p, 0]
    labels = [i * 3 if form == "ints" else str(i * 3) for i in range(k)]
    sides = FORMS[form](y), FORMS[form](p)
    m = cm.confusion_matrix(*sides, labels=labels, other="bucket")
    assert (m.n, m.n_other) == (len(y) - 1, 1)
    with pytest.raises(cm.InputError, match=f"at row {len(y) - 1} of `y_true` is not in labels"):
        cm.confusion_matrix(*sides, labels=labels)


@pytest.mark.parametrize("k", SIZES)
def test_a_label_given_twice_is_refused(k):
    labels = [*range(k - 1), 5]
    with pytest.raises(cm.InputError, match="5"):
        cm.confusion_matrix([5], [5], labels=labels)


@pytest.mark.parametrize("k", [65_533, 65_536, 70_000])
def test_cells_of_numpy_columns_at_four_bytes(k):
    y = np.tile(np.arange(k, dtype=np.uint32), 2)
    p = y[::-1].copy()
    m = cm.confusion_matrix(y, p)
    assert (len(m.labels), m.n) == (k, 2 * k)
    assert cells_of(m) == {(str(a), str(b)): 2 for a, b in zip(y, p, strict=True)}


def test_an_enum_of_more_categories_than_a_group_takes_names_its_column():
    enum = pl.Enum([str(i) for i in range(70_000)])
    frame = pl.DataFrame({"y": ["1", "2"], "p": ["1", "1"], "g": [0, 1]})
    frame = frame.with_columns(pl.col("y", "p").cast(enum))
    with pytest.raises(cm.InputError, match="y_true"):
        frame.group_by("g").agg(cm.accuracy("y", "p"))
