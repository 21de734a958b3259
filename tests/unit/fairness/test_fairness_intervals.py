"""Intervals of comparisons: those of pairs, of a part against the whole, and of several groups."""

import numpy as np
import polars as pl
import pytest
from support.judged import LABELS, LOG, PARTS

import confmat as cm
from confmat.fairness.between import spread
from confmat.fairness.criteria import criterion
from confmat.fairness.from_parts import fairness
from confmat.fairness.measures import average_odds, of_counts, treatment_equality
from confmat.intervals.differences import newcombe
from confmat.intervals.levels import level_of
from confmat.intervals.quantiles import z_of_all_pairs
from confmat.intervals.ranges import range_interval, range_ratio
from confmat.intervals.ratios import score_ratio
from confmat.intervals.wilson import wilson

TABLE = cm.finish(cm.merge(LABELS, by="sex"), ["tp", "fp", "fn", "tn"])
SELECTED = (TABLE["tp"] + TABLE["fp"]).to_numpy(), TABLE["n"].to_numpy()
SEXES = TABLE["sex"].to_list()


def test_groups_have_wilson():
    f = fairness(LABELS, "sex", metrics="selection_rate", level=0.9)
    np.testing.assert_allclose(
        f.table().select("low", "high"), np.transpose(wilson(*SELECTED, 0.9))
    )


@pytest.mark.parametrize("to", ["reference", "majority", "best", "rest"])
def test_pairs_have_newcombe_and_the_score_interval(to):
    f = fairness(LABELS, "sex", metrics="selection_rate", reference="x")
    table = f.compared(to)
    k, n = SELECTED
    if to == "rest":
        k2, n2 = k.sum() - k, n.sum() - n
    else:
        at = {"reference": 2, "majority": int(n.argmax()), "best": int((k / n).argmax())}[to]
        k2, n2 = np.full(3, k[at]), np.full(3, n[at])
    level = level_of(z_of_all_pairs(0.95, 3)) if to == "best" else 0.95
    for name, method in (("difference", newcombe), ("ratio", score_ratio)):
        low, high = method(k, n, k2, n2, level)
        for row, ends in zip(table.rows(named=True), zip(low, high, strict=True), strict=True):
            if to != "rest" and row["sex"] == SEXES[at]:
                assert row["reason"] == "the group itself"
                assert row[f"{name}_low"] is None
                assert (row["difference"], row["ratio"]) == (0, 1)
            else:
                assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(ends)
                assert row["reason"] is None


def test_a_group_against_all_rows_holds_the_truth():
    """The rows of the group are among all: the interval takes that into account."""
    rng = np.random.default_rng(4)
    sizes, rates = np.array([60, 200, 140]), np.array([0.3, 0.5, 0.5])
    runs = 4000
    k = rng.binomial(sizes, rates, (runs, 3))
    counts = pl.DataFrame(
        {
            "run": np.repeat(np.arange(runs), 6),
            "g": np.tile(np.repeat(["a", "b", "c"], 2), runs),
            "y_true": 1,
            "y_pred": np.tile([1, 0], 3 * runs),
            "n": np.stack([k, sizes - k], -1).ravel(),
        }
    )
    parts = cm.state_from_counts(counts, by=["run", "g"], labels=[0, 1])
    table = fairness(parts, "g", "run", metrics="tpr").compared("overall")
    truth = rates - sizes @ rates / sizes.sum()
    share = rates / (sizes @ rates / sizes.sum())
    for at, group in enumerate("abc"):
        rows = table.filter(pl.col("g") == group)
        holds = rows.select(
            pl.lit(truth[at]).is_between("difference_low", "difference_high").mean().alias("d"),
            pl.lit(share[at]).is_between("ratio_low", "ratio_high").mean().alias("r"),
        )
        assert all(0.935 < held < 0.97 for held in holds.row(0))


def test_between_groups_are_ranges():
    f = fairness(LABELS, "sex", level=0.9)
    value, low, high = range_interval(*SELECTED, 0.9)
    assert f.demographic_parity_difference == value
    np.testing.assert_allclose(f.interval("demographic_parity_difference"), (low, high))
    value, low, high = range_ratio(*SELECTED, 0.9)
    assert f["demographic_parity_ratio"] == value
    np.testing.assert_allclose(f.interval("demographic_parity_ratio"), (low, high))
    row = f.between().row(0, named=True)
    assert (row["low"], row["high"]) == f.interval("demographic_parity_difference")
    assert row["groups"] == 3


