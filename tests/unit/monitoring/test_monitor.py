"""A rate day by day: false alarms are few, real changes are found, counts are those of the rows."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import confmat as cm


def days_of(right, n, first=date(2024, 3, 1)):
    """Return states of days of `n` rows of the class 1, so many of them right."""
    days = [first + timedelta(days=at) for at in range(len(right))]
    frame = pl.DataFrame({
        "day": days * 2,
        "y_true": [1] * (2 * len(days)),
        "y_pred": [1] * len(days) + [0] * len(days),
        "n": [*map(int, right), *(int(total - hit) for hit, total in zip(right, n, strict=True))],
    })  # fmt: skip
    return cm.state_from_counts(frame, by="day")


@pytest.mark.parametrize("target", [0.9, None])
def test_false_alarms_are_few(target):
    """Of 250 streams of 40 days; at 80 %, as few alarms would not tell much otherwise."""
    rng = np.random.default_rng(23)
    alarmed = 0
    for _ in range(250):
        n = rng.integers(20, 80, 40)
        found = cm.monitor(days_of(rng.binomial(n, 0.9), n), "day", target=target, level=0.8)
        alarmed += found["alarm"].null_count() < 40
    assert alarmed / 250 < 0.2


@pytest.mark.parametrize("target", [0.9, None])
@pytest.mark.parametrize(("later", "said"), [(0.8, "below"), (0.97, "above")])
def test_a_change_is_found(target, later, said):
    rng = np.random.default_rng(5)
    n = np.full(60, 3_000)
    rates = np.where(np.arange(60) < 10, 0.9, later)
    found = cm.monitor(days_of(rng.binomial(n, rates), n), "day", target=target)
    alarms = found["alarm"].to_list()
    assert alarms[:10] == [None] * 10
    what = "the first period" if target is None else "the target"
    assert alarms[-1] == f"total {said} {what}"


def test_numbers_are_those_of_the_rows():
    rng = np.random.default_rng(6)
    log = pl.DataFrame({
        "week": rng.integers(1, 5, 3_000),
        "site": rng.integers(0, 3, 3_000),
        "y_true": rng.integers(0, 2, 3_000),
        "y_pred": rng.integers(0, 2, 3_000),
    })  # fmt: skip
    parts = cm.partial(log, by=["site", "week"])
    found = cm.monitor(parts, "week", "recall", target=0.5)
    positive = log.filter(pl.col("y_true") == 1).sort("week")
    wanted = positive.group_by("week", maintain_order=True).agg(
        n=pl.len().cast(pl.Int64), value=pl.col("y_pred").mean(), k=pl.col("y_pred").sum()
    )
    assert found.select("week", "n").equals(wanted.select("week", "n"))
    np.testing.assert_allclose(found["value"], wanted["value"], rtol=1e-12)
    k, n = wanted["k"].cum_sum(), wanted["n"].cum_sum()
    sequence = cm.confidence_sequence(k, n)
    assert found["n_total"].to_list() == n.to_list()
    assert found.select("low", "high").equals(sequence.select("low", "high"))
    first = cm.monitor(parts, "week", "recall")
    later = cm.confidence_sequence(k[1:] - k[0], n[1:] - n[0], 0.975)
    assert first[1:].select("low", "high").equals(later.select("low", "high"))
    assert first["n_total"].to_list() == [n[0], *(n[1:] - n[0])]
    e = cm.evaluate(log, y_true="y_true", y_pred="y_pred", by=["site", "week"])
    assert e.monitor("week", "recall", target=0.5).equals(found)


def test_days_without_rows_of_the_class():
    log = pl.DataFrame({"day": [1, 2, 3], "y_true": [0, 1, 0], "y_pred": [0, 1, 1]})
    found = cm.monitor(cm.partial(log, by="day"), "day", "recall", target=0.5)
    assert found["n"].to_list() == [0, 1, 0]
    assert found["value"].to_list() == [None, 1, None]
    assert found["total"].to_list() == [None, 1, 1]
    assert found.row(0)[-3:] == (0, 1, None)
    nothing = cm.monitor(cm.partial(log.clear(), by="day"), "day", "recall")
    assert nothing.height == 0
    assert nothing.columns == found.columns


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"by": "week"}, "`by` has the column 'week'"),
        ({"by": ["day"]}, "`by` is"),
        ({"metric": "mcc"}, "no rate of counted rows"),
        ({"metric": 3}, "`metric`"),
        ({"target": 90}, "`target` is 90"),
        ({"level": 0}, "`level` is 0"),
        ({"prior": (1,)}, "`prior` is"),
        ({"parts": [1]}, "`parts` is list"),
    ],
)
def test_what_cannot_be_is_refused(asked, said):
    given = {"parts": days_of([8, 9], [10, 10]), "by": "day"} | asked
    with pytest.raises(cm.InputError, match=said):
        cm.monitor(**given)


def test_weights_and_scores_are_no_counts():
    log = pl.DataFrame({"day": [1, 1], "y_true": [0, 1], "y_pred": [0, 1], "w": [0.5, 2.0]})
    with pytest.raises(cm.InputError, match="weighted"):
        cm.monitor(cm.partial(log, by="day", sample_weight="w"), "day")
    scored = cm.partial(log, y_score="w", by="day")
    with pytest.raises(cm.InputError, match="not of predicted classes"):
        cm.monitor(scored, "day")
