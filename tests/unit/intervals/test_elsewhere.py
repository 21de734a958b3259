"""What tables call `ci`, and rows in clusters, asked of the intervals of objects."""

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
