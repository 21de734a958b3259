"""States of every kind, by what is special about them; golden bytes of each lie in tests/state."""

import numpy as np

import confmat as cm


def _weighted_matrix():
    y, p = ["a", "b", "a", "a", None], ["a", "a", "b", "a", "b"]
    return cm.confusion_matrix(y, p, sample_weight=[0.5, 1.25, 3.0, 2**-70, 1.0])


COUNTS = {
    "ints": cm.ConfusionMatrix([[5, 1], [2, 9]]),
    "negative labels": cm.ConfusionMatrix([[2**62, 1], [0, 0]], labels=[2**63 - 1, -(2**63)]),
    "bools": cm.confusion_matrix([True, False, True], [True, True, True]),
    "texts": cm.ConfusionMatrix(np.arange(9).reshape(3, 3), labels=["", "a\0b", "漢字"]),
    "an empty text": cm.ConfusionMatrix([[5, 1], [2, 9]], labels=["a", ""], pos_label="a"),
    "floats": cm.ConfusionMatrix([[0.5, 1e-300], [0.0, 7.0]]),
    "one class": cm.ConfusionMatrix([[3]]),
    "no class": cm.confusion_matrix([None], [None]),
    "weights": _weighted_matrix(),
    "integer weights": cm.confusion_matrix([7, 7, 9], [7, 9, 9], sample_weight=[2**40, 3, 0]),
    "other": cm.confusion_matrix([0, 1, 5], [0, 1, 1], labels=[0, 1], other="bucket"),
    "named": cm.confusion_matrix([0, 1, 1], [0, 1, 0], pos_label=1),
    "few of many": cm.confusion_matrix(range(40), [3] * 40),
}

_Y, _S = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, -0.0]
CURVES = {
    "exact": cm.sweep(_Y, _S),
    "float32": cm.sweep(_Y, np.array(_S, dtype=np.float32)),
    "weights": cm.sweep(_Y, _S, sample_weight=[0.5, 1.25, 3.0, 1.0, 1e-300]),
    "big counts": cm.sweep(_Y, _S, sample_weight=[2**33, 1, 2, 3, 4]),
    "bools": cm.sweep([False, True], [1.0, np.inf]),
    "texts": cm.sweep(["", "漢\0字"], [-np.inf, 0.0], pos_label="漢\0字"),
    "no negative": cm.sweep(["yes"], [0.5], pos_label="yes"),
    "dropped": cm.sweep([1, None, 0], [np.nan, 0.5, 0.1], nan="drop"),
    "empty": cm.sweep(np.zeros(0, dtype=np.int64), np.zeros(0)),
    "many rows left out": cm.sweep([None] * 300, [0.5] * 300),
}
BINS = {
    "power": cm.sweep(_Y, _S, bins=1024),
    "half": cm.sweep(_Y, np.array(_S, dtype=np.float16), bins=65536),
    "unit": cm.sweep(_Y, _S, bins="unit"),
    "unit, several": cm.sweep([*_Y, 1], [*_S, 0.8000001], bins="unit"),
    "unit level 3": cm.sweep(_Y, _S, bins="unit").coarser(3),
    "unit level 8, several": cm.sweep([*_Y, 1], [*_S, 0.801], bins="unit/8"),
    "half, several": cm.sweep(_Y, [*_S[:4], 0.10001], bins="float16"),
    "power, several": cm.sweep([*_Y, 1], [*_S, 0.8001], bins=1024),
    "edges": cm.sweep(_Y, _S, bins=[-1.0, 0.0, 0.2, 0.5, 0.7, 1.0]),
    "every bin": cm.sweep([0, 1], [-1.0, 1.0], bins=2),
    "edges, weights": cm.sweep(_Y, _S, bins=[-1, 1], sample_weight=[0.5, 1, 2, 3, 4]),
}

