"""`lf.cm.evaluate` and `cm.partial` without keys count batches, and give what the frame gives."""

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.polars_releases import ERROR_OF_SOURCES
from support.slices import KINDS, METRICS, N, check_same, frame_of, labels_of

import confmat as cm
from confmat.frames import label_slicing


@pytest.fixture(autouse=True, params=[7, 90, None], ids=["few", "some", "one batch"])
def rows_of_a_batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(label_slicing, "_ALL_ROWS", request.param)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"metrics": METRICS},
        {"metrics": METRICS, "reasons": True, "min_n": 600},
        {"metrics": METRICS, "smoothing": 0.5, "keep_empty": True, "undefined": 0.25},
        {"metrics": METRICS, "other": "bucket"},
        {},
    ],
)
def test_the_table_of_the_whole_frame(
    kind: str, labelled: bool, options: dict[str, object]
) -> None:
    if labelled or "other" in options:
        options = options | {"labels": labels_of(kind)}
    frame = frame_of(kind)
    check_same(frame, **options)
    check_same(frame.clear(), **options)
    check_same(frame.sort("y"), **options)  # batches bring new labels


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "options", [{}, {"labelled": True}, {"labelled": True, "other": "bucket"}, {"pos_label": 1}]
)
def test_states_are_those_of_expressions(kind: str, options: dict[str, object]) -> None:
    frame, asked = frame_of(kind), dict(options)
    if asked.pop("labelled", False):
        asked["labels"] = labels_of(kind)
    if "pos_label" in asked:
        asked["pos_label"] = labels_of(kind)[1]
    for rows in (frame, frame.sort("y"), frame.clear()):
        query = cm.partial(rows.lazy(), y_true="y", y_pred="p", **asked)
        found = [cm.partial(rows, y_true="y", y_pred="p", **asked)]
        found += [query.collect(engine="in-memory"), query.collect(engine="streaming")]
        with patch("confmat.frames.label_slicing.LabelSlicing.fits", return_value=False):
            expected = cm.partial(rows, y_true="y", y_pred="p", **asked)
        for one in found:
            assert_frame_equal(one, expected)


@pytest.mark.parametrize("pos_label", [5, 0, True])
def test_a_positive_class_that_batches_need_not_have(pos_label: object) -> None:
    frame = pl.DataFrame({"y": [1] * 40 + [0], "p": [1] * 41})
    query = frame.lazy().cm.evaluate(
        "y", "p", metrics=["f1", "balanced_accuracy"], pos_label=pos_label
    )
    if pos_label == 5:
        with pytest.raises(ERROR_OF_SOURCES, match="`pos_label` 5 is not in the labels \\[0, 1\\]"):
            query.collect()
        return
    eager = frame.cm.evaluate("y", "p", metrics=["f1", "balanced_accuracy"], pos_label=pos_label)
    assert_frame_equal(query.collect(), eager)


def test_a_row_that_cannot_be_counted_is_named() -> None:
    frame = frame_of("int").with_columns(y=pl.when(pl.int_range(N) == 400).then(7).otherwise("y"))
    for query in (
        frame.lazy().cm.evaluate("y", "p", labels=[0, 1, 2]),
        cm.partial(frame.lazy(), y_true="y", y_pred="p", labels=[0, 1, 2]),
    ):
        for engine in ("in-memory", "streaming"):
            with pytest.raises(ERROR_OF_SOURCES, match="label 7 at row 400 of `y_true`"):
                query.collect(engine=engine)


def test_more_classes_than_a_table_holds() -> None:
    y = np.arange(30_000) % 12_000
    frame = pl.DataFrame({"y": y, "p": np.where(y % 7 == 0, y // 2, y)})
    with patch.object(label_slicing, "_ALL_ROWS", 4_000):
        found = frame.lazy().cm.evaluate("y", "p", metrics=["accuracy", "kappa"]).collect()
    assert_frame_equal(found, frame.cm.evaluate("y", "p", metrics=["accuracy", "kappa"]))


def test_identifiers_are_refused() -> None:
    frame = pl.DataFrame({"y": np.arange(40_000), "p": np.arange(40_000)})
    for limit in (100, 1 << 24):  # early and at the end
        with (
            patch("confmat.frames.counts_of_all_rows.MAX_CLASSES", limit),
            pytest.raises(ERROR_OF_SOURCES, match="are they identifiers"),
        ):
            frame.lazy().cm.evaluate("y", "p").collect()
