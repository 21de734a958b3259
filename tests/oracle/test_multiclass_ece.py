"""Calibration errors of many classes against loops over rows and bins, in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

import confmat as cm

K = 4
RNG = np.random.default_rng(31)
Y = RNG.integers(0, K, 300)
# Eighths are exact, and many of them lie on the edges of bins.
PROBA = RNG.multinomial(8, [0.4, 0.3, 0.2, 0.1], 300) / 8
WEIGHT = RNG.integers(0, 4, 300)


def error(scores, positive, weight, bins):
    gaps = [Fraction(0)] * bins
    for score, hit, w in zip(scores, positive, weight, strict=True):
        bin_of = next(b for b in range(bins) if float(score) <= (b + 1) / bins)
        gaps[bin_of] += int(w) * (int(hit) - Fraction(float(score)))
    return sum(map(abs, gaps)) / int(sum(weight))


@pytest.mark.parametrize("bins", [1, 2, 3, 8, 10])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_calibration_errors(bins, dtype, weighted):
    weight = WEIGHT if weighted else np.ones(len(Y), dtype=int)
    s = cm.multiclass_sweep(
        Y, PROBA.astype(dtype), labels=list(range(K)), sample_weight=weight if weighted else None
    )
    classes = [error(PROBA[:, k], k == Y, weight, bins) for k in range(K)]
    assert s.value("classwise_ece", bins=bins) == pytest.approx(float(sum(classes) / K), rel=1e-12)
    top = PROBA.argmax(axis=1)
    wanted = error(PROBA.max(axis=1), top == Y, weight, bins)
    assert s.value("top_label_ece", bins=bins) == pytest.approx(float(wanted), rel=1e-12)
