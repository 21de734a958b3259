"""Functions and methods that are made at run time are like those that a file would hold."""

import ast
import inspect
import pickle
import pydoc
import re
import subprocess
import sys
import threading
import typing
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat import functions, registry
from confmat.frames.expr_metrics import ExprMetrics, NumberExprMetrics, ScoreExprMetrics
from confmat.frames.namespaces import ExprNamespace

PACKAGE = Path(cm.__file__).parent
METHODS = [
    (owner, name)
    for owner in (ExprMetrics, ScoreExprMetrics, NumberExprMetrics)
    for name in vars(owner)
    if not name.startswith("_")
]
SECTIONS = ("Parameters", "Returns", "Raises", "Warns", "See Also", "Notes", "Examples")


def declared(stub):
    """Return the last declaration of each name in a stub, by class and name."""
    tree = ast.parse((PACKAGE / stub).read_text("utf-8"))
    classes = [("", tree), *((c.name, c) for c in tree.body if isinstance(c, ast.ClassDef))]
    return {
        (owner, one.name): one
        for owner, body in classes
        for one in body.body
        if isinstance(one, ast.FunctionDef)
    }


def parameters_of(declaration):
    """Return names, kinds, annotations and defaults, as `inspect` has them."""
    given = declaration.args
    plain = [None] * (len(given.args) - len(given.defaults)) + given.defaults
    of = inspect.Parameter.POSITIONAL_OR_KEYWORD
    pairs = [(*pair, of) for pair in zip(given.args, plain, strict=True)]
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        pairs.append((one, default, inspect.Parameter.KEYWORD_ONLY))
    return [
        inspect.Parameter(
            one.arg,
            kind,
            default=inspect.Parameter.empty if default is None else ast.literal_eval(default),
            annotation=ast.unparse(one.annotation) if one.annotation else inspect.Parameter.empty,
        )
        for one, default, kind in pairs
    ]


def at_run_time(function):
    """Return the parameters as the overload without an array has them."""
    return [
        one.replace(annotation=one.annotation.removesuffix(" | None"))
        if one.name == "average"
        else one
        for one in inspect.signature(function).parameters.values()
    ]


def test_stubs_declare_the_signatures_of_run_time():
    stub = declared("functions.pyi")
    assert {name for _, name in stub} == set(functions.__all__)
    for (_, name), declaration in stub.items():
        assert parameters_of(declaration) == at_run_time(getattr(cm, name)), name
    stub = declared("frames/expr_metrics.pyi")
    assert set(stub) == {(owner.__name__, name) for owner, name in METHODS}
    for (owner, name), declaration in stub.items():
        owners = {of.__name__: of for of, _ in METHODS}
        method = getattr(owners[owner], name)
        assert parameters_of(declaration) == at_run_time(method), name


def test_stubs_say_what_a_metric_is_and_its_formula():
    for (_, name), declaration in declared("functions.pyi").items():
        said = " ".join(ast.get_docstring(declaration).split())
        fact = registry.find(name)
        assert said.casefold().startswith(fact["summary"].casefold()[:20])
        assert said.endswith(" ".join(fact["formula"].split()))


