"""Screens of many classes, label sets and numbers: each number beside its 95 % interval."""

import math
import re

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm
from confmat.labelsets import screen as of_sets
from confmat.multiclass import screen as of_classes
from confmat.render.intervals import HEAD

RNG = np.random.default_rng(11)
N = 400
CODES = RNG.integers(0, 3, N)
SHARES = RNG.random((N, 3)) + 0.8 * np.eye(3)[CODES]
SHARES /= SHARES.sum(1, keepdims=True)
TRUTH = RNG.random((N, 3)) < 0.4
SCORES = RNG.random((N, 3)) * 0.7 + 0.3 * TRUTH
Y = RNG.normal(5, 2, (N, 3))
P = Y + RNG.normal(0.2, 1, (N, 3))
K = cm.multiclass_sweep(CODES, SHARES)
SETS = cm.multilabel(TRUTH, SCORES > 0.5)
SCORED = cm.multilabel_sweep(TRUTH, SCORES)
NUMBERS = cm.regression(Y[:, 0], P[:, 0], metrics=["intervals", "mape"])
OUTPUTS = cm.regression(Y, P)
BINS = cm.sweep(TRUTH[:, 0], SCORES[:, 0]).calibration(4)
OBJECTS = [K, K.to_state(), SETS, SCORED, SCORED.to_state(), NUMBERS, OUTPUTS, BINS]


def cells(x, name):
    """Return the words of the last line that begins with a name, columns apart by two blanks."""
    (*_, line) = [line for line in str(x).splitlines() if line.split(" ")[0] == str(name)]
    return re.split(r"\s{2,}", line)


def bracket(found):
    return "-" if math.isnan(found.low) else f"[{found.low:.4f}, {found.high:.4f}]"


@pytest.mark.parametrize("k", [K, K.to_state()], ids=["rows", "bins"])
def test_many_classes(k):
    for name in ("roc_auc_macro", "log_loss", "brier", "top_2_accuracy"):
        assert cells(k, name)[2] == bracket(k.ci(name))
    pairs = "-" if k is not K else bracket(K.ci("roc_auc_ovo"))
    assert cells(k, "roc_auc_ovo")[2] == pairs
    average = "average_precision_macro"
    assert cells(k, average)[2] == bracket(k.ci(average))
    for label in k.labels:
        area = k.one_vs_rest(label).ci("roc_auc")
        assert cells(k, label)[2:4] == [f"{area.value:.4f}", bracket(area)]


def test_sets_of_labels():
    for name in ("exact_match", "hamming_loss", "f1_samples", "f1_micro", "f1_macro"):
        assert cells(SETS, name)[2] == bracket(SETS.ci(name))
    for label in SETS.labels:
        assert cells(SETS, label)[2] == bracket(SETS.label(label).ci("precision"))


@pytest.mark.parametrize("s", [SCORED, SCORED.to_state()], ids=["rows", "bins"])
def test_scores_of_label_sets(s):
    for name in ("roc_auc_macro", "average_precision_weighted", "coverage_error"):
        assert cells(s, name)[2] == bracket(s.ci(name))
    for label in s.labels:
        assert cells(s, label)[3] == bracket(s.label(label).ci("roc_auc"))


def test_areas_of_labels_are_as_wide_as_rows_drawn_again():
    table = SCORED.per_class("roc_auc", ci=0.95)
    assert table.columns == ["label", "n_positive", "roc_auc", "roc_auc_low", "roc_auc_high"]
    for at, low, high in table.select("label", "roc_auc_low", "roc_auc_high").rows():
        areas = []
        for rows in RNG.integers(0, N, (1_000, N)):
            y, ranks = TRUTH[rows, at], stats.rankdata(SCORES[rows, at])
            m = int(y.sum())
            areas.append((ranks[y].sum() - m * (m + 1) / 2) / (m * (N - m)))
        wanted = np.quantile(areas, [0.025, 0.975])
        assert [low, high] == pytest.approx(wanted, abs=0.15 * (high - low))


def test_numbers():
    for name in ("mean_error", "mae", "rmse", "r2", "mape"):
        assert cells(NUMBERS, name)[2] == bracket(NUMBERS.ci(name))
    assert cells(NUMBERS, "max_error")[2] == "-"
    plain = cm.regression(Y[:, 0], P[:, 0])
    assert cells(plain, "mae")[2] == bracket(plain.ci("mae"))
    assert cells(plain, "rmse")[2] == "-"  # for want of powers


