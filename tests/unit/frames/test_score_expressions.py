"""Score metrics as expressions: every place that Polars calls them from gives the same numbers."""

import inspect
import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from polars.testing import assert_frame_equal
from support.core_sweeps import sweep as sweep_parts

import confmat as cm
from confmat import _core
from confmat.frames.expr_metrics import ScoreExprMetrics
from confmat.frames.score_expressions import pr_curve, roc_curve, score_metric
from confmat.frames.score_methods import ScoreMethods

NAMES = ["roc_auc", "average_precision", "ks", "eer", "brier", "log_loss", "ece", "ece(4)"]
RNG = np.random.default_rng(11)
FRAME = pl.DataFrame(
    {
        "seg": RNG.integers(0, 5, 400),
        "t": np.arange(400),
        "y": RNG.integers(0, 2, 400),
        "s": RNG.integers(0, 17, 400) / 16,
        "w": RNG.integers(0, 9, 400) / 4,
    }
)


def exact_auc(frame):
    """Return the AUC of a frame as a fraction, or None."""
    up, down = (frame.filter(pl.col("y") == k)["s"].to_list() for k in (1, 0))
    pairs = [Fraction(1, 2) if a == b else int(a > b) for a in up for b in down]
    return float(sum(map(Fraction, pairs), Fraction()) / len(pairs)) if pairs else None


def values_of(frame, names=NAMES):
    """Return metrics of a frame by the other route: sweep arrays and the core."""
    sums = frame.group_by("s").agg(p=pl.col("y").sum(), n=(1 - pl.col("y")).sum())
    sums = sums.sort("s", descending=True)
    values = _core.score_values(names, *(sums[c].to_numpy() for c in ("s", "p", "n")))
    return [None if math.isnan(value) else value for value in values]


def expected(by="seg"):
    groups = sorted(FRAME.partition_by(by, as_dict=True).items())
    rows = [(*key, frame.height, 0, *values_of(frame)) for key, frame in groups]
    return pl.DataFrame(rows, schema=[by, "n", "n_dropped", *NAMES], orient="row")


def asked(**options):
    return cm.sweep_metrics("y", "s", NAMES, **options)


def check(frame):
    assert_frame_equal(frame.cast({"n": pl.Int64, "n_dropped": pl.Int64}), expected(), abs_tol=0)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_group_by(engine):
    query = FRAME.lazy().group_by("seg").agg(m=asked()).unnest("m").sort("seg")
    check(query.collect(engine=engine))


def test_eager_group_by():
    check(FRAME.group_by("seg", maintain_order=True).agg(m=asked()).unnest("m").sort("seg"))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_over(engine):
    query = FRAME.lazy().with_columns(m=asked().over("seg")).select("seg", "m").unique()
    check(query.unnest("m").sort("seg").collect(engine=engine))


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_select_and_with_columns(engine):
    one = FRAME.lazy().select(asked()).collect(engine=engine)
    assert list(one.item().values()) == [400, 0, *values_of(FRAME)]
    column = FRAME.lazy().with_columns(asked()).collect(engine=engine)["sweep_metrics"]
    assert column.n_unique() == 1
    assert column[0] == one.item()


def test_group_by_dynamic_and_rolling():
    windows = FRAME.group_by_dynamic("t", every="100i").agg(score_metric("roc_auc", "y", "s"))
    parts = [exact_auc(FRAME[i : i + 100]) for i in range(0, 400, 100)]
    assert windows["roc_auc"].to_list() == parts
    rolled = FRAME.rolling("t", period="50i").agg(score_metric("roc_auc", "y", "s"))
    last = [exact_auc(FRAME[max(0, i - 49) : i + 1]) for i in range(0, 400, 37)]
    assert rolled["roc_auc"].to_list()[::37] == last


