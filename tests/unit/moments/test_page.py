"""The page on regressions shows what the code gives, and the coverage that its command computes."""

import importlib.util
import re
from pathlib import Path

import numpy as np
from support.pages import failures, page

PAGE = page("regression.md")
SCRIPT = Path(__file__).parents[3] / "benchmarks" / "regression_coverage.py"


def test_examples():
    blocks, failed = failures(PAGE)
    assert blocks >= 5
    assert not failed, failed


def test_the_table_is_what_samples_show():
    spec = importlib.util.spec_from_file_location("regression_coverage", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    lines = re.findall(r"^\| 100 \| (delta|normal) \|(.*)\|$", PAGE, re.MULTILINE)
    assert len(lines) == 2 * len(script.SCENARIOS)
    normal = script.SCENARIOS[0]
    truth = [1.0, *[np.nan] * (len(script.METRICS) - 1)]  # the bias, which is known
    found = 100 * script.coverage(normal, 100, 150, np.array(truth))[0, 0]
    said = float(lines[0][1].split("|")[0])
    assert abs(found - said) <= 4.5 * np.sqrt(said * (100 - said) / 150)
    assert said >= 93
