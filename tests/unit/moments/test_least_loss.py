"""D2 of losses whose best constant is found among the true numbers, at every door."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.moments.names import exact

NAMES = ["d2_absolute_error", "d2_pinball(0.9)", "d2_pinball(0.25)", "d2_huber", "d2_huber(0.25)"]
RNG = np.random.default_rng(11)


def pinball(q):
    return lambda e: max(q * e, (q - 1) * e)


def huber(delta):
    return lambda e: e * e / 2 if abs(e) <= delta else delta * (abs(e) - delta / 2)


LOSSES = {
    "d2_absolute_error": abs,
    "d2_pinball(0.9)": pinball(Fraction(0.9)),
    "d2_pinball(0.25)": pinball(Fraction(1, 4)),
    "d2_huber": huber(Fraction(1)),
    "d2_huber(0.25)": huber(Fraction(1, 4)),
}


def least(y, w, loss, delta):
    """Return the least loss of a constant: one of the numbers, or a zero of a linear slope."""

    def at(c):
        return sum(b * loss(a - c) for a, b in zip(y, w, strict=True))

    if delta is None:
        return min(map(at, y))
    ends = sorted({a + off for a in y for off in (-delta, delta)})
    found = [at(c) for c in (*y, *ends)]
    for low, high in pairwise(ends):
        middle = (low + high) / 2
        inside = [(a, b) for a, b in zip(y, w, strict=True) if abs(a - middle) < delta]
        if inside:
            weight = sum(b for _, b in inside)
            beyond = sum(
                b * (1 if a > middle else -1)
                for a, b in zip(y, w, strict=True)
                if abs(a - middle) >= delta
            )
            found.append(at((sum(a * b for a, b in inside) + delta * beyond) / weight))
    return min(found)


def exact_d2(name, y, p, w):
    y, p, w = ([Fraction(float(x)) for x in of] for of in (y, p, w))
    loss = LOSSES[name]
    delta = {"d2_huber": Fraction(1), "d2_huber(0.25)": Fraction(1, 4)}.get(name)
    lost = sum(b * loss(a - c) for a, c, b in zip(y, p, w, strict=True))
    return 1 - lost / least(y, w, loss, delta)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("centre", [0.0, 3.0, 1e9])
@pytest.mark.parametrize("n", [2, 3, 4, 11])
def test_exact_fractions(n, centre, weighted):
    for _ in range(5):
        y = centre + np.round(RNG.gamma(0.7, 3, n), 2)
        y[0] += 1
        p = y + RNG.normal(size=n)
        w = RNG.random(n) if weighted else None
        r = cm.regression(y, p, sample_weight=w, metrics=exact(NAMES))
        for name in NAMES:
            wanted = float(exact_d2(name, y, p, np.ones(n) if w is None else w))
            # Of 1 - a quotient whose parts have all digits.
            assert r.value(name) == pytest.approx(wanted, abs=4e-15 * (1 + abs(wanted))), name


@pytest.mark.parametrize("seed", [4, 11, 16])
def test_numbers_far_from_the_others_leave_no_rounding(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(100, 1, 40)
    y[:24] = 1e30  # of a column that marks what is missing so
    p = np.where(y > 1e20, y * (1 + 1e-3 * rng.normal(size=40)), y + rng.normal(size=40))
    w = rng.random(40)
    found = cm.d2_huber(y, p, sample_weight=w)
    assert found == pytest.approx(float(exact_d2("d2_huber", y, p, w)), rel=1e-9)


def test_weights_are_repeated_rows():
    y, p = RNG.normal(5, 2, 50), RNG.normal(5, 2, 50)
    times = RNG.integers(0, 4, 50)
    metrics = exact(NAMES)
    weighted = cm.regression(y, p, sample_weight=times.astype(float), metrics=metrics)
    repeated = cm.regression(y.repeat(times), p.repeat(times), metrics=metrics)
    for name in NAMES:
        assert weighted.value(name) == pytest.approx(repeated.value(name), rel=1e-14), name


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("centre", [0, 20, 200])
def test_bins_are_off_by_at_most_a_hundredth(centre, weighted):
    y = centre + RNG.gamma(2, 3, 5_000)
    p = y + RNG.normal(size=5_000)
    w = RNG.random(5_000) if weighted else None
    of_rows = cm.regression(y, p, sample_weight=w, metrics=exact(NAMES))
    of_bins = cm.regression(y, p, sample_weight=w, metrics=NAMES)
    assert len(of_bins.to_bytes()) < 40_000 < len(of_rows.to_bytes())
    for name in NAMES:
        rest = 1 - of_rows.value(name)
        assert 1 - of_bins.value(name) == pytest.approx(rest, rel=0.01), name
        assert of_bins.value(name) != of_rows.value(name), name
    parts = [slice(0, 10), slice(10, 3_000), slice(3_000, None)]
    states = [
        cm.regression(y[at], p[at], sample_weight=None if w is None else w[at], metrics=NAMES)
        for at in parts
    ]
    assert cm.merge(states).to_bytes() == of_bins.to_bytes()
    rest, wanted = of_bins - states[1], states[0] + states[2]
    for name in NAMES:  # bins of what is left are those of all
        assert 1 - rest.value(name) == pytest.approx(1 - wanted.value(name), rel=0.01), name
    assert (rest + states[1]).values(NAMES) == of_bins.values(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_equal_truths_are_undefined_as_of_r2(name):
    for y, w in (([3.0], None), ([3.0] * 4, None), ([3.0, 3.0, 9.0, 9.0], [1.0, 1.0, 0.0, 0.0])):
        for metrics in ([name], exact([name])):
            r = cm.regression(y, [1.0] * len(y), sample_weight=w, metrics=metrics)
            assert math.isnan(r.value(name))
            assert r.reason(name) == r.reason("r2") == "all true values are the same"
    none = cm.regression([], [], metrics=[name])
    assert none.reason(name) == none.reason("r2") == "there are no rows"


@pytest.fixture(scope="module")
def log():
    n = 600
    y = 4 + RNG.gamma(3, 2, n)
    return pl.DataFrame({
        "y": y,
        "p": y + RNG.standard_t(4, n),
        "w": RNG.random(n),
        "site": RNG.choice(["a", "b", "c"], n),
    })  # fmt: skip


@pytest.mark.parametrize("weight", [None, "w"])
def test_every_door_has_the_numbers_of_the_rows(log, weight, tmp_path):
    asked = {"sample_weight": weight, "metrics": NAMES}
    by_site = log.cm.evaluate("y", "p", by="site", task="regression", **asked).sort("site")
    lazy = log.lazy().cm.evaluate("y", "p", by="site", task="regression", **asked).collect()
    assert lazy.sort("site").equals(by_site)
    told = cm.regression_metrics("y", "p", NAMES, sample_weight=weight)
    grouped = log.group_by("site").agg(m=told).unnest("m").sort("site")
    assert grouped.select(NAMES).equals(by_site.select(NAMES))
    streamed = log.lazy().group_by("site").agg(m=told).collect(engine="streaming")
    assert streamed.unnest("m").sort("site").equals(grouped)
    log.write_parquet(tmp_path / "log.parquet")
    for source in (log, tmp_path / "log.parquet"):
        of = {"y_true": "y", "y_pred": "p", "by": "site", "task": "regression"}
        kept = cm.evaluate(source, sample_weight=weight, metrics=exact(NAMES), **of)
        assert kept.slices(NAMES).sort("site").select(NAMES).equals(by_site.select(NAMES))
        binned = cm.evaluate(source, **asked, **of).slices().sort("site")
        for name in NAMES:
            assert (1 - binned[name]).to_list() == pytest.approx(
                (1 - by_site[name]).to_list(), rel=0.01
            ), name
    for row, (site,) in enumerate(by_site.select("site").rows()):
        rows = log.filter(site=site)
        w = None if weight is None else rows["w"]
        r = cm.regression(rows["y"], rows["p"], sample_weight=w, metrics=exact(NAMES))
        assert r.values(NAMES) == by_site.select(NAMES).row(row, named=True)
        of = {"sample_weight": w}
        plain = [
            cm.d2_absolute_error(rows["y"], rows["p"], **of),
            cm.d2_pinball(rows["y"], rows["p"], quantile=0.9, **of),
            cm.d2_pinball(rows["y"], rows["p"], quantile=0.25, **of),
            cm.d2_huber(rows["y"], rows["p"], **of),
            cm.d2_huber(rows["y"], rows["p"], delta=0.25, **of),
        ]
        assert plain == list(r.values(NAMES).values())
        if weight is None:
            assert list(cm.MetricSet(NAMES)(rows["y"], rows["p"]).values()) == plain
    one = pl.col("y").cm.d2_pinball("p", quantile=0.9, sample_weight=weight)
    per_site = log.group_by("site").agg(m=one).sort("site")["m"]
    assert per_site.to_list() == by_site["d2_pinball(0.9)"].to_list()


def test_states_that_grow_row_by_row(log):
    acc = cm.Accumulator(y_true="y", y_pred="p", task="regression", metrics=NAMES)
    for part in log.iter_slices(77):
        acc.update(part)
    whole = cm.regression(log["y"], log["p"], metrics=NAMES)
    assert acc.result().overall(NAMES)["value"].to_list() == list(whole.values(NAMES).values())
    back = cm.from_bytes(whole.to_bytes())
    assert back == whole
    assert back.values(NAMES) == whole.values(NAMES)


def test_several_outputs(log):
    y = np.column_stack([log["y"], log["y"] ** 2])
    p = np.column_stack([log["p"], log["p"] ** 2])
    each = cm.d2_absolute_error(y, p, average=None)
    assert each.tolist() == [cm.d2_absolute_error(y[:, j], p[:, j]) for j in (0, 1)]
    assert cm.d2_absolute_error(y, p) == each.mean()


def test_overall_has_what_was_kept():
    y, p = [1.0, 2.0, 4.0], [1.0, 2.5, 3.5]
    assert not {"d2_absolute_error", "d2_pinball", "d2_huber"} & set(
        cm.regression(y, p).overall()["metric"]
    )
    kept = cm.regression(y, p, metrics="d2_absolute_error").overall()["metric"].to_list()
    assert kept[-2:] == ["d2_absolute_error", "d2_pinball"]
    both = cm.regression(y, p, metrics="d2_huber").overall()["metric"].to_list()
    assert "huber" in both
    assert both[-3:] == ["d2_absolute_error", "d2_pinball", "d2_huber"]
    with pytest.raises(cm.InputError, match=r"the sums of 'd2_huber\(2\)' were not kept"):
        cm.regression(y, p, metrics="d2_huber").value("d2_huber(2)")
    with pytest.raises(cm.InputError, match="the sums of 'd2_huber' were not kept"):
        cm.regression(y, p, metrics="huber").value("d2_huber")


@pytest.mark.parametrize("bad", [0, 1, -0.1, 1.5, math.nan, math.inf, None, "half", True, [0.5]])
def test_a_quantile_is_between_0_and_1(bad):
    with pytest.raises(cm.InputError, match="quantile") as error:
        cm.d2_pinball([1.0, 2.0], [1.0, 2.0], quantile=bad)
    if not isinstance(bad, (str, list, bool)) and bad is not None:
        assert "a number above 0 and below 1" in str(error.value)


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, None, "half"])
def test_a_delta_is_above_0(bad):
    with pytest.raises(cm.InputError, match="delta"):
        cm.d2_huber([1.0, 2.0], [1.0, 2.0], delta=bad)
    for name in ("d2_pinball(0)", "d2_pinball(1)", "d2_huber(0)"):
        with pytest.raises(cm.InputError, match="the parameter must be"):
            cm.regression([1.0], [1.0], metrics=name)
