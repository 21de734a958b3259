"""One group of very many rows of scores: its codes are swept where they lie, by several threads."""

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError

import confmat as cm

ROWS = 1_200_001
NAMES = ["roc_auc", "average_precision", "ks"]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(31)
    y = rng.random(ROWS) < 0.3
    s = rng.normal(y, 1.5).astype(np.float32)
    s[::7] = np.round(s[::7], 1)
    return pl.DataFrame({"y": y, "s": s})


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
@pytest.mark.parametrize("label", [pl.Boolean, pl.Int8, pl.Int64])
@pytest.mark.parametrize("score", [pl.Float16, pl.Float32, pl.Float64])
def test_all_doors_agree(rows, engine, label, score):
    frame = rows.select(pl.col("y").cast(label), pl.col("s").cast(score))
    sweep = cm.sweep(frame["y"], frame["s"])
    found = frame.lazy().select(cm.sweep_metrics("y", "s", NAMES)).collect(engine=engine).item()
    assert found == {"n": ROWS, "n_dropped": 0, **sweep.values(NAMES)}
    state = frame.lazy().select(cm.state("y", y_score="s", bins=None)).collect(engine=engine).item()
    assert state == sweep.to_bytes()


@pytest.mark.parametrize("at", [0, 1_500, ROWS // 2, ROWS - 1])
@pytest.mark.parametrize("score", [pl.Float32, pl.Float64])
def test_a_row_unlike_the_others_is_seen_wherever_it_lies(rows, at, score):
    def changed(**columns):
        here = pl.int_range(pl.len()) == at
        made = [pl.when(here).then(v).otherwise(pl.col(c)).alias(c) for c, v in columns.items()]
        return rows.select(pl.col("y").cast(pl.Int16), pl.col("s").cast(score)).with_columns(made)

    def asked(frame, **options):
        return frame.select(cm.sweep_metrics("y", "s", NAMES, **options)).item()

    fewer = rows.filter(pl.int_range(pl.len()) != at)
    wanted = cm.sweep(fewer["y"], fewer["s"].cast(score)).values(NAMES)
    for frame, options in [
        (changed(y=None), {}),
        (changed(s=None), {}),
        (changed(s=float("nan")), {"nan": "drop"}),
    ]:
        assert asked(frame, **options) == {"n": ROWS - 1, "n_dropped": 1, **wanted}
    with pytest.raises(ComputeError, match=f"score nan at row {at}"):
        asked(changed(s=float("nan")))
    with pytest.raises(ComputeError, match="`y_true` holds 7: wanted the labels 0 and 1"):
        asked(changed(y=7))
    with pytest.raises(ComputeError, match="more than one class beside pos_label 1"):
        asked(changed(y=7), pos_label=1)