@pytest.mark.parametrize("name", functions.__all__)
def test_a_function_is_like_any_other(name):
    function = getattr(cm, name)
    assert inspect.isfunction(function)
    assert function is getattr(cm, name) is getattr(functions, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert (function.__name__, function.__qualname__) == (name, name)
    assert function.__module__ == "confmat.functions"
    hints = typing.get_type_hints(function)
    assert set(hints) == {*inspect.signature(function).parameters, "return"}
    assert name in dir(cm)
    assert name in dir(functions)


@pytest.mark.parametrize("name", functions.__all__)
def test_a_docstring_of_a_function_has_every_section(name):
    function, fact = getattr(cm, name), registry.find(name)
    said = function.__doc__
    assert len(said.partition("\n")[0]) <= 95
    places = [said.index(f"\n{section}\n{'-' * len(section)}\n") for section in SECTIONS]
    assert places == sorted(places)
    assert ("\nReferences\n" in said) == bool(fact["reference"])
    shown = " ".join(said.split())
    assert " ".join(fact["formula"].split()) in shown
    assert fact["undefined"] == "never" or fact["undefined"] in shown
    for parameter in inspect.signature(function).parameters:
        assert f"{parameter} : " in said or f"{parameter}, y_pred : " in said
    assert not re.search(r"\bnan\b", said.partition("\nExamples\n")[2])


@pytest.mark.parametrize(("owner", "name"), METHODS, ids=lambda one: getattr(one, "__name__", one))
def test_a_method_is_like_any_other(owner, name):
    method, fact = getattr(owner, name), registry.find(name)
    assert inspect.isfunction(method)
    assert vars(owner)[name] is method
    assert (method.__name__, method.__qualname__) == (name, f"{owner.__name__}.{name}")
    assert method.__module__ == "confmat.frames.expr_metrics"
    assert name in dir(pl.col("y").cm)
    said = " ".join(method.__doc__.split())
    assert said.startswith(f"Return ``{name}`` of this column as truth")
    assert fact["summary"].rstrip(".")[1:] in said
    assert not re.search(r"\bnan\b", said.partition("Examples")[2])


def helped(what):
    """Return what help shows, on one line: Python 3.13 breaks long signatures."""
    text = re.sub(r"^ *\|", "", pydoc.plain(pydoc.render_doc(what)), flags=re.MULTILINE)
    return " ".join(text.split()).replace("( ", "(")


def test_help_shows_signature_and_docstring():
    assert "f1(y_true: 'Any', y_pred: 'Any', *, labels: 'Any' = None" in helped(cm.f1)
    assert '>>> round(cm.f1(y_true, y_pred, average="macro"), 6)' in helped(cm.f1)
    assert "fbeta_macro(self, y_pred" in helped(ExprNamespace)
    assert "roc_auc(y_true: 'Any', y_score" in helped(cm)


def test_the_exponent_of_a_mean_is_a_number_or_a_name():
    y, p = [0, 1, 1], [0, 1, 0]
    macro = cm.recall(y, p, average="macro")
    for exponent in (1, "arithmetic"):
        assert cm.recall(y, p, average="macro", p=exponent) == macro
    with pytest.raises(cm.InputError, match='`p` is the exponent of average="power"'):
        cm.recall(y, p, average="macro", p="harmonic")
    for average in ("macro", "power"):
        with pytest.raises(cm.InputError, match=r"`p` is array\(\[1, 2\]\); wanted a number or"):
            cm.recall(y, p, average=average, p=np.array([1, 2]))


def test_parameters_of_metrics_are_handed_on():
    frame = pl.DataFrame({"y": [0, 1, 1, 1], "p": [1, 1, 1, 0], "s": [0.1, 0.3, 0.6, 0.9]})
    matrix, sweep = cm.confusion_matrix(frame["y"], frame["p"]), cm.sweep(frame["y"], frame["s"])
    for beta in (0.5, 3.0):
        want = matrix.value("fbeta", beta=beta)
        assert cm.fbeta(frame["y"], frame["p"], beta=beta) == want
        assert frame.select(pl.col("y").cm.fbeta("p", beta=beta)).item() == want
    for bins in (2, 7):
        want = sweep.value("ece", bins=bins)
        assert cm.ece(frame["y"], frame["s"], bins=bins) == want
        assert frame.select(pl.col("y").cm.ece("s", bins=bins)).item() == want


def test_a_wrong_name_names_the_nearest():
    with pytest.raises(AttributeError, match=r"'confmat' has no attribute 'f1_score'.* mean f1\?"):
        cm.f1_score  # noqa: B018
    with pytest.raises(AttributeError, match=r"'confmat.functions' has no attribute 'f1_score'"):
        functions.f1_score  # noqa: B018
    with pytest.raises(ImportError, match="f1_score"):
        exec("from confmat import f1_score")


def test_threads_get_the_same_function(monkeypatch):
    for module in (cm, functions):
        monkeypatch.delitem(vars(module), "markedness", raising=False)
    start, found = threading.Barrier(8), []

    def look():
        start.wait()
        found.append(cm.markedness)

    threads = [threading.Thread(target=look) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert {id(one) for one in found} == {id(functions.markedness)}


def test_what_makes_them_is_imported_on_first_use():
    program = (
        "import pickle, sys, confmat as cm\n"
        "made = 'confmat.callables.making'\n"
        "assert made not in sys.modules\n"
        "assert 'f1' in dir(cm) and 'f1' in cm.__all__ and made not in sys.modules\n"
        f"f1 = pickle.loads({pickle.dumps(cm.f1)!r})\n"
        "assert f1 is cm.f1 and f1([0, 1], [0, 1]) == 1.0\n"
        "from confmat import *\n"
        "assert roc_auc is cm.roc_auc and f1 is cm.f1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
