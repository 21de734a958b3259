"""Tables of many classes are lists of cells: a cell that outweighs the others takes no digits."""

import numpy as np
import polars as pl
import pytest

import confmat as cm


@pytest.mark.parametrize("others", [1.0, 1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("k", [70, 1100, 12_000])
def test_a_correlation_of_vectors_keeps_its_digits(k, others):
    rng = np.random.default_rng(7)
    y, p = rng.integers(0, 40, (2, 100))
    w = np.append(others * rng.random(99), 1.0)
    wanted = cm.confusion_matrix(y, p, sample_weight=w).rv_coefficient  # a table
    many = cm.confusion_matrix(y, p, sample_weight=w, labels=range(k))
    assert many.rv_coefficient == pytest.approx(wanted, rel=1e-7 if k > 1024 else 1e-14)
    if k > 11_585:
        return
    ask = cm.metrics("y", "p", "rv_coefficient", sample_weight="w", labels=range(k))
    group = pl.DataFrame({"g": 0, "y": y, "p": p, "w": w}).group_by("g").agg(m=ask).unnest("m")
    assert group["rv_coefficient"].item() == many.rv_coefficient


def test_counts_keep_their_digits_too():
    y = np.append(np.zeros(400_000, int), np.arange(90) % 70)
    p = np.append(np.zeros(400_000, int), np.arange(90) * 7 % 71 % 70)
    frame = pl.DataFrame({"g": 0, "y": y, "p": p})
    group = frame.group_by("g").agg(m=cm.metrics("y", "p", "rv_coefficient")).unnest("m")
    wanted = cm.confusion_matrix(y, p).rv_coefficient
    assert group["rv_coefficient"].item() == pytest.approx(wanted, rel=1e-13)
