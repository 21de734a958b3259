"""Confusion matrices and every metric that follows from them."""

from importlib import import_module as _import_module

from confmat import functions
from confmat._core import __version__  # noqa: F401  (public)
from confmat.frames import late_namespaces as _late_namespaces  # noqa: F401  (`.cm` of Polars)
from confmat.name_hints import hint as _hint
from confmat.own_definitions import own as _own

# Where the public names are; each is loaded when first asked for, so that a program that counts
# does not wait for pictures and tests. `docs/generate.py` makes the stub of it.
_PLACES = {
    "calibration.recalibration": ("Recalibration",),
    "callables.metric_set": ("MetricSet",),
    "callables.of_agreement": (
        "gwet_ac2",
        "weighted_alpha",
    ),
    "callables.of_matrices": (
        "adjusted_mutual_information",
        "aickin_alpha",
    ),
    "errors": (
        "ConfmatError",
        "InputError",
        "StateError",
        "UndefinedMetricWarning",
    ),
    "frames.class_expressions": (
        "multiclass_metrics",
        "multilabel_metrics",
    ),
    "frames.expressions": (
        "metric",
        "metrics",
    ),
    "frames.finishing": ("finish",),
    "frames.joint_parts": ("joint_parts",),
    "frames.partials": (
        "merge",
        "partial",
        "state_from_counts",
    ),
    "frames.regression_expressions": ("regression_metrics",),
    "frames.score_expressions": ("sweep_metrics",),
    "frames.states": ("state",),
    "gates.checking": ("check",),
    "gates.checks": ("Checks",),
    "intervals.interval": ("Interval",),
    "labelsets.label_confusions": ("label_confusions",),
    "logs.accumulator": ("Accumulator",),
    "logs.evaluating": ("evaluate",),
    "logs.evaluation": ("Evaluation",),
    "logs.interrupted": ("Interrupted",),
    "metric_list": ("list_metrics",),
    "monitoring.confidence_sequences": ("confidence_sequence",),
    "monitoring.drift": (
        "Drift",
        "drift",
    ),
    "monitoring.monitor": ("monitor",),
    "objects.binned_multiclass_sweep": ("BinnedMulticlassSweep",),
    "objects.binned_multilabel_sweep": ("BinnedMultilabelSweep",),
    "objects.binned_sweep": ("BinnedSweep",),
    "objects.calibration": ("Calibration",),
    "objects.counting": ("confusion_matrix",),
    "objects.joint_matrix": (
        "JointMatrix",
        "joint_matrix",
    ),
    "objects.joint_sweep": (
        "JointSweep",
        "joint_sweep",
    ),
    "objects.matrix": ("ConfusionMatrix",),
    "objects.multiclass_sweep": ("MulticlassSweep",),
    "objects.multiclass_sweeping": ("multiclass_sweep",),
    "objects.multilabel_matrix": (
        "MultilabelMatrix",
        "multilabel",
    ),
    "objects.multilabel_sweep": (
        "MultilabelSweep",
        "multilabel_sweep",
    ),
    "objects.multioutput_regression": ("MultioutputRegression",),
    "objects.regressing": ("regression",),
    "objects.regression": ("Regression",),
    "objects.reporting": ("classification_report",),
    "objects.states": ("from_bytes",),
    "objects.sweep": ("Sweep",),
    "objects.sweeping": ("sweep",),
    "own_metrics": (
        "register_metric",
        "unregister_metric",
    ),
    "paired.comparing": ("compare",),
    "paired.comparison": ("Comparison",),
    "plots.pictures": ("plot",),
    "scores.row_costs": ("cost_sweep",),
    "significance.adjustments": ("adjust_p",),
    "significance.equivalence": ("equivalence",),
    "significance.fleiss": ("fleiss_kappa",),
    "significance.paired": ("cochran_q",),
    "significance.result": ("TestResult",),
    "slices.binning": (
        "bin_intervals",
        "bin_quantiles",
    ),
}
_MODULES = ("mlflow", "ray", "spark")
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [*sorted(["__version__", *_PLACE_OF]), *functions.__all__]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    """Find a public name; or say which one was meant, also of those that scikit-learn has."""
    if name in _PLACE_OF:
        found = getattr(_import_module(f"confmat.{_PLACE_OF[name]}"), name)
    elif name in functions.__all__:
        found = getattr(functions, name)
    elif name in _MODULES:
        found = _import_module(f"confmat.{name}")
    elif _own(name) is not None:
        return _import_module("confmat.own_metrics").own_function(name)  # until it is unregistered
    else:
        hint = "" if name.startswith("_") else _hint(name, __all__)
        raise AttributeError(f"module 'confmat' has no attribute {name!r}{hint}")
    return globals().setdefault(name, found)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
