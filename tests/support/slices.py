"""Frames that `evaluate` slices in tests, and the check that every route gives one result."""

from unittest.mock import patch

import numpy as np
import polars as pl
from polars.testing import assert_frame_equal

METRICS = ["accuracy", "mcc", "f1_macro", "kappa_quadratic", "gmcc", "eve", "precision_micro"]
ONE_CLASS = ["precision", "recall", "specificity", "tn", "lr_positive"]
N = 500


def frame_of(kind: str, size: int = N, classes: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(classes)
    y, p = rng.integers(0, classes, size), rng.integers(0, classes, size)
    frame = pl.DataFrame({"g": rng.integers(0, 9, size), "y": y, "p": p, "w": rng.random(size)})
    rows = pl.int_range(pl.len())
    frame = frame.with_columns(pl.when(rows % 17 != 3).then("y"), pl.when(rows % 23 != 5).then("p"))
    both = pl.col("y", "p")
    casts = {
        "int": both,
        "int8": both.cast(pl.Int8),
        "bool": both % 2 == 1,
        "text": both.cast(pl.String),
        "category": both.cast(pl.String).cast(pl.Categorical),
        "enum": both.cast(pl.String).cast(pl.Enum(["0", "1", "2", "9"])),
    }
    return frame.with_columns(casts[kind])


KINDS = ("int", "int8", "bool", "text", "category", "enum")


def labels_of(kind: str) -> list[object]:
    if kind == "bool":
        return [False, True]
    return [1, 0, 2] if kind in ("int", "int8") else ["1", "0", "2"]


def check_same(frame: pl.DataFrame, **options: object) -> pl.DataFrame:
    eager = frame.cm.evaluate("y", "p", **options)
    query = frame.lazy().cm.evaluate("y", "p", **options)
    assert query.collect_schema() == eager.schema
    with patch("confmat.frames.label_slicing.LabelSlicing.fits", return_value=False):
        by_expressions = frame.lazy().cm.evaluate("y", "p", **options)
    for engine in ("in-memory", "streaming"):
        assert_frame_equal(eager, query.collect(engine=engine), check_exact=True)
        found = by_expressions.collect(engine=engine)
        in_order = not options.get("cube")
        assert_frame_equal(eager, found, check_exact=True, check_row_order=in_order)
    return eager
