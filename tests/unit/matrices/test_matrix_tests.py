"""Tests of matrices by name: the numbers that their cells give to the tests of tables."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from support.rates import OF_ALL_ROWS, OF_ONE_CLASS

import confmat as cm
from confmat.intervals.effective_rows import effective_rows
from confmat.matrices.confidence import rate
from confmat.significance import association, paired, square

CARET = cm.ConfusionMatrix([[55, 56], [34, 255]], labels=["A", "B"])  # rows true
THREE = cm.ConfusionMatrix([[30, 4, 2], [6, 25, 3], [1, 7, 40]], labels=["a", "b", "c"])
OTHER = cm.ConfusionMatrix([[20, 9, 7], [6, 18, 9], [4, 7, 30]], labels=["a", "b", "c"])
WEIGHTED = cm.confusion_matrix([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=[0.5, 1.5, 2.0, 1.0])
WHOLE = cm.confusion_matrix([0, 1, 1, 0], [0, 1, 0, 0], sample_weight=[1, 2, 3, 1])
NAMES = ["nir", "mcnemar", "bowker", "stuart_maxwell", "chi2", "exact", "kappa"]


def test_the_output_of_caret():
    """As https://stats.stackexchange.com/a/253435 shows it; its McNemar is corrected."""
    found = CARET.test("nir")
    assert found.p_value == pytest.approx(0.00994, abs=5e-6)
    assert found.compared == "accuracy 0.7750 of 400 rows against the share 0.7225 of class B"
    found = CARET.test("mcnemar", method="corrected")
    assert found.p_value == pytest.approx(0.02686, abs=5e-6)
    assert found.compared == "56 rows of A predicted B, 34 of B predicted A"


def test_a_class_without_rows_has_no_part_in_how_sure_a_metric_is():
    m = cm.ConfusionMatrix([[0, 0], [300, 700]])
    assert m.test("equal", other=0.85, metric="f1").df == 999
    assert m.test("equal", other=cm.ConfusionMatrix([[0, 0], [400, 600]]), metric="f1").df > 999


@pytest.mark.parametrize(("metric", "number", "lo"), [("f1", 1e200, 0), ("mcc", -1.01, -1)])
def test_a_number_that_no_metric_has_is_refused(metric, number, lo):
    for name, more in (("equal", {}), ("equivalent", {"margin": 0.1})):
        with pytest.raises(cm.InputError, match=rf"`other` is .*, and {metric} is from {lo} to 1"):
            CARET.test(name, other=number, metric=metric, pos_label="A", **more)


def test_each_name_is_its_test():
    counts = THREE.counts
    sides = ("truth", "prediction")
    assert THREE.test("bowker") == square.bowker(counts, sides=sides)
    assert THREE.test("stuart_maxwell") == square.stuart_maxwell(counts, sides=sides)
    assert THREE.test("chi2") == association.chi2(counts)
    assert THREE.test("exact", replicates=99, seed=3) == association.exact(
        counts, replicates=99, seed=3
    )
    assert THREE.test("kappa", alternative="greater") == association.kappa(
        counts, alternative="greater"
    )
    two = THREE.one_vs_rest("b")
    (_, fp), (fn, _) = two.counts.tolist()
    assert two.test("mcnemar", method="exact")[:6] == paired.mcnemar(fp, fn, "exact")[:6]
    assert two.test("chi2", correction=True) == association.chi2(two.counts, correction=True)


@pytest.mark.parametrize("name", NAMES)
def test_smoothing_is_not_of_rows_and_whole_floats_are(name):
    two = THREE.one_vs_rest("b")
    options = {"seed": 0} if name == "exact" else {}
    wanted = two.test(name, **options)
    assert two.smooth(2.5).test(name, **options) == wanted
    assert cm.ConfusionMatrix(two.counts.astype(float), [False, True]).test(name) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_refused(name):
    for m in (WEIGHTED, WHOLE, cm.ConfusionMatrix([[0.5, 1], [1, 2]])):
        with pytest.raises(cm.InputError, match="weighted"):
            m.test(name)


