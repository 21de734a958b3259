"""Codes of labels and scores: rows that do not count, keys of dtypes, hostile codes, weights."""

import math
import struct

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from support.core_sweeps import sweep as sweep_parts

import confmat as cm
from confmat import _core
from confmat.frames.asked import Asked
from confmat.frames.expressions import plugin
from confmat.frames.score_expressions import roc_curve


def asked(frame, names=("roc_auc",), **options):
    return frame.select(cm.sweep_metrics("y", "s", list(names), **options)).item()


def of_core(frame, names=("roc_auc",), nan=False, pos_label=None):
    weight = frame["w"] if "w" in frame.columns else None
    sweep = sweep_parts(frame["y"], frame["s"], weight, pos_label, nan)
    return dict(zip(names, _core.score_values(list(names), *sweep[:3]), strict=True))


@pytest.mark.parametrize("pos_label", [None, 1])
def test_a_row_without_weight_has_a_class(pos_label):
    frame = pl.DataFrame({"y": [0, 1, 2, 0], "s": [0.1, 0.9, 0.5, 0.2], "w": [1.0, 1, 0, 1]})
    with pytest.raises(ComputeError, match=r"`y_true` (holds 2|has more than one class beside)"):
        asked(frame, sample_weight="w", pos_label=pos_label)
    fair = frame.with_columns(y=pl.Series([0, 1, 1, 0]))
    got = asked(fair, sample_weight="w", pos_label=pos_label)
    assert got == {"n": 3.0, "n_dropped": 0, **of_core(fair, pos_label=pos_label)}


def test_a_state_of_weights_that_are_0_is_that_of_a_sweep():
    frame = pl.DataFrame({"y": [0, 1], "s": [0.5, 0.25], "w": [0.0, 0.0]})
    state = frame.select(cm.state("y", y_score="s", bins=None, sample_weight="w")).item()
    assert state == cm.sweep(frame["y"], frame["s"], sample_weight=frame["w"]).to_bytes()


def test_a_nan_goes_before_its_label():
    frame = pl.DataFrame({"y": [0, 1, 2, 0], "s": [0.1, 0.9, math.nan, 0.2]})
    got = asked(frame, nan="drop")
    assert got == {"n": 3, "n_dropped": 1, **of_core(frame, nan=True)}
    with pytest.raises(ComputeError, match="score nan at row 2"):
        asked(frame)


@pytest.mark.parametrize("column", ["y", "w"])
@pytest.mark.parametrize("score", [2**53 + 1, math.nan])
def test_the_score_of_a_row_with_a_null_is_not_looked_at(score, column):
    frame = pl.DataFrame(
        {"y": [0, 1, 1, 0], "s": [*map(type(score), (1, 2, 1)), score], "w": [1.0, 2.0, 0.5, 3.0]}
    )
    frame = frame.with_columns(pl.when(pl.int_range(4) < 3).then(column))
    got = asked(frame, sample_weight="w")
    assert got == {"n": 3.5, "n_dropped": 1, **of_core(frame)}


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int16, pl.UInt16, pl.Int32, pl.Float64])
@pytest.mark.parametrize("label", [pl.Int8, pl.Int64])
def test_whole_scores_are_clipped_as_doubles(dtype, label):
    frame = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0, 1, 0, 1]})
    frame = frame.with_columns(pl.col("s").cast(dtype), pl.col("y").cast(label))
    names = ("log_loss", "brier")
    assert asked(frame, names) == {"n": 4, "n_dropped": 0, **of_core(frame, names)}
    assert asked(frame, names)["log_loss"] == pytest.approx(18.021826694558577, rel=1e-14)


@pytest.mark.parametrize("label", [2**59, 2**60 - 1, -(2**60), -7])
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
def test_bad_labels_are_named(label, dtype):
    frame = pl.DataFrame({"y": [0, label], "s": [0.5, 0.5]}, schema={"y": pl.Int64, "s": dtype})
    with pytest.raises(ComputeError, match=f"`y_true` holds {label}: wanted the labels 0 and 1"):
        asked(frame)


