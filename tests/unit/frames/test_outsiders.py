"""Labels that are not in `labels`, where expressions meet them: in rows of groups, or of none."""

from typing import Any

import polars as pl
import pytest

import confmat as cm

N = 20
GIVEN: Any = {"labels": [0, 1]}
ASKED = {
    "metrics": cm.metrics("y", "p", metrics=["accuracy"], **GIVEN),
    "metrics of every kind": cm.metrics("y", "p", **GIVEN),
    "weights": cm.metrics("y", "p", metrics=["accuracy"], sample_weight="w", **GIVEN),
    "a state": cm.state("y", "p", **GIVEN),
    "a state of weights": cm.state("y", "p", sample_weight="w", **GIVEN),
    "a method": pl.col("y").cm.accuracy("p", **GIVEN),
    "wide codes": cm.metrics("y", "p", metrics=["accuracy"], labels=list(range(300))),
    "codes of two bytes": cm.metrics("y", "p", metrics=["accuracy"], labels=list(range(100))),
}


def rows(*strangers: int) -> pl.DataFrame:
    """Return rows, of which some have a true label that is not given."""
    return pl.DataFrame(
        {
            "i": range(N),
            "y": [999 if i in strangers else i % 2 for i in range(N)],
            "p": [i % 2 for i in range(N)],
            "w": [1.5] * N,
        }
    )


@pytest.mark.parametrize("name", ASKED)
def test_rows_in_no_group_may_have_other_labels(name: str) -> None:
    asked = ASKED[name].alias("m")
    for strangers in ((), (7,)):
        windows = rows(*strangers).group_by_dynamic("i", every="10i", period="5i").agg(asked)
        assert windows.height == 2, strangers
    for strangers in ((), (3,)):
        rolled = rows(*strangers).rolling("i", period="2i", offset="8i").agg(asked)
        assert rolled.height == N, strangers


@pytest.mark.parametrize("name", ASKED)
def test_the_row_of_a_group_is_named(name: str) -> None:
    told = r"label 999 at row 12 \(of the rows read together\) of `y_true` is not in labels \[0, 1"
    asked = ASKED[name].alias("m")
    for frame in (rows(12), rows(12, 14)):
        with pytest.raises(pl.exceptions.ComputeError, match=told) as caught:
            frame.group_by_dynamic("i", every="10i", period="5i").agg(asked)
        assert "the first of" not in str(caught.value)
        assert '; give every label, or other="bucket" to count such rows apart' in str(caught.value)


@pytest.mark.parametrize("name", ASKED)
def test_the_first_of_rows_in_no_group_is_said_to_be_that(name: str) -> None:
    told = (
        r"label 999 at row 7 \(of the rows read together\) of `y_true` is not in labels .*\]; it "
        r"is the first of 3 rows with such labels, and a group has 2 of them; give every label"
    )
    with pytest.raises(pl.exceptions.ComputeError, match=told):
        rows(7, 12, 14).group_by_dynamic("i", every="10i", period="5i").agg(ASKED[name].alias("m"))


@pytest.mark.parametrize("other", ["p", "w"])
def test_rows_that_do_not_count_are_not_the_first(other: str) -> None:
    nothing = rows(3, 12, 13).with_columns(pl.when(pl.col("i") != 3).then(other).alias(other))
    asked = cm.metrics("y", "p", metrics=["accuracy"], sample_weight="w", **GIVEN)
    with pytest.raises(pl.exceptions.ComputeError, match="label 999 at row 12 "):
        nothing.group_by(pl.col("i") // 10).agg(asked)


def test_each_of_several_requests_names_its_own() -> None:
    frame = rows(4).with_columns(q=pl.when(pl.col("i") == 6).then(8).otherwise("p"))
    wider: Any = {"metrics": ["accuracy"], "labels": [0, 1, 999]}
    asked = [cm.metrics("y", "q", **wider).alias("a"), cm.metrics("y", "p", **wider).alias("b")]
    with pytest.raises(pl.exceptions.ComputeError, match=r"label 8 at row 6 .* of `y_pred` is"):
        frame.group_by(pl.col("i") // 10).agg(asked)
    asked.append(cm.metrics("y", "p", metrics=["accuracy"], **GIVEN).alias("c"))
    with pytest.raises(pl.exceptions.ComputeError, match=r"label 999 at row 4 .* of `y_true` is"):
        frame.group_by(pl.col("i") // 10).agg(asked[1:])


@pytest.mark.parametrize("labels", [["a", "b"], pl.Enum(["a", "b"])])
def test_texts_are_in_quotes(labels: Any) -> None:
    texts = rows(12).select("i", pl.col("y", "p").replace_strict({0: "a", 1: "b", 999: "c"}))
    told = r"label 'c' at row 12 .* of `y_true` is not in labels \['a', 'b'\]; give every label"
    for dtype in (pl.String, pl.Categorical):
        typed = texts.with_columns(pl.col("y", "p").cast(dtype))
        for asked in (cm.metrics("y", "p", labels=labels), cm.state("y", "p", labels=labels)):
            with pytest.raises(pl.exceptions.ComputeError, match=told):
                typed.group_by(pl.col("i") // 10).agg(asked)
