"""How much memory an evaluation of a log takes at its peak, as the log grows.

    python benchmarks/memory_of_logs.py                                 # prints the table
    python benchmarks/memory_of_logs.py --rows 10 20 --folder /data     # millions of rows

Parquet files of 10 million rows are made up to 50 million, and copied from there on. Each number
is of a process of its own: the most memory that was resident, as the kernel counted it, less what
was resident once confmat and Polars were loaded. `decoding` is Polars reading the same columns and
keeping nothing of them. The files take 8 bytes a row, and are removed at the end.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.log_files import BY, ROW_GROUP, as_texts, numbers

MILLION = 1_000_000
PER_FILE, MADE = 10 * MILLION, 50 * MILLION
ROWS = (100, 300, 1000)
TEXT_ROWS = 100
LEAST_FREE = 15_000_000_000

HARD = {"y_true": "y", "y_pred": "p", "by": BY}
SCORED = {"y_true": "b", "y_pred": "q", "y_score": "s", "by": BY}
QUESTIONS = {
    "hard labels": ("numbers", HARD),
    "labels and scores in bins": ("numbers", SCORED),
    "labels and keys of String": ("texts", HARD),
}

CHILD = """
import json, sys, time
import polars as pl
import confmat as cm

def kilobytes(entry):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(entry))

files, asked, how = json.loads(sys.argv[1])
pl.select(pl.lit(1)).lazy().collect(engine="streaming")  # threads are started
before, begun = kilobytes("VmRSS"), time.perf_counter()
if how == "decoding":
    columns = [asked[name] for name in ("y_true", "y_pred", "y_score") if name in asked]
    scan = pl.scan_parquet(files).select(*columns, *asked["by"])
    rows = scan.select(pl.len(), pl.all().max()).collect(engine="streaming")["len"].item()
else:
    e = cm.evaluate(files, **asked)
    rows = e.n
    assert e.slices().height == 1_000
took = time.perf_counter() - begun
print(json.dumps({"rows": rows, "kilobytes": kilobytes("VmHWM") - before, "seconds": took}))
"""


def made(folder: Path, kind: str, rows: int) -> list[str]:
    """Return the files of a log, made or copied where they are not there."""
    paths = [folder / f"{kind}-{at:03d}.parquet" for at in range(max(rows // PER_FILE, 1))]
    rng = np.random.default_rng(47)
    for at, path in enumerate(paths):
        if path.exists():
            continue
        if shutil.disk_usage(folder).free < LEAST_FREE:
            raise SystemExit(f"{folder} has less than {LEAST_FREE / 1e9:.0f} GB left; stopped")
        if at >= MADE // PER_FILE:
            shutil.copyfile(paths[at % (MADE // PER_FILE)], path)
            continue
        frame = numbers(min(rows, PER_FILE), rng)
        frame = as_texts(frame) if kind == "texts" else frame
        frame.write_parquet(path, row_group_size=ROW_GROUP)
    return [str(path) for path in paths]


def measured(files: list[str], asked: dict[str, object], how: str) -> tuple[float, float]:
    """Return megabytes above the interpreter at the peak, and seconds, of a fresh process."""
    command = [sys.executable, "-c", CHILD, json.dumps([files, asked, how])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout)
    return found["kilobytes"] * 1024 / 1e6, found["seconds"]


def main() -> None:
    """Measure all questions."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, help="millions")
    parser.add_argument("--folder", type=Path, help="where files are made; default: temporary")
    asked = parser.parse_args()
    print("| question | rows | peak | seconds | decoding, peak | seconds |", "|---" * 6, sep="\n")
    with tempfile.TemporaryDirectory(dir=asked.folder) as made_in:
        folder = Path(made_in)
        for question, (kind, options) in QUESTIONS.items():
            for millions in sorted(asked.rows):
                if kind == "texts" and millions > TEXT_ROWS:
                    continue
                files = made(folder, kind, millions * MILLION)
                peak, took = measured(files, options, "ours")
                floor, floor_took = measured(files, options, "decoding")
                print(
                    f"| {question} | {millions:,} million | {peak:,.0f} MB | {took:.1f} "
                    f"| {floor:,.0f} MB | {floor_took:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
