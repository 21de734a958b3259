"""What is asked of a comparison: metrics, a level, a side, a method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from confmat import positive_class
from confmat.default_metrics import default_metrics
from confmat.errors import InputError
from confmat.intervals.clusters import FEW, quantile
from confmat.intervals.levels import Side
from confmat.intervals.student import t_tail
from confmat.labels import Label
from confmat.metric_names import ask, names_asked
from confmat.moments.names import regression_names
from confmat.multiclass.number_facts import NumberFact, number_fact
from confmat.multiclass.values import is_of_classes
from confmat.name_calls import base_of
from confmat.paired.models import Models
from confmat.registry import find, find_quietly, is_regression_metric, is_score_metric

REPLICATES = 10_000
OF_SCORES = ("roc_auc",)
OF_NUMBERS = ("mae", "rmse", "r2", "pearson_r", "ccc", "mean_error")
OF_PROBABILITIES = ("brier", "log_loss")
OF_CLASS_SCORES = ("roc_auc_macro", "top_1_accuracy")


@dataclass(frozen=True)
class Asked:
    """How differences are read: the same counts may be read otherwise later."""

    metrics: tuple[str, ...] | None
    level: float
    side: Side
    method: str | None
    pos_label: Label | None
    min_n: int
    seed: int = 0  # of the bootstrap, and how many replicates; None: as many as suit it
    replicates: int | None = None
    many_classes: bool = False  # that scores are of

    def count(self, suited: int = REPLICATES) -> int:
        """Return how many replicates are drawn."""
        return suited if self.replicates is None else self.replicates

    def reach(self, clusters: int | None = None) -> float:
        """Return how many standard errors an interval reaches to a side."""
        return quantile(self.level, self.side, clusters)

    def p_value(self, value: float, se: float, clusters: int | None = None) -> float:
        """Return the probability of what lies as far from 0, to the side asked for."""
        if not se > 0:
            return 1.0 if value == 0 and se == 0 else math.nan
        z = value / se
        z = -abs(z) if self.side == "both" else -z if self.side == "lower" else z
        both = 2 if self.side == "both" else 1
        if clusters is None or clusters >= FEW:
            return both * math.erfc(-z / math.sqrt(2)) / 2
        tail = t_tail(abs(z), clusters - 1)
        return both * (tail if z < 0 else 1 - tail)

    def is_of_scores(self, name: str) -> bool:
        """Return whether a metric is one of the scores."""
        return is_of_classes(name) if self.many_classes else is_score_metric(name)

    def fact(self, name: str) -> NumberFact:
        """Return the range of a metric, and which end is better."""
        if self.many_classes and is_of_classes(name):
            return number_fact(name)
        fact = find(base_of(name))
        return NumberFact(float(fact["lo"]), float(fact["hi"]), str(fact["better"]))

    def most(self, name: str) -> float:
        """Return how far two values of a metric can lie apart."""
        fact = self.fact(name)
        return fact.hi - fact.lo

    def ends(
        self, name: str, value: float, se: float, clusters: int | None = None
    ) -> tuple[float, float]:
        """Return the ends of the interval of a difference, within what it can be."""
        most = self.most(name)
        half = self.reach(clusters) * se
        low = max(value - half, -most) if self.side != "upper" else -most
        high = min(value + half, most) if self.side != "lower" else most
        return (math.nan, math.nan) if math.isnan(se) else (low, high)


def checked_metrics(metrics: Sequence[str] | str, models: Models) -> list[str]:
    """Return names of metrics, each once. Raises InputError: one that is not there."""
    names = list(dict.fromkeys(names_asked(metrics)))
    if not names:
        raise InputError("`metrics` is empty; wanted names of metrics")
    if models.numbers:
        return list(regression_names(names))
    has_classes, has_scores = bool(models.y_pred), models.has_scores
    for name in names:
        if models.class_scores and is_of_classes(name):
            continue
        if is_score_metric(name):
            if models.class_scores:
                number_fact(name)  # refuses what is of two classes alone
            find(name)
            if not has_scores:
                raise InputError(f"`metrics` has {name!r}, a metric of scores; give `y_score`")
            continue
        if is_regression_metric(name):
            raise InputError(
                f'`metrics` has {name!r}, a metric of numbers; give `task="regression"`'
            )
        if models.class_scores and not has_classes and find_quietly(name) is None:
            number_fact(name)  # refuses it, and says what there is
        ask(name)
        if not has_classes:
            raise InputError(
                f"`metrics` has {name!r}, a metric of predicted classes; give `y_pred`"
            )
    return names


def usual_metrics(
    labels: Sequence[Label] | None,
    pos_label: Label | None,
    scores_are: str | None,
    many_classes: bool = False,
) -> list[str]:
    """Return the metrics that are compared where none are named."""
    names: list[str] = []
    if labels is not None:
        names += default_metrics(positive_class.are_two(labels, pos_label))
    if scores_are is not None:
        names += OF_CLASS_SCORES if many_classes else OF_SCORES
    if scores_are == "probabilities":
        names += OF_PROBABILITIES
    return names
