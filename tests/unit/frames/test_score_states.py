"""Binned sweeps as a column: merging gives the state of all rows; bounds hold the exact area."""

import io
import math
import struct

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from support.forged import forged, rows_at

import confmat as cm
from confmat.frames.state_values import state_metrics
from confmat.frames.states import merge_states

RNG = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "day": np.arange(600) // 60,
        "site": RNG.integers(0, 3, 600),
        "y": RNG.integers(0, 2, 600),
        "s": RNG.random(600),
        "w": RNG.random(600),
        "k": RNG.integers(0, 5, 600),
    }
)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_days_merge_to_the_whole(engine, weight):
    state = cm.state("y", y_score="s", sample_weight=weight)
    days = FRAME.lazy().group_by("day", "site").agg(state)
    query = days.group_by("site").agg(merge_states())
    merged = query.collect(engine=engine).sort("site")["state"]
    whole = FRAME.group_by("site").agg(state).sort("site")["state"]
    if weight is None:
        assert merged.to_list() == whole.to_list()
    names = ["roc_auc", "average_precision", "ks"]
    ours, theirs = (
        frame.select(state_metrics("state", names)).unnest("metrics").to_numpy()
        for frame in (merged.to_frame(), whole.to_frame())
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-13)


LABELS = {
    "0 and 1": (FRAME["y"], None),
    "-1 and 1": (FRAME["y"].cast(pl.Int8) * 2 - 1, None),
    "UInt8": (FRAME["y"].cast(pl.UInt8), None),
    "Float64": (FRAME["y"].cast(pl.Float64), 0),
    "Booleans": (FRAME["y"] == 1, None),
    "False": (FRAME["y"] == 1, False),
    "1 for True": (FRAME["y"] == 1, 1),
    "other integers": (FRAME["y"] + 7, 8),
    "huge integers": (FRAME["y"] + 2**62, 2**62),
    "String": (FRAME["y"].replace_strict({0: "good", 1: "bad"}), "bad"),
    "Categorical": (
        FRAME["y"].replace_strict({0: "good", 1: "bad"}, return_dtype=pl.Categorical),
        "good",
    ),
    "Enum": (
        FRAME["y"].replace_strict({0: "no", 1: "yes"}, return_dtype=pl.Enum(["no", "yes"])),
        "yes",
    ),
}


