"""Bins of true numbers: as fine as few are, whatever the parts that the rows came in."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.moments.names import exact

NAMES = ["d2_absolute_error", "d2_pinball(0.25)", "d2_pinball(0.9)", "d2_huber", "d2_huber(0.25)"]
N = 20_000


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return {
        "around 200": rng.normal(200, 4, N),
        "around 10^6": rng.normal(1e6, 1, N),
        "prices": np.round(rng.lognormal(3, 1, N), 2),
        "0 to 100": rng.integers(0, 101, N).astype(float),
        "negative": -rng.gamma(9, 30, N),
        "both signs": rng.normal(0, 3, N),
        "tiny spread": 1e-3 + rng.normal(0, 1e-9, N),
        "times of a year": 1.7e9 + rng.uniform(0, 3e7, N),
        "one far away": np.append(rng.normal(200, 4, N - 1), -1e12),
    }


@pytest.fixture(scope="module", params=drawn())
def rows(request):
    y = drawn()[request.param]
    rng = np.random.default_rng(1)
    spread = np.diff(np.quantile(y, [0.25, 0.75]))[0]
    return y, y + rng.normal(size=N) * spread / 3, rng.uniform(0.1, 2, N)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_usual_case_is_that_of_the_rows(rows, weighted):
    y, p, w = rows
    w = w if weighted else None
    kept = cm.regression(y, p, sample_weight=w, metrics=NAMES)
    of_rows = cm.regression(y, p, sample_weight=w, metrics=exact(NAMES))
    for name in NAMES:
        rest = 1 - of_rows.value(name)
        assert 1 - kept.value(name) == pytest.approx(rest, rel=2e-3), name
        assert kept.reason(name) is None


@pytest.mark.parametrize("weighted", [False, True])
def test_as_scikit_learn_has_it(rows, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    y, p, w = rows
    w = w if weighted else None
    kept = cm.regression(y, p, sample_weight=w, metrics=["d2_absolute_error"])
    for quantile in (0.25, 0.5, 0.9):
        theirs = metrics.d2_pinball_score(y, p, sample_weight=w, alpha=quantile)
        ours = kept.value("d2_pinball", quantile=quantile)
        assert 1 - ours == pytest.approx(1 - theirs, rel=2e-3)
    theirs = metrics.d2_absolute_error_score(y, p, sample_weight=w)
    assert 1 - kept.d2_absolute_error == pytest.approx(1 - theirs, rel=2e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_any_parts_in_any_order_give_the_same_bytes(rows, weighted):
    y, p, w = rows
    whole = cm.regression(y, p, sample_weight=w if weighted else None, metrics=NAMES)
    rng = np.random.default_rng(2)
    for cuts in (3, 40):
        order = rng.permutation(N)
        ends = np.sort(rng.integers(0, N, cuts))
        parts = [
            cm.regression(y[at], p[at], sample_weight=w[at] if weighted else None, metrics=NAMES)
            for at in np.split(order, ends)
        ]
        assert cm.merge(parts).to_bytes() == whole.to_bytes()
        one_by_one = parts[0]
        for part in parts[1:]:
            one_by_one = part + one_by_one
        assert one_by_one.to_bytes() == whole.to_bytes()
    assert cm.from_bytes(whole.to_bytes()) == whole
    rest = whole - parts[0]
    assert (rest + parts[0]).values(NAMES) == whole.values(NAMES)
    left = order[ends[0] :]
    wanted = cm.regression(y[left], p[left], sample_weight=w[left] if weighted else None)
    assert rest.n == pytest.approx(wanted.n, rel=1e-12)
    assert math.isfinite(rest.d2_absolute_error)


@pytest.mark.parametrize("weighted", [False, True])
def test_up_to_256_numbers_are_each_a_bin(weighted):
    rng = np.random.default_rng(3)
    y = 1e9 + np.round(rng.normal(0, 100, 9_000))
    y = y[np.isin(y, np.unique(y)[:256])]
    assert len(np.unique(y)) == 256
    p, w = y + rng.normal(size=len(y)), rng.random(len(y)) if weighted else None
    kept = cm.regression(y, p, sample_weight=w, metrics=NAMES)
    assert kept.values(NAMES) == cm.regression(y, p, sample_weight=w, metrics=exact(NAMES)).values(
        NAMES
    )


@pytest.mark.parametrize("of", ["around 200", "around 10^6", "tiny spread", "times of a year"])
def test_states_stay_small(of):
    y = drawn()[of]
    w = np.random.default_rng(6).random(N)
    assert len(cm.regression(y, y, metrics=NAMES[:1]).to_bytes()) < 256 * 40 + 500
    weighted = cm.regression(y, y, sample_weight=w, metrics=NAMES[:1])
    assert len(weighted.to_bytes()) < 256 * 80 + 500


def too_wide():
    """Return numbers close together, and so many of any size that none is told finely."""
    rng = np.random.default_rng(4)
    y = np.append(1e9 + rng.normal(size=100_000), 2 ** rng.uniform(-200, 0, 600))
    return y, y + rng.normal(size=len(y))


def test_bins_that_are_too_wide_say_so():
    y, p = too_wide()
    kept = cm.regression(y, p, metrics="d2_pinball")
    assert math.isnan(kept.value("d2_pinball"))
    assert kept.reason("d2_pinball") == (
        'the true values lie too close together for their bins; "exact_truths" keeps each'
    )
    each = cm.regression(y, p, metrics=["d2_pinball", "exact_truths"])
    assert each.d2_pinball == cm.d2_pinball(y, p)


def test_slices_of_logs(rows, tmp_path):
    y, p, w = rows
    log = pl.DataFrame({"y": y, "p": p, "w": w, "site": np.arange(N) % 7})
    log.write_parquet(tmp_path / "log.parquet")
    of = {"y_true": "y", "y_pred": "p", "sample_weight": "w", "task": "regression"}
    of_rows = log.cm.evaluate(by="site", metrics=NAMES, **of).sort("site")
    for source in (log, tmp_path / "log.parquet"):
        e = cm.evaluate(source, by="site", metrics=NAMES, **of)
        of_bins = e.slices().sort("site")
        for name in NAMES:
            assert (1 - of_bins[name]).to_list() == pytest.approx(
                (1 - of_rows[name]).to_list(), rel=5e-3
            ), name
        whole = cm.regression(y, p, sample_weight=w, metrics=NAMES)
        assert e.overall(NAMES)["value"].to_list() == list(whole.values(NAMES).values())


def test_calibration_of_states_that_keep_truths_too():
    rng = np.random.default_rng(5)
    y = rng.normal(size=9_000)
    p = y + rng.normal(size=9_000)
    both = cm.regression(y, p, metrics=["density", "d2_absolute_error"])
    alone = cm.regression(y, p, metrics=["density"])
    assert both.calibration().equals(alone.calibration())
