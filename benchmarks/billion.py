"""How long the confusion matrix of 10^9 pairs of labels takes: `python benchmarks/billion.py`.

Ten classes as uint8 in two NumPy arrays, 2 GB, no labels given; `--rows` takes another number.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

import numpy as np

import confmat as cm

K, BLOCK, ROUNDS = 10, 10_000_000, 7


def main() -> None:
    """Count, compare with the sums of blocks, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000_000)
    rows = parser.parse_args().rows
    rng = np.random.default_rng(20_260)
    y, p = np.empty(rows, np.uint8), np.empty(rows, np.uint8)
    cells = np.zeros(K * K, np.int64)
    for at in range(0, rows, BLOCK):
        part = slice(at, min(at + BLOCK, rows))
        n = part.stop - at
        y[part] = rng.integers(0, K, n, np.uint8)
        wrong = rng.integers(0, 6, n, np.uint8) == 0
        p[part] = np.where(wrong, rng.integers(0, K, n, np.uint8), y[part])
        cells += np.bincount(y[part] * K + p[part], minlength=K * K)
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        found = cm.confusion_matrix(y, p)
        times.append(time.perf_counter() - begun)
    np.testing.assert_array_equal(found.counts.ravel(), cells)
    print(
        f"{rows:,} pairs on {os.cpu_count()} cores: median {statistics.median(times):.3f} s, "
        f"least {min(times):.3f} s of {ROUNDS}"
    )


if __name__ == "__main__":
    main()
