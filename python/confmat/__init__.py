"""Confusion matrices and every metric that follows from them."""

from confmat import functions
from confmat import namespaces as _namespaces  # noqa: F401  (registers `.cm` with Polars)
from confmat._core import __version__
from confmat.errors import ConfmatError, InputError, StateError, UndefinedMetricWarning
from confmat.expressions import counts, metric, metrics
from confmat.functions import *  # noqa: F403
from confmat.matrix import ConfusionMatrix, confusion_matrix
from confmat.plots import plot
from confmat.registry import list_metrics

__all__ = [
    "ConfmatError",
    "ConfusionMatrix",
    "InputError",
    "StateError",
    "UndefinedMetricWarning",
    "__version__",
    "confusion_matrix",
    "counts",
    "list_metrics",
    "metric",
    "metrics",
    "plot",
]
__all__ += functions.__all__
