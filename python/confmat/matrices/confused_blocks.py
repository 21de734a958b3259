"""Which classes a matrix confuses with one another, from its singular vectors or eigenvectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.matrices.base import MatrixBase

MOST_CLASSES = 1_000
_SHOWN = 3
_SURE = 0.999999  # a direction that is told apart as well as this holds no confusion
_MOST_MEMBERS = 8
_ENOUGH = 0.9  # of the weight of a direction: the classes beyond are left out
_FEW = 0.02  # a class that has less of it is left out, too


def confused_blocks(state: MatrixBase, *, by_eigenvalues: bool) -> pl.DataFrame | None:
    """Return the directions that are told apart least, and the classes that make them up.

    Of the matrix C[i, j] / sqrt(r[i] c[j]) by its singular vectors; of eve of the symmetric part of
    the row-stochastic matrix by its eigenvectors.
    """
    if len(state._labels) > MOST_CLASSES:
        return None
    cells = np.asarray(state.counts, np.float64) + state.smoothing
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    there = (rows > 0) | (columns > 0)
    if there.sum() < 2:
        return None
    cells, rows, columns = cells[np.ix_(there, there)], rows[there], columns[there]
    if by_eigenvalues:
        stochastic = cells / np.where(rows > 0, rows, 1.0)[:, None]
        numbers, vectors = np.linalg.eigh((stochastic + stochastic.T) / 2)
        weights = vectors.T**2
    else:
        scales = (np.sqrt(np.where(part > 0, part, 1.0)) for part in (rows, columns))
        left, numbers, right = np.linalg.svd(cells / np.outer(*scales))
        numbers, weights = numbers[::-1], ((left.T**2 + right**2) / 2)[::-1]
    labels = [label for label, is_there in zip(state._labels, there, strict=True) if is_there]
    blocks = [
        (float(number), *_members(weight))
        for number, weight in zip(numbers[:_SHOWN], weights[:_SHOWN], strict=True)
        if number < _SURE
    ]
    kind = pl.Series(list(state._labels)).dtype
    return pl.DataFrame(
        {
            "number": pl.Series([number for number, _, _ in blocks], dtype=pl.Float64),
            "classes": pl.Series(
                [[labels[at] for at in members] for _, members, _ in blocks], dtype=pl.List(kind)
            ),
            "weight": pl.Series([weight for _, _, weight in blocks], dtype=pl.Float64),
        }
    )


def _members(weight: npt.NDArray[np.float64]) -> tuple[list[int], float]:
    """Return the classes that make up most of a direction, in their order, and their weight."""
    order = np.argsort(-weight, kind="stable")[:_MOST_MEMBERS]
    enough = int(np.searchsorted(np.cumsum(weight[order]), _ENOUGH)) + 1
    members = [int(at) for at in order[:enough] if weight[at] >= _FEW]
    return sorted(members), min(float(weight[members].sum()), 1.0)