_LISTS = [["a"], ["a", "c"], [], ["c"], ["b", "c"]], [["a"], ["b"], [], ["c", "a"], ["b", "c"]]
_WIDE = np.eye(11, dtype=bool), np.eye(11, dtype=bool)[::-1]
SETS = {
    "found": cm.multilabel(*_LISTS),
    "given": cm.multilabel(*_LISTS, labels=["c", "a", "b", "none"]),
    "table": cm.multilabel([[1, 0], [0, 1], [1, 1]], [[1, 1], [0, 0], [1, 1]]),
    "integer weights": cm.multilabel(*_LISTS, sample_weight=[1, 0, 2**40, 3, 5]),
    "weights": cm.multilabel(*_LISTS, sample_weight=[0.1, 2**-70, 3.0, 1e17, 0.0]),
    "large weights": cm.multilabel(*_LISTS, sample_weight=[9e149, 1, 1e-150, 1, 1.0]),
    "wide": cm.multilabel(*_WIDE),
    "wide, weights": cm.multilabel(*_WIDE, sample_weight=np.arange(11) / 7),
    "no rows": cm.multilabel(np.zeros((0, 3), bool), np.zeros((0, 3), bool)),
    "no labels": cm.multilabel([[], []], [[], []]),
    "dropped": cm.multilabel([["x"], None], [["x"], ["y"]]),
}


def class_rows(seed, n, dtype=np.float64, logits=False):
    """Return n rows of three classes: truth, and probabilities or logits."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    scores = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[truth]
    if not logits:
        scores = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return truth, scores.astype(dtype)


def exact_class_rows(seed, n):
    """Return n rows of three classes with probabilities that no processor rounds."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, 257, (n, 2)), axis=1)
    return rng.integers(0, 3, n), np.diff(cuts, prepend=0, append=256, axis=1) / 256


_THREE = {"labels": [0, 1, 2]}
CLASSES = {
    "plain": cm.multiclass_sweep(*exact_class_rows(1, 40), **_THREE).to_state(),
    "pairs": cm.multiclass_sweep(*class_rows(2, 30), **_THREE).to_state(64, pairs=True),
    "float32": cm.multiclass_sweep(*class_rows(3, 30, np.float32), **_THREE).to_state("unit"),
    "half": cm.multiclass_sweep(*class_rows(4, 30, np.float16), **_THREE).to_state("float16"),
    "logits": cm.multiclass_sweep(*class_rows(5, 30, logits=True), **_THREE).to_state(64),
    "texts": cm.multiclass_sweep(["a", None, "b"], np.full((3, 2), 0.5)).to_state(16),
    "weights": cm.multiclass_sweep(
        *exact_class_rows(6, 30), sample_weight=np.arange(30) / 7
    ).to_state(64),
    "integer weights": cm.multiclass_sweep(
        *exact_class_rows(7, 30), sample_weight=range(30)
    ).to_state(64),
    "no rows": cm.multiclass_sweep(
        np.zeros(0, int), np.zeros((0, 2)), labels=[False, True]
    ).to_state(),
}


