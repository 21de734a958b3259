"""Numbers of Aequitas and AIF360, and of the four-fifths rule, by their definitions over rows."""

import numpy as np
import polars as pl
import pytest
from support.judged import LABELS, LOG, PARTS

import confmat as cm
from confmat import InputError
from confmat.fairness.from_parts import fairness

GROUPS = {key: rows for (key,), rows in LOG.group_by("sex")}


def cells(rows):
    y, p = rows["y"].to_numpy(), rows["p"].to_numpy()
    return [int(((p == a) & (y == b)).sum()) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]


# Absolute metrics of Aequitas, and our names.
AEQUITAS = {
    "tpr": lambda tp, fp, fn, tn: tp / (tp + fn),
    "tnr": lambda tp, fp, fn, tn: tn / (tn + fp),
    "for_rate": lambda tp, fp, fn, tn: fn / (fn + tn),
    "fdr": lambda tp, fp, fn, tn: fp / (fp + tp),
    "fpr": lambda tp, fp, fn, tn: fp / (fp + tn),
    "fnr": lambda tp, fp, fn, tn: fn / (fn + tp),
    "npv": lambda tp, fp, fn, tn: tn / (tn + fn),
    "precision": lambda tp, fp, fn, tn: tp / (tp + fp),
    "selection_rate": lambda tp, fp, fn, tn: (tp + fp) / (tp + fp + fn + tn),  # pprev
    "prevalence": lambda tp, fp, fn, tn: (tp + fn) / (tp + fp + fn + tn),  # prev
}


@pytest.mark.parametrize("metric", AEQUITAS)
def test_disparities_of_aequitas(metric):
    """A disparity is the metric over that of the reference: named, of most rows, or the lowest."""
    f = fairness(LABELS, "sex", metrics=metric)
    values = {key: AEQUITAS[metric](*cells(rows)) for key, rows in GROUPS.items()}
    sizes = {key: len(rows) for key, rows in GROUPS.items()}
    for to, reference in (("reference", "x"), ("majority", max(sizes, key=sizes.get))):
        named = reference if to == "reference" else None
        ratios = dict(f.compared(to, named).select("sex", "ratio").rows())
        wanted = {key: value / values[reference] for key, value in values.items()}
        assert ratios == pytest.approx(wanted)
    lowest = min(values.values()) / max(values.values())
    assert f.value(f"{metric}_ratio") == pytest.approx(lowest)


def test_average_odds_and_treatment_equality():
    f = fairness(LABELS, "sex", metrics=["average_odds", "treatment_equality"], reference="m")
    table = f.compared()
    found = dict(
        table.filter(pl.col("metric") == "average_odds").select("sex", "difference").rows()
    )
    odds = {
        key: (AEQUITAS["tpr"](*cells(rows)), AEQUITAS["fpr"](*cells(rows)))
        for key, rows in GROUPS.items()
    }
    for key, (tpr, fpr) in odds.items():
        assert found[key] == pytest.approx(((fpr - odds["m"][1]) + (tpr - odds["m"][0])) / 2)
    ratios = f.table().filter(pl.col("metric") == "treatment_equality").select("sex", "value")
    for key, value in ratios.rows():
        _, fp, fn, _ = cells(GROUPS[key])
        assert value == fn / fp
    assert f.treatment_equality_ratio == ratios["value"].min() / ratios["value"].max()


def generalized_entropy(b, alpha):
    shares = b / b.mean()
    if alpha == 0:
        return -np.log(shares).mean()
    if alpha == 1:
        return (shares * np.log(np.where(shares > 0, shares, 1))).mean()
    return (shares**alpha - 1).mean() / (alpha * (alpha - 1))


@pytest.mark.parametrize("alpha", [2, 1, 0.5, 3])
def test_inequality_of_benefits(alpha):
    for control in (None, "age"):
        f = fairness(LABELS, "sex", control)
        blocks = LOG.sort("age").partition_by("age") if control else [LOG]
        for row, rows in zip(f.inequality(alpha).rows(named=True), blocks, strict=True):
            b = (1 + rows["p"] - rows["y"]).to_numpy()
            means = rows.with_columns(b=pl.Series(b)).select(pl.col("b").mean().over("sex"))
            between = generalized_entropy(means["b"].to_numpy(), alpha)
            whole = generalized_entropy(b, alpha)
            assert row["n"] == len(rows)
            assert row["mean_benefit"] == pytest.approx(b.mean())
            assert row["generalized_entropy"] == pytest.approx(whole)
            assert row["between_groups"] == pytest.approx(between)
            assert row["within_groups"] == pytest.approx(whole - between)
            assert row["theil"] == pytest.approx(generalized_entropy(b, 1))
            assert row["coefficient_of_variation"] == pytest.approx(b.std() / b.mean())
            assert row["reason"] is None


