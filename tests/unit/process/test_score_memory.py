"""How much memory a large group takes at most, beside its codes, and what stays of it."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
import polars as pl
from confmat.frames.expressions import plugin
from confmat.frames.asked import Asked

ROWS, WEIGHTED = 5_000_000, {weighted}  # of 8 bytes: more than the allocator keeps for itself

def kilobytes(entry):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(entry))

rng = np.random.default_rng(0)
frame = pl.DataFrame({{"y": rng.integers(0, 2, ROWS).astype(np.int8), "s": rng.random(ROWS)}})
frame = frame.with_columns(w=rng.integers(1, 9, ROWS).astype(float))
spec = Asked(score_metrics=["roc_auc"], weighted=WEIGHTED).packed()
inputs = ["y", "s", "w"][: 3 if WEIGHTED else 2]
codes = frame.select(x=plugin("encode_score", inputs, spec, is_elementwise=True).implode())
small = frame.head(10).select(x=plugin("encode_score", inputs, spec, is_elementwise=True).implode())
finish = plugin("score_metrics", ["x"], spec, is_elementwise=True)
small.select(finish)  # what is loaded once
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")
before = kilobytes("VmRSS")
codes.select(finish)
print((kilobytes("VmHWM") - before) * 1024 / ROWS, (kilobytes("VmRSS") - before) * 1024 / ROWS)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs /proc")
@pytest.mark.parametrize(("weighted", "most"), [(False, 34.0), (True, 62.0)])
def test_a_large_group(weighted, most):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(weighted=weighted)],
        capture_output=True,
        text=True,
        check=True,
    )
    peak, kept = map(float, done.stdout.split())
    assert peak < most  # bytes a row
    assert kept < 12
