"""Differences of metrics of two models by the bootstrap: rows, or whole clusters, drawn again."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.intervals.bootstrap import bca, deviations
from confmat.intervals.levels import Floats
from confmat.matrices.joint_influence import Influence, centred
from confmat.matrices.joint_state import positions
from confmat.matrices.values import asked_of
from confmat.metric_names import ask
from confmat.objects.joint_matrix import JointMatrix
from confmat.paired.asked import Asked
from confmat.paired.clusters import ClusterCells

BOOTSTRAP = "bootstrap"
NO_SQUARES = "the sums of squared weights are not known, which say how many rows are drawn"
FEWEST = 10  # rows, of each class, or clusters, that are drawn again
_NORMAL = NormalDist()


class Units(NamedTuple):
    """What is drawn: rows of one joint cell each, or clusters of rows of several."""

    draws: Floats  # of each unit
    starts: npt.NDArray[np.int64]  # of its entries; one more
    cells: npt.NDArray[np.int64]  # of each entry the number of the joint cell
    amounts: Floats  # that a draw adds to it
    changes: Floats  # by how much a draw of each unit changes the difference


class Drawn(NamedTuple):
    """The ends of an interval, the standard deviation of the replicates, and a p value."""

    low: float
    high: float
    se: float
    p_value: float


def units_of(joint: JointMatrix, found: Influence, clusters: ClusterCells | None) -> Units | None:
    """Return what is drawn again; None: how many rows there are is not known."""
    moved = centred(joint, found.difference)
    if clusters is not None:
        of, cells, amounts = clusters.entries(joint)
        starts = np.searchsorted(of, np.arange(clusters.n_clusters + 1))
        sums = np.bincount(of, amounts * moved[cells], clusters.n_clusters)
        changes = np.asarray(sums, np.float64)
        return Units(np.ones(clusters.n_clusters), starts, cells, amounts, changes)
    state = joint._state
    amounts = np.ones(len(state.cells))
    draws = state.cells.astype(np.float64)
    if state.squares is not None:
        amounts = state.squares / draws
        draws = draws / amounts
    elif state.cells.dtype.kind != "i":
        return None
    cells = np.arange(len(draws))
    return Units(draws, np.arange(len(draws) + 1), cells, amounts, amounts * moved)


def replicates(joint: JointMatrix, name: str, asked: Asked, units: Units) -> Floats:
    """Return the differences of a metric, b - a, in tables that are drawn again.

    The same seed gives the same ones, on any machine and with any number of threads.
    """
    of = ask(name, None, ())
    m = joint.matrix("a")
    _, shown, options = asked_of(m, of.parsed, asked.pos_label, keep_empty=False, name=of.name)
    k = len(m.labels)
    truth, at_a, at_b = positions(joint)
    if len(shown) > k:  # by the positive class, which no row has
        truth, at_a, at_b = (at + (at >= options.pos) for at in (truth, at_a, at_b))
        k += 1
    drawn = _core.paired_replicates(
        of.parsed,
        k,
        shown,
        options,
        draws=units.draws,
        starts=units.starts,
        at_a=(truth * k + at_a)[units.cells],
        at_b=(truth * k + at_b)[units.cells],
        amounts=units.amounts,
        replicates=asked.count(),
        seed=asked.seed,
    )
    out: Floats = drawn[:, 1, 0] - drawn[:, 0, 0]
    return out


def too_few_to_draw(what: str, count: float) -> str | None:
    """Return why rows, or clusters, are not drawn again: by few an interval is too narrow."""
    if count >= FEWEST:
        return None
    return f"drawing again takes {FEWEST} {what}, and there are {count:.6g}"


def drawn_ends(
    difference: float, drawn: Floats, rate: float | None, asked: Asked, most: float
) -> Drawn:
    """Return the BCa interval of a difference, or percentiles, and the p value that belongs to it.

    Parameters
    ----------
    difference : float
        Of the tables themselves.
    drawn : ndarray
        Of tables that were drawn again.
    rate : float or None
        The acceleration; None takes percentiles of what was drawn, without a correction.
    asked : Asked
        The level and the side.
    most : float
        How far two values can lie apart.

    Notes
    -----
    The p value is that at which an end of the interval would be 0.
    """
    if rate is None:  # as if the difference were in the middle
        difference, rate = float(np.nanmedian(drawn)), 0.0
    low, high, _ = (float(x) for x in bca(difference, drawn, rate, asked.level, asked.side))
    se = float(deviations(drawn[:, None])[0])
    p = _p_value(difference, drawn[~np.isnan(drawn)], rate, asked)
    return Drawn(max(low, -most), min(high, most), se, p)


def _p_value(difference: float, drawn: Floats, rate: float, asked: Asked) -> float:
    """Return the p value of no difference: bca, turned round."""
    if not len(drawn) or math.isnan(rate):
        return math.nan

    def z_of(at: float) -> float:
        below = (drawn < at).sum() + (drawn == at).sum() / 2
        return _NORMAL.inv_cdf(float(below + 0.5) / (len(drawn) + 1))

    middle = z_of(difference)
    far = z_of(0.0) - middle
    under = 1 + rate * far
    z = far / under - middle if under > 0 else math.copysign(math.inf, far)
    if asked.side == "both":
        return 2 * _NORMAL.cdf(-abs(z))
    return _NORMAL.cdf(z if asked.side == "lower" else -z)