@pytest.mark.parametrize("name", NAMES)
def test_no_rows(name):
    found = cm.ConfusionMatrix([[0, 0], [0, 0]]).test(name)
    if name == "mcnemar":
        assert found.p_value == 1
    else:
        assert math.isnan(found.p_value)
        assert found.note
        assert "p = -" in str(found)


def test_a_matrix_without_classes():
    empty = cm.confusion_matrix([], [])
    for name in ("nir", "bowker", "stuart_maxwell", "chi2", "exact", "kappa"):
        assert math.isnan(empty.test(name).p_value)
    with pytest.raises(cm.InputError, match="two classes"):
        empty.test("mcnemar")


def test_no_information_of_thousands_of_rows():
    """PyCM 4.6 gives 0.0 at these 1,000 rows, and a negative number at 100."""
    thousand = cm.ConfusionMatrix([[450, 50], [50, 450]]).test("nir")
    assert f"{thousand.p_value:.1e}" == "6.7e-162"
    assert str(thousand).startswith("nir (exact binomial), greater: statistic 900, p = 6.7")
    large = cm.ConfusionMatrix([[45 * 10**10, 5 * 10**10], [5 * 10**10, 45 * 10**10]]).test("nir")
    assert large.p_value == 0
    entropy = math.log(2) + 0.9 * math.log(0.9) + 0.1 * math.log(0.1)
    assert large.log_p == pytest.approx(-(10**12) * entropy, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("mc_nemar", {}, "wanted one of 'nir', 'mcnemar'"),
        (3, {}, "`name` is 3"),
        ("nir", {"method": "exact"}, "no option `method`; it has none"),
        ("kappa", {"seed": 1}, "no option `seed`; it has `alternative`"),
        ("equal", {}, "needs `other`"),
        ("equivalent", {"other": THREE}, "needs `margin`"),
        ("mcnemar", {}, "two classes, and the matrix has 3"),
        ("equal", {"other": "x"}, "`other` is str"),
        ("equal", {"other": True}, "`other` is bool"),
        ("equal", {"other": math.nan}, "`other` is float"),
        ("equal", {"other": 1.5}, "from 0 to 1"),
        ("equal", {"other": OTHER, "metric": "recall"}, "pos_label"),
        ("equal", {"other": OTHER, "metric": "acuracy"}, "accuracy"),
        ("equal", {"other": OTHER, "alternative": "more"}, "alternative"),
    ],
)
def test_what_is_refused(name, options, words):
    with pytest.raises(cm.InputError, match=words):
        THREE.test(name, **options)


@pytest.mark.parametrize("metric", [*OF_ONE_CLASS, *OF_ALL_ROWS])
def test_rates_are_compared_by_the_score_test(metric):
    pos = {"pos_label": "b"} if metric in OF_ONE_CLASS else {}
    found = THREE.test("equal", other=OTHER, metric=metric, **pos)
    rates = [m.value(metric, **pos) for m in (THREE, OTHER)]
    (k, n), (k2, n2) = (rate(m, metric, pos.get("pos_label")) for m in (THREE, OTHER))
    assert (k / n, k2 / n2) == pytest.approx(rates)
    table = [[k, n - k], [k2, n2 - k2]]
    wanted = stats.chi2_contingency(table, correction=False)
    assert found.method == "score"
    assert found.statistic**2 == pytest.approx(wanted.statistic, rel=1e-9)
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-9)
    assert np.sign(found.statistic) == np.sign(rates[0] - rates[1])


