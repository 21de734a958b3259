"""The page on sizes: what the cluster that it simulates must do, and that its tables are there."""

import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from support.pages import page

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def simulation():
    return runpy.run_path(str(ROOT / "benchmarks" / "cluster_simulation.py"), run_name="script")


def wall(simulation, workers, seed=0, files=97, **trouble):
    job = simulation["Job"](files, read=10.0, start=0.5, merge=0.25, carried=0.25)
    rng = np.random.default_rng(seed)
    return job, simulation["wall"](job, workers, simulation["Trouble"](**trouble), rng)


@pytest.mark.parametrize("workers", [1, 7, 97, 500])
def test_perfect_workers_take_their_share_of_files_and_one_tree_of_merges(simulation, workers):
    job, seconds = wall(simulation, workers)
    rounds = math.ceil(97 / min(workers, 97))
    assert seconds == pytest.approx(rounds * 10.5 + simulation["merging"](job, workers))


def test_a_tree_of_merges_has_as_many_levels_as_it_needs(simulation):
    job, _ = wall(simulation, 1)
    found = [simulation["merging"](job, workers) for workers in (1, 2, 16, 17, 97)]
    assert found == [0, 2 * 0.5, 16 * 0.5, 16 * 0.5 + 2 * 0.5, 16 * 0.5 + 7 * 0.5]


def test_failures_and_slow_files_cost_time_and_lose_no_file(simulation):
    bad = {"slow_share": 0.05, "spread": 0.1, "hours_to_failure": 0.02}
    for seed in range(20):
        for workers in (3, 30):
            calm = wall(simulation, workers, seed)[1]
            late = wall(simulation, workers, seed, **bad)[1]
            assert calm < late < math.inf


def test_reading_late_files_again_helps_many_workers(simulation):
    bad = {"slow_share": 0.05, "slow_by": (6.0, 8.0)}
    alone, again = (
        np.mean([wall(simulation, 97, seed, reads_again=x, **bad)[1] for seed in range(20)])
        for x in (False, True)
    )
    assert again < 0.6 * alone


@pytest.mark.parametrize("name", ["speed", "states", "merging", "plan", "simulation"])
def test_every_table_was_written(name):
    table = re.search(
        f"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", page("scale.md"), re.DOTALL
    )
    assert table is not None
    rows = table[1].strip().splitlines()
    assert len(rows) > 3
    assert len({row.count("|") for row in rows}) == 1
