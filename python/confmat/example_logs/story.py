"""What the example log tells: who pays, how often it is fraud, and where the model is wrong.

A model scores payments, the probability that one is fraud, and flags those of at least `FLAGGED`.
It was right when the year began. Then, what an evaluation is there to find:

- from July on there is a new fraud on phones, which no score foresees, more of it each month;
- scores of one country, `UNKNOWN_TO_MODEL`, say next to nothing;
- customers below `YOUNG` are scored as if they were riskier than they are;
- in the last month the truth of many payments is not known yet.

Shares and odds are tables over 16 random bits, so that any number of rows costs look-ups alone and
is the same on every machine.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

BITS = 1 << 16
FLAGGED = 0.25
UNKNOWN_TO_MODEL = "NL"
YOUNG = 25
SPREAD = 1.9  # of the log odds of fraud that the model sees, beside country, device and amount
BASE = -5.8

COUNTRIES = (
    *("US", "IN", "BR", "GB", "DE", "FR", "JP", "MX", "NL", "ES", "IT", "CA", "AU", "TR"),
    *("PL", "ID", "KR", "AR", "SE", "BE", "CH", "ZA", "AT", "PT", "CO", "NO", "DK", "IE"),
    *("FI", "CZ", "GR", "CL", "RO", "HU", "NZ", "SG", "MY", "TH", "EG", "KE"),
)
DEVICES = ("phone", "desktop", "tablet", "terminal", None)
_DEVICE_SHARES = (0.55, 0.3, 0.08, 0.064, 0.006)
_DEVICE_ODDS = (0.3, 0.0, -0.2, -1.5, 0.8)
PHONE = DEVICES.index("phone")

NO_AGE = 0
_NO_AGE_SHARE = 0.06
_YOUNG_BIAS = 0.8

NO_SCORE_SHARE = 0.002
NO_TRUTH_SHARE = 0.001
NO_TRUTH_YET_SHARE = 0.35  # on the last day
NEW_FRAUD_SHARE = 0.012  # of the payments by phone, on the last day

YEAR = 2025
HOURS = 365 * 24
_OF_DAY = (3, 2, 1, 1, 1, 2, 4, 6, 9, 11, 12, 13, 14, 13, 12, 12, 13, 14, 16, 18, 17, 13, 9, 5)
_OF_WEEK = (9, 10, 12, 14, 12, 8, 8)  # from Wednesday, the first day of the year

Floats = npt.NDArray[np.float32]


@cache
def country_of_bits() -> npt.NDArray[np.uint8]:
    """Return the position of the country for each 16 bits: the first are much more frequent."""
    return _dealt([(1 + at) ** -1.1 for at in range(len(COUNTRIES))])


@cache
def country_odds() -> Floats:
    """Return the log odds that a country adds: 0.7 at most, either way."""
    return _floats(0.7 * math.sin(2.4 * at) for at in range(len(COUNTRIES)))


@cache
def device_of_bits() -> npt.NDArray[np.uint8]:
    """Return the position of the device for each 16 bits."""
    return _dealt(_DEVICE_SHARES)


@cache
def device_odds() -> Floats:
    """Return the log odds that a device adds."""
    return _floats(_DEVICE_ODDS)


@cache
def age_of_bits() -> npt.NDArray[np.uint8]:
    """Return the age for each 16 bits: from 18 to 90, or `NO_AGE`."""
    known = _between() / (1 - _NO_AGE_SHARE)
    return np.where(known < 1, 18 + 72 * known**1.2, NO_AGE).astype(np.uint8)


@cache
def age_bias() -> Floats:
    """Return the log odds that the scores of an age are too high by."""
    return _floats(_YOUNG_BIAS if NO_AGE < age < YOUNG else 0.0 for age in range(256))


@cache
def amount_of_bits() -> Floats:
    """Return the amount for each 16 bits: log-normal, in cents, with a median of 32."""
    cents = np.rint(3_200 * np.exp(1.1 * normal_of_bits().astype(np.float64)))
    return np.asarray(np.maximum(cents, 1) / 100, np.float32)


@cache
def amount_odds() -> Floats:
    """Return the log odds that an amount adds: large ones are riskier."""
    return _floats(0.5 * value for value in normal_of_bits())


@cache
def normal_of_bits() -> Floats:
    """Return the quantile of the normal distribution for each 16 bits."""
    quantile = NormalDist().inv_cdf
    upper = [quantile((at + 0.5) / BITS) for at in range(BITS // 2, BITS)]
    return _floats([-value for value in reversed(upper)] + upper)


@cache
def hours_reached() -> npt.NDArray[np.float64]:
    """Return the share of all rows before each hour of the year, and 1.0."""
    of_hour = [_OF_DAY[hour % 24] * _OF_WEEK[hour // 24 % 7] for hour in range(HOURS)]
    reached = np.cumsum([0, *of_hour], dtype=np.int64)
    return np.asarray(reached / reached[-1])


_EDGE, _STEPS = 16, 64  # log odds beyond the edge are at it; steps of each unit


@cache
def _probabilities() -> Floats:
    return _floats(1 / (1 + math.exp(_EDGE - at / _STEPS)) for at in range(2 * _EDGE * _STEPS + 2))


def probability(odds: Floats) -> Floats:
    """Return probabilities of log odds, along straight lines between the steps of a table."""
    table = _probabilities()
    at = np.clip((odds + np.float32(_EDGE)) * np.float32(_STEPS), 0, len(table) - 2)
    step = at.astype(np.int32)
    low = table[step]
    return np.asarray(low + (table[step + 1] - low) * (at - step.astype(np.float32)))


def _between() -> npt.NDArray[np.float64]:
    """Return the middle of each of the equal parts of (0, 1)."""
    return np.asarray((np.arange(BITS) + 0.5) / BITS)


def _dealt(shares: Any) -> npt.NDArray[np.uint8]:
    ends = np.cumsum(shares)
    return np.searchsorted(ends / ends[-1], _between()).astype(np.uint8)


def _floats(values: Any) -> Floats:
    return np.array(list(values), dtype=np.float32)
