"""The convex hull of the ROC curve: corners, exactness, and what it is for."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

import confmat as cm
from confmat.scores.convex_hull import upper_hull


def plain(x, y):
    """Return the corners by their definition: above every line between two other points."""
    points = sorted(
        {
            (int(a), int(b)): i for i, (a, b) in reversed([*enumerate(zip(x, y, strict=True))])
        }.items()
    )
    kept = []
    for place, ((a, b), at) in enumerate(points):
        under = any(
            (b - d) * (e - c) <= (f - d) * (a - c)
            for (c, d), _ in points[:place]
            for (e, f), _ in points[place + 1 :]
        )
        if not under:
            kept.append(at)
    return kept


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_corners(steps):
    x, y = np.cumsum([(0, 0), *steps], axis=0).T
    assert upper_hull(x, y).tolist() == plain(x, y)
    assert upper_hull(x / 1.0, y / 1.0).tolist() == plain(x, y)
    assert upper_hull(x << 40, y << 40).tolist() == plain(x, y)  # products beyond 64 bits


def test_long_curves():
    rng = np.random.default_rng(0)
    x, y = np.cumsum(rng.integers(0, 3, (2, 100_000)), axis=1)
    hull = upper_hull(x, y)
    slopes = np.diff(y[hull]) / np.maximum(np.diff(x[hull]), 1e-9)
    assert (np.diff(slopes) < 0).all()
    line = np.interp(x, x[hull], y[hull])
    assert (y <= line + 1e-6).all()
    # A valley that is filled one point at a time from either side.
    half = np.cumsum(np.arange(2000, 0, -1))
    x, y = np.arange(4000), np.concatenate([half, half[-1] + half])
    assert (np.diff(np.diff(y[upper_hull(x, y)]) / np.diff(x[upper_hull(x, y)])) < 0).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_of_the_isotonic_fit(weighted):
    """The hull has one edge for each block of the isotonic regression."""
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, 500), np.round(rng.random(500), 2)
    s = cm.sweep(y, score, sample_weight=rng.random(500) if weighted else None)
    hull = s.roc_curve(hull=True)
    mass = s.positives + s.negatives
    fit = isotonic_regression(-(s.positives / mass), weights=mass.astype(float))
    assert hull["threshold"][1:].to_list() == s.scores[fit.blocks[1:] - 1].tolist()


def test_best_for_some_cost():
    y, score = [0, 1, 0, 0, 1, 1, 1, 0, 1], [0.1, 0.1, 0.4, 0.4, 0.4, 0.8, 0.9, 0.9, 0.9]
    s = cm.sweep(y, score)
    hull = s.roc_curve(hull=True)
    assert hull.columns == s.roc_curve().columns
    assert hull.join(s.roc_curve(), on=s.roc_curve().columns, how="anti").is_empty()
    costs = [[[0, 1], [c, 0]] for c in np.geomspace(0.01, 100, 99)]
    assert {s.best("cost", cost=c).threshold for c in costs} == set(hull["threshold"])


def test_degenerate():
    assert cm.sweep([], []).roc_curve(hull=True).height == 1
    assert cm.sweep([1, 1], [0.2, 0.3]).roc_curve(hull=True)["tp"].to_list() == [0, 2]
    tied = cm.sweep([0, 1], [0.5, 0.5]).roc_curve(hull=True)
    assert tied.select("fpr", "tpr").rows() == [(0.0, 0.0), (1.0, 1.0)]
    assert cm.sweep([0, 1], [0.1, 0.2]).roc_curve(2, hull=True).height == 2
    nothing = cm.sweep([0, 1, 0], [0.1, 0.2, 0.3], sample_weight=[1.0, 1.0, 0.0])
    assert nothing.roc_curve(hull=True)["threshold"].to_list() == [np.inf, 0.2, 0.1]
    with pytest.raises(cm.InputError, match="not both"):
        cm.sweep([0, 1], [0.1, 0.2]).roc_curve(thresholds=[0.1], hull=True)


def test_binned():
    s = cm.sweep([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.9], bins=256)
    assert isinstance(s.roc_curve(hull=True), pl.DataFrame)