@pytest.mark.parametrize("metric", ["mcc", "kappa", "f1_macro", "eve", "kappa_quadratic"])
def test_other_metrics_are_compared_by_the_sides_that_face_each_other(metric):
    found = THREE.test("equal", other=OTHER, metric=metric)
    one, two = THREE.ci(metric), OTHER.ci(metric)
    gap, reach = one.value - two.value, stats.norm.isf(0.025)
    sides = [one.value - one.low, two.high - two.value]
    if gap < 0:
        sides = [one.high - one.value, two.value - two.low]
    wanted = gap / math.hypot(*sides) * reach
    assert found.method == "delta"
    assert found.statistic == pytest.approx(wanted)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(wanted)))
    assert math.isnan(found.df)
    assert OTHER.test("equal", other=THREE, metric=metric).statistic == -found.statistic
    same = THREE.test("equal", other=THREE, metric=metric)
    assert (same.statistic, same.p_value) == (0, 1)
    against = THREE.test("equal", other=0.5, metric=metric)
    side = one.value - (one.low if one.value > 0.5 else one.high)
    assert against.statistic == pytest.approx((one.value - 0.5) / abs(side) * reach)


@pytest.mark.parametrize(("metric", "labels"), [("mcc", "ab"), ("f1", "ab"), ("f1", "abc")])
@pytest.mark.parametrize("weighted", [False, True])
def test_two_matrices_are_compared_as_two_slices_are(metric, labels, weighted):
    rng = np.random.default_rng(8)
    y = rng.choice(list(labels), 240, p=[0.8, 0.2] if labels == "ab" else [0.5, 0.3, 0.2])
    wrong = rng.random(240) < 0.3
    rows = pl.DataFrame(
        {
            "y": y,
            "p": np.where(wrong, rng.permutation(y), y),
            "site": rng.choice(["u", "v"], 240, p=[0.7, 0.3]),
            "w": rng.exponential(size=240) if weighted else np.ones(240),
        }
    )
    given = {"sample_weight": "w"} if weighted else {}
    e = cm.evaluate(rows, "y", "p", by="site", labels=list(labels), pos_label="b", **given)
    slices = e.test_slices(metric, adjust=None).sort("site")
    u, v = (
        cm.confusion_matrix(
            one["y"],
            one["p"],
            labels=list(labels),
            **({"sample_weight": one["w"]} if given else {}),
        )
        for one in (rows.filter(site=site) for site in "uv")
    )
    found = u.test("equal", other=v, metric=metric, pos_label="b")
    assert found.statistic == pytest.approx(slices["statistic"][0])
    assert found.p_value == pytest.approx(slices["p_value"][0])
    assert found.df < 100


def test_a_margin_is_told_by_the_sides_that_face_it():
    one, two = cm.ConfusionMatrix([[90, 10], [3, 17]]), cm.ConfusionMatrix([[170, 30], [6, 34]])
    found = one.test("equivalent", other=two, margin=0.4, metric="mcc")
    sides = [
        one.test("equivalent", other=two, margin=0.4, metric="mcc", claim=claim)
        for claim in ("not less", "not greater")
    ]
    assert found.p_value == max(side.p_value for side in sides)
    a, b = one.ci("mcc"), two.ci("mcc")
    below = math.hypot(a.value - a.low, b.high - b.value) / stats.norm.isf(0.025)
    statistic = (a.value - b.value + 0.4) / below
    assert sides[0].statistic == pytest.approx(statistic)
    assert sides[0].p_value == pytest.approx(stats.t.sf(statistic, sides[0].df))
    assert 19 < sides[0].df < 58


def test_the_sizes_of_tests_of_other_metrics():
    """Where both matrices are of the same law, 5 % of tests reject at 5 %."""
    rng = np.random.default_rng(11)
    law = np.array([0.4, 0.1, 0.15, 0.35])
    draws = rng.multinomial([300, 200], law, size=(1_000, 2)).reshape(-1, 2, 2, 2)
    p = [
        cm.ConfusionMatrix(one).test("equal", other=cm.ConfusionMatrix(two), metric="mcc").p_value
        for one, two in draws
    ]
    assert 0.03 < np.mean(np.array(p) < 0.05) < 0.075


