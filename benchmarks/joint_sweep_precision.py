"""How precise the joint state of two scores is: the table of its precision in docs/uncertainty.md.

``python benchmarks/joint_sweep_precision.py`` prints it, ``--write`` puts it into the page. Both
scores of a row are a common part and one of their own, as normal numbers, or mapped to [0, 1] by
the sigmoid; three rows of ten are positive. What the state says is set against what the rows do.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from interval_coverage import table
from numpy.typing import NDArray

import confmat as cm
from confmat.scores.delong import paired_delong

PAGE = Path(__file__).parent.parent / "docs" / "uncertainty.md"
ROWS = (10_000, 100_000, 1_000_000)
OWN = (2.0, 0.7, 0.1, 0.01)  # standard deviations of what is a score's own, beside 1 in common
HEAD = ("scores", "own part", "rows", "cells of", "MB", "standard error", "bounds, in it")


def scores(rows: int, own: float, is_probability: bool) -> tuple[NDArray[np.int64], list[object]]:
    """Return truth, and the two scores."""
    rng = np.random.default_rng(8)
    y = (rng.random(rows) < 0.3).astype(np.int64)
    common = rng.normal(size=rows) + 1.2 * y
    both = [common + own * rng.normal(size=rows) for _ in range(2)]
    return y, [1 / (1 + np.exp(-one)) if is_probability else one for one in both]


def line(rows: int, own: float, is_probability: bool) -> tuple[str, ...]:
    """Return one line of the table."""
    y, (a, b) = scores(rows, own, is_probability)
    j = cm.joint_sweep(y, a, b)
    known = paired_delong(y, a, b)
    se = math.sqrt(known.var_a + known.var_b - 2 * known.cov)
    least, most = (np.subtract(*one) for one in zip(*_bounds(j), strict=True))
    level = j._state.level
    return (
        "probabilities" if is_probability else "any number",
        f"{own:g}",
        f"{rows:,}",
        '"unit"' if level == 0 else f'"unit/{level}"',
        f"{len(j.to_bytes()) / 1e6:.2f}",
        f"{j.difference().se / se:.3f}",
        f"{(most - least) / se:.2f}",
    )


def _bounds(j: cm.JointSweep) -> tuple[tuple[float, float], tuple[float, float]]:
    (low_a, high_a), (low_b, high_b) = (j.sweep(m).roc_auc_bounds for m in ("a", "b"))
    return (low_b, high_b), (high_a, low_a)


def text() -> str:
    """Return the table."""
    asked = [(rows, own, True) for own in OWN for rows in ROWS]
    asked += [(ROWS[-1], own, False) for own in OWN]
    return table(HEAD, [line(*one) for one in asked])


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    if not parser.parse_args().write:
        print(text())
        return
    begin, end = (f"<!-- joint: {mark} -->" for mark in ("begin", "end"))
    before, rest = PAGE.read_text("utf-8").split(begin)
    PAGE.write_text(f"{before}{begin}\n{text()}\n{end}{rest.split(end)[1]}", "utf-8")


if __name__ == "__main__":
    main()
