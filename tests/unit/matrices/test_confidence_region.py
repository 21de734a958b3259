"""Joint confidence regions of two rates, against a grid of likelihoods."""

import itertools
import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.errors import InputError
from confmat.intervals.likelihood import likelihood_limits
from confmat.matrices.confidence import rate

TABLES = [
    [[90, 10], [20, 80]],
    [[9, 1], [2, 3]],
    [[950, 3], [9, 38]],
    [[90, 0], [0, 80]],
    [[90, 10], [20, 0]],
    [[90, 0], [20, 5]],
    [[90, 5], [0, 5]],
]
PAIRS = [
    ("recall", "precision"),
    ("precision", "recall"),
    ("fpr", "recall"),
    ("npv", "specificity"),
    ("fdr", "fnr"),
    ("recall", "npv"),
    ("precision", "npv"),
    ("for_rate", "fpr"),
]
CELLS = {
    "recall": ("tp", "fn"),
    "fnr": ("fn", "tp"),
    "specificity": ("tn", "fp"),
    "fpr": ("fp", "tn"),
    "precision": ("tp", "fp"),
    "fdr": ("fp", "tp"),
    "npv": ("tn", "fn"),
    "for_rate": ("fn", "tn"),
}
BUDGET = -2 * math.log(0.05)


def log_likelihood(counts, chances):
    with np.errstate(divide="ignore"):
        return sum(n * np.log(p) for n, p in zip(counts, chances, strict=True) if n)


def deviance(table, x, y, a, b):
    """Return the deviance of the rates a and b, from the chances of the cells that they give."""
    (tn, fp), (fn, tp) = table
    n = {"tn": tn, "fp": fp, "fn": fn, "tp": tp}
    (hit, miss), (hit2, miss2) = CELLS[x], CELLS[y]
    common = {hit, miss} & {hit2, miss2}
    if not common:
        whole = [(n[hit], n[miss], a), (n[hit2], n[miss2], b)]
        found = sum(log_likelihood((k, o), (p, 1 - p)) for k, o, p in whole)
        best = sum(log_likelihood((k, o), (k / (k + o), o / (k + o))) for k, o, _ in whole)
        return 2 * (best - found)
    (cell,) = common
    a, other = (a, miss) if hit == cell else (1 - a, hit)
    b, other2 = (b, miss2) if hit2 == cell else (1 - b, hit2)
    counts = [n[cell], n[other], n[other2]]
    parts = np.array([a * b, (1 - a) * b, a * (1 - b)])
    best = log_likelihood(counts, np.array(counts) / sum(counts))
    return 2 * (best - log_likelihood(counts, parts / parts.sum(0)))


def holds(region, x, y):
    """Return whether points are inside: a ray from each crosses an odd number of sides."""
    px, py = (region.to_series(at).to_numpy()[:, None] for at in (0, 1))
    (x0, x1), (y0, y1) = ((p[:-1], p[1:]) for p in (px, py))
    across = (y0 > y) != (y1 > y)
    with np.errstate(invalid="ignore", divide="ignore"):
        right = x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return (across & right).sum(0) % 2 == 1


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_region_is_where_the_likelihood_is_high(table, pair):
    region = cm.ConfusionMatrix(table).confidence_region(*pair, n_points=1_024)
    axis = (np.arange(50) + 0.5) / 50
    a, b = (part.ravel() for part in np.meshgrid(axis, axis))
    found = deviance(table, *pair, a, b)
    clear = np.abs(found - BUDGET) > 0.05
    assert (holds(region, a, b) == (found < BUDGET))[clear].all()


@pytest.mark.parametrize("pair", PAIRS)
def test_the_boundary_has_the_deviance_of_its_level(pair):
    for level in (0.5, 0.95, 0.999):
        region = cm.ConfusionMatrix(TABLES[0]).confidence_region(*pair, level=level)
        assert region.columns == list(pair)
        assert region.row(0) == region.row(-1)
        a, b = (region.to_series(at).to_numpy() for at in (0, 1))
        assert deviance(TABLES[0], *pair, a, b) == pytest.approx(-2 * math.log(1 - level), rel=1e-6)


@pytest.mark.parametrize("table", TABLES)
def test_regions_are_nested_hold_the_estimate_and_stay_within_the_square(table):
    m = cm.ConfusionMatrix(table)
    for pair in PAIRS:
        inner, outer = (m.confidence_region(*pair, level=level) for level in (0.5, 0.95))
        for region in (inner, outer):
            values = region.to_numpy()
            assert ((values >= 0) & (values <= 1)).all()
        for at, name in enumerate(pair):
            wide, narrow = outer.to_series(at), inner.to_series(at)
            assert wide.min() <= narrow.min() <= m.value(name) <= narrow.max() <= wide.max()
        inside = 0 < m.value(pair[0]) < 1 and 0 < m.value(pair[1]) < 1
        if inside:
            assert holds(inner, m.value(pair[0]), m.value(pair[1])).all()
            a, b = inner.to_numpy().T
            assert holds(outer, a, b).all()


