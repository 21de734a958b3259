"""Names that are not there, and what is said to have been meant."""

import pytest

import confmat as cm

MATRIX = cm.ConfusionMatrix([[8, 2, 0], [1, 9, 0], [0, 3, 4]])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("macro_f1", "f1_macro"),
        ("weighted_precision", "precision_weighted"),
        ("min_recall", "recall_min"),
        ("micro_jaccard", "jaccard_micro"),
        ("mean_iou", "iou_macro"),
        ("avg_f1", "f1_macro"),
        ("f1_avg", "f1_macro"),
        ("f1_score_mean", "f1_score_macro"),
    ],
)
def test_an_average_before_its_metric(name, meant):
    told = f"unknown metric {name!r}; did you mean {meant!r}?"
    with pytest.raises(cm.InputError) as caught:
        MATRIX.value(name)
    assert str(caught.value) == told
    with pytest.raises(AttributeError) as caught:
        getattr(MATRIX, name)
    assert str(caught.value) == f"ConfusionMatrix.{name}: {told}"
    assert MATRIX.value(meant) > 0


def test_an_average_before_a_function():
    with pytest.raises(AttributeError) as caught:
        cm.macro_f1  # noqa: B018
    assert str(caught.value).endswith("; did you mean f1(..., average='macro')?")
    with pytest.raises(AttributeError, match=r"; did you mean jaccard\(..., average='macro'\)\?$"):
        cm.mean_iou  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'macro_nothing'"):
        cm.macro_nothing  # noqa: B018


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("smoothed", "did you mean `smooth`?"),
        ("normalized", "did you mean `normalize`?"),
        ("cells", "the cells are in `counts`"),
        ("classes", "the classes are `labels`"),
        ("columns", "the classes are `labels`"),
        ("class_stat", "did you mean `per_class`?"),
        ("merge", "`+` and `sum` merge matrices"),
        ("collapse", "`relabel({old: new})` renames classes, and joins those of one new name"),
        ("reorder", "`subset(labels)` has these, in order"),
    ],
)
def test_other_attributes_are_meant_where_they_are_nearer_than_metrics(name, meant):
    with pytest.raises(AttributeError) as caught:
        getattr(MATRIX, name)
    assert str(caught.value) == f"ConfusionMatrix has no attribute {name!r}; {meant}"


def test_metrics_are_meant_otherwise():
    with pytest.raises(AttributeError, match=r"'acuracy'; did you mean 'accuracy'\?$"):
        MATRIX.acuracy  # noqa: B018
    with pytest.raises(AttributeError, match=r"in this process$"):
        MATRIX.zzzz  # noqa: B018


@pytest.mark.parametrize(
    ("usual", "name"),
    [
        ("overall_accuracy", "accuracy"),
        ("pixel_accuracy", "accuracy"),
        ("matthews_correlation_coefficient", "mcc"),
        ("cohens_kappa", "kappa"),
        ("mean_per_class_accuracy", "balanced_accuracy"),
        ("mean_pixel_accuracy", "balanced_accuracy"),
        ("f2_score", "fbeta(2)"),
        ("f2_score", "f2"),
        ("f05_score", "fbeta(0.5)"),
        ("f05_score_macro", "fbeta_macro(0.5)"),
        ("recall_score", "recall"),
        ("probability_of_detection", "recall"),
        ("producers_accuracy", "recall"),
        ("precision_score", "precision"),
        ("users_accuracy", "precision"),
        ("omission_error", "fnr"),
        ("type_2_error", "fnr"),
        ("commission_error", "fdr"),
        ("false_alarm_ratio", "fdr"),
        ("fallout", "fpr"),
        ("type_1_error", "fpr"),
        ("f_score", "f1"),
        ("f_measure", "f1"),
        ("dice_score", "f1"),
        ("dice_coefficient", "f1"),
        ("jaccard_index", "jaccard"),
        ("p4", "phi_four(-1)"),
        ("odds_ratio", "diagnostic_odds_ratio"),
        ("adjusted_rand_index", "adjusted_rand"),
        ("mutual_info", "mutual_information"),
    ],
)
def test_usual_names(usual, name):
    assert MATRIX.value(usual, pos_label=1) == MATRIX.value(name, pos_label=1)


def test_what_a_sweep_of_many_classes_calls_otherwise():
    k = cm.multiclass_sweep([0, 1, 2], [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    for sweep in (k, k.to_state()):
        for name in ("argmax", "confusion_matrix", "matrix"):
            with pytest.raises(AttributeError, match=r"; `at_argmax\(\)` is the confusion matrix"):
                getattr(sweep, name)
        with pytest.raises(AttributeError, match=r"; `one_vs_rest\(label\)` is the sweep"):
            sweep.sweep  # noqa: B018
        assert sweep.at_argmax().n == sweep.one_vs_rest(0).n == 3
    with pytest.raises(TypeError) as caught:
        cm.roc_auc([0, 1], [0.1, 0.2], multi_class="ovo")
    hint = str(caught.value).partition("; of many classes ")[2]
    scored = {"cm": cm, "y_true": [0, 1, 2], "scores": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    assert eval(hint.replace("...", "'ovo'"), scored) == 1.0


def test_a_page_is_of_an_evaluation():
    with pytest.raises(AttributeError, match=r"see cm\.evaluate\(.*\)\.report\(path\)$"):
        cm.sweep([0, 1], [0.1, 0.2]).report  # noqa: B018
    with pytest.raises(AttributeError, match=r"cm\.evaluate\(...\)\.report\(path\) is a page$"):
        MATRIX.report  # noqa: B018
