"""The command line and long logs: read a piece at a time, and an interrupt is answered."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytest.importorskip("typer")

ROWS = 16_000_000
MEMORY = """
import sys
from confmat.command import cli

def kilobytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

few, many, *options = sys.argv[1:]
assert cli.run(["evaluate", few, *options]) == 0  # what is loaded once
before = kilobytes()
assert cli.run(["evaluate", many, *options]) == 0
print((kilobytes() - before) * 1024)
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return the paths of a log of few rows and one of many."""
    rng = np.random.default_rng(0)
    names = [("segment", 50), ("y", 5), ("p", 5)]
    frame = pl.DataFrame({name: rng.integers(0, most, ROWS) for name, most in names})
    folder = tmp_path_factory.mktemp("logs")
    paths = [folder / "few.parquet", folder / "many.parquet"]
    for path, rows in zip(paths, (400_000, ROWS), strict=True):
        frame.head(rows).write_parquet(path, row_group_size=200_000)
    return paths


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("options", [[], ["--by", "segment"]], ids=["whole", "slices"])
def test_a_file_is_streamed(logs, options):
    options = ["--y-true", "y", "--y-pred", "p", *options]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *logs, *options],
        capture_output=True,
        text=True,
        check=True,
    )
    grown = int(done.stdout.splitlines()[-1])
    assert grown < 14 * ROWS  # of the 24 bytes that a row has in memory


INTERRUPT = """
import os, signal, sys, threading, time
from confmat_start import main

def send():
    print("sent", time.perf_counter(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)

class Watch:  # Polars must be imported by the command, which does so after it looks for signals
    def find_spec(self, name, path=None, target=None):
        if name == "confmat.command.job":
            lazy = sys.modules["polars"].LazyFrame
            before = lazy.collect_batches
            def collect(*args, **kwargs):
                threading.Timer(0.3, send).start()
                lazy.collect_batches = before
                return before(*args, **kwargs)
            lazy.collect_batches = collect

sys.meta_path.insert(0, Watch())
try:
    main()
finally:
    print("ended", time.perf_counter())
"""


def test_an_interrupt_ends_a_query(logs, tmp_path):
    for number in range(8):  # 128 million rows; links to one file would be read once
        shutil.copyfile(logs[1], tmp_path / f"{number}.parquet")
    options = [tmp_path / "*.parquet", "--y-true", "y", "--y-pred", "p", "--by", "segment"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT, "evaluate", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")
    assert "INCOMPLETE: stopped before the end" in done.stdout
    times = dict(
        line.split() for line in done.stdout.splitlines() if line[:5] in ("sent ", "ended")
    )
    sent, ended = float(times["sent"]), float(times["ended"])
    assert ended - sent < 1.5  # seconds; the query takes several
