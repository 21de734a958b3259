"""Two files of predictions, put side by side by their ids."""

import polars as pl
import pytest

import confmat as cm
from confmat.paired.joining import joined

A = pl.DataFrame({"id": [1, 2, 3], "y": [0, 1, 1], "p": [0, 0, 1], "site": ["x", "x", "y"]})
B = pl.DataFrame({"id": [3, 1, 2], "y": [1, 0, 1], "p": [1, 1, 0]})


def join(a=A, b=B, on=("id",), **options):
    return joined(a.lazy(), b.lazy(), list(on), "y", ["p"], names=("old", "new"), **options)


def test_rows_of_the_same_id_are_side_by_side():
    found = join(others=["site"])
    assert found.columns == ["id", "y", "site", "p_a", "p_b"]
    assert found.rows() == [(1, 0, "x", 0, 1), (2, 1, "x", 0, 0), (3, 1, "y", 1, 1)]
    assert join(b=B.drop("y"), others=["site"]).equals(found)


def test_ids_of_several_columns_and_of_other_integers():
    a = A.with_columns(part=pl.lit("u"))
    b = B.with_columns(pl.col("id").cast(pl.Int16), part=pl.lit("u"))
    assert join(a, b, on=("part", "id")).height == 3
    with pytest.raises(cm.InputError, match="1 ids are in old alone, as \\('u', 1\\)"):
        join(a, b.filter(pl.col("id") != 1), on=("part", "id"))


def test_truths_that_are_missing_in_both_are_the_same():
    none = pl.when(pl.col("id") != 2).then("y").alias("y")
    assert join(A.with_columns(none), B.with_columns(none))["y"].to_list() == [0, None, 1]
    with pytest.raises(
        cm.InputError, match="1 ids have one `y` in old and another in new, as 2: 1"
    ):
        join(A, B.with_columns(none))


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (A, B[:2], "1 ids are in old alone, as 2"),
        (A[:2], B, "1 ids are in new alone, as 3"),
        (A[:2], B[:2], "1 ids are in old alone, as 2; 1 ids are in new alone, as 3"),
        (pl.concat([A, A[:2]]), B, "2 ids occur several times in old, as 1, 2"),
        (A, pl.concat([B, B, B]), "3 ids occur several times in new, as 3, 1, 2"),
        (
            A,
            B.with_columns(y=1 - pl.col("y")),
            "3 ids have one `y` in old and another in new, as 1: 0 and 1, 2: 1 and 0, 3: 1 and 0",
        ),
        (A.with_columns(id=pl.lit(None, pl.Int64)), B, "3 rows of old have no id: ['id'] is null"),
        (A, B.cast({"id": pl.String}), "the column 'id' is Int64 in old and String in new"),
        (A, B.cast({"y": pl.Boolean}), "the column 'y' is Int64 in old and Boolean in new"),
        (A.drop("p"), B, "`y_pred` names the column 'p', which is not there in old"),
        (A, B.drop("p"), "`y_pred` names the column 'p', which is not there in new"),
        (A.drop("y"), B, "`y_true` names the column 'y', which is not there in old"),
        (A, B.drop("id"), "`on` names the column 'id', which is not there in new"),
    ],
)
def test_what_does_not_fit_together(a, b, message):
    with pytest.raises(cm.InputError) as told:
        join(a, b)
    assert message in str(told.value)


def test_no_ids():
    with pytest.raises(cm.InputError, match="`on` is empty"):
        join(on=())