def test_complements_and_aliases():
    m = cm.ConfusionMatrix(TABLES[0])
    one = m.confidence_region("recall", "precision", n_points=64)
    other = m.confidence_region("fnr", "fdr", n_points=64)
    for at in (0, 1):
        ours, theirs = one.to_series(at), 1 - other.to_series(at)
        assert (ours.min(), ours.max()) == pytest.approx((theirs.min(), theirs.max()), abs=2e-3)
    again = m.confidence_region("tpr", "ppv", n_points=64)
    assert again.columns == ["tpr", "ppv"]
    assert again.rows() == one.rows()
    assert m.confidence_region().columns == ["recall", "precision"]


def test_the_rate_of_both_may_come_first():
    m = cm.ConfusionMatrix(TABLES[0])
    ab, ba = m.confidence_region("recall", "precision"), m.confidence_region("precision", "recall")
    assert ba["recall"].max() == pytest.approx(ab["recall"].max(), abs=1e-3)
    assert ba["precision"].min() == pytest.approx(ab["precision"].min(), abs=1e-3)


@pytest.mark.parametrize(
    ("table", "pair"),
    [
        ([[5, 0], [5, 0]], ("recall", "precision")),
        ([[5, 2], [0, 0]], ("recall", "precision")),
        ([[5, 2], [0, 0]], ("fpr", "recall")),
        ([[0, 0], [0, 0]], ("fpr", "recall")),
    ],
)
def test_rates_of_no_rows_have_no_region(table, pair):
    region = cm.ConfusionMatrix(table).confidence_region(*pair)
    assert region.schema == {pair[0]: pl.Float64, pair[1]: pl.Float64}
    assert region.height == 0
    assert cm.confusion_matrix([0, 0], [0, 0]).confidence_region(*pair).height == 0


def test_one_class_against_the_rest():
    m = cm.ConfusionMatrix([[20, 6, 1], [2, 20, 3], [12, 12, 8]], labels=["a", "b", "c"])
    one = m.confidence_region(pos_label="b")
    assert one.equals(m.one_vs_rest("b").confidence_region())
    with pytest.raises(InputError, match="positive class"):
        m.confidence_region()


def test_weights():
    y, p = [0] * 60 + [1] * 40, [0] * 50 + [1] * 10 + [0] * 8 + [1] * 32
    plain = cm.confusion_matrix(y, p)
    rng = np.random.default_rng(0)
    for pair in PAIRS:
        counted = plain.confidence_region(*pair)
        for unit in (1.0, 0.3):
            same = cm.confusion_matrix(y, p, sample_weight=np.full(100, unit))
            found = same.confidence_region(*pair).to_numpy()
            assert found == pytest.approx(counted.to_numpy(), abs=1e-8)
    m = cm.confusion_matrix(y, p, sample_weight=rng.exponential(size=100))
    for pair in (("fpr", "recall"), ("precision", "npv"), ("recall", "precision")):
        region = m.confidence_region(*pair)
        for name in pair if pair[0] != "recall" else pair[:1]:
            ends = [float(end) for end in likelihood_limits(*rate(m, name), BUDGET)]
            assert (region[name].min(), region[name].max()) == pytest.approx(ends, abs=1e-6)
    floats = cm.ConfusionMatrix(np.array([[50.5, 10], [8, 32]]))
    assert floats.confidence_region().height == 0


def test_refused():
    m = cm.ConfusionMatrix(TABLES[0])
    with pytest.raises(InputError, match="`y` is 'mcc'; wanted one of recall, fnr"):
        m.confidence_region("recall", "mcc")
    for x, y in itertools.product(("recall", "fnr"), repeat=2):
        with pytest.raises(InputError, match="one tells the other"):
            m.confidence_region(x, y)
    with pytest.raises(InputError, match="`level` is 1"):
        m.confidence_region(level=1)
    with pytest.raises(InputError, match="`n_points` is 3"):
        m.confidence_region(n_points=3)
    known = m.at_prevalence(0.1)
    with pytest.raises(InputError, match="prevalence"):
        known.confidence_region("recall", "precision")
    assert known.confidence_region("fpr", "recall").height == 257
