"""No digit of a metric depends on the instruction set that its loops run with."""

import os
import subprocess
import sys

import pytest

VALUES = """
import hashlib, numpy as np, polars as pl, confmat as cm
rng = np.random.default_rng(12)
n = 30_000
g = rng.integers(0, 3_000, n)
y = (rng.random(n) < 0.3 + g % 5 / 10).astype(np.int8)
p = np.where(rng.random(n) < 0.7, y, 1 - y).astype(np.int8)
frame = pl.DataFrame({"g": g, "y": y, "p": p})
named = pl.col("level").is_in(["overall", "class", "average"])
names = cm.list_metrics().filter(named)["name"].to_list()
out = frame.cm.evaluate("y", "p", by="g", labels=[0, 1], pos_label=1, metrics=names)
assert out.height == 3_000 and len(names) > 100
values = out.sort("g").select(names).fill_null(-7.0).fill_nan(-8.0).to_numpy()
print(len(names), np.count_nonzero(values == -7.0), hashlib.sha256(values.tobytes()).hexdigest())
"""


def of_set(name: str) -> str:
    """Return a digest of metrics of many small tables, in a process with these loops."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", VALUES],
        env={**os.environ, "CONFMAT_ISA": name},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("name", ["avx2", "avx512"])
def test_values_have_the_bits_of_the_plainest_loops(name):
    assert of_set(name) == of_set("base")