@pytest.mark.parametrize("label", [2**62, -(2**63), 2**60, 2**63 - 8])
def test_bad_labels_too_long_for_their_code_are_named_within_eight(label):
    frame = pl.DataFrame(
        {"y": [0, label], "s": [0.5, 0.5]}, schema={"y": pl.Int64, "s": pl.Float32}
    )
    with pytest.raises(ComputeError, match=f"`y_true` holds a label of about {label}: wanted"):
        asked(frame)


def key_of_double(score):
    bits = struct.unpack("<Q", struct.pack("<d", score))[0]
    return bits ^ (2**64 - 1) if bits >> 63 else bits | 1 << 63


def key_of_float(score):
    bits = struct.unpack("<I", struct.pack("<f", score))[0]
    return 0xFFFFFFFF << 32 | (bits ^ 0xFFFFFFFF if bits >> 31 else bits | 1 << 31)


FLOAT_NAN = 0xFFFFFFFF << 32 | 5
DOUBLE_NAN = 5
MINUS_ZERO = 2**63 - 1


@pytest.mark.parametrize(
    "keys",
    [
        [key_of_float(0.9), key_of_float(0.5), FLOAT_NAN, key_of_double(0.3), key_of_double(0.2)],
        [key_of_float(0.1), key_of_double(0.3)],
        [FLOAT_NAN],
        [DOUBLE_NAN],
        [key_of_double(0.5), DOUBLE_NAN, key_of_double(0.2)],
        [key_of_double(0.0), MINUS_ZERO],
    ],
)
@pytest.mark.parametrize("function", ["score_metrics", "roc_curve", "score_state"])
def test_keys_that_no_score_has_are_refused(keys, function):
    codes = [key << 64 | at & 1 for at, key in enumerate(keys)]
    signed = [code - (1 << 128) if code >> 127 else code for code in codes]
    frame = pl.DataFrame({"x": pl.Series([signed], dtype=pl.List(pl.Int128))})
    spec = Asked(score_metrics=["ece(10)"], bins=256).packed()
    args = ["x", pl.lit(0), pl.lit(1)] if function == "score_state" else ["x"]
    with pytest.raises(ComputeError, match="a code that no label and score have"):
        frame.select(plugin(function, args, spec, is_elementwise=True))


@pytest.mark.parametrize("weight", [math.nan, -1.0, math.inf])
def test_weights_that_no_row_has_are_refused_before_they_are_sorted(weight):
    code = struct.pack("<QQd", 0, key_of_double(0.5), weight)
    later = struct.pack("<QQd", 4, 7, 1.0)  # a bad label
    frame = pl.DataFrame({"x": pl.Series([[code] * 40 + [later]], dtype=pl.List(pl.Binary))})
    spec = Asked(score_metrics=["ks"], weighted=True).packed()
    with pytest.raises(ComputeError, match="a weight that no row has"):
        frame.select(plugin("score_metrics", ["x"], spec, is_elementwise=True))


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e-160, 1e151, 1e200, 3e307])
@pytest.mark.parametrize(
    "make",
    [
        lambda: cm.sweep_metrics("y", "s", ["ks"], sample_weight="w"),
        lambda: cm.sweep_metrics("y", "s", [], sample_weight="w"),
        lambda: roc_curve("y", "s", sample_weight="w"),
        lambda: cm.state("y", y_score="s", sample_weight="w"),
    ],
)
def test_weights_whose_products_are_no_doubles_are_refused(scale, make):
    frame = pl.DataFrame({"y": [0, 1] * 10, "s": np.arange(20) / 20, "w": np.full(20, scale)})
    with pytest.raises(ComputeError, match="wanted 0, or a sum from 1e-150 to 1e150"):
        frame.select(make())
    small = frame.with_columns(w=pl.lit(1e148))
    assert small.select(make()).height == 1


def test_a_positive_class_of_another_kind_is_shown_as_it_was_given():
    frame = pl.DataFrame({"y": ["0", "1"], "s": [0.1, 0.2]})
    for label, text in ((True, "True"), (1, "1")):
        with pytest.raises(ComputeError, match=f"`pos_label` is {text}, `y_true` has"):
            frame.select(cm.sweep_metrics("y", "s", pos_label=label))
