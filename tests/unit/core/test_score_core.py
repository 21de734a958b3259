"""Score metrics of the core: vectors, exact fractions, metrics at thresholds, bad input."""

import contextlib
import math
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from confmat import InputError, _core
from confmat.options import SECOND, Options

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VECTORS = Path(__file__).parents[2] / "vectors" / "scores" / "sweeps.toml"
CASES = tomllib.loads(VECTORS.read_text("utf-8"))["case"]
NAMES = [fact["name"] for fact in _core.score_facts()]
ALL_NAMES = sorted({n for f in _core.facts() for n in (f["name"], *f["aliases"])})


def arrays_of(case):
    scores = np.array(case["scores"], case.get("dtype", "float64"))
    amounts = [np.array(case[side]) for side in ("positives", "negatives")]
    if any(a.dtype == np.float64 for a in amounts):
        amounts = [a.astype(np.float64) for a in amounts]
    return scores, *amounts


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_vectors(case):
    got = _core.score_values(list(case["values"]), *arrays_of(case))
    wanted = list(case["values"].values())
    np.testing.assert_allclose(got, wanted, rtol=1e-14, atol=1e-16)


def test_every_score_metric_has_a_vector():
    assert set(NAMES) <= {name for case in CASES for name in case["values"]}


def test_values_out_of_the_vectors_are_undefined():
    case = next(case for case in CASES if case["name"] == "no negatives")
    reasons = _core.score_reasons(NAMES, *arrays_of(case))
    for name, value, reason in zip(
        NAMES, _core.score_values(NAMES, *arrays_of(case)), reasons, strict=True
    ):
        assert math.isnan(value) == (name not in case["values"])
        assert reason == ("there are no negatives" if math.isnan(value) else None)


def test_facts_are_complete():
    for fact in _core.score_facts():
        assert fact["symbol"]
        assert fact["formula"]
        assert fact["summary"].endswith(".")
        assert fact["reference"]
        assert fact["better"] in ("higher", "lower")
        assert fact["lo"] < fact["hi"]
        assert all(p["name"].isidentifier() and p["text"] for p in fact["params"])


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64, np.int64])
def test_the_fraction_is_that_of_all_pairs(dtype):
    rng = np.random.default_rng(3)
    for _ in range(20):
        p, n = rng.integers(0, 6, (2, rng.integers(1, 9))).astype(dtype)
        over = sum(
            int(p[i]) * int(n[j]) * (Fraction(1, 2) if i == j else int(i < j))
            for i in range(len(p))
            for j in range(len(n))
        )
        pairs = int(p.sum()) * int(n.sum())
        assert _core.auc_fraction(p, n) == (2 * over, 2 * pairs)
        scores = np.linspace(1, 0, len(p))
        auc, gini = _core.score_values(["roc_auc", "gini"], scores, p, n)
        if pairs:
            assert auc == float(Fraction(over) / pairs)
            assert gini == float(2 * Fraction(over) / pairs - 1)


def test_large_fractions_are_exact():
    big = 2**49
    counts = np.array([big + 1, big - 1], np.uint64), np.array([big, big + 2], np.uint64)
    over, under = _core.auc_fraction(*counts)
    assert under == 2 * (2 * big) * (2 * big + 2)
    wanted = big * (big + 1) + (big + 2) * (2 * (big + 1) + big - 1)
    assert over == wanted


def test_strided_arrays_are_read_as_they_are():
    rng = np.random.default_rng(4)
    scores = np.sort(rng.random(20))[::-1]
    p, n = rng.integers(0, 5, (2, 20)).astype(np.uint32)
    every = [a[::2] for a in (scores, p, n)]
    copies = [a.copy() for a in every]
    assert _core.score_values(NAMES, *every) == _core.score_values(NAMES, *copies)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([1, 0], [1, 0], [1, 1]), "`scores` has dtype int64"),
        (([1.0, 0.0], [1, 0], [1.0, 1.0]), "`negatives` of the same"),
        (([1.0, 0.0], [1, 0, 1], [1, 1]), "`positives` has 3 entries"),
        (([1.0, 0.0], [-1, 0], [1, 1]), "`positives` holds -1 at position 0"),
        (([1.0, 0.0], [1.0, 0.0], [1.0, math.nan]), "`negatives` holds nan at position 1"),
        (([1.0, 0.0], [1.0, 0.0], [math.inf, 1.0]), "`negatives` holds inf at position 0"),
    ],
)
def test_bad_arrays(arrays, message):
    with pytest.raises(InputError, match=message):
        _core.score_values(["roc_auc"], *map(np.array, arrays))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([math.nan], "nan at position 0"),
        ([0.9, math.nan, 0.5], "nan at position 1"),
        ([0.9, 0.5, math.nan], "nan at position 2"),
        ([0.9, 1e300, 0.5], "at position 1: wanted distinct numbers that descend"),
        ([0.5, 0.5], "0.500000 at position 1"),
        ([0.1, 0.2], "0.200000 at position 1"),
        ([0.0, -0.0], "-0.000000 at position 1"),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_that_do_not_descend_are_refused(scores, message, dtype):
    with np.errstate(over="ignore"):
        scores = np.array(scores).astype(dtype)
    ones = np.ones(len(scores), np.uint32)
    for ask in (_core.score_values, _core.score_reasons):
        with pytest.raises(InputError, match="`scores` holds .*" + message):
            ask(["ece(10)"], scores, ones, ones)


