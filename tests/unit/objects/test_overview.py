"""What objects show of themselves: `print`, HTML, the usual numbers in one frame."""

import pickle
import re
from html import unescape

import numpy as np
import polars as pl
import pytest

import confmat as cm

HOSTILE = "<script>alert(1)</script>\n"


def objects(label=HOSTILE):
    y = ["b", label, label, "b"]
    proba = [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8], [0.9, 0.1]]
    sets, scores = (
        [[label], ["b", label], [], ["b"]],
        [[0.3, 0.2], [0.1, 0.8], [0.3, 0.3], [0.6, 1]],
    )
    s = cm.sweep(y, [0.1, 0.4, 0.9, 0.3], pos_label=label)
    return [
        s,
        cm.sweep(y, [0.1, 0.4, 0.9, 0.3], pos_label=label, bins=256),
        s.calibration(4),
        cm.multiclass_sweep(y, proba, labels=[label, "b"]),
        cm.multilabel(sets, sets[::-1], labels=[label, "b"]),
        cm.multilabel_sweep(sets, scores, labels=[label, "b"]),
    ]


@pytest.mark.parametrize("place", range(6))
def test_text_and_html(place):
    made = objects()[place]
    text, html = str(made), made._repr_html_()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert "<script" not in html
    assert text.splitlines()[0] == unescape(re.search("<p[^>]*>(.*?)</p>", html)[1])
    assert "\n" not in repr(made)
    for metric in made.overall().filter(pl.col("value").is_not_null())["metric"][:1]:
        assert metric in text
        assert metric in html


@pytest.mark.parametrize("place", range(6))
def test_overall_is_a_frame_of_numbers(place):
    frame = objects("a")[place].overall()
    assert frame.schema == {"metric": pl.String, "value": pl.Float64, "reason": pl.String}
    assert frame.filter(pl.col("value").is_null() == pl.col("reason").is_null()).is_empty()
    assert frame["metric"].is_unique().all()


def test_nothing_is_undefined_without_a_reason():
    none = np.zeros((0, 2))
    for made in (
        cm.multiclass_sweep([], none, labels=[0, 1]),
        cm.multiclass_sweep([1], [[0.2, 0.8]], labels=[0, 1]),
        cm.multiclass_sweep([1], [[0.2, 0.8]], labels=[0, 1], sample_weight=[0.0]),
        cm.multiclass_sweep([1, 1], [[1.0], [1.0]], labels=[1]),
        cm.multilabel(none.astype(int), none.astype(int)),
        cm.multilabel_sweep(none.astype(int), none),
        cm.multilabel_sweep([[0, 0]], [[0.2, 0.8]]),
        cm.multilabel_sweep([[1, 0]], [[0.2, 0.8]], sample_weight=[0.0]),
        cm.sweep([], []).calibration(),
    ):
        frame = made.overall()
        assert frame["value"].null_count() > 0
        assert frame.filter(pl.col("value").is_null() == pl.col("reason").is_null()).is_empty()
        assert "nan" not in str(made)
        assert pickle.loads(pickle.dumps(made)).overall().equals(frame)


def test_numbers_of_many_classes():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), 50)
    s = cm.multiclass_sweep(rng.integers(0, 3, 50), proba)
    found = dict(s.overall().select("metric", "value").rows())
    assert found["roc_auc_macro"] == s.roc_auc
    assert found["roc_auc_ovo"] == s.value("roc_auc", multi_class="ovo")
    assert found["average_precision_micro"] == s.value("average_precision", average="micro")
    assert found["top_2_accuracy"] == s.value("top_k_accuracy", k=2)
    assert found["log_loss"] == s.log_loss
    assert s.reason("roc_auc_ovo") is None


def test_long_tables_are_cut():
    s = cm.sweep([0, 1, 0, 1], [0.1, 0.2, 0.8, 0.9]).calibration(100)
    assert str(s).endswith("... and 80 more")
    assert s._repr_html_().count("<tr>") == 2 + 13 + 20


def test_what_was_left_out():
    s = cm.multiclass_sweep([0, None, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    assert str(s).startswith("Probabilities of 2 classes, n = 2; 1 dropped: null\n")
    q = cm.multilabel_sweep([[1, 0], [0, 1]], [[np.nan, 1.0], [0.1, 0.2]], nan="drop")
    assert str(q).startswith("Scores of 2 labels, 1 rows; 1 dropped: nan score\n")
    assert str(cm.sweep([1], [0.5])).startswith("Sweep of 1 score: n = 1;")
