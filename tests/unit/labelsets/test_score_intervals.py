"""Intervals of scores for sets of labels: rows are independent, their labels are not."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.errors import InputError
from confmat.intervals.wilson import wilson

BASES = ("roc_auc", "gini", "average_precision")
AVERAGES = [f"{of}_{by}" for of in BASES for by in ("macro", "weighted", "micro")]
RANKINGS = ["label_ranking_average_precision", "coverage_error", "label_ranking_loss"]


def drawn(rng, n, how="together"):
    """Draw rows whose labels are all the same, go together, or do not."""
    shared, own = rng.normal(size=(n, 2)), rng.normal(size=(n, 4, 2))
    mix = {"same": 1.0, "together": 0.8, "apart": 0.0}[how]
    parts = mix * shared[:, None] + math.sqrt(1 - mix**2) * own
    y = parts[..., 0] > (0.5 if how == "same" else np.array([0.3, 0.5, 0.8, 1.0]))
    return y, parts[..., 1] + y


def jackknife(value, n):
    less = np.array([value(np.arange(n) != row) for row in range(n)])
    return math.sqrt((n - 1) / n * np.sum((less - less.mean()) ** 2))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [*AVERAGES, *RANKINGS])
def test_errors_by_leaving_rows_out(name, weighted):
    rng = np.random.default_rng(1)
    n = 150
    y, scores = drawn(rng, n)
    w = rng.uniform(0.5, 2, n)

    def of(keep):
        part = w[keep] if weighted else None
        return cm.multilabel_sweep(y[keep], scores[keep], sample_weight=part)

    error = jackknife(lambda keep: of(keep).value(name), n)
    whole = of(np.ones(n, bool))
    found = whole.ci(name)
    # Areas of few rows are steadied by a model, which makes them a little wide.
    slack = 0.35 if name.startswith(("roc_auc", "gini")) else 0.1
    assert error * 0.9 < found.se < error * (1 + slack)
    assert found.low < found.value < found.high
    saved = whole.to_state(None).ci(name)
    if name.endswith("micro"):
        assert saved.method.startswith("none: how the labels of a row go together is not kept")
    else:
        assert saved.method == "conservative"
        assert saved.value == pytest.approx(found.value)
        assert saved.se > error * 0.99


def test_one_label_is_its_sweep():
    rng = np.random.default_rng(2)
    y, scores = drawn(rng, 80)
    for weights in (None, rng.exponential(size=80), rng.integers(1, 4, 80)):
        s = cm.multilabel_sweep(y[:, :1], scores[:, :1], sample_weight=weights)
        one = s.label(0)
        for state in (s, s.to_state(None)):
            for name, method in (("roc_auc", None), ("average_precision", "delta")):
                found = state.ci(name, 0.9)
                assert found[:4] == pytest.approx(one.ci(name, 0.9, method=method)[:4], rel=0.02)
        assert s.ci("roc_auc_micro", 0.9)[:3] == pytest.approx(one.ci("roc_auc", 0.9)[:3], rel=0.02)


def test_what_is_averaged_otherwise_is_that_of_the_labels():
    y, scores = drawn(np.random.default_rng(3), 120)
    s = cm.multilabel_sweep(y, 1 / (1 + np.exp(-scores)))
    for name, options in (("brier", {}), ("ks", {"seed": 5}), ("ece", {"seed": 5, "bins": 4})):
        each = np.array([s.label(label).ci(name, 0.9, **options)[:4] for label in s.labels])
        found = s.ci(f"{name}_macro", 0.9, **options)
        assert found[:4] == pytest.approx(each.mean(axis=0))
        assert found.method == "conservative"
    table = s.per_class(["roc_auc", "ks"], ci=0.9)
    assert table.select("label", "n_positive", "roc_auc", "ks").equals(
        s.per_class(["roc_auc", "ks"])
    )
    for label, row in zip(s.labels, table.iter_rows(named=True), strict=True):
        assert (row["ks_low"], row["ks_high"]) == s.label(label).ci("ks", 0.9, seed=0)[1:3]
        assert (row["roc_auc_low"], row["roc_auc_high"]) == s.label(label).ci("roc_auc", 0.9)[1:3]


def test_means_over_rows_whose_values_are_not_kept_are_those_of_shares():
    y, scores = drawn(np.random.default_rng(4), 90)
    s = cm.multilabel_sweep(y, scores).to_state()
    for name, most in (("label_ranking_loss", 1), ("coverage_error", 4)):
        share = s.value(name) / most
        wanted = [most * float(end) for end in wilson(share * 90, 90, 0.9)]
        assert s.ci(name, 0.9)[1:3] == pytest.approx(wanted)


@pytest.mark.parametrize("how", ["same", "together", "apart"])
def test_how_often_they_hold(how):
    names = ["roc_auc_macro", "roc_auc_micro", "average_precision_macro", *RANKINGS]
    whole = cm.multilabel_sweep(*drawn(np.random.default_rng(5), 100_000, how))
    true = {name: whole.value(name) for name in names}
    rng = np.random.default_rng(6)
    held, saved = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for _ in range(150):
        s = cm.multilabel_sweep(*drawn(rng, 120, how))
        for name in names:
            for state, counts in ((s, held), (s.to_state(None), saved)):
                found = state.ci(name)
                counts[name] += found.low <= true[name] <= found.high
    least = 150 * 0.95 - 3 * math.sqrt(150 * 0.95 * 0.05)
    assert min(held.values()) > least
    del saved["roc_auc_micro"]
    assert min(saved.values()) > least
    if how == "apart":
        assert saved["roc_auc_macro"] >= 148


def test_perfect_scores_are_not_certain():
    y, _ = drawn(np.random.default_rng(7), 40)
    s = cm.multilabel_sweep(y, y.astype(float))
    for state in (s, s.to_state()):
        for name in ("roc_auc_macro", "average_precision_macro", "label_ranking_loss"):
            found = state.ci(name)
            assert found.value in (found.low, found.high)
            assert 0.02 < found.high - found.low < 0.7
    assert 0.7 < s.ci("roc_auc_micro").low < 1


def test_what_has_no_interval_says_why():
    y, scores = drawn(np.random.default_rng(8), 50)
    s = cm.multilabel_sweep(y, scores)
    assert s.ci("ks_micro", seed=0).method == "none: ks pooled over labels has no formula"
    y = y.copy()
    y[:, 3] = False
    left_out = cm.multilabel_sweep(y, scores)
    assert left_out.ci("roc_auc").low < left_out.roc_auc
    for state in (left_out, left_out.to_state()):
        filled = state.ci("roc_auc", undefined=0.5)
        assert filled.method.startswith("none: a label has no value, and `undefined`")
    none = cm.multilabel_sweep(y[:0], scores[:0]).ci("roc_auc")
    assert math.isnan(none.low)
    assert none.method == "none: there are no rows"
    one = cm.multilabel_sweep(y[:1], scores[:1]).ci("label_ranking_loss")
    assert one.method == "none: one row alone has no spread"
    with pytest.raises(InputError, match="`level` is 95"):
        s.ci("roc_auc", 95)
    with pytest.raises(InputError, match="no number is named 'roc'"):
        s.ci("roc")


def test_tables_and_queries_have_them():
    y, scores = drawn(np.random.default_rng(9), 200)
    s = cm.multilabel_sweep(y, scores)
    table = s.overall(ci=0.9)
    assert table.select("metric", "value", "reason").equals(s.overall())
    for name, low, high in table.select("metric", "low", "high").rows():
        assert (low, high) == s.ci(name, 0.9)[1:3]
    names = ["roc_auc_macro", "roc_auc_micro", "ks_macro", "label_ranking_loss"]
    columns = {f"y{at}": y[:, at] for at in range(4)} | {f"s{at}": scores[:, at] for at in range(4)}
    log = pl.DataFrame(columns)
    of = [f"y{at}" for at in range(4)], [f"s{at}" for at in range(4)]
    asked = cm.multilabel_metrics(of[0], y_score=of[1], metrics=names, ci=0.9, reasons=True)
    found = log.select(m=asked).unnest("m").row(0, named=True)
    for name in names:
        wanted = s.ci(name, 0.9, seed=0)[1:3]
        assert (found[f"{name}_low"], found[f"{name}_high"]) == pytest.approx(wanted)
    parts = log.select(cm.state(of[0], y_score=of[1]))
    finished = cm.finish(parts, names, ci=0.9, reasons=True).row(0, named=True)
    saved = s.to_state()
    for name in names:
        wanted = saved.ci(name, 0.9, seed=0)[1:3]
        ends = (finished[f"{name}_low"], finished[f"{name}_high"])
        assert ends == ((None, None) if name == names[1] else pytest.approx(wanted))
    assert finished["reasons"]["roc_auc_micro"].startswith("no interval: how the labels of a row")
    assert finished["reasons"]["ks_macro"] is None
