"""Options of metrics: each field of the record is the one that the core reads."""

import numpy as np
import pytest

from confmat import _core
from confmat.options import Options

# The second class has no rows, and nothing is predicted as the third.
TABLE = np.array([[6, 0, 0], [0, 0, 0], [2, 0, 0]])
EFFECTS = [
    ("recall", {"pos": 2}, 0.0),
    ("precision_macro", {}, 0.75),
    ("precision_macro", {"undefined": 0.25}, 1.25 / 3),
    ("precision_macro", {"undefined": 0.25, "implied": True}, 0.5),
    ("accuracy", {"smoothing": 1.0}, 9 / 17),
    ("specificity_macro", {}, 0.5),
    ("specificity_macro", {"keep_empty": True}, 2 / 3),
    ("recall_macro", {"classes": [2]}, 0.0),
]


def value(name, *options):
    return _core.Asks([name]).values(TABLE, ["0", "1", "2"], *options)[0]


@pytest.mark.parametrize(("name", "given", "wanted"), EFFECTS)
def test_each_field_has_its_effect(name, given, wanted):
    assert value(name, Options(**given)) == pytest.approx(wanted, abs=1e-15)


def test_what_a_record_lacks_is_as_usual():
    assert value("precision_macro", (-1, 0.25)) == value("precision_macro", Options(undefined=0.25))
    assert value("accuracy", ()) == value("accuracy", Options()) == value("accuracy")


@pytest.mark.parametrize("wrong", [(*Options(), 0), {}, [], None, (-1, "x"), (0.5,)], ids=repr)
def test_what_is_no_record_is_refused(wrong):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        value("accuracy", wrong)
