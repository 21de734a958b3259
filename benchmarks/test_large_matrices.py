"""Determinants and spectra of matrices of many classes, against `numpy.linalg`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role

import confmat as cm

Matrix = npt.NDArray[np.float64]


class Data(NamedTuple):
    matrix: cm.ConfusionMatrix
    normalised: Matrix
    symmetric: Matrix


class Contender(NamedTuple):
    question: str
    role: Role
    run: Callable[[Data], Any]


CONTENDERS = {
    "m.log_abs_gmcc": Contender("determinant", "ours", lambda data: data.matrix.log_abs_gmcc),
    "numpy.linalg.slogdet": Contender(
        "determinant", "peer", lambda data: np.linalg.slogdet(data.normalised)[1]
    ),
    "m.eve_eigenvalues": Contender("eigenvalues", "ours", lambda data: data.matrix.eve_eigenvalues),
    "numpy.linalg.eigvalsh": Contender(
        "eigenvalues", "peer", lambda data: np.linalg.eigvalsh(data.symmetric)[::-1]
    ),
    "m.singular_values": Contender(
        "singular values", "ours", lambda data: data.matrix.singular_values
    ),
    "numpy.linalg.svd": Contender(
        "singular values", "peer", lambda data: np.linalg.svd(data.normalised, compute_uv=False)
    ),
}


@pytest.fixture(scope="module")
def data(rows: int, kind: str) -> Data:
    k = int(min(max(rows // 1000, 100), 2000))
    table = np.random.default_rng(7).integers(0, 20, (k, k))
    if kind == "mostly right":
        np.fill_diagonal(table, 20 * k)
    shares = table / table.sum(axis=1, keepdims=True)
    normalised = table / np.sqrt(np.outer(table.sum(axis=1), table.sum(axis=0)))
    return Data(cm.ConfusionMatrix(table), normalised, (shares + shares.T) / 2)


@pytest.mark.parametrize("kind", ["mostly right", "at random"], scope="module")
@pytest.mark.parametrize("name", CONTENDERS)
def test_large_matrices(race: Race, data: Data, name: str, kind: str) -> None:
    contender = CONTENDERS[name]
    (wanted,) = (
        other.run(data)
        for other in CONTENDERS.values()
        if other.question == contender.question and other.role == "peer"
    )
    k = len(data.symmetric)
    race(
        f"{contender.question}, {k} classes, {kind}",
        name,
        contender.role,
        lambda: contender.run(data),
        check=lambda found: np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12),
        rows=k * k,
    )


@pytest.mark.parametrize("k", [100, 1000, 3000])
def test_overall(race: Race, rows: int, k: int) -> None:
    if k * 1000 > rows:
        pytest.skip(f"asked for {rows:,} rows")
    matrix = cm.ConfusionMatrix(np.random.default_rng(7).integers(0, 20, (k, k)))
    race(
        f"every metric, {k} classes, at random",
        "m.overall()",
        "ours",
        matrix.overall,
        check=lambda found: found["value"].is_not_null().any(),
        rows=k * k,
    )
