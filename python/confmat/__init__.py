"""Confusion matrices and every metric that follows from them."""

from confmat import functions
from confmat import namespaces as _namespaces  # noqa: F401  (registers `.cm` with Polars)
from confmat._core import __version__
from confmat.binned import BinnedSweep
from confmat.calibration import Calibration
from confmat.errors import ConfmatError, InputError, StateError, UndefinedMetricWarning
from confmat.expressions import counts, metric, metrics
from confmat.functions import *  # noqa: F403
from confmat.matrix import ConfusionMatrix, confusion_matrix
from confmat.multiclass import MulticlassSweep, multiclass_sweep
from confmat.multilabel_matrix import MultilabelMatrix, multilabel
from confmat.multilabel_scores import MultilabelSweep, multilabel_sweep
from confmat.plots import plot
from confmat.recalibration import Recalibration
from confmat.registry import list_metrics
from confmat.row_costs import cost_sweep
from confmat.score_expressions import sweep_metrics
from confmat.scores import Sweep, sweep

__all__ = [
    "BinnedSweep",
    "Calibration",
    "ConfmatError",
    "ConfusionMatrix",
    "InputError",
    "MulticlassSweep",
    "MultilabelMatrix",
    "MultilabelSweep",
    "Recalibration",
    "StateError",
    "Sweep",
    "UndefinedMetricWarning",
    "__version__",
    "confusion_matrix",
    "cost_sweep",
    "counts",
    "list_metrics",
    "metric",
    "metrics",
    "multiclass_sweep",
    "multilabel",
    "multilabel_sweep",
    "plot",
    "sweep",
    "sweep_metrics",
]
__all__ += functions.__all__


def __dir__() -> list[str]:
    return sorted(__all__)
