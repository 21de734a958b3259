"""What is said of names that say a metric the other way round is a call, and has its number."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import confmat as cm

Y, P = [0, 1, 1, 0, 1, 2, 2, 0], [0, 1, 0, 0, 1, 2, 1, 1]
FRAME = pl.DataFrame({"g": [1] * 8, "y": Y, "p": P})
MATRIX = cm.confusion_matrix(Y, P)
TWO = [int(y == 1) for y in Y]
SCORES = np.array([0.2, 0.9, 0.4, 0.3, 0.8, 0.6, 0.7, 0.1])
SWEEP = cm.sweep(TWO, SCORES)
OF_CLASSES = cm.multiclass_sweep(TWO, np.c_[1 - SCORES, SCORES])
SETS = cm.multilabel([[1, 0], [0, 1]], [[1, 0], [1, 1]])
MEANT = {
    "macro_f1": "f1_macro",
    "mean_f1": "f1_macro",
    "f1_avg": "f1_macro",
    "mean_iou": "jaccard_macro",
    "min_recall": "recall_min",
    "power_recall": "recall_power",
    "macro_f2": "f2_macro",
    "mean_f2": "f2_macro",
    "f2_macro": "f2_macro",
    "min_f2": "f2_min",
    "quadratic_kappa": "kappa_quadratic",
    "linear_kappa": "kappa_linear",
    "min_nmi": "nmi_min",
    "max_nmi": "nmi_max",
    "geometric_nmi": "nmi_geometric",
    "quadratic_gwet_ac2": "gwet_ac2_quadratic",
    "quadratic_krippendorff_alpha": "krippendorff_alpha_quadratic",
    "weighted_balanced_accuracy": "balanced_accuracy_weighted",
}
OF_TWO = {"power_discriminant": "discriminant_power", "f2": "f2", "f2_score": "f2"}


def told(call: Callable[[], Any]) -> str:
    with pytest.raises((AttributeError, cm.InputError)) as caught:
        call()
    return str(caught.value).removesuffix("?")


def advised(call: Callable[[], Any]) -> str:
    """Return the first thing that was said to be meant, without quotes."""
    return re.split(r"did you mean |; ", told(call))[-1].strip("'").removesuffix(" has it")


def run(advice: str, **names: Any) -> Any:
    return eval(advice, {"cm": cm, "y": Y, "p": P, **names})


@pytest.mark.parametrize("name", MEANT)
def test_functions(name: str) -> None:
    advice = advised(lambda: getattr(cm, name))
    called = advice.replace("(...", "(y, p") if "(" in advice else f"{advice}(y, p)"
    assert run(f"cm.{called}") == MATRIX.value(MEANT[name])


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_classes(name: str) -> None:
    matrix = cm.confusion_matrix(TWO, SCORES > 0.5)
    advice = advised(lambda: getattr(cm, name))
    called = advice.replace("(...", "(y, p") if "(" in advice else f"{advice}(y, p)"
    assert run(f"cm.{called}", y=TWO, p=SCORES > 0.5) == matrix.value(OF_TWO[name])


@pytest.mark.parametrize("name", [name for name in MEANT if name != "f2_macro"])
@pytest.mark.parametrize(
    "door",
    [
        MATRIX.value,
        lambda name: getattr(MATRIX, name),
        lambda name: MATRIX.values([name]),
        MATRIX.ci,
        lambda name: FRAME.cm.evaluate("y", "p", metrics=[name]),
        lambda name: FRAME.cm.evaluate("y", "p", by="g", metrics=[name]),
        lambda name: FRAME.lazy().cm.evaluate("y", "p", metrics=[name]),
        lambda name: FRAME.select(cm.metrics("y", "p", metrics=[name])),
        SETS.value,
        SWEEP.best,
        lambda name: SWEEP.table([name]),
    ],
)
def test_names(name: str, door: Callable[[str], Any]) -> None:
    assert MATRIX.value(advised(lambda: door(name))) == MATRIX.value(MEANT[name])


@pytest.mark.parametrize("name", MEANT)
def test_names_of_frames_and_columns(name: str) -> None:
    wanted = MATRIX.value(MEANT[name])
    for frame in (FRAME, FRAME.lazy()):
        of_frame = frame.cm
        advice = advised(lambda of=of_frame: getattr(of, name)).replace("...", "'y', 'p'")
        assert run(f"frame.cm.{advice}", frame=FRAME)[:, -1].item() == wanted
    advice = advised(lambda: getattr(pl.col("y").cm, name)).partition(" has that")[0]
    if name != "power_recall":
        called = advice.replace("y_true, y_pred", "'y', 'p'")
        shown = run(called if "(" in called else f"pl.col('y').cm.{called}('p')", pl=pl)
        assert FRAME.select(shown).item() == wanted


@pytest.mark.parametrize("name", MEANT)
def test_names_of_sweeps(name: str) -> None:
    at = cm.confusion_matrix(TWO, SCORES >= 0.5)
    advice = re.findall("`(.*?)`", told(lambda: getattr(SWEEP, name)))[0]
    assert run(f"sweep.{advice}", sweep=SWEEP, t=0.5) == pytest.approx(at.value(MEANT[name]))
    at = OF_CLASSES.at_argmax()
    for call in (lambda: OF_CLASSES.value(name), lambda: getattr(OF_CLASSES, name)):
        advice = re.findall("`(.*?)`", told(call))[-1]
        assert run(f"classes.{advice}", classes=OF_CLASSES) == at.value(MEANT[name])


@pytest.mark.parametrize("name", ["average_accuracy", "mean_accuracy"])
def test_mean_accuracies(name: str) -> None:
    for call in (
        lambda: getattr(cm, name),
        lambda: getattr(MATRIX, name),
        lambda: MATRIX.value(name),
        lambda: FRAME.cm.evaluate("y", "p", metrics=[name]),
        lambda: getattr(FRAME.cm, name),
        lambda: getattr(pl.col("y").cm, name),
        lambda: SWEEP.best(name),
    ):
        said = told(call)
        assert "m.balanced_accuracy (the mean recall, AA of remote sensing) or " in said
        for advice in re.findall(r"m\.\w+", said):
            assert run(advice, m=MATRIX) in (MATRIX.balanced_accuracy, MATRIX.accuracy_binary_macro)


def test_mutual_information_in_nats() -> None:
    from math import log

    from sklearn.metrics import mutual_info_score

    said = told(lambda: MATRIX.value("mutual_info_score"))
    assert "(in bits) or m.mutual_information * math.log(2) (in nats, as that of scikit" in said
    assert MATRIX.mutual_information * log(2) == pytest.approx(mutual_info_score(Y, P))


def test_a_metric_of_classes_is_none_of_scores() -> None:
    said = told(lambda: SWEEP.value("macro_f1"))
    assert said.startswith("`f1_macro` is a metric of predicted classes; `cm.confusion_matrix(y_tr")
    advice = re.findall(r"`(s\.at.*?)`", said)[0]
    assert run(advice, s=SWEEP, t=0.5) == SWEEP.at(0.5).f1_macro


ELSEWHERE = {
    "exact_match": "exact_match",
    "subset_accuracy": "exact_match",
    **{name: name for rate in ("precision", "recall", "f1", "jaccard")
       for name in [f"{rate}_samples"]},
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_of_sets_of_labels(name: str) -> None:
    true, pred = [[1, 0], [0, 1]], [[1, 0], [1, 1]]
    wanted = getattr(cm.multilabel(true, pred), ELSEWHERE[name])
    for call in (
        lambda: getattr(cm, name),
        lambda: MATRIX.value(name),
        lambda: FRAME.cm.evaluate("y", "p", metrics=[name]),
    ):
        advice = re.findall(r"cm\.multilabel\(.*", told(call))[0]
        assert run(advice, true_sets=true, pred_sets=pred) == wanted


def test_averages_over_rows_are_of_sets_of_labels() -> None:
    for call in (
        lambda: cm.f1(Y, P, average="samples"),
        lambda: MATRIX.value("npv", average="samples"),
    ):
        said = told(call)
        assert said.startswith("`average` is 'samples'; wanted '")
        assert said.endswith("; cm.multilabel(true_sets, pred_sets) has averages over rows")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("aunu", ["balanced_accuracy_binary_macro"]),
        ("aunp", ["balanced_accuracy_binary_weighted"]),
        ("csi", ["classification_success_index", "jaccard"]),
    ],
)
def test_short_names_of_pycm(name: str, meant: list[str]) -> None:
    said = told(lambda: MATRIX.value(name))
    assert re.findall(r"m\.(\w+)", said) == meant
    assert MATRIX.value(name.upper()) == MATRIX.value(meant[0])
