"""Ctrl-C in long calls: answered at once, and nothing is left behind that changes later calls."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import polars as pl
import pytest
from unit.process.long_calls import CASES, MANY, count_integers, count_weights, counts

import confmat as cm
from confmat import _core
from confmat.inputs import column

SOON = 3.0  # seconds: 0.2 are promised, of a machine with nothing else to do


def answer(call, after):
    """Interrupt a call after so many seconds; return how long it took to answer."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.siginterrupt(signal.SIGINT, False)  # as Polars sets it: nothing that waits wakes up
    try:
        try:
            timer.start()
            call()
            timer.join()
            time.sleep(1.0)
        except KeyboardInterrupt:
            return time.perf_counter() - sent[0]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    raise AssertionError("the signal was not answered")


@pytest.mark.parametrize("call", CASES, ids=lambda call: call.__name__)
def test_long_calls_answer(call):
    few = 10**5
    before = repr(call(few))
    start = time.perf_counter()
    assert answer(lambda: call(MANY), random.uniform(0.1, 0.6)) < SOON
    assert time.perf_counter() - start < 30
    assert repr(call(few)) == before


def sliced(rows):
    """Slices by columns that the whole-frame kernel leaves to Polars: one long node of a plan."""
    rng = np.random.default_rng(3)
    keys = {"k": rng.integers(0, 10**5, rows).astype(str), "j": rng.integers(0, 99, rows)}
    labels = {name: rng.integers(0, 3, rows) for name in ("y", "p")}
    return pl.DataFrame(keys | labels)


def test_slices_of_a_frame_answer():
    frame = sliced(10**6)
    start = time.perf_counter()
    before = frame.cm.evaluate("y", "p", by=["k", "j"])
    whole = time.perf_counter() - start
    assert answer(lambda: frame.cm.evaluate("y", "p", by=["k", "j"]), whole / 10) < whole / 3
    assert frame.cm.evaluate("y", "p", by=["k", "j"]).equals(before)
    assert frame.head(10).cm.evaluate("y", "p", by="k")["n"].sum() == 10


def test_errors_of_large_frames_are_the_same():
    frame = sliced(2 * 10**5)
    with pytest.raises(cm.InputError, match=r"label 2 at row \d+ of `y_true`"):
        frame.cm.evaluate("y", "p", by=["k", "j"], labels=[0, 1])


def test_a_left_query_does_not_end_the_process(tmp_path):
    """Polars aborts where the result of a query finds nobody who waits for it."""
    script = tmp_path / "left.py"
    script.write_text(
        "import os, signal, sys, threading, time, numpy as np, polars as pl, confmat as cm\n"
        "n, rng = 10**6, np.random.default_rng(1)\n"
        "key = rng.integers(0, 10**5, n).astype(str)\n"
        "frame = pl.DataFrame({'k': key, 'j': rng.integers(0, 99, n), 'y': 1, 'p': 0})\n"
        "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        frame.cm.evaluate('y', 'p', by=['k', 'j'])\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "time.sleep(float(sys.argv[1]))\n"
    )
    for seconds in ("0", "4"):
        done = subprocess.run(
            [sys.executable, str(script), seconds], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_long_lists_are_read_in_parts():
    """One conversion of a list is a call that nothing interrupts."""
    for values in ([0, 1, 2], [0.5, 0.25, 1.0], ["a", "b", None], [True, False, None]):
        many = column(values * 10**6, "y").data
        assert many.n_chunks() > 1
        assert many[:3].to_list() == values
        few = column(values, "y").data
        assert many.dtype == (few.dtype if isinstance(few, pl.Series) else pl.Series(few).dtype)
    large = [2**63, *range(2 * 10**6)]  # no Int64: read at once
    assert column(large, "y").data.dtype == column(large[:3], "y").data.dtype


def test_what_a_handler_raises_is_raised():
    class EnoughError(Exception):
        pass

    def handler(*_):
        raise EnoughError

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(EnoughError):
            count_integers(MANY)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_handler_that_raises_nothing_ends_nothing():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.perf_counter()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        found = count_integers(2 * 10**8)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert found[1].sum() == 2 * 10**8
    assert seen


def test_other_threads_go_on():
    found = []
    other = threading.Thread(target=lambda: found.append(count_integers(10**8)[1].sum()))
    other.start()
    assert answer(lambda: count_weights(MANY), 0.3) < SOON
    other.join()
    assert found == [10**8]


def test_matrices_of_many_classes_leave_the_interpreter_free():
    """The GIL is free meanwhile: another thread of Python runs."""
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(1)

    other = threading.Thread(target=tick)
    other.start()
    try:
        cm.ConfusionMatrix(counts(1500)).value("gmcc")
        _core.singular_values(counts(500))
        _core.Asks(["gmcc"]).reasons(counts(1500), [str(i) for i in range(1500)])
    finally:
        done.set()
        other.join()
    assert len(ticks) > 5


def test_a_left_thread_does_not_keep_the_process(tmp_path):
    script = tmp_path / "left.py"
    script.write_text(
        "import os, signal, sys, threading, numpy as np, confmat as cm\n"
        "table = np.random.default_rng(1).integers(1, 9, (2000, 2000))\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        cm.ConfusionMatrix(table).eve\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "    sys.exit(3)\n"
    )
    for _ in range(3):  # not every time would it be kept
        done = subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (3, "interrupted\n", "")


def test_a_handler_may_call_what_it_interrupts():
    """What a thread keeps from call to call is that of the call in the midst of which it is."""
    rng = np.random.default_rng(8)
    tables = rng.integers(1, 99, (300_000, 5, 5))
    labels = [str(i) for i in range(5)]
    asks = _core.Asks(["f1_ovo", "gmcc", "eve"])
    small = pl.DataFrame({"y": [0, 1, 1, 2], "p": [0, 1, 2, 2]})
    wanted, seen = asks.values(tables, labels), []
    calls = ["going"]

    def handler(*_):
        found = cm.confusion_matrix([0, 1, 1, 2], [0, 1, 2, 2])
        more = asks.values(tables[:2_000], labels)
        fields = small.select(cm.metrics("y", "p", ["f1_ovo", "gmcc"])).item()
        same = all(fields[name] == found.value(name) for name in ("f1_ovo", "gmcc"))
        seen.append(same and np.array_equal(more, wanted[:2_000]))
        if calls:
            signal.setitimer(signal.ITIMER_REAL, 0.06)  # not before, lest handlers pile up

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.06)
        again = asks.values(tables, labels)
    finally:
        calls.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.array_equal(again, wanted)
    assert seen
    assert all(seen)
