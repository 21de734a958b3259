"""What metrics are called in other libraries, read from the tables of ``docs/migration``.

A row of these tables is a call there and the same here, ``| `f1_score(y, p)` | `cm.f1(y, p)` |``;
tests run both. PyCM's keys are in the registry.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from confmat.registry import find, find_quietly, pycm_names

FOLDER = Path(__file__).resolve().parent / "migration"
LIBRARIES = {
    "scikit-learn": "scikit-learn",
    "yardstick": "yardstick",
    "torchmetrics": "torchmetrics",
    "fairlearn": "Fairlearn",
}
OTHER_SHAPE = "## The same in another shape"  # below it are calls that give no number
_ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)
_TELLING = re.compile(
    r"\b(?:weights|weighting|adjusted|pos_label|power|norm|bias|squared) ?= ?[^,)]+"
)


def calls(text: str) -> list[tuple[str, str]]:
    """Return the calls there and here of the tables of a text."""
    return _ROW.findall(text)


def page_of(library: str) -> str:
    """Return the text of the page of a library."""
    return (FOLDER / f"{library}.md").read_text(encoding="utf-8")


def metrics_of(call: str) -> list[str]:
    """Return the metrics that a call of confmat asks for: the names in it that are of one."""
    known = (find_quietly(name) for name in re.findall(r"[a-z]\w+", call))
    return [fact["base"] for fact in known if fact is not None]


def name_in(call: str) -> str:
    """Return the name of a call, and the argument that makes it another metric."""
    name = call.partition("(")[0].rpartition(".")[2]
    telling = _TELLING.search(call)
    return f"{name}({telling[0]})" if telling else name


@cache
def _elsewhere() -> dict[str, dict[str, list[str]]]:
    named = [
        (metric, library, name_in(there))
        for page, library in LIBRARIES.items()
        for there, here in calls(page_of(page).partition(OTHER_SHAPE)[0])
        for metric in metrics_of(here)
    ]
    named += [(find(name)["base"], "PyCM", key) for key, name in pycm_names().items()]
    found: dict[str, dict[str, list[str]]] = {}
    for metric, library, name in named:
        names = found.setdefault(metric, {}).setdefault(library, [])
        if name not in names:
            names.append(name)
    return found


def names_elsewhere(name: str) -> dict[str, list[str]]:
    """Return what a metric is called in each library that has it."""
    return _elsewhere().get(name, {})
