"""Which metrics are rates, shares of counted rows, and of which counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from confmat.registry import find_quietly


class Proportion(NamedTuple):
    """A rate: the counts that are its numerator, and those that are in the denominator as well."""

    numerator: tuple[str, ...]
    others: tuple[str, ...]


ALL = ("tp", "fp", "fn", "tn")
# Of one class against the rest: the positive one, or the class of a row.
PROPORTIONS = {
    "recall": Proportion(("tp",), ("fn",)),
    "specificity": Proportion(("tn",), ("fp",)),
    "precision": Proportion(("tp",), ("fp",)),
    "npv": Proportion(("tn",), ("fn",)),
    "fpr": Proportion(("fp",), ("tn",)),
    "fnr": Proportion(("fn",), ("tp",)),
    "fdr": Proportion(("fp",), ("tp",)),
    "for_rate": Proportion(("fn",), ("tn",)),
    "prevalence": Proportion(("tp", "fn"), ("fp", "tn")),
    "predicted_prevalence": Proportion(("tp", "fp"), ("fn", "tn")),
    "accuracy_binary": Proportion(("tp", "tn"), ("fp", "fn")),
    "error_binary": Proportion(("fp", "fn"), ("tp", "tn")),
    "jaccard": Proportion(("tp",), ("fp", "fn")),
}
# Of all classes: shares of all rows, those that are right or those that are wrong.
OF_ALL_ROWS = (
    *("accuracy", "error", "hamming_loss", "zero_one_loss"),
    *("recall_micro", "precision_micro", "f1_micro", "fnr_micro", "fdr_micro"),
)


def rate_name(metric: str) -> str | None:
    """Return the name under which a metric is a rate; None where it is not one.

    Examples
    --------
    >>> from confmat.intervals.proportions import rate_name
    >>> rate_name("tpr"), rate_name("selection_rate"), rate_name("accuracy"), rate_name("mcc")
    ('recall', 'predicted_prevalence', 'accuracy', None)
    """
    fact = find_quietly(metric)
    name = None if fact is None else fact["name"]
    return name if name in PROPORTIONS or name in OF_ALL_ROWS else None


def words_of(cells: Sequence[str]) -> str:
    """Return a sum of counts as text."""
    return " + ".join(cells)
