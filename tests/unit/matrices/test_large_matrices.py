"""Matrices of more classes than exact arithmetic takes: their determinants and spectra."""

import math
import os
import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat import _core, lapack
from confmat.options import Options

SIZES = [65, 72, 96, 97, 130, 193, 300]


def counts(k, diagonal=0):
    return np.random.default_rng(k).integers(0, 20, (k, k)) + np.eye(k, dtype=np.int64) * diagonal


def normalised(table):
    return table / np.sqrt(np.outer(table.sum(axis=1), table.sum(axis=0)))


def exact_log(table):
    """Return the sign of the determinant and ln|det M|, by elimination in fractions."""
    rows = [[Fraction(int(x)) for x in row] for row in table]
    k, sign = len(rows), 1
    pivots = []
    for p in range(k):
        at = next(i for i in range(p, k) if rows[i][p])
        if at != p:
            rows[p], rows[at], sign = rows[at], rows[p], -sign
        pivots.append(rows[p][p])
        for i in range(p + 1, k):
            factor = rows[i][p] / rows[p][p]
            if factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[p], strict=True)]
    det = math.prod(pivots)
    size = math.log(abs(det.numerator)) - math.log(det.denominator)
    margins = [*table.sum(axis=0).tolist(), *table.sum(axis=1).tolist()]
    return sign * (1 if det > 0 else -1), size - math.fsum(map(math.log, margins)) / 2


@pytest.mark.parametrize("diagonal", [0, 5000], ids=["any", "dominant"])
@pytest.mark.parametrize("k", SIZES)
def test_determinants_are_those_of_lapack(k, diagonal):
    table = counts(k, diagonal)[np.random.default_rng(1).permutation(k)]
    sign, size = np.linalg.slogdet(normalised(table))
    m = cm.ConfusionMatrix(table)
    assert m.log_abs_gmcc == pytest.approx(size, rel=1e-12)
    assert m.gmcc_root == pytest.approx(sign * math.exp(size / (k - 1)), rel=1e-10)
    assert m.reason("gmcc_root") is None


def test_determinants_are_exact_ones():
    table = counts(66)
    sign, size = exact_log(table)
    m = cm.ConfusionMatrix(table)
    assert m.log_abs_gmcc == pytest.approx(size, rel=1e-12)
    assert math.copysign(1, m.gmcc_root) == sign


