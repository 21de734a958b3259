"""Hostile options of every public method: our own errors, or the one of a signature."""

import inspect
import random
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import confmat as cm

CALLS = 40  # of each method


class Raises:
    """An object whose every use is an error."""

    def __repr__(self):
        raise RuntimeError("no text")

    def __eq__(self, other):
        raise NotImplementedError("no comparison")

    def __float__(self):
        raise ZeroDivisionError("no number")

    __hash__ = None


VALUES = (
    *(0, 1, -1, 3, 2**70, 10**400, 0.5, float("nan"), float("inf"), True, None, b"x", (1, 2), {}),
    *("", "mcc", "f1", "macro", "\ud800", "é\0", [[0, 10**400], [1, 0]], [[0, 1], [1, 0]], [0.5]),
    *(pd.NA, np.array([1, 2]), np.array(3), Raises(), object(), pl.Series([1.0]), ["mcc", 3]),
)


def is_of_others(error):
    """Return whether it is of a query of Polars, or of a call that does not fit its signature."""
    if isinstance(error, pl.exceptions.PolarsError):
        return True
    trace = error.__traceback__.tb_next
    return isinstance(error, TypeError) and (trace is None or trace.tb_next is None)


def things():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 60), rng.random(60)
    three = rng.dirichlet([1, 1, 1], 60)
    swept = cm.sweep(y, s)
    sets = np.stack([y, 1 - y], axis=1)
    frame = pl.DataFrame({"y_true": y, "y_pred": y, "y_score": s, "g": y})
    return [
        cm.confusion_matrix(y, (s > 0.5).astype(int)),
        cm.ConfusionMatrix(rng.random((3, 3))),
        swept,
        cm.joint_matrix(y, y, 1 - y),
        cm.sweep(y, s, bins=16),
        swept.calibration(),
        swept.recalibrate("platt"),
        cm.multiclass_sweep(rng.integers(0, 3, 60), three),
        cm.multilabel(sets, 1 - sets),
        cm.multilabel_sweep(sets, three[:, :2]),
        frame.cm,
        frame.lazy().cm,
    ]


THINGS = things()


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_methods_answer_with_errors_of_ours(thing):
    draw = random.Random(7)
    refused, wrong = 0, []
    for name in dir(type(thing)):
        method = None if name.startswith("_") or name == "save" else getattr(thing, name, None)
        if not inspect.ismethod(method):
            continue
        options = inspect.signature(method).parameters.values()
        for _ in range(CALLS):
            given = {
                option.name: draw.choice(VALUES)
                for option in options
                if option.kind in (option.POSITIONAL_OR_KEYWORD, option.KEYWORD_ONLY)
                and (option.default is option.empty or draw.random() < 0.4)
            }
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    method(**given)
                except (cm.InputError, cm.StateError):
                    refused += 1
                except Exception as error:
                    if not is_of_others(error):
                        wrong.append((name, error))
    assert wrong == []
    assert refused > 0
