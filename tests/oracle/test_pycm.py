"""Numbers that PyCM has and scikit-learn lacks, where PyCM follows the published definition.

PyCM is no dependency of the tests: where it is not installed this file is skipped.
"""

import numpy as np
import pytest

import confmat as cm

pycm = pytest.importorskip("pycm", reason="PyCM is an optional second opinion")

OVERALL = {
    "accuracy": "Overall ACC",
    "kappa": "Kappa",
    "nir": "NIR",
    "mcc": "Overall MCC",
    "cen": "Overall CEN",
    "cramer_v": "Cramer V",
    "mutual_information": "Mutual Information",
    "entropy_true": "Reference Entropy",
    "entropy_pred": "Response Entropy",
    "entropy_joint": "Joint Entropy",
    "hamming_loss": "Hamming Loss",
    "expected_accuracy": "Overall RACC",
    "adjusted_rand": "ARI",
    "recall_macro": "TPR Macro",
    "precision_macro": "PPV Macro",
    "specificity_macro": "TNR Macro",
    "npv_macro": "NPV Macro",
    "f1_macro": "F1 Macro",
    "accuracy_binary_macro": "ACC Macro",
    "fpr_micro": "FPR Micro",
    "npv_micro": "NPV Micro",
}
CLASS = {
    "precision": "PPV", "recall": "TPR", "specificity": "TNR", "npv": "NPV", "fpr": "FPR",
    "fnr": "FNR", "fdr": "FDR", "for_rate": "FOR", "f1": "F1", "fbeta(2)": "F2",
    "fbeta(0.5)": "F0.5",
    "jaccard": "J", "informedness": "BM", "markedness": "MK", "mcc_binary": "MCC", "gmean": "GM",
    "balanced_accuracy_binary": "AUC",
    "lr_positive": "PLR", "lr_negative": "NLR", "diagnostic_odds_ratio": "DOR", "prevalence": "PRE",
    "accuracy_binary": "ACC", "error_binary": "ERR", "fowlkes_mallows": "G",
    "tp": "TP", "fp": "FP", "fn": "FN", "tn": "TN", "support": "P",
}  # fmt: skip


def tables(k):
    """Return tables without empty cells: PyCM writes "None" for what is undefined."""
    return np.random.default_rng(k).integers(1, 60, (12, k, k))


def theirs(table):
    nested = {i: dict(enumerate(map(int, line))) for i, line in enumerate(table)}
    return pycm.ConfusionMatrix(matrix=nested)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_overall(k):
    for table in tables(k):
        wanted, got = theirs(table).overall_stat, cm.ConfusionMatrix(table).values(OVERALL)
        for name, key in OVERALL.items():
            assert np.isclose(got[name], wanted[key], rtol=1e-10, atol=1e-15), (
                name,
                table.tolist(),
            )


# The weights are those of fn and of fp there, of fp and of fn here.
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.3, 0.7), (2.0, 0.25), (0.0, 3.0)])
def test_tversky(alpha, beta):
    for table in tables(3):
        wanted, m = theirs(table).TI(alpha, beta), cm.ConfusionMatrix(table)
        for i in range(3):
            got = m.value("tversky", pos_label=i, alpha=beta, beta=alpha)
            assert np.isclose(got, wanted[i], rtol=1e-14, atol=0), table.tolist()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_each_class(k):
    for table in tables(k):
        wanted = theirs(table).class_stat
        got = cm.ConfusionMatrix(table).per_class(list(CLASS))
        for name, key in CLASS.items():
            each = [wanted[key][i] for i in range(k)]
            assert np.allclose(got[name], each, rtol=1e-10, atol=1e-15), (name, table.tolist())
