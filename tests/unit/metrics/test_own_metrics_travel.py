"""Plans carry the formulas of one's own metrics: other processes and threads give the same."""

import io
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import polars as pl
import pytest

import confmat as cm

FRAME = pl.DataFrame({"g": [1, 1, 1, 2, 2], "y": [0, 1, 1, 1, 0], "p": [1, 1, 0, 1, 0]})
READ_ELSEWHERE = """
import io, sys
import polars as pl
import confmat
plan = pl.LazyFrame.deserialize(io.BytesIO(sys.stdin.buffer.read()))
print(plan.collect().write_json())
try:
    confmat.ConfusionMatrix([[1, 1], [1, 1]]).value("hits")
except confmat.InputError as error:
    print(error)
"""


def hits(c):
    return c.tp / c.n


def grouped():
    asked = cm.metrics("y", "p", ["hits", "hits_macro"], reasons=True)
    return FRAME.lazy().group_by("g").agg(asked).sort("g")


def test_a_plan_means_the_same_where_the_name_is_not_known(register):
    register("hits", hits, range=(0, 1))
    plan = grouped()
    expected = plan.collect()
    done = subprocess.run(
        [sys.executable, "-c", READ_ELSEWHERE],
        input=plan.serialize(),
        capture_output=True,
        check=True,
    )
    table, error = done.stdout.decode().splitlines()
    assert table == expected.write_json()
    assert "unknown metric 'hits'" in error


def test_a_plan_keeps_the_formula_it_was_made_with(register):
    register("hits", hits, range=(0, 1))
    plan = grouped()
    expected = plan.collect()
    saved = plan.serialize()
    register("hits", lambda c: c.fp / c.n, range=(0, 1), replace=True)
    assert not grouped().collect().equals(expected)
    cm.unregister_metric("hits")
    assert plan.collect().equals(expected)
    assert pl.LazyFrame.deserialize(io.BytesIO(saved)).collect().equals(expected)


def test_matrices_are_pickled_without_it(register):
    register("hits", hits, range=(0, 1))
    m = cm.ConfusionMatrix([[5, 1], [2, 4]])
    assert pickle.loads(pickle.dumps(m)).hits == m.hits == 4 / 12
    assert pickle.loads(pickle.dumps(cm.hits)) is cm.hits


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_knows_it(register):
    register("hits", hits, range=(0, 1))
    child = os.fork()
    if child == 0:
        m = cm.ConfusionMatrix([[5, 1], [2, 4]])
        cm.register_metric("second", lambda c: c.fn / c.n)
        os._exit(0 if (m.hits, m.second) == (4 / 12, 2 / 12) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_register_and_ask(register):
    m = cm.ConfusionMatrix([[5, 1], [2, 4]])

    def work(at):
        name = f"hits_of_{at % 4}"
        for _ in range(20):
            register(name, lambda c: c.tp / (c.n + at % 4), range=(0, 1))
            assert m.value(name) == 4 / (12 + at % 4)
        return name

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(16)))) == 4


def test_a_function_pickles_whatever_else_is_registered(register):
    made = register("pickled", lambda c: c.tp / c.n)
    register("another", lambda c: c.fp / c.n)
    assert register("pickled", lambda c: c.tp / c.n) is made
    assert pickle.loads(pickle.dumps(made)) is made
