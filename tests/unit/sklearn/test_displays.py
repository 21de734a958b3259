"""Displays: the points of scikit-learn's, in charts of Altair."""

from functools import partial

import numpy as np
import pytest
from sklearn import calibration, metrics
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

import confmat.sklearn as ours

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 2))
Y = np.where(X.sum(axis=1) + RNG.normal(size=80) > 0, "yes", "no")
MODEL = GaussianNB().fit(X, Y)
YES = MODEL.predict_proba(X)[:, 1]
CURVES = {
    "RocCurveDisplay": (metrics.roc_curve, ("fpr", "tpr")),
    "PrecisionRecallDisplay": (metrics.precision_recall_curve, ("precision", "recall")),
    "DetCurveDisplay": (partial(metrics.det_curve, drop_intermediate=True), ("fpr", "fnr")),
    "CalibrationDisplay": (calibration.calibration_curve, ("prob_true", "prob_pred")),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("pos_label", [None, "no"])
def test_points_of_estimators(name, pos_label):
    points, attributes = CURVES[name]
    shown = getattr(ours, name).from_estimator(MODEL, X, Y, pos_label=pos_label)
    positive = pos_label or "yes"
    assert (shown.pos_label, shown.name) == (positive, "GaussianNB")
    found = points(Y, YES if positive == "yes" else 1 - YES, pos_label=positive)
    for attribute, expected in zip(attributes, found, strict=False):
        np.testing.assert_allclose(getattr(shown, attribute), expected, atol=1e-12)


@pytest.mark.parametrize("name", CURVES)
def test_the_chart_is_that_of_a_sweep(name):
    shown = getattr(ours, name).from_estimator(MODEL, X, Y)
    text = str(shown.plot().to_dict()["title" if name != "CalibrationDisplay" else "vconcat"])
    assert "GaussianNB" in text
    assert f"{(Y == 'yes').sum()} positive" in text
    assert shown._repr_mimebundle_()


def test_the_area_of_predictions():
    shown = ours.RocCurveDisplay.from_predictions(Y, YES, pos_label="yes", name="bayes")
    assert shown.roc_auc == pytest.approx(metrics.roc_auc_score(Y, YES), abs=1e-12)
    assert shown.chart.title.text == ["ROC curve: bayes"]


def test_words_of_scikit_learn_where_the_positive_class_is_not_known():
    with pytest.raises(ValueError, match="pos_label is not specified"):
        ours.RocCurveDisplay.from_predictions(Y, YES)
    with pytest.raises(NotFittedError):
        ours.ConfusionMatrixDisplay.from_estimator(GaussianNB(), X, Y)


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_matrices(normalize):
    pred = MODEL.predict(X)
    shown = ours.ConfusionMatrixDisplay.from_estimator(MODEL, X, Y, normalize=normalize)
    expected = metrics.confusion_matrix(Y, pred, normalize=normalize)
    np.testing.assert_allclose(shown.confusion_matrix, expected)
    assert shown.display_labels == ["no", "yes"]
    named = ours.ConfusionMatrixDisplay.from_predictions(Y, pred, display_labels=["n", "y"])
    assert named.display_labels == ["n", "y"]


def test_pictures_are_saved(tmp_path):
    shown = ours.ConfusionMatrixDisplay.from_predictions([0, 1, 1], [0, 1, 0])
    shown.save(tmp_path / "matrix.png")
    assert (tmp_path / "matrix.png").read_bytes().startswith(b"\x89PNG")
