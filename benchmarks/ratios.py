"""Measurements of one run, set side by side: ours, its peers and its floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Role = Literal["ours", "peer", "floor"]

_HEAD = (
    "question", "ours", "median", "min", "Mrows/s", "peak MiB",
    "against", "median", "min", "ratio of", "medians", "minima",
)  # fmt: skip


@dataclass(frozen=True)
class Measurement:
    """Seconds of one contender. Those of one `family` are rivals: the faster one counts."""

    question: str
    name: str
    role: Role
    family: str
    rows: int
    rounds: int
    iterations: int
    median_s: float
    min_s: float
    peak_mib: float | None
    scaled_from_rows: int | None

    @property
    def label(self) -> str:
        """The name, with a mark when fewer rows were timed and the time scaled up."""
        if self.scaled_from_rows is None:
            return self.name
        return f"{self.name} (scaled from {self.scaled_from_rows:,} rows)"


@dataclass(frozen=True)
class Ratio:
    """Peer over ours, or ours over floor."""

    ours: Measurement
    against: Measurement

    @property
    def of(self) -> str:
        """Which way the ratio goes."""
        return "peer/ours" if self.against.role == "peer" else "ours/floor"

    @property
    def medians(self) -> float:
        """The ratio of the medians."""
        return self._over(self.ours.median_s, self.against.median_s)

    @property
    def minima(self) -> float:
        """The ratio of the minima."""
        return self._over(self.ours.min_s, self.against.min_s)

    def _over(self, ours: float, against: float) -> float:
        return against / ours if self.against.role == "peer" else ours / against


def ratios(measured: Sequence[Measurement]) -> list[Ratio]:
    """Pair every one of ours with the fastest of each family that answered the same question."""
    found = []
    questions = list(dict.fromkeys(one.question for one in measured))
    for ours in sorted(measured, key=lambda one: questions.index(one.question)):
        if ours.role != "ours":
            continue
        best: dict[tuple[str, str], Measurement] = {}
        for other in measured:
            if other.question == ours.question and other.role != "ours":
                key = (other.role, other.family)
                if key not in best or other.median_s < best[key].median_s:
                    best[key] = other
        found += [Ratio(ours, against) for against in best.values()]
    return found


def table(pairs: Sequence[Ratio]) -> list[str]:
    """Return the lines of a Markdown table."""
    rows = [_HEAD, *(_cells(pair) for pair in pairs)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [lines[0], rule, *lines[1:]]


def records(measured: Sequence[Measurement], pairs: Sequence[Ratio]) -> list[dict[str, Any]]:
    """Return what goes into the JSON lines."""
    return [{"kind": "measurement", **asdict(one)} for one in measured] + [
        {
            "kind": "ratio",
            "question": pair.ours.question,
            "ours": pair.ours.name,
            "against": pair.against.name,
            "of": pair.of,
            "medians": pair.medians,
            "minima": pair.minima,
        }
        for pair in pairs
    ]


def _cells(pair: Ratio) -> tuple[str, ...]:
    ours, against = pair.ours, pair.against
    return (
        ours.question, ours.label, _time(ours.median_s), _time(ours.min_s),
        f"{ours.rows / ours.median_s / 1e6:.0f}",
        "?" if ours.peak_mib is None else f"{ours.peak_mib:.0f}",
        against.label, _time(against.median_s), _time(against.min_s),
        pair.of, f"{pair.medians:.2f}", f"{pair.minima:.2f}",
    )  # fmt: skip


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
