"""How long a cluster takes for a log: files as tasks, slow and failing workers, a tree of merges.

A worker is one core that reads a file at a time. All times are seconds of what was measured on one
machine; how often workers are slow or fail is assumed, and said in `Trouble`.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import numpy as np
import polars as pl


@dataclass(frozen=True)
class Job:
    """A log of many files of one size, and what a file costs."""

    files: int
    read: float  # seconds that a worker takes to read a file
    start: float  # seconds to hand a file to a worker
    merge: float  # seconds to merge the states of one worker into those of another
    carried: float  # seconds that the states of one worker take on the network
    fan_in: int = 16  # results that one merge takes


@dataclass(frozen=True)
class Trouble:
    """What goes wrong, and whether idle workers read again what others are late with."""

    slow_share: float = 0.0  # of files, read so many times more slowly:
    slow_by: tuple[float, float] = (2.0, 8.0)
    spread: float = 0.0  # of the logarithm of the time of any file
    hours_to_failure: float = math.inf  # of a worker, on average
    away: float = 60.0  # seconds until a worker that failed is back
    reads_again: bool = False
    again_from: float = 1.5  # times the usual


WORKERS = (1, 3, 10, 30, 100, 300, 1_000)
RUNS = 10
BAD = {"slow_share": 0.02, "spread": 0.1, "hours_to_failure": 24.0}
SCENARIOS = {
    "nothing goes wrong": Trouble(),
    "slow files, failures": Trouble(**BAD),
    "the same, late files read again": Trouble(**BAD, reads_again=True),
}


def wall(job: Job, workers: int, trouble: Trouble, rng: np.random.Generator) -> float:
    """Return the seconds from the first file to the last merge."""
    return _Run(job, workers, trouble, rng).last() + merging(job, workers)


class _Run:
    """Workers that take files in order, event by event."""

    def __init__(self, job: Job, workers: int, trouble: Trouble, rng: np.random.Generator) -> None:
        self.trouble, self.rng = trouble, rng
        self.usual = job.start + job.read
        took = job.read * np.exp(rng.normal(0, trouble.spread, job.files))
        slow = rng.random(job.files) < trouble.slow_share
        took[slow] *= rng.uniform(*trouble.slow_by, int(slow.sum()))
        self.took = job.start + took
        self.finished = np.full(job.files, np.inf)
        self.waiting = deque(range(job.files))
        self.late: deque[int] = deque()
        self.idle = workers
        self.events: list[tuple[float, str, int]] = []

    def last(self) -> float:
        """Return when the last file has been read."""
        self._hand_out(0.0)
        while self.events:
            now, what, file = heapq.heappop(self.events)
            if what == "free":
                self.idle += 1
            elif what == "failed" and self.finished[file] == np.inf:
                self.waiting.append(file)
            elif what == "late":
                self.late.append(file)
            self._hand_out(now)
        return float(self.finished.max())

    def _hand_out(self, now: float) -> None:
        while self.idle and self.waiting:
            file = self.waiting.popleft()
            self._read(file, now, float(self.took[file]))
        while self.idle and self.late:
            file = self.late.popleft()
            if self.finished[file] > now + self.usual:
                self._read(file, now, self.usual)

    def _read(self, file: int, now: float, seconds: float) -> None:
        """Give a file to a worker: it is read, or the worker fails, and is back after a while."""
        self.idle -= 1
        fails = self.rng.exponential(self.trouble.hours_to_failure * 3600)
        if fails < seconds:
            heapq.heappush(self.events, (now + fails, "failed", file))
            heapq.heappush(self.events, (now + fails + self.trouble.away, "free", file))
            return
        self.finished[file] = min(self.finished[file], now + seconds)
        heapq.heappush(self.events, (now + seconds, "free", file))
        due = self.trouble.again_from * self.usual
        if self.trouble.reads_again and seconds > due:
            heapq.heappush(self.events, (now + due, "late", file))


def merging(job: Job, workers: int) -> float:
    """Return the seconds of the merges that follow the last file.

    Each worker has merged its own files while it read. What is left is one result a worker, merged
    by `fan_in` at a time, each time by as many workers as there is work for.
    """
    left, seconds = min(workers, job.files), 0.0
    while left > 1:
        together = min(left, job.fan_in)
        seconds += together * (job.merge + job.carried)
        left = math.ceil(left / job.fan_in)
    return seconds


def simulated(job: Job) -> pl.DataFrame:
    """Return hours by number of workers and by what goes wrong: the median, and nine in ten."""
    rows = []
    for name, trouble in SCENARIOS.items():
        for workers in WORKERS:
            took = [
                wall(job, workers, trouble, np.random.default_rng([workers, run])) / 3600
                for run in range(RUNS)
            ]
            ideal = job.files * (job.start + job.read) / workers / 3600
            rows.append(
                (name, workers, float(np.median(took)), float(np.quantile(took, 0.9)), ideal)
            )
    return pl.DataFrame(rows, ["trouble", "workers", "hours", "nine", "ideal"], orient="row")


def draw(simulation: pl.DataFrame, title: str, to: Path) -> None:
    """Draw how much of perfect speed is left, at the median and nine times in ten."""
    left = simulation.select(
        "trouble",
        "workers",
        median=pl.col("ideal") / pl.col("hours"),
        nine=pl.col("ideal") / pl.col("nine"),
    )
    x = alt.X("workers:Q").scale(type="log").title("workers, a core each")
    y = alt.Y("median:Q").scale(domain=(0, 1)).axis(format="%").title("of perfect speed")
    colour = alt.Color("trouble:N", sort=list(SCENARIOS)).legend(
        orient="bottom-left", title=None, symbolOpacity=1
    )
    base = alt.Chart(left)
    band = base.mark_area(opacity=0.2).encode(x, y, alt.Y2("nine:Q"), colour)
    line = base.mark_line(point=True).encode(x, y, colour)
    chart = alt.layer(band, line).properties(width=520, height=260, title=title)
    chart.save(to, ppi=100)
