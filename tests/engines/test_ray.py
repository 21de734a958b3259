"""Ray: two nodes give what one machine gives, to the byte, also when one is killed."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from support.engine_logs import LOG, OF_ROWS, QUESTIONS, ROUNDED, in_long_runs, most_in_long_runs

import confmat as cm
from confmat.engines import travelling

pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray.*")  # of its own settings
SLICES = QUESTIONS["slices"]
SKEWED = QUESTIONS["scores by slices"]


def dataset_of(folder, how="as it lies"):
    from ray import data

    if how == "by skewed key":
        blocks = [LOG.filter(pl.col("k").eq_missing(pl.lit(key))) for key in ("small", "?", None)]
        blocks.append(LOG.filter(pl.col("k").is_in(["big", "last"])))
        return data.from_arrow([block.to_arrow() for block in blocks])
    n_blocks = {"one block": 1, "many blocks": 40}.get(how)
    return data.read_parquet(str(folder), override_num_blocks=n_blocks)


@pytest.mark.parametrize("name", most_in_long_runs(QUESTIONS))
def test_paths_give_the_same_bytes(ray_cluster, folder, name):
    whole = cm.evaluate(folder, **QUESTIONS[name])
    assert cm.ray.evaluate(folder, **QUESTIONS[name]).to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("name", most_in_long_runs(OF_ROWS))
def test_datasets_give_the_same_bytes(ray_cluster, folder, name):
    whole = cm.evaluate(folder, **QUESTIONS[name])
    found = cm.ray.evaluate(dataset_of(folder), **QUESTIONS[name])
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("how", ["by skewed key", *in_long_runs("one block", "many blocks")])
def test_any_partitioning(ray_cluster, folder, how):
    whole = cm.evaluate(folder, **SKEWED)
    assert cm.ray.evaluate(dataset_of(folder, how), **SKEWED).to_bytes() == whole.to_bytes()


@pytest.mark.long
def test_float_weighted_bins_have_the_same_values(ray_cluster, folder):
    wanted = cm.evaluate(folder, **ROUNDED).slices(["roc_auc", "brier"])
    for source in (folder, dataset_of(folder)):
        found = cm.ray.evaluate(source, **ROUNDED)
        assert found.slices(["roc_auc", "brier"]).equals(wanted)


def test_no_rows(ray_cluster):
    from ray import data

    whole = cm.evaluate(LOG[:0], **SLICES)
    nothing = data.from_arrow([LOG[:0].to_arrow(), LOG[:0].to_arrow()])
    assert cm.ray.evaluate(nothing, **SLICES).to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("kind", [*in_long_runs("pandas"), "Arrow"])
def test_rows_of_memory(ray_cluster, kind):
    from ray import data

    rows = LOG.select("b", "q", "site")
    parts = [rows[:9_000], rows[9_000:]]
    if kind == "pandas":
        dataset = data.from_pandas([part.to_pandas() for part in parts])
    else:
        dataset = data.from_arrow([part.to_arrow() for part in parts])
    asked = {"y_true": "b", "y_pred": "q", "by": "site"}
    assert cm.ray.evaluate(dataset, **asked).to_bytes() == cm.evaluate(rows, **asked).to_bytes()


def node_of(cluster, worker):
    """Return the node of a worker process, which its parent serves."""
    status = Path(f"/proc/{worker}/status").read_text()
    parent = int(status.partition("PPid:")[2].split()[0])
    return next(
        node
        for node in cluster.worker_nodes
        if parent in [one.process.pid for one in node.all_processes["raylet"]]
    )


@pytest.mark.parametrize("plan", ["paths", *in_long_runs("blocks")])
def test_a_node_killed_while_tasks_run(ray_cluster, folder, gate, plan):
    asked = SKEWED | {"where": gate.condition("w")}
    source = folder if plan == "paths" else dataset_of(folder, "many blocks").materialize()
    whole = cm.evaluate(folder, **SKEWED)
    try:
        with gate.while_it_waits(lambda: cm.ray.evaluate(source, **asked)) as found:
            node = node_of(ray_cluster, gate.waiting[0])
            ray_cluster.remove_node(node, allow_graceful=False)
    finally:
        ray_cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
        ray_cluster.wait_for_nodes()  # or the next test starts on the one that died
    assert found[0].states().equals(whole.states())
    assert found[0].n == LOG.height


@pytest.mark.parametrize("plan", [*in_long_runs("paths"), "blocks"])
def test_a_bad_row(ray_cluster, folder, plan):
    asked = SLICES | {"labels": ["cat", "dog"]}
    with pytest.raises(cm.InputError) as wanted:
        cm.evaluate(folder, **asked)
    with pytest.raises(cm.InputError) as error:
        cm.ray.evaluate(folder if plan == "paths" else dataset_of(folder), **asked)
    if plan == "paths":
        assert str(error.value) == str(wanted.value)
    else:
        assert str(error.value).startswith("a block: label 'rare' at row ")


@pytest.mark.long
def test_labels_of_other_types(ray_cluster, folder):
    from ray import data

    other = LOG[:50].with_columns(y=pl.lit(1), p=pl.lit(1))
    blocks = data.from_arrow([LOG[:90].to_arrow(), other.to_arrow()])
    with pytest.raises(cm.InputError, match="a block: the column 'y' is Int32 in some partitions"):
        cm.ray.evaluate(blocks, **SLICES)
    other.write_parquet(folder / "3x.parquet")
    with pytest.raises(cm.InputError) as wanted:
        cm.evaluate(folder, **SLICES)
    with pytest.raises(cm.InputError) as error:
        cm.ray.evaluate(folder, **SLICES)
    assert str(error.value) == str(wanted.value)
    whole = cm.evaluate(folder, **SLICES, on_error="skip")
    assert cm.ray.evaluate(folder, **SLICES, on_error="skip").to_bytes() == whole.to_bytes()


@pytest.mark.long
def test_a_file_that_workers_do_not_see(ray_cluster, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "4.parquet").rename(folder / "only here.parquet")
    with pytest.raises(cm.InputError, match=r"/only here\.parquet cannot be opened by the worker"):
        cm.ray.evaluate("/proc/self/cwd/only here.parquet", **SLICES)
    found = cm.ray.evaluate("only here.parquet", **SLICES)
    assert found == cm.evaluate("only here.parquet", **SLICES)


@pytest.mark.parametrize("plan", ["paths", *in_long_runs("blocks")])
def test_workers_with_another_version(ray_cluster, folder, monkeypatch, plan):
    monkeypatch.setattr(travelling, "VERSION", "9.9")
    source = folder if plan == "paths" else dataset_of(folder)
    told = rf"has confmat {cm.__version__}, and the driver has 9\.9; install confmat 9\.9 on every"
    with pytest.raises(cm.ConfmatError, match=told):
        cm.ray.evaluate(source, **SLICES)


CHILD = """
import sys
import ray
import confmat as cm

lacking = {"env_vars": {"PYTHONPATH": sys.argv[2]}}
ray.init(sys.argv[1], log_to_driver=False, logging_level="ERROR", runtime_env=lacking)
for source in (sys.argv[3], ray.data.read_parquet(sys.argv[3])):
    try:
        cm.ray.evaluate(source, y_true="y", y_pred="p")
    except cm.ConfmatError as error:
        print("said:", error)
"""


@pytest.mark.long
def test_workers_without_confmat(ray_cluster, tmp_path, folder):
    (tmp_path / "fake" / "confmat").mkdir(parents=True)
    (tmp_path / "fake" / "confmat" / "__init__.py").write_text("raise ImportError('not here')")
    paths = [str(tmp_path / "fake"), str(folder)]
    command = [sys.executable, "-c", CHILD, ray_cluster.address, *paths]
    done = subprocess.run(
        command, env=os.environ, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert not done.returncode, done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("said:")]
    assert len(said) == 2
    for line in said:
        assert ") cannot import confmat: not here; install confmat" in line
