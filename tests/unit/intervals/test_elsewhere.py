"""What tables call `ci`, and rows in clusters, asked of the intervals of objects."""

from fractions import Fraction

import numpy as np
import pytest

import confmat as cm

OBJECTS = {
    "matrix": (cm.ConfusionMatrix([[5, 1], [1, 5]]), "mcc"),
    "sweep": (cm.sweep([0, 1, 1, 0], [0.1, 0.8, 0.3, 0.4]), "roc_auc"),
    "classes": (cm.multiclass_sweep([0, 1, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), "roc_auc"),
    "sets": (cm.multilabel([["a"], ["b"]], [["a"], ["a"]]), "f1_micro"),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_advice_works_where_it_is_given(kind):
    found, name = OBJECTS[kind]
    with pytest.raises(cm.InputError, match=r"here the level is `level`: level=0.9$"):
        found.ci(name, ci=0.9)
    assert found.ci(name, level=0.9).value == found.ci(name).value
    with pytest.raises(cm.InputError, match=r"cm.evaluate\(..., cluster=, ci=\)"):
        found.ci(name, cluster="user")


def test_smoothed_tables_of_very_many_rows_keep_their_digits():
    lows = [cm.ConfusionMatrix([[n, 0], [1, 3]]).ci("adjusted_rand").low for n in (10**9, 10**16)]
    assert lows[1] == pytest.approx(lows[0], abs=1e-3)


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("side", ["both", "lower"])
def test_levels_are_numbers_of_any_type(kind, side):
    found, name = OBJECTS[kind]
    for level in (np.float32(0.75), np.float64(0.75), Fraction(3, 4)):
        assert str(found.ci(name, level=level, side=side)) == str(
            found.ci(name, level=0.75, side=side)
        )
    for bad in (np.float32(1.5), np.float32("nan"), np.bool_(True), "0.75", 10**400):
        with pytest.raises(cm.InputError, match="`level` is"):
            found.ci(name, level=bad, side=side)


SWEEP = cm.sweep([0, 1, 1, 0], [0.1, 0.8, 0.3, 0.4])
OF_CLASSES = OBJECTS["classes"][0]
TABLES = {
    "overall": SWEEP.overall,
    "roc_curve": SWEEP.roc_curve,
    "pr_curve": SWEEP.pr_curve,
    "det_curve": SWEEP.det_curve,
    "operating_points": SWEEP.operating_points,
    "threshold_for": lambda ci: SWEEP.threshold_for(recall=0.9, ci=ci),
    "plot.roc": lambda ci: SWEEP.plot.roc(ci=ci),
    "plot.pr": lambda ci: SWEEP.plot.pr(ci=ci),
    "overall of classes": OF_CLASSES.overall,
    "per_class": OF_CLASSES.per_class,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_wrong_ci_is_called_so(name):
    for bad in (0, 1.5, "x", True):
        with pytest.raises(cm.InputError, match="`ci` is"):
            TABLES[name](ci=bad)
