"""The widest integers, and halves: labels at every door, or refused alike."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

Y = [0, 1, 1, 0, 1, None]
P = [0, 1, 0, 0, 1, 1]
S = [0.1, 0.9, 0.4, 0.2, 0.8, 0.5]
WIDE = [pl.Int128, pl.Float16, *([pl.UInt128] if hasattr(pl, "UInt128") else [])]


def doors_of(frame):
    """Every way to give labels, each a function of nothing that returns what can be compared."""
    y, p, s = frame["y"], frame["p"], frame["s"]
    lazy, asked = frame.lazy(), ["accuracy", "mcc"]
    doors = {
        "matrix": lambda: cm.confusion_matrix(y, p),
        "function": lambda: cm.mcc(y, p),
        "sweep": lambda: cm.sweep(y, s),
        "multiclass sweep": lambda: (
            cm.multiclass_sweep(y, np.c_[1 - s.to_numpy(), s.to_numpy()]).log_loss
        ),
        "joint matrix": lambda: cm.joint_matrix(y, p, p),
        "expression of scores": lambda: frame.select(pl.col("y").cm.roc_auc("s")).item(),
        "log": lambda: cm.evaluate(frame, y_true="y", y_pred="p").overall(asked).rows(),
        "log of scores": lambda: cm.evaluate(frame, y_true="y", y_score="s").n,
        "log in slices": lambda: cm.evaluate(frame, "y", "p", by="g").slices(asked).rows(),
    }
    for weight in (None, "w"):
        of = {} if weight is None else {"sample_weight": weight}
        for by in (None, "g"):
            key = {**of, "metrics": asked, **({} if by is None else {"by": by})}
            name = f"{weight}, {by}"
            doors[f"frame, {name}"] = lambda key=key: frame.cm.evaluate("y", "p", **key).rows()
            doors[f"query, {name}"] = lambda key=key: (
                lazy.cm.evaluate("y", "p", **key).collect().rows()
            )
        doors[f"select, {weight}"] = lambda of=of: frame.select(
            cm.metrics("y", "p", asked, **of)
        ).rows()
        doors[f"labels, {weight}"] = lambda of=of: frame.select(
            cm.metrics("y", "p", asked, labels=[0, 1, 2], **of)
        ).rows()
        doors[f"state, {weight}"] = lambda of=of: frame.select(cm.state("y", "p", **of)).item()
    return doors


def wide_frame(dtype, y=Y):
    frame = pl.DataFrame({"p": P, "s": S, "w": [1.0, 2, 1, 1, 0.5, 1], "g": [1, 1, 1, 2, 2, 2]})
    frame = frame.with_columns(pl.Series("y", y, pl.Int128))
    if dtype == pl.Float16:  # which Polars casts no Int128 to
        frame = frame.with_columns(pl.col("y", "p").cast(pl.Float32))
    return frame.with_columns(pl.col("y", "p").cast(dtype))


@pytest.mark.parametrize("dtype", WIDE)
def test_the_widest_integers_and_halves_are_labels_at_every_door(dtype):
    wanted = doors_of(wide_frame(pl.Int64))
    for name, door in doors_of(wide_frame(dtype)).items():
        assert door() == wanted[name](), name


def test_integers_beyond_64_bits_are_refused_alike():
    for value in (2**64 + 1, -(2**63) - 1, 2**63):
        frame = wide_frame(pl.Int128, [0, 1, 1, 0, None, value])
        for name, door in doors_of(frame).items():
            with pytest.raises((cm.InputError, pl.exceptions.ComputeError)) as error:
                door()
            assert f"`y_true` holds {value} at row" in str(error.value), name
            assert "; wanted integers of 64 bits; labels may be texts" in str(error.value), name