def test_inequality_that_is_undefined():
    log = pl.DataFrame({"g": ["a", "b"], "y": [1, 1], "p": [0, 0]})
    f = fairness(cm.partial(log, y_true="y", y_pred="p", by="g"), "g")
    assert f.inequality().row(0)[2:] == (None,) * 5 + ("the mean benefit is 0",)
    f = fairness(LABELS, "sex")
    table = f.inequality(0)
    assert table["generalized_entropy"].to_list() == [None]
    assert table["reason"].to_list() == ["a benefit of 0 has no logarithm"]
    with pytest.raises(InputError, match="`alpha` is 'x'; wanted a finite number"):
        f.inequality("x")
    perfect = LOG.with_columns(p="y")
    f = fairness(cm.partial(perfect, y_true="y", y_pred="p", by="sex"), "sex")
    assert f.inequality(0)["generalized_entropy"].to_list() == [0.0]


def test_four_fifths_at_the_threshold_of_the_predictions():
    f = fairness(LABELS, "sex", level=0.9)
    rates = {key: rows["p"].mean() for key, rows in GROUPS.items()}
    for share in (0.8, 0.95):
        for row in f.four_fifths(share).rows(named=True):
            ratio = rates[row["sex"]] / max(rates.values())
            assert row["selection_rate"] == pytest.approx(rates[row["sex"]])
            assert row["ratio"] == pytest.approx(ratio)
            assert row["passes"] == (ratio >= share)
            if ratio < 1:
                assert row["ratio_low"] < ratio < row["ratio_high"]
    for share in (0, 1.5, "0.8", True):
        with pytest.raises(InputError, match=r"`share` is .*; wanted a number in"):
            f.four_fifths(share)


@pytest.mark.parametrize("control", [None, "age"])
def test_four_fifths_at_every_threshold(control):
    f = fairness(PARTS, "sex", control)
    curve = f.four_fifths_curve(0.8)
    blocks = LOG.sort("age").partition_by("age") if control else [LOG]
    at = 0
    for rows in blocks:
        thresholds = rows["s"].unique().sort(descending=True)
        for threshold in thresholds:
            row = curve.row(at, named=True)
            at += 1
            rates = dict(rows.group_by("sex").agg((pl.col("s") >= threshold).mean()).rows())
            assert row["threshold"] == threshold
            assert row["ratio"] == pytest.approx(min(rates.values()) / max(rates.values()))
            assert rates[row["lowest"]] == min(rates.values())
            assert rates[row["highest"]] == max(rates.values())
            assert row["passes"] == (row["ratio"] >= 0.8)
    assert at == len(curve)


def test_thresholds_need_scores():
    with pytest.raises(InputError, match="no states of scores of two classes; give `y_score`"):
        fairness(LABELS, "sex").four_fifths_curve()
    with pytest.raises(InputError, match="no states of scores of two classes; give `y_score`"):
        fairness(LABELS, "sex").calibration()
    log = pl.DataFrame({"g": ["a"] * 3, "y": [0, 1, 1], "s": [0.1, 0.2, 0.7]})
    alone = fairness(cm.partial(log, y_true="y", y_score="s", by="g"), "g").four_fifths_curve()
    assert alone.columns == ["threshold", "ratio", "lowest", "highest", "passes"]
    assert len(alone) == 0


def test_calibration_by_group():
    table = fairness(PARTS, "sex", "age").calibration(bins=5)
    assert table.columns[:2] == ["age", "sex"]
    rows = LOG.filter(pl.col("sex") == "m", pl.col("age") == "old")
    wanted = cm.sweep(rows["y"], rows["s"]).calibration(5).table().filter(pl.col("n") > 0)
    found = table.filter(pl.col("sex") == "m", pl.col("age") == "old").drop("age", "sex")
    assert found["n"].to_list() == wanted["n"].to_list()
    for column in ("mean_score", "fraction_positive"):
        np.testing.assert_allclose(found[column], wanted[column], rtol=1e-12)
