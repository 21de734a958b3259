"""Log loss clips at the machine epsilon of the dtype of the scores, at every door alike."""

import math

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from support.forgotten import of_type

import confmat as cm
from confmat.frames.states import merge_states

EPS = {"float16": 2.0**-10, "float32": 2.0**-23, "float64": 2.0**-52}
POLARS = {"float16": pl.Float16, "float32": pl.Float32, "float64": pl.Float64}
Y = np.array([1, 0, 1, 0, 1])
S = [0.0, 1.0, 0.25, 0.25, 1.0]

kinds = pytest.mark.parametrize("kind", EPS)


def wanted(kind):
    """Return the mean of -ln p of the class of each row, p clipped."""
    p = np.clip(S, EPS[kind], 1 - EPS[kind])
    return -(np.where(Y == 1, np.log(p), np.log1p(-p))).mean()


def forms(kind):
    plain = np.array(S, kind)
    series = pl.Series("s", plain)
    assert series.dtype == POLARS[kind]
    yield from (plain, plain.astype(plain.dtype.newbyteorder()), series, pa.array(plain))
    yield pa.chunked_array([pa.array(plain[:2]), pa.array(plain[2:])])


@kinds
def test_objects_and_functions(kind):
    for scores in forms(kind):
        s = cm.sweep(Y, scores)
        assert s.clip == EPS[kind]
        assert s.log_loss == pytest.approx(wanted(kind), rel=1e-14)
        assert s.n_clipped == 3
        assert cm.log_loss(Y, scores) == s.log_loss
        assert cm.Sweep.from_bytes(s.to_bytes()) == s
        assert cm.Sweep.from_bytes(s.to_bytes()).log_loss == s.log_loss
        assert (s + s).log_loss == s.log_loss


@kinds
@pytest.mark.parametrize("bins", ["unit", 65536, "float16", 2, [0.0, 0.5, 1.0]])
def test_bins(kind, bins):
    s = cm.sweep(Y, np.array(S, kind), bins=bins)
    assert s.clip == EPS[kind]
    again = cm.BinnedSweep.from_bytes(s.to_bytes())
    assert (again.clip, again) == (s.clip, s)
    low, high = s.bounds("log_loss")
    assert low - 1e-12 <= wanted(kind) <= high + 1e-12
    if s.is_exact:
        assert s.log_loss == pytest.approx(wanted(kind), rel=1e-14)


@kinds
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("positive", [None, 1])
def test_expressions(kind, weight, positive):
    frame = pl.DataFrame({"y": Y, "s": pl.Series(np.array(S, kind)), "w": [2.5] * 5, "g": 1})
    options = {"sample_weight": weight, "pos_label": positive}
    ask = cm.sweep_metrics("y", "s", "log_loss", **options)
    exactly = cm.sweep(Y, frame["s"], sample_weight=None if weight is None else frame["w"]).log_loss
    assert exactly == pytest.approx(wanted(kind), rel=1e-14)
    assert frame.select(ask).item()["log_loss"] == exactly
    assert frame.group_by("g").agg(ask)["sweep_metrics"][0]["log_loss"] == exactly
    assert frame.lazy().select(ask).collect(engine="streaming").item()["log_loss"] == exactly
    assert frame.select(pl.col("y").cm.log_loss("s", **options)).item() == exactly
    found = frame.cm.evaluate("y", y_score="s", metrics=["log_loss"], **options)
    assert found["log_loss"].item() == exactly
    by = frame.cm.evaluate("y", y_score="s", metrics=["log_loss"], by="g", **options)
    assert by["log_loss"].item() == exactly


@kinds
def test_many_classes(kind):
    p = np.array([[1.0, 0.0], [0.0, 1.0], [0.75, 0.25], [0.75, 0.25], [0.0, 1.0]], kind)
    columns = [pl.Series("0", p[:, 0]), pl.Series("1", p[:, 1])]
    for proba in (p, pl.DataFrame(columns), pl.Series(p.tolist(), dtype=pl.Array(POLARS[kind], 2))):
        k = cm.multiclass_sweep(Y, proba)
        clipped = np.clip(p[np.arange(5), Y].astype(float), EPS[kind], 1 - EPS[kind])
        assert k.log_loss == pytest.approx(-np.log(clipped).mean(), rel=1e-14)
        assert k.one_vs_rest(1).clip == EPS[kind]
        assert k.one_vs_rest(1).log_loss == pytest.approx(wanted(kind), rel=1e-14)


@kinds
def test_label_sets(kind):
    scores = np.stack([S, S[::-1]], axis=1).astype(kind)
    s = cm.multilabel_sweep(np.stack([Y, Y], axis=1), scores)
    assert s.label(0).log_loss == pytest.approx(wanted(kind), rel=1e-14)
    assert s.per_class(["log_loss"])["log_loss"][0] == s.label(0).log_loss


def test_different_clipping_does_not_merge():
    sweeps = {kind: cm.sweep(Y, np.array(S, kind)) for kind in EPS}
    binned = {kind: cm.sweep(Y, np.array(S, kind), bins=2) for kind in EPS}
    for one in EPS:
        for two in EPS:
            for made in (sweeps, binned):
                if one == two:
                    assert len(made[one] + made[two]) == len(made[one])
                    continue
                with pytest.raises(cm.InputError, match=f"cannot add: .*{one}.*{two}"):
                    made[one] + made[two]
                with pytest.raises(cm.InputError, match=f"cannot subtract: .*{one}.*{two}"):
                    made[one] - made[two]
                assert made[one] != made[two]


def test_a_sweep_of_no_rows_merges_with_any():
    none = cm.sweep([], [])
    for kind in EPS:
        some = cm.sweep(Y, np.array(S, kind))
        for both in (none + some, some + none, cm.sweep([], np.array([], "float64")) + some):
            assert both == some
            assert both.clip == EPS[kind]


def test_columns_of_states():
    states = {
        kind: pl.DataFrame({"y": Y, "s": pl.Series(np.array(S, kind))}).select(
            cm.state("y", y_score="s")
        )
        for kind in EPS
    }
    empty = pl.DataFrame({"y": [None], "s": [0.5]}, schema={"y": pl.Int64, "s": pl.Float64})
    for kind, state in states.items():
        same = pl.concat([state, state, empty.select(cm.state("y", y_score="s"))])
        assert same.select(merge_states()).item() is not None
        other = states["float32" if kind == "float64" else "float64"]
        with pytest.raises(pl.exceptions.ComputeError, match=r"log loss clips .* at 2\^-"):
            pl.concat([state, other]).select(merge_states())


def test_damaged_float16_states():
    s = cm.sweep(Y, np.array(S, "float16"))
    assert not math.isnan(s.log_loss)
    with pytest.raises(cm.StateError, match="no float16"):
        cm.Sweep.from_bytes(
            of_type(cm.sweep([1], np.array([0.1], "float32")), "float16").to_bytes()
        )
