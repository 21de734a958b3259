"""What does a call cost on a thousand rows, where there is almost nothing to count.

The peer computes three metrics; ours the same three, then every overall metric and average.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.clock import Race
from benchmarks.ratios import Role
from benchmarks.synthetic import FORMULAS, cells_of, labels
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef

import confmat as cm
from confmat.registry import names

ROWS = 1_000
K = 10
THREE = ("accuracy", "mcc", "f1_macro")


def _three(y: Any, p: Any) -> dict[str, float]:
    return cm.confusion_matrix(y, p).values(THREE)


def _all_values(y: Any, p: Any) -> dict[str, float]:
    return cm.confusion_matrix(y, p).values(names("overall") + names("average"))


def _all_rows(y: Any, p: Any) -> Any:
    return cm.confusion_matrix(y, p).overall()


def _sklearn(y: Any, p: Any) -> dict[str, float]:
    return {
        "accuracy": accuracy_score(y, p),
        "mcc": matthews_corrcoef(y, p),
        "f1_macro": f1_score(y, p, average="macro"),
    }


class Contender(NamedTuple):
    role: Role
    run: Callable[[Any, Any], Any]


CONTENDERS = {
    "matrix and the same 3 values": Contender("ours", _three),
    "matrix and all values": Contender("ours", _all_values),
    "matrix and m.overall() with reasons": Contender("ours", _all_rows),
    "scikit-learn, 3 values": Contender("peer", _sklearn),
}


@pytest.fixture(scope="module")
def pair() -> tuple[Any, Any]:
    return labels(ROWS, K, "int64")


@pytest.mark.parametrize("name", CONTENDERS)
def test_small(race: Race, pair: tuple[Any, Any], name: str) -> None:
    y, p = pair
    role, run = CONTENDERS[name]
    cells = cells_of(y, p, K)

    def check(found: Any) -> None:
        if not isinstance(found, dict):
            found = dict(found.select("metric", "value").rows())
        for metric in THREE:
            expected = FORMULAS[metric](cells)[0]
            np.testing.assert_allclose(found[metric], expected, rtol=1e-12, err_msg=metric)

    race(f"{ROWS:,} rows, K={K}", name, role, lambda: run(y, p), check=check, rows=ROWS)
