"""`cm.mlflow.log`: the numbers, pictures and state of an object in a run of MLflow."""

from __future__ import annotations

import importlib.util
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from confmat._core import __version__
from confmat.default_metrics import default_metrics
from confmat.engines.required import required
from confmat.errors import InputError
from confmat.logs.evaluation import Evaluation
from confmat.objects.any_sweep import AnySweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes
from confmat.own_errors import own_errors
from confmat.positive_class import are_two

STATE = "state.confmat"
_NEEDS = "cm.mlflow needs MLflow"
_REFUSED = re.compile(r"[^\w\-. :/]")  # of names of metrics


@own_errors
def log(
    x: Any,
    *,
    metrics: Sequence[str] | str | None = None,
    prefix: str = "",
    path: str = "confmat",
    step: int | None = None,
    pictures: bool | None = None,
) -> dict[str, float]:
    """Log an object to the active run of MLflow; without one, MLflow starts one.

    Parameters
    ----------
    x : ConfusionMatrix, Sweep, Evaluation or another object with `overall` and `to_bytes`
        What was counted.
    metrics : sequence of str, optional
        Names, as `x.overall` takes them. Default: the usual ones.
    prefix : str, default ""
        Put before the names of the metrics, such as "test/".
    path : str, default "confmat"
        The folder of the artifacts: `state.confmat`, which `load` reads, `summary.txt`,
        `summary.html`, pictures, and of an evaluation by slices `slices.json`.
    step : int, optional
        The step of the metrics.
    pictures : bool, optional
        Whether to draw the matrix, or the ROC and precision-recall curves, as SVG. Default: where
        Altair is installed.

    Returns
    -------
    dict of float
        The metrics logged. Undefined ones are not; `summary.txt` shows them as such. Of several
        models the name of the model stands before that of the metric.

    Raises
    ------
    InputError
        An object without numbers or state; what `x.overall` refuses.
    ConfmatError
        MLflow is not installed, or Altair where pictures are asked for.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> cm.mlflow.log(m, prefix="test/")  # doctest: +SKIP
    {'test/accuracy': 0.9, 'test/balanced_accuracy': 0.9, ...}
    """
    mlflow = required("mlflow", _NEEDS, "mlflow")
    if not callable(getattr(x, "overall", None)) or not hasattr(x, "to_bytes"):
        raise InputError(
            f"`x` is {type(x).__name__}; wanted a matrix, a sweep, an evaluation or another object "
            "with numbers and a state"
        )
    numbers = {prefix + name: value for name, value in _numbers(x, metrics)}
    data = x.to_bytes()
    if pictures is None:
        pictures = importlib.util.find_spec("altair") is not None
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder)
        (whole / STATE).write_bytes(data)
        (whole / "summary.txt").write_text(f"{x}\n", "utf-8")
        (whole / "summary.html").write_text(_page(x._repr_html_()), "utf-8")
        if isinstance(x, Evaluation) and x.keys:
            (whole / "slices.json").write_text(x.slices(metrics).write_json(), "utf-8")
        for name, chart in _pictures(x) if pictures else ():
            chart.save(str(whole / f"{name}.svg"))
        mlflow.log_metrics(numbers, step=step)
        mlflow.log_artifacts(folder, path)
    mlflow.set_tag("confmat.version", __version__)
    return numbers


@own_errors
def load(run_id: str, *, path: str = "confmat") -> Any:
    """Return the object that `log` kept in a run.

    Parameters
    ----------
    run_id : str
        The run's id.
    path : str, default "confmat"
        The folder of the artifacts, as `log` was given it.

    Returns
    -------
    ConfusionMatrix, Sweep, Evaluation, ...
        With the counts, not the rows: every metric can be asked for, and states add up.

    Raises
    ------
    StateError
        The state is cut or changed.
    ConfmatError
        MLflow is not installed.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.mlflow.load("0a1b2c").mcc  # doctest: +SKIP
    0.8
    """
    mlflow = required("mlflow", _NEEDS, "mlflow")
    with tempfile.TemporaryDirectory() as folder:
        found = mlflow.artifacts.download_artifacts(
            run_id=run_id, artifact_path=f"{path}/{STATE}", dst_path=folder
        )
        return from_bytes(Path(found).read_bytes())


def _numbers(x: Any, metrics: Any) -> Iterator[tuple[str, float]]:
    """Yield the metrics that are defined, by names that MLflow takes."""
    if metrics is None and isinstance(x, ConfusionMatrix):
        metrics = default_metrics(are_two(x.labels, x.pos_label))
    for row in x.overall(metrics).iter_rows(named=True):
        value = row["value"]
        if value is not None and math.isfinite(value):
            model = f"{row['model']}/" if "model" in row else ""
            yield _REFUSED.sub("_", f"{model}{row['metric']}"), value


def _pictures(x: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(x, ConfusionMatrix):
        yield "matrix", x.plot()
    elif isinstance(x, AnySweep):
        yield "roc", x.plot.roc()
        yield "pr", x.plot.pr()


def _page(body: str) -> str:
    return f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>confmat</title>\n{body}\n'
