"""Which metrics are rates, shares of counted rows, and of which counts: what their formulas say."""

from __future__ import annotations

from typing import NamedTuple

from confmat import _core
from confmat.own_definitions import renewed, wired
from confmat.registry import find_quietly, is_score_metric

ALL = ("tp", "fp", "fn", "tn")


class Proportion(NamedTuple):
    """A rate: the counts that are its numerator, and those that are in the denominator as well.

    Of one class some of `ALL`; of all rows those that are "right" and those that are "wrong".
    """

    numerator: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def is_of_all_rows(self) -> bool:
        """Whether it is a share of all rows, whatever their classes."""
        return self.numerator[0] not in ALL

    @property
    def denominator(self) -> str:
        """The sum of counts that it is a share of, as text."""
        return "n" if self.is_of_all_rows else " + ".join((*self.numerator, *self.others))


@renewed
def proportion_of(metric: str) -> Proportion | None:
    """Return what a metric is a share of; None where it is no rate of rows.

    The core tries it: a rate moves with each cell as a share does.

    Examples
    --------
    >>> from confmat.intervals.proportions import proportion_of
    >>> proportion_of("tpr")
    Proportion(numerator=('tp',), others=('fn',))
    >>> proportion_of("accuracy").denominator, proportion_of("mcc")
    ('n', None)
    """
    if find_quietly(metric) is None or is_score_metric(metric):
        return None
    found = _core.rate_of(wired(metric))
    return None if found is None else Proportion(*found)


def rate_name(metric: str) -> str | None:
    """Return the name under which a metric is a rate; None where it is not one.

    Examples
    --------
    >>> from confmat.intervals.proportions import rate_name
    >>> rate_name("tpr"), rate_name("selection_rate"), rate_name("accuracy"), rate_name("mcc")
    ('recall', 'predicted_prevalence', 'accuracy', None)
    """
    fact = find_quietly(metric)
    return None if fact is None or proportion_of(metric) is None else fact["name"]
