"""The averages of a metric of one class, as value names end in them: those of the core."""

from __future__ import annotations

import math
from typing import TypedDict, cast

from confmat import _core


class Suffix(TypedDict):
    """An average: what it is called, and its LaTeX around a metric of class k."""

    name: str
    listed: bool  # has facts of its own; others are there where values are never negative
    before: str
    after: str
    words: str  # "harmonic mean", of those that are not listed
    mean: str  # as a power mean; empty: it is none, or its exponent is a parameter
    exponent: float


AVERAGES = {one["name"]: cast("Suffix", one) for one in _core.averages()}
UNLISTED = {name: one for name, one in AVERAGES.items() if not one["listed"]}
_POWERS = [(one["exponent"], one["mean"]) for one in AVERAGES.values() if one["mean"]]
# Exponents by the names of means; those that are infinite last.
MEANS = {name: by for by, name in sorted(_POWERS, key=lambda one: (math.isinf(one[0]), one))}
POWER = "power"  # the average whose exponent is a parameter


def of_sets(average: object) -> str:
    """Return where the average over rows is, which is of sets of labels, for an error."""
    return "; cm.multilabel(true_sets, pred_sets) has averages over rows" * (average == "samples")
