"""Confusion matrices and every metric that follows from them."""

import importlib as _importlib
import typing as _typing

from confmat import functions
from confmat._core import __version__
from confmat.calibration.recalibration import Recalibration
from confmat.callables.metric_set import MetricSet
from confmat.errors import ConfmatError, InputError, StateError, UndefinedMetricWarning
from confmat.frames import namespaces as _namespaces  # noqa: F401  (registers `.cm` with Polars)
from confmat.frames.class_expressions import multiclass_metrics, multilabel_metrics
from confmat.frames.expressions import metric, metrics
from confmat.frames.finishing import finish
from confmat.frames.joint_parts import joint_parts
from confmat.frames.partials import merge, partial, state_from_counts
from confmat.frames.regression_expressions import regression_metrics
from confmat.frames.score_expressions import sweep_metrics
from confmat.frames.states import state
from confmat.gates.checking import check
from confmat.gates.checks import Checks
from confmat.intervals.interval import Interval
from confmat.logs.accumulator import Accumulator
from confmat.logs.evaluating import evaluate
from confmat.logs.evaluation import Evaluation
from confmat.logs.interrupted import Interrupted
from confmat.monitoring.confidence_sequences import confidence_sequence
from confmat.monitoring.drift import Drift, drift
from confmat.monitoring.monitor import monitor
from confmat.name_hints import hint as _hint
from confmat.objects.binned_multiclass_sweep import BinnedMulticlassSweep
from confmat.objects.binned_multilabel_sweep import BinnedMultilabelSweep
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.calibration import Calibration
from confmat.objects.counting import confusion_matrix
from confmat.objects.joint_matrix import JointMatrix, joint_matrix
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multiclass_sweep import MulticlassSweep
from confmat.objects.multiclass_sweeping import multiclass_sweep
from confmat.objects.multilabel_matrix import MultilabelMatrix, multilabel
from confmat.objects.multilabel_sweep import MultilabelSweep, multilabel_sweep
from confmat.objects.regression import Regression, regression
from confmat.objects.reporting import classification_report
from confmat.objects.states import from_bytes
from confmat.objects.sweep import Sweep
from confmat.objects.sweeping import sweep
from confmat.own_definitions import own as _own
from confmat.own_metrics import own_function as _own_function
from confmat.own_metrics import register_metric, unregister_metric
from confmat.paired.comparing import compare
from confmat.paired.comparison import Comparison
from confmat.registry import list_metrics
from confmat.scores.row_costs import cost_sweep
from confmat.significance.adjustments import adjust_p
from confmat.significance.equivalence import equivalence
from confmat.significance.paired import cochran_q
from confmat.significance.result import TestResult
from confmat.slices.binning import bin_intervals, bin_quantiles

__all__ = [
    "Accumulator",
    "BinnedMulticlassSweep",
    "BinnedMultilabelSweep",
    "BinnedSweep",
    "Calibration",
    "Checks",
    "Comparison",
    "ConfmatError",
    "ConfusionMatrix",
    "Drift",
    "Evaluation",
    "InputError",
    "Interrupted",
    "Interval",
    "JointMatrix",
    "MetricSet",
    "MulticlassSweep",
    "MultilabelMatrix",
    "MultilabelSweep",
    "Recalibration",
    "Regression",
    "StateError",
    "Sweep",
    "TestResult",
    "UndefinedMetricWarning",
    "__version__",
    "adjust_p",
    "bin_intervals",
    "bin_quantiles",
    "check",
    "classification_report",
    "cochran_q",
    "compare",
    "confidence_sequence",
    "confusion_matrix",
    "cost_sweep",
    "drift",
    "equivalence",
    "evaluate",
    "finish",
    "from_bytes",
    "joint_matrix",
    "joint_parts",
    "list_metrics",
    "merge",
    "metric",
    "metrics",
    "monitor",
    "multiclass_metrics",
    "multiclass_sweep",
    "multilabel",
    "multilabel_metrics",
    "multilabel_sweep",
    "partial",
    "plot",
    "register_metric",
    "regression",
    "regression_metrics",
    "state",
    "state_from_counts",
    "sweep",
    "sweep_metrics",
    "unregister_metric",
]
__all__ += functions.__all__
_LATER = ("mlflow", "ray", "spark")  # modules that are loaded when first used


if _typing.TYPE_CHECKING:
    from confmat import mlflow as mlflow
    from confmat import ray as ray
    from confmat import spark as spark
    from confmat.functions import *  # noqa: F403
    from confmat.plots.pictures import plot
else:

    def __getattr__(name: str) -> object:
        """Find a function; or say which name was meant, also of those that scikit-learn has."""
        if name in functions.__all__:
            return globals().setdefault(name, getattr(functions, name))
        if name == "plot":
            from confmat.plots.pictures import plot

            return globals().setdefault(name, plot)
        if name in _LATER:
            return _importlib.import_module(f"confmat.{name}")
        if name.startswith("_"):
            raise AttributeError(f"module 'confmat' has no attribute {name!r}")
        if _own(name) is not None:
            return _own_function(name)
        raise AttributeError(f"module 'confmat' has no attribute {name!r}{_hint(name, __all__)}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_LATER])
