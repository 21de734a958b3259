"""The page on uncertainty shows what the code gives, and the coverage that its command computes."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest
from support.pages import failures, page

from confmat.intervals.binomial import METHODS

ROOT = Path(__file__).parents[3]
PAGE = page("uncertainty.md")


@pytest.fixture(scope="module")
def coverage():
    """Return the script that makes the tables."""
    place = ROOT / "benchmarks" / "interval_coverage.py"
    spec = importlib.util.spec_from_file_location("interval_coverage", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_examples():
    blocks, failed = failures(PAGE)
    assert blocks >= 6
    assert not failed, failed


@pytest.mark.parametrize("method", METHODS)
def test_the_table_of_rates_is_exact(coverage, method):
    row = re.search(rf"^\| {method} \|(.*)\|$", PAGE, re.MULTILINE).group(1)
    for n, cell in zip(coverage.SIZES, row.split("|"), strict=True):
        found = coverage.of_rates(method, n)
        assert cell.strip() == f"{100 * found.mean():.1f} ({100 * found.min():.1f})"
        if method == "clopper_pearson":
            assert found.min() >= 0.95
        elif n >= 30 and method != "agresti_coull":
            assert 0.94 <= found.mean() <= 0.96


def test_the_table_of_metrics_is_what_samples_show(coverage):
    part = PAGE.partition("<!-- coverage: begin -->")[2].partition("<!-- coverage: end -->")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \|((?: \d+\.\d \|){7})$", part, re.MULTILINE)
    assert len(rows) == sum(len(one.sizes) for one in coverage.SCENARIOS)
    coverage.RUNS, coverage.SEED = 2_000, 5
    for line, (name, n, cells) in zip(coverage.matrix_lines(), rows, strict=True):
        assert line[:2] == (name, n)
        found, said = (np.array([*map(float, x)]) for x in (line[2:], cells.split("|")[:-1]))
        spread = np.sqrt(said * (100 - said) * (1 / 2_000 + 1 / 20_000))
        assert (np.abs(found - said) <= 4.5 * spread + 0.1).all()
        if (name.startswith("balanced") and n != "50") or n in ("5,000", "20,000"):
            assert ((said[:4] >= 93.5) & (said[:4] <= 96.7)).all()
