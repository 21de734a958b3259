"""McNemar's test and Cochran's Q: against published numbers, exact sums and statsmodels."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat.significance.paired import mcnemar

few = st.integers(0, 60)


@pytest.mark.parametrize(
    ("method", "p"), [("chi2", 0.034), ("corrected", 0.077), ("exact", 0.070), ("mid-p", 0.039)]
)
def test_published_airways(method, p):
    """Fagerland, Lydersen and Laake (2013), airways before and after a transplantation."""
    assert mcnemar(1, 7, method).p_value == pytest.approx(p, abs=5e-4)


@pytest.mark.parametrize(
    ("method", "statistic", "p"),
    [  # statsmodels 0.15.0, contingency_tables.mcnemar, of Agresti's approval ratings
        ("exact", 86, 3.7159361395713866e-05),
        ("chi2", 17.35593220338983, 3.099293441045215e-05),
        ("corrected", 16.81779661016949, 4.114562281345944e-05),
    ],
)
def test_as_statsmodels(method, statistic, p):
    found = mcnemar(150, 86, method)
    assert found.statistic == pytest.approx(statistic, rel=1e-12)
    assert found.p_value == pytest.approx(p, rel=1e-10)
    assert found.df == 1 or method == "exact"


def test_as_mlxtend():
    """Mlxtend 0.25.0, evaluate.mcnemar, of the table of its guide."""
    assert mcnemar(25, 15, "exact").p_value == pytest.approx(0.1538599441628321, rel=1e-10)
    assert mcnemar(25, 15, "corrected").p_value == pytest.approx(0.15472892348537435, rel=1e-10)
    assert mcnemar(25, 15, "chi2").p_value == pytest.approx(0.11384629800665763, rel=1e-10)


@given(few, few)
def test_exact_and_mid_p_are_the_sums_of_their_definitions(a, b):
    n = a + b
    points = [Fraction(math.comb(n, x), 2**n) for x in range(n + 1)]
    tail = sum(points[: min(a, b) + 1])
    exact = min(2 * tail, 1)
    mid = exact - points[a] if a != b else 1 - points[a] / 2
    assert mcnemar(a, b, "exact").p_value == pytest.approx(float(exact), rel=1e-12)
    wanted = float(mid) if n else 1.0
    assert mcnemar(a, b, "mid-p").p_value == pytest.approx(wanted, rel=1e-12)
    above = sum(points[a:])
    one = mcnemar(a, b, "exact", "greater").p_value
    assert one == pytest.approx(float(above), rel=1e-12)
    mid_above = float(above - points[a] / 2)
    assert mcnemar(a, b, "mid-p", "greater").p_value == pytest.approx(mid_above, rel=1e-12)


@given(few, few, st.sampled_from(["exact", "mid-p", "chi2", "corrected"]))
def test_sides(a, b, method):
    if a + b:
        assert mcnemar(a, b, method, "greater").p_value == pytest.approx(
            mcnemar(b, a, method, "less").p_value
        )
    assert mcnemar(a, b, method).p_value == pytest.approx(
        mcnemar(b, a, method).p_value, nan_ok=True
    )


def test_the_sides_of_chi_squared_are_those_of_its_root():
    for method, gap in (("chi2", 10), ("corrected", 9)):
        found = mcnemar(30, 20, method, "greater")
        assert found.statistic == pytest.approx(gap / math.sqrt(50))
        assert found.p_value == pytest.approx(stats.norm.sf(gap / math.sqrt(50)))
        assert math.isnan(found.df)
    assert mcnemar(20, 30, "corrected", "greater").statistic < 0


def test_the_method_follows_the_number_of_rows():
    assert mcnemar(4, 20).method == "exact"
    assert mcnemar(5, 20).method == "mid-p"


def test_p_values_below_the_range_of_floats():
    found = mcnemar(20_000, 0, "exact")
    assert found.p_value == 0
    assert found.log_p == pytest.approx(-19_999 * math.log(2), rel=1e-14)
    assert "p = 5.02e-6021;" in str(found)
    assert mcnemar(20_000, 0, "mid-p").log_p == pytest.approx(-20_000 * math.log(2), rel=1e-14)
    assert mcnemar(20_000, 0, "chi2").log_p == pytest.approx(
        -10_000 - math.log(10_000 * math.pi) / 2, rel=1e-7
    )


def test_no_row_of_one_alone():
    assert mcnemar(0, 0).p_value == mcnemar(0, 0, "mid-p").p_value == 1
    found = mcnemar(0, 0, "chi2")
    assert math.isnan(found.p_value)
    assert math.isnan(found.log_p)
    assert found.note == "no row is of one alone"


@pytest.mark.parametrize("wrong", [-1, 1.5, "x", None, math.nan, math.inf, True])
def test_no_counts(wrong):
    with pytest.raises(cm.InputError, match="only_a"):
        mcnemar(wrong, 1)
    with pytest.raises(cm.InputError, match="only_b"):
        mcnemar(1, wrong)


def test_options():
    with pytest.raises(cm.InputError, match="method"):
        mcnemar(1, 1, "yates")
    with pytest.raises(cm.InputError, match="alternative"):
        mcnemar(1, 1, alternative="both")


# Rows of four models: patterns, and how many rows have each.
PATTERNS = [
    *([0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 1, 1]),
    *([1, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]),
    [1, 1, 1, 1],
]
TIMES = [1, 1, 2, 2, 1, 4, 3, 5, 2, 6, 10, 4, 9]


def test_cochran_as_statsmodels():
    """Statsmodels 0.15.0, contingency_tables.cochrans_q."""
    found = cm.cochran_q(PATTERNS, counts=TIMES)
    assert found.statistic == pytest.approx(9.272727272727273, rel=1e-12)
    assert found.p_value == pytest.approx(0.025876222929051743, rel=1e-10)
    assert found.df == 3
    # mlxtend 0.25.0, evaluate.cochrans_q
    found = cm.cochran_q([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], counts=[40, 6, 5, 10])
    assert found[1:4] == pytest.approx((16.545454545454547, 2, 0.0002553878283445314), rel=1e-10)


def test_cochran_takes_rows_in_any_form():
    rows = np.repeat(np.array(PATTERNS, dtype=bool), TIMES, axis=0)
    wanted = cm.cochran_q(PATTERNS, counts=TIMES)
    assert cm.cochran_q(rows) == wanted
    assert cm.cochran_q(rows.astype(float)) == wanted
    frame = pl.DataFrame(rows, schema=list("abcd"))
    found = cm.cochran_q(frame)
    assert found[1:6] == wanted[1:6]
    assert found.compared == "right on 39 (a), 30 (b), 28 (c), 39 (d) of 50 rows"
    assert cm.cochran_q({name: frame[name].to_list() for name in "abcd"}) == found


@given(few, few, few)
def test_cochran_of_two_models_is_mcnemar(both, a, b):
    found = cm.cochran_q([[1, 1], [1, 0], [0, 1]], counts=[both, a, b])
    wanted = mcnemar(a, b, "chi2")
    assert found[1:5] == pytest.approx((*wanted[1:5],), rel=1e-12, nan_ok=True)


def test_cochran_of_many_rows():
    found = cm.cochran_q([[1, 1, 0], [0, 1, 1]], counts=[4 * 10**18, 3 * 10**18])
    assert found.statistic == pytest.approx(52 / 14 * 1e18, rel=1e-12)
    assert found.log_p == pytest.approx(-found.statistic / 2, rel=1e-12)


def test_cochran_where_no_row_differs():
    found = cm.cochran_q([[1, 1, 1], [0, 0, 0]])
    assert math.isnan(found.p_value)
    assert found.note == "no row has models that differ"


@pytest.mark.parametrize(
    ("correct", "counts", "words"),
    [
        ([[1], [0]], None, "shape"),
        ([1, 0], None, "shape"),
        ([[1, 2], [0, 1]], None, "other values"),
        ([["a", "b"]], None, "other values"),
        ([[1, math.nan]], None, "other values"),
        (pl.DataFrame({"a": [True, None], "b": [True, False]}), None, "null"),
        ([[1, 0], [0, 1]], [1], "counts"),
        ([[1, 0], [0, 1]], [1, -1], "counts"),
        ([[1, 0], [0, 1]], [1.0, 2.0], "counts"),
    ],
)
def test_cochran_refuses(correct, counts, words):
    with pytest.raises(cm.InputError, match=words):
        cm.cochran_q(correct, counts=counts)
