"""The page on adequacy, other shares and monitoring shows what the code gives."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.pages import failures, page

import confmat as cm

ROOT = Path(__file__).parents[3]
PAGE = page("enough.md")


def test_examples():
    blocks, failed = failures(PAGE)
    assert blocks == 4
    assert not failed, failed


def lines():
    """Return the table of coverage."""
    rows = re.findall(r"^\| 0\.\d.*$", PAGE, re.MULTILINE)
    return [[float(x) for x in re.findall(r"\d+(?:\.\d+)?", row)] for row in rows]


@pytest.mark.parametrize("at", range(5))
def test_the_table_of_coverage_is_what_samples_show(at):
    recall, fpr, positives, negatives, p, *wanted = lines()[at]
    n1, n0 = int(positives), int(negatives)
    truth = recall * p / (recall * p + fpr * (1 - p))
    rng = np.random.default_rng(at)
    held = dict.fromkeys(("default", "delta", "weights"), 0)
    seen = {}
    draws = 300
    for tp, fp in zip(rng.binomial(n1, recall, draws), rng.binomial(n0, fpr, draws), strict=True):
        if (tp, fp) not in seen:
            m = cm.ConfusionMatrix([[n0 - fp, fp], [n1 - tp, tp]]).at_prevalence(p)
            bare = cm.from_bytes(m.to_bytes())
            asked = (m.ci("precision"), m.ci("precision", method="delta"), bare.ci("precision"))
            seen[tp, fp] = [one.low <= truth <= one.high for one in asked]
        for name, is_held in zip(held, seen[tp, fp], strict=True):
            held[name] += is_held
    for found, said in zip(held.values(), wanted, strict=True):
        share = said / 100
        assert found / draws == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / draws))
