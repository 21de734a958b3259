"""The numbers of Fairlearn, of the same rows."""

from functools import partial

import fairlearn.metrics as fl
import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk
from support.judged import LABELS, LOG, PARTS

from confmat.fairness.from_parts import fairness

METRICS = {
    "selection_rate": fl.selection_rate,
    "tpr": fl.true_positive_rate,
    "specificity": fl.true_negative_rate,
    "fpr": fl.false_positive_rate,
    "fnr": fl.false_negative_rate,
    "precision": sk.precision_score,
    "accuracy": sk.accuracy_score,
    "f1": sk.f1_score,
    "mcc": sk.matthews_corrcoef,
    "balanced_accuracy": sk.balanced_accuracy_score,
}
Y, P = LOG["y"].to_numpy(), LOG["p"].to_numpy()


def theirs(sensitive, control=None, log=LOG):
    return fl.MetricFrame(
        metrics=METRICS,
        y_true=log["y"].to_numpy(),
        y_pred=log["p"].to_numpy(),
        sensitive_features=log.select(sensitive).to_pandas(),
        control_features=None if control is None else log.select(control).to_pandas(),
    )


@pytest.mark.parametrize("sensitive", [["sex"], ["sex", "age"], ["region"]])
@pytest.mark.parametrize("control", [None, ["age"], ["region", "age"]])
def test_metrics_of_groups(sensitive, control):
    if set(sensitive) & set(control or []):
        return
    frame = theirs(sensitive, control).by_group
    f = fairness(LABELS, sensitive, control, metrics=list(METRICS))
    keys = [*(control or []), *sensitive]
    assert f.by_group().select(keys).rows() == [
        key if isinstance(key, tuple) else (key,) for key in frame.index
    ]
    for name in METRICS:
        np.testing.assert_allclose(f.by_group()[name], frame[name].astype(float), rtol=1e-12)
    values = f.table().filter(pl.col("metric") == "tpr")["value"]
    np.testing.assert_allclose(values, frame["tpr"].astype(float), rtol=1e-12)


@pytest.mark.parametrize("control", [None, "region"])
def test_differences_and_ratios(control):
    frame = theirs(["sex"], None if control is None else [control])
    f = fairness(LABELS, "sex", control, metrics=list(METRICS))
    between = f.between()
    for name in METRICS:
        for kind in ("difference", "ratio"):
            found = between.filter(pl.col("criterion") == f"{name}_{kind}")["value"]
            if not len(found):  # under the name of a criterion
                stem = {"tpr": "equal_opportunity", "selection_rate": "demographic_parity"}
                stem = stem.get(name, "predictive_parity")
                found = between.filter(pl.col("criterion") == f"{stem}_{kind}")["value"]
            wanted = np.atleast_1d(getattr(frame, kind)("between_groups")[name])
            np.testing.assert_allclose(found, wanted.astype(float), rtol=1e-9)
    whole = frame.overall
    for name in METRICS:
        wanted = np.atleast_1d(whole[name]).astype(float)
        np.testing.assert_allclose(f.overall()[name], wanted, rtol=1e-12)
    table = f.compared("overall").filter(pl.col("metric") == "precision")
    overall = np.repeat(np.atleast_1d(whole["precision"]).astype(float), 3)
    wanted = frame.by_group["precision"].to_numpy(float) - overall
    np.testing.assert_allclose(table["difference"], wanted, rtol=1e-9)


NAMED = {
    "demographic_parity_difference": fl.demographic_parity_difference,
    "demographic_parity_ratio": fl.demographic_parity_ratio,
    "equal_opportunity_difference": fl.equal_opportunity_difference,
    "equal_opportunity_ratio": fl.equal_opportunity_ratio,
    "equalized_odds_difference": fl.equalized_odds_difference,
    "equalized_odds_ratio": fl.equalized_odds_ratio,
    "equalized_odds_difference_mean": partial(fl.equalized_odds_difference, agg="mean"),
    "equalized_odds_ratio_mean": partial(fl.equalized_odds_ratio, agg="mean"),
    "selection_rate_difference": fl.selection_rate_difference,
    "false_positive_rate_ratio": fl.false_positive_rate_ratio,
    "true_negative_rate_difference": fl.true_negative_rate_difference,
    "accuracy_score_difference": fl.accuracy_score_difference,
    "zero_one_loss_difference": fl.zero_one_loss_difference,
    "false_negative_rate_ratio": fl.false_negative_rate_ratio,
    "true_positive_rate_ratio": fl.true_positive_rate_ratio,
} | {
    f"{metric.__name__}_{kind}": fl.make_derived_metric(metric=metric, transform=kind)
    for metric in (sk.matthews_corrcoef, sk.f1_score)
    for kind in ("difference", "ratio")
}


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("sensitive", [["sex"], ["sex", "region"]])
def test_criteria_have_their_names_and_numbers(name, sensitive):
    features = LOG.select(sensitive).to_pandas()
    wanted = NAMED[name](y_true=Y, y_pred=P, sensitive_features=features)
    f = fairness(LABELS, sensitive)
    assert f.value(name) == pytest.approx(wanted, rel=1e-9)
    if name.endswith("_mean"):
        assert f.value(name.removesuffix("_mean"), agg="mean") == f.value(name)


@pytest.mark.parametrize("name", ["roc_auc", "brier", "log_loss"])
def test_metrics_of_scores_by_group(name):
    function = {"roc_auc": sk.roc_auc_score, "brier": sk.brier_score_loss, "log_loss": sk.log_loss}
    f = fairness(PARTS, "sex", "age", metrics=name)
    assert f.by_group()[name].to_list() == pytest.approx(
        [
            function[name](rows["y"], rows["s"])
            for _, rows in LOG.sort("age", "sex").group_by("age", "sex", maintain_order=True)
        ],
        rel=1e-9,
    )
