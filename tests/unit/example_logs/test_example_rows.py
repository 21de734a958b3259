"""Rows of the example log: the same for a number and a seed, and telling what they should."""

from datetime import datetime
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat.example_logs import story
from confmat.example_logs.rows import SCHEMA, rows

N = 400_000


@pytest.fixture(scope="module")
def log():
    return rows(0, N, of=N)


@given(
    of=st.integers(1, 10**12),
    seed=st.integers(-(2**70), 2**70),
    at=st.floats(0, 1),
    cuts=st.lists(st.integers(0, 50), max_size=3),
)
def test_a_row_is_the_same_whatever_lies_beside_it(of, seed, at, cuts):
    first = int(at * max(of - 50, 0))
    last = min(first + 50, of)
    whole = rows(first, last, of, seed)
    assert whole.schema == SCHEMA
    assert whole["time"].is_sorted()
    edges = sorted({first, last, *(min(first + cut, last) for cut in cuts)})
    parts = [rows(low, high, of, seed) for low, high in pairwise(edges)]
    assert pl.concat(parts).equals(whole)


def test_rows_are_the_same_from_release_to_release():
    """Whoever compares logs of two machines relies on that."""
    found = rows(7, 10, of=1_000, seed=3)
    numbers = pl.col("amount", "y_score").cast(pl.Float64).round(5)
    assert found.with_columns(numbers).rows() == [
        (
            datetime(2025, 1, 3, 19, 39, 44, 560_000),
            "BR",
            "desktop",
            25,
            38.69,
            *(False,) * 2,
            0.00026,
        ),
        (
            datetime(2025, 1, 4, 8, 25, 48, 516_000),
            "SE",
            "desktop",
            53,
            72.14,
            *(False,) * 2,
            0.00452,
        ),
        (
            datetime(2025, 1, 4, 11, 47, 19, 306_000),
            "JP",
            "phone",
            36,
            9.31,
            *(False,) * 2,
            0.00131,
        ),
    ]


def test_seeds_give_other_rows(log):
    other = rows(0, 1_000, of=N, seed=1)
    for name in ("country", "customer_age", "amount", "y_score"):
        assert (log[name][:1_000] != other[name]).sum() > 500
    assert rows(0, 9, of=9, seed=2**64).equals(rows(0, 9, of=9))


def test_empty():
    assert rows(5, 5, of=10).schema == SCHEMA


def test_a_year_in_order_with_days_and_weeks(log):
    time = log["time"]
    assert time.is_sorted()
    assert time[0] > datetime(2025, 1, 1)
    assert datetime(2025, 12, 31, 23) < time[-1] < datetime(2026, 1, 1)
    by_hour = log.group_by(time.dt.hour()).len().sort("time")["len"]
    assert by_hour.arg_max() == 19
    assert by_hour.max() > 5 * by_hour.min()
    by_day = log.group_by(time.dt.weekday()).len().sort("time")["len"]
    assert by_day.arg_max() == 5  # the sixth of the week
    assert by_day.max() > 1.5 * by_day.min()


def test_shares(log):
    countries = log["country"].value_counts(sort=True)
    assert countries["country"].to_list()[:3] == ["US", "IN", "BR"]
    assert countries.height == len(story.COUNTRIES) == 40
    assert countries["count"][0] > 40 * countries["count"][-1]
    devices = dict(log["device"].cast(pl.String).value_counts(normalize=True).rows())
    assert devices == pytest.approx(
        {"phone": 0.55, "desktop": 0.3, "tablet": 0.08, "terminal": 0.064, None: 0.006}, abs=0.004
    )
    assert log["customer_age"].null_count() / N == pytest.approx(0.06, abs=0.003)
    assert log["customer_age"].min() == 18
    assert log["customer_age"].max() == 89
    assert log["amount"].median() == pytest.approx(32, abs=1)
    assert log["y_true"].mean() == pytest.approx(0.0205, abs=0.002)


def test_predictions_are_scores_above_the_threshold(log):
    assert log["y_pred"].equals((log["y_score"] >= story.FLAGGED).alias("y_pred"))
    assert log["y_score"].null_count() / N == pytest.approx(story.NO_SCORE_SHARE, rel=0.2)
    assert log["y_score"].min() > 0
    assert log["y_score"].max() < 1


def test_the_model_was_right_when_the_year_began(log):
    early = log.filter(pl.col("time").dt.month() <= 6, country="US", device="desktop").drop_nulls()
    old = early.filter(pl.col("customer_age") >= story.YOUNG)
    swept = cm.sweep(old["y_true"], old["y_score"])
    assert swept.roc_auc > 0.85
    assert old["y_score"].mean() == pytest.approx(old["y_true"].mean(), rel=0.15)


def test_what_there_is_to_find(log):
    def area(part):
        return cm.roc_auc(part["y_true"], part["y_score"])

    month = log["time"].dt.month()
    early, late = log.filter(month <= 6), log.filter(month >= 11)
    assert area(early) > area(late) + 0.05
    assert late["y_true"].mean() > 1.15 * early["y_true"].mean()
    no_phone = pl.col("device").cast(pl.String) != "phone"
    assert area(early.filter(no_phone)) == pytest.approx(area(late.filter(no_phone)), abs=0.03)

    unknown = pl.col("country") == story.UNKNOWN_TO_MODEL
    assert area(early.filter(unknown)) < 0.65 < 0.85 < area(early.filter(~unknown))

    young = pl.col("customer_age") < story.YOUNG
    flagged = [part["y_pred"].mean() for part in (log.filter(young), log.filter(~young))]
    fraud = [part["y_true"].mean() for part in (log.filter(young), log.filter(~young))]
    assert flagged[0] > 1.5 * flagged[1]
    assert fraud[0] == pytest.approx(fraud[1], rel=0.15)

    missing = log.group_by(month.alias("month")).agg(pl.col("y_true").null_count() / pl.len())
    missing = missing.sort("month")["y_true"]
    assert missing[:11].max() < 0.002
    assert missing[11] == pytest.approx(0.17, abs=0.02)
