"""Intervals of numbers of objects that a query reads: the two ends, or why there is none."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from confmat.intervals.interval import Interval
from confmat.moments import confidence as of_numbers
from confmat.multiclass import confidence as of_classes
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.objects.any_sweep import AnySweep
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.objects.regression import Regression
from confmat.scores import confidence as of_scores

Ends: TypeAlias = tuple[float | None, float | None, str | None]
_NONE = "none: "


def ends_of(of: Any, name: str, level: float) -> Ends:
    """Return the two ends of the interval of a number, or None twice and why.

    Intervals that take rows drawn again are left to `ci` of the object: in a query each group would
    draw its own.
    """
    found: Interval | None = None
    why = "no interval: rows are not independent in it, or it has no formula"
    if isinstance(of, AnySweep):
        if of_scores.has_formula(name):
            found = of.ci(name, level)
        else:
            why = f"no interval: that of {name} takes rows drawn again, as Sweep.ci draws them"
    elif isinstance(of, AnyMulticlassSweep):
        if of_classes.has_formula(name):
            found = of.ci(name, level)
        else:
            why = f"no interval: {of_classes.without(name)}"
    elif isinstance(of, MultilabelMatrix):
        found = of.ci(name, level)
    elif isinstance(of, Regression):
        if of.n and of_numbers.lacks_powers(of, name):
            why = f"no interval: that of {name} takes powers, which `ci` of the evaluation keeps"
        else:
            found = of.ci(name, level)
    if found is None:
        return None, None, why
    if math.isnan(found.low):
        return None, None, f"no interval: {found.method.removeprefix(_NONE)}"
    return found.low, found.high, None
