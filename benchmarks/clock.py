"""The clock of every benchmark: check a contender's result, then time it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks.machine import with_peak
from benchmarks.ratios import Measurement, Role
from pytest_benchmark.fixture import BenchmarkFixture

MEASURED = pytest.StashKey[list[Measurement]]()

_SHORTEST_S = 2e-4  # calls shorter than this are timed several at once
_MOST_ROUNDS = 50


class Race:
    """Checks the result of one contender, then times it."""

    def __init__(self, benchmark: BenchmarkFixture, config: pytest.Config) -> None:
        self._benchmark = benchmark
        self._config = config

    def __call__(
        self,
        question: str,
        name: str,
        role: Role,
        run: Callable[[], Any],
        *,
        check: Callable[[Any], None],
        rows: int,
        family: str | None = None,
        scale_to: int | None = None,
    ) -> None:
        """Time `run` on `rows` rows; with `scale_to` report the time as if on so many.

        Two untimed runs warm up: one is checked, one tells how many rounds fit in
        `--benchmark-max-time`. There are never fewer than `--benchmark-min-rounds`.
        With `--benchmark-disable` one run is checked, and none is timed.
        """
        if self._benchmark.disabled:
            check(self._benchmark(run))
            return
        result, peak = with_peak(run)
        check(result)
        del result
        start = time.perf_counter()
        run()
        once = max(time.perf_counter() - start, 1e-7)
        iterations = math.ceil(_SHORTEST_S / once) if once < _SHORTEST_S else 1
        budget = float(self._config.getoption("benchmark_max_time"))
        fitting = min(int(budget / (once * iterations)), _MOST_ROUNDS)
        least = int(self._config.getoption("benchmark_min_rounds"))
        self._benchmark.group = question
        self._benchmark.pedantic(run, rounds=max(least, fitting), iterations=iterations)
        times = self._benchmark.stats.stats
        scale = 1.0 if scale_to is None else scale_to / rows
        self._config.stash[MEASURED].append(
            Measurement(
                question=question,
                name=name,
                role=role,
                family=family or name,
                rows=scale_to or rows,
                rounds=times.rounds,
                iterations=iterations,
                median_s=times.median * scale,
                min_s=times.min * scale,
                peak_mib=peak,
                scaled_from_rows=rows if scale_to not in (None, rows) else None,
            )
        )
