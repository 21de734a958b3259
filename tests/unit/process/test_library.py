"""The one shared library: its plugin symbols, and its behaviour among threads and processes."""

import ctypes
import multiprocessing
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import confmat as cm

SOURCES = Path(cm.__file__).parent


def used_functions() -> list[str]:
    text = "".join(path.read_text("utf-8") for path in SOURCES.rglob("*.py"))
    return sorted(set(re.findall(r'\bplugin\(\s*"(\w+)"', text)))


def test_every_function_that_python_calls_is_exported() -> None:
    library = ctypes.CDLL(cm._core.__file__)
    expected = (
        "encode label_metrics label_state merge merge_states merge_states_by partial "
        "regression_metrics regression_state state_from_counts state_metrics "
        "subtract_states"
    )
    scores = (
        "encode_score score_metrics roc_curve pr_curve score_state score_state_metrics "
        "state_roc_curve state_pr_curve"
    )
    assert used_functions() == sorted([*expected.split(), *scores.split()])
    for name in used_functions():
        assert hasattr(library, f"_polars_plugin_confmat_{name}")
        assert hasattr(library, f"_polars_plugin_field_confmat_{name}")
    version = library._polars_plugin_get_version
    version.restype = ctypes.c_uint32
    assert version() == 1
    message = library._polars_plugin_get_last_error_message
    message.restype = ctypes.c_char_p
    assert message() is not None


def test_many_threads_share_the_functions() -> None:
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 5, 400_000), rng.integers(0, 5, 400_000)
    frame = pl.DataFrame({"g": y % 3, "y": y, "p": p})
    whole = cm.confusion_matrix(y, p)
    slices = frame.cm.evaluate("y", "p", by="g")

    def work(i: int) -> bool:
        if i % 2:
            return bool(cm.confusion_matrix(y, p) == whole)
        return frame.lazy().cm.evaluate("y", "p", by="g").collect().equals(slices)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(32)))


def test_an_array_that_changes_meanwhile_is_safe() -> None:
    y = np.zeros(2_000_000, dtype=np.int32)
    stop = threading.Event()

    def write() -> None:
        values = np.array([0, 7, -(2**31), 2**31 - 1, 300], dtype=np.int32)
        while not stop.is_set():
            y[::3] = np.resize(values, y[::3].size)
            y[::3] = 0

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(20):
            m = cm.confusion_matrix(y, y)
            assert m.n == y.size
            n = cm.confusion_matrix(y, y, labels=[0], other="bucket")
            assert n.n + n.n_other == y.size
    finally:
        stop.set()
        writer.join()


def _child(queue: "multiprocessing.Queue[int]") -> None:
    y = np.arange(500_000) % 4
    queue.put(int(cm.confusion_matrix(y, y).n))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_counts_too() -> None:
    y = np.arange(500_000) % 4
    assert cm.confusion_matrix(y, y).n == y.size
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == y.size
    child.join()
    assert child.exitcode == 0


def test_importing_leaves_no_thread_behind() -> None:
    y = np.arange(2_000_000) % 4
    before = threading.active_count(), len(list(Path("/proc/self/task").iterdir()))
    cm.confusion_matrix(y, y)
    assert (threading.active_count(), len(list(Path("/proc/self/task").iterdir()))) == before
