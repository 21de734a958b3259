"""The functions of classes and label sets do what scikit-learn's do: values, errors, warnings."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics
from support.outcomes import assert_same_outcome, outcome

import confmat.sklearn
from confmat.sklearn.drop_in import REPLACED

OF_CLASSES = (
    "accuracy_score",
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "zero_one_loss",
)
WORDS = np.array(["é", "a", "bb", "a\N{GRINNING FACE}", "zzz"])
# How a column of small numbers may be given.
COLUMNS = {
    "int64": lambda at: at,
    "int8": lambda at: at.astype(np.int8),
    "uint16": lambda at: at.astype(np.uint16),
    "negative": lambda at: at - 2,
    "bool": lambda at: at > 1,
    "whole floats": lambda at: at.astype(np.float64),
    "huge floats": lambda at: at * 1e300,
    "fractions": lambda at: at + 0.25,
    "with a nan": lambda at: np.where(at == 1, np.nan, at),
    "texts": lambda at: WORDS[at],
    "objects": lambda at: WORDS[at].astype(object),
    "objects, one None": lambda at: np.where(at == 1, None, WORDS[at]),
    "numbers as objects": lambda at: at.astype(object),
    "strings of NumPy": lambda at: WORDS[at].astype(np.dtypes.StringDType()),
    "bytes": lambda at: at.astype("S"),
    "list": lambda at: at.tolist(),
    "list of Booleans": lambda at: (at > 1).tolist(),
    "list of texts": lambda at: WORDS[at].tolist(),
    "mixed list": lambda at: ["a" if one == 1 else one for one in at.tolist()],
    "tuple": lambda at: tuple(at.tolist()),
    "column": lambda at: at[:, None],
    "column of texts": lambda at: WORDS[at][:, None],
    "list of lists": lambda at: at[:, None].tolist(),
    "row": lambda at: at[None, :],
    "every other": lambda at: np.repeat(at, 2)[::2],
    "backwards": lambda at: at[::-1],
    "pandas": lambda at: pd.Series(at, index=at[::-1]),
    "pandas texts": lambda at: pd.Series(WORDS[at]),
    "pandas Int64": lambda at: pd.Series(at, dtype="Int64"),
    "pandas category": lambda at: pd.Series(WORDS[at], dtype="category"),
    "frame": lambda at: pd.DataFrame({"y": at}),
    "polars": pl.Series,
    "polars texts": lambda at: pl.Series(WORDS[at]),
    "polars Enum": lambda at: pl.Series(WORDS[at], dtype=pl.Enum(WORDS)),
    "empty": lambda at: [],
    "shorter": lambda at: at[1:],
    "number": lambda at: 3,
    "text": lambda at: "abc",
    "None": lambda at: None,
    "sparse column": lambda at: sparse.csr_array(at[:, None]),
}
# Of which kinds most pairs are, so that numbers are compared, and not only errors.
SOUND = ("int64", "texts", "list", "list of texts", "objects", "bool", "whole floats", "pandas")
WEIGHTS = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 5, n),
    "fractions": lambda rng, n: rng.random(n),
    "float32": lambda rng, n: rng.random(n).astype(np.float32),
    "some 0": lambda rng, n: rng.integers(0, 2, n),
    "all 0": lambda rng, n: np.zeros(n),
    "negative": lambda rng, n: rng.normal(size=n),
    "negative whole": lambda rng, n: rng.integers(-3, 4, n),
    "list": lambda rng, n: rng.random(n).tolist(),
    "longer": lambda rng, n: np.ones(n + 1),
    "with a nan": lambda rng, n: np.full(n, np.nan),
    "column": lambda rng, n: np.ones((n, 1)),
}
OPTIONS = {
    "normalize": st.sampled_from([True, False, "true", "pred", "all", None, "both"]),
    "adjusted": st.sampled_from([True, False, 1]),
    "weights": st.sampled_from([None, "linear", "quadratic", "cubic"]),
    "samplewise": st.booleans(),
    "output_dict": st.booleans(),
    "digits": st.sampled_from([2, 0, 5, -1]),
    "target_names": st.sampled_from([None, ["x", "y"], ["x", "y", "longer than others"]]),
    "beta": st.sampled_from([1.0, 2, 0.5, 0, np.inf, -1]),
    "average": st.sampled_from(["binary", "micro", "macro", "weighted", "samples", None, "mean"]),
    "pos_label": st.sampled_from([1, 0, "a", None, True, 1.0]),
    "warn_for": st.sampled_from([("precision",), ["recall", "f-score"], set(), "recall"]),
    "zero_division": st.sampled_from(["warn", 0, 1, np.nan, 0.0, 0.5, "raise"]),
    "labels": st.sampled_from(
        [
            None,
            [0, 1],
            [1, 0],
            [3, 1, 7],
            np.array([2, 0]),
            ["a", "bb"],
            [1, 1, 2],
            [],
            [9],
            [-1, 0],
        ]
    ),
    "replace_undefined_by": st.sampled_from(
        [np.nan, 1.0, 0.5, {"LR+": 2.0, "LR-": 0.5}, {"LR+": 0.5, "LR-": 0.5}, {"LR+": 2.0}]
    ),
}


@st.composite
def options(draw, function):
    """Draw some of the arguments beside the targets; `beta` where it must be given."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in OPTIONS and (draw(st.booleans()) or parameter.default is parameter.empty):
            found[name] = draw(OPTIONS[name])
    return found


