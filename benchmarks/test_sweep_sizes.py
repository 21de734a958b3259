"""The areas of as many scores as people usually have, next to sorting these scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.clock import Race
from benchmarks.synthetic import scored

import confmat as cm

SIZES = (100_000, 1_000_000, 5_000_000, 20_000_000)
OURS, FLOOR = "cm.sweep(), AUC, AP and KS", "np.sort(s), one thread"


TIES = "float64 in thousandths"


class Scored(NamedTuple):
    y: npt.NDArray[np.bool_]
    s: npt.NDArray[np.floating[Any]]
    kind: str
    area: float


@pytest.fixture(scope="module", params=["float32", "float64", TIES])
def data(request: pytest.FixtureRequest, rows: int, size: int) -> Scored:
    if size > rows:
        pytest.skip(f"asked for {rows:,} rows")
    kind = request.param
    y, s = scored(size)
    s = s.astype("float64").round(3) if kind == TIES else s.astype(kind)
    negative = np.sort(s[~y])
    below = np.searchsorted(negative, s[y], side="left")
    up_to = np.searchsorted(negative, s[y], side="right")
    area = float((below + up_to).sum() / 2 / len(below) / len(negative))
    return Scored(y, s, kind, area)


@pytest.mark.parametrize("size", SIZES, scope="module")
@pytest.mark.parametrize("name", [OURS, FLOOR])
def test_areas(race: Race, data: Scored, size: int, name: str) -> None:
    question = f"exact areas of {size:,} {data.kind}"

    def areas() -> dict[str, float]:
        return cm.sweep(data.y, data.s).values(["roc_auc", "average_precision", "ks"])

    def check(found: dict[str, float]) -> None:
        assert found["roc_auc"] == pytest.approx(data.area, abs=1e-9)

    def is_sorted(found: npt.NDArray[Any]) -> None:
        assert (found[1:] >= found[:-1]).all()

    if name == OURS:
        race(question, OURS, "ours", areas, check=check, rows=size)
    else:
        race(question, FLOOR, "floor", lambda: np.sort(data.s), check=is_sorted, rows=size)
