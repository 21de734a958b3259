"""Intervals of numbers of objects that a query reads: the two ends, or why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from confmat.intervals.interval import Interval, no_interval, without_ends
from confmat.intervals.levels import Confidence
from confmat.moments import confidence as of_numbers
from confmat.multiclass import confidence as of_classes
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.objects.any_multilabel_sweep import AnyMultilabelSweep
from confmat.objects.any_sweep import AnySweep
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.objects.regression import Regression
from confmat.scores import confidence as of_scores

Ends: TypeAlias = tuple[float | None, float | None, str | None]


def ends_of(of: Any, names: Sequence[str], ci: Confidence, draws: bool) -> dict[str, Ends]:
    """Return the two ends of the interval of each number, or None twice and why.

    `draws`: where an interval of scores takes rows drawn again they are drawn, of the same seed
    each time, and of all these numbers from the same draws.
    """
    read = next((read for kind, read in _READ if isinstance(of, kind)), None)
    if read is None:
        why = "rows are not independent in it, or it has no formula"
        return dict.fromkeys(names, _without(why))
    found = read(of, names, ci, draws)
    return {name: _ends(one) if isinstance(one, Interval) else one for name, one in found.items()}


def _ends(found: Interval) -> Ends:
    why = no_interval(found)
    return (found.low, found.high, None) if why is None else (None, None, why)


def _without(why: str) -> Ends:
    return _ends(without_ends(math.nan, why))


def _of_sweep(of: Any, names: Sequence[str], ci: Confidence, draws: bool) -> dict[str, Any]:
    level, side = ci
    kept = [name for name in names if draws or of_scores.has_formula(name)]
    found = of_scores.several(of, kept, level, of_scores.REPLICATES, of_scores.SEED, side)
    return {name: found.get(name) or _without(of_scores.not_asked(name)) for name in names}


def _of_classes(of: Any, names: Sequence[str], ci: Confidence, draws: bool) -> dict[str, Any]:
    level, side = ci

    def read(name: str) -> Interval | Ends:
        if of_classes.has_formula(of, name) or (draws and of_classes.has_interval(name)):
            found: Interval = of.ci(name, level, side=side, seed=of_scores.SEED)
            return found
        is_drawn = of_classes.has_interval(name)
        return _without(of_scores.not_asked(name) if is_drawn else of_classes.without(of, name))

    return {name: read(name) for name in names}


def _of_sets(of: Any, names: Sequence[str], ci: Confidence, _: bool) -> dict[str, Any]:
    level, side = ci
    return {name: of.ci(name, level, side=side) for name in names}


def _of_set_scores(of: Any, names: Sequence[str], ci: Confidence, _: bool) -> dict[str, Any]:
    level, side = ci
    return {name: of.ci(name, level, side=side, seed=of_scores.SEED) for name in names}


def _of_numbers(of: Any, names: Sequence[str], ci: Confidence, _: bool) -> dict[str, Any]:
    level, side = ci
    return {
        name: _without(of_numbers.NO_POWERS)
        if of.n and of_numbers.lacks_powers(of, name)
        else of.ci(name, level, side=side)
        for name in names
    }


_READ: tuple[tuple[type, Callable[[Any, Sequence[str], Confidence, bool], dict[str, Any]]], ...] = (
    (AnySweep, _of_sweep),
    (AnyMulticlassSweep, _of_classes),
    (MultilabelMatrix, _of_sets),
    (AnyMultilabelSweep, _of_set_scores),
    (Regression, _of_numbers),
)
