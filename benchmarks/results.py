"""Write the results of runs, from their JSON lines, into the tables of `benchmarks/README.md`.

`python benchmarks/results.py *.jsonl`; a question that several files answer has the last answer.
Those of `test_peers.py` go into the README of the repository.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
_GROUPED = "1,000 segments, "
_SELECT = "all rows, "
_SEGMENTS = "1,000 segments, K=10, "
_FRAMES = ("one matrix, K=10, ", _SEGMENTS, f"a query, {_SEGMENTS}")
_ENGINES = ("in-memory", "streaming")


def read(paths: Iterable[str]) -> tuple[list[Record], Record]:
    """Return all records of the files, and the machine of the last one."""
    lines = [line for path in paths for line in Path(path).read_text().splitlines()]
    records = [json.loads(line) for line in lines]
    machine = next(record for record in reversed(records) if record["kind"] == "machine")
    return records, {key: machine[key] for key in machine if key != "kind"}


class Results:
    """Measurements and ratios by question."""

    def __init__(self, records: list[Record]) -> None:
        key = ("question", "ours", "against")
        ratios = [record for record in records if record["kind"] == "ratio"]
        self.ratios = list({tuple(r[part] for part in key): r for r in ratios}.values())
        measured = [record for record in records if record["kind"] == "measurement"]
        self.seconds = {(m["question"], m["name"]): m["median_s"] for m in measured}
        self.scaled = {(m["question"], m["name"]): m["scaled_from_rows"] for m in measured}
        self.shown: set[str] = set()

    def ratio(self, question: str, of: str = "peer/ours") -> str:
        """Return the ratio of medians of one question."""
        self.shown.add(question)
        found = [r for r in self.ratios if r["question"] == question and r["of"] == of]
        return f"{found[0]['medians']:.2f}" if found else ""

    def time(self, question: str) -> str:
        """Return our median."""
        ours = next(r["ours"] for r in self.ratios if r["question"] == question)
        return _time(self.seconds[question, ours])

    def kinds(self, start: str, end: str = "") -> list[str]:
        """Return what stands between a start and an end of questions."""
        asked = dict.fromkeys(r["question"] for r in self.ratios)
        return [
            q[len(start) : len(q) - len(end)]
            for q in asked
            if q[: len(start)] == start and q.endswith(end)
        ]

    def rest(self) -> list[Record]:
        """Return the ratios that no table has shown."""
        return [ratio for ratio in self.ratios if ratio["question"] not in self.shown]


def grouped(results: Results) -> list[str]:
    """Expressions without `labels=`, by type and engine."""
    out = _head("labels", "in memory", "streaming", "`select` in memory", "`select` streaming")
    for kind in results.kinds(f"{_GROUPED}in-memory, "):
        cells = [kind]
        for engine in _ENGINES:
            asked = f"{_GROUPED}{engine}, {kind}"
            cells.append(f"{results.ratio(asked)} ({results.ratio(asked, 'ours/floor')})")
        cells += [results.ratio(f"{_SELECT}{engine}, {kind}") for engine in _ENGINES]
        out.append(_row(cells))
    return out


def frames(results: Results) -> list[str]:
    """One matrix, and whole frames, by type; and the keys that are no integers."""
    out = _head(
        "labels", "`cm.confusion_matrix`", "Polars over ours",
        "`df.cm.evaluate(by=)`, 1,000 segments", "Polars over ours",
        "`lf.cm.evaluate(by=)`, streaming", "Polars over ours",
    )  # fmt: skip
    for kind in results.kinds(_FRAMES[0]):
        cells = [kind]
        for start in _FRAMES:
            cells += [results.time(start + kind), results.ratio(start + kind)]
        out.append(_row(cells))
    start = "UInt8 labels, K=10, "
    keys = [f"{kind} {results.ratio(start + kind)}" for kind in results.kinds(start)]
    return [*out, "", f"UInt8 labels and keys of other types: {', '.join(keys)}."]


def other_labels(results: Results) -> list[str]:
    """Labels that are not in a frame."""
    out = _head("labels", "ours", "against", "ratio")
    for start, against in (
        ("2,000,000 labels in ", "scikit-learn"),
        ("20,000,000 labels in ", "Polars String"),
    ):
        for kind in results.kinds(start, ", K=10"):
            asked = f"{start}{kind}, K=10"
            times = float(results.ratio(asked))
            text = f"{times:.1f} times as fast"
            if against != "scikit-learn":
                text = f"{1 / times:.2f} times its time"
            out.append(_row([kind, results.time(asked), against, text]))
    return out


def peers(results: Results) -> list[str]:
    """Our time for labels as people have them, and how many times as long others take."""
    middle = " pairs of labels, "
    asked = [q for q in dict.fromkeys(r["question"] for r in results.ratios) if middle in q]
    names = dict.fromkeys(_family(r["against"]) for r in results.ratios if r["question"] in asked)
    out = _head("labels", "confmat", *names)
    for question in asked:
        results.shown.add(question)
        cells = dict.fromkeys(names, "")
        for r in results.ratios:
            if r["question"] == question:
                cells[_family(r["against"])] = f"{r['medians']:,.{1 if r['medians'] < 100 else 0}f}"
        out.append(_row([question.partition(middle)[2], results.time(question), *cells.values()]))
    return out if asked else []


def _family(name: str) -> str:
    return name.partition(",")[0]


def everything_else(results: Results) -> list[str]:
    """Every other ratio, a line each."""
    out = _head(
        "question", "ours", "median", "against", "median", "ratio", "of medians", "of minima"
    )
    for r in results.rest():
        against = _time(results.seconds[r["question"], r["against"]])
        ours = _time(results.seconds[r["question"], r["ours"]])
        rows = results.scaled[r["question"], r["against"]]
        name = r["against"] + (f" (scaled from {rows:,} rows)" if rows else "")
        cells = [r["question"], r["ours"], ours, name, against, r["of"]]
        out.append(_row([*cells, f"{r['medians']:.2f}", f"{r['minima']:.2f}"]))
    return out


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.0f} ms" if seconds >= 0.1 else f"{seconds * 1e3:.2f} ms"


def _head(*names: str) -> list[str]:
    return [_row(names), "|" + "---|" * len(names)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the tables, and the machine, between their marks."""
    records, machine = read(sys.argv[1:])
    results = Results(records)
    here = Path(__file__)
    lines = peers(results)
    if lines:
        _write(here.parents[1] / "README.md", {"peers": lines})
    if not results.rest():
        return
    parts = {table.__name__: table(results) for table in (grouped, frames, other_labels)}
    parts["everything_else"] = everything_else(results)
    parts["machine"] = ["```", *(f"{key}: {value}" for key, value in machine.items()), "```"]
    _write(here.with_name("README.md"), parts)


def _write(page: Path, parts: dict[str, list[str]]) -> None:
    text = page.read_text()
    for name, lines in parts.items():
        before, mark, after = text.partition(f"<!-- {name} -->\n")
        _, end, after = after.partition("<!-- end -->")
        if not end:
            raise SystemExit(f"{page} has no marks for {name!r}")
        text = before + mark + "\n".join(lines) + "\n" + end + after
    page.write_text(text)


if __name__ == "__main__":
    main()
