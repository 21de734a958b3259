"""Joint states of two scores: what is read of them against what the rows themselves give."""

import math
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.scores import joint_differences
from confmat.scores.delong import paired_delong
from confmat.scores.joint_differences import METRICS, joint_difference


def drawn(n, seed=0, step=None, share=0.3):
    """Return truth and two scores in [0, 1] that go together; multiples of a step if asked."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(np.int64)
    common = rng.normal(size=n) + 1.2 * y
    a, b = (1 / (1 + np.exp(-common - 0.7 * rng.normal(size=n))) for _ in "ab")
    if step is not None:
        a, b = (np.round(one / step) * step for one in (a, b))
    return y, a, b


def costs_of_rows(metric, y, s):
    s = np.asarray(s, dtype=np.float64)
    if metric == "brier":
        return (s - y) ** 2
    s = np.clip(s, np.finfo(float).eps, 1 - np.finfo(float).eps)
    return -np.log(np.where(y == 1, s, 1 - s))


WEIGHTS = {
    "none": lambda n: None,
    "integers": lambda n: np.random.default_rng(9).integers(0, 5, n),
    "floats": lambda n: np.random.default_rng(9).exponential(size=n),
}
each_weight = pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)


@each_weight
def test_area_of_scores_with_bins_of_their_own(weight):
    """Of multiples of 1/64 each coarse bin has one score: then DeLong's numbers are exact."""
    y, a, b = drawn(3000, step=1 / 64)
    w = weight(len(y))
    known = paired_delong(y, a, b, w)
    found = joint_difference(cm.joint_sweep(y, a, b, sample_weight=w), "roc_auc")
    assert found.value_a == pytest.approx(known.auc_a, rel=1e-12)
    assert found.value_b == pytest.approx(known.auc_b, rel=1e-12)
    assert found.least == found.most == found.value_b - found.value_a
    assert found.se == pytest.approx(math.sqrt(known.var_a + known.var_b - 2 * known.cov), rel=1e-9)


@each_weight
@pytest.mark.parametrize("metric", ["brier", "log_loss"])
def test_losses_of_scores_with_bins_of_their_own(weight, metric):
    y, a, b = drawn(3000, step=1 / 64)
    w = weight(len(y))
    each = np.ones(len(y)) if w is None else np.asarray(w, dtype=np.float64)
    change = costs_of_rows(metric, y, b) - costs_of_rows(metric, y, a)
    mean = np.average(change, weights=each)
    squares = each if w is None or w.dtype.kind == "i" else each**2
    variance = (squares * (change - mean) ** 2).sum() / (each.sum() ** 2 - squares.sum())
    found = joint_difference(cm.joint_sweep(y, a, b, sample_weight=w), metric)
    assert found.value_b - found.value_a == pytest.approx(mean, rel=1e-9)
    assert found.se == pytest.approx(math.sqrt(variance), rel=1e-9)


@pytest.mark.parametrize("n", [40, 400, 40_000])
@pytest.mark.parametrize("metric", ["roc_auc", "brier", "log_loss"])
def test_interval_holds_that_of_the_rows(n, metric):
    y, a, b = drawn(n, seed=n)
    known = paired_delong(y, a, b)
    se = math.sqrt(known.var_a + known.var_b - 2 * known.cov)
    difference = known.auc_b - known.auc_a
    if metric != "roc_auc":
        change = costs_of_rows(metric, y, b) - costs_of_rows(metric, y, a)
        difference, se = change.mean(), change.std(ddof=1) / math.sqrt(n)
    j = cm.joint_sweep(y, a, b)
    found = joint_difference(j, metric)
    assert found.least - 1e-12 <= difference <= found.most + 1e-12
    assert (1 - 1e-4) * se <= found.se <= 1.001 * se  # whose scores are those of finest bins
    told = j.difference(metric)
    assert told.low <= difference - 1.9597 * se
    assert told.high >= difference + 1.9597 * se
    assert told.high - told.low <= 2 * 1.963 * se + (found.most - found.least)


def test_many_cells_are_joined_and_few_are_not():
    """Up to 131,072 cells of finest bins are kept as they are; then coarser ones."""
    y, a, b = drawn(300_000)
    j = cm.joint_sweep(y, a, b)
    assert 1 < j._state.level < 9
    assert len(j._state.bins.places) <= 131_072
    parts = [cm.joint_sweep(y[at::7], a[at::7], b[at::7]) for at in range(7)]
    assert parts[0]._state.level == 0
    assert cm.merge([one.to_bytes() for one in parts]).to_bytes() == j.to_bytes()
    assert sum(reversed(parts)).to_bytes() == j.to_bytes()
    known = paired_delong(y, a, b)
    se = math.sqrt(known.var_a + known.var_b - 2 * known.cov)
    assert se < j.difference().se < 1.03 * se


