"""Numbers, pictures and states in runs of MLflow, in a store of files."""

import json
import sys

import polars as pl
import pytest

import confmat as cm

LOG = pl.DataFrame(
    {"y": [0, 1, 1, 0], "p": [0, 1, 0, 0], "s": [0.1, 0.9, 0.4, 0.3], "k": list("aabb")}
)
M = cm.confusion_matrix(LOG["y"], LOG["p"])


@pytest.fixture(scope="module")
def mlflow(tmp_path_factory):
    mlflow = pytest.importorskip("mlflow")
    patch = pytest.MonkeyPatch()
    patch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path_factory.mktemp("mlflow") / "runs").as_uri())
    yield mlflow
    patch.undo()


@pytest.fixture
def run(mlflow):
    with mlflow.start_run() as run:
        yield run.info.run_id


def logged(mlflow, run):
    found = mlflow.MlflowClient().list_artifacts(run, "confmat")
    return mlflow.get_run(run).data, {one.path.removeprefix("confmat/") for one in found}


def test_matrix(mlflow, run):
    numbers = cm.mlflow.log(M, prefix="test/", step=3)
    data, files = logged(mlflow, run)
    assert data.metrics == numbers
    assert numbers["test/mcc"] == M.mcc
    assert files == {"state.confmat", "summary.txt", "summary.html", "matrix.svg"}
    assert data.tags["confmat.version"] == cm.__version__
    assert cm.mlflow.load(run) == M
    text = mlflow.artifacts.load_text(f"runs:/{run}/confmat/summary.txt")
    assert text == f"{M}\n"


def test_sweep_and_undefined_numbers(mlflow, run):
    s = cm.sweep([1, 1], [0.2, 0.9])
    numbers = cm.mlflow.log(s, metrics=["roc_auc", "log_loss"], pictures=False)
    assert numbers == {"log_loss": s.log_loss}
    assert logged(mlflow, run)[0].metrics == numbers
    assert cm.mlflow.load(run) == s


def test_evaluation_of_models_by_slices(mlflow, run):
    models = {"a": "p", "b (old)": "y"}
    e = cm.evaluate(LOG, y_true="y", y_pred=models, by="k", metrics=["accuracy"])
    assert cm.mlflow.log(e, path="deep/er") == {"a/accuracy": 0.75, "b _old_/accuracy": 1.0}
    slices = json.loads(mlflow.artifacts.load_text(f"runs:/{run}/deep/er/slices.json"))
    assert slices == e.slices().to_dicts()
    assert cm.mlflow.load(run, path="deep/er") == e


def test_what_cannot_be_logged():
    with pytest.raises(cm.InputError, match="`x` is list; wanted a matrix, a sweep"):
        cm.mlflow.log([1])


def test_without_mlflow_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(cm.ConfmatError, match=r"pip install 'confmat\[mlflow\]'"):
        cm.mlflow.log(M)