@pytest.mark.parametrize("name", ["ks", "ece"])
def test_metrics_without_an_interval_have_values_and_a_reason(name):
    f = fairness(PARTS, "sex", metrics=name)
    why = f"{name} has an interval by drawing rows again alone: cm.from_bytes(state).ci"
    table = f.table()
    assert table["value"].null_count() == 0
    assert table.select("low", "high").null_count().row(0) == (3, 3)
    assert table["reason"].to_list() == [why] * 3
    for to in ("overall", "rest", "majority", "best"):
        compared = f.compared(to)
        assert compared.select("difference", "ratio").null_count().row(0) == (0, 0)
        assert compared["difference_low"].null_count() == 3
        assert {*compared["reason"]} <= {why, "the group itself"}
    assert f.reason(f"{name}_difference") == why
    assert np.isnan(f.interval(f"{name}_ratio")).all()
    rest = f.compared("rest").filter(pl.col("sex") == "f")["other"].item()
    others = LOG.filter(pl.col("sex") != "f")
    assert rest == pytest.approx(cm.sweep(others["y"], others["s"]).value(name), rel=1e-12)


@pytest.mark.parametrize("name", ["roc_auc", "mcc", "balanced_accuracy"])
def test_metrics_that_are_no_rates_have_those_of_their_objects(name):
    f = fairness(PARTS, "sex", metrics=name)
    table = f.table()
    for row in table.iter_rows(named=True):
        rows = LOG.filter(pl.col("sex") == row["sex"])
        made = cm.confusion_matrix(rows["y"], rows["p"])
        if name == "roc_auc":
            made = cm.sweep(rows["y"], rows["s"], bins="unit")
        wanted = made.ci(name)
        assert (row["low"], row["high"]) == pytest.approx(wanted[1:3], rel=1e-9)
    for to in ("rest", "majority", "best"):
        others = f.compared(to).filter(pl.col("reason").is_null())
        low, value, high = others["difference_low"], others["difference"], others["difference_high"]
        assert (low < value).all()
        assert (value < high).all()
        assert len(others) >= 2
    low, high = f.interval(f"{name}_difference")
    assert 0 <= low <= f[f"{name}_difference"] <= high


EQUAL = ((0.3, 0.3, 0.3), (0.6, 0.6, 0.6))
APART = ((0.2, 0.3, 0.3), (0.7, 0.6, 0.5))


@pytest.mark.parametrize(("fprs", "tprs"), [EQUAL, APART])
@pytest.mark.parametrize(
    "name",
    [
        *("equalized_odds_difference", "equalized_odds_ratio", "equalized_odds_difference_mean"),
        *("equalized_odds_ratio_mean", "average_odds_difference", "treatment_equality_difference"),
        "treatment_equality_ratio",
    ],
)
def test_criteria_of_two_rates_hold_the_truth(name, fprs, tprs):
    rng = np.random.default_rng(8)
    n, runs = 150, 1000
    of = criterion(name)
    counts = [rng.binomial(n, rates, (runs, 3)).astype(float) for rates in (tprs, fprs)]
    truths = [_spread(of, _measures(of, *(n * np.array(r) for r in (tprs, fprs)), n)).value]
    held = 0
    for tp, fp in zip(*counts, strict=True):
        found = _spread(of, _measures(of, tp, fp, n))
        held += found.low - 1e-9 <= truths[0] <= found.high + 1e-9
    assert held / runs >= 0.94


def _measures(of, tp, fp, n):
    if of.metrics == ("treatment_equality",):
        return [treatment_equality(pl.DataFrame({"fp": fp, "fn": n - tp}))]
    rates = [of_counts(name, k, np.full(3, float(n)), "") for name, k in (("tpr", tp), ("fpr", fp))]
    return [average_odds(*rates)] if of.metrics == ("average_odds",) else rates


def _spread(of, measures):
    return spread(of, measures, 0.95)


def test_weighted_rows_have_intervals_of_effective_rows():
    log = LOG.with_columns(w=pl.col("region") * 0.5)
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="sex", sample_weight="w"), "sex")
    table = f.table().filter(pl.col("metric") == "selection_rate")
    rows = log.filter(pl.col("sex") == "f")
    share = (rows["p"] * rows["w"]).sum() / rows["w"].sum()
    assert f.by_group()["selection_rate"][0] == pytest.approx(share)
    m = cm.confusion_matrix(rows["y"], rows["p"], sample_weight=rows["w"])
    assert (table["low"][0], table["high"][0]) == pytest.approx(m.ci("selection_rate")[1:3])
    why = "the rows are weighted, and the interval is of counts of rows"
    assert f.reason("treatment_equality_ratio") == why
    assert f.compared("rest")["other"].null_count() == 0
    assert "0.5" in str(f)


@pytest.mark.parametrize(
    ("metric", "lowest"),
    [("fpr", True), ("brier", True), ("tpr", False), ("selection_rate", False)],
)
def test_the_best_group_has_the_fewest_errors_or_the_most_of_all_else(metric, lowest):
    table = fairness(PARTS, "sex", metrics=metric).compared("best")
    best = table["value"].min() if lowest else table["value"].max()
    assert table["other"].unique().to_list() == [best]
