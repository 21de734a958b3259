"""Rows of the example log, each from its number and the seed alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.example_logs import story

Bits = npt.NDArray[np.uint16]

_TYPES: dict[str, Any] = {
    "time": pl.Datetime("ms"),
    "country": pl.String,
    "device": pl.Categorical(),
    "customer_age": pl.UInt8,
    "amount": pl.Float32,
    "y_true": pl.Boolean,
    "y_pred": pl.Boolean,
    "y_score": pl.Float32,
}
SCHEMA = pl.Schema(_TYPES)
_WORDS = 3  # of random bits a row
_LAST_MONTH = 30 * 24


def rows(first: int, last: int, of: int, seed: int = 0) -> pl.DataFrame:
    """Return the rows from `first` until before `last` of an example log of `of` rows.

    Parameters
    ----------
    first, last, of : int
        0 <= first <= last <= of. The rows of a log are spread over one year.
    seed : int
        Of 64 bits. A row is the same whatever the rows beside it.

    Returns
    -------
    polars.DataFrame
        `time`, ascending; `country`, `device` (null where unknown), `customer_age` (null where
        unknown) and `amount` of a payment; `y_true`, whether it was fraud (null where that is not
        known yet); `y_score`, the probability of fraud by a model, and `y_pred`, whether that is
        at least 0.25 (both null where the model gave none).

    Examples
    --------
    >>> rows(0, 3, of=1_000_000).select("time", "country", "amount", "y_true", "y_pred").height
    3
    >>> rows(5, 9, of=1_000).equals(rows(0, 1_000, of=1_000)[5:9])
    True
    """
    number = np.arange(first, last, dtype=np.uint64)
    of_country, of_device, of_age, of_amount = _bits(number, seed, 0)
    of_model, of_chance, of_score, of_time = _bits(number, seed, 1)
    of_fraud_low, of_fraud_high, of_new, of_truth = _bits(number, seed, 2)

    hour = _hours(number, of_time, of)
    country = story.country_of_bits()[of_country]
    device = story.device_of_bits()[of_device]
    age = story.age_of_bits()[of_age]

    known = story.country_odds()[country] + story.device_odds()[device]
    known += story.amount_odds()[of_amount] + np.float32(story.BASE)
    seen = np.float32(story.SPREAD) * story.normal_of_bits()[of_model]
    score = story.probability(known + seen + story.age_bias()[age])
    blind = country == story.COUNTRIES.index(story.UNKNOWN_TO_MODEL)
    seen[blind] = np.float32(story.SPREAD) * story.normal_of_bits()[of_chance[blind]]
    foreseen = _drawn(of_fraud_low, of_fraud_high) < story.probability(known + seen)
    late_in_year = np.maximum(2 * hour / story.HOURS - 1, 0)
    new = _share(of_new) < story.NEW_FRAUD_SHARE * late_in_year
    fraud = foreseen | (new & (device == story.PHONE))

    lately = np.maximum(1 - (story.HOURS - hour) / _LAST_MONTH, 0)
    unknown = _share(of_truth) < story.NO_TRUTH_SHARE + story.NO_TRUTH_YET_SHARE * lately
    unscored = _share(of_score) < story.NO_SCORE_SHARE
    start = np.datetime64(f"{story.YEAR}-01-01", "ms")
    return pl.DataFrame(
        [
            pl.Series("time", start + (hour * 3_600_000).astype("m8[ms]")),
            _texts("country", story.COUNTRIES)[country],
            _texts("device", story.DEVICES)[device],
            _with_nulls("customer_age", age, age == story.NO_AGE),
            pl.Series("amount", story.amount_of_bits()[of_amount]),
            _with_nulls("y_true", fraud, unknown),
            _with_nulls("y_pred", score >= np.float32(story.FLAGGED), unscored),
            _with_nulls("y_score", score, unscored),
        ]
    )


def _bits(number: npt.NDArray[np.uint64], seed: int, word: int) -> tuple[Bits, ...]:
    """Return four times 16 random bits a row: its words of the SplitMix64 sequence of the seed.

    Steele, Lea & Flood (2014), https://doi.org/10.1145/2660193.2660195.
    """
    x = number * np.uint64(_WORDS) + np.uint64(word)
    x *= np.uint64(0x9E3779B97F4A7C15)
    x += _mixed(np.array([seed % 2**64], np.uint64))
    parts = _mixed(x).astype("<u8", copy=False).view("<u2").reshape(-1, 4)
    return tuple(np.ascontiguousarray(part) for part in parts.T)


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))


def _hours(number: npt.NDArray[np.uint64], bits: Bits, of: int) -> npt.NDArray[np.float64]:
    """Return the times of rows in hours of the year, ascending."""
    at = (number + _share(bits)) / max(of, 1)
    reached = story.hours_reached()
    return np.interp(at, reached, np.arange(len(reached), dtype=np.float64))


def _share(bits: Bits) -> npt.NDArray[np.float32]:
    return np.asarray(bits * np.float32(1 / story.BITS))


def _drawn(low: Bits, high: Bits) -> npt.NDArray[np.float32]:
    return np.asarray(_share(high) + _share(low) * np.float32(1 / story.BITS))


def _texts(name: str, texts: Any) -> pl.Series:
    return pl.Series(name, texts, dtype=SCHEMA[name])


def _with_nulls(name: str, values: npt.NDArray[Any], null: npt.NDArray[np.bool_]) -> pl.Series:
    series = pl.Series(name, values)
    return series.set(pl.Series(null), None) if null.any() else series
