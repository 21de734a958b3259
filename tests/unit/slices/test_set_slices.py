"""Slices of label sets and of scores for them, whose rest is counted again here."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm
from confmat.slices.slice_tests import slice_tests
from confmat.slices.values import slice_values
from confmat.slices.worst_slices import worst

RNG = np.random.default_rng(7)
N = 1_200
TRUTH = RNG.integers(0, 2, (N, 3))
SITE = np.arange(N) % 3
SCORES = np.round(RNG.random((N, 3)) * (0.8 + 0.2 * SITE[:, None]) + 0.4 * TRUTH, 2)
NAMES = {"y": list("abc"), "p": list("ABC"), "s": list("klm")}
LOG = pl.DataFrame(
    {"site": pl.Series(SITE).replace(2, None)}
    | dict(zip(NAMES["y"], TRUTH.T, strict=True))
    | dict(zip(NAMES["p"], (SCORES > 0.7).astype(int).T, strict=True))
    | dict(zip(NAMES["s"], SCORES.T, strict=True)),
)
SETS = cm.evaluate(LOG, NAMES["y"], NAMES["p"], by="site")
SCORED = cm.evaluate(LOG, NAMES["y"], y_score=NAMES["s"], by="site")


def of_rows(log, metric):
    """Return the object of some rows, as its slice has it."""
    if metric in OF_SETS:
        return cm.multilabel(log[NAMES["y"]].to_numpy(), log[NAMES["p"]].to_numpy())
    return cm.multilabel_sweep(log[NAMES["y"]].to_numpy(), log[NAMES["s"]].to_numpy()).to_state()


def split(site):
    inside = pl.col("site").eq_missing(pl.lit(site))
    return LOG.filter(inside), LOG.filter(~inside)


OF_SETS = {"f1_macro": 1, "f1_samples": 1, "exact_match": 1, "hamming_loss": -1}
OF_SCORES = {
    "roc_auc_macro": 1, "roc_auc": 1, "average_precision_weighted": 1, "brier_macro": -1,
    "coverage_error": -1, "label_ranking_loss": -1, "label_ranking_average_precision": 1,
}  # fmt: skip


@pytest.mark.parametrize(("metric", "sign"), [*OF_SETS.items(), *OF_SCORES.items()])
def test_each_slice_against_its_rest(metric, sign):
    e = SETS if metric in OF_SETS else SCORED
    if metric == "brier_macro":  # of probabilities
        log = LOG.with_columns(pl.col(NAMES["s"]) / 1.6)
        e = cm.evaluate(log, NAMES["y"], y_score=NAMES["s"], by="site")
    else:
        log = LOG
    table, tests = e.worst(metric), e.test_slices(metric, adjust=None)
    overall = e.overall([metric])["value"].item()
    assert table.height == tests.height == 3
    assert table["loss"].is_sorted(descending=True)
    tested = {row["site"]: row for row in tests.rows(named=True)}
    for row in table.rows(named=True):
        inside = pl.col("site").eq_missing(pl.lit(row["site"]))
        one, rest = (of_rows(log.filter(some), metric).ci(metric) for some in (inside, ~inside))
        assert (row["value"], row["rest"]) == pytest.approx((one.value, rest.value), rel=1e-3)
        assert row["loss"] == pytest.approx(sign * (row["rest"] - overall), abs=1e-9)
        below = math.hypot(one.value - one.low, rest.high - rest.value)
        above = math.hypot(one.high - one.value, rest.value - rest.low)
        ends = row["difference"] - below, row["difference"] + above
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends, rel=0.05)
        assert row["reason"] is None
        told = tested[row["site"]]
        assert told["difference"] == pytest.approx(row["difference"])
        z = row["difference"] / (below if row["difference"] > 0 else above) * stats.norm.ppf(0.975)
        assert told["statistic"] == pytest.approx(z, rel=0.05)
        assert told["p_value"] == pytest.approx(2 * stats.norm.sf(abs(told["statistic"])))


@pytest.mark.parametrize("metric", ["f1_macro", "roc_auc_macro"])
def test_weights_count_by_their_squares(metric):
    log = LOG.with_columns(w=pl.Series(RNG.exponential(size=N)))
    scores = {"y_pred": NAMES["p"]} if metric in OF_SETS else {"y_score": NAMES["s"]}
    one = cm.evaluate(log, NAMES["y"], **scores, by="site", sample_weight="w").test_slices(metric)
    double = log.with_columns(pl.col("w") * 2)
    other = cm.evaluate(double, NAMES["y"], **scores, by="site", sample_weight="w")
    assert one["p_value"].to_list() == pytest.approx(other.test_slices(metric)["p_value"].to_list())
    plain = (SETS if metric in OF_SETS else SCORED).test_slices(metric)
    wider = (one["difference_high"] - one["difference_low"]) / (
        plain["difference_high"] - plain["difference_low"]
    )
    assert wider.min() > 1.1  # exponential weights are worth half the rows


def test_what_has_no_interval_says_why():
    for metric, why in (
        ("ks_macro", "that of ks takes rows drawn again"),
        ("roc_auc_micro", "how the labels of a row go together is not kept"),
    ):
        table, tests = SCORED.worst(metric), SCORED.test_slices(metric)
        assert table["loss"].null_count() == 0
        assert table["difference_low"].null_count() == tests["p_value"].null_count() == 3
        assert table["reason"].str.contains(f"no interval: {why}").all()
        assert tests["reason"].str.contains(why).all()
    few = cm.evaluate(LOG.head(240), NAMES["y"], y_score=NAMES["s"], by="site")
    tests = few.test_slices("average_precision_macro")
    assert tests["p_value"].null_count() == 3
    assert tests["reason"].str.contains("it takes 50 rows of each label").all()
    assert few.test_slices("roc_auc_macro")["p_value"].null_count() == 0


def test_slices_with_and_without_an_interval_in_one_table():
    """Beside a slice without an interval the rest is read for its value alone."""
    log = LOG.filter(pl.col("site").is_null() | (pl.col("site") == 1))
    log = pl.concat([log, LOG.filter(site=0).head(60)])
    e = cm.evaluate(log, NAMES["y"], y_score=NAMES["s"], by="site")
    metric = "average_precision_macro"
    whole = {row["site"]: row for row in SCORED.worst(metric).rows(named=True)}
    for table, end in ((e.worst(metric), "difference_low"), (e.test_slices(metric), "p_value")):
        told = {row["site"]: row for row in table.rows(named=True)}
        assert told[0][end] is None
        assert "it takes 50 rows of each label" in told[0]["reason"]
        assert told[0]["difference"] is not None
        for site in (1, None):
            assert told[site][end] is not None
            assert told[site]["reason"] is None
            assert told[site]["value"] == whole[site]["value"]
    shown = e.test_slices(metric, min_n=100, level=0.9)
    few = {row["site"]: row for row in shown.rows(named=True)}.pop(0)
    assert (few["p_value"], few["reason"]) == (None, "n is below min_n = 100")
    assert shown["p_value"].null_count() == shown["reason"].count() == 1


def test_three_rows_and_a_label_that_no_row_has():
    small = LOG.head(3).with_columns(c=0)
    for metric, columns in (("f1_macro", {"y_pred": NAMES["p"]}), ("roc_auc", {"y_score": "klm"})):
        given = {key: list(value) for key, value in columns.items()}
        e = cm.evaluate(small, NAMES["y"], **given, by="site")
        for table in (e.worst(metric), e.test_slices(metric)):
            assert table.height == 3
            assert all(row["reason"] or row["value"] is not None for row in table.rows(named=True))


def test_slices_of_sets_have_values_and_pictures():
    table = slice_values(SETS.states(), "f1_macro")
    for row in table.rows(named=True):
        found = of_rows(split(row["site"])[0], "f1_macro").ci("f1_macro")
        ends = row["value"], row["value_low"], row["value_high"]
        assert ends == pytest.approx(found[:3])
    by_rows = LOG.with_row_index("row")
    e = cm.evaluate(by_rows, NAMES["y"], NAMES["p"], by="site", cluster="row")
    spec = e.plot.slices("f1_macro").to_dict()
    assert spec["layer"]


@pytest.mark.parametrize("ask", [slice_tests, worst, slice_values])
def test_what_is_refused(ask):
    sets, scored = SETS.states(), SCORED.states()
    with pytest.raises(cm.InputError, match="wanted one of label sets, as 'hamming_loss'"):
        ask(sets, "roc_auc_macro")
    with pytest.raises(cm.InputError, match="one of scores for label sets, as 'roc_auc_macro'"):
        ask(scored, "hamming_loss")
    for parts, metric in ((sets, "hamming_loss"), (scored, "roc_auc_macro")):
        assert ask(parts, metric).height == 3  # what the messages name works
        with pytest.raises(cm.InputError, match="label sets have no positive class"):
            ask(parts, metric, pos_label=1)
    with pytest.raises(cm.InputError, match=r"`metric` is \['f1_macro'\]"):
        ask(sets, ["f1_macro"])