def t_interval(errors, level=0.95):
    se = errors.std(ddof=1) / math.sqrt(len(errors))
    return stats.t.interval(level, len(errors) - 1, errors.mean(), se)


def test_tables_of_numbers_have_the_intervals_of_scipy():
    table = NUMBERS.overall(["mean_error", "max_error"], ci=0.9)
    assert table.columns == ["metric", "value", "low", "high", "reason"]
    assert table.row(0)[2:4] == pytest.approx(t_interval((P - Y)[:, 0], 0.9), rel=1e-6)
    assert table.row(1)[2:] == (None, None, "no interval: max_error rests on single rows")
    plain = cm.regression(Y[:, 0], P[:, 0]).overall(ci=0.9)
    *ends, why = plain.filter(metric="rmse").row(0)[2:]
    assert ends == [None, None]
    assert 'metrics=["intervals"] keeps them' in why


def test_outputs():
    table = OUTPUTS.per_output(["mean_error", "rmse"], ci=0.95)
    assert table.columns[1:4] == ["mean_error", "mean_error_low", "mean_error_high"]
    assert table["rmse_low"].null_count() == 3
    for at, low, high in table.select("output", "mean_error_low", "mean_error_high").rows():
        wanted = t_interval((P - Y)[:, at])
        assert (low, high) == pytest.approx(wanted, rel=1e-6)
        assert OUTPUTS.ci("mean_error", output=at)[1:3] == (low, high)
        assert cells(OUTPUTS, at)[2] == f"[{low:.4f}, {high:.4f}]"
    assert str(OUTPUTS).count(HEAD) == 2


def test_means_over_outputs_reach_as_far_as_the_outputs_do_in_the_mean():
    parts = [OUTPUTS.ci("mae", 0.9, output=at) for at in range(3)]
    found = OUTPUTS.ci("mae", 0.9)
    assert found.method == "conservative"
    assert found[:4] == pytest.approx(np.mean([part[:4] for part in parts], axis=0))
    lower = OUTPUTS.ci("mae", 0.95, side="lower")
    assert lower[1:3] == pytest.approx((found.low, math.inf))
    assert OUTPUTS.overall("mae", ci=0.9).row(0)[2:] == (found.low, found.high, None)
    assert cells(OUTPUTS, "mae")[2] == bracket(OUTPUTS.ci("mae"))


def test_the_interval_of_outputs_weighted_by_their_variance_knows_that_it_varies():
    r = cm.regression(Y * [1, 2, 3], P * [1, 2, 3], metrics=["intervals"])
    found = r.ci("mae", average="variance")
    variances = (Y * [1, 2, 3]).var(axis=0)
    parts = [r.ci("mae", output=at) for at in range(3)]
    fourth = ((Y - Y.mean(axis=0)) ** 4).mean(axis=0) * np.array([1, 2, 3]) ** 4
    away = np.abs([part.value - found.value for part in parts])
    moved = away @ np.sqrt((fourth - variances**2) / (N - 1)) / variances.sum()
    wanted = np.average([part.se for part in parts], weights=variances) + moved
    assert found.se == pytest.approx(wanted)
    off = stats.t.ppf(0.975, N - 1) * moved
    low = found.value - np.average([p.value - p.low for p in parts], weights=variances) - off
    assert found.low == pytest.approx(low)
    assert r.ci("mae", average="variance", method="delta").se == found.se
    assert (
        r.ci("rmse", average="variance", method="normal").se != r.ci("rmse", average="variance").se
    )


