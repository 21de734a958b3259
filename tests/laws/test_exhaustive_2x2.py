"""All 65,536 tables with cells 0 to 15, every row about one class, against exact numbers.

Each row against what its published formula gives, read from the registry; and those that were here
first also against formulas by hand, whose numerators and denominators are exact in int64, so that
only the last division and root round. By formulas of the registry, which take longer, those with
cells up to 7 in every run, and all in long ones.
"""

import numpy as np
import pytest
from support.formulas import value_of
from support.value_names import fact_of, parameters_of, values, where

_GRID = np.indices((16, 16, 16, 16)).reshape(4, -1)
TP, FP, FN, TN = _GRID.astype(np.int64)
TABLES = np.array([[TN, FP], [FN, TP]]).transpose(2, 0, 1)
ALL = np.zeros(len(TP), bool)

P, N = TP + FN, FP + TN  # true sides
Q, M = TP + FP, FN + TN  # predicted sides
ROWS = P + N
CROSS = TP * TN - FP * FN


def ratio(above, below, undefined=ALL):
    """Return above / below rounded once; nan for 0/0 and where told, inf for x/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(undefined, np.nan, above / below)


def root_of(above, below, undefined=ALL):
    return np.sqrt(ratio(above, below, undefined))


def signed_root(above, below):
    """Return above / sqrt(below); both are exact, and below stays under 2^53."""
    return ratio(above, np.sqrt(below))


def harmonic_of_four():
    above = 4 * TP * TN
    value = ratio(above, above + (TP + TN) * (FP + FN))
    undefined = (P == 0) | (N == 0) | (Q == 0) | (M == 0)
    return np.where(undefined, np.nan, np.where(above == 0, 0.0, value))


def squares_of_four():
    """Return the pieces of the mean of squared rates, over one denominator."""
    return TP**2 * (P**2 + Q**2) * (N * M) ** 2 + TN**2 * (N**2 + M**2) * (P * Q) ** 2


RATE_PAIR = (P == 0) | (Q == 0)
RATE_FOUR = RATE_PAIR | (N == 0) | (M == 0)
ROOTS = [np.sqrt(ratio(*pair)) for pair in ((TP, P), (TP, Q), (TN, N), (TN, M))]
EXPECTED = {
    "precision": ratio(TP, Q),
    "recall": ratio(TP, P),
    "specificity": ratio(TN, N),
    "npv": ratio(TN, M),
    "fpr": ratio(FP, N),
    "fnr": ratio(FN, P),
    "fdr": ratio(FP, Q),
    "for_rate": ratio(FN, M),
    "f1": ratio(2 * TP, P + Q),
    "f1_negative": ratio(2 * TN, N + M),
    "fbeta": ratio(2 * TP, P + Q),
    "fbeta(2)": ratio(5 * TP, 4 * P + Q),
    "fbeta(0.5)": ratio(5 * TP, P + 4 * Q),
    "jaccard": ratio(TP, TP + FP + FN),
    "tversky(2,0.25)": ratio(4 * TP, 4 * TP + 8 * FP + FN),
    "tversky(beta=3)": ratio(2 * TP, 2 * TP + FP + 6 * FN),
    "tversky(0.75)": ratio(4 * TP, 4 * TP + 3 * FP + FN),
    "fowlkes_mallows": ratio(TP, np.sqrt(P * Q)),
    "phi": ratio(2 * TP, P + Q, RATE_PAIR),
    "phi(-2)": root_of(2 * TP**2, P**2 + Q**2, RATE_PAIR),
    "phi(0)": ratio(TP, np.sqrt(P * Q), RATE_PAIR),
    "phi(0.5)": ((ROOTS[0] + ROOTS[1]) / 2) ** 2,
    "phi(1)": ratio(TP * (P + Q), 2 * P * Q, RATE_PAIR),
    "phi(2)": root_of(TP**2 * (P**2 + Q**2), 2 * P**2 * Q**2, RATE_PAIR),
    "phi_four": harmonic_of_four(),
    "phi_four(-2)": np.where(
        (TP == 0) & ~RATE_FOUR,
        0.0,
        root_of(
            4 * (TP * TN) ** 2,
            TN**2 * (P**2 + Q**2) + TP**2 * (N**2 + M**2),
            RATE_FOUR,
        ),
    ),
    "phi_four(0)": np.sqrt(ratio(TP * TN, np.sqrt(P * Q * N * M), RATE_FOUR)),
    "phi_four(0.5)": (sum(ROOTS) / 4) ** 2,
    "phi_four(1)": ratio(
        TP * N * M * (P + Q) + TN * P * Q * (N + M),
        4 * P * Q * N * M,
        RATE_FOUR,
    ),
    "phi_four(2)": root_of(squares_of_four(), 4 * (P * Q * N * M) ** 2, RATE_FOUR),
    "accuracy_binary": ratio(TP + TN, ROWS),
    "error_binary": ratio(FP + FN, ROWS),
    "balanced_accuracy_binary": ratio(TP * N + TN * P, 2 * P * N, (P == 0) | (N == 0)),
    "gmean": root_of(TP * TN, P * N),
    "informedness": ratio(CROSS, P * N),
    "markedness": ratio(CROSS, Q * M),
    "mcc_binary": signed_root(CROSS, P * N * Q * M),
    "lr_positive": ratio(TP * N, P * FP),
    "lr_negative": ratio(FN * N, P * TN),
    "diagnostic_odds_ratio": ratio(TP * TN, FP * FN),
    "prevalence": ratio(P, ROWS),
    "predicted_prevalence": ratio(Q, ROWS),
    "support": P,
    "tp": TP,
    "fp": FP,
    "fn": FN,
    "tn": TN,
}
# Rows of the whole table that are known in the four cells.
WHOLE = {
    "accuracy": ratio(TP + TN, ROWS),
    "error": ratio(FP + FN, ROWS),
    "mcc": signed_root(CROSS, P * N * Q * M),
    "gmcc": signed_root(CROSS, P * N * Q * M),
    "gmcc_root": signed_root(CROSS, P * N * Q * M),
    "cramer_v": signed_root(abs(CROSS), P * N * Q * M),
    "canonical_correlation": signed_root(abs(CROSS), P * N * Q * M),
    "kappa": ratio(2 * CROSS, P * M + Q * N),
    "kappa_linear": ratio(2 * CROSS, P * M + Q * N),
    "kappa_quadratic": ratio(2 * CROSS, P * M + Q * N),
    "nir": ratio(np.maximum(P, N), ROWS),
    "expected_accuracy": ratio(P * Q + N * M, ROWS**2),
}


def ulps_off(got, wanted):
    """Return the distance in units of the last place; inf where only one is nan or infinite."""
    wanted = np.asarray(wanted, np.float64)
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(got - wanted) / np.spacing(np.abs(wanted))
    return np.where(same, 0.0, np.where(np.isnan(off), np.inf, off))


def worst(asked, wanted, some=~ALL):
    """Return the largest distance and the table where it is."""
    tables = TABLES[some]
    off = ulps_off(values(asked, tables, pos=1), wanted)
    at = int(np.argmax(off))
    return off[at], tables[at].tolist()


@pytest.mark.parametrize("asked", EXPECTED)
def test_every_small_table_of_a_class_metric(asked):
    off, table = worst(asked, EXPECTED[asked])
    assert off <= 8, table


@pytest.mark.parametrize("asked", WHOLE)
def test_every_small_table_of_a_whole_metric(asked):
    off, table = worst(asked, WHOLE[asked])
    assert off <= 8, table


@pytest.mark.parametrize("most", [7, pytest.param(15, marks=pytest.mark.long)])
@pytest.mark.parametrize("asked", where(level="class"))
def test_every_small_table_is_what_the_formula_says(asked, most):
    some = _GRID.max(axis=0) <= most
    off, table = worst(asked, said(asked, some), some)
    assert off <= 8, table


def said(asked, some):
    """Return what the formula of the registry gives for some tables."""
    cells = {"tp": TP[some], "fp": FP[some], "fn": FN[some], "tn": TN[some]}
    return value_of(fact_of(asked)["formula"], parameters_of(asked), **cells)


def test_one_wrong_cell_is_seen():
    other = TABLES + np.array([[0, 0], [0, 1]])
    for wanted in (EXPECTED["recall"], said("recall", ~ALL)):
        assert ulps_off(values("recall", TABLES, pos=0), wanted).max() > 8
        assert ulps_off(values("recall", other, pos=1), wanted).max() > 8