def test_an_end_of_the_range_is_no_certainty():
    perfect = cm.ConfusionMatrix([[50, 0], [0, 50]])
    good = cm.ConfusionMatrix([[48, 2], [1, 49]])
    assert perfect.ci("mcc").se == 0
    found = perfect.test("equal", other=good, metric="mcc")
    assert 0.01 < found.p_value < 1
    assert perfect.test("equal", other=1.0, metric="mcc").p_value == 1
    assert 0 < perfect.test("equal", other=0.5, metric="mcc").p_value < 1e-6


def test_weighted_matrices_are_compared_by_their_effective_rows():
    found = WEIGHTED.test("equal", other=CARET)
    assert found.method == "score"
    right, squares = np.trace(WEIGHTED.counts), WEIGHTED.weights_sq
    n = effective_rows(right, WEIGHTED.n, (np.trace(squares), squares.sum()))[1]
    assert f"of {n:.10g} effective rows" in found.compared
    k, n2 = WEIGHTED.accuracy * n, CARET.n
    table = [[k, n - k], [310, n2 - 310]]
    wanted = stats.chi2_contingency(table, correction=False).pvalue
    assert found.p_value == pytest.approx(wanted)
    with pytest.raises(cm.InputError, match="weighted"):
        cm.ConfusionMatrix([[0.5, 1], [1, 2]]).test("equal", other=CARET)


@pytest.mark.parametrize("metric", ["accuracy", "mcc"])
def test_metrics_are_compared_without_smoothing(metric):
    one, two = THREE.smooth(3.0), OTHER.smooth(5.0)
    wanted = THREE.test("equal", other=OTHER, metric=metric)
    assert one.test("equal", other=two, metric=metric) == wanted
    whole = cm.ConfusionMatrix(THREE.counts.astype(float), list("abc"))
    assert whole.test("equal", other=OTHER, metric=metric) == wanted


def test_an_undefined_metric_has_no_test():
    empty = cm.ConfusionMatrix([[5, 0], [0, 0]])
    for one, two in ((empty, CARET), (CARET, empty)):
        found = one.test("equal", other=two, metric="mcc")
        assert math.isnan(found.p_value)
        assert "undefined" in found.note
    found = cm.ConfusionMatrix([[0, 0], [0, 0]]).test("equal", other=CARET)
    assert math.isnan(found.p_value)


def test_rates_against_a_number():
    found = CARET.test("equal", other=0.7225, alternative="greater")
    z = (0.775 - 0.7225) / math.sqrt(0.7225 * 0.2775 / 400)
    assert found.statistic == pytest.approx(z)
    assert found.p_value == pytest.approx(stats.norm.sf(z))
    # The score test is near the exact one.
    assert found.p_value == pytest.approx(CARET.test("nir").p_value, rel=0.1)


def test_equivalence_of_rates_and_of_other_metrics():
    one, two = (cm.ConfusionMatrix([[900, 100], [wrong, 900]]) for wrong in (100, 110))
    found = one.test("equivalent", other=two, margin=0.05)
    assert (found.name, found.method, found.alternative) == ("equivalence", "score", "equivalent")
    low = one.test("equal", other=two).statistic
    assert found.p_value < 1e-4
    assert one.test("equivalent", other=two, margin=0.001).p_value > 0.5
    assert low > 0
    one_sided = two.test("equivalent", other=one, margin=0.01, claim="not less")
    assert one_sided.alternative == "not less"
    assert "above -0.01" in one_sided.compared
    mcc = one.test("equivalent", other=two, margin=0.05, metric="mcc")
    intervals = one.ci("mcc"), two.ci("mcc")
    wanted = cm.equivalence(
        intervals[0].value - intervals[1].value,
        math.hypot(intervals[0].se, intervals[1].se),
        0.05,
    )
    assert mcc.statistic == pytest.approx(wanted.statistic, rel=0.03)
    assert one.test("equivalent", other=0.9, margin=0.03).p_value < 0.01


@pytest.mark.parametrize("margin", [0.0, -0.1, "x", (0.1, 0.0)])
def test_margins(margin):
    with pytest.raises(cm.InputError, match="margin"):
        CARET.test("equivalent", other=CARET, margin=margin)
