"""Labels that hardly recur are refused, and labels that do are counted, however rows are cut."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

CLASSES = 12_000  # more than a table has
SIX = 5_000  # rows of one of six files
KINDS = {"int": pl.Int64, "text": pl.String}


def frame_of(labels, kind="int"):
    y = pl.Series(labels).cast(KINDS[kind])
    return pl.DataFrame({"g": ["a"] * len(y), "h": [1] * len(y), "w": [0.5] * len(y), "y": y})


def files(folder, frame, rows):
    for at, part in enumerate(frame.iter_slices(rows)):
        part.write_parquet(folder / f"{at}.parquet")
    return folder / "*.parquet"


def asked(by, weight=None):
    given = {"y_true": "y", "y_pred": "y", "metrics": ["accuracy"], "sample_weight": weight}
    return given | {"by": by}


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [None, "g", ["g", "h"]], ids=str)
@pytest.mark.parametrize("rows", [SIX, 13_000, 100_000])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_that_recur_in_all_rows(tmp_path, kind, rows, by, weight):
    frame = frame_of(np.arange(6 * SIX) % CLASSES, kind)
    found = cm.evaluate(files(tmp_path, frame, rows), **asked(by, weight))
    expected = cm.evaluate(frame, **asked(by, weight))
    assert found == expected
    assert found.overall().rows() == [("accuracy", 1.0, None)]
    if by is not None and weight is None:
        assert found.slices()["n"].to_list() == [6 * SIX]


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("rows", [SIX, 13_000, 100_000])
@pytest.mark.parametrize("kind", KINDS)
def test_labels_that_hardly_recur_in_all_rows(tmp_path, kind, rows, by, weight):
    frame = frame_of(np.arange(6 * SIX) % 20_000, kind)
    said = r"have 20,?000 labels in 30,?000 rows; are they identifiers\?"
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(files(tmp_path, frame, rows), **asked(by, weight))
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(frame, **asked(by, weight))


def test_each_slice_has_rows_of_its_own(tmp_path):
    # Of both together half the labels recur.
    frame = pl.concat([frame_of(np.arange(20_000)), frame_of(np.arange(20_000) % 10)])
    frame = frame.with_columns(g=pl.int_range(40_000) // 20_000)
    with pytest.raises(cm.InputError, match="have 20000 labels in 20000 rows"):
        cm.evaluate(files(tmp_path, frame, SIX), **asked("g"))
    assert cm.evaluate(frame, **asked(None)).overall()["value"].to_list() == [1.0]


@pytest.mark.parametrize("by", [None, "g"])
def test_updates_are_parts(by):
    frame = frame_of(np.arange(6 * SIX) % CLASSES)
    acc = cm.Accumulator(**asked(by))
    for rows in (frame[:13_000], frame[13_000:]):
        acc.update(rows)
    assert acc.result() == cm.evaluate(frame, **asked(by))
    few = cm.Accumulator(**asked(by))
    few.update(frame[:13_000])
    with pytest.raises(cm.InputError, match="have 12000 labels in 13000 rows"):
        few.result().overall()
    few.merge(acc)  # with more rows they recur
    assert few.result().overall()["value"].to_list() == [1.0]


@pytest.mark.parametrize("is_lazy", [False, True])
@pytest.mark.parametrize("by", [None, "g"])
def test_partial_states_are_parts(by, is_lazy):
    frame = frame_of(np.arange(6 * SIX) % CLASSES)
    columns = {"y_true": "y", "y_pred": "y", "by": by}

    def partial(rows):
        found = cm.partial(rows.lazy() if is_lazy else rows, **columns)
        return found.collect() if is_lazy else found

    parts = [partial(rows) for rows in (frame[:13_000], frame[13_000:])]
    whole = cm.merge(pl.concat(parts))
    assert whole.equals(partial(frame))
    assert cm.finish(whole, metrics="accuracy")["accuracy"].to_list() == [1.0]
    with pytest.raises(cm.InputError, match="have 12000 labels in 13000 rows; are they iden"):
        cm.finish(parts[0], metrics="accuracy")
