"""`evaluate` slices by expressions."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm

LOG = pl.DataFrame(
    {"site": ["a", "a", "b", None], "k": [1, 2, 3, 4], "y": [0, 1, 1, 0], "p": [0, 1, 0, 0]}
)


@pytest.mark.parametrize("lazy", [False, True])
def test_as_columns_of_the_frame(lazy: bool) -> None:
    frame = LOG.lazy() if lazy else LOG
    keys = ["site", (pl.col("k") % 2).alias("odd")]
    found = frame.cm.evaluate("y", "p", by=keys, metrics="accuracy")
    wanted = frame.with_columns(keys[1]).cm.evaluate(
        "y", "p", by=["site", "odd"], metrics="accuracy"
    )
    assert_frame_equal(found.lazy().collect(), wanted.lazy().collect())


def test_an_expression_may_be_a_column_or_several() -> None:
    by_names = LOG.cm.evaluate("y", "p", by=["site", "k"])
    assert_frame_equal(LOG.cm.evaluate("y", "p", by=[pl.col("site", "k")]), by_names)
    assert_frame_equal(LOG.cm.evaluate("y", "p", by=[pl.col("site"), pl.col("k")]), by_names)
    assert LOG.cm.evaluate("y", "p", by=pl.col("y"))["y"].to_list() == [0, 1]


def test_a_key_may_not_hide_what_is_asked_for() -> None:
    key = pl.col("y") > 0
    with pytest.raises(cm.InputError, match=r"`by` makes a column 'y'.*\.alias\('y_key'\)"):
        LOG.cm.evaluate("y", "p", by=key)
    assert LOG.cm.evaluate("y", "p", by=key.alias("y_key"))["y_key"].to_list() == [False, True]


def test_a_key_with_a_name_of_the_result_is_refused() -> None:
    with pytest.raises(cm.InputError, match="`by` has the column 'n', a name of the result"):
        LOG.cm.evaluate("y", "p", by=(pl.col("k") > 2).alias("n"))
