"""patch() puts ours in place of scikit-learn's in modules and scorers; unpatch() puts it back."""

import pickle
import sys
import types

import numpy as np
import pytest
import sklearn
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import confmat as cm
import confmat.sklearn
from confmat.sklearn import patching

HELD = [metrics.accuracy_score]  # a plain name here would be replaced, too


@pytest.fixture(autouse=True)
def _unpatched(monkeypatch):
    """Stand for the module of a user, with a name imported before."""
    module = types.ModuleType("of_a_user")
    module.measure = HELD[0]
    module.data = {"kept": HELD[0]}
    monkeypatch.setitem(sys.modules, "of_a_user", module)
    yield
    confmat.sklearn.unpatch()


def test_every_function_is_replaced_and_put_back():
    originals = dict(patching.REPLACED)
    held = {original: original.__name__ for original in originals}
    confmat.sklearn.patch()
    for original, name in held.items():
        module = sys.modules[original.__module__]
        assert getattr(module, name) is originals[original]
    assert metrics.accuracy_score is confmat.sklearn.accuracy_score
    confmat.sklearn.unpatch()
    for original, name in held.items():
        assert getattr(sys.modules[original.__module__], name) is original
    assert metrics.accuracy_score is HELD[0]


def test_names_imported_before_are_replaced():
    confmat.sklearn.patch()
    assert sys.modules["of_a_user"].measure is confmat.sklearn.accuracy_score
    assert sys.modules["of_a_user"].data["kept"] is HELD[0]  # as the docstring says
    confmat.sklearn.unpatch()
    assert sys.modules["of_a_user"].measure is HELD[0]


def test_a_name_imported_from_confmat_stays():
    confmat.sklearn.patch()
    sys.modules["of_a_user"].own = confmat.sklearn.accuracy_score
    confmat.sklearn.unpatch()
    assert sys.modules["of_a_user"].own is confmat.sklearn.accuracy_score
    assert confmat.sklearn.accuracy_score is not HELD[0]


def test_patching_twice_is_patching_once():
    confmat.sklearn.patch()
    confmat.sklearn.patch()
    confmat.sklearn.unpatch()
    assert metrics.accuracy_score is HELD[0]
    confmat.sklearn.unpatch()
    assert metrics.accuracy_score is HELD[0]


def test_scorers_and_estimators_call_ours():
    calls = []
    ours = confmat.sklearn.accuracy_score

    def counting(*args, **kwargs):
        calls.append(args)
        return ours(*args, **kwargs)

    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 2))
    y = np.where(x[:, 0] > 0, "yes", "no")
    names = ["accuracy", "f1_macro", "balanced_accuracy"]
    expected = cross_validate(LogisticRegression(), x, y, scoring=names, cv=3)
    patching.REPLACED[HELD[0]] = counting
    try:
        confmat.sklearn.patch()
        found = cross_validate(LogisticRegression(), x, y, scoring=names, cv=3)
        assert len(calls) == 3
        LogisticRegression().fit(x, y).score(x, y)
        assert len(calls) == 4
        confmat.sklearn.unpatch()
    finally:
        patching.REPLACED[HELD[0]] = ours
    assert metrics.get_scorer("accuracy")._score_func is HELD[0]
    for name in names:
        np.testing.assert_allclose(found[f"test_{name}"], expected[f"test_{name}"], rtol=1e-12)


def test_it_says_what_is_replaced(capsys):
    confmat.sklearn.patch()
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert f"{len(patching.REPLACED)} functions of scikit-learn {sklearn.__version__}" in said
    assert all(original.__name__ in said for original in patching.REPLACED)


@pytest.mark.parametrize("version", ["1.8.2", "1.10.0", "2.0.dev0"])
def test_other_releases_are_refused_unless_forced(monkeypatch, version):
    monkeypatch.setattr(sklearn, "__version__", version)
    with pytest.raises(cm.ConfmatError, match=rf"1\.9, and this is {version}; patch\(force=True\)"):
        confmat.sklearn.patch()
    assert metrics.accuracy_score is HELD[0]
    confmat.sklearn.patch(force=True)
    assert metrics.accuracy_score is confmat.sklearn.accuracy_score


def test_what_patched_functions_are_pickles():
    confmat.sklearn.patch()
    assert pickle.loads(pickle.dumps(metrics.accuracy_score)) is confmat.sklearn.accuracy_score


def test_names_are_those_of_the_modules():
    assert len(set(confmat.sklearn.__all__)) == len(confmat.sklearn.__all__)
    assert all(hasattr(confmat.sklearn, name) for name in confmat.sklearn.__all__)
    assert {original.__name__ for original in patching.REPLACED} <= set(confmat.sklearn.__all__)
