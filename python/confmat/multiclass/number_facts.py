"""What is known of the numbers of scores of many classes: their range, and which end is better."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from confmat.multiclass.values import asked


class NumberFact(NamedTuple):
    """The ends of a number, and which of them is better."""

    lo: float
    hi: float
    better: str  # "higher", "lower" or "neither"


_SHARE = NumberFact(0.0, 1.0, "higher")
_ERROR = NumberFact(0.0, 1.0, "lower")
_LOSS = NumberFact(0.0, math.inf, "lower")
_SAVED = NumberFact(-math.inf, 1.0, "higher")
_FACTS = {
    "roc_auc": _SHARE,
    "average_precision": _SHARE,
    "top_k_accuracy": _SHARE,
    "log_loss": _LOSS,
    "brier": NumberFact(0.0, 2.0, "lower"),
    "d2_log_loss": _SAVED,
    "d2_brier": _SAVED,
    "ranked_probability_score": _ERROR,
    "hinge_loss": _LOSS,
    "classwise_ece": _ERROR,
    "top_label_ece": _ERROR,
}


def number_fact(name: Any) -> NumberFact:
    """Return the facts of a number of a name. Raises InputError: there is none.

    Examples
    --------
    >>> from confmat.multiclass.number_facts import number_fact
    >>> number_fact("roc_auc_weighted").better, number_fact("brier").hi
    ('higher', 2.0)
    """
    return _FACTS[asked(name, {})[0]]
