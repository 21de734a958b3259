"""Scores in `evaluate`: alone or beside predictions, eager and lazy, sliced any way."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

import confmat as cm

RANKS = ["roc_auc", "average_precision", "ks"]


def _frame(rows: int = 4_000) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.random(rows) < 0.3
    s = np.clip(rng.normal(0.3 + 0.3 * y, 0.2), 0, 1).round(2)
    frame = pl.DataFrame(
        {"y": y, "s": s, "g": rng.integers(0, 7, rows), "h": rng.random(rows) < 0.5}
    )
    odd = pl.int_range(pl.len())
    return frame.with_columns(
        p=pl.col("s") >= 0.4,
        s=pl.when(odd % 19 == 4).then(None).otherwise("s"),
        y=pl.when(odd % 23 == 5).then(None).otherwise("y"),
        g=pl.when(odd % 29 == 6).then(None).otherwise("g"),
        w=pl.Series(rng.integers(0, 4, rows)),
    ).with_columns(
        text=pl.when(pl.col("y")).then(pl.lit("bad")).when(~pl.col("y")).then(pl.lit("good"))
    )


def _same(frame: pl.DataFrame, **options: Any) -> pl.DataFrame:
    """Evaluate eagerly and lazily: both give the same."""
    eager = frame.cm.evaluate(**options)
    lazy = frame.lazy().cm.evaluate(**options).collect()
    assert_frame_equal(eager, lazy, check_exact=True, check_row_order=not options.get("cube"))
    return eager


@pytest.mark.parametrize("by", [None, "g", "h", ["g", "h"]], ids=str)
def test_scores_equal_those_of_scikit_learn(by: Any) -> None:
    frame = _frame()
    result = _same(frame, y_true="y", y_pred=None, y_score="s", by=by, metrics=[*RANKS, "brier"])
    assert result.columns[-6:] == ["n", "n_dropped", *RANKS, "brier"]
    assert (result["n"] + result["n_dropped"]).sum() == len(frame)
    keys = [] if by is None else [by] if isinstance(by, str) else by
    for row in result.iter_rows(named=True):
        same = [pl.col(key).eq_missing(pl.lit(row[key])) for key in keys]
        part = frame.filter(*same).drop_nulls(["y", "s"])
        y, s = part["y"].to_numpy(), part["s"].to_numpy()
        assert row["n"] == len(part)
        assert row["roc_auc"] == pytest.approx(roc_auc_score(y, s), rel=1e-12)
        assert row["average_precision"] == pytest.approx(average_precision_score(y, s), rel=1e-12)
        assert row["brier"] == pytest.approx(brier_score_loss(y, s), rel=1e-12)


@pytest.mark.parametrize("by", [None, "g", ["g", "h"]], ids=str)
@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}, {"min_n": 200}], ids=str)
def test_beside_predictions_both_are_what_they_are_alone(by: Any, options: dict[str, Any]) -> None:
    frame = _frame()
    both = _same(frame, y_true="y", y_pred="p", y_score="s", by=by, **options)
    plain = _same(frame, y_true="y", y_pred="p", by=by, **options)
    scores = _same(frame, y_true="y", y_pred=None, y_score="s", by=by, **options)
    assert both.columns == [*plain.columns, "n_scored", "n_unscored", *RANKS]
    assert_frame_equal(both.select(plain.columns), plain, check_exact=True)
    renamed = scores.rename({"n": "n_scored", "n_dropped": "n_unscored"})
    assert_frame_equal(both.select(renamed.columns), renamed, check_exact=True)


def test_cubes_tell_all_from_missing() -> None:
    frame = _frame()
    cube = _same(frame, y_true="y", y_pred="p", y_score="s", by=["g", "h"], cube=True)
    whole = cube.filter(grouping="all")
    assert whole["n_scored"].item() == len(frame.drop_nulls(["y", "s"]))
    assert cube.filter(pl.col("grouping") == "g").height == 8  # seven values, and missing
    expected = frame.cm.evaluate("y", "p", "s")
    assert_frame_equal(whole.select(expected.columns), expected, check_exact=True)


def test_predictions_need_not_be_there() -> None:
    frame = _frame().rename({"y": "y_true"})
    assert_frame_equal(
        _same(frame, y_score="s", by="h"), _same(frame, y_pred=None, y_score="s", by="h")
    )
    named = _same(frame, y_pred="p", y_score="s", by="h", metrics=["roc_auc"])
    assert named.columns == ["h", "n", "n_dropped", "roc_auc"]
    with pytest.raises(cm.InputError, match=r"'accuracy'.*give `y_pred`"):
        frame.cm.evaluate(y_score="s", metrics=["accuracy", "roc_auc"])
    with pytest.raises(cm.InputError, match="`y_pred` names the column 'q'"):
        frame.cm.evaluate(y_pred="q", y_score="s")


def test_the_positive_class_by_name() -> None:
    frame = _frame()
    texts = _same(frame, y_true="text", y_pred=None, y_score="s", by="h", pos_label="bad")
    assert_frame_equal(texts, _same(frame, y_true="y", y_pred=None, y_score="s", by="h"))
    with pytest.raises(cm.InputError, match=r"classes found: bad, good.*pos_label"):
        frame.cm.evaluate("text", y_score="s", by="h")


def test_slices_of_one_class_are_null_and_not_an_error() -> None:
    frame = pl.DataFrame({"y": [0, 0, 1, 0], "s": [0.1, 0.2, 0.3, 0.4], "g": list("aabb")})
    result = _same(frame, y_true="y", y_pred=None, y_score="s", by="g")
    assert result["roc_auc"].to_list() == [None, 0.0]
    filled = _same(frame, y_true="y", y_pred=None, y_score="s", by="g", undefined=0.5)
    assert filled["roc_auc"].to_list() == [0.5, 0.0]


def test_nan_scores_are_named_with_their_row_or_counted() -> None:
    frame = _frame().with_columns(
        s=pl.when(pl.int_range(pl.len()).is_in([70, 90])).then(float("nan")).otherwise("s")
    )
    with pytest.raises(cm.InputError, match="nan at row 70 of `y_score`"):
        frame.cm.evaluate("y", None, "s", by="g")
    result = _same(frame, y_true="y", y_pred=None, y_score="s", by="g", nan="drop")
    assert (result["n"] + result["n_dropped"]).sum() == len(frame)
    assert result["n"].sum() == len(frame.drop_nulls(["y", "s"]).drop_nans("s"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": "none"}, "`y_score` names the column 'none'"),
        ({"y_score": 3}, "`y_score` has 3"),
        ({"y_score": "s", "nan": "keep"}, "`nan` is 'keep'"),
        (
            {"y_score": None, "metrics": ["roc_auc"]},
            "'roc_auc', a metric of scores; give `y_score`",
        ),
        ({"y_score": "s", "metrics": ["roc_auc", "auk"]}, "no metric is named 'auk'"),
        ({"y_score": "s", "metrics": ["roc_acu"]}, "'roc_acu'; did you mean roc_auc"),
        ({"metrics": ["roc_acu"]}, "'roc_acu'; did you mean roc_auc"),
        ({"metrics": ["acuracy"]}, "'acuracy'; did you mean accuracy"),
        ({"y_score": "s", "by": "n_scored"}, "`by` has the column 'n_scored'"),
        ({"y_score": "text"}, "`y_score`"),
        ({"y_score": "g", "metrics": ["brier"]}, "`y_score` holds"),
    ],
)
def test_bad_requests(options: dict[str, Any], message: str) -> None:
    frame = _frame().with_columns(n_scored=1)
    with pytest.raises(cm.InputError, match=message):
        frame.cm.evaluate("y", "p", **options)


def test_a_query_with_scores_streams() -> None:
    frame = _frame().lazy()
    for by in ("g", ["g", "h"]):
        for y_pred in ("p", None):
            query = frame.cm.evaluate("y", y_pred, "s", by=by)
            graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
            assert "in-memory-map" not in graph