@pytest.mark.parametrize("weight", [None, "k", "w"], ids=["none", "integers", "floats"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
@pytest.mark.parametrize(("labels", "positive"), LABELS.values(), ids=LABELS)
def test_the_bytes_are_those_of_other_doors(labels, positive, dtype, weight):
    frame = FRAME.with_columns(
        pl.when(pl.int_range(pl.len()) % 50 > 0).then(labels).alias("y"), pl.col("s").cast(dtype)
    )
    expression = cm.state("y", y_score="s", pos_label=positive, sample_weight=weight)
    weights = None if weight is None else frame[weight]
    whole = cm.sweep(frame["y"], frame["s"], pos_label=positive, sample_weight=weights, bins="unit")
    assert frame.select(expression).item() == whole.to_bytes()
    for (site,), rows in frame.group_by("site"):
        weights = None if weight is None else rows[weight]
        eager = cm.sweep(
            rows["y"], rows["s"], pos_label=positive, sample_weight=weights, bins="unit"
        )
        grouped = frame.group_by("site").agg(expression).filter(site=site)
        assert grouped["state"].item() == eager.to_bytes()


def test_labels_of_rows_left_out_do_not_hide_the_negative_class():
    frame = pl.DataFrame({"y": ["a", "b", "c", "d"], "s": [None, 0.1, 0.2, None]})
    state = frame.select(cm.state("y", y_score="s", pos_label="b")).item()
    whole = cm.sweep(frame["y"], frame["s"], pos_label="b", bins="unit")
    assert (whole.labels, whole.n_dropped) == (["c", "b"], 2)
    assert state == whole.to_bytes()


@pytest.mark.parametrize("bins", [2, 256, 65536, "unit"])
def test_bounds_hold_the_exact_area(bins):
    out = (
        FRAME.group_by("site")
        .agg(cm.state("y", y_score="s", bins=bins), exact=pl.col("y").cm.roc_auc("s"))
        .with_columns(state_metrics(metrics="roc_auc"))
        .unnest("metrics")
    )
    assert (out["roc_auc_lo"] <= out["exact"]).all()
    assert (out["exact"] <= out["roc_auc_hi"]).all()
    width = (out["roc_auc_hi"] - out["roc_auc_lo"]).max()
    assert width < {65536: 0.01, "unit": 1e-4}.get(bins, 1.01)


def test_scores_that_bins_tell_apart_are_exact():
    frame = FRAME.with_columns((pl.col("s") * 64).floor() / 64)
    state = frame.select(cm.state("y", y_score="s"))
    names = ["roc_auc", "average_precision", "ks", "eer"]
    out = state.select(state_metrics(metrics=names)).item()
    exact = frame.select(cm.sweep_metrics("y", "s", names)).item()
    assert {name: out[name] for name in names} == {name: exact[name] for name in names}


FEW = {
    "k/255": (pl.Series(RNG.integers(0, 256, 600) / 255), 65536),
    "k/1000": (pl.Series(RNG.integers(0, 1001, 600) / 1000), "unit"),
    "float16": (pl.Series(RNG.random(600).astype(np.float16)), "float16"),
    "int8": (pl.Series(RNG.integers(-99, 99, 600).astype(np.int8)), 65536),
    "ends": (pl.Series(RNG.choice([-math.inf, -0.0, 0.0, 1e300, math.inf], 600)), "float16"),
}


@pytest.mark.parametrize(("scores", "bins"), FEW.values(), ids=FEW)
@pytest.mark.parametrize("weight", [None, "w"])
def test_merged_states_of_one_score_a_bin_are_exact(scores, bins, weight):
    frame = FRAME.with_columns(s=scores)
    state = cm.state("y", y_score="s", bins=bins, sample_weight=weight)
    days = frame.group_by("day", "site").agg(state)
    sites = days.group_by("site", maintain_order=True).agg(merge_states()).sort("site")
    names = ["roc_auc", "average_precision", "ks", "eer", "pr_auc_trapezoid"]
    out = sites.select("site", state_metrics(metrics=names)).unnest("metrics")
    exact = frame.group_by("site").agg(cm.sweep_metrics("y", "s", names, sample_weight=weight))
    exact = exact.sort("site").unnest("sweep_metrics").select(names)
    assert out["is_exact"].to_list() == [True] * 3
    assert out["roc_auc_lo"].equals(out["roc_auc"], check_names=False)
    assert out["roc_auc_hi"].equals(out["roc_auc"], check_names=False)
    if weight is None:
        assert out.select(names).equals(exact)
        whole = frame.group_by("site").agg(state).sort("site")
        assert whole["state"].to_list() == sites["state"].to_list()
    else:
        np.testing.assert_allclose(out.select(names), exact, rtol=1e-13)


def test_one_more_score_in_a_bin_makes_the_sum_inexact():
    days = [pl.DataFrame({"y": [0, 1], "s": [0.25, s]}) for s in (0.8, 0.8, 0.8000001)]
    states = pl.concat([day.select(cm.state("y", y_score="s")) for day in days])
    assert (
        states.select(state_metrics(metrics="roc_auc").struct["is_exact"]).to_series().to_list()
        == [True] * 3
    )
    for rows, wanted in (([0, 1], True), ([0, 2], False), ([2, 1, 0], False), ([2], True)):
        merged = states[rows].select(merge_states())
        out = merged.select(state_metrics(metrics="roc_auc")).item()
        assert out["is_exact"] is wanted
        assert out["n"] == 2 * len(rows)
        both = pl.concat([merged, states[[0]]]).select(merge_states())
        assert both.select(state_metrics(metrics="roc_auc").struct["is_exact"]).item() is (
            wanted and rows != [2]
        )


def test_damaged_states_are_refused():
    state = pl.DataFrame({"y": [0, 1], "s": [0.25, 0.5]}).select(cm.state("y", y_score="s")).item()
    at = state.index(struct.pack("<d", 0.25))
    damaged = [state[:at] + struct.pack("<d", 0.75) + state[at + 8 :], state[:-1], b""]
    damaged += [forged(state, at, struct.pack("<d", s)) for s in (0.75, math.nan, -0.0, math.inf)]
    for bytes_ in damaged:
        frame = pl.DataFrame({"state": [bytes_]})
        for read in (merge_states(), state_metrics(metrics="ks")):
            with pytest.raises(ComputeError) as found:
                frame.select(read)
            with pytest.raises(cm.StateError) as eager:
                cm.from_bytes(bytes_)
            assert str(eager.value).removesuffix("state") in str(found.value)


def test_float16_bins_merge_with_their_own_alone():
    frame = pl.DataFrame({"y": [0, 1], "s": [0.1, 0.9]})
    for one, two in (("float16", 65536), ("unit", "float16"), (65536, "unit")):
        states = pl.concat([frame.select(cm.state("y", y_score="s", bins=b)) for b in (one, two)])
        either = f"(a sweep of {one} bins|a sweep of {two} bins)"
        words = f"cannot add: {either} and {either}; sweep both with the same `bins=`"
        with pytest.raises(ComputeError, match=words):
            states.select(merge_states())
    wide = pl.DataFrame({"y": [0, 1], "s": [0.5001, 0.5002]})  # between two float16
    out = (
        wide.select(cm.state("y", y_score="s", bins="float16"))
        .select(state_metrics(metrics="roc_auc"))
        .item()
    )
    assert (out["is_exact"], out["roc_auc"], out["roc_auc_hi"]) == (False, 0.5, 1.0)


def test_scores_are_rounded_down_to_their_bins():
    below = np.nextafter(0.5, 0)  # as float32 it would be 0.5
    frame = pl.DataFrame({"y": [1, 0], "s": [below, 0.5]})
    out = frame.select(cm.state("y", y_score="s")).select(state_metrics(metrics="roc_auc")).item()
    assert (out["roc_auc"], out["roc_auc_hi"]) == (0.0, 0.0)


def test_nulls_and_undefined():
    frame = pl.DataFrame({"y": [1, None, 1], "s": [0.5, 0.5, 0.7]})
    state = frame.select(cm.state("y", y_score="s"))
    out = state.select(state_metrics(metrics="roc_auc")).item()
    assert (out["n"], out["n_dropped"]) == (2.0, 1)
    assert out["roc_auc"] is None
    assert out["roc_auc_lo"] is None
    none = pl.DataFrame({"state": [None]}, schema={"state": pl.Binary})
    assert none.select(merge_states()).item() is None
    assert none.select(state_metrics(metrics="roc_auc")).item()["n"] is None


def test_nulls_are_written_and_read_again():
    states = FRAME.group_by("site", maintain_order=True).agg(cm.state("y", y_score="s"))
    none = pl.DataFrame({"site": [7, 8], "state": [None, None]}, schema=states.schema)
    for parts in ([states, none], [none, states], [none]):
        merged = pl.concat(parts).group_by("site", maintain_order=True).agg(merge_states())
        assert merged["state"].null_count() == 2
        file = io.BytesIO()
        merged.write_ipc(file, compat_level=pl.CompatLevel.newest())
        file.seek(0)
        assert pl.read_ipc(file).equals(merged)


def test_the_dropped_rows_of_merged_states_stay_countable():
    state = FRAME.select(cm.state("y", y_score="s")).item()
    most = 2**63 - 1
    full = forged(state, rows_at(state) + 8, struct.pack("<q", most))
    column = pl.Series("state", [full, state])
    whole = column.to_frame().select(merge_states()).select(state_metrics(metrics="roc_auc")).item()
    assert whole["n_dropped"] == most
    for parts in ([full] * 2, [full] * 9000):  # of 2^63 and more
        with pytest.raises(ComputeError, match="number of rows is beyond 64-bit integers"):
            pl.Series("state", parts).to_frame().select(merge_states())


@pytest.mark.parametrize("amount", [3e307, 1e151, 1e-200])
def test_weights_of_merged_states_have_products(amount):
    frame = pl.DataFrame({"y": [0, 1], "s": [0.25, 0.75], "w": [1.0, 1.0]})
    state = frame.select(cm.state("y", y_score="s", sample_weight="w")).item()
    damaged = state
    for _ in range(2):
        damaged = forged(damaged, damaged.index(struct.pack("<d", 1.0)), struct.pack("<d", amount))
    states = pl.DataFrame({"state": [damaged] * 9})
    for read in (merge_states(), state_metrics(metrics="ks")):
        with pytest.raises(ComputeError, match="wanted 0, or a sum from 1e-150 to 1e150"):
            states.select(read)


@pytest.mark.parametrize("bins", [0, 1, 3, 131072, 2.0, "8", "Unit", [0.0, 1.0], ("quantile", 9)])
def test_bins_are_a_power_of_two(bins):
    with pytest.raises(cm.InputError, match="`bins` is"):
        cm.state("y", y_score="s", bins=bins)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
@pytest.mark.parametrize("bins", [None, 16, 65536, "float16", "unit"])
def test_values_are_those_of_the_object(bins, dtype, weight):
    frame = FRAME.with_columns(pl.col("s").cast(dtype))
    states = frame.group_by("site").agg(cm.state("y", y_score="s", bins=bins, sample_weight=weight))
    names = ["roc_auc", "ece(5)", "ks", "brier", "log_loss", "eer"]
    for state, values in states.select("state", state_metrics(metrics=names)).rows():
        sweep = cm.from_bytes(state)
        assert [values[name] for name in names] == [
            sweep.ece
            if name == "ece"
            else sweep.value("ece", bins=5)
            if "(" in name
            else sweep.value(name)
            for name in names
        ]


def test_bins_that_hold_no_probabilities_are_refused():
    frame = pl.DataFrame({"y": [0, 1, 1], "s": [0.5, 2.5, 2.5001]})
    state = frame.select(cm.state("y", y_score="s", bins=4096))
    with pytest.raises(ComputeError, match=r"is outside \[0, 1\]; brier needs"):
        state.select(state_metrics(metrics=["ks", "brier"]))
    exact = frame.select(cm.state("y", y_score="s", bins=None))
    with pytest.raises(ComputeError, match=r"`y_score` holds 2\.5001: brier needs"):
        exact.select(state_metrics(metrics=["ks", "brier"]))


def test_foreign_bytes_are_refused():
    frame = pl.DataFrame({"state": [b"nothing of ours"]})
    with pytest.raises(ComputeError, match="not a saved state"):
        frame.select(merge_states())


def test_states_stream():
    days = FRAME.lazy().group_by("day", "site").agg(cm.state("y", y_score="s"))
    query = days.group_by("site").agg(merge_states()).with_columns(state_metrics(metrics="roc_auc"))
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    assert "in-memory-map" not in graph
    finished = FRAME.lazy().select(x="s").with_columns(state_metrics("x", "ks"))
    graph = finished.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    assert "columnar-function" not in graph
