"""A row of weight 0 is a row: its classes are there, and it is checked like any other."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm

W = [1, 1, 0]
LABELS = {
    "int": [0, 1, 2],
    "wide": [0, 1, 10**12],
    "text": ["a", "b", "c"],
}


def weights(kind):
    return [float(w) for w in W] if kind is float else W


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_a_class_of_rows_of_weight_zero_is_a_class_of_count_zero(labels, kind):
    w = weights(kind)
    m = cm.confusion_matrix(labels, labels, sample_weight=w)
    assert list(m.labels) == labels
    assert m.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m
    many = cm.confusion_matrix(labels * 50_000, labels * 50_000, sample_weight=w * 50_000)
    assert list(many.labels) == labels
    assert (many.counts == 50_000 * m.counts).all()
    # Three classes: a metric of one class needs to know which, at every door.
    frame = pl.DataFrame({"y": labels, "p": labels, "w": w, "g": [0, 0, 0]})
    with pytest.raises(cm.InputError, match=r"3 classes|pos_label|average"):
        m.value("f1")
    for plan in (
        frame.lazy().select(cm.metrics("y", "p", ["f1"], sample_weight="w")),
        frame.lazy().group_by("g").agg(cm.metrics("y", "p", ["f1"], sample_weight="w")),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match=r"3 classes|pos_label|average"):
            plan.collect()


SWEEPS = {
    "exact": lambda y, s, w, **k: cm.sweep(y, s, sample_weight=w, **k),
    "bins": lambda y, s, w, **k: cm.sweep(y, s, sample_weight=w, bins=16, **k),
    "function": lambda y, s, w, **k: cm.roc_auc(y, s, sample_weight=w, **k),
    "select": lambda y, s, w, **k: pl.DataFrame({"y": y, "s": s, "w": w}).select(
        cm.sweep_metrics("y", "s", ["roc_auc"], sample_weight="w", **k)
    ),
    "group": lambda y, s, w, **k: (
        pl.DataFrame({"y": y, "s": s, "w": w, "g": 0})
        .group_by("g")
        .agg(cm.sweep_metrics("y", "s", ["roc_auc"], sample_weight="w", **k))
    ),
    "state": lambda y, s, w, **k: pl.DataFrame({"y": y, "s": s, "w": w}).select(
        pl.col("y").cm.state(y_score="s", sample_weight="w", **k)
    ),
}
each_sweep = pytest.mark.parametrize("sweep", SWEEPS.values(), ids=SWEEPS)
REFUSED = (cm.InputError, pl.exceptions.ComputeError)


@each_sweep
@pytest.mark.parametrize("kind", [int, float])
def test_the_label_of_a_row_of_weight_zero_is_looked_at(sweep, kind):
    w = weights(kind)
    sweep([0, 1, 1], [0.1, 0.9, 0.5], w)
    for y, positive in (([0, 1, 2], None), (["n", "p", "x"], "p"), ([0, 1, 2], 1)):
        with pytest.raises(REFUSED, match=r"holds 2|more than one class|third class|2 at row 2"):
            sweep(y, [0.1, 0.9, 0.5], w, pos_label=positive)


@each_sweep
def test_the_score_of_a_row_of_weight_zero_is_looked_at(sweep):
    with pytest.raises(REFUSED, match="nan"):
        sweep([0, 1, 1], [0.1, 0.9, math.nan], W)


@pytest.mark.parametrize("bins", [None, 16, [0.0, 0.5, 1.0]])
def test_a_positive_class_of_weight_zero_occurs(bins):
    s = cm.sweep(["n", "n", "p"], [0.1, 0.9, 0.5], sample_weight=W, pos_label="p", bins=bins)
    assert (s.n_positive, s.n_negative, s.labels) == (0, 2, ["n", "p"])
    negative = cm.sweep(["n", "p", "p"], [0.1, 0.9, 0.5], sample_weight=[0, 1, 1], pos_label="p")
    assert negative.labels == ["n", "p"]
    assert len(negative) == 2  # its score is no threshold


def test_nulls_of_rows_of_weight_zero_are_counted():
    y, p = [0, 1, None], [0, 1, 1]
    assert cm.confusion_matrix(y, p, sample_weight=W).n_dropped == 1
    assert cm.sweep(y, [0.1, 0.9, 0.5], sample_weight=W).n_dropped == 1
    assert cm.sweep([0, 1, 1], [0.1, 0.9, None], sample_weight=W).n_dropped == 1
    assert cm.sweep([0, 1, 1], [0.1, 0.9, math.nan], sample_weight=W, nan="drop").n_nan == 1
    frame = pl.DataFrame({"y": y, "p": p, "s": [0.1, 0.9, 0.5], "w": W})
    for ask in (
        cm.metrics("y", "p", ["accuracy"], sample_weight="w"),
        cm.metrics("y", "p", ["accuracy"], sample_weight="w", labels=[0, 1]),
        cm.sweep_metrics("y", "s", ["roc_auc"], sample_weight="w"),
    ):
        assert frame.select(ask).unnest(pl.all())["n_dropped"].item() == 1


def test_labels_that_are_not_given_are_refused_without_weight_too():
    y, p = [0, 1, 2], [0, 1, 1]
    with pytest.raises(cm.InputError, match="label 2"):
        cm.confusion_matrix(y, p, sample_weight=W, labels=[0, 1])
    assert cm.confusion_matrix(y, p, sample_weight=W, labels=[0, 1], other="bucket").n_other == 1
    frame = pl.DataFrame({"y": y, "p": p, "w": W})
    with pytest.raises(pl.exceptions.ComputeError, match="not in labels"):
        frame.select(cm.metrics("y", "p", ["accuracy"], sample_weight="w", labels=[0, 1]))


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_boolean_column_always_has_both_classes(value, weighted):
    names = ["accuracy", "kappa", "mcc", "gmcc", "f1_macro", "f1", "precision", "recall", "eve"]
    frame = pl.DataFrame({"g": [0, 0], "y": [value] * 2, "p": [value] * 2, "w": [1.0, 2.0]})
    w = frame["w"] if weighted else None
    m = cm.confusion_matrix(frame["y"], frame["p"], sample_weight=w)
    assert m.labels == (False, True)
    weight = {"sample_weight": "w"} if weighted else {}
    ask = cm.metrics("y", "p", names, keep_empty=True, undefined=0.25, **weight)
    options = {"keep_empty": True, "undefined": 0.25, "metrics": names, **weight}
    wanted = frame.cm.evaluate("y", "p", **options)  # from a matrix of both classes
    for got in (
        frame.select(ask).unnest(pl.all()),
        frame.lazy().select(ask).collect().unnest(pl.all()),
        frame.group_by("g").agg(m=ask).unnest("m").drop("g"),
        frame.lazy().group_by("g").agg(m=ask).collect(engine="streaming").unnest("m").drop("g"),
        frame.cm.evaluate("y", "p", by="g", **options).drop("g"),
        frame.lazy().cm.evaluate("y", "p", **options).collect(),
        frame.lazy().cm.evaluate("y", "p", by="g", **options).collect().drop("g"),
    ):
        assert got.select(names).row(0) == wanted.select(names).row(0)


@pytest.mark.parametrize("classes", [3, 70])
def test_averages_leave_out_a_class_of_weight_zero_at_every_door(classes):
    names = ["f1_macro", "recall_min", "balanced_accuracy"]
    y = [*range(classes), 0]
    frame = pl.DataFrame({"g": 0, "y": y, "p": [*y[:-1], 1], "w": [1.5] * (classes - 1) + [0, 1]})
    m = cm.confusion_matrix(frame["y"], frame["p"], sample_weight=frame["w"])
    options = {"metrics": names, "sample_weight": "w", "undefined": 0.25}
    wanted = tuple(m.value(name, undefined=0.25) for name in names)
    assert wanted[1] == 0.6
    ask = cm.metrics("y", "p", **options)
    for got in (
        frame.select(ask).unnest(pl.all()),
        frame.group_by("g").agg(m=ask).unnest("m"),
        frame.cm.evaluate("y", "p", **options),
        frame.cm.evaluate("y", "p", by="g", **options),
        frame.lazy().cm.evaluate("y", "p", by="g", **options).collect(),
    ):
        assert got.select(names).row(0) == wanted


def test_weighted_averages_without_support_are_what_undefined_says():
    m = cm.multilabel([[], []], [["a"], ["b"]], labels=["a", "b"])
    for name in ("precision", "recall", "f1"):
        assert m.value(f"{name}_weighted", undefined=0.0) == 0.0
        assert m.value(f"{name}_weighted", undefined=1.0) == 1.0
        assert math.isnan(m.value(f"{name}_weighted"))
    assert m.value("recall", "macro", undefined=0.5) == 0.5
    with np.errstate(all="raise"):
        assert m.value("recall", "weighted", undefined=0.5) == 0.5
