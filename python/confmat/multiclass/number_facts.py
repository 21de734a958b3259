"""What is known of the numbers of scores of many classes: their range, and which end is better."""

from __future__ import annotations

from typing import Any, NamedTuple

from confmat.multiclass.values import asked
from confmat.registry import find


class NumberFact(NamedTuple):
    """The ends of a number, and which of them is better."""

    lo: float
    hi: float
    better: str  # "higher", "lower" or "neither"


# Of what the registry does not have, a metric of the same range and better end.
_ALIKE = {
    "d2_brier": "d2_log_loss",
    "top_k_accuracy": "accuracy",
    "ranked_probability_score": "ece",
    "classwise_ece": "ece",
    "top_label_ece": "ece",
}


def number_fact(name: Any) -> NumberFact:
    """Return the facts of a number of a name. Raises InputError: there is none.

    Examples
    --------
    >>> from confmat.multiclass.number_facts import number_fact
    >>> number_fact("roc_auc_weighted").better, number_fact("brier").hi
    ('higher', 2.0)
    """
    base = asked(name, {})[0]
    fact = find(_ALIKE.get(base, base))
    hi = 2.0 if base == "brier" else float(fact["hi"])  # of all classes together
    return NumberFact(float(fact["lo"]), hi, str(fact["better"]))
