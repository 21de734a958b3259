"""The options of the benchmarks, and the table of ratios at the end of a run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from benchmarks.clock import MEASURED, Race
from benchmarks.machine import fingerprint
from benchmarks.ratios import ratios, records, table
from pytest_benchmark.fixture import BenchmarkFixture

LOAD = pytest.StashKey[float]()
LEAST_ROWS = 1_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("confmat benchmarks")
    group.addoption("--rows", type=int, default=200_000, help="rows of the large questions")
    group.addoption("--json-out", type=Path, help="write measurements and ratios as JSON lines")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[MEASURED] = []
    config.stash[LOAD] = os.getloadavg()[0]


@pytest.fixture(scope="session")
def rows(pytestconfig: pytest.Config) -> int:
    """Return the number of rows asked for."""
    asked = int(pytestconfig.getoption("rows"))
    if asked < LEAST_ROWS:
        raise pytest.UsageError(f"--rows is {asked}; wanted at least {LEAST_ROWS}, for every class")
    return asked


@pytest.fixture
def race(benchmark: BenchmarkFixture, pytestconfig: pytest.Config) -> Race:
    """Return the clock; it times one contender a test."""
    return Race(benchmark, pytestconfig)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    measured = config.stash[MEASURED]
    if not measured:
        return
    pairs = ratios(measured)
    load: float = config.stash[LOAD]
    machine = fingerprint() | {
        "rows": config.getoption("rows"),
        "load_before": round(load, 2),
        "failed": sum(len(terminalreporter.stats.get(kind, [])) for kind in ("failed", "error")),
    }
    terminalreporter.section("ratios of this run")
    for key, value in machine.items():
        terminalreporter.write_line(f"{key}: {value}")
    if load > 0.5:
        terminalreporter.write_line("The machine was busy: these times are not results.", red=True)
    terminalreporter.write_line("")
    for line in table(pairs):
        terminalreporter.write_line(line)
    out: Path | None = config.getoption("json_out")
    if out is not None:
        lines = [{"kind": "machine", **machine}, *records(measured, pairs)]
        out.write_text("".join(json.dumps(line) + "\n" for line in lines))
        terminalreporter.write_line(f"written: {out}")
