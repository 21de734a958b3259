"""Frames in memory find their labels first; each slice still has only those present in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm
from confmat.frames.asked import Asked
from confmat.frames.evaluate import evaluate_eager
from confmat.frames.request import make_request

METRICS = ["accuracy", "f1_macro", "mcc", "kappa_linear", "gmcc", "eve"]
WORDS = [f"class {i:02}" for i in range(40)]


def _frame(labels: int, groups: int, rows: int, kind: str) -> pl.DataFrame:
    rng = np.random.default_rng(labels * groups)
    y = rng.integers(0, labels, rows)
    p = np.where(rng.random(rows) < 0.6, y, rng.integers(0, labels, rows))
    frame = pl.DataFrame({"y": y, "p": p, "g": rng.integers(0, groups, rows)})
    frame = frame.with_columns(
        g=pl.format("segment {}", "g"),
        y=pl.when(pl.int_range(pl.len()) % 17 == 3).then(None).otherwise("y"),
    )
    if kind == "int":
        return frame.with_columns(pl.col("y", "p") * 10**12 - 5)
    texts = pl.Series(WORDS)
    frame = frame.with_columns(pl.col("y", "p").map_batches(texts.gather))
    if kind == "text":
        return frame
    return frame.with_columns(pl.col("y").cast(pl.Categorical), pl.col("p").cast(pl.Enum(WORDS)))


def _pairs(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """Evaluate the lazy way: nothing is known of the labels beforehand."""
    return frame.lazy().cm.evaluate("y", "p", metrics=METRICS, **options).collect()


@pytest.mark.parametrize("kind", ["int", "text", "categories"])
@pytest.mark.parametrize(("labels", "groups"), [(3, 5), (14, 30), (15, 30), (40, 3), (40, 2_000)])
@pytest.mark.parametrize(
    "options",
    [{}, {"smoothing": 0.5}, {"undefined": 0.0}, {"keep_empty": True}, {"min_n": 3}],
    ids=str,
)
def test_equals_the_query_that_knows_no_labels(
    kind: str, labels: int, groups: int, options: dict[str, Any]
) -> None:
    frame = _frame(labels, groups, 6_000, kind)
    found = frame.cm.evaluate("y", "p", by="g", metrics=METRICS, **options)
    assert_frame_equal(found, _pairs(frame, by="g", **options), check_exact=True)


def test_several_keys_and_cube() -> None:
    frame = _frame(4, 5, 3_000, "text").with_columns(h=pl.int_range(pl.len()) % 3)
    for cube in (False, True):
        found = frame.cm.evaluate("y", "p", by=["g", "h"], metrics=METRICS, cube=cube)
        expected = _pairs(frame, by=["g", "h"], cube=cube)
        assert_frame_equal(found, expected, check_exact=True, check_row_order=not cube)


def test_codes_travel_instead_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(
        "confmat.frames.evaluate.by_expressions",
        lambda frame, request, *_: (
            seen.append(request.asked.found) or frame.select(n_other=pl.lit(0))
        ),
    )
    for frame, expected in (
        (_frame(3, 2, 50, "text"), WORDS[:3]),
        (_frame(1, 2, 50, "text"), WORDS[:1]),
        (pl.DataFrame({"y": ["a" * 200_000], "p": ["b"], "g": ["x"]}), None),
    ):
        request = make_request(
            frame.schema, Asked(), y_true="y", y_pred="p", by="g", metrics=METRICS
        )
        # A key of floats, which no kernel of whole frames takes.
        evaluate_eager(frame.with_columns(g=pl.lit(0.5)), request)
        assert seen.pop() == expected


def test_a_positive_class_need_not_be_in_each_slice() -> None:
    frame = pl.DataFrame({"g": list("aabb"), "y": list("xyzz"), "p": list("xxzz")})
    found = frame.cm.evaluate("y", "p", by="g", metrics=["precision"], pos_label="x")
    assert found["precision"].to_list() == [0.5, None]
    with pytest.raises(cm.InputError, match="pos_label"):
        frame.cm.evaluate("y", "p", by="g", metrics=["precision"], pos_label="w")
    options = {"labels": list("wxyz"), "pos_label": "w"}
    given = frame.cm.evaluate("y", "p", by="g", metrics=["precision"], **options)
    assert given["precision"].to_list() == [None, None]
