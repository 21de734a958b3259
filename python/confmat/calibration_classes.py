"""Calibration of more than two classes, by way of two: class by class, or the top label alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from confmat.calibration import Calibration
from confmat.calibration_bins import Strategy
from confmat.errors import InputError
from confmat.score_counts import Floats


class HasCounts(Protocol):
    """An exact sweep of one class against the rest."""

    @property
    def scores(self) -> Any: ...  # noqa: D102
    @property
    def positives(self) -> Any: ...  # noqa: D102
    @property
    def negatives(self) -> Any: ...  # noqa: D102


def classwise_ece(
    y_codes: Any,
    proba: Any,
    bins: int | Any = 10,
    strategy: Strategy = "uniform",
    *,
    sample_weight: Any = None,
) -> Floats:
    """Return the calibration error of each class against the rest; their mean is class-wise ECE.

    Parameters
    ----------
    y_codes : array-like of int, shape (n,)
        The true class of each row, from 0 to K - 1.
    proba : array-like of float, shape (n, K)
        Probabilities.
    bins, strategy
        As in `Calibration`.
    sample_weight : array-like of float, shape (n,), optional

    Returns
    -------
    ndarray of shape (K,)
        In [0, 1]. A class without rows has one, too: its probabilities ought to be 0. All nan
        without rows.

    Raises
    ------
    InputError
        Shapes that do not fit, a code outside 0 ... K - 1, a probability outside [0, 1] or nan.

    References
    ----------
    Kull et al. (2019), https://arxiv.org/abs/1910.12656.

    Examples
    --------
    >>> from confmat.calibration_classes import classwise_ece
    >>> proba = [[0.8, 0.2, 0.0], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    >>> classwise_ece([0, 1, 2, 2], proba, bins=2).round(3).tolist()
    [0.2, 0.0, 0.2]
    """
    codes, p, weight = _read(y_codes, proba, sample_weight)
    sweeps = (_counted(codes == k, p[:, k], weight) for k in range(p.shape[1]))
    return np.array([Calibration(*sweep, bins, strategy).ece for sweep in sweeps])


def classwise_ece_of(
    sweeps: Iterable[HasCounts], bins: int | Any = 10, strategy: Strategy = "uniform"
) -> Floats:
    """Return what `classwise_ece` does, from one exact sweep a class against the rest."""
    return np.array(
        [Calibration(s.scores, s.positives, s.negatives, bins, strategy).ece for s in sweeps]
    )


def top_label(
    y_codes: Any,
    proba: Any,
    bins: int | Any = 10,
    strategy: Strategy = "uniform",
    *,
    sample_weight: Any = None,
) -> Calibration:
    """Return the calibration of the largest probability of a row; its `ece` is top-label ECE.

    A row is positive where its class has the largest probability; of equal ones the first counts,
    as `numpy.argmax` has it. Parameters and errors are those of `classwise_ece`.

    References
    ----------
    Guo et al. (2017), https://arxiv.org/abs/1706.04599.

    Examples
    --------
    >>> from confmat.calibration_classes import top_label
    >>> proba = [[0.8, 0.2, 0.0], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    >>> round(top_label([0, 1, 2, 2], proba, bins=2).ece, 3)
    0.175
    """
    codes, p, weight = _read(y_codes, proba, sample_weight)
    top = p.argmax(axis=1) if len(p) else np.zeros(0, dtype=np.int64)
    confidence = p[np.arange(len(p)), top]
    return Calibration(*_counted(codes == top, confidence, weight), bins, strategy)


def top_label_ece(
    y_codes: Any,
    proba: Any,
    bins: int | Any = 10,
    strategy: Strategy = "uniform",
    *,
    sample_weight: Any = None,
) -> float:
    """Return the `ece` of `top_label`; nan without rows."""
    return top_label(y_codes, proba, bins, strategy, sample_weight=sample_weight).ece


def _read(
    y_codes: Any, proba: Any, sample_weight: Any
) -> tuple[npt.NDArray[Any], Floats, Floats | None]:
    p = np.asarray(proba)
    if p.ndim != 2 or p.shape[1] == 0 or p.dtype.kind not in "biuf":
        raise InputError(f"`proba` has shape {p.shape}, {p.dtype}; wanted numbers, (rows, classes)")
    p = p.astype(np.float64, copy=False)
    codes = np.asarray(y_codes)
    if codes.shape != p.shape[:1] or (len(codes) and codes.dtype.kind not in "biu"):
        raise InputError(
            f"`y_codes` has shape {codes.shape}, {codes.dtype}; wanted {len(p)} class numbers"
        )
    _refuse((codes < 0) | (codes >= p.shape[1]), codes, "y_codes", f"0 to {p.shape[1] - 1}")
    for k in range(p.shape[1]):
        column = p[:, k]
        _refuse(~((column >= 0) & (column <= 1)), column, f"proba[:, {k}]", "0 to 1")
    if sample_weight is None:
        return codes, p, None
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != codes.shape:
        raise InputError(f"`sample_weight` has shape {weight.shape}; wanted {codes.shape}")
    bad = ~((weight >= 0) & (weight < math.inf))
    _refuse(bad, weight, "sample_weight", "finite weights from 0")
    return codes, p, weight


def _refuse(bad: npt.NDArray[Any], values: npt.NDArray[Any], name: str, wanted: str) -> None:
    if bad.any():
        row = int(bad.argmax())
        raise InputError(f"`{name}` holds {values[row]} at row {row}; wanted {wanted}")


def _counted(
    positive: npt.NDArray[np.bool_], scores: Floats, weight: Floats | None
) -> tuple[Floats, npt.NDArray[Any], npt.NDArray[Any]]:
    distinct, at = np.unique(scores, return_inverse=True)
    if weight is None:
        every = np.bincount(at, minlength=len(distinct))
        positives = np.bincount(at[positive], minlength=len(distinct))
        return distinct, positives, every - positives
    return (
        distinct,
        np.bincount(at, weight * positive, len(distinct)),
        np.bincount(at, weight * ~positive, len(distinct)),
    )
