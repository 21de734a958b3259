"""One cluster of Spark and one of Ray, with workers that are processes of their own."""

import contextlib
import gc
import sys
import threading
import time
import warnings
from pathlib import Path

import polars as pl
import pytest
from support.engine_logs import write

from confmat.engines import units


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """Return a session with two executors, each a Java process with its own Python workers."""
    pyspark = pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_HOME", str(Path(pyspark.__file__).parent))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        # Most of the time of processes that live this short goes into compiling them.
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        patch.setenv("SPARK_WORKER_DIR", str(folder / "work"))
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "local"))
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
        }
        session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings)
        session = session.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # sockets that it left open
            gc.collect()


@pytest.fixture(scope="session")
def ray_cluster():
    """Return a cluster of a head, which runs no tasks, and two nodes."""
    pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        import ray
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 100_000_000}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
        ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False
        cluster.wait_for_nodes()
        yield cluster
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a log in files, each a task of its own."""
    monkeypatch.setattr(units, "_LEAST_BYTES", 1)
    (tmp_path / "log").mkdir()
    return write(tmp_path / "log")


class Gate:
    """A condition at which tasks wait, once they have said that they are there."""

    def __init__(self, folder):
        self.folder = folder

    def condition(self, column):
        """Return an expression that is true of all rows, and waits until the gate is open."""
        folder = str(self.folder)

        def wait(rows):  # by value: workers do not have this module
            import os
            import time

            open(f"{folder}/{os.getpid()}", "w").close()
            while not os.path.exists(f"{folder}/open"):
                time.sleep(0.02)
            return rows.is_null() | rows.is_not_null()

        return pl.col(column).map_batches(wait, return_dtype=pl.Boolean, is_elementwise=True)

    @property
    def waiting(self):
        """The processes that wait."""
        return [int(path.name) for path in self.folder.iterdir() if path.name != "open"]

    @contextlib.contextmanager
    def while_it_waits(self, call):
        """Start a call in a thread; go on once a task waits; then open, and wait for the result."""
        found = []

        def run():
            try:
                found.append(call())
            except BaseException as error:
                found.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            while not self.waiting and thread.is_alive():
                time.sleep(0.02)
            yield found
        finally:
            (self.folder / "open").touch()
            thread.join()
        if isinstance(found[0], BaseException):
            raise found[0]


@pytest.fixture
def gate(tmp_path):
    """Return a gate; functions travel by cloudpickle."""
    pytest.importorskip("cloudpickle")
    (tmp_path / "gate").mkdir()
    return Gate(tmp_path / "gate")
