"""What the bytes of a sweep claim, checked: scores, bins and counts that can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import StateError
from confmat.scores.grid import HALF, Bins


def check_descending(scores: npt.NDArray[Any]) -> None:
    """Refuse scores that are not distinct numbers in descending order."""
    if np.isnan(scores).any() or (scores[1:] >= scores[:-1]).any() or negative_zero(scores):
        raise StateError("the scores are not distinct numbers in descending order")


def check_halves(scores: npt.NDArray[Any]) -> None:
    """Refuse a score that is no float16."""
    with np.errstate(over="ignore"):
        if not np.array_equal(scores.astype(np.float16), scores):
            raise StateError("a score is no float16")


def check_bins(
    lower: npt.NDArray[np.float64],
    upper: npt.NDArray[np.float64],
    bins: Bins | None,
) -> None:
    """Refuse bins that overlap, or that are not those of `bins`."""
    if any(np.isnan(side).any() or negative_zero(side) for side in (lower, upper)):
        raise StateError("the edges of the bins are not numbers")
    if (lower[1:] >= lower[:-1]).any() or (upper < lower).any() or (upper[1:] > lower[:-1]).any():
        raise StateError("the bins overlap or are not in descending order")
    if isinstance(bins, np.ndarray):
        edges = np.concatenate([[-np.inf], bins, [np.inf]])
        place = np.minimum(np.searchsorted(edges, lower), len(bins))
        if (edges[place] != lower).any():
            raise StateError("a bin does not begin at one of the edges")
        if (edges[place + 1] != upper).any():
            raise StateError("a bin does not end at the next edge")
    elif isinstance(bins, int) and len(lower) > bins:
        raise StateError(f"{len(lower)} bins of {bins} are not empty")
    elif bins == HALF and not _are_halves(lower, upper):
        raise StateError("a bin does not begin at one float16 and end at the next")


def _are_halves(lower: npt.NDArray[np.float64], upper: npt.NDArray[np.float64]) -> bool:
    with np.errstate(over="ignore"):
        halves = lower.astype(np.float16)
        after = np.nextafter(halves, np.float16(np.inf))
    return np.array_equal(halves, lower) and np.array_equal(after, upper)


def check_within(
    scores: npt.NDArray[Any] | None,
    lower: npt.NDArray[np.float64],
    upper: npt.NDArray[np.float64],
) -> None:
    """Refuse a score that is not in its bin."""
    if scores is not None and ((scores < lower) | ((scores >= upper) & (upper < np.inf))).any():
        raise StateError("a score is not in its bin")


def check_counts(positives: npt.NDArray[Any], negatives: npt.NDArray[Any]) -> None:
    """Refuse amounts that cannot be, or are too many."""
    real = positives.dtype.kind == "f"
    for part in (positives, negatives):
        if real and not (np.isfinite(part).all() and not np.signbit(part).any()):
            raise StateError("a sum of weights is negative or not finite")
    with np.errstate(over="ignore"):
        total = float(positives.sum(dtype=np.float64)) + float(negatives.sum(dtype=np.float64))
    if real:
        beyond = total >= np.finfo(np.float64).max
    else:  # the exact sum is needed only where the float one is near the limit
        beyond = total >= 2.0**62 and sum(map(int, positives)) + sum(map(int, negatives)) >= 2**63
    if beyond:
        raise StateError("the total is beyond the range of counts")


def negative_zero(values: npt.NDArray[Any]) -> bool:
    """Return whether one of the values is -0.0."""
    return bool((np.signbit(values) & (values == 0)).any())
