"""Published numbers, met again: German credit, and the costs of a breast cancer classifier."""

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

import confmat as cm

COST = [[0, 3], [5, 0]]


def test_german_credit():
    """686 and 14 of 700, 273 and 27 of 300, the first class positive; cut at a score of 0.5."""
    y = np.repeat(["good", "good", "bad", "bad"], [686, 14, 273, 27])
    scores = np.repeat([0.9, 0.2, 0.7, 0.1], [686, 14, 273, 27])
    s = cm.sweep(y, scores, pos_label="good")
    m = s.at(0.5)
    assert m.labels == ("bad", "good")
    assert m.counts.tolist() == [[27, 273], [14, 686]]
    names = ("recall", "specificity", "precision", "npv", "balanced_accuracy", "f1")
    row = s.table(names, thresholds=[0.5]).drop("threshold", "n_predicted").row(0)
    assert np.allclose(row, [0.98, 0.09, 0.7153, 0.6585, 0.535, 0.8270], atol=5e-5)


def test_costs_of_a_breast_cancer_classifier():
    """A threshold for the costs 3 and 5, found on a grid of 100 on the training part.

    Elastic net, balanced classes, no scaling of the features; as in Zoetmulder's course.
    """
    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2, random_state=42)
    before = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    model = LogisticRegression(
        solver="saga",
        l1_ratio=0.5,
        C=0.5,
        class_weight="balanced",
        max_iter=10_000,
        random_state=42,
        **({"penalty": "elasticnet"} if before else {}),
    ).fit(x_train, y_train)
    train = cm.sweep(y_train, model.predict_proba(x_train)[:, 1])
    test = cm.sweep(y_test, model.predict_proba(x_test)[:, 1])
    threshold, cost = train.best("cost", cost=COST, thresholds=np.linspace(0, 1, 100))
    assert round(threshold, 4) == 0.2727
    # The best of all thresholds is as cheap and higher: the grid has none in between.
    best = train.best("cost", cost=COST)
    assert best.value == cost
    assert threshold < best.threshold < threshold + 1 / 99
    half = test.at(0.5)
    assert half.counts.tolist() == [[40, 3], [2, 69]]
    assert half.cost(COST) == 19
    for found in (threshold, best.threshold):
        m = test.at(found)
        assert m.counts.tolist() == [[37, 6], [0, 71]]
        assert m.cost(COST) == 18
