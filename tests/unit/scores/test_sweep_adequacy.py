"""Whether there are rows enough for the area under the ROC curve."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat.intervals.area_sizes import area_interval, hanley_mcneil, positives_for_auc

RNG = np.random.default_rng(12)
Y = RNG.random(1_000) < 0.1
S = cm.sweep(Y, RNG.normal(Y * 1.2, 1))


def of(sweep, **asked):
    return sweep.adequacy(**asked).row(0, named=True)


def test_numbers_are_those_of_the_area_and_its_rows():
    found = of(S, width=0.05, level=0.9)
    n1, n0 = S.n_positive, S.n_negative
    assert (found["n_positive"], found["n_negative"]) == (n1, n0)
    assert found["value"] == S.roc_auc
    assert (found["low"], found["high"]) == area_interval(S.roc_auc, n1, n0, 0.9)
    assert found["se"] == hanley_mcneil(S.roc_auc, n1, n0)
    needed = positives_for_auc(0.05, S.roc_auc, n1 / 1_000, 0.9)
    assert found["positives_for_width"] == needed
    assert found["rows_for_width"] == math.ceil(needed * 1_000 / n1)
    assert "not enough" in found["verdict"]
    assert f"needs {needed:,} positives" in found["verdict"]
    assert found["is_enough"] is False
    enough = of(S, width=0.3)
    assert enough["is_enough"] is True
    assert enough["verdict"].startswith("roc_auc: enough, ")


def test_another_share_needs_other_rows():
    found = of(S, width=0.05, prevalence=1e-5)
    needed = positives_for_auc(0.05, S.roc_auc, 1e-5)
    assert found["rows_for_width"] == pytest.approx(needed * 1e5)
    assert "rows at a share of positives of 1e-05" in found["verdict"]


def test_without_positives_it_says_so():
    watch = cm.sweep(np.zeros(100, int), np.linspace(0, 1, 100))
    found = of(watch, prevalence=1e-5)
    assert found["value"] is None
    assert found["low"] is None
    assert found["verdict"] == (
        "roc_auc cannot be estimated: none of the 100 rows is of 1; a width of 0.1 needs "
        f"{found['positives_for_width']:,} positives, about {found['rows_for_width']:,} rows at a "
        "share of positives of 1e-05, if the area is 0.75"
    )
    assert of(watch)["positives_for_width"] is None
    assert "none of the 0 rows" in of(cm.sweep([], []))["verdict"]


def test_weights_say_so():
    y, scores = [0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]
    found = of(cm.sweep(y, scores, sample_weight=[0.5, 1.0, 2.0, 1.0]))
    wanted = cm.sweep(y, scores, sample_weight=[0.5, 1.0, 2.0, 1.0]).ci(
        "roc_auc", method="newcombe"
    )
    assert (found["low"], found["high"]) == pytest.approx(wanted[1:3], rel=1e-6)
    assert "of the weight of 1.8 positives and 1.8 negatives" in found["verdict"]
    rare = S.at_prevalence(0.01)
    assert [of(rare)[end] for end in ("low", "high")] == pytest.approx(
        [of(S)[end] for end in ("low", "high")]
    )
    none = of(cm.Sweep.from_bytes(rare.to_bytes()))
    assert none["low"] is None
    assert "squared weights" in none["verdict"]


def test_a_perfect_area_has_width():
    found = of(cm.sweep([0] * 10 + [1] * 10, np.arange(20)))
    assert found["value"] == 1
    assert found["low"] == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"level": 1}, "`level` is 1"),
        ({"width": 0}, "`width` is 0"),
        ({"prevalence": 0}, "`prevalence` is 0"),
        ({"prevalence": {1: 0.5}}, "`prevalence` is"),
    ],
)
def test_what_cannot_be_is_refused(asked, said):
    with pytest.raises(cm.InputError, match=said):
        S.adequacy(**asked)
