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
