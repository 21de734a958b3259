"""Confidence intervals of scores for sets of labels: averages over labels, the order of labels."""

from __future__ import annotations

import math
from typing import Any, Literal

from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, refuse_elsewhere, z_of
from confmat.intervals.together import CONSERVATIVE
from confmat.intervals.wilson import wilson
from confmat.labelsets.averages import of_each_label, reading_of, reason, value
from confmat.labelsets.label_means import FILLED
from confmat.labelsets.ranking import RANKINGS
from confmat.labelsets.row_averages import OF_ROWS, mean_of_rows, mean_over_labels
from confmat.labelsets.scored import LabelSweeps, ScoredSets
from confmat.options import checked_undefined
from confmat.scores.sweep_means import mean_of_sweeps

_NO_SQUARES = "the squared weights are not known"
_POOLED = "how the labels of a row go together is not kept, which a pooled curve needs"


def ci(
    state: LabelSweeps,
    name: str,
    level: float = 0.95,
    *,
    average: Literal["macro", "micro", "weighted"] | None = None,
    undefined: float | None = None,
    side: Side = "both",
    seed: int | None = None,
    replicates: int = 2_000,
    **parameters: Any,
) -> Interval:
    """Return a number with its confidence interval.

    Parameters
    ----------
    name, average, undefined, **parameters
        As in `value`.
    level : float, default 0.95
        How often the interval is to hold the number of all rows that there could be.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that may be missed below; the other end is that of the range.
    seed, replicates
        Of metrics whose intervals take rows drawn again, as "ks": so often, of each label.

    Returns
    -------
    Interval
        value, low, high, se and method. Of a sweep of rows areas ("delong") and average precision
        ("delta") have the variance of what each row adds, with all its labels, and numbers of the
        order of labels that of the rows ("mean"). "conservative" of what is averaged over labels
        otherwise, and where the rows are not kept: as wide as if all labels rose and fell together,
        and for numbers of the order of labels as if each row were at an end of the range. nan where
        the number is undefined, and of "micro" averages where the rows are not kept, or other than
        areas and average precision; `method` says why.

    Raises
    ------
    InputError
        A level outside (0, 1), an unknown side; what `value` refuses.

    Notes
    -----
    O(L n log n). `s.label(label).ci(name)` has the interval of one label, and `per_class(ci=)`
    those of all.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595; Bhatia and Davis
    (2000), https://doi.org/10.1080/00029890.2000.12005203, for the largest variance within a range

    Examples
    --------
    >>> import confmat as cm
    >>> sets = [["a"], ["b"], ["a", "b"], []] * 20
    >>> s = cm.multilabel_sweep(sets, [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8], [0.4, 0.3]] * 20)
    >>> print(s.ci("roc_auc_macro"))
    0.7500 [0.6675, 0.8176] (delong)
    >>> print(s.to_state().ci("roc_auc_macro"))
    0.7500 [0.6516, 0.8235] (conservative)
    >>> print(s.ci("label_ranking_loss"))
    0.2500 [0.1669, 0.3568] (mean)
    """
    z_of(level, side)  # refuses what is no level or side
    refuse_elsewhere(parameters)
    number = value(state, name, average, undefined, **parameters)
    # A number that is defined needs no reason, which takes as long, unless `undefined` gave it.
    is_sure = undefined is None and not math.isnan(number)
    why = None if is_sure else reason(state, name, average, **parameters)
    if math.isnan(number):
        return without_ends(number, why or "undefined")
    if any(sweep._effective_squares() is None for sweep in state._sweeps):
        return without_ends(number, _NO_SQUARES)
    if why is not None:
        return without_ends(number, FILLED)
    wanted = (level, side)
    if name in RANKINGS:
        if isinstance(state, ScoredSets):
            return mean_of_rows(state, name, number, wanted)
        return _of_order(state, name, number, wanted)
    base, kind = reading_of(name, average)
    by_rows = isinstance(state, ScoredSets) and base in OF_ROWS and not parameters
    if kind == "micro" and not by_rows:
        kept = f"{base} pooled over labels has no formula"
        return without_ends(number, kept if isinstance(state, ScoredSets) else _POOLED)
    values, _ = of_each_label(state, base, kind, parameters)
    if kind != "micro" and checked_undefined(undefined) is not None and _lacks(values):
        return without_ends(number, FILLED)
    if by_rows:
        assert isinstance(state, ScoredSets)
        return mean_over_labels(state, base, kind, number, wanted)
    options = {"seed": seed, "replicates": replicates, **parameters}
    return mean_of_sweeps(
        state._sweeps, state.labels, base, number, wanted,
        weighted=kind == "weighted", exclusive=False, **options,
    )  # fmt: skip


def _lacks(values: Any) -> bool:
    return any(map(math.isnan, values))


def _of_order(state: LabelSweeps, name: str, number: float, wanted: tuple[float, Side]) -> Interval:
    """Return the interval of a mean over rows whose values are not kept: of a range at most."""
    positives, negatives = state._sweeps[0]._effective_squares() or ((), ())
    squares = float(sum(positives) + sum(negatives))
    rows = float(state.n) ** 2 / squares
    most = float(len(state.labels)) if name == "coverage_error" else 1.0
    share = min(number / most, 1.0)
    low, high = (most * float(end) for end in wilson(share * rows, rows, *wanted))
    se = most * math.sqrt(share * (1 - share) / rows)
    return Interval(number, low, high, se, CONSERVATIVE)
