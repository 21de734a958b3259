"""Tests of hypotheses about a confusion matrix, by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.matrices.counted_rows import whole_counts, whole_margins
from confmat.matrices.equal_metrics import equal, equivalent
from confmat.significance import association, paired, rates, square
from confmat.significance.asking import asked
from confmat.significance.result import Alternative, TestResult

_SIDES = ("truth", "prediction")


def test(state: MatrixBase, name: str, **options: Any) -> TestResult:
    """Test a hypothesis about the matrix, or about it and another one.

    Tests are of rows as they were counted: `smoothing` is not applied. A matrix of weighted rows is
    refused by all but "equal" and "equivalent", which take the effective number of rows.

    Parameters
    ----------
    name : str
        - "nir": the accuracy is above the share of the most frequent class (the no-information
          rate); the exact binomial tail.
        - "mcnemar": of two classes, one is taken for the other as often as the other way round;
          `method` "exact" (default below 25 such rows), "mid-p" (default from then on), "chi2" or
          "corrected"; `alternative` "greater": the first is taken for the second more often.
        - "bowker": the same of all pairs of classes.
        - "stuart_maxwell": each class is predicted as often as it occurs.
        - "chi2": truth and prediction are independent, by Pearson's chi-squared; `correction`.
        - "exact": the same by Fisher's test; of more than two classes by Monte Carlo, with
          `replicates` (10,000) and `seed`.
        - "kappa": Cohen's kappa is 0; `alternative`.
        - "equal": a metric is the same in `other`, a matrix of other rows, or is the number
          `other`; `metric` ("accuracy"), `pos_label`, `alternative`. Rates by the score test,
          others by how far the intervals of both, those of `m.ci`, reach towards each other, as
          `e.test_slices` has them: of two classes, or of one against the others, by Student's t,
          with one degree of freedom less than the rows of the smaller class, by Satterthwaite.
        - "equivalent": a metric is as good as the same: within `margin` of that of `other`;
          `metric`, `pos_label`, `claim` "equivalent" (two one-sided tests), "not less"
          (non-inferiority) or "not greater".
    **options
        Those of the test.

    Returns
    -------
    TestResult
        `p_value`, and `log_p`, its logarithm, which is a number also where p is too small for one.
        nan where the counts do not allow the test; `note` says why.

    Raises
    ------
    InputError
        An unknown name or option, weights.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095, for the sides of intervals; those of
    other tests are in the modules of `confmat.significance`.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [25, 75]])
    >>> round(m.test("mcnemar").p_value, 4), m.test("mcnemar").method
    (0.0113, 'mid-p')
    >>> other = cm.ConfusionMatrix([[80, 20], [40, 60]])
    >>> round(m.test("equal", other=other, metric="recall").p_value, 4)
    0.0235
    """
    return asked(_TESTS, state, name, options)


def _nir(state: MatrixBase) -> TestResult:
    of_class, right = whole_margins(state)
    most = int(of_class.argmax()) if len(of_class) else 0
    label = f"class {state._shown[most]}" if len(of_class) else "no class"
    majority = int(of_class[most]) if len(of_class) else 0
    return rates.no_information(right, majority, int(of_class.sum()), label=label)


def _mcnemar(
    state: MatrixBase,
    *,
    method: Literal["exact", "mid-p", "chi2", "corrected"] | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    cells = whole_counts(state)
    if cells.shape != (2, 2):
        raise InputError(
            f'"mcnemar" is of two classes, and the matrix has {len(cells)}; "bowker" and '
            '"stuart_maxwell" are of any number'
        )
    first, second = state._shown
    taken, back = int(cells[0, 1]), int(cells[1, 0])
    words = f"{taken} rows of {first} predicted {second}, {back} of {second} predicted {first}"
    return paired.mcnemar(taken, back, method, alternative, words)


def _bowker(state: MatrixBase) -> TestResult:
    return square.bowker(whole_counts(state), sides=_SIDES)


def _stuart_maxwell(state: MatrixBase) -> TestResult:
    return square.stuart_maxwell(whole_counts(state), sides=_SIDES)


def _chi2(state: MatrixBase, *, correction: bool = False) -> TestResult:
    return association.chi2(whole_counts(state), correction=correction)


def _exact(state: MatrixBase, *, replicates: int = 10_000, seed: int | None = None) -> TestResult:
    return association.exact(whole_counts(state), replicates=replicates, seed=seed)


def _kappa(state: MatrixBase, *, alternative: Alternative = "two-sided") -> TestResult:
    return association.kappa(whole_counts(state), alternative=alternative)


_TESTS: dict[str, Callable[..., TestResult]] = {
    "nir": _nir,
    "mcnemar": _mcnemar,
    "bowker": _bowker,
    "stuart_maxwell": _stuart_maxwell,
    "chi2": _chi2,
    "exact": _exact,
    "kappa": _kappa,
    "equal": equal,
    "equivalent": equivalent,
}