def variance_by_bins(of_a, at_a, of_b, at_b):
    """Return the variance that the state of one class allows, and that of the rows."""
    n, k = len(of_a), 513
    places, cells = np.unique((k + at_a) * k + at_b, return_counts=True)
    bins = SimpleNamespace(places=places, cells=cells)
    state = SimpleNamespace(_state=SimpleNamespace(level=8, bins=bins))
    a, b = (
        joint_differences._Added(of - of.mean(), *np.ones((2, n)), joint_differences._K + at)
        for of, at in ((of_a, at_a), (of_b, at_b))
    )
    return joint_differences._variance(state, a, b), np.var(of_a - of_b, ddof=1) / n


@pytest.mark.parametrize("together", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("with_other", [-1.0, 0.0, 1.0])
def test_variance_is_the_largest_that_coarse_bins_allow(together, with_other):
    """What rows add within bins, alike or against each other, and with the bins of the other."""
    rng = np.random.default_rng(5)
    at_a, at_b = rng.integers(0, 6, (2, 4000))
    within = rng.normal(size=4000)
    of_a = at_a + 0.3 * within + 0.3 * with_other * at_b
    of_b = at_b + 0.3 * together * within + 0.3 * with_other * at_a + 0.2 * rng.normal(size=4000)
    allowed, rows = variance_by_bins(of_a, at_a, of_b, at_b)
    assert rows <= allowed <= 4 * rows
    if together == with_other == -1.0:  # it is reached, nearly
        assert allowed <= 1.3 * rows


@pytest.mark.parametrize("which", [0, 1])
def test_variance_is_that_of_the_rows_where_bins_tell_all_of_one_model(which):
    rng = np.random.default_rng(6)
    at = rng.integers(0, 6, 500)
    of = [at.astype(np.float64), 2.0 * at]
    of[which] = of[which] + rng.normal(size=500)
    allowed, rows = variance_by_bins(of[0], at, of[1], at)
    assert allowed == pytest.approx(rows, rel=1e-9)


def test_the_same_scores_differ_by_nothing():
    y, a, _ = drawn(300, step=1 / 64)
    j = cm.joint_sweep(y, a, a)
    assert j.difference().value == 0
    assert j.difference().se == pytest.approx(0, abs=1e-12)
    assert j.test("equal").note == "every row says the same of both models"
    fine = cm.joint_sweep(*(drawn(20_000)[at] for at in (0, 1, 1)))
    assert not fine.sweep("a").is_exact
    assert fine.difference().low < 0 < fine.difference().high


@each_weight
def test_parts_merge_to_the_whole(weight):
    y, a, b = drawn(1000, step=1 / 1024)
    w = weight(len(y))

    def part(rows):
        return cm.joint_sweep(
            y[rows], a[rows], b[rows], sample_weight=None if w is None else w[rows]
        )

    whole = part(slice(None))
    parts = [part(slice(at, at + 100)) for at in range(0, 1000, 100)]
    merged = cm.merge([one.to_bytes() for one in reversed(parts)])
    assert merged == sum(parts)
    assert merged.difference()[:4] == pytest.approx(whole.difference()[:4], rel=1e-12)
    if w is None or w.dtype.kind == "i":
        assert merged == whole
        assert merged.to_bytes() == whole.to_bytes()
        rest = whole - part(slice(300, None))
        assert rest.difference("brier") == part(slice(0, 300)).difference("brier")
    column = pl.DataFrame({"state": [one.to_bytes() for one in parts]})
    of_column = column.select(pl.col("state").cm.merge_states()).item()
    assert cm.from_bytes(of_column) == merged


@pytest.mark.parametrize("of", ["float32", "integers", "texts", "booleans"])
def test_other_inputs(of):
    y, a, b = drawn(400, step=1 / 64)
    truth, pos = y, None
    if of == "float32":
        a, b = a.astype(np.float32), b.astype(np.float32)
    elif of == "integers":
        a, b = (np.round(64 * one).astype(np.int64) for one in (a, b))
    elif of == "texts":
        truth, pos = np.where(y == 1, "late", "on time"), "late"
    else:
        truth = y == 1
    j = cm.joint_sweep(truth, a, b, pos_label=pos)
    known = paired_delong(y, a, b)
    assert j.difference().value == pytest.approx(known.auc_b - known.auc_a, rel=1e-12)
    assert j.pos_label == {"texts": "late", "booleans": True}.get(of, 1)
    assert j.sweep("a").n == j.n == 400


def test_rows_that_are_left_out():
    nan = math.nan
    truth = [0, 1, None, 1, 0, 1, nan]
    a = pl.Series([0.1, 0.2, 0.3, None, nan, 0.9, 0.5], strict=False)
    b = [0.1, nan, 0.3, 0.4, 0.5, 0.8, 0.5]
    with pytest.raises(cm.InputError, match=r"`y_score_a` .*nan|nan .*row 4 of `y_score_a`"):
        cm.joint_sweep(truth, a, b)
    j = cm.joint_sweep(truth, a, b, nan="drop")
    assert (j.n, j.n_dropped, j.n_nan) == (2, 3, 2)
    assert j.sweep("a").n == j.sweep("b").n == 2
    weighted = cm.joint_sweep(
        [0, 1, 1], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1], sample_weight=[1, None, 2]
    )
    assert (weighted.n, weighted.n_dropped) == (3, 1)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1], [0.1], [0.1, 0.2]), {}, "`y_true` has 2 rows, `y_score_a` has 1"),
        (
            ([0, 1], [0.1, 0.2], [0.1, 0.2]),
            {"sample_weight": [1]},
            "`y_true` has 2 rows, `sample_weight` has 1",
        ),
        (([0, 1], [0.1, 0.2], ["x", "y"]), {}, "`y_score_b`"),
        (([0, 2], [0.1, 0.2], [0.1, 0.2]), {}, "pos_label"),
        (([0, 1], [0.1, 0.2], [0.1, 0.2]), {"nan": "keep"}, "`nan`"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises(cm.InputError, match=message):
        cm.joint_sweep(*arguments, **options)


def test_questions_without_an_answer():
    j = cm.joint_sweep([0, 1, 1], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1])
    assert j.difference().method == "none: a class has one row alone"
    with pytest.raises(cm.InputError, match=r"`metric` is 'ks'; .* roc_auc, brier"):
        j.difference("ks")
    with pytest.raises(cm.InputError, match="level"):
        j.difference("roc_auc", 1.5)
    with pytest.raises(cm.InputError, match=r"those of a model|metrics are those"):
        j.value("roc_auc")
    empty = cm.joint_sweep([], [], [])
    assert empty.difference().method == "none: there are no rows"
    assert empty.overall().height == len(METRICS)
    far = cm.joint_sweep([0, 1, 0, 1], [3.0, 5.0, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0])
    assert "outside [0, 1]" in far.difference("brier").method


