"""The examples in the documentation of every module give what they show."""

import doctest
import importlib
import pkgutil

import pytest

import confmat
from confmat.frames.expr_metrics import ExprMetrics, NumberExprMetrics, ScoreExprMetrics

NOT_HERE: list[str] = []  # packages that need what is not installed
FOUND = [
    found.name for found in pkgutil.walk_packages(confmat.__path__, "confmat.", NOT_HERE.append)
]
MODULES = ["confmat", *(name for name in FOUND if name not in NOT_HERE)]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def finder_of(module):
    """Return the examples of a module; namespace classes that Polars wraps are found too."""
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("_core")])
def test_examples(name, capsys):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in finder_of(importlib.import_module(name)):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0, capsys.readouterr().out


FUNCTIONS = {name: getattr(confmat.functions, name) for name in confmat.functions.__all__}
METHODS = {
    f"{owner.__name__}.{name}": getattr(owner, name)
    for owner in (ExprMetrics, ScoreExprMetrics, NumberExprMetrics)
    for name in vars(owner)
    if not name.startswith("_")
}


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_examples_of_what_is_made_at_run_time(name, capsys):
    made = FUNCTIONS.get(name) or METHODS[name]
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in doctest.DocTestFinder().find(made, name, globs={}):
        runner.run(test)
    done = runner.summarize(verbose=False)
    assert done.attempted > 3, name
    assert done.failed == 0, capsys.readouterr().out


def test_what_is_left_out_needs_another_library():
    assert set(NOT_HERE) <= {"confmat.sklearn"}
    for name in NOT_HERE:
        with pytest.raises(confmat.ConfmatError, match="needs scikit-learn"):
            importlib.import_module(name)


def test_examples_are_found():
    found = {name: len(finder_of(importlib.import_module(name))) for name in MODULES}
    assert found["confmat.matrices.views"] > 3
    assert found["confmat.frames.expressions"] > 1
    assert sum(found.values()) > 20


def test_every_public_function_has_an_example():
    finder = doctest.DocTestFinder(exclude_empty=False)
    without = [
        name
        for name in confmat.__all__
        if callable(getattr(confmat, name))
        and not isinstance(getattr(confmat, name), type)
        and not any(test.examples for test in finder.find(getattr(confmat, name), name))
    ]
    assert without == []
