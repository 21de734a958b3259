"""Losses of many classes beyond log loss and Brier score: definitions, intervals, bins, groups."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

NAMES = ("d2_log_loss", "d2_brier", "ranked_probability_score", "hinge_loss")


def drawn(seed, n=60, k=4):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(k), n)
    y = (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1)
    return y, p, rng.integers(0, 3, n).astype(float)


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 40))
def test_ranked_probability_score_and_hinge_loss_are_their_definitions(seed, k, n):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    p = rng.multinomial(8, rng.dirichlet(np.ones(k), n)) / 8
    s = cm.multiclass_sweep(y, p, labels=range(k))
    ranked, hinge = Fraction(), Fraction()
    for row, t in zip(p, y, strict=True):
        exact = [Fraction(float(x)) for x in row]
        ranked += sum((sum(exact[: cut + 1]) - (t <= cut)) ** 2 for cut in range(k - 1)) / (k - 1)
        others = max(x for j, x in enumerate(exact) if j != t)
        hinge += max(Fraction(0), 1 - (exact[t] - others))
    assert s.ranked_probability_score == pytest.approx(float(ranked / n), rel=1e-14)
    assert s.hinge_loss == float(hinge / n)  # eighths: no rounding


def test_of_two_classes_the_ranked_probability_score_is_half_the_brier_score():
    y, p, w = drawn(3, k=2)
    s = cm.multiclass_sweep(y, p, labels=[0, 1], sample_weight=w)
    half = s.value("brier", scale_by_half=True)
    assert s.ranked_probability_score == pytest.approx(half, rel=1e-14)


def test_ranked_probability_score_follows_the_order_of_the_labels():
    near, far = [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]
    assert cm.multiclass_sweep([0], near, labels=[0, 1, 2]).ranked_probability_score == 0.5
    assert cm.multiclass_sweep([0], far, labels=[0, 1, 2]).ranked_probability_score == 1.0


def test_shares_of_the_classes_explain_nothing():
    y = np.array([0, 0, 1, 2, 2, 2])
    shares = np.bincount(y) / len(y)
    s = cm.multiclass_sweep(y, np.tile(shares, (6, 1)))
    assert s.d2_log_loss == pytest.approx(0, abs=1e-15)
    assert s.d2_brier == pytest.approx(0, abs=1e-15)
    assert cm.multiclass_sweep(y, np.eye(3)[y]).d2_brier == 1


@pytest.mark.parametrize("name", ["d2_log_loss", "d2_brier"])
def test_one_class_has_nothing_to_explain(name):
    s = cm.multiclass_sweep([1, 1], [[0.6, 0.4], [0.7, 0.3]], labels=[0, 1])
    assert math.isnan(s[name])
    assert s.reason(name) == "all rows are of one class"
    assert math.isnan(s.ci(name).low)


@pytest.mark.parametrize("name", NAMES)
def test_whole_weights_are_repeated_rows_in_values_and_weights_scale(name):
    y, p, w = drawn(5)
    weighted = cm.multiclass_sweep(y, p, labels=range(4), sample_weight=w)
    repeated = cm.multiclass_sweep(
        np.repeat(y, w.astype(int)), np.repeat(p, w.astype(int), axis=0), labels=range(4)
    )
    assert weighted[name] == pytest.approx(repeated[name], rel=1e-13)
    scaled = cm.multiclass_sweep(y, p, labels=range(4), sample_weight=w * 0.25)
    assert scaled[name] == pytest.approx(weighted[name], rel=1e-13)
    assert scaled.ci(name).se == pytest.approx(weighted.ci(name).se, rel=1e-12)


@pytest.mark.parametrize("name", ["d2_brier", "d2_log_loss"])
def test_the_error_of_a_share_of_a_loss_is_that_of_its_jackknife(name):
    y, p, _ = drawn(8, n=400)
    s = cm.multiclass_sweep(y, p, labels=range(4))
    rows = np.arange(400)
    left = np.array(
        [cm.multiclass_sweep(y[rows != i], p[rows != i], labels=range(4))[name] for i in rows]
    )
    spread = math.sqrt(399 / 400 * ((left - left.mean()) ** 2).sum())
    assert s.ci(name).se == pytest.approx(spread, rel=0.02)
    assert s.ci(name).method == "delta"


@pytest.mark.parametrize("name", NAMES)
def test_intervals_hold_the_value_and_stay_in_the_range(name):
    for seed in range(5):
        y, p, _ = drawn(seed, n=12)
        found = cm.multiclass_sweep(y, p, labels=range(4)).ci(name)
        lo = 0 if name in ("ranked_probability_score", "hinge_loss") else -math.inf
        hi = math.inf if name == "hinge_loss" else 1
        assert lo <= found.low <= found.value <= found.high <= hi
    perfect = cm.multiclass_sweep([0, 1, 2] * 5, np.eye(3)[[0, 1, 2] * 5]).ci(name)
    assert perfect.low < perfect.high  # 15 rows without a loss do not tell that there is none


@pytest.mark.parametrize("name", ["ranked_probability_score", "hinge_loss"])
def test_bins_say_that_they_do_not_keep_the_rows(name):
    y, p, _ = drawn(2)
    state = cm.multiclass_sweep(y, p, labels=range(4)).to_state()
    assert state.reason(name) == "it is summed over rows, which bins do not keep"
    with pytest.raises(cm.InputError, match=f"{name}: it is summed over rows"):
        state.value(name)
    frame = pl.DataFrame({"s": [state.to_bytes()]})
    with pytest.raises(cm.InputError, match="which bins do not keep"):
        frame.select(pl.col("s").cm.state_metrics([name]))
    [found] = frame.select(m=pl.col("s").cm.state_metrics(["d2_brier"]))["m"]
    assert found["d2_brier"] == pytest.approx(state.d2_brier)


@pytest.mark.parametrize("name", ["ranked_probability_score", "hinge_loss"])
def test_a_log_refuses_before_it_is_read_and_what_it_names_has_it(name):
    y, p, _ = drawn(4)
    columns = [f"p{j}" for j in range(4)]
    frame = pl.DataFrame({"y": y, **{c: p[:, j] for j, c in enumerate(columns)}})
    of = {"y_true": "y", "y_score": columns, "labels": range(4), "metrics": [name]}
    with pytest.raises(cm.InputError, match=f"`metrics` holds '{name}', which is summed over rows"):
        cm.evaluate(frame, **of)
    with pytest.raises(cm.InputError, match="a log keeps bins of them"):
        cm.Accumulator(**of).update(frame)
    wanted = cm.multiclass_sweep(y, p, labels=range(4))[name]
    assert frame.cm.evaluate(**of)[name].item() == wanted
    nested = frame.select("y", s=pl.concat_arr(columns))
    with pytest.raises(cm.InputError, match=r"the expression `cm\.multiclass_metrics` has it"):
        cm.evaluate(nested, **of | {"y_score": "s"})
    for rows, scores in ((frame, columns), (nested, "s")):
        found = rows.select(m=cm.multiclass_metrics("y", scores, [name], labels=range(4)))
        assert found["m"].struct.field(name).item() == wanted


def test_probabilities_are_needed_but_for_the_hinge_loss():
    s = cm.multiclass_sweep([0, 1], [[2.5, -1.0], [0.1, 0.3]])
    assert s.hinge_loss == pytest.approx((0 + 0.8) / 2)
    for name in ("d2_log_loss", "d2_brier", "ranked_probability_score"):
        with pytest.raises(cm.InputError, match=f"^{name} needs probabilities: `scores` holds 2.5"):
            s.value(name)


def test_groups_have_the_numbers_of_their_rows():
    y, p, _ = drawn(9)
    frame = pl.DataFrame({"g": np.arange(60) % 2, "y": y, **{f"p{j}": p[:, j] for j in range(4)}})
    found = frame.group_by("g", maintain_order=True).agg(
        cm.multiclass_metrics("y", [f"p{j}" for j in range(4)], NAMES, labels=range(4)).alias("m")
    )
    for g, row in zip(found["g"], found["m"], strict=True):
        s = cm.multiclass_sweep(y[g::2], p[g::2], labels=range(4))
        assert {name: row[name] for name in NAMES} == {name: s[name] for name in NAMES}
