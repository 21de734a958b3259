"""Engines without an adapter: their examples give the states and the metrics of all rows."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "engines.md"
ENGINES = ("daft", "datafusion", "dask", "duckdb")
METRICS = ["accuracy", "mcc", "f1_macro"]
ROWS = 2_000
# Warnings of the engines and of what they import, not of ours.
pytestmark = pytest.mark.filterwarnings("ignore")


# In a process of its own, which leaves without waiting for threads of an engine.
RUN = """
import os, runpy, sys
runpy.run_path(sys.argv[1], run_name="__main__")
sys.stdout.flush()
os._exit(0)
"""
OF_DAFT = """
import os, sys
import daft
sys.path.insert(0, sys.argv[1])
from daft_states import states_by
# Small parts, each counted by itself, so that states are combined.
parts = {"default_morsel_size": 100, "partial_aggregation_threshold": 10_000}
with daft.context.execution_config_ctx(**parts, high_cardinality_aggregation_threshold=1.0):
    log = daft.read_parquet(sys.argv[2])
    states_by(log, "y", "p", ["site", "shift"]).write_parquet(sys.argv[3])
os._exit(0)
"""


def require(engine):
    """Skip the test where an engine is not installed."""
    if importlib.util.find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")


def run(code, *arguments):
    """Return what code prints in a process of its own."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def example(engine):
    """Return the module of an example."""
    name = f"{engine}_states"
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def log():
    """Return rows whose classes are found in some places only, with missing ones."""
    rng = np.random.default_rng(7)
    names = np.array(["cat", "dog", "eel", "fox"])
    truth = rng.integers(0, 3, ROWS)
    truth[-1] = 3
    pred = np.where(rng.random(ROWS) < 0.8, truth, rng.integers(0, 3, ROWS))
    frame = pl.DataFrame(
        {"site": names[rng.integers(0, 4, ROWS)], "shift": rng.integers(0, 3, ROWS)}
    )
    frame = frame.with_columns(y=pl.Series(names[truth]), p=pl.Series(names[pred]))
    missing = pl.int_range(pl.len()) % 50
    return frame.with_columns(
        y=pl.when(missing != 3).then("y"), site=pl.when(missing != 7).then("site")
    )


def of_daft(log, folder):
    for at in range(4):
        log[at * ROWS // 4 : (at + 1) * ROWS // 4].write_parquet(folder / f"log-{at}.parquet")
    run(OF_DAFT, EXAMPLES, folder / "log-*.parquet", folder / "states.parquet")
    return pl.read_parquet(folder / "states.parquet")


def of_datafusion(log, _):
    import datafusion
    import pyarrow as pa

    options = {"datafusion.execution.batch_size": "97"}
    options["datafusion.execution.target_partitions"] = "4"
    config = datafusion.SessionConfig(options)
    context = datafusion.SessionContext(config)
    table = pa.table(log.with_columns(pl.col(pl.String)).to_arrow())
    columns = [pa.field(name, pa.string()) for name in ("site", "y", "p")]
    table = table.cast(pa.schema([columns[0], table.schema.field("shift"), *columns[1:]]))
    parts = [table.slice(at, 250).to_batches() for at in range(0, ROWS, 250)]
    context.register_record_batches("log", parts)
    context.register_udaf(example("datafusion").state_of(pa.string()))
    query = "SELECT site, shift, state(y, p) AS state FROM log GROUP BY site, shift ORDER BY 1, 2"
    return pl.DataFrame(context.sql(query).to_arrow_table())


def of_dask(log, _):
    import dask
    import dask.dataframe as dd

    frame = dd.from_pandas(log.to_pandas(), npartitions=19)
    with dask.config.set(scheduler="synchronous"):
        return example("dask").states_by(frame, ["site", "shift"], y_true="y", y_pred="p")


def of_duckdb(log, _):
    import duckdb

    with duckdb.connect() as connection:
        connection.register("log", log)
        return example("duckdb").states_by(connection, "log", "y", "p", ["site", "shift"])


@pytest.mark.parametrize("engine", ENGINES)
def test_states_are_those_of_all_rows(engine, log, tmp_path):
    require(engine)
    found = {"daft": of_daft, "datafusion": of_datafusion, "dask": of_dask, "duckdb": of_duckdb}
    states = found[engine](log, tmp_path)
    wanted = cm.partial(log, y_true="y", y_pred="p", by=["site", "shift"])
    assert_frame_equal(states, wanted)  # the bytes of states, too
    table = cm.finish(states, METRICS)
    evaluated = log.cm.evaluate(y_true="y", y_pred="p", by=["site", "shift"], metrics=METRICS)
    assert_frame_equal(table, evaluated)
    assert table["n_dropped"].sum() == log["y"].null_count() > 0
    by_site = cm.finish(cm.merge(states, by="site"), METRICS)
    whole = cm.evaluate(log, y_true="y", y_pred="p", by="site", metrics=METRICS)
    assert_frame_equal(by_site, whole.slices())


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
def test_example_runs_as_it_stands(engine):
    require(engine)
    assert "│ UA      ┆ 58665" in run(RUN, EXAMPLES / f"{engine}_states.py")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_page_shows_the_example(engine):
    """Without the lines that run it on the bundled log."""
    text = (EXAMPLES / f"{engine}_states.py").read_text("utf-8")
    shown = text.partition("\n\nif __name__")[0].strip()
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown in [block.strip() for block in blocks]
