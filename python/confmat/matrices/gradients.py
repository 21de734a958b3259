"""How each metric moves with the cells of a matrix, and the standard error that follows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.values import asked_of, number
from confmat.metric_names import Ask, ask

Floats = npt.NDArray[np.float64]
_NOISE = 1e-10  # of the slopes: what is less is their rounding


def gradient(
    state: MatrixBase,
    name: str,
    average: str | None = None,
    pos_label: Label | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> tuple[float, Floats]:
    """Return a metric and its derivatives by the cells.

    The derivatives come from the formula of the metric, run on numbers that carry them.

    Parameters
    ----------
    name, average, pos_label, keep_empty, **params
        As in `value`.

    Returns
    -------
    tuple of float and ndarray of shape (K, K)
        nan everywhere where the metric is undefined, or has no derivatives, as the determinant of
        a singular matrix. 0 at cells of classes that it leaves out, and at empty cells where the
        slope of x ln x is infinite.

    Raises
    ------
    InputError
        As `value`; a sparse matrix.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> value, slopes = m.gradient("recall")
    >>> value, slopes.round(6).tolist()
    (0.9, [[0.0, 0.0], [-0.009, 0.001]])
    """
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    value = number(state, asked, pos_label, None, keep_empty)
    return value, slopes_of(state, asked, pos_label, keep_empty)


def slopes_of(
    state: MatrixBase,
    asked: Ask,
    pos_label: Label | None = None,
    keep_empty: bool = False,
    classes: list[int] | None = None,
) -> Floats:
    """Return the derivatives by the cells of the matrix. Raises InputError: it is sparse."""
    cells, shown, options = asked_of(
        state, asked.parsed, pos_label, keep_empty, None, classes, asked.name
    )
    found = _core.gradients(asked.parsed, cells, shown, options)
    if found is None:
        raise InputError(
            f"{asked.name} has no gradient by the cells of a matrix of {len(state._labels)} "
            'classes, which is sparse; wanted fewer classes, with labels= and other="bucket"'
        )
    slopes: Floats = found[0]
    if len(slopes) > len(state._labels):  # by the positive class, which the matrix lacks
        slopes = np.delete(np.delete(slopes, options.pos, axis=0), options.pos, axis=1)
    return slopes


def standard_error(state: MatrixBase, slopes: Floats) -> float:
    """Return the standard error of a number with such derivatives.

    The rows are a multinomial sample, or, with weights, independent: nan where the squared weights
    are not known. Where the sizes of the true classes are known, the rows of each are a sample. Of
    mixtures of counted rows, these are.
    """
    if state._mixed is not None:
        source, shares = state._mixed
        return standard_error(source, shares.T @ slopes)
    squares = state._effective_squares()
    n = float(state.n)
    if squares is None or not n > 0:
        return math.nan
    cells: Any = state.counts
    filled = cells > 0
    steepest = np.abs(slopes).max()
    slopes = np.where(filled, slopes, 0.0)
    mean = (cells * slopes).sum() / n
    if state.class_sizes_known:
        sizes = cells.sum(1, keepdims=True)
        total = (cells * slopes).sum(1, keepdims=True)
        mean = np.divide(total, sizes, out=np.zeros_like(total), where=sizes > 0)
    gap = np.where(filled, slopes - mean, 0.0)
    if np.abs(gap).max() <= _NOISE * steepest:
        return 0.0
    return math.sqrt(float((squares.reshape(cells.shape) * gap * gap).sum()))