def test_small_groups_are_exact_fractions():
    frame = FRAME.with_columns(seg=pl.col("t") // 4)
    out = frame.group_by("seg", maintain_order=True).agg(pl.col("y").cm.roc_auc("s"))
    assert out["roc_auc"].to_list() == [exact_auc(part) for part in frame.partition_by("seg")]
    assert out["roc_auc"].null_count() > 0  # groups of one class


def test_declared_dtypes():
    for weight, n in ((None, pl.UInt64), ("w", pl.Float64)):
        query = FRAME.lazy().group_by("seg").agg(asked(sample_weight=weight))
        dtype = query.collect_schema()["sweep_metrics"]
        assert dtype == query.collect().schema["sweep_metrics"]
        fields = {"n": n, "n_dropped": pl.UInt64} | dict.fromkeys(NAMES, pl.Float64)
        assert dtype == pl.Struct(fields)
    curves = FRAME.lazy().select(roc_curve("y", "s"), pr_curve("y", "s"))
    assert curves.collect_schema() == curves.collect().schema


def test_whole_weights_are_repeated_rows():
    frame = FRAME.with_columns(w=pl.col("w").floor())
    repeated = frame.filter(pl.col("w") > 0).select(
        pl.exclude("w").repeat_by(pl.col("w").cast(pl.UInt32)).explode(empty_as_null=False)
    )
    weighted = frame.group_by("seg").agg(m=asked(sample_weight="w")).sort("seg").unnest("m")
    plain = repeated.group_by("seg").agg(m=asked()).sort("seg").unnest("m")
    assert_frame_equal(weighted, plain.cast({"n": pl.Float64}), abs_tol=0)


def test_the_order_of_rows_changes_no_bit():
    frame = FRAME.with_columns(w=RNG.random(400))
    for weight in (None, "w"):
        one = frame.select(asked(sample_weight=weight)).item()
        for seed in range(3):
            mixed = frame.sample(fraction=1, shuffle=True, seed=seed)
            assert mixed.select(asked(sample_weight=weight)).item() == one


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float16])
def test_short_floats(dtype):
    frame = FRAME.with_columns(pl.col("s").cast(dtype))
    names = [name for name in NAMES if name != "log_loss"]  # clipped by dtype
    wanted = FRAME.select(cm.sweep_metrics("y", "s", names)).item()
    assert frame.select(cm.sweep_metrics("y", "s", names)).item() == wanted


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["lo", "up", "x"])])
def test_text_labels(dtype):
    word = pl.when(pl.col("y") == 1).then(pl.lit("up")).otherwise(pl.lit("lo")).cast(dtype)
    frame = FRAME.with_columns(y=word)
    check(frame.group_by("seg").agg(m=asked(pos_label="up")).unnest("m").sort("seg"))
    other = frame.select(pl.col("y").cm.roc_auc("s", pos_label="lo")).item()
    assert other == pytest.approx(1 - FRAME.select(pl.col("y").cm.roc_auc("s")).item(), abs=1e-15)


@pytest.mark.parametrize("dtype", [pl.Boolean, pl.Int8, pl.UInt64])
def test_other_labels(dtype):
    frame = FRAME.with_columns(pl.col("y").cast(dtype))
    check(frame.group_by("seg").agg(m=asked()).unnest("m").sort("seg"))
    check(frame.group_by("seg").agg(m=asked(pos_label=True)).unnest("m").sort("seg"))


def test_nulls_are_dropped_and_counted():
    frame = pl.DataFrame(
        {"y": [1, None, 0, 1, 0], "s": [0.9, 0.1, None, 0.2, 0.4], "w": [1.0, 1, 1, None, 2]}
    )
    assert frame.select(cm.sweep_metrics("y", "s", "roc_auc")).item() == {
        "n": 3,
        "n_dropped": 2,
        "roc_auc": 0.5,
    }
    weighted = cm.sweep_metrics("y", "s", "roc_auc", sample_weight="w")
    assert frame.select(weighted).item() == {"n": 3.0, "n_dropped": 3, "roc_auc": 1.0}


def test_a_nan_is_an_error_or_dropped():
    frame = pl.DataFrame({"y": [1, 0, 1], "s": [0.9, 0.1, math.nan]})
    with pytest.raises(ComputeError, match="score nan at row 2"):
        frame.select(cm.sweep_metrics("y", "s"))
    out = frame.select(cm.sweep_metrics("y", "s", nan="drop")).item()
    assert (out["n"], out["n_dropped"], out["roc_auc"]) == (2, 1, 1.0)
    # A filter may run after the codes were made, and takes the nan away.
    kept = frame.lazy().filter(pl.col("s").is_not_nan()).select(cm.sweep_metrics("y", "s"))
    assert kept.collect().item()["n"] == 2


def test_a_third_class_is_an_error_where_it_meets():
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "y": [5, 3, 5, 4], "s": [0.5] * 4})
    apart = frame.group_by("g").agg(cm.sweep_metrics("y", "s", pos_label=5))
    assert apart.height == 2
    with pytest.raises(ComputeError, match="beside pos_label 5: 3 and 4"):
        frame.select(cm.sweep_metrics("y", "s", pos_label=5))
    with pytest.raises(ComputeError, match="wanted the labels 0 and 1"):
        frame.select(cm.sweep_metrics("y", "s"))


