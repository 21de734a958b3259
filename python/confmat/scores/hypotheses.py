"""Tests of hypotheses about scores, by their names: of calibration, and of any separation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.distributions import distributions
from confmat.scores.equal_metrics import equal, equivalent
from confmat.scores.points import check_probabilities, outside
from confmat.scores.state import Floats, ScoreState
from confmat.scores.values import value
from confmat.significance.asking import asked
from confmat.significance.result import TestResult, result, undefined
from confmat.significance.tails import log_chi2, log_kolmogorov, log_normal

_FEW = 10_000  # rows of a class, up to which the distance has its exact distribution
_OF_CALIBRATION = "rows of each score against what the score says"


def test(state: ScoreState, name: str, **options: Any) -> TestResult:
    """Test a hypothesis about the scores.

    Whole weights count as so many rows; other weights are refused.

    Parameters
    ----------
    name : str
        - "spiegelhalter": the scores are the probabilities of the positive class; the z of the
          Brier score. Above 0: scores are further out than they should be.
        - "hosmer_lemeshow": the same by chi-squared over `groups` (10) of about as many rows, split
          at quantiles of the scores. `fitted` (False): the scores were fitted to these very rows,
          which takes two degrees of freedom, as `hoslem.test` of the R package ResourceSelection
          has it.
        - "ks": the scores of both classes have the same distribution (Kolmogorov and Smirnov).
          Exact up to 10,000 rows of each class where no two have the same score; with ties, and by
          the limit distribution above, the p-value is on the safe side.
        - "equal": a `metric`, by default "roc_auc", is the same as that of a sweep `other` of other
          rows, weighted or not; by the standard errors that `ci` gives both, `seed` of those by
          bootstrap. `alternative` "greater": it is larger here.
        - "equivalent": the metric, less that of `other`, lies within `margin`; `claim`
          "equivalent", "not less" or "not greater".
    **options
        Those of the test.

    Returns
    -------
    TestResult

    Raises
    ------
    InputError
        An unknown name or option; weights, but for "equal" and "equivalent"; for tests of
        calibration, bins of several scores, or scores outside [0, 1].

    References
    ----------
    Spiegelhalter (1986), https://doi.org/10.1002/sim.4780050506; Hosmer and Lemeshow (1980),
    https://doi.org/10.1080/03610928008827941; Hodges (1958), https://doi.org/10.1007/BF02589501

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.8, 0.9])
    >>> found = s.test("spiegelhalter")
    >>> round(found.statistic, 4), round(found.p_value, 4)
    (-0.3369, 0.7362)
    >>> s.test("ks").compared
    'scores of 3 rows of class 1 and of 3 rows of class 0'
    """
    return asked(_TESTS, state, name, options)


def _spiegelhalter(state: ScoreState) -> TestResult:
    p, positives, negatives = _probabilities(state, "spiegelhalter")
    n = positives + negatives
    lean = 1 - 2 * p
    over = math.fsum((positives * (1 - p) - negatives * p) * lean)
    spread = math.fsum(n * lean * lean * p * (1 - p))
    words = f"{int(n.sum())} {_OF_CALIBRATION}"
    if not spread:
        # All scores are 0, 0.5 or 1: nothing is left to chance.
        if over:
            z = math.copysign(math.inf, over)
            return result("spiegelhalter", z, -math.inf, words, method="z")
        return undefined("spiegelhalter", "all scores are 0, 0.5 or 1", words, method="z")
    z = over / math.sqrt(spread)
    return result("spiegelhalter", z, log_normal(z), words, method="z")


def _hosmer_lemeshow(state: ScoreState, *, groups: int = 10, fitted: bool = False) -> TestResult:
    name, method = "hosmer_lemeshow", "chi-squared"
    if isinstance(groups, bool) or not isinstance(groups, int) or groups < 2:
        raise InputError(f"`groups` is {groups!r}; wanted a number of groups, at least 2")
    p, positives, negatives = (column[::-1] for column in _probabilities(state, name))
    n = positives + negatives
    words = f"{int(n.sum())} {_OF_CALIBRATION}, in groups"
    if not len(p):
        return undefined(name, "n = 0", words, method=method)
    of_group = np.searchsorted(_edges(p, n, groups), p, side="left")
    seen, rows, said = (
        np.bincount(of_group, weights=weights, minlength=1) for weights in (positives, n, n * p)
    )
    some = rows > 0
    seen, rows, said = seen[some], rows[some], said[some]
    df = len(rows) - (2 if fitted else 0)
    if df < 1:
        return undefined(name, f"the scores make {len(rows)} groups", words, method=method)
    gap = seen - said
    with np.errstate(invalid="ignore", divide="ignore"):
        each = gap * gap * (1 / said + 1 / (rows - said))
    statistic = float(np.where(gap == 0, 0.0, each).sum())
    few = int((np.minimum(said, rows - said) < 5).sum())
    note = f"{few} of {len(rows)} groups expect fewer than 5 rows of a class" if few else None
    log_p = log_chi2(statistic, df)
    return result(name, statistic, log_p, words, method=method, df=df, note=note)


def _ks(state: ScoreState) -> TestResult:
    _refuse_weights(state, "ks")
    one, other = int(state.n_positive), int(state.n_negative)
    negative, positive = state.labels
    words = f"scores of {one} rows of class {positive} and of {other} rows of class {negative}"
    if not one or not other:
        return undefined("ks", "there are rows of one class alone", words)
    distance = value(state, "ks")
    if max(one, other) <= _FEW:
        p = _exact_ks(state)
        if p > 0:
            return result("ks", distance, math.log(p), words, method="exact")
    root = math.sqrt(one / (one + other) * other)
    log_p = log_kolmogorov(root * distance)
    return result("ks", distance, log_p, words, method="limit distribution")


def _exact_ks(state: ScoreState) -> float:
    """Return the exact p-value of the distance; 0 where SciPy does not find it."""
    stats = distributions("the p-value of a test")
    columns = [np.repeat(state._at, times) for times in (state._positives, state._negatives)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return float(stats.ks_2samp(*columns, method="exact").pvalue)
        except RuntimeWarning:
            return 0.0


def _probabilities(state: ScoreState, name: str) -> tuple[Floats, Floats, Floats]:
    """Return the distinct scores, descending, with the rows of both classes."""
    _refuse_weights(state, name)
    if not state.is_exact:
        raise InputError(
            f"{name!r} is of the scores themselves, and these bins hold several; wanted a sweep of "
            "the rows without `bins`"
        )
    check_probabilities(state, name)
    why = outside(state)
    if why:
        raise InputError(f"`y_score`: {why}; {name} needs probabilities, from 0 to 1")
    at, positives, negatives = state._at, state._positives, state._negatives
    return at.astype(np.float64), positives.astype(np.float64), negatives.astype(np.float64)


def _refuse_weights(state: ScoreState, name: str) -> None:
    if state.weighted:
        raise InputError(
            f"the rows of this sweep are weighted, and {name!r} is of counts of rows; wanted one "
            "without `sample_weight`"
        )


def _edges(p: Floats, n: Floats, groups: int) -> Floats:
    """Return the quantiles of the scores that part the groups, each the last of a group."""
    until = np.cumsum(n)
    at = (until[-1] - 1) * np.arange(1, groups) / groups
    whole = np.floor(at)
    low, high = (
        p[np.minimum(np.searchsorted(until, whole + up, side="right"), len(p) - 1)] for up in (0, 1)
    )
    edges: Floats = np.unique(low + (at - whole) * (high - low))
    return edges


_TESTS: dict[str, Callable[..., TestResult]] = {
    "spiegelhalter": _spiegelhalter,
    "hosmer_lemeshow": _hosmer_lemeshow,
    "ks": _ks,
    "equal": equal,
    "equivalent": equivalent,
}