def test_tests_and_sides():
    y, a, b = drawn(800, step=1 / 64)
    j = cm.joint_sweep(y, a, b)
    known = paired_delong(y, a, b)
    z = (known.auc_b - known.auc_a) / math.sqrt(known.var_a + known.var_b - 2 * known.cov)
    assert j.test("equal").statistic == pytest.approx(z, rel=1e-9)
    greater = j.test("equal", alternative="greater").p_value
    assert greater + j.test("equal", alternative="less").p_value == pytest.approx(1)
    assert j.test("equivalent", margin=0.2).p_value < 1e-6
    assert j.test("equivalent", margin=1e-6).p_value > 0.4
    fine = joint_difference(cm.joint_sweep(*drawn(800)), "roc_auc")
    assert fine.least < fine.most
    assert fine.least_telling("greater") == fine.least
    assert fine.least_telling("less") == fine.most
    assert fine.least_telling() == min(max(0.0, fine.least), fine.most)
    lower = j.difference(side="lower")
    assert lower.high == 1
    assert lower.low > j.difference().low


def test_slices_of_a_frame():
    y, a, b = drawn(3000)
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"y": y, "a": a, "b": b, "site": rng.integers(0, 4, 3000)})
    frame = frame.with_columns(
        pl.when(pl.int_range(pl.len()) % 17 == 0).then(None).otherwise("a").alias("a"),
        pl.when(pl.col("site") == 3).then(None).otherwise("site").alias("site"),
        w=pl.Series(rng.exponential(size=3000)),
    )
    for weight in (None, "w"):
        options = {"y_true": "y", "y_score_a": "a", "y_score_b": "b", "sample_weight": weight}
        parts = cm.joint_parts(frame, by="site", **options)
        assert parts["site"].to_list() == [0, 1, 2, None]
        for site, state in parts.rows():
            own = frame.filter(pl.col("site").eq_missing(pl.lit(site, pl.Int64)))
            alone = cm.joint_sweep(
                own["y"], own["a"], own["b"], sample_weight=None if weight is None else own["w"]
            )
            assert cm.from_bytes(state) == alone
            assert cm.from_bytes(state).n_dropped == own["a"].null_count()
        whole = cm.joint_parts(frame.lazy(), **options)["joint"].item()
        merged = cm.from_bytes(cm.merge(parts, by=[])["joint"].item()).difference()
        assert merged[:4] == pytest.approx(cm.from_bytes(whole).difference()[:4], rel=1e-12)


