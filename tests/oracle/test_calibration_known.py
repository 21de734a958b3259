"""Published calibration of three models, met again: Platt's scaling by either library."""

import pytest
from sklearn.calibration import _SigmoidCalibration
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

import confmat as cm


@pytest.fixture(scope="module")
def parts():
    """Rows to fit on, to calibrate on, and to test on: 35, 35 and 30 of 100."""
    x, y = make_classification(
        10_000, n_informative=2, n_redundant=2, class_sep=0.5, flip_y=0.1, random_state=42
    )
    x, x_test, y, y_test = train_test_split(x, y, test_size=0.3, random_state=42)
    x_fit, x_cal, y_fit, y_cal = train_test_split(x, y, test_size=0.5, random_state=42)
    return (x_fit, y_fit), (x_cal, y_cal), (x_test, y_test)


def score(model, x):
    """Return the margins of a model that has them, otherwise its probabilities."""
    if hasattr(model, "decision_function"):
        return model.decision_function(x)
    return model.predict_proba(x)[:, 1]


@pytest.mark.parametrize(
    ("model", "brier", "ece"),
    [
        (LogisticRegression(), 0.19377, 0.03176),
        (GaussianNB(), 0.19832, 0.02981),
        (RandomForestClassifier(random_state=42), 0.16556, 0.02020),
    ],
    ids=["logistic", "bayes", "forest"],
)
def test_platt_scaled_models(parts, model, brier, ece):
    """As in Zoetmulder's course: 10,000 rows, 10 bins, and 42 for every seed."""
    fit, (x_cal, y_cal), (x_test, y_test) = parts
    model.fit(*fit)
    cal, test = score(model, x_cal), score(model, x_test)
    for p in (
        cm.sweep(y_cal, cal).recalibrate("platt").apply(test),
        _SigmoidCalibration().fit(cal, y_cal).predict(test),
    ):
        found = cm.sweep(y_test, p).calibration(bins=10)
        assert round(found.brier, 5) == brier
        assert round(found.ece, 5) == ece
