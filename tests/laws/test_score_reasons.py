"""Reasons of scores, of label sets and of many classes: said if and only if nan, and true."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat import _core

NAMES = [fact["name"] for fact in _core.score_facts()]
TRUE_OF = {
    "there are no rows": lambda truth, weight: len(truth) == 0,
    "there are no rows of a weight above 0": lambda truth, weight: not weight.any(),
    "all weights are 0": lambda truth, weight: len(truth) > 0 and not weight.any(),
    "there are no positives": lambda truth, weight: not weight[truth == 1].any(),
    "there are no negatives": lambda truth, weight: not weight[truth == 0].any(),
}
# Those that need both classes, and those that need positives.
BOTH = {"roc_auc", "gini", "ks", "eer", "brier_skill", "d2_log_loss"}
BOTH |= {"h_measure", "h_measure_prior", "pr_gain_auc", "bedroc"}
POSITIVES = {"average_precision", "pr_auc_trapezoid", "rie"}


def small_logs():
    for n in range(4):
        for truth in np.ndindex(*(2,) * n):
            for weight in (None, np.zeros(n), np.arange(n) / 2):
                yield np.array(truth, dtype=np.int64), np.linspace(0.1, 0.9, n), weight


@pytest.mark.parametrize("name", NAMES)
def test_reasons_of_a_sweep_are_true(name):
    for truth, score, weight in small_logs():
        state = cm.sweep(truth, score, sample_weight=weight)
        value, said = state.values([name])[name], state.reason(name)
        assert math.isnan(value) == (said is not None)
        heavy = np.ones(len(truth)) if weight is None else weight
        if said is not None:
            assert TRUE_OF[said](truth, heavy), (truth, weight, said)
            wants = {"there are no positives": BOTH | POSITIVES, "there are no negatives": BOTH}
            assert name in wants.get(said, NAMES)


METRICS = ("precision", "recall", "specificity", "f1", "jaccard", "mcc_binary", "lr_positive")


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("name", METRICS)
def test_reasons_of_label_sets_are_true(name, average):
    if name in ("mcc_binary", "lr_positive") and average == "micro":
        return
    rng = np.random.default_rng(3)
    for at in range(60):
        shape = (at % 4, 1 + at % 3)
        truth, pred = rng.random((2, *shape)) < rng.choice([0.0, 0.2, 1.0], (2, 1, shape[1]))
        matrix = cm.multilabel(truth, pred)
        value, said = matrix.value(name, average), matrix.reason(name, average)
        assert math.isnan(value) == (said is not None), (truth, pred)
        if said is None:
            continue
        seen = (truth | pred).any(axis=0)
        per_class = matrix.per_class([name, "support"]).filter(seen)
        defined = per_class[name].is_not_null()
        if said == "there are no rows":
            assert len(truth) == 0
        elif said.endswith("is defined for labels without support alone"):
            assert defined.any()
            assert per_class.filter(defined)["support"].sum() == 0
        elif said == "no label occurs":
            assert not seen.any()
        elif said.endswith("is undefined for every label"):
            assert seen.all()
            assert not defined.any()
        elif said.endswith("is undefined for every label that occurs"):
            assert not seen.all()
            assert not defined.any()
        elif said.endswith("is undefined for every row"):
            rows = [
                cm.confusion_matrix(t, p, labels=[False, True]).value(name, pos_label=True)
                for t, p in zip(truth, pred, strict=True)
            ]
            assert all(map(math.isnan, rows))
        else:
            where, _, what = said.partition(": ")
            assert where == "class True"
            truth, pred = truth[:, seen], pred[:, seen]
            cells = {"tp": (truth & pred).sum(), "fp": (pred & ~truth).sum()}
            cells |= {"fn": (truth & ~pred).sum(), "tn": (~truth & ~pred).sum()}
            left, _, right = what.partition(" = ")
            assert eval(left.replace("^", "**"), {}, cells) == float(right)


def test_reasons_of_many_classes_are_true():
    rng = np.random.default_rng(5)
    names = cm.multiclass_sweep([0, 1], [[0.5, 0.5]] * 2).overall()["metric"]
    for at in range(60):
        n, k = at % 5, 1 + at % 4
        truth = rng.integers(0, rng.integers(1, k + 1), n)
        scores = rng.dirichlet(np.ones(k), n)
        weight = None if at % 3 else rng.integers(0, 2, n).astype(float)
        state = cm.multiclass_sweep(truth, scores, labels=list(range(k)), sample_weight=weight)
        heavy = np.ones(n) if weight is None else weight
        classes = len(set(truth[heavy > 0].tolist()))
        for name, value, said in state.overall().rows():
            assert (value is None) == (said is not None), (name, truth, weight, value, said)
            assert said == state.reason(name)
            if said == "there are no rows":
                assert n == 0
            elif said == "all weights are 0":
                assert n > 0
                assert not heavy.any()
            elif said == "all rows are of one class":
                assert classes == 1
            else:
                assert said is None, said
    assert len(names) > 5
