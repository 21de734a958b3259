"""Reports of what is empty, of one class, undefined everywhere, of very many classes."""

import numpy as np
import polars as pl
import pytest
from support.reports import page_of

import confmat as cm

TYPES = {"y_true": pl.Int8, "y_pred": pl.Int8, "y_score": pl.Float64, "k": pl.String}
ROWS = pl.DataFrame(
    {
        "y_true": [0, 1, 1, 0] * 20,
        "y_pred": [0, 1, 0, 0] * 20,
        "y_score": np.linspace(-2, 5, 80),
        "w": [0.5, 1.5, 2, 0.25] * 20,
        "u": list(range(20)) * 4,
        "k": ["a", None] * 40,
    }
)
BOTH = {"y_pred": "y_pred", "y_score": "y_score"}


def of(rows, **options):
    return cm.evaluate(pl.DataFrame(rows, schema=TYPES, orient="row"), **options)


CASES = {
    "no rows": (lambda: of([]), "No rows were counted."),
    "no rows of slices": (lambda: of([], by="k", **BOTH), "No rows were counted."),
    "nulls alone": (lambda: of([(None, 1, 0.5, "a")], by="k", **BOTH), "100\u00a0% of the rows"),
    "one class": (lambda: of([(1, 1, 0.5, "a"), (1, 1, 0.4, "b")], by="k", **BOTH), "One class"),
    "one row": (lambda: of([(0, 1, 0.5, "a")]), "No better than"),
    "weights": (lambda: cm.evaluate(ROWS, sample_weight="w", by="k", **BOTH), "missing"),
    "clusters": (lambda: cm.evaluate(ROWS, cluster="u", by="k", ci=0.9), "clusters of 'u'"),
    "no probabilities": (lambda: cm.evaluate(ROWS, y_score="y_score", by="k"), "ROC"),
    "a metric": (lambda: cm.evaluate(ROWS, metrics="fbeta(2)", by="k"), "Fbeta(2)"),
    "label sets": (lambda: cm.evaluate(ROWS, ["y_true", "k1"], ["y_pred", "k2"]), "Classes"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_report_is_there_and_says_what_is_wrong(tmp_path, name, monkeypatch):
    make, told = CASES[name]
    if name == "label sets":
        sets = ROWS.with_columns(k1=pl.col("y_true"), k2=1 - pl.col("y_pred"))
        monkeypatch.setitem(globals(), "ROWS", sets)
    assert told in page_of(make(), tmp_path).text()


def test_very_many_classes_have_their_largest_confusions(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3_000, 20_000)
    p = np.where(rng.random(20_000) < 0.7, y, 5)
    page = page_of(cm.evaluate(pl.DataFrame({"y_true": y, "y_pred": p})), tmp_path)
    assert "classes is too large for a picture" in page.text()
    assert len(page.data("m0-classes-table")["rows"]) == cm.confusion_matrix(y, p).counts.shape[0]


def test_thirty_classes_are_a_picture(tmp_path):
    y = np.arange(600) % 30
    page = page_of(cm.evaluate(pl.DataFrame({"y_true": y, "y_pred": y[::-1]})), tmp_path)
    assert page.all("svg", class_="cells")
    assert page.data("m0-heat")["names"][29] == "29"


def test_an_interrupted_evaluation_says_so(tmp_path):
    e = cm.evaluate(ROWS)
    e.complete = False
    assert "Incomplete." in page_of(e, tmp_path).text()
