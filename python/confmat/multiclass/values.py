"""Numbers of a sweep of many classes by name: their averages and reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from confmat.errors import InputError
from confmat.multiclass import losses, ranking
from confmat.multiclass.state import ClassSums
from confmat.named_numbers import called, unknown
from confmat.registry import find, meant

_METHODS: dict[str, Callable[..., float]] = {
    "roc_auc": ranking.roc_auc,
    "average_precision": ranking.average_precision,
    "log_loss": losses.log_loss,
    "brier": losses.brier,
    "d2_log_loss": losses.d2_log_loss,
    "d2_brier": losses.d2_brier,
    "ranked_probability_score": losses.ranked_probability_score,
    "hinge_loss": losses.hinge_loss,
    "top_k_accuracy": losses.top_k_accuracy,
    "classwise_ece": losses.classwise_ece,
    "top_label_ece": losses.top_label_ece,
}
_AVERAGES = ("macro", "weighted", "micro")
AVERAGED = ("roc_auc", "average_precision")
_OF_TWO_CLASSES = ("roc_auc", "d2_log_loss", "d2_brier")
USUAL = (
    *(f"roc_auc_{average}" for average in _AVERAGES),
    "roc_auc_ovo",
    *(f"average_precision_{average}" for average in _AVERAGES),
    *("log_loss", "brier", "top_1_accuracy", "top_2_accuracy", "classwise_ece", "top_label_ece"),
)
_TOP = re.compile(r"top_([1-9][0-9]*)_accuracy")
NAMES = tuple(dict.fromkeys((*_METHODS, *USUAL)))


def value(state: ClassSums, name: str, **parameters: Any) -> float:
    """Return one number.

    Parameters
    ----------
    name : str
        "roc_auc", "average_precision", "log_loss", "brier", "d2_log_loss", "d2_brier",
        "ranked_probability_score", "hinge_loss", "top_k_accuracy", "classwise_ece",
        "top_label_ece"; or with the average or k in it: "roc_auc_weighted", "roc_auc_ovo",
        "average_precision_micro", "top_3_accuracy".
    **parameters
        Of "roc_auc" and "average_precision": `average`, "macro" (default: the mean over
        classes, or over pairs of them), "weighted" (by their rows) or "micro" (the one curve
        of all n x K decisions pooled); and `undefined`, which takes the place of undefined
        values before averaging, by default they are left out. Of "roc_auc" also `multi_class`,
        "ovr" (default: one class against the rest) or "ovo" (each pair of classes by itself).
        Of "log_loss" and "d2_log_loss" `clip`: probabilities are moved into [clip, 1 - clip] first;
        "dtype" (default) is the machine epsilon of the type of the scores, None moves none. Of
        "brier" `scale_by_half`, default False: half of it, in [0, 1]. Of "top_k_accuracy" `k`,
        default 2, and `ties`, which class comes first among equal scores: that of the "last" column
        (default, as in scikit-learn), of the "first" (as `at_argmax`), the true one ("best"),
        or each other one ("worst"). Of "classwise_ece" and "top_label_ece" `bins`, default 10.

    Returns
    -------
    float
        nan where undefined: `reason` says why. `per_class()` and `pair_table()` have the
        values of each class, and of each pair.

    Raises
    ------
    InputError
        An unknown name or parameter; a number of probabilities where the scores are none.

    Notes
    -----
    Ties count half in ROC areas, each of which is a ratio of two integers without weights,
    rounded once. In "classwise_ece" classes without rows count, too. A row is right in
    "top_label_ece" where its class has the largest probability, of equal ones the first.

    "d2_log_loss" and "d2_brier" are the share of the loss of the class frequencies that the scores
    save: 1 is perfect, 0 no better, and it is undefined where all rows are of one class.
    "ranked_probability_score" is for ordered classes, in the order of `labels`: the mean over rows
    and the K - 1 cuts between classes of the squared error of the probability to be below the cut,
    in [0, 1]. "hinge_loss" is the mean of max(0, 1 - margin), the margin by which the score of
    the true class, a probability or not, is above that of each other class. Neither can be had
    from bins.

    References
    ----------
    Hand and Till (2001), https://doi.org/10.1023/A:1010920819831, for "ovo".
    Brier (1950), https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.
    Epstein (1969), https://doi.org/10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2, for
    "ranked_probability_score".
    Crammer and Singer (2001), https://www.jmlr.org/papers/v2/crammer01a.html, for "hinge_loss".
    Kull et al. (2019), https://arxiv.org/abs/1910.12656, for "classwise_ece".
    Guo et al. (2017), https://arxiv.org/abs/1706.04599, for "top_label_ece".

    Examples
    --------
    >>> import confmat as cm
    >>> k = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> k.value("roc_auc", average="weighted", multi_class="ovo") == k.roc_auc
    True
    >>> round(k.log_loss, 6), k.value("top_k_accuracy", k=1), k["top_1_accuracy"] == 2 / 3
    (0.645981, 0.6666666666666666, True)
    """
    base, implied = _reading(name)
    return float(called(partial(_METHODS[base], state), base, _joined(name, implied, parameters)))


def reason(state: ClassSums, name: str, **parameters: Any) -> str | None:
    """Return why a number is undefined here, or None. Arguments as `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> k = cm.multiclass_sweep([1, 1], [[0.6, 0.4], [0.7, 0.3]], labels=[0, 1])
    >>> k.roc_auc, k.reason("roc_auc")
    (nan, 'all rows are of one class')
    >>> cm.multiclass_sweep([0, 1], [[2.5, -1.0], [0.1, 0.3]]).reason("brier")
    '`scores` holds 2.5 at row 0 of column 0; wanted probabilities, from 0 to 1'
    """
    base, implied = _reading(name)
    given = _joined(name, implied, parameters)
    not_kept = state._why_not_kept(base, given)
    if not_kept:
        return not_kept
    if not math.isnan(value(state, base, **given)):
        return None
    pooled = given.get("average") == "micro" and len(state.labels) > 1  # a decision of each
    return state._why_undefined(two_classes=base in _OF_TWO_CLASSES and not pooled)


def n_used(state: ClassSums, name: str, **parameters: Any) -> int:
    """Return how many classes an average is over, or pairs of classes for "ovo".

    Arguments as `value`. All K for "micro" and for numbers that are no average; 0 where the
    number is undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> k = cm.multiclass_sweep([0, 1], [[0.6, 0.4, 0.0], [0.7, 0.3, 0.0]], labels=[0, 1, 2])
    >>> k.n_used("roc_auc"), k.n_used("roc_auc", multi_class="ovo")
    (2, 1)
    """
    base, implied = _reading(name)
    given = _joined(name, implied, parameters)
    if math.isnan(value(state, base, **given)):
        return 0
    k = len(state.labels)
    if base not in AVERAGED or given.get("average") == "micro":
        return k
    ovo = given.get("multi_class") == "ovo"
    if given.get("undefined") is not None:
        return k * (k - 1) // 2 if ovo else k
    return state.n_pairs_used if ovo else state.n_classes_used


def is_of_classes(name: Any) -> bool:
    """Return whether a number of scores of many classes has this name."""
    try:
        _reading(name)
    except InputError:
        return False
    return True


def asked(name: Any, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the number that a name is of, and all its parameters."""
    base, implied = _reading(name)
    return base, _joined(name, implied, parameters)


def _reading(name: Any) -> tuple[str, dict[str, Any]]:
    """Return the number that a name is of, and the parameters that the name holds."""
    if isinstance(name, str):
        if name in _METHODS:
            return name, {}
        base, _, suffix = name.rpartition("_")
        if base in AVERAGED and suffix in _AVERAGES:
            return base, {"average": suffix}
        if name == "roc_auc_ovo":
            return "roc_auc", {"multi_class": "ovo"}
        top = _TOP.fullmatch(name)
        if top:
            return "top_k_accuracy", {"k": int(top[1])}
    of_matrix = meant(name) if isinstance(name, str) else ""
    if of_matrix and find(of_matrix)["level"] in ("overall", "average"):
        has_it = f"`at_argmax().{of_matrix}` is that of the most probable classes"
        raise InputError(f"no number is named {name!r}; {has_it}")
    raise unknown(name, tuple(_METHODS), USUAL)


def _joined(name: str, implied: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    for key in implied:
        if key in given:
            raise InputError(f"`{key}` is in the name {name!r} and an argument; give it once")
    return implied | given