def last_is(value, size=4_000_000, fill=1):
    out = np.full(size, fill, np.float64 if isinstance(value, float) else np.int64)
    out[-1] = value
    return out


ONES, HALVES = last_is(1), last_is(0.5, fill=0.5)
COUNTS = ONES.view(np.uint64)
DESCENDING = np.arange(len(ONES), 0, -1.0)


@pytest.mark.parametrize(
    ("call", "args"),
    [
        (_core.score_reasons, (["ks"], DESCENDING, COUNTS, COUNTS)),
        (_core.score_reasons, (["ks"], np.append(DESCENDING[:-1], math.nan), COUNTS, COUNTS)),
        (_core.auc_fraction, (COUNTS, COUNTS)),
        (_core.auc_fraction, (ONES, last_is(-1))),
        (_core.auc_fraction, (HALVES, last_is(-1.0))),
        (_core.metrics_at, (["f1"], ONES, last_is(9), 4, 3)),
        (_core.metrics_at, (["f1"], HALVES, last_is(9.0, fill=0.5), 4.0, 3.0)),
        (_core.metrics_at, (["f1"], last_is(1.0), last_is(0.5), -1.0, 3.0)),
    ],
)
def test_other_threads_run_during_the_passes(call, args):
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0)

    def runs_along():
        before = ticks[0]
        with contextlib.suppress(InputError):
            call(*args)
        return ticks[0] > before

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread runs until it lets another one
    other = threading.Thread(target=tick)
    other.start()
    try:
        assert any(runs_along() for _ in range(30))
    finally:
        done.set()
        sys.setswitchinterval(interval)
        other.join()


def cells_at(tp, fp, p, n):
    return np.stack([np.stack([n - fp, fp], -1), np.stack([p - tp, tp], -1)], -2)


@pytest.mark.parametrize("undefined", [None, 0.0])
@pytest.mark.parametrize(("p", "n"), [(5, 7), (10**7, 3), (10**12, 10**11), (0, 4), (4, 0)])
def test_metrics_at_are_those_of_each_table(p, n, undefined):
    rng = np.random.default_rng(p + n)
    tp, fp = (np.sort(np.append(rng.integers(0, most + 1, 8), [0, most])) for most in (p, n))
    got, none = _core.metrics_at(ALL_NAMES, tp, fp, p, n, undefined=undefined, threads=2)
    cells = cells_at(tp, fp, p, n)
    wanted = _core.Asks(ALL_NAMES).values(cells, ["0", "1"], Options(1, undefined))
    np.testing.assert_array_equal(got, wanted.T)
    np.testing.assert_array_equal(none, np.isnan(got).sum(axis=1))


def test_metrics_at_of_weights_are_those_of_each_table():
    rng = np.random.default_rng(8)
    tp, fp = np.cumsum(rng.random((2, 9)), axis=1)
    p, n = tp[-1] + 0.5, fp[-1]
    got, none = _core.metrics_at(ALL_NAMES, tp, fp, p, n)
    wanted = _core.Asks(ALL_NAMES).values(cells_at(tp, fp, p, n), ["0", "1"], SECOND)
    # Tables of weights run on whole numbers; what stands at thresholds runs on doubles.
    np.testing.assert_allclose(got, wanted.T, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(none, np.isnan(got).sum(axis=1))
    whole, _ = _core.metrics_at(ALL_NAMES, np.array([1.0, 2.0]), np.array([0.0, 3.0]), 4.0, 3.0)
    counts, _ = _core.metrics_at(ALL_NAMES, np.array([1, 2]), np.array([0, 3]), 4, 3)
    np.testing.assert_array_equal(whole, counts)


@pytest.mark.parametrize(
    ("tp", "fp", "message"),
    [
        ([1, 9], [0, 1], "`tp` holds 9 at position 1: there are only 4 in all"),
        ([1, 2], [0, -1], "`fp` holds -1 at position 1"),
        ([1, 2, 3], [0, 1], "`fp` has 2 entries"),
        ([1.0, math.nan], [0.0, 1.0], "`tp` holds nan at position 1"),
        ([-math.inf, 1.0], [0.0, 1.0], "`tp` holds -inf at position 0"),
        ([1.0, 2.0], [0, 1], "of one kind"),
    ],
)
def test_metrics_at_refuses_impossible_counts(tp, fp, message):
    with pytest.raises(InputError, match=message):
        _core.metrics_at(["f1"], np.array(tp), np.array(fp), 4, 3)


def test_metrics_at_of_no_thresholds():
    none = np.array([], np.int64)
    values, undefined = _core.metrics_at(["f1", "mcc"], none, none, 4, 3)
    assert values.shape == (2, 0)
    assert undefined.tolist() == [0, 0]


def test_errors_of_bins_are_those_of_rows_that_fall_into_them():
    n, positives, scores = np.array([4.0, 6.0]), np.array([1.0, 5.0]), np.array([2.0, 4.5])
    for name, want in {
        "ece": 0.15,
        "mce": 0.25,
        "rms_ce": (0.4 * 0.25**2 + 0.6 / 12**2) ** 0.5,
    }.items():
        assert _core.score_of_bins(name, n, positives, scores) == pytest.approx(want, rel=1e-15)
        assert math.isnan(_core.score_of_bins(name, *[np.zeros(0)] * 3))
    with pytest.raises(InputError, match="roc_auc is no metric of bins"):
        _core.score_of_bins("roc_auc", n, positives, scores)
    with pytest.raises(InputError, match="bins of unequal lengths"):
        _core.score_of_bins("ece", n, positives[:1], scores)
