"""Criteria of fairness by name: of which metrics they are, and how these come together."""

from __future__ import annotations

from typing import Literal, NamedTuple

from confmat.errors import InputError
from confmat.fairness.measures import AVERAGE_ODDS, OWN, TREATMENT_EQUALITY
from confmat.registry import find, find_quietly

Kind = Literal["difference", "ratio"]
KINDS: tuple[Kind, ...] = ("difference", "ratio")
MEAN = "mean"
EQUALIZED_ODDS = "equalized_odds"
# Of one metric each: its name and that of the criterion.
NAMED = {
    "demographic_parity": "selection_rate",
    "equal_opportunity": "tpr",
    "predictive_parity": "precision",
    AVERAGE_ODDS: AVERAGE_ODDS,
    TREATMENT_EQUALITY: TREATMENT_EQUALITY,
}


class Criterion(NamedTuple):
    """Metrics whose largest difference or smallest ratio counts: the worst one, or their mean."""

    name: str
    metrics: tuple[str, ...]
    kind: Kind
    is_mean: bool = False


def criterion(name: str) -> Criterion:
    """Return what a name stands for.

    Raises
    ------
    InputError
        A name that is none of a criterion, with the nearest metrics.

    Examples
    --------
    >>> from confmat.fairness.criteria import criterion
    >>> criterion("demographic_parity_ratio").metrics, criterion("accuracy_difference").metrics
    (('selection_rate',), ('accuracy',))
    >>> criterion("equalized_odds_difference_mean").is_mean
    True
    """
    stem, _, kind = name.removesuffix(f"_{MEAN}").rpartition("_")
    is_mean = name.endswith(f"_{MEAN}")
    for known in KINDS:
        if kind != known or (is_mean and stem != EQUALIZED_ODDS):
            continue
        if stem == EQUALIZED_ODDS:
            return Criterion(name, ("tpr", "fpr"), known, is_mean)
        if stem not in NAMED:
            find(stem)  # which suggests names
        return Criterion(name, (NAMED.get(stem, stem),), known)
    raise InputError(
        f"no criterion is named {name!r}; wanted the name of a metric, or one of "
        f"{', '.join([*NAMED, EQUALIZED_ODDS])}, and _difference or _ratio after it"
    )


def criteria(metrics: tuple[str, ...], is_binary: bool) -> list[Criterion]:
    """Return the criteria of a table: those with names of their own, then of other metrics."""
    names = []
    for stem in (*list(NAMED)[:2], EQUALIZED_ODDS, *list(NAMED)[2:]) if is_binary else ():
        names += [f"{stem}_{kind}" for kind in KINDS]
        if stem == EQUALIZED_ODDS:
            names += [f"{stem}_{kind}_{MEAN}" for kind in KINDS]
    covered = {_canonical(of) for of in NAMED.values()} if is_binary else set()
    for metric in metrics:
        if _canonical(metric) not in covered:
            names += [f"{metric}_{kind}" for kind in KINDS]
    return [criterion(name) for name in names]


def _canonical(metric: str) -> str:
    fact = None if metric in OWN else find_quietly(metric)
    return metric if fact is None else fact["name"]
