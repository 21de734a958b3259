"""Hostile arguments through every plain function: our own errors come out, and nothing else."""

import inspect
import random
import signal
import warnings

import numpy as np
import pandas as pd
import pytest
from unit.hostile.test_hostile_calls import COLUMNS, LABEL, LABELS, NUMBERS, Raises

import confmat as cm
from confmat import functions

CALLS = 60


class BrokenStream:
    """An object that promises Arrow data and has none."""

    def __arrow_c_stream__(self, *_):
        raise OverflowError("no stream")


class WrongStream:
    def __arrow_c_stream__(self, *_):
        return b"\xff"


class BrokenArray:
    def __array__(self, *_, **__):
        return "not an array"


class BrokenText(str):
    """A text that cannot even be shown."""

    def __str__(self):
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no text")

    __repr__ = __str__


class NoLength:
    def __getitem__(self, _):
        raise TypeError("nothing here")


HOSTILE = (BrokenStream(), WrongStream(), BrokenArray(), BrokenText("a"), NoLength(), Raises())
GOOD = ([0, 1, 1, 0], np.array([0, 1, 0, 0]), ["a", "b", "b", "a"], [0.1, 0.9, 0.4, 0.3])
VALUES = {
    "y_true": (*GOOD, *COLUMNS, *HOSTILE),
    "y_pred": (*GOOD, *COLUMNS, *HOSTILE),
    "y_score": (*GOOD, *COLUMNS, *HOSTILE),
    "labels": (None, *LABELS, *HOSTILE, [BrokenText("a")], [2**64], [-(2**63) - 1], pd.NA),
    "sample_weight": (None, None, *COLUMNS, *HOSTILE),
    "pos_label": (*LABEL, *HOSTILE, np.zeros((2, 2)), -(2**63) - 1, pd.NaT),
    "average": ("binary", "macro", None, "ovo", 3, np.array(["macro"]), [None], *HOSTILE),
    "classes": (None, None, *LABELS, *HOSTILE),
    "undefined": (*NUMBERS, *HOSTILE, 2**2000, np.array([0.0])),
    "keep_empty": (False, True),
    "other": ("raise", "bucket", "no", None, np.array([1, 2]), *HOSTILE),
    "nulls": ("drop", "raise", "no", None, np.array([1, 2]), *HOSTILE),
    "nan": ("drop", "raise", "no", None, np.array([1, 2]), *HOSTILE),
}
PARAMETER = (*NUMBERS, *HOSTILE, 2**2000, np.array([1.0]), -(10**400))


@pytest.mark.parametrize("name", functions.__all__)
def test_only_our_own_errors_come_out(name):
    rng = random.Random(name)
    function = getattr(cm, name)
    arguments = inspect.signature(function).parameters
    for _ in range(CALLS):
        places = {
            key: rng.randrange(len(VALUES.get(key, PARAMETER)))
            for key in arguments
            if arguments[key].default is inspect.Parameter.empty or rng.random() < 0.3
        }
        given = {key: VALUES.get(key, PARAMETER)[at] for key, at in places.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                function(**given)
        except cm.ConfmatError:
            pass
        except BaseException as error:
            raise AssertionError(f"{name} with {places}: {type(error).__name__}") from error


@pytest.mark.parametrize(
    "call",
    [
        lambda: cm.f1([0, 1], [0, 1], labels=np.array(3)),
        lambda: cm.f1([0, 1], [0, 1], labels=[pd.NA, 1]),
        lambda: cm.f1([0, 1], [0, 1], pos_label=np.array([0, 1])),
        lambda: cm.f1(BrokenArray(), [0, 1]),
        lambda: cm.mcc(BrokenStream(), [0, 1]),
        lambda: cm.roc_auc([0, 1], [0.1, 0.2], pos_label=2**70),
        lambda: cm.fbeta([0, 1], [0, 1], beta=10**400),
        lambda: cm.ece([0, 1], [0.1, 0.9], bins=np.array([1, 2])),
        lambda: cm.f1([0, 1], [0, 1], nulls=np.array([1, 2])),
    ],
)
def test_what_is_wrong_is_an_argument(call):
    with pytest.raises(cm.InputError, match="`"):
        call()


def test_a_call_that_fits_no_signature_stays_a_type_error():
    with pytest.raises(TypeError, match="averages"):
        cm.f1([0, 1], [0, 1], averages="macro")
    with pytest.raises(TypeError):
        cm.f1([0, 1])


def test_a_warning_names_the_line_of_the_call():
    for call in (
        lambda: cm.precision([1, 1], [0, 0]),
        lambda: cm.precision([1, 1], [0, 0], average=None),
        lambda: cm.precision([1, 2, 1], [2, 2, 2], average="macro"),
        lambda: cm.mcc([1, 1], [1, 1]),
        lambda: cm.roc_auc([1, 1], [0.1, 0.2]),
    ):
        with pytest.warns(cm.UndefinedMetricWarning) as told:
            call()
        assert [one.filename for one in told] == [__file__]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
@pytest.mark.parametrize(
    "call",
    [
        lambda y: cm.f1(y, y, average="macro"),
        lambda y: cm.confusion_matrix(y, y),
        lambda y: cm.sweep(y % 2, y),
        lambda y: cm.accuracy(y.tolist(), y.tolist()),
    ],
)
def test_what_a_handler_of_signals_raises_is_no_input_error(call):
    class TooLongError(Exception):
        pass

    def handler(*_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise TooLongError

    y = np.arange(2 * 10**7) % 7
    before = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(TooLongError):  # noqa: PT012
            signal.setitimer(signal.ITIMER_REAL, 0.03)
            while True:
                call(y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
