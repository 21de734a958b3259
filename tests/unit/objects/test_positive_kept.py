"""The positive class: kept by what is made of a matrix; what is shown where it is known."""

import copy
import pickle

import polars as pl
import pytest

import confmat as cm

Y, P = ["a", "b", "b", "a", "b"], ["a", "b", "a", "b", "b"]
MANY = ("precision_macro", "recall_macro", "f1_macro")
TWO = ("precision", "recall", "f1")


def test_what_is_made_of_a_matrix_keeps_its_positive_class():
    m = cm.confusion_matrix(Y, P, pos_label="b")
    plain = cm.confusion_matrix(Y, P)
    assert (m.pos_label, plain.pos_label) == ("b", None)
    assert m.precision == m["precision"] == plain.value("precision", pos_label="b") == 2 / 3
    assert m.values(["f1"]) == {"f1": m.f1}
    assert m.reason("f1") is None
    assert "precision" in dir(m)
    made = (
        m + m,
        m + plain,
        plain + m,
        m + m - plain,
        m.T,
        m.T.T,
        m.smooth(1.0),
        m.balanced(),
        m.one_vs_one("a", "b"),
        m.one_vs_one("b", "a"),
        cm.ConfusionMatrix(m),
        cm.ConfusionMatrix.from_bytes(m.to_bytes()),
        pickle.loads(pickle.dumps(m)),
        copy.deepcopy(m),
        cm.ConfusionMatrix(plain.counts, ["a", "b"], pos_label="b"),
    )
    assert {one.pos_label for one in made} == {"b"}
    assert cm.ConfusionMatrix(m, ["x", "y"]).pos_label == "y"
    assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m != plain
    assert m.one_vs_rest("a").pos_label is True
    assert plain.one_vs_one("b", "a").pos_label == "a"
    other = cm.confusion_matrix(Y, P, pos_label="a")
    for call in (lambda: m + other, lambda: m - other):
        with pytest.raises(cm.InputError, match="positive class differs, 'b' and 'a'; count both"):
            call()
    for wrong in ("c", 1, 0.5, ["b"], object()):
        with pytest.raises(cm.InputError, match="pos_label"):
            cm.confusion_matrix(Y, P, pos_label=wrong)


def test_more_classes_keep_it_too():
    m = cm.confusion_matrix([0, 1, 2, 2], [0, 1, 2, 1], pos_label=2)
    assert (m.recall, m.precision) == (0.5, 1.0)
    assert m.one_vs_one(0, 2).pos_label == 2
    assert m.one_vs_one(0, 1).pos_label == 1
    assert m.recall_macro == cm.confusion_matrix([0, 1, 2, 2], [0, 1, 2, 1]).recall_macro


def test_the_usual_one_need_not_be_named():
    for negative, positive in ((0, 1), (False, True), (-1, 1)):
        m = cm.confusion_matrix([negative, positive], [positive, positive])
        named = cm.confusion_matrix([negative, positive], [positive, positive], pos_label=positive)
        assert m == named
        assert m.pos_label is positive
        assert m.precision == 0.5
    assert cm.confusion_matrix([0, 1], [0, 1], pos_label=0).pos_label == 0
    assert cm.confusion_matrix([0, 0], [0, 0], pos_label=1).specificity == 1.0


def test_matrices_of_sweeps_keep_it():
    s = cm.sweep(Y, [0.1, 0.8, 0.7, 0.6, 0.9], pos_label="a")
    assert s.at(0.65).pos_label == s.pos_label == "a"
    assert s.at(0.65).precision == s.at(0.65).value("precision", pos_label="a")
    assert cm.sweep([0, 1], [0.1, 0.9]).at(0.5) == cm.confusion_matrix([0, 1], [0, 1])
    k = cm.multiclass_sweep([0, 1, 2], [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]])
    assert k.one_vs_rest(2).at(0.5).precision == 1.0
    both = cm.sweep([1, 1], [0.2, 0.3]) + cm.sweep([-1, 1], [0.1, 0.4])
    assert both.labels == (cm.sweep([-1, 1], [0.1, 0.4]) + cm.sweep([1], [0.2])).labels == [-1, 1]


def of_default(frame):
    return [name for name in frame.columns if name in (*MANY, *TWO)]


@pytest.mark.parametrize("by", [None, "g"])
def test_the_default_metrics_of_a_plan_follow_dtypes_and_arguments(by):
    ints = pl.DataFrame({"g": [1, 1, 2, 2], "y": [0, 1, 1, 0], "p": [0, 1, 0, 0]})
    bools, texts = ints.cast({"y": bool, "p": bool}), ints.cast({"y": pl.String, "p": pl.String})
    enums = texts.cast({"y": pl.Enum(["0", "1"]), "p": pl.Enum(["0", "1"])})
    for frame, options, names in (
        (ints, {}, MANY),
        (texts, {}, MANY),
        (enums, {}, MANY),
        (bools, {}, TWO),
        (ints, {"labels": [0, 1]}, TWO),
        (ints, {"labels": [1.0, 0.0]}, TWO),
        (ints, {"labels": [0, 1, 2]}, MANY),
        (ints, {"labels": [0, 1, 2], "pos_label": 1}, MANY),
        (ints.with_columns(pl.col("y", "p") + 1), {"labels": [1, 2]}, MANY),
        (ints, {"pos_label": 1}, TWO),
        (texts, {"pos_label": "1"}, TWO),
        (enums, {"pos_label": "1"}, TWO),
    ):
        eager = frame.cm.evaluate("y", "p", by=by, **options)
        lazy = frame.lazy().cm.evaluate("y", "p", by=by, **options)
        assert of_default(eager) == list(names)
        assert lazy.collect_schema().names() == eager.columns
        assert lazy.collect().columns == eager.columns
        for weight in (None, "g"):
            lazy = frame.lazy()
            metrics = cm.metrics("y", "p", sample_weight=weight, **options)
            plan = lazy.group_by("g").agg(metrics) if by else lazy.select(metrics)
            declared = plan.collect_schema()["metrics"]
            found = plan.collect(engine="streaming")
            assert found.schema["metrics"] == declared
            assert of_default(found.unnest("metrics")) == list(names)


def test_plans_of_booleans_have_the_numbers_of_matrices():
    frame = pl.DataFrame({"y": [True, False, True, None], "p": [True, True, False, False]})
    m = cm.confusion_matrix(frame["y"], frame["p"])
    for reasons in (False, True):
        row = frame.select(cm.metrics("y", "p", reasons=reasons)).item()
        assert row["n_dropped"] == 1
        assert {name: row[name] for name in TWO} == {name: m[name] for name in TWO}
    mixed = frame.with_columns(pl.col("p").cast(pl.Int8))
    assert "f1_macro" in mixed.select(cm.metrics("y", "p")).to_series().struct.fields
    none = frame.head(0).select(cm.metrics("y", "p", reasons=True)).item()
    assert (none["n"], none["f1"]) == (0, None)
    assert none["reasons"]["f1"] is not None


def test_results_follow_the_labels_found():
    for labels, options, two in (
        ([0, 1], {}, True),
        ([-1, 1], {}, True),
        ([False, True], {}, True),
        ([1, 2], {}, False),
        ([1, 2], {"pos_label": 2}, True),
        (["a", "b"], {}, False),
        (["a", "b"], {"pos_label": "b"}, True),
        ([0, 1, 2], {"pos_label": 2}, False),
    ):
        m = cm.confusion_matrix(labels, labels, **options)
        for text in (str(m), m._repr_html_()):
            assert ("precision_macro" in text) is not two
            assert "balanced_accuracy" in text
