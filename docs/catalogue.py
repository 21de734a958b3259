"""The catalogue: a page for each kind of metric, with all that the registry knows of each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from libraries import names_elsewhere
from markdown import escaped, in_table, linked, tick

from confmat._core import absent_average
from confmat.callables.phrases import BETTER, equation, range_of
from confmat.registry import Fact, facts, means, regression_facts, score_facts

LEVELS = {
    "overall": ("metrics-of-matrices", "Metrics of a matrix", "One number a matrix."),
    "class": ("metrics-of-classes", "Metrics of a class", "One number a class."),
    "score": ("metrics-of-scores", "Metrics of scores", "One number of true classes and scores."),
    "regression": (
        "metrics-of-numbers",
        "Metrics of numbers",
        "One number of true and predicted numbers.",
    ),
}
_HEADER = "| name | what it is | range | better |\n|---|---|---|---|"
_ARROW = {"higher": "↑", "lower": "↓", "neither": ""}


def names_of(fact: Fact) -> list[str]:
    """Return the name of a metric and its aliases."""
    return [fact["name"], *fact["aliases"]]


@cache
def rows(level: str) -> list[Fact]:
    """Return the rows of one kind, in the order of the registry."""
    everything = (*facts(), *score_facts(), *regression_facts())
    return [fact for fact in everything if fact["level"] == level]


def overview() -> list[str]:
    """Return the tables of all metrics, in which a name leads to its entry."""
    lines = []
    for level, (page, title, _) in LEVELS.items():
        lines += [f"\n## {title}\n", _HEADER]
        for fact in rows(level):
            cells = [
                f"[{tick(fact['name'])}](catalogue/{page}.md#{fact['name']})",
                escaped(fact["summary"]),
                shown_range(fact),
                _ARROW[fact["better"]],
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def catalogue_pages(banner: str) -> dict[str, str]:
    """Return the pages of entries by their names."""
    return {
        f"docs/catalogue/{page}.md": "\n".join(
            [
                f"# {title}\n\n<!-- {banner} -->\n",
                f"{says} [What the letters mean](../metrics.md#letters).",
                *(entry(fact) for fact in rows(level)),
            ]
        )
        for level, (page, title, says) in LEVELS.items()
    }


def entry(fact: Fact) -> str:
    """Return what is known of one metric."""
    found = means(fact["name"]).values() if fact["level"] == "class" else ()
    known = {
        "Also": listed(fact["aliases"]),
        "Range": f"{shown_range(fact)}, {BETTER[fact['better']]}",
        "Parameters": "; ".join(
            (
                tick(one["name"])
                + ("" if one["value"] is None else f", {one['value']:g} by default")
                + f": {escaped(one['text'])}"
            )
            for one in fact["params"]
        ),
        "Averages": listed(found) or (_why_not(fact) if fact["level"] == "class" else ""),
        "Undefined": escaped(fact["undefined"]) or "never",
        "Elsewhere": "; ".join(
            f"{library} {listed(names)}" for library, names in names_elsewhere(fact["name"]).items()
        ),
        "Source": linked(fact["reference"]),
    }
    lines = [f"\n## {fact['name']}\n", f"{escaped(fact['summary'])}\n"]
    lines += [f"```math\n{in_table(equation(fact))}\n```\n"]
    return "\n".join([*lines, *(f"- **{word}:** {says}" for word, says in known.items() if says)])


def _why_not(fact: Fact) -> str:
    """Return why a metric of one class has no averages."""
    said = absent_average(f"{fact['name']}_macro").partition(": ")[2]
    return f"none: {escaped(said.partition('; ')[0])}"


def listed(names: Iterable[str]) -> str:
    """Return names in code font, one after the other."""
    return ", ".join(map(tick, names))


def shown_range(fact: Fact) -> str:
    """Return the range of a metric with the sign of infinity."""
    return range_of(fact).replace("inf", "∞")
