"""What does an expression in `select` cost beyond the counting kernel that it has to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import FORMULAS, Cells, cells_of, labels

import confmat as cm
from confmat import _core

K = 10
LABELS = list(range(K))


class Data(NamedTuple):
    frame: pl.DataFrame
    y: Any
    p: Any
    cells: Cells


def _eager(data: Data, known: list[int] | None) -> pl.DataFrame:
    return data.frame.select(cm.metrics("y", "p", labels=known)).unnest("metrics")


def _lazy(data: Data, known: list[int] | None) -> pl.DataFrame:
    query = data.frame.lazy().select(cm.metrics("y", "p", labels=known))
    return query.collect(engine="streaming").unnest("metrics")


def _evaluate_eager(data: Data, known: list[int] | None) -> pl.DataFrame:
    return data.frame.cm.evaluate("y", "p", labels=known)


def _evaluate_lazy(data: Data, known: list[int] | None) -> pl.DataFrame:
    return data.frame.lazy().cm.evaluate("y", "p", labels=known).collect(engine="streaming")


def _kernel(threads: int) -> Callable[[Data, list[int] | None], Any]:
    return lambda data, known: _core.count(data.y, data.p, None, known, threads)[0].cells


class Contender(NamedTuple):
    question: str
    role: Role
    run: Callable[[Data, list[int] | None], Any]


CONTENDERS = {
    "df.select(cm.metrics())": Contender("select, eager", "ours", _eager),
    "df.cm.evaluate()": Contender("select, eager", "ours", _evaluate_eager),
    "kernel, 1 thread": Contender("select, eager", "floor", _kernel(1)),
    "lf.select(cm.metrics())": Contender("select, streaming", "ours", _lazy),
    "lf.cm.evaluate()": Contender("select, streaming", "ours", _evaluate_lazy),
    "kernel, 2 threads": Contender("select, streaming", "floor", _kernel(2)),
}


@pytest.fixture(scope="module")
def data(rows: int) -> Data:
    y, p = labels(rows, K, "int32")
    return Data(pl.DataFrame({"y": y, "p": p}), y, p, cells_of(y, p, K))


@pytest.mark.parametrize("known", [None, LABELS], ids=["no labels", "labels"])
@pytest.mark.parametrize("name", CONTENDERS)
def test_select(race: Race, data: Data, name: str, known: list[int] | None) -> None:
    contender = CONTENDERS[name]

    def check(found: Any) -> None:
        if contender.role == "floor":
            np.testing.assert_array_equal(found, data.cells[0])
            return
        assert found["n"].to_list() == [len(data.y)]
        for metric in set(FORMULAS) & set(found.columns):
            np.testing.assert_allclose(
                found[metric].to_numpy(), FORMULAS[metric](data.cells), rtol=1e-12
            )

    race(
        f"{contender.question}, {'no labels' if known is None else 'labels'}",
        name,
        contender.role,
        lambda: contender.run(data, known),
        check=check,
        rows=len(data.y),
    )
