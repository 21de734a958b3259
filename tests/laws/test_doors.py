"""One log through every door and every split gives one state, to the last byte."""

from functools import reduce
from operator import add
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

LABELS = {
    "Int64": [-3, 0, 1, 2**62],
    "Boolean": [False, True],
    "String": ["", "a", "a name that is no short one", "z"],
}
DTYPES = {"Int64": pl.Int64, "Boolean": pl.Boolean, "String": pl.String}
OTHER_TYPES = {"Int64": [pl.Int64], "Boolean": [pl.Boolean], "String": [pl.String, pl.Categorical]}
WEIGHTS = {
    None: st.none(),
    "integers": st.integers(0, 9),
    "floats": st.sampled_from([0.0, 1e-8, 0.1, 0.2, 0.3, 1.0, 1e16]),
}


@st.composite
def logs(draw: st.DrawFn, kind: str, weight: str | None) -> pl.DataFrame:
    """Return rows of a few parts; no part is of nulls alone."""
    label = st.sampled_from(LABELS[kind])
    row = st.tuples(
        st.integers(0, 3), label, label | st.none(), st.integers(0, 40), WEIGHTS[weight]
    )
    rows = draw(st.lists(row, min_size=1, max_size=40))
    rows += [(part, *[LABELS[kind][0]] * 2, 3, draw(WEIGHTS[weight])) for part in range(4)]
    types = {None: pl.Null, "integers": pl.Int64, "floats": pl.Float64}
    schema = {
        "part": pl.Int64,
        "y": DTYPES[kind],
        "p": DTYPES[kind],
        "s": pl.Int64,
        "w": types[weight],
    }
    frame = pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.col("s") / 40)
    dtype = draw(st.sampled_from(OTHER_TYPES[kind]))
    return frame.with_columns(pl.col("y", "p").cast(dtype))


def through_all_doors(frame: pl.DataFrame, eager: Any, asked: dict[str, Any]) -> dict[str, bytes]:
    """Return the state of all rows, as each door and each way to split them gives it."""
    parts = [rows for _, rows in frame.group_by("part", maintain_order=True)]
    objects = [eager(rows) for rows in parts]
    columns = frame.group_by("part").agg(cm.state(asked["y_true"], **_expression(asked)))
    partial = [cm.partial(rows, by=["part"], **asked) for rows in parts]
    merged = pl.col("state").cm.merge_states()
    out = {
        "eager": eager(frame).to_bytes(),
        "rows in another order": eager(frame[::-1]).to_bytes(),
        "+": reduce(add, objects).to_bytes(),
        "merge objects": cm.merge(objects[::-1]).to_bytes(),
        "merge bytes": cm.merge([one.to_bytes() for one in objects]).to_bytes(),
        "merge both": cm.merge(
            [one.to_bytes() if at % 2 else one for at, one in enumerate(objects)]
        ).to_bytes(),
        "select": frame.select(cm.state(asked["y_true"], **_expression(asked))).item(),
        "group_by": columns.select(merged).item(),
        "from_bytes": cm.merge(map(cm.from_bytes, columns["state"])).to_bytes(),
        "partial": cm.merge(pl.concat(partial), by=[])["state"].item(),
        "merge twice": cm.merge(cm.merge(pl.concat(partial), by=pl.col("part") // 2), by=[])[
            "state"
        ].item(),
    }
    for engine in ("in-memory", "streaming"):
        query = cm.merge(cm.partial(frame.lazy(), by=["part"], **asked), by=[])
        out[f"lazy {engine}"] = query.collect(engine=engine)["state"].item()
    return out


def _expression(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name != "y_true"}


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("known", [False, True], ids=["found", "given"])
@given(data=st.data())
def test_matrices(kind: str, weight: str | None, known: bool, data: st.DataObject) -> None:
    frame = data.draw(logs(kind, weight))
    options = {"labels": LABELS[kind]} if known else {}
    column = None if weight is None else "w"

    def eager(rows: pl.DataFrame) -> cm.ConfusionMatrix:
        weights = None if weight is None else rows["w"]
        return cm.confusion_matrix(rows["y"], rows["p"], sample_weight=weights, **options)

    asked = {"y_true": "y", "y_pred": "p", "sample_weight": column, **options}
    states = through_all_doors(frame, eager, asked)
    assert {name for name, state in states.items() if state != states["eager"]} == set()


@pytest.mark.parametrize("weight", [None, "integers"])
@pytest.mark.parametrize("bins", [None, "unit", 16])
@given(data=st.data())
def test_sweeps(bins: Any, weight: str | None, data: st.DataObject) -> None:
    frame = data.draw(logs("Boolean", weight))
    column = None if weight is None else "w"

    def eager(rows: pl.DataFrame) -> Any:
        weights = None if weight is None else rows["w"]
        return cm.sweep(rows["p"], rows["s"], sample_weight=weights, bins=bins)

    asked = {"y_true": "p", "y_score": "s", "sample_weight": column, "bins": bins}
    states = through_all_doors(frame, eager, asked)
    assert {name for name, state in states.items() if state != states["eager"]} == set()