@st.composite
def classes(draw, function):
    """Draw the arguments of a function of two columns of classes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.sampled_from([1, 2, 5, 20])), draw(st.integers(1, 4))
    truth = rng.integers(0, k, n)
    pred = np.where(rng.random(n) < 0.5, truth, rng.integers(0, k, n))
    kind = st.one_of(st.sampled_from(SOUND), st.sampled_from(list(COLUMNS)))
    one = draw(kind)
    two = draw(st.one_of(st.just(one), kind))
    if "bool" in (one, two):  # scikit-learn writes Booleans beside integers as texts, at times
        two = one
    keywords = draw(options(function))
    if "sample_weight" in inspect.signature(function).parameters and draw(st.booleans()):
        keywords["sample_weight"] = WEIGHTS[draw(st.sampled_from(list(WEIGHTS)))](rng, n)
    return (COLUMNS[one](truth), COLUMNS[two](pred)), keywords


TABLES = {
    "int64": lambda table: table,
    "bool": lambda table: table.astype(bool),
    "float32": lambda table: table.astype(np.float32),
    "by columns": np.asfortranarray,
    "list": lambda table: table.tolist(),
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "frame": pd.DataFrame,
    "polars": pl.DataFrame,
    "2 for 1": lambda table: table * 2,
    "three values": lambda table: table + np.eye(*table.shape, dtype=int),
    "narrower": lambda table: table[:, 1:],
    "one column": lambda table: table[:, 0],
    "shorter": lambda table: table[1:],
    "empty": lambda table: table[:0],
}


@st.composite
def label_sets(draw, function):
    """Draw the arguments of a function of two tables of indicators."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, width = draw(st.sampled_from([1, 2, 5, 20])), draw(st.integers(2, 4))
    share = draw(st.sampled_from([0, 0.3, 0.7]))
    truth = (rng.random((n, width)) < share).astype(int)
    pred = np.where(rng.random((n, width)) < 0.5, truth, rng.integers(0, 2, (n, width)))
    sound = st.sampled_from(["int64", "bool", "list", "csr"])
    kind = st.one_of(sound, st.sampled_from(list(TABLES)))
    one = draw(kind)
    two = draw(st.one_of(st.just(one), kind))
    keywords = draw(options(function))
    if draw(st.booleans()):
        known = [name for name in WEIGHTS if not name.startswith("negative")]
        keywords["sample_weight"] = WEIGHTS[draw(st.sampled_from(known))](rng, n)
    return (TABLES[one](truth), TABLES[two](pred)), keywords


@pytest.mark.parametrize("name", OF_CLASSES)
@given(data=st.data())
def test_same_outcome(name, data):
    theirs = getattr(metrics, name)
    of = (
        label_sets if data.draw(st.integers(0, 2)) == 2 and name != "cohen_kappa_score" else classes
    )
    args, keywords = data.draw(of(theirs))
    ours = getattr(confmat.sklearn, name)
    assert_same_outcome(outcome(ours, *args, **keywords), outcome(theirs, *args, **keywords))


@pytest.mark.parametrize("original", REPLACED, ids=lambda function: function.__name__)
def test_signature(original):
    ours, theirs = (inspect.signature(of) for of in (REPLACED[original], original))
    assert [str(p.replace(annotation=p.empty)) for p in ours.parameters.values()] == [
        str(p) for p in theirs.parameters.values()
    ]
    assert REPLACED[original].__name__ == original.__name__
