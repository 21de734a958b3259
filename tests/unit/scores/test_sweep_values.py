"""Numbers of a sweep: exact fractions, laws of ranks, partial areas, degenerate rows, printing."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.scores import score_names, summary

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
RANKS = ("roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer")
PROBABILITIES = (
    "brier",
    "brier_skill",
    "log_loss",
    "d2_log_loss",
    "ece",
    "mce",
    "rms_ce",
    "smooth_ece",
)
rows = st.lists(st.tuples(st.integers(0, 1), st.integers(-5, 5)), min_size=1, max_size=40)


def pairs(y, scores):
    """Return the share of pairs in the right order as a fraction, ties counting half."""
    above = [s for label, s in zip(y, scores, strict=True) if label]
    below = [s for label, s in zip(y, scores, strict=True) if not label]
    halves = sum((a > b) + (a >= b) for a in above for b in below)
    return Fraction(halves, 2 * len(above) * len(below))


@given(rows)
def test_area_as_a_fraction(rows):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores)
    if len(set(y)) < 2:
        with pytest.raises(cm.InputError, match="rows of both classes"):
            _ = s.roc_auc_fraction
        return
    assert s.roc_auc_fraction == pairs(y, scores)
    assert s.roc_auc == float(s.roc_auc_fraction)
    # Exchanged classes, and scores the other way round, take the rest of the area.
    flipped = cm.sweep([1 - label for label in y], scores)
    assert s.roc_auc_fraction + flipped.roc_auc_fraction == 1


def test_fraction_needs_counts():
    with pytest.raises(cm.InputError, match="needs counts"):
        _ = cm.sweep(Y, SCORES, sample_weight=[1.5] * 4).roc_auc_fraction
    repeated = cm.sweep(Y, SCORES, sample_weight=[3, 1, 2, 5])
    assert repeated.roc_auc_fraction == Fraction(5 * 4 + 2 * 3, 7 * 4)


@given(rows)
def test_strictly_increasing_maps_leave_ranks_alone(rows):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores)
    for scale in (lambda x: x**3, math.exp, lambda x: 1e300 * x, math.atan):
        mapped = cm.sweep(y, [float(scale(x)) for x in scores])
        for name in RANKS:
            one, two = s.value(name), mapped.value(name)
            assert one == two or (math.isnan(one) and math.isnan(two)), name
        assert mapped.tp.tolist() == s.tp.tolist()
        best, also = s.best("f1"), mapped.best("f1")
        assert best.value == also.value or math.isnan(best.value)
        assert math.isnan(best.threshold) or s.at(best.threshold) == mapped.at(also.threshold)


@given(rows, st.floats(0.01, 1))
def test_partial_areas_add_up(rows, part):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores)
    area = s.value("partial_auc", max_fpr=part, standardize=False)
    if len(set(y)) < 2:
        assert math.isnan(area)
        assert math.isnan(s.value("partial_auc", min_tpr=1 - part))
        return
    assert 0 <= area <= part + 1e-12
    whole = s.value("partial_auc", max_fpr=1.0, standardize=False)
    assert math.isclose(whole, s.roc_auc, abs_tol=1e-12)
    # What is left of the area lies over the other false positive rates.
    curve = s.roc_curve()
    tpr = np.interp(part, curve["fpr"], curve["tpr"])
    assert area + (1 - part) * tpr <= whole + 1e-9
    assert whole <= area + 1 - part + 1e-9
    perfect = cm.sweep([0, 1], [0.1, 0.9])
    assert math.isclose(perfect.value("partial_auc", max_fpr=part), 1.0)
    assert math.isclose(cm.sweep([0, 1], [0.5, 0.5]).value("partial_auc", max_fpr=part), 0.5)
    assert math.isclose(cm.sweep([0, 1], [0.5, 0.5]).value("partial_auc", min_tpr=1 - part), 0.5)


def test_partial_areas_of_no_rows():
    empty = cm.sweep([], [])
    assert math.isnan(empty.value("partial_auc", max_fpr=0.5))
    assert math.isnan(empty.value("partial_auc", min_tpr=0.5))


def test_partial_areas_by_hand():
    # ROC: (0, 0), (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1).
    s = cm.sweep(Y, SCORES)
    assert s.value("partial_auc", max_fpr=0.25, standardize=False) == 0.125
    assert s.value("partial_auc", max_fpr=0.75, standardize=False) == 0.5
    assert s.value("partial_auc", min_tpr=0.75, standardize=False) == 0.125
    assert s.value("partial_auc", min_tpr=0.25, standardize=False) == 0.5
    assert s.value("partial_auc", max_fpr=0.25) == 0.5 * (1 + (0.125 - 0.03125) / (0.25 - 0.03125))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "needs one of `max_fpr` and `min_tpr`"),
        ({"max_fpr": 0.1, "min_tpr": 0.9}, "needs one of"),
        ({"max_fpr": 0}, r"`max_fpr` is 0; wanted a number in \(0, 1\]"),
        ({"max_fpr": 1.5}, "`max_fpr` is 1.5"),
        ({"max_fpr": math.nan}, "`max_fpr` is nan"),
        ({"max_fpr": "a"}, "`max_fpr` is 'a'; wanted a number"),
        ({"min_tpr": 1.0}, r"`min_tpr` is 1.0; wanted a number in \[0, 1\)"),
        ({"min_tpr": -0.1}, "`min_tpr` is -0.1"),
    ],
)
def test_bad_partial_areas(options, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES).value("partial_auc", **options)


def test_names_lead_to_the_same_number():
    s = cm.sweep(Y, SCORES)
    for name in score_names.names():
        value = s.value(name)
        assert s[name] == value
        assert getattr(s, name) == value
    assert s.ece == s.value("ece", bins=10) == s["ece"] == s["ece(10)"]
    assert s.ece != s.value("ece", bins=2) == s["ece(2)"]
    assert s.value("mce", bins=3) == s["mce(3)"]
    assert s.value("rms_ce", bins=3) == s["rms_ce(3)"]
    assert "roc_auc" in dir(s)
    assert s.gini == 2 * s.roc_auc - 1


def test_unknown_names():
    s = cm.sweep(Y, SCORES)
    with pytest.raises(cm.InputError, match="nope"):
        s.value("nope")
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = s.nope
    with pytest.raises(TypeError, match="index with the name"):
        s[0]
    for call in (s.value, s.reason, s.bounds):
        with pytest.raises(cm.InputError, match="`name` is int"):
            call(3)
    for bins in (0, -1, 2.5, True):
        with pytest.raises(cm.InputError, match="`bins` is"):
            s.value("ece", bins=bins)
    for call in (s.value, s.reason, s.bounds):
        with pytest.raises(cm.InputError, match="`ks` has no parameter `bins`; it takes none"):
            call("ks", bins=3)
        with pytest.raises(cm.InputError, match="`ece` has no parameter `max_fpr`; it takes bins"):
            call("ece", max_fpr=0.1)
        with pytest.raises(cm.InputError, match="`partial_auc` has no parameter `bins`"):
            call("partial_auc", bins=3)
    with pytest.raises(cm.InputError, match="in its name and as an argument"):
        s.value("ece(5)", bins=5)


def test_overall():
    s = cm.sweep(Y, SCORES)
    frame = s.overall()
    assert frame.columns == ["metric", "value", "reason"]
    assert frame["metric"].to_list() == list(score_names.names())
    assert frame["value"].to_list() == [s[name] for name in frame["metric"]]
    assert s.overall("ks").rows() == [("ks", 0.5, None)]


@pytest.mark.parametrize("bins", [None, [-9.0, -3.0, 0.0, 2.0, 9.0]])
def test_scores_that_are_no_probabilities(bins):
    s = cm.sweep(Y, [-5, 1, 2, 8], bins=bins)
    frame = s.overall()
    outside = frame.filter(frame["metric"].is_in(PROBABILITIES))
    assert outside["value"].null_count() == len(PROBABILITIES)
    assert outside["reason"].str.contains(r"outside \[0, 1\]").all()
    assert frame["value"].null_count() == len(PROBABILITIES)
    with pytest.raises(cm.InputError, match="y_score"):
        s.value("brier")
    with pytest.raises(cm.InputError, match="brier"):
        _ = s.brier
    assert "not defined" in str(s)


DEGENERATE = {
    "empty": ([], [], {"roc_auc", "average_precision", "ks", "brier", "log_loss", "ece"}),
    "one row": ([1], [0.3], {"roc_auc", "ks", "brier_skill"}),
    "no positives": ([0, 0], [0.1, 0.2], {"roc_auc", "average_precision", "ks", "eer"}),
    "no negatives": ([1, 1], [0.1, 0.2], {"roc_auc", "ks", "eer"}),
    "all tied": ([0, 1, 1], [0.5] * 3, set()),
}


@pytest.mark.parametrize(("y", "scores", "undefined"), DEGENERATE.values(), ids=DEGENERATE)
@pytest.mark.parametrize("bins", [None, 64, [0.0, 0.25, 1.0]])
def test_degenerate_rows_are_nan_with_a_reason(y, scores, undefined, bins):
    s = cm.sweep(np.array(y, dtype=np.int64), np.array(scores, dtype=np.float64), bins=bins)
    for name in RANKS + PROBABILITIES:
        value, reason = s.value(name), s.reason(name)
        assert math.isnan(value) == (reason is not None), name
        if name in undefined:
            assert math.isnan(value), name
    row = s.overall().filter(metric="roc_auc").row(0)
    assert row[1] is None or not undefined
    assert str(s)
    assert s._repr_html_()
    assert len(str(s).splitlines()) < 24
    if not y or len(set(y)) == 1:
        assert math.isnan(s.ks_threshold)
        assert all(map(math.isnan, s.roc_auc_bounds))


def test_ks_threshold():
    rng = np.random.default_rng(4)
    y, scores = rng.integers(0, 2, 300), rng.random(300).round(1)
    s = cm.sweep(y, scores)
    m = s.at(s.ks_threshold)
    assert math.isclose(abs(m.recall - m.fpr), s.ks)
    above = [s.at(t) for t in s.scores if t > s.ks_threshold]
    assert all(abs(m.recall - m.fpr) < s.ks for m in above)


def test_clipped_rows():
    s = cm.sweep([0, 1, 1, 0], [0.0, 1e-17, 1.0, 0.5])
    assert s.n_clipped == 3
    assert type(s.n_clipped) is int
    float32 = np.array([1e-8, 0.5, 1.0], dtype=np.float32)
    assert cm.sweep([0, 1, 1], float32).n_clipped == 2
    assert cm.sweep([0, 1], [0.0, 0.5], sample_weight=[2.5, 1.0]).n_clipped == 2.5
    assert math.isfinite(cm.sweep([1, 0], [0.0, 1.0]).log_loss)


def test_print():
    s = cm.sweep(["<b>", None, "ok"], [0.2, 0.3, 0.9], pos_label="<b>")
    text = str(s)
    assert "positive <b> (1), negative ok (1); 1 dropped: null" in text
    assert "roc_auc            0.0000" in text
    assert "informedness" in text
    assert max(map(len, text.splitlines())) <= 100
    page = s._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert repr(s) == "<Sweep of 2 scores, n=2, positive <b> (1), negative ok (1), n_dropped=1>"
    binned = cm.sweep([0, 1, 1], [0.1, 0.2, 0.9], bins=[0.0, 0.5, 1.0])
    assert "in [0.5000, 1.0000]" in str(binned)
    assert repr(binned).startswith("<BinnedSweep of 2 bins, n=3")


def test_a_control_character_in_a_label_stays_harmless():
    s = cm.sweep(["a\x1b[31m", "b"], [0.2, 0.9], pos_label="b")
    assert "\x1b" not in str(s) + repr(s) + s._repr_html_()


def test_no_probabilities_one_rule():
    s = cm.sweep([0, 1, 1, 0], [0.1, 0.4, 3.0, 0.2])
    for name in (*PROBABILITIES, "ece(5)"):
        assert s.reason(name) == "the score 3.0 is outside [0, 1]"
        with pytest.raises(cm.InputError, match="`y_score` holds 3"):
            s.value(name)
    assert s.reason("roc_auc") is None
    assert s.overall(["brier"]).rows() == [("brier", None, s.reason("brier"))]
    with pytest.raises(cm.InputError, match="`y_score` holds 3"):
        _ = s.brier
    assert not hasattr(s, "brier")
    assert hasattr(s, "roc_auc")
    with pytest.raises(cm.InputError, match="unknown metric of scores"):
        s.reason("breer")


@pytest.mark.parametrize("bins", [None, 64])
@pytest.mark.parametrize("rows", [([0, 1, 1], [3.0, 4.0, -1.0]), ([1, 1], [0.2, 7.0])])
def test_tools_survive_attributes_that_the_scores_do_not_have(rows, bins):
    s = cm.sweep(*rows, bins=bins)
    seen = dict(inspect.getmembers(s))
    assert "ks_bounds" in seen
    for name in ("brier", "brier_bounds", "log_loss_bounds"):
        assert name not in seen
        assert not hasattr(s, name)
        with pytest.raises(cm.InputError, match="needs probabilities"):
            getattr(s, name)
    one_class = len(rows[0]) == 2
    assert hasattr(s, "roc_auc_fraction") != one_class
    with pytest.raises(AttributeError, match="Sweep has no attribute 'breer'; did you mean brier"):
        _ = s.breer


def test_bins_that_reach_outside_are_named_as_bins():
    s = cm.sweep([0, 1, 1, 0], [0.1, 0.4, 3.0, 0.2], bins=[0.0, 0.3, 2.0, 512.0])
    for refused in (
        lambda: s.brier,
        lambda: s.value("ece(5)"),
        lambda: s.bounds("brier"),
        s.calibration,
        s.decision_curve,
    ):
        with pytest.raises(cm.InputError, match=r"the bin \[2.0, 512.0\) is outside \[0, 1\]"):
            refused()
    assert s.reason("brier") == "the bin [2.0, 512.0) is outside [0, 1]"


def test_help_says_that_value_takes_parameters():
    assert 's.value("ece", bins=15)' in cm.Sweep.__doc__


@pytest.mark.parametrize("bins", [None, "unit"])
def test_the_screen_has_the_interval_of_the_area(bins):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    s = cm.sweep(y, 0.3 * y + 0.7 * rng.random(200), bins=bins)
    value, low, high, *_ = s.ci("roc_auc")
    line = str(s).splitlines()[2]
    assert line.startswith(f"roc_auc            {value:.4f}  ")
    assert line.endswith(f"  95% interval [{low:.4f}, {high:.4f}] (DeLong)")
    assert f"[{low:.4f}, {high:.4f}]" in s._repr_html_()
    for name in ("brier", "brier_skill", "log_loss"):
        value, low, high, *_ = s.ci(name)
        words = f"{name:<18} {value:.4f}  95% interval [{low:.4f}, {high:.4f}]"
        assert words in str(s).splitlines()
    assert "95%" not in summary.text(s, rows_are_independent=False)


def test_the_interval_of_the_brier_score_is_that_of_a_mean():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 2_000)
    p = 0.3 * y + 0.7 * rng.random(2_000)
    losses = (p - y) ** 2
    (line,) = [line for line in str(cm.sweep(y, p)).splitlines() if line.startswith("brier ")]
    low, high = map(float, line.split("[")[1].rstrip("]").split(", "))
    off = 1.96 * losses.std() / math.sqrt(len(losses))
    assert [low, high] == pytest.approx([losses.mean() - off, losses.mean() + off], abs=5e-4)


def test_the_screen_has_no_interval_where_there_is_none():
    one_class = str(cm.sweep([1, 1], [0.2, 0.3])).splitlines()
    assert {"brier", "log_loss"} == {row.split()[0] for row in one_class if "95%" in row}
    of_half = cm.sweep([0, 1] * 50, np.linspace(0, 1, 100)).at_prevalence(0.1)
    assert ("95%" in str(of_half)) == (not np.isnan(of_half.ci("roc_auc").low))


@pytest.mark.parametrize("bins", [None, 64])
@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("f1", "at(t).f1"),
        ("f1_score", "at(t).f1"),
        ("matthews_corrcoef", "at(t).mcc"),
        ("recall_macro", "at(t).recall_macro"),
        ("f1_min", "at(t).f1_min"),
        ("counts", "at(t).counts"),
        ("confusion_matrix", "at(t)"),
    ],
)
def test_what_a_matrix_has_is_said_to_be_at_a_threshold(name, meant, bins):
    s = cm.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6], bins=bins)
    with pytest.raises(AttributeError) as caught:
        getattr(s, name)
    assert f"`{meant}`" in str(caught.value)
    assert "did you mean" not in str(caught.value)
    found = s
    for part in meant.split("."):
        found = found.at(0.5, nearest=True) if part == "at(t)" else getattr(found, part)
    assert found is not None
