"""Numbers that matrices have as methods, asked for as metrics or as functions."""

import math
import re

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.metric_names import COUNTS
from confmat.registry import elsewhere, facts, means

M = cm.ConfusionMatrix([[40, 9], [6, 45]])
FRAME = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 1], "score": [0.2, 0.9]})
MEANT = {
    "math": math,
    "cm": cm,
    "m": M,
    "s": cm.sweep([0, 1, 1, 0] * 9, np.linspace(0.1, 0.9, 36)),
    "k": cm.multiclass_sweep([0, 1, 2], np.full((3, 3), 1 / 3)),
    "weights": "linear",
    "share": 0.3,
    "ratings": [[3, 0], [2, 1], [0, 3]],
    "y_true": [0, 1],
    "y_pred": [1, 1],
    "true_sets": [[1, 0], [1, 1]],
    "pred_sets": [[1, 1], [0, 1]],
    "a": [0, 1],
    "b": [1, 1],
}


@pytest.mark.parametrize("name", elsewhere())
def test_the_hint_of_a_name_works(name):
    for ask in (
        lambda: M.value(name),
        lambda: MEANT["s"].value(name),
        lambda: cm.metrics(metrics=[name]),
        lambda: cm.sweep_metrics("y_true", "score", [name]),
        lambda: FRAME.cm.evaluate("y_true", "y_pred", metrics=[name]),
        lambda: FRAME.cm.evaluate("y_true", y_score="score", metrics=[name]),
        lambda: cm.evaluate(FRAME, y_true="y_true", y_pred="y_pred", metrics=[name]).overall(),
    ):
        with pytest.raises(cm.InputError, match="is no name of a metric; ") as error:
            ask()
        [call] = re.findall(r"(?:has it as|it is) (\w+\..*)$", str(error.value))
        assert eval(re.sub(r" \([^)]*\)", "", call), MEANT) is not None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("AMI", r"no name of a metric.*m\.adjusted_mutual_information\(\)$"),
        ("SEDI", "did you mean 'sedi'"),
        ("HSS", "did you mean 'hss'"),
        ("F1_Macro", r"did you mean 'f1_macro'\?"),
        ("Recall", r"did you mean 'recall'\?"),
        ("ECE", r"did you mean 'ece'\?"),
        ("BIAS", r"did you mean 'bias'\?"),
    ],
)
def test_capital_letters_lead_to_the_name(name, told):
    for ask in (lambda: M.value(name), lambda: cm.metrics(metrics=[name])):
        with pytest.raises(cm.InputError, match=told):
            ask()


@pytest.mark.parametrize("name", elsewhere())
def test_the_package_says_where_it_is(name):
    if not hasattr(cm, name):
        with pytest.raises(AttributeError, match=r"; (a|k|it|see)[ ,]"):
            getattr(cm, name)


@pytest.mark.parametrize(
    "name", ["coverage_error", "label_ranking_average_precision_score", "label_ranking_loss"]
)
def test_the_hint_of_a_function_that_is_not_there_works(name):
    with pytest.raises(AttributeError, match="; see cm") as error:
        getattr(cm, name)
    call = str(error.value).partition("; see ")[2]
    names = {"y_true": [["a"], ["b"]], "scores": np.array([[0.7, 0.4], [0.6, 0.5]])}
    assert np.isfinite(eval(call, {"cm": cm, **names}))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("mcc_micro", "mcc is one number of the whole table; take 'mcc', 'mcc_macro', "),
        ("kappa_quadratic_macro", "kappa_quadratic is one number .*; take 'kappa_quadratic'$"),
        ("kappa_max", "kappa is one number of the whole table; take 'kappa'$"),
        ("tp_macro", "tp is a size of one class and is not averaged; take 'tp'$"),
        ("d_prime_macro", "d_prime is infinite with either sign where .*; take 'd_prime'$"),
        ("discriminant_power_min", "is infinite with either sign where a cell is 0"),
        ("net_benefit_weighted", "net_benefit is of the class acted on, whose threshold"),
        ("prevalence_macro", "prevalence sums to 1 over the classes, so that its mean is one over"),
        ("predicted_prevalence_micro", "predicted_prevalence sums to 1 over the classes"),
        ("chance_agreement_macro", "chance_agreement adds up .* to expected_accuracy; take"),
        ("chance_agreement_unbiased_max", "adds up .* to expected_accuracy_unbiased; take"),
        ("mcc_binary_micro", "of pooled cells has no meaning.*; take 'mcc_binary_macro', "),
        ("informedness_geometric", "can be negative.*'informedness_min' or 'informedness_max'$"),
    ],
)
def test_an_average_that_there_is_not_says_why_and_what_to_take(name, told):
    for ask in (
        lambda: M.value(name),
        lambda: cm.metric(name, "y_true", "y_pred"),
        lambda: FRAME.cm.evaluate("y_true", "y_pred", metrics=[name]),
        lambda: cm.from_bytes(M.to_bytes()).overall([name]),
        lambda: getattr(M, name),
        lambda: getattr(cm, name),
    ):
        with pytest.raises((cm.InputError, AttributeError), match=f"there is no {name}: .*{told}"):
            ask()


def test_what_chance_agreements_add_up_to():
    m = cm.ConfusionMatrix([[20, 6, 3], [2, 20, 7], [12, 14, 8]])
    for name in ("expected_accuracy", "expected_accuracy_unbiased"):
        of_class = name.replace("expected_accuracy", "chance_agreement")
        assert m.per_class([of_class])[of_class].sum() == pytest.approx(m.value(name), rel=1e-15)


def test_every_metric_without_averages_is_a_size_or_says_why_not():
    sizes = {*COUNTS}
    for fact in facts():
        if fact["level"] == "class" and not means(fact["name"]):
            with pytest.raises(cm.InputError, match=f"there is no {fact['name']}_macro: ") as error:
                M.value(f"{fact['name']}_macro")
            assert ("is a size of one class" in str(error.value)) == (fact["name"] in sizes)


def test_every_name_with_every_ending_is_a_metric_or_told():
    m = cm.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1])
    endings = ("macro", "micro", "weighted", "ovo", "min", "max", "geometric", "harmonic")
    for fact in cm.list_metrics(level="class").iter_rows(named=True):
        for name in (fact["name"], *fact["aliases"]):
            for ending in (*endings, "quadratic", "power(2)"):
                assert getattr(m, f"{name}_{ending}", 0.0) is not None
    with pytest.raises(cm.InputError, match="is a name for one class and has no averages"):
        m.value("geometric_mean_score_ovo")