def test_means_over_outputs_without_an_interval_say_why():
    found = OUTPUTS.ci("mae", average="variance")
    assert found.value == OUTPUTS.value("mae", average="variance")
    assert found.method.startswith("none: it takes powers that were not kept")
    *ends, why = OUTPUTS.overall("rmse", ci=0.95).row(0)[2:]
    assert ends == [None, None]
    assert why.startswith("no interval: it takes powers that were not kept")
    assert OUTPUTS.ci("max_error").method.startswith("none: that of output 0 has none: max_error")
    right = cm.regression(Y[:, :2], np.stack([Y[:, 0], P[:, 1]], axis=1))
    assert right.ci("mae").method == (
        "none: that of output 0 has none: the value is at an end of its range"
    )
    assert cm.regression(Y[:2], P[:2]).ci("mae").method.endswith("there are fewer than 3 rows")
    with pytest.raises(cm.InputError, match="the interval of rmse takes powers"):
        OUTPUTS.ci("rmse")
    flat = cm.regression(np.ones((9, 2)), P[:9, :2])
    assert flat.ci("r2").method == "none: output 0: all true values are the same"
    with pytest.raises(cm.InputError, match="`level` is 95"):
        OUTPUTS.ci("mae", 95)
    with pytest.raises(cm.InputError, match="no output is named 7"):
        OUTPUTS.ci("mae", output=7)
    with pytest.raises(cm.InputError, match="`ci` is 95"):
        OUTPUTS.overall(ci=95)
    with pytest.raises(cm.InputError, match="`ci` is 95"):
        OUTPUTS.per_output(ci=95)


@pytest.mark.parametrize("x", OBJECTS, ids=lambda x: type(x).__name__)
def test_pages_have_the_same_intervals_and_frames_have_none(x):
    told = re.findall(r"\[[-\d.]+, [-\d.]+\]", str(x))
    assert told
    assert re.findall(r"\[[-\d.]+, [-\d.]+\]", x._repr_html_()) == told
    assert "low" not in x.overall().columns


def test_bins_of_a_calibration():
    for low, k, n in (
        BINS.table().select("lo", pl.col("fraction_positive") * pl.col("n"), "n").rows()
    ):
        ends = stats.binomtest(round(k), n).proportion_ci(method="wilson")
        assert cells(BINS, f"{low:.4f}")[5] == f"[{ends.low:.4f}, {ends.high:.4f}]"


def test_where_none_is_known_no_column_is_shown():
    assert HEAD not in str(cm.multilabel_sweep([[0, 1]], [[0.2, 0.8]]))
    assert HEAD not in str(cm.regression([], []))
    weights = np.ones(N) / 2
    assert HEAD not in str(cm.multilabel(TRUTH[:0], TRUTH[:0]))
    weighted = cm.multiclass_sweep(CODES, SHARES, sample_weight=weights)
    assert cells(weighted, "top_1_accuracy")[2] == "-"


def test_of_many_scores_there_are_none_that_take_long(monkeypatch):
    monkeypatch.setattr(of_classes, "_MOST_PAIRED", 2)
    assert cells(K, "roc_auc_ovo")[2] == "-"
    assert cells(K, "roc_auc_macro")[2] != "-"
    monkeypatch.setattr(of_classes, "_MOST_AVERAGED", 3 * N - 1)
    assert cells(K, "roc_auc_macro")[2] == "-"
    assert cells(K, "log_loss")[2] != "-"
    monkeypatch.setattr(of_classes, "_MOST_SCORES", 3 * N - 1)
    assert cells(K, "log_loss")[2] == "-"
    assert cells(K, "top_1_accuracy")[2] == bracket(K.ci("top_1_accuracy"))
    assert str(K).count(HEAD) == 1
    monkeypatch.setattr(of_sets, "_MOST_SCORES", 3 * N - 1)
    assert HEAD not in str(SCORED)
    wide = cm.multilabel_sweep(RNG.random((50, 30)) < 0.4, RNG.random((50, 30)))
    monkeypatch.setattr(of_sets, "_MOST_SCORES", 50 * 30 - 1)  # of all labels, not of those shown
    assert HEAD not in str(wide)


def test_only_classes_that_are_shown_are_asked():
    codes = np.arange(60) % 30
    k = cm.multiclass_sweep(codes, RNG.random((60, 30)), labels=list(range(30)))
    assert "... and 10 more" in str(k)
    assert cells(k, 19)[3] == bracket(k.one_vs_rest(19).ci("roc_auc"))
    outputs = cm.regression(RNG.normal(size=(9, 30)), RNG.normal(size=(9, 30)))
    assert cells(outputs, 19)[2] == bracket(outputs.output(19).ci("mean_error"))


def test_a_reason_takes_what_the_width_leaves():
    text = str(K.to_state())
    assert max(map(len, text.splitlines())) <= 96
    assert "pairs of classes are" in text
    wide = pl.DataFrame({"y": ["a", "b"], "p": ["a", "a"]})
    assert max(map(len, str(cm.evaluate(wide, "y", "p")).splitlines())) <= 96
