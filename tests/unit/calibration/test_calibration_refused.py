"""Calibrations that are refused: scores, options and counts; and SciPy that is missing."""

import math
import sys

import pytest

import confmat as cm

SMALL = ([0.0, 0.1, 0.10000000000000002, 0.5, 1.0], [1, 2, 3, 0, 4], [5, 0, 1, 2, 1])


def test_without_scipy_isotonic_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    c = cm.Calibration(*SMALL)
    assert c.ece > 0
    assert len(c.overall()) == 13
    with pytest.raises(cm.ConfmatError, match=r"SciPy 1\.12.*confmat\[stats\]"):
        _ = c.corp
    with pytest.raises(cm.ConfmatError, match="SciPy"):
        cm.Calibration(*SMALL, strategy="isotonic")


@pytest.mark.parametrize(
    ("scores", "found"),
    [([0.5, 1.5], "1.5"), ([-0.25, 0.5], "-0.25"), ([0.5, math.inf], "inf")],
)
def test_scores_that_are_no_probabilities(scores, found):
    with pytest.raises(cm.InputError, match=f"`y_score` holds {found}; .* from 0 to 1"):
        cm.Calibration(scores, [1, 1], [1, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "`bins` is 0; wanted at least 1"),
        ({"bins": True}, "`bins` is True"),
        ({"bins": 2.5}, "`bins` is 2.5; wanted a number of bins or at least two edges"),
        ({"bins": "10"}, "`bins` is '10'"),
        ({"bins": [0.5]}, "at least two edges"),
        ({"bins": ["a", "b"]}, "at least two edges"),
        ({"bins": [0, 0.5, 0.5, 1]}, "`bins` holds 0.5 and then 0.5 at position 2; .* increasing"),
        ({"bins": [0, math.nan, 1]}, "`bins` holds nan at position 1; wanted finite"),
        ({"bins": [0, math.inf]}, "`bins` holds inf at position 1"),
        ({"bins": [0.1, 1]}, "goes from 0.1 to 1.0; wanted edges from 0 to 1"),
        ({"bins": [0, 1], "strategy": "quantile"}, "`strategy` is 'quantile'; wanted one of the"),
        ({"strategy": "kmeans"}, "'kmeans'; wanted one of 'uniform', 'quantile', 'isotonic'"),
        ({"strategy": [0, 1]}, "edges go to `bins`"),
        ({"clip": 0.5}, "`clip` is 0.5"),
        ({"clip": True}, "`clip` is True"),
        ({"n_effective": True}, "`n_effective` is True"),
        ({"n_effective": 0}, "`n_effective` is 0"),
        ({"n_effective": math.inf}, "`n_effective` is inf"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(cm.InputError, match=message):
        cm.Calibration(*SMALL, **options)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([0.1, 0.2], [1], [1, 1]), r"shapes \(2,\), \(1,\) and \(2,\)"),
        (([[0.1]], [[1]], [[1]]), "shapes"),
        (([0.1, 0.1], [1, 1], [1, 1]), r"`scores` holds \[0.1, 0.1\] side by side"),
        (([0.1, 0.3, 0.2], [1, 1, 1], [1, 1, 1]), r"`scores` holds \[0.3, 0.2\]"),
        (([0.5, math.nan], [1, 1], [1, 1]), "`scores` holds nan at position 1"),
        (([math.nan], [1], [1]), "`scores` holds nan at position 0"),
        (([0.1, 0.2], [1, -1], [1, 1]), "`positives` holds -1.0"),
        (([0.1, 0.2], [1, 1], [math.nan, 1]), "`negatives` holds nan"),
    ],
)
def test_bad_counts(arrays, message):
    with pytest.raises(cm.InputError, match=message):
        cm.Calibration(*arrays)


def test_unknown_names():
    c = cm.Calibration(*SMALL)
    for call in (c.reason, c.value, c.n_used):
        with pytest.raises(cm.InputError, match="'sharpness'; wanted one of ece"):
            call("sharpness")
        with pytest.raises(cm.InputError, match="'slop'; did you mean slope"):
            call("slop")
    with pytest.raises(cm.InputError, match="`ece` has no parameter `bins`; it takes none"):
        c.value("ece", bins=3)


@pytest.mark.parametrize(("positives", "negatives"), [([1e-200, 0], [1, 1]), ([1, 1], [1e200, 1])])
def test_sums_that_no_number_can_be_computed_from(positives, negatives):
    with pytest.raises(cm.InputError, match=r"`(positives|negatives)` add up to 1e"):
        cm.Calibration([0.2, 0.7], positives, negatives)
