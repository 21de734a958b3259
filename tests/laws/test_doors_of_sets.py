"""Sets of labels as lists and as indicators, whole and in parts: one state, to the last byte."""

from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

WIDTHS = [1, 5, 8, 9, 40, 700]  # of bits in a byte, of several, and of lists
WEIGHTS = {
    None: st.none(),
    "integers": st.integers(0, 9),
    "floats": st.sampled_from([0.0, 1e-8, 0.1, 0.2, 0.3, 1.0, 1e16]),
}


@st.composite
def logs(draw: st.DrawFn, width: int, weight: str | None) -> tuple[Any, Any, Any]:
    """Return true and predicted sets, any label of which may be listed twice, and weights."""
    sets = st.lists(st.integers(0, width - 1), max_size=6)
    rows = draw(
        st.lists(st.tuples(sets, sets | st.none(), WEIGHTS[weight]), min_size=1, max_size=30)
    )
    rows += [([], [width - 1], draw(WEIGHTS[weight]))]
    truth, pred, weights = map(list, zip(*rows, strict=True))
    return truth, pred, None if weight is None else np.array(weights)


def _indicators(sets: Any, width: int) -> pl.DataFrame:
    table = [[None] * width if row is None else [at in row for at in range(width)] for row in sets]
    schema = {str(at): pl.Boolean for at in range(width)}
    return pl.DataFrame(table, schema=schema, orient="row")


def _sparse(sets: Any, width: int) -> Any:
    table = _indicators([row if row is not None else [] for row in sets], width).to_numpy()
    found = scipy.sparse.csc_matrix(table.astype(float))
    missing = [at for at, row in enumerate(sets) if row is None]
    if missing:
        found = found.tolil()
        for at in missing:
            found[at, 0] = np.nan
    return found


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("width", WIDTHS)
@given(data=st.data())
def test_lists_are_indicators(data: Any, width: int, weight: str | None) -> None:
    truth, pred, w = data.draw(logs(width, weight))
    labels = [f"label {at:03}" for at in range(width)]
    options: dict[str, Any] = {"labels": labels, "sample_weight": w}
    whole = cm.multilabel(_indicators(truth, width), _indicators(pred, width), **options)
    saved = whole.to_bytes()
    names = [
        pl.Series(
            [None if row is None else [labels[at] for at in row] for row in sets],
            dtype=pl.List(pl.String),
        )
        for sets in (truth, pred)
    ]
    assert cm.multilabel(*names, **options).to_bytes() == saved
    categories = [one.cast(pl.List(pl.Enum(labels))) for one in names]
    assert cm.multilabel(*categories, **options).to_bytes() == saved
    assert cm.multilabel(*(one.to_arrow() for one in names), **options).to_bytes() == saved
    assert cm.multilabel(_sparse(truth, width), _sparse(pred, width), **options).to_bytes() == saved
    cut = data.draw(st.integers(0, len(truth)))
    parts = [
        cm.multilabel(
            *(one[rows] for one in names),
            labels=labels,
            sample_weight=None if w is None else w[rows],
        )
        for rows in (slice(cut), slice(cut, None))
        if len(names[0][rows])
    ]
    assert cm.merge(parts).to_bytes() == saved
    assert cm.from_bytes(saved) == whole
    if weight != "floats":
        assert (whole - parts[-1] + parts[-1]).to_bytes() == saved
    found = cm.multilabel(*names, sample_weight=w)
    places = [labels.index(label) for label in found.labels]
    assert found.counts.tolist() == whole.counts[places].tolist()
    assert found.powerset().equals(whole.powerset())