def set_rows(seed, n, dtype=np.float64):
    """Return n rows of sets of three labels and the scores of these."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 3)) < 0.4
    return truth, rng.random((n, 3)).astype(dtype)


SET_SCORES = {
    "bins": cm.multilabel_sweep(*set_rows(1, 30)).to_state(),
    "coarse": cm.multilabel_sweep(*set_rows(2, 30), labels=["a", "b", "c"]).to_state(64),
    "exact": cm.multilabel_sweep(*set_rows(3, 30)).to_state(None),
    "half": cm.multilabel_sweep(*set_rows(4, 30, np.float16)).to_state("float16"),
    "weights": cm.multilabel_sweep(*set_rows(5, 30), sample_weight=np.arange(30) / 7).to_state(64),
    "dropped": cm.multilabel_sweep(
        [[1], [None], [0]], [[0.5], [0.1], [np.nan]], nan="drop"
    ).to_state(),
    "no rows": cm.multilabel_sweep(np.zeros((0, 2), bool), np.zeros((0, 2))).to_state(16),
}

_TRUTH, _A, _B = [2, 0, 1, 1, 0], [2, 1, 1, 0, 0], [2, 0, 1, 1, 1]
JOINTS = {
    "found": cm.joint_matrix(["a", "b", "b", None], ["a", "a", "b", "a"], ["b", "b", "", "b"]),
    "given": cm.joint_matrix(_TRUTH, _A, _B, labels=[2, 0, 1, -7]),
    "other": cm.joint_matrix(_TRUTH, _A, _B, labels=[0, 1], other="bucket"),
    "bools": cm.joint_matrix([True, False], [True, True], [True, True]),
    "integer weights": cm.joint_matrix(_TRUTH, _A, _B, sample_weight=[1, 0, 2**40, 3, 5]),
    "weights": cm.joint_matrix(_TRUTH, _A, _B, sample_weight=[0.1, 2**-70, 1e17, 0.0, 3.5]),
    "no rows": cm.joint_matrix([None], [0], [1]),
    "few of many": cm.joint_matrix(range(300), [3] * 300, [299] * 300),
}

_OTHER = [0.2, 0.4, 0.3, 0.9, 5.0]
JOINT_SCORES = {
    "plain": cm.joint_sweep(_Y, _S, _OTHER),
    "float32": cm.joint_sweep(_Y, np.array(_S, np.float32), np.array(_OTHER, np.float32)),
    "several": cm.joint_sweep([*_Y, 1], [*_S, 0.8000001], [*_OTHER, 0.9]),
    "texts": cm.joint_sweep(["", "漢"], [-np.inf, 0.0], [0.5, np.inf], pos_label="漢"),
    "integer weights": cm.joint_sweep(_Y, _S, _OTHER, sample_weight=[2**33, 0, 2, 3, 4]),
    "weights": cm.joint_sweep(_Y, _S, _OTHER, sample_weight=[0.1, 2**-70, 1e17, 0.0, 3.5]),
    "dropped": cm.joint_sweep([1, None, 0], [np.nan, 0.5, 0.1], [0.5, 0.1, 1.0], nan="drop"),
    "one class": cm.joint_sweep(["yes"], [0.5], [0.25], pos_label="yes"),
    "no rows": cm.joint_sweep([], [], []),
}

_NUMBERS = [3.0, -0.5, 2.0, 7.0, 2.0], [2.5, 0.0, 2.0, 8.0, 1e9]
_TERMS = ["smape", "huber", "huber(0.25)"]
MOMENTS = {
    "plain": cm.regression(*_NUMBERS),
    "further sums": cm.regression(*_NUMBERS, metrics=_TERMS),
    "powers": cm.regression(*_NUMBERS, metrics=["intervals"]),
    "errors": cm.regression(*_NUMBERS, metrics=["median_absolute_error"]),
    "exact errors": cm.regression(
        *_NUMBERS, sample_weight=[0.1, 2**-70, 1e17, 0.0, 3.5], metrics=["exact_errors"]
    ),
    "density": cm.regression(*_NUMBERS, metrics=["density"]),
    "truths": cm.regression(*_NUMBERS, metrics=["d2_absolute_error", "density"]),
    "truths, weights": cm.regression(
        *_NUMBERS, sample_weight=[0.1, 2**-70, 1e17, 0.0, 3.5], metrics=["d2_huber"]
    ),
    "exact truths": cm.regression(*_NUMBERS, metrics=["exact_truths", "exact_errors"]),
    "weights": cm.regression(*_NUMBERS, sample_weight=[0.1, 2**-70, 1e17, 0.0, 3.5]),
    "far from 0": cm.regression([1e9 + 0.1, 1e9], [1e9, 1e9 + 0.3]),
    "dropped": cm.regression([None, np.nan, 1.0], [1.0, 1.0, 1.0], nan="drop"),
    "taken away": cm.regression(*_NUMBERS) - cm.regression([7.0], [8.0]),
    "no rows": cm.regression([], []),
    "weights of 0": cm.regression([1.0], [2.0], sample_weight=[0]),
}

# By the first word of the names of golden bytes.
KINDS = {
    "counts": COUNTS,
    "curve": CURVES,
    "bins": BINS,
    "sets": SETS,
    "classes": CLASSES,
    "set_scores": SET_SCORES,
    "joint": JOINTS,
    "moments": MOMENTS,
    "joint_scores": JOINT_SCORES,
}
STATES = {f"{kind}, {name}": state for kind, of in KINDS.items() for name, state in of.items()}