def test_undefined():
    frame = pl.DataFrame({"y": [1, 1], "s": [0.5, 0.6]})
    assert frame.select(pl.col("y").cm.roc_auc("s")).item() is None
    assert frame.select(pl.col("y").cm.roc_auc("s", undefined=0.25)).item() == 0.25
    assert frame.clear().select(pl.col("y").cm.brier("s")).item() is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cm.sweep_metrics(metrics=["roc_acu"]), "did you mean 'roc_auc'"),
        (lambda: cm.sweep_metrics(metrics=["mcc"]), "of predicted classes"),
        (lambda: cm.sweep_metrics(metrics=["ks", "ks"]), "holds 'ks' twice"),
        (lambda: cm.sweep_metrics(metrics=[3]), "has int 3 at position 0"),
        (lambda: cm.sweep_metrics(nan="skip"), "`nan` is 'skip'"),
        (lambda: cm.sweep_metrics(pos_label=1.5), "`pos_label` is float 1.5"),
        (lambda: cm.sweep_metrics(undefined="x"), "`undefined` is 'x'"),
        (lambda: pl.col("y").cm.ece("s", bins=0), "bins, a whole number"),
    ],
)
def test_bad_requests(make, message):
    with pytest.raises(cm.InputError, match=message):
        make()


def test_curves():
    frame = pl.DataFrame({"g": [1, 1, 1, 1, 2], "y": [0, 1, 1, 0, 1], "s": [2, 9, 4, 4, 1]})
    out = frame.group_by("g", maintain_order=True).agg(
        pl.col("y").cm.roc_curve("s"), pl.col("y").cm.pr_curve("s")
    )
    roc, pr = out["roc_curve"], out["pr_curve"]
    assert [tuple(point.values()) for point in roc[0]] == [
        (math.inf, 0, 0),
        (9, 0, 0.5),
        (4, 0.5, 1),
        (2, 1, 1),
    ]
    assert [tuple(point.values()) for point in pr[0]] == [(9, 0.5, 1), (4, 1, 2 / 3), (2, 1, 0.5)]
    assert roc[1] is None
    assert [tuple(point.values()) for point in pr[1]] == [(1, 1, 1)]


def test_a_method_for_every_score_metric():
    names = {fact["name"] for fact in _core.score_facts()}
    methods = {name for name in vars(ScoreExprMetrics) if not name.startswith("_")}
    assert methods == names
    expr = pl.col("y").cm
    out = FRAME.select(getattr(expr, name)("s").alias(name) for name in sorted(names))
    assert list(out.row(0)) == values_of(FRAME, sorted(names))
    together = FRAME.select(expr.sweep_metrics("s", sorted(names))).unnest("sweep_metrics")
    assert together.select(sorted(names)).row(0) == out.row(0)


def test_the_sweep_of_the_same_rows_agrees():
    names = sorted(fact["name"] for fact in _core.score_facts())
    for dtype in (np.float32, np.float64):
        y, s = FRAME["y"].to_numpy(), FRAME["s"].to_numpy().astype(dtype)
        sweep = sweep_parts(y, s)
        ours = FRAME.with_columns(s=s).select(cm.sweep_metrics("y", "s", names)).item()
        assert [ours[name] for name in names] == _core.score_values(names, *sweep[:3])


def falls_back(query):
    graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
    return "in-memory-map" in graph


@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}, {"pos_label": 0}])
@pytest.mark.parametrize("by", ["seg", ["seg", "t"]])
def test_grouped_queries_stream(by, options):
    query = FRAME.lazy().group_by(by).agg(asked(**options), pl.col("w").mean())
    assert not falls_back(query)


@pytest.mark.parametrize("curve", [roc_curve, pr_curve])
def test_curves_stream(curve):
    assert not falls_back(FRAME.lazy().group_by("seg").agg(curve("y", "s")))


METHODS = [name for name in dir(ScoreMethods) if not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_methods_list_their_options(name):
    parameters = inspect.signature(getattr(ScoreMethods, name)).parameters
    assert "options" not in parameters
    assert [*parameters][:2] == ["self", "y_score"]
    assert "y_true" not in parameters
    assert {"pos_label", "sample_weight", "nan"} <= set(parameters)
    if name not in ("roc_curve", "pr_curve"):
        assert "undefined" in parameters


def test_parameters_are_in_the_name_where_they_are_not_the_defaults():
    df = pl.DataFrame({"y": [0, 1, 1], "s": [0.2, 0.9, 0.4]})
    y = pl.col("y").cm
    asked = [y.ece("s"), y.mce("s", bins=10), y.rms_ce("s", bins=5), y.ece("s", bins=15)]
    assert df.select(asked).columns == ["ece", "mce", "rms_ce(5)", "ece(15)"]
    assert df.cm.evaluate("y", y_score="s", metrics=["ece", "ece(5)"]).columns[2:] == [
        "ece",
        "ece(5)",
    ]
