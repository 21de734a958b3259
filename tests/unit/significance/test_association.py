"""Independence and kappa: against SciPy, exact sums, statsmodels and published numbers."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat.significance.association import chi2, exact, kappa

sides = st.tuples(st.integers(2, 4), st.integers(2, 4))
tables = sides.flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(1, 40), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)
JOB = [[1, 2, 1, 0], [3, 3, 6, 1], [10, 10, 14, 9], [6, 7, 12, 11]]  # Agresti (2002), p. 57


@given(tables, st.booleans())
def test_chi_squared_is_that_of_scipy(table, correction):
    found = chi2(table, correction=correction)
    wanted = stats.chi2_contingency(table, correction=correction)
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-10, abs=1e-12)
    assert found.df == wanted.dof
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-10)
    few = int((wanted.expected_freq < 5).sum())
    assert found.note == (
        f"{few} of {wanted.expected_freq.size} expected counts are below 5" if few else None
    )


def test_the_correction_does_not_go_beyond_what_is_seen():
    table = [[10, 10], [10, 11]]
    assert np.abs(table - stats.contingency.expected_freq(table)).max() < 0.5
    assert chi2(table, correction=True).statistic == 0


def test_empty_classes_are_left_out():
    wanted = chi2([[30, 10], [15, 25]])
    assert chi2([[30, 0, 10], [0, 0, 0], [15, 0, 25]]) == wanted
    assert (
        exact([[30, 0, 10], [0, 0, 0], [15, 0, 25]]).p_value == exact([[30, 10], [15, 25]]).p_value
    )


@pytest.mark.parametrize("test", [chi2, exact])
@pytest.mark.parametrize("table", [[[3, 4], [0, 0]], [[3, 0], [4, 0]], [[0, 0], [0, 0]]])
def test_one_class_alone(test, table):
    found = test(table)
    assert math.isnan(found.p_value)
    assert "one class" in found.note


def test_fisher_is_that_of_scipy():
    found, wanted = exact([[10, 2], [3, 15]]), stats.fisher_exact([[10, 2], [3, 15]])
    assert (found.statistic, found.p_value) == pytest.approx(wanted, rel=1e-12)
    assert found.p_error == 0
    assert exact([[10, 0], [3, 15]]).statistic == math.inf


def of_all_tables(table):
    """Return the exact p-value: the tables with these margins, one by one."""
    rows, columns = np.sum(table, axis=1), np.sum(table, axis=0)

    def splits(total, most):
        if len(most) == 1:
            yield from [(total,)] if total <= most[0] else []
            return
        for first in range(min(total, most[0]) + 1):
            for rest in splits(total - first, most[1:]):
                yield (first, *rest)

    def ways(cells):
        return Fraction(1, math.prod(math.factorial(int(cell)) for cell in np.ravel(cells)))

    of_rows = [splits(int(row), [int(most) for most in columns]) for row in rows[:-1]]
    found = []
    for cells in itertools.product(*of_rows):
        last = columns - np.sum(cells, axis=0)
        if (last >= 0).all():
            found.append(ways([*cells, last]))
    seen = ways(table)
    return float(sum(way for way in found if way <= seen) / sum(found))


@pytest.mark.parametrize(
    "table", [[[3, 1, 0], [1, 4, 1], [0, 1, 5]], [[2, 3, 1], [1, 2, 4]], [[2, 2], [3, 1], [0, 4]]]
)
def test_tables_that_are_drawn_give_the_exact_p_value(table):
    wanted = of_all_tables(table)
    found = exact(table, replicates=40_000, seed=5)
    assert 0 < found.p_error < 0.003
    assert abs(found.p_value - wanted) < 4 * found.p_error
    assert math.log(found.p_value) == found.log_p
    assert found == exact(table, replicates=40_000, seed=5)
    assert found != exact(table, replicates=40_000, seed=6)


def test_published_job_satisfaction():
    """fisher.test of R, its example: p = 0.7827."""
    found = exact(JOB, replicates=20_000, seed=1)
    assert abs(found.p_value - 0.7827) < 4 * found.p_error


def test_the_statistic_of_tables_that_are_drawn_is_their_probability():
    table = np.array([[3, 1, 0], [1, 4, 1], [0, 1, 5]])
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    wanted = stats.random_table(rows, columns).logpmf(table)
    assert exact(table, replicates=10, seed=0).statistic == pytest.approx(wanted, rel=1e-12)


def test_tables_of_many_rows_are_drawn():
    found = exact(np.array([[4, 1, 1], [1, 4, 1], [1, 1, 4]]) * 10**6, replicates=99, seed=0)
    assert found.p_value == pytest.approx(0.01)


@pytest.mark.parametrize("replicates", [0, -1, 1.5, True, None])
def test_replicates(replicates):
    with pytest.raises(cm.InputError, match="replicates"):
        exact(JOB, replicates=replicates)


def test_kappa_as_statsmodels():
    """Statsmodels 0.15.0, inter_rater.cohens_kappa: std_kappa0 and its p-values."""
    found = kappa([[20, 5], [10, 15]])
    assert found.statistic == pytest.approx(2.886751345948128, rel=1e-10)
    assert found.p_value == pytest.approx(0.0038924171227786367, rel=1e-10)
    table = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
    found = kappa(table)
    assert found.statistic == pytest.approx(6.686573150705386, rel=1e-10)
    assert found.p_value == pytest.approx(2.2845697639968196e-11, rel=1e-9)
    one = kappa(table, alternative="greater")
    assert one.p_value == pytest.approx(1.1422848819984098e-11, rel=1e-9)
    assert kappa(table, alternative="less").p_value == pytest.approx(1)


@settings(max_examples=25)
@given(st.integers(0, 2**31))
def test_kappa_has_its_standard_error_where_it_is_0(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.dirichlet(np.ones(3) * 4), rng.dirichlet(np.ones(3) * 4)
    drawn = rng.multinomial(4_000, np.outer(rows, columns).ravel(), size=300).reshape(-1, 3, 3)
    z = np.array([kappa(table).statistic for table in drawn])
    assert abs(z.std() - 1) < 0.2
    assert abs(z.mean()) < 0.3


@pytest.mark.parametrize(
    ("table", "why"),
    [([[0, 0], [0, 0]], "n = 0"), ([[5, 0], [0, 0]], "one cell"), ([[0, 5], [0, 0]], "is 0")],
)
def test_kappa_is_undefined(table, why):
    found = kappa(table)
    assert math.isnan(found.p_value)
    assert why in found.note