@pytest.mark.parametrize("k", [65, 200, 330])
def test_a_sign_that_rounding_hides_is_not_told(k):
    table = counts(k)
    table[k // 2] = table[1]
    m = cm.ConfusionMatrix(table)
    assert m.gmcc_root == 0
    assert m.log_abs_gmcc == -math.inf
    assert m.reason("gmcc_root") == "singular to working precision"


def test_signs_of_permutations():
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(150)
        m = cm.ConfusionMatrix(np.eye(150, dtype=np.int64)[order] * 3)
        assert m.gmcc == round(np.linalg.det(np.eye(150)[order]))


@pytest.mark.parametrize("k", SIZES)
def test_spectra_are_those_of_lapack(k):
    m = cm.ConfusionMatrix(counts(k, 30))
    shares = m.counts / m.counts.sum(axis=1, keepdims=True)
    wanted = np.linalg.eigvalsh((shares + shares.T) / 2)[::-1]
    np.testing.assert_allclose(m.eve_eigenvalues, wanted, rtol=1e-10, atol=1e-13)
    wanted = np.linalg.svd(normalised(m.counts), compute_uv=False)
    np.testing.assert_allclose(m.singular_values, wanted, rtol=1e-10, atol=1e-13)
    assert m.canonical_correlation == pytest.approx(wanted[1], rel=1e-10)


@pytest.mark.parametrize("k", [65, 128, 130, 300])
@pytest.mark.parametrize("weighted", [False, True], ids=["counts", "weights"])
def test_pairs_and_sums_over_cells(k, weighted):
    table = np.random.default_rng(k).integers(0, 4, (k, k))
    table[7] = table[:, 7] = table[-1] = table[:, -1] = 0
    table = table * 0.1 if weighted else table
    m = cm.ConfusionMatrix(table)
    shown = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    assert len(shown) == k - 2
    some = table[np.ix_(shown, shown)]
    own = np.broadcast_to(np.diag(some)[:, None], some.shape)
    both = (2 * own + some + some.T)[~np.eye(k - 2, dtype=bool)]
    scores = (2 * own)[~np.eye(k - 2, dtype=bool)][both > 0] / both[both > 0]
    assert m.f1_ovo == pytest.approx(scores.mean(), rel=1e-12)
    off = ~np.eye(k, dtype=bool)
    own = np.broadcast_to(np.diag(table)[:, None], table.shape)
    filled = m.overall(["recall_ovo"], undefined=0.25, keep_empty=True)["value"].item()
    full = (own + table)[off]
    shares = np.where(full > 0, own[off] / np.where(full > 0, full, 1), 0.25)
    assert filled == pytest.approx(shares.mean(), rel=1e-12)
    p = table[table > 0] / table.sum()
    assert m.entropy_joint == pytest.approx(-(p * np.log2(p)).sum(), rel=1e-12)
    rows, cols = table.sum(axis=1), table.sum(axis=0)
    shares = (np.outer(rows, cols) / table.sum() ** 2)[table > 0]
    wanted = (p * np.log2(p / shares)).sum()
    assert m.mutual_information == pytest.approx(wanted, rel=1e-9)
    nmi = m.overall(["nmi_joint", "mutual_information", "entropy_joint"])["value"].to_list()
    assert nmi[0] == pytest.approx(nmi[1] / nmi[2], rel=1e-14)
    assert (nmi[1], nmi[2]) == (m.mutual_information, m.entropy_joint)
    assert m.n_used("f1_ovo") == len(scores)


THREADS = """
import numpy as np
import confmat as cm
table = np.random.default_rng(3).integers(0, 30, (400, 400))
for each in (table, table * 0.1):
    for value in cm.ConfusionMatrix(each).values(
        ["gmcc", "log_abs_gmcc", "gmcc_mean", "f1_ovo", "mcc_ovo", "nmi_joint", "cen", "mcen"]
    ).values():
        print(float(value).hex())
"""


def test_no_result_depends_on_the_number_of_threads():
    found = {
        threads: subprocess.run(
            [sys.executable, "-c", THREADS],
            env={**os.environ, "POLARS_MAX_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "5")
    }
    assert found["1"].count("\n") == 16
    assert found["1"] == found["2"] == found["5"]


@pytest.fixture
def called(monkeypatch):
    """Record which decompositions NumPy is asked for, and of how many rows."""
    calls = []
    for name in ("eigenvalues", "eigenvectors", "singular_values"):
        before = getattr(lapack, name)

        def noted(a, name=name, before=before):
            calls.append((name, len(a)))
            return before(a)

        monkeypatch.setattr(lapack, name, noted)
    return calls


def test_each_spectrum_is_computed_once_where_it_is_shown(called):
    m = cm.ConfusionMatrix(counts(100))
    m.overall(["gmcc", "log_abs_gmcc", "gmcc_mean", "mcc", "f1_macro", "f1_ovo"])
    assert called == []
    m.overall()
    assert called == [("eigenvalues", 100), ("eigenvalues", 100)]  # of sigma_2, of eve
    called.clear()
    m.values(["eve", "eve"])
    assert called == [("eigenvalues", 100)]


def test_intervals_of_a_table_share_its_spectra(called):
    m = cm.ConfusionMatrix(counts(100, 30))
    table = m.overall(ci=0.95)
    of_values = ["eigenvalues"] * 4  # of sigma_2 and of eve, for the values and for their ends
    assert sorted(name for name, _ in called) == [*of_values, *["eigenvectors"] * 2]
    asked = {"eve", "canonical_correlation", "gmcc", "nmi_joint", "homogeneity", "f1_ovo", "mcc"}
    for name, value, low, high, _ in table.filter(pl.col("metric").is_in(asked)).rows():
        assert (value, low, high) == pytest.approx(m.ci(name)[:3], rel=1e-12), name
        asked.remove(name)
    assert not asked


@pytest.mark.parametrize("name", ["eve", "canonical_correlation", "gmcc_root", "nmi_joint"])
def test_gradients_of_many_classes_are_differences(name):
    table = counts(70, 40).astype(float)
    m = cm.ConfusionMatrix(table)
    slopes = m.gradient(name)[1]
    for i, j in ((0, 0), (3, 5), (69, 2)):
        step = np.zeros_like(table)
        step[i, j] = 1e-3
        ends = [cm.ConfusionMatrix(table + sign * step).value(name) for sign in (1, -1)]
        assert slopes[i, j] == pytest.approx((ends[0] - ends[1]) / 2e-3, rel=1e-5, abs=1e-9)


def test_small_matrices_and_frames_do_not_ask_numpy(called):
    m = cm.ConfusionMatrix(counts(64))
    assert np.isfinite(m.singular_values).all()
    assert math.isfinite(m.eve)
    big = cm.ConfusionMatrix(counts(80, 30))
    cells = big.to_polars()
    rows = cells.select(pl.col("true", "pred").repeat_by("count")).explode("true", "pred")
    names = ["eve", "canonical_correlation"]
    found = rows.select(cm.metrics("true", "pred", names)).item()
    assert called == []
    for name in names:
        assert found[name] == pytest.approx(big.value(name), rel=1e-10)


def test_what_numpy_does_not_find_is_computed(monkeypatch):
    m = cm.ConfusionMatrix(counts(90, 30))
    wanted = m.singular_values, m.eve_eigenvalues

    def fails(*_, **__):
        raise np.linalg.LinAlgError("no convergence")

    monkeypatch.setattr(np.linalg, "svd", fails)
    monkeypatch.setattr(np.linalg, "eigvalsh", fails)
    for found, want in zip((m.singular_values, m.eve_eigenvalues), wanted, strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("k", [90, 250])
def test_what_numpy_raises_is_raised(monkeypatch, k):
    def fails(*_, **__):
        raise MemoryError("of the test")

    m = cm.ConfusionMatrix(counts(k))
    monkeypatch.setattr(np.linalg, "eigvalsh", fails)
    with pytest.raises(MemoryError, match="of the test"):
        m.value("eve")
    monkeypatch.undo()
    assert math.isfinite(m.value("eve"))


def test_a_handler_may_ask_for_another_matrix_meanwhile():
    first, second = cm.ConfusionMatrix(counts(400)), cm.ConfusionMatrix(counts(210))
    names = ["canonical_correlation", "eve", "log_abs_gmcc"]
    wanted, other, seen = first.values(names), second.values(names), []

    def handler(*_):
        seen.append(second.values(names) == pytest.approx(other, rel=1e-12))
        signal.setitimer(signal.ITIMER_REAL, 0.02)  # not amid itself

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        for _ in range(10):
            assert first.values(names) == pytest.approx(wanted, rel=1e-12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen
    assert all(seen)


OPTIONS = [{}, {"keep_empty": True}, {"undefined": 0.0}, {"smoothing": 0.5}, {"implied": True}]


@pytest.mark.parametrize("given", OPTIONS, ids=str)
def test_reasons_come_with_their_values(given):
    options, rng = Options(**given), np.random.default_rng(4)
    parsed = _core.Asks([*cm.list_metrics("overall")["name"], "f1_macro", "precision_ovo"])
    for _ in range(40):
        k = int(rng.integers(2, 6))
        table = rng.integers(0, 9, (k, k)) * rng.integers(0, 2, (k, k)) * rng.integers(0, 2, (k, 1))
        labels = [str(i) for i in range(k)]
        values, reasons = parsed.explained(table, labels, options)
        assert np.array_equal(values, parsed.values(table, labels, options), equal_nan=True)
        assert reasons == parsed.reasons(table, labels, options)
