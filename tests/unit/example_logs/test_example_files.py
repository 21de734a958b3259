"""Files of the example log: the same rows in any number of them, each whole or not there."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

import confmat as cm
from confmat.example_logs import files
from confmat.example_logs.files import write_example_log
from confmat.example_logs.rows import rows

N = 150_000
READERS = {
    "parquet": pl.read_parquet,
    "csv": lambda paths: pl.scan_csv(paths, schema_overrides={"time": pl.Datetime("ms")}).collect(),
    "ndjson": lambda paths: pl.concat(
        pl.read_ndjson(path, schema_overrides={"time": pl.Datetime("ms")}) for path in paths
    ),
}


def plain(frame):
    """Return a frame in types that every format knows."""
    return frame.with_columns(
        pl.col("device").cast(pl.String), pl.col("customer_age").cast(pl.Int64)
    )


@pytest.mark.parametrize("format", READERS)
@pytest.mark.parametrize("many", [1, 7])
def test_any_number_of_files_has_the_same_rows(tmp_path, format, many):
    told = []
    paths = write_example_log(
        tmp_path / "a" / "b",
        N,
        files=many,
        format=format,
        seed=5,
        advance=lambda rows, size: told.append((rows, size)),
    )
    assert [path.name for path in paths] == [f"log-{at:04d}.{format}" for at in range(1, many + 1)]
    found, wanted = plain(READERS[format](paths)), plain(rows(0, N, of=N, seed=5))
    for name in ("amount", "y_score"):
        found = found.with_columns(pl.col(name).cast(pl.Float32))
    assert found.equals(wanted)
    sizes = [
        pl.scan_parquet(path).select(pl.len()).collect().item() for path in paths if "q" in format
    ]
    assert sizes == [] or max(sizes) - min(sizes) <= 1
    assert [sum(part) for part in zip(*told, strict=True)] == [
        N,
        sum(path.stat().st_size for path in paths),
    ]


def test_parquet_keeps_types_and_can_be_skipped_by_time(tmp_path):
    (path,) = write_example_log(tmp_path, N)
    assert pl.read_parquet(path).equals(rows(0, N, of=N))
    pq = pytest.importorskip("pyarrow.parquet")
    times = pq.ParquetFile(path).metadata.row_group(0).column(0)
    assert times.statistics.has_min_max


def test_a_file_holds_five_million_rows_at_most(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_ROWS_A_FILE", 60_000)
    assert len(write_example_log(tmp_path, 120_000)) == 2
    assert len(write_example_log(tmp_path, 120_001, force=True)) == 3


def test_a_log_that_is_there_is_replaced_where_that_is_asked_for(tmp_path):
    write_example_log(tmp_path, 1_000, files=3)
    write_example_log(tmp_path, 1_000, format="csv")  # another format is another log
    (tmp_path / "log-mine.parquet").touch()
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(
        cm.InputError, match=r"log-0001.parquet' is there already; `force` replaces"
    ):
        write_example_log(tmp_path, 500, files=2, seed=1)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    paths = write_example_log(tmp_path, 500, files=2, seed=1, force=True)
    assert pl.read_parquet(paths).equals(rows(0, 500, of=500, seed=1))
    assert sorted(os.listdir(tmp_path)) == [
        "log-0001.csv",
        *("log-0001.parquet", "log-0002.parquet", "log-mine.parquet"),
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"n": 0}, "`rows` is 0; wanted at least 1"),
        ({"n": 5, "files": 6}, "`files` is 6; wanted 1 to 5 for 5 rows"),
        ({"n": 5, "files": 0}, "`files` is 0"),
        ({"n": 10**6, "files": 10**6}, "wanted 1 to 100,000 for 1,000,000 rows"),
        ({"n": 5, "format": "xlsx"}, "`format` is 'xlsx'; wanted one of parquet, csv, ndjson"),
        ({"n": 5, "folder": "taken"}, "'taken' is no folder"),
        ({"n": 5, "folder": "taken/below"}, "'taken/below' is no folder, or lies in a file"),
    ],
)
def test_refused(tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    with pytest.raises(cm.InputError, match=told):
        write_example_log(**{"folder": "new"} | arguments)


def test_a_disk_without_room_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    (path,) = write_example_log(tmp_path / "a", N)
    size = path.stat().st_size
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=size * 7))
    with pytest.raises(cm.InputError) as error:
        write_example_log(tmp_path / "b", 10 * N)
    needed = re.search(r"1,500,000 rows need about ([\d.]+) MB", str(error.value))[1]
    assert float(needed) * 1e5 == pytest.approx(size, rel=0.3)
    assert f"has room for {size * 7 / 1e6:.0f} MB" in str(error.value)
    assert os.listdir(tmp_path / "b") == []
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=size // 2))
    assert write_example_log(tmp_path / "a", N, force=True, seed=1)  # the old log makes room


@pytest.mark.parametrize("format", READERS)
def test_a_disk_that_fills_ends_the_work(tmp_path, format):
    done = []
    size = 8_000_000
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        with pytest.raises(OSError, match="File too large; files before it are whole") as error:
            write_example_log(
                tmp_path, 40_000_000, files=1, format=format, advance=lambda r, _: done.append(r)
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert os.listdir(tmp_path) == []
    assert error.value.filename == str(tmp_path / f"log-0001.{format}")
    assert sum(done) < 4_000_000


LONG = """
import resource, sys
from confmat.example_logs.files import write_example_log
write_example_log(sys.argv[1], int(sys.argv[2]), files=int(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize(("many", "after"), [(1, 0.3), (200, 0.0), (200, 0.05), (200, 0.3)])
def test_an_interrupt_leaves_whole_files_only(tmp_path, many, after):
    folder = tmp_path / "log"
    started = subprocess.Popen(
        [sys.executable, "-c", LONG, folder, "80000000", str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not folder.exists() or len(os.listdir(folder)) < min(many, 2):
        assert started.poll() is None
        time.sleep(0.01)
    time.sleep(after)
    sent = time.monotonic()
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert time.monotonic() - sent < 5  # of a minute or so
    assert started.returncode != 0
    assert started.returncode == -signal.SIGINT, err
    assert "KeyboardInterrupt" in err.splitlines()  # threads of Polars may say more of it
    names = sorted(os.listdir(folder))
    assert names == [f"log-{at:04d}.parquet" for at in range(1, len(names) + 1)]
    if many == 1:
        assert names == []
    else:
        found = pl.read_parquet(folder)
        assert found.equals(rows(0, 80_000_000 // many * len(names), of=80_000_000))


def test_memory_does_not_grow_with_the_log(tmp_path):
    used = []
    for n in (1_000_000, 6_000_000):
        command = [sys.executable, "-c", LONG, tmp_path / str(n), str(n), "1"]
        used.append(int(subprocess.run(command, capture_output=True, check=True).stdout) / 1024)
    assert used[1] < used[0] + 60  # MB; the rows have 160
