"""Confusion matrices and every metric that follows from them."""

import typing as _typing

from confmat import functions
from confmat._core import __version__
from confmat.calibration.calibration import Calibration
from confmat.calibration.recalibration import Recalibration
from confmat.errors import ConfmatError, InputError, StateError, UndefinedMetricWarning
from confmat.frames import namespaces as _namespaces  # noqa: F401  (registers `.cm` with Polars)
from confmat.frames.expressions import counts, metric, metrics
from confmat.frames.score_expressions import sweep_metrics
from confmat.labelsets.matrix import MultilabelMatrix, multilabel
from confmat.labelsets.scores import MultilabelSweep, multilabel_sweep
from confmat.matrices.matrix import ConfusionMatrix, confusion_matrix
from confmat.multiclass.from_rows import multiclass_sweep
from confmat.multiclass.probabilities import MulticlassSweep
from confmat.name_hints import hint as _hint
from confmat.plots.pictures import plot
from confmat.registry import list_metrics
from confmat.scores.binned import BinnedSweep
from confmat.scores.exact import Sweep, sweep
from confmat.scores.row_costs import cost_sweep

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


if _typing.TYPE_CHECKING:
    from confmat.functions import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        """Find a function; or say which name was meant, also of those that scikit-learn has."""
        if name in functions.__all__:
            return globals().setdefault(name, getattr(functions, name))
        if name.startswith("_"):
            raise AttributeError(f"module 'confmat' has no attribute {name!r}")
        raise AttributeError(f"module 'confmat' has no attribute {name!r}{_hint(name, __all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
