"""Layers of the Python modules: imports point one way, those inside functions and for types too."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import confmat as cm

PACKAGE = Path(cm.__file__).parent
# A layer uses those before it, and what stands beside it where that makes no circle.
LAYERS = (
    ("_core", "errors"),
    (
        *("attribute_hints", "attributes", "call_hints", "categories", "core_state", "costs"),
        *("default_metrics", "foreign_frames", "key_types"),
        *("labels", "lapack", "metric_list", "metric_names", "missing", "name_calls", "name_hints"),
        *("named_numbers", "options", "own_definitions", "own_errors", "positive_class"),
        *("registry", "state_kinds", "state_tables", "suffixes", "traced", "whole_file"),
    ),
    ("columns", "inputs"),
    ("render", "intervals", "significance"),
    ("matrices", "scores", "calibration", "multiclass", "labelsets", "moments"),
    ("objects",),
    ("callables", "functions", "frames"),
    ("own_metrics",),
    ("fairness",),
    ("slices",),
    ("monitoring",),
    ("logs", "example_logs"),
    ("paired", "gates"),
    ("plots", "report"),
    ("engines", "sklearn"),
    ("mlflow", "pandas", "ray", "spark"),
    ("__init__",),
    ("command", "__main__"),
)
LAYER_OF = {name: at for at, names in enumerate(LAYERS) for name in names}
# What points up on purpose: pictures and reports are loaded when the first of them is asked for.
WHEN_USED = {
    ("objects.pictures", "plots.pictures"),
    ("objects.pictures", "plots.regression_pictures"),
    ("fairness.result", "plots.pictures"),
    ("logs.evaluation", "plots.slice_pictures"),
    ("logs.reporting", "report.writing"),
    ("paired.comparison", "plots.comparison_pictures"),
}


def name_of(path):
    """Return the name of a module, or of a package, within confmat."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {
    name_of(path): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.parent.name != "data"
}


def imported(node):
    """Yield the modules of the package that a statement imports."""
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert not node.level
        found = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return
    for name in found:
        package, _, inner = name.partition(".")
        if package == "confmat":
            while inner not in MODULES and inner != "_core" and inner:
                inner = inner.rpartition(".")[0]
            yield inner or "__init__"


ARROWS = {
    name: {used for node in ast.walk(tree) for used in imported(node)}
    - {used for user, used in WHEN_USED if user == name}
    for name, tree in MODULES.items()
}


def outer(name):
    """Return the package of a module, or the module itself where it is in none."""
    return name.partition(".")[0]


def test_every_module_has_a_layer():
    assert {outer(name) for name in MODULES} | {"_core"} == set(LAYER_OF)


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_one_way(name):
    assert not [used for used in ARROWS[name] if LAYER_OF[outer(used)] > LAYER_OF[outer(name)]]


def test_there_is_no_circle():
    packages = {}
    for name, used in ARROWS.items():
        packages.setdefault(outer(name), set()).update({*map(outer, used)} - {outer(name)})
    for arrows in (ARROWS, packages):
        TopologicalSorter(arrows).prepare()  # CycleError names the circle


def test_what_points_up_is_loaded_when_used():
    for user, used in WHEN_USED:
        at_once = {inner for node in MODULES[user].body for inner in imported(node)}
        assert used not in at_once
        assert used in {inner for node in ast.walk(MODULES[user]) for inner in imported(node)}


def test_no_module_has_the_name_of_a_public_function():
    assert not {name for name in MODULES if name in cm.__all__}
