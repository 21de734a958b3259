"""Errors of the core come out of a query as they are, whatever Polars says around their words."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest
from polars.exceptions import ComputeError

import confmat as cm
from confmat.errors import Taker
from confmat.frames.expressions import plugin
from confmat.frames.plugin_errors import core_errors, refusal_in

OUTSIDER = r"label 7 at row 1 \(of the rows read together\) of `y_pred` is not in labels \[0, 1\]; "


def frame_of(pred):
    return pl.DataFrame({"g": [1, 1, 2], "y": [0, 1, 1], "p": [0, pred, 1]})


def failed(frame, *asked):
    """Return what Polars raises."""
    with pytest.raises(ComputeError) as error:
        frame.select(*asked)
    return error.value


def refused(error):
    with pytest.raises(Exception) as found, core_errors():  # noqa: PT011
        raise error
    return found.value


def strict(labels=(0, 1)):
    return cm.metrics("y", "p", ["accuracy"], labels=list(labels))


def test_the_error_is_that_of_the_core():
    error = refused(failed(frame_of(7), strict()))
    assert type(error) is cm.InputError
    assert str(error).startswith(OUTSIDER.replace("\\", ""))
    assert (error.row, error.__cause__, error.__suppress_context__) == (None, None, True)


def test_no_word_of_polars_is_looked_at():
    told = str(refused(failed(frame_of(7), strict())))
    for words in (told, f"Erweiterung: {told}", f"\udcff{told}!\n\nResolved plan: {told}"):
        error = refused(ComputeError(words))
        assert (type(error), str(error)) == (cm.InputError, told)


def test_errors_of_states_are_state_errors():
    error = refused(failed(frame_of(1), plugin("merge", ["y"], b"of nobody")))
    assert type(error) is cm.StateError
    assert str(error) == "the expression was made by another version of confmat"


def test_what_asks_for_the_positive_class_still_does():
    states = pl.DataFrame({"y": [cm.ConfusionMatrix([[1, 2, 0]] * 3).to_bytes()]})
    error = refused(failed(states, pl.col("y").cm.state_metrics(["f1"])))
    assert Taker() in error.parts
    assert str(error.given_to("cm.f")).endswith("; give pos_label to cm.f or ask for 'f1_macro'")


def test_errors_of_others_stay():
    def bad(_):
        raise ComputeError("label 7 at row 1, and not a word of the core")

    failed(frame_of(7), strict())
    with pytest.raises(ComputeError) as error:
        frame_of(7).select(pl.col("y").map_elements(bad, return_dtype=pl.Int64))
    assert refusal_in(error.value) is None
    assert refused(error.value) is error.value


def test_a_row_that_can_be_named_is_told_instead():
    def name_row():
        raise cm.InputError("better")

    with pytest.raises(cm.InputError, match=r"^better$"), core_errors(name_row):
        frame_of(7).select(strict())
    with pytest.raises(cm.InputError, match=OUTSIDER), core_errors(lambda: None):
        frame_of(7).select(strict())


def test_words_that_are_cut_for_the_host():
    """It takes 2,047 bytes; where these end amid a letter, the letter is left out."""
    for letter in "aéö€":
        text = letter * 1_500
        frame = pl.DataFrame({"y": ["a"], "p": [text]})
        for labels in (["a"], ["a", text[:-1], "é"]):
            told = str(refused(failed(frame, strict(labels))))
            assert told.startswith("label '")
            assert told.endswith('give every label, or other="bucket" to count such rows apart')


def test_queries_that_fail_at_once_have_their_own_words():
    threads, rounds = 8, 25  # labels of their own: of the same ones the row met last is named
    together = threading.Barrier(threads)

    def own(thread):
        for turn in range(rounds):
            pred = 10 + thread * rounds + turn
            together.wait(60)
            error = refused(failed(frame_of(pred), strict((0, 1, 1000 + thread))))
            assert str(error).startswith(f"label {pred} at row 1 ")
        return True

    with ThreadPoolExecutor(threads) as pool:
        assert all(pool.map(own, range(threads)))


SCRIPT = r"""
import re, resource
import polars as pl
import confmat as cm
from confmat.frames.plugin_errors import core_errors

classes = 9_000
y = pl.int_range(400_000, eager=True)
frame = pl.DataFrame({"y": y % classes, "p": (7 * y + y // classes) % classes})
asked = cm.metrics("y", "p", ["accuracy"], labels=list(range(classes)), smoothing=1.0)
frame.head(100).select(cm.metrics("y", "p", ["accuracy"]))  # what is loaded once
size = int(re.search(r"VmSize:\s+(\d+)", open("/proc/self/status").read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (size + (100 << 20), -1))
try:
    with core_errors(lambda: print("read again")):
        frame.select(asked)
except MemoryError as error:
    print(f"MemoryError: {error}")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space, reads /proc")
def test_out_of_memory_is_a_memory_error():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.stdout, done.stderr) == ("MemoryError: out of memory\n", "")
