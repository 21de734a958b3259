"""What a log of any size takes: rows a second, bytes of states, merging, and a cluster simulated.

    python benchmarks/scale.py                       # prints the tables, in about five minutes
    python benchmarks/scale.py --write               # puts them into docs/scale.md; draws
    python benchmarks/scale.py --rows 1 --folder /data

Rows a second are those of a process on one core, of Parquet files unless another format is named,
the start of the interpreter left out. The simulation takes its numbers from the same run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.cluster_simulation import SCENARIOS, WORKERS, Job, Trouble, draw, simulated, wall
from benchmarks.scale_measures import MILLION, Merged, Read, merging, speeds, states

PAGE = Path(__file__).parent.parent / "docs" / "scale.md"
NETWORK = 1.25e9  # bytes a second, ten gigabit: assumed
START = 0.05  # seconds to hand a file to a worker: assumed
ROWS, FILES, SLICES = 10**12, 10_000, 1_000
PLANS = (
    ("hard labels, Int8, 1,000 slices", ["counts of 10,000 rows"]),
    ("hard labels, String, 1,000 slices", ["counts of 10,000 rows"]),
    (
        "labels and scores in bins, 1,000 slices",
        ["counts of 10,000 rows", "scores of 20,000,000 rows"],
    ),
)


class Plan(NamedTuple):
    """A question that is asked of the whole log."""

    name: str
    job: Job
    result: float  # bytes of all slices


def plans(found: dict[str, Read], merges: dict[str, Merged]) -> list[Plan]:
    """Return the work of each question, from what was measured."""
    made = []
    for name, kinds in PLANS:
        result = SLICES * sum(merges[kind].size for kind in kinds)
        took = SLICES * sum(merges[kind].took for kind in kinds)
        read = ROWS / FILES / found[name].speed
        made.append(Plan(name, Job(FILES, read, START, took, result / NETWORK), result))
    return made


PLAN_ROWS = {
    "core hours of reading": lambda plan: f"{FILES * plan.job.read / 3600:,.0f}",
    "a file takes a core": lambda plan: span(plan.job.read),
    "states of all slices": lambda plan: size(plan.result),
    "merging those of two workers": lambda plan: span(plan.job.merge),
    "network, 100 workers": lambda plan: size(100 * plan.result),
    "memory of a merge of 16": lambda plan: size(17 * plan.result),
    "memory of the driver": lambda plan: size(2 * plan.result),
    **{
        f"{workers} workers take": lambda plan, workers=workers: span(
            wall(plan.job, workers, Trouble(), np.random.default_rng(0))
        )
        for workers in (32, 320)
    },
}


def table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Return a table in Markdown, numbers on the right."""
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def size(count: float) -> str:
    """Return bytes as people read them."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1_000:
            return f"{count:.3g} {unit}"
        count /= 1_000
    return f"{count:.3g} TB"


def span(seconds: float) -> str:
    """Return a time as people read it."""
    for unit, length in (("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def tables(folder: Path, rows: int) -> tuple[dict[str, str], pl.DataFrame]:
    """Return what goes between the marks of the page, by name, and what is drawn."""
    found, merges = speeds(folder, rows), merging()
    work = plans(found, merges)
    simulation = simulated(work[-1].job)
    told = {
        "speed": table(
            ("one core", "million rows a second", "10^9 rows take", "bytes a row"),
            (
                (name, f"{one.speed / 1e6:.1f}", span(1e9 / one.speed), f"{one.size:.1f}")
                for name, one in found.items()
            ),
        ),
        "states": table(
            ("state", "rows", "bytes"),
            ((name, f"{n:,}", size(count)) for name, n, count in states()),
        ),
        "merging": table(
            ("state", "bytes", "merged in"),
            ((name, size(one.size), span(one.took)) for name, one in merges.items()),
        ),
        "plan": table(
            ("10^12 rows in 10,000 files", *(plan.name for plan in work)),
            ((name, *map(told_of, work)) for name, told_of in PLAN_ROWS.items()),
        ),
        "simulation": table(
            ("", *(f"{workers:,} workers" for workers in WORKERS)),
            (
                (
                    name,
                    *(
                        span(3600 * hours)
                        for hours in simulation.filter(pl.col("trouble") == name)["hours"]
                    ),
                )
                for name in SCENARIOS
            ),
        ),
    }
    return told, simulation


def main() -> None:
    """Measure, and print the tables or write them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rows", type=float, default=20, help="millions of a file")
    parser.add_argument("--folder", type=Path, help="where files are made; default: temporary")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        told, simulation = tables(Path(folder), int(asked.rows * MILLION))
    if not asked.write:
        print("\n\n".join(told.values()))
        return
    text = PAGE.read_text("utf-8")
    for name, shown in told.items():
        before, rest = text.split(f"<!-- {name}: begin -->")
        _, after = rest.split(f"<!-- {name}: end -->")
        text = f"{before}<!-- {name}: begin -->\n{shown}\n<!-- {name}: end -->{after}"
    PAGE.write_text(text, "utf-8")
    draw(simulation, "10^12 rows with scores, 1,000 slices", PAGE.with_name("scale.png"))


if __name__ == "__main__":
    main()
