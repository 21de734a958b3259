"""Shares of classes that are known from elsewhere: those named, the others as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import positive_class
from confmat.errors import InputError
from confmat.intervals.sample_size import checked_share
from confmat.labels import Label, finder, listing

Shares = npt.NDArray[np.float64]
_SLACK = 1e-9  # of a sum of shares


def class_shares(
    labels: tuple[Label, ...], positive: Label | None, found: Any, prevalence: Any
) -> Shares:
    """Return the share of each class; those not named share the rest as the rows do.

    Parameters
    ----------
    labels : tuple
        The classes.
    positive : label or None
        The one that a single number is of.
    found : array of shape (K,)
        Rows of each class.
    prevalence : float, mapping or sequence
        The share of the positive class, of some classes by label, or of all in their order.

    Raises
    ------
    InputError
        Shares outside [0, 1] or that do not add up to 1; a label that is not there; the rest is to
        be shared by several classes without rows.
    """
    named = _named(labels, positive, prevalence)
    shares = np.array([named.get(at, math.nan) for at in range(len(labels))])
    others = np.isnan(shares)
    rest = 1 - math.fsum(named.values())
    if rest < -_SLACK or (not others.any() and rest > _SLACK):
        raise InputError(f"`prevalence` adds up to {1 - rest:g}; wanted shares that add up to 1")
    if others.any():
        rest = max(rest, 0.0) if rest > _SLACK else 0.0
        rows = np.asarray(found, np.float64)[others]
        if rest and not rows.sum() and len(rows) > 1:
            left = [label for label, other in zip(labels, others, strict=True) if other]
            raise InputError(
                f"`prevalence` leaves {rest:g} to {listing(left)}, which have no rows; "
                "wanted their shares, too"
            )
        shares[others] = rest * (rows / rows.sum() if rows.sum() else 1 / len(rows))
    whole: Shares = shares / shares.sum()
    return whole


def _named(labels: tuple[Label, ...], positive: Label | None, prevalence: Any) -> dict[int, float]:
    """Return the shares that are given, by the position of their class."""
    if isinstance(prevalence, Mapping):
        find = finder(labels, "prevalence")
        return {find(label): _share(share, label) for label, share in prevalence.items()}
    if np.ndim(prevalence):
        given = list(prevalence)
        if len(given) != len(labels):
            raise InputError(
                f"`prevalence` has {len(given)} shares; wanted one of each of {listing(labels)}"
            )
        return {
            at: _share(share, label)
            for at, (label, share) in enumerate(zip(labels, given, strict=True))
        }
    share = checked_share(prevalence, "prevalence", ends=True)
    at = positive_class.found(labels, positive)
    if at < 0:
        raise InputError(
            f"`prevalence` is {prevalence!r}, one number, and there is no positive class among "
            f"{listing(labels)}; pass pos_label=..., or a dict of shares"
        )
    return {at: share}


def _share(value: Any, label: Label) -> float:
    try:
        return checked_share(value, "prevalence", ends=True)
    except InputError:
        raise InputError(
            f"`prevalence` of {label!r} is {value!r}; wanted a number from 0 to 1"
        ) from None
