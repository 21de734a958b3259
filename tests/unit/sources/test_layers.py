"""Layers of the C++ sources: a layer uses those above it; Eigen and Python stay where they are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CPP = ROOT / "cpp"
BELOW_BATCH = {"base"}
BELOW_KERNELS = BELOW_BATCH | {"batch", "arrow"}
BELOW_SCORES = BELOW_KERNELS | {"kernels"}
BELOW_STATE = BELOW_SCORES | {"scores"}
BELOW_TALLY = BELOW_STATE | {"state"}
BELOW_METRICS = BELOW_TALLY | {"tally"}
BELOW_EVALUATE = BELOW_METRICS | {"linalg", "metrics"}
MAY_USE = {
    "base": set(),
    "batch": BELOW_BATCH,
    "arrow": BELOW_BATCH | {"batch"},
    "linalg": BELOW_TALLY,
    "kernels": BELOW_KERNELS,
    "scores": BELOW_SCORES,
    "state": BELOW_STATE,
    "tally": BELOW_TALLY,
    "metrics": BELOW_METRICS | {"linalg"},
    "evaluate": BELOW_EVALUATE,
    "plugin": BELOW_EVALUATE | {"evaluate"},
    "bind": BELOW_EVALUATE | {"evaluate"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)', re.MULTILINE)
SOURCES = sorted(path for path in CPP.rglob("*.[ch]pp") if "build" not in path.parts)


def layer_of(path):
    """Return the layer of a file: cpp/include/confmat/X, cpp/src/X or cpp/X."""
    parts = path.relative_to(CPP).parts
    return parts[{"include": 2, "src": 1}.get(parts[0], 0)]


def forbidden(layer, name):
    """Return whether a file of this layer may not include this header."""
    if name.startswith(("pybind11", "Python.h", "numpy/")):
        return layer != "bind"
    if name.startswith(("Eigen", "unsupported/Eigen")):
        return layer != "linalg"
    used = name.removeprefix("confmat/").partition("/")[0]
    return "/" in name and used in MAY_USE and used not in MAY_USE[layer] | {layer}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CPP)))
def test_includes(path):
    names = INCLUDE.findall(path.read_text("utf-8"))
    assert not [name for name in names if forbidden(layer_of(path), name)]
    assert not [name for name in names if ".." in name]


def test_no_file_is_a_drawer():
    files = [*SOURCES, *(ROOT / "python").rglob("*.py"), *(ROOT / "tests").rglob("*.[ch]pp")]
    drawers = re.compile(r"(^|_)(utils?|helpers?|common|misc)[._]")
    assert len(SOURCES) > 50
    assert not [
        path for path in [*files, *(ROOT / "tests").rglob("*.py")] if drawers.search(path.name)
    ]


@pytest.mark.parametrize("folder", ["cpp", "tests/cpp", "tests/fuzz"])
def test_every_source_says_in_its_first_line_what_it_is(folder):
    paths = [p for p in (ROOT / folder).rglob("*.[ch]pp") if "build" not in p.parts]
    assert len(paths) > 5
    assert [str(p) for p in paths if not re.match(r"// \S+ \S+", p.read_text())] == []


OPENED = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*\{")
TYPE = re.compile(
    r"\s*(?:template\s*<.*>\s*)?(?:struct|class|enum class)\s+(\w+)\s*(?:final\s*)?(?:\{|:[^:])"
)


def types_of(text):
    """Return the qualified names of types defined in named namespaces."""
    names, opened, depth = set(), [], 0
    for line in text.splitlines():
        code = line.partition("//")[0]
        if found := OPENED.match(code):
            opened.append((found[1] or "anonymous", depth))
        elif (found := TYPE.match(code)) and depth == len(opened):
            names.add("::".join([name for name, _ in opened] + [found[1]]))
        depth += code.count("{") - code.count("}")
        while opened and depth <= opened[-1][1]:
            opened.pop()
    return {name for name in names if "anonymous" not in name}


def test_a_type_is_defined_in_one_file():
    """Else the linker takes the members of either, and the compiler says nothing."""
    where = {}
    for path in SOURCES:
        for name in types_of(path.read_text("utf-8")):
            where.setdefault(name, []).append(path.name)
    assert len(where) > 300
    assert {name: files for name, files in where.items() if len(files) > 1} == {}