def test_slices_say_which_rows_are_left_out():
    frame = pl.DataFrame(
        {
            "site": [1, 1, 1, 2, 2],
            "y": [0, 1, None, 1, 0],
            "a": [0.1, math.nan, 0.2, 0.3, None],
            "b": [0.1, 0.2, 0.3, math.nan, 0.5],
        }
    )
    options = {"y_true": "y", "y_score_a": "a", "y_score_b": "b", "by": "site"}
    parts = cm.joint_parts(frame, nan="drop", **options)
    found = [cm.from_bytes(state) for state in parts["joint"]]
    assert [(j.n, j.n_dropped, j.n_nan) for j in found] == [(1, 1, 1), (0, 1, 1)]
    with pytest.raises(cm.InputError, match="nan at row 1 of `y_score_a`"):
        cm.joint_parts(frame, **options)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "there are no models; wanted `y_pred_a` and `y_pred_b`, or"),
        ({"y_pred_a": "a", "y_score_b": "b"}, "there are `y_pred_a`, `y_score_b`; wanted"),
        ({"y_score_a": "a"}, "there are `y_score_a`; wanted"),
        ({"y_score_a": "a", "y_score_b": "b", "labels": [0, 1]}, "`labels` and `other`"),
        ({"y_score_a": "a", "y_score_b": "c"}, "c"),
    ],
)
def test_parts_that_are_refused(columns, message):
    frame = pl.DataFrame({"y": [0, 1], "a": [0.1, 0.2], "b": [0.3, 0.4]})
    with pytest.raises(cm.InputError, match=message):
        cm.joint_parts(frame, y_true="y", **columns)


def test_rows_of_weight_0_are_not_there():
    rng = np.random.default_rng(4)
    y, a, b = rng.integers(0, 2, 200_000), rng.random(200_000), rng.random(200_000)
    held = np.arange(200_000) < 50_000
    j = cm.joint_sweep(y, a, b, sample_weight=held.astype(np.int64))
    few = cm.joint_sweep(y[held], a[held], b[held])
    assert j._state.level == few._state.level == 0
    assert j.difference() == few.difference()


def test_keys_of_any_name():
    y, a, b = drawn(60)
    names = ["state", "scored", "__joint_y_true", "y_true", "y"]
    for name in names:
        frame = pl.DataFrame({"truth": y, "s": a, "t": b, name: ["k", None] * 30})
        parts = cm.joint_parts(frame, y_true="truth", y_score_a="s", y_score_b="t", by=name)
        assert parts.columns == [name, "joint"]
        assert [cm.from_bytes(one).n for one in parts["joint"]] == [30, 30]


@pytest.mark.parametrize(
    "change",
    [
        {"positive": [0, 2]},
        {"bins_a": [0, 2**31]},
        {"bins_b": [0]},
        {"amounts": np.array([1, 0])},
        {"amounts": np.array([1, -1])},
        {"amounts": np.array([1.0, np.inf])},
        {"n_dropped": -1},
    ],
)
def test_parts_that_are_of_no_rows(change):
    sweeps = [cm.sweep([0, 1], [0.0, 0.0], bins="unit")._state for _ in "ab"]
    zero = cm._core.unit_bins(np.zeros(2))
    given = {"positive": [0, 1], "bins_a": zero, "bins_b": zero, "amounts": np.ones(2, np.int64)}
    given |= {"n_dropped": 0, "n_nan": 0} | change
    with pytest.raises(cm.InputError, match="do not go together"):
        cm._core.JointScores(
            *sweeps,
            np.array(given["positive"], np.int32),
            np.array(given["bins_a"], np.uint32),
            np.array(given["bins_b"], np.uint32),
            given["amounts"],
            given["n_dropped"],
            given["n_nan"],
        )


def test_names_that_are_not_those_of_the_state():
    y, a, b = drawn(200, step=1 / 64)
    j = cm.joint_sweep(y, a, b)
    assert j.difference("auc") == j.difference("roc_auc")
    assert j.test("equal", metric="brier_score").p_value == j.test("equal", metric="brier").p_value
    with pytest.raises(cm.InputError, match="`alternative` is 'x'"):
        j.test("equal", alternative="x")
    same = j.test("equivalent", margin=0.2)
    assert same.difference == j.difference()
    assert "of a," in same.compared
    assert cm.joint_sweep([], [], []).test("equivalent", margin=0.1).note == "there are no rows"
