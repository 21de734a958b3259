"""The bundled log of flights is the table that its README describes."""

from __future__ import annotations

import importlib.util
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest

CLASSES = ["on_time", "short", "long", "cancelled"]
PROBABILITIES = [f"p_{name}" for name in CLASSES]
SCHEMA = {
    "carrier": pl.String,
    "origin": pl.String,
    "month": pl.Int8,
    "hour": pl.Int8,
    "late": pl.Boolean,
    "late_pred": pl.Boolean,
    "late_score": pl.Float64,
    "delay_class": pl.Enum(CLASSES),
    "delay_class_pred": pl.Enum(CLASSES),
    **dict.fromkeys(PROBABILITIES, pl.Float64),
}


@pytest.fixture(scope="module")
def log_path() -> Path:
    if importlib.util.find_spec("confmat") is None:  # a checkout that is not installed
        return Path(__file__).parents[3] / "python" / "confmat" / "data" / "flights.parquet"
    return Path(str(files("confmat") / "data" / "flights.parquet"))


@pytest.fixture(scope="module")
def log(log_path: Path) -> pl.DataFrame:
    return pl.read_parquet(log_path)


def test_size_of_the_file(log_path: Path) -> None:
    assert log_path.stat().st_size <= 2_500_000


def test_rows_and_columns(log: pl.DataFrame) -> None:
    assert log.height == 336_776
    assert dict(log.schema) == SCHEMA


def test_only_late_has_nulls(log: pl.DataFrame) -> None:
    nulls = {name: count for name, count in log.null_count().row(0, named=True).items() if count}
    assert nulls == {"late": 9_430}


def test_late_is_null_exactly_where_the_class_is_cancelled(log: pl.DataFrame) -> None:
    assert (log["late"].is_null() == (log["delay_class"] == "cancelled")).all()
    arrived = log.filter(pl.col("late").is_not_null())
    assert (arrived["late"] == (arrived["delay_class"] != "on_time")).all()


def test_classes_of_the_flights(log: pl.DataFrame) -> None:
    counts = log["delay_class"].value_counts().rows()
    assert dict(counts) == {"on_time": 249_716, "short": 49_841, "long": 27_789, "cancelled": 9_430}


def test_segments(log: pl.DataFrame) -> None:
    assert log["carrier"].n_unique() == 16
    assert set(log["origin"]) == {"EWR", "JFK", "LGA"}
    assert set(log["month"]) == set(range(1, 13))
    assert log["month"].is_sorted()
    assert log["hour"].is_between(0, 23).all()


def test_late_pred_is_the_score_at_one_threshold(log: pl.DataFrame) -> None:
    assert log["late_score"].is_between(0, 1).all()
    assert (log["late_score"].round(3) == log["late_score"]).all()
    assert (log["late_pred"] == (log["late_score"] >= 0.4)).all()


def test_probabilities_are_thousandths_that_sum_to_one(log: pl.DataFrame) -> None:
    p = log.select(PROBABILITIES)
    assert p.select(pl.all().is_between(0, 1).all()).row(0) == (True,) * 4
    assert ((p.sum_horizontal() - 1).abs() < 1e-12).all()
    thousandths = p.select((pl.all() * 1000).round().cast(pl.Int64))
    assert (thousandths.sum_horizontal() == 1000).all()
    assert (p.to_numpy() == thousandths.to_numpy() / 1000).all()


def test_delay_class_pred_is_the_first_largest_probability(log: pl.DataFrame) -> None:
    first = log.select(pl.concat_list(PROBABILITIES).list.arg_max()).to_series()
    assert (log["delay_class_pred"].to_physical().cast(pl.UInt32) == first.cast(pl.UInt32)).all()


def test_every_class_is_predicted_often(log: pl.DataFrame) -> None:
    predicted = dict(log["delay_class_pred"].value_counts().rows())
    assert all(predicted.get(name, 0) > 5_000 for name in CLASSES)


def test_predictions_beat_chance(log: pl.DataFrame) -> None:
    arrived = log.filter(pl.col("late").is_not_null())
    late = arrived["late"].to_numpy()
    n = int(late.sum())
    rank_sum = float(arrived["late_score"].rank("average").to_numpy()[late].sum())
    auc = (rank_sum - n * (n + 1) / 2) / (n * (arrived.height - n))
    assert 0.74 < auc < 0.80
    diagonal = log.filter(pl.col("delay_class") == pl.col("delay_class_pred"))
    recalled = dict(diagonal["delay_class"].value_counts().rows())
    actual = dict(log["delay_class"].value_counts().rows())
    assert sum(recalled[name] / actual[name] for name in CLASSES) / 4 > 0.40
