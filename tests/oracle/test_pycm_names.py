"""Every name of PyCM 4.6, under its key, at another door, or different on purpose with a reason.

`tests/vectors/pycm_4_6.json` holds what PyCM gives for five tables: of two, three and four classes,
one whose second class is never predicted, and one whose third class no row has.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from support.pages import failures, page

import confmat as cm
from confmat.name_calls import base_of
from confmat.registry import elsewhere, pycm_names

SAID = json.loads((Path(__file__).parents[1] / "vectors" / "pycm_4_6.json").read_text("utf-8"))
CASES = SAID["cases"]
MATRICES = [cm.ConfusionMatrix(case["table"]) for case in CASES]
_CLASS = (
    "TPR TNR PPV NPV FNR FPR FDR FOR ACC F1 MCC BM MK PLR NLR DOR TP TN FP FN POP P PR N TOP TOPR "
    "TON PRE G RACC F0.5 F2 ERR RACCU J IS CEN MCEN AUC sInd dInd DP Y PLRI DPI AUCI GI LS AM BCD "
    "OP IBA GM Q AGM NLRI MCCI AGF OC OOC AUPR ICSI QI HD BB"
)
_OVERALL = (
    "Overall ACC|Overall RACCU|Overall RACC|Kappa|Gwet AC1|Bennett S|Kappa Standard Error|"
    "Kappa Unbiased|Scott PI|Kappa No Prevalence|Kappa 95% CI|Standard Error|95% CI|Chi-Squared|"
    "Phi-Squared|Cramer V|Response Entropy|Reference Entropy|Cross Entropy|Joint Entropy|"
    "Conditional Entropy|Mutual Information|KL Divergence|Lambda B|Lambda A|Chi-Squared DF|"
    "Overall J|Hamming Loss|Zero-one Loss|NIR|P-Value|Overall CEN|Overall MCEN|Overall MCC|RR|CBA|"
    "AUNU|AUNP|RCI|Pearson C|TPR Micro|TPR Macro|CSI|ARI|TNR Micro|TNR Macro|Bangdiwala B|"
    "Krippendorff Alpha|SOA1(Landis & Koch)|SOA2(Fleiss)|SOA3(Altman)|SOA4(Cicchetti)|"
    "SOA5(Cramer)|SOA6(Matthews)|SOA7(Lambda A)|SOA8(Lambda B)|SOA9(Krippendorff Alpha)|"
    "SOA10(Pearson C)|FPR Macro|FNR Macro|PPV Macro|NPV Macro|ACC Macro|F1 Macro|FPR Micro|"
    "FNR Micro|PPV Micro|F1 Micro|NPV Micro"
)
CLASS_KEYS = tuple(_CLASS.split())
OVERALL_KEYS = tuple(_OVERALL.split("|"))

# Words for values: the metric and the scale.
SCALES = {
    "PLRI": ("lr_positive", "PyCM"),
    "NLRI": ("lr_negative", "PyCM"),
    "AUCI": ("balanced_accuracy_binary", "PyCM"),
    "MCCI": ("mcc_binary", "PyCM"),
    "QI": ("yule_q", "PyCM"),
    "DPI": ("discriminant_power", "Sokolova"),
    "SOA1(Landis & Koch)": ("kappa", "Landis and Koch"),
    "SOA2(Fleiss)": ("kappa", "Fleiss"),
    "SOA3(Altman)": ("kappa", "Altman"),
    "SOA4(Cicchetti)": ("kappa", "Cicchetti"),
    "SOA5(Cramer)": ("cramer_v", "Rea and Parker"),
    "SOA6(Matthews)": ("mcc", "PyCM"),
    "SOA7(Lambda A)": ("lambda_true_given_pred", "PyCM"),
    "SOA8(Lambda B)": ("lambda_pred_given_true", "PyCM"),
    "SOA9(Krippendorff Alpha)": ("krippendorff_alpha", "Krippendorff"),
    "SOA10(Pearson C)": ("contingency_coefficient", "PyCM"),
}
# The words of a scale that PyCM has in other words.
WORDS = {"intermediate to good": "fair to good"}
# Numbers that are no metric: what gives them.
DOORS = {
    "CEN": lambda m: m.class_entropies()["cen"].to_list(),
    "MCEN": lambda m: m.class_entropies()["mcen"].to_list(),
    "Standard Error": lambda m: m.ci("accuracy", method="delta").se,
    "Chi-Squared": lambda m: m.test("chi2", correction=False).statistic,
    "Chi-Squared DF": lambda m: m.test("chi2", correction=False).df,
}


def wald(value, se):
    return [value - 1.96 * se, value + 1.96 * se]


def simple_kappa_error(m):
    """Return the error that takes the agreement by chance for known."""
    return m.ci("accuracy", method="delta").se / (1 - m.expected_accuracy)


# Different on purpose: how PyCM's number follows from ours, or why it does not. `docs/pycm.md` has
# the reasons. The reference numbers are those of the file, and the exact ones below.
DIFFERENT = {
    "DP": lambda m: [v / math.log(10) for v in each(m, "discriminant_power")],
    "Overall J": lambda m: [sum(each(m, "jaccard")), m.jaccard_macro],
    "Zero-one Loss": lambda m: m.n - np.trace(m.counts),
    "RR": lambda m: m.n / len(m.labels),
    "95% CI": lambda m: wald(m.accuracy, m.ci("accuracy", method="delta").se),
    "Kappa Standard Error": simple_kappa_error,
    "Kappa 95% CI": lambda m: wald(m.kappa, simple_kappa_error(m)),
    "P-Value": lambda m: m.test("nir").p_value,
}
LOST = 1e-12  # PyCM's sum of binomial terms, taken from 1, is good to so much


def each(m, name):
    return [m.value(name, pos_label=label) for label in m.labels]


def alike(got, wanted, atol=1e-13):
    return bool(np.allclose(got, wanted, rtol=1e-10, atol=atol, equal_nan=True))


def word(m, key, label=None):
    metric, scale = SCALES[key]
    found = m.interpretation(metric, pos_label=label)
    return found.filter(scale=scale)["word"].item()


def said(text):
    """Return PyCM's word in ours, None for its "None"."""
    return None if text == "None" else WORDS.get(text.lower(), text.lower())


def test_there_are_134_names():
    assert (len(CLASS_KEYS), len(OVERALL_KEYS)) == (65, 69)
    for case in CASES:
        assert set(case["class"]) == set(CLASS_KEYS)
        assert set(case["overall"]) == set(OVERALL_KEYS)
    doors = set(SCALES) | set(DOORS) | set(DIFFERENT)
    named = set(pycm_names())
    assert named <= set(CLASS_KEYS) | set(OVERALL_KEYS)
    assert named | doors == set(CLASS_KEYS) | set(OVERALL_KEYS)
    assert named & doors == {"DP", "Overall J"}  # the same measure on another scale


def test_each_name_is_understood_or_told_where_it_is():
    for key in (*CLASS_KEYS, *OVERALL_KEYS):
        assert key in pycm_names() or base_of(key) in elsewhere(), key


# Where PyCM has "None" because one of its parts is undefined, and ours is a number.
DEFINED = {
    ("Phi-Squared", 0.2383315967286877),
    ("Cramer V", 0.3452039952903708),
    ("Pearson C", 0.4387047474301533),
    ("KL Divergence", math.inf),
    ("CSI", (20 / 34 + 20 / 23 + 8 / 18 + 8 / 20) / 2 - 1),
    ("PPV Macro", (20 / 34 + 8 / 18) / 2),
    ("SOA5(Cramer)", "moderate"),
    ("SOA10(Pearson C)", "strong"),
}


@pytest.mark.parametrize("key", CLASS_KEYS)
def test_class_statistics(key):
    for m, case in zip(MATRICES, CASES, strict=True):
        wanted = case["class"][key]
        if key in SCALES:
            got = [word(m, key, label) for label in m.labels]
            # The scale of DP is one of natural logarithms, which PyCM does not take.
            assert got == (natural(m) if key == "DPI" else [said(text) for text in wanted])
            continue
        wanted = [math.nan if x == "None" else x for x in wanted]
        if key in DOORS or key in DIFFERENT:
            assert alike((DOORS | DIFFERENT)[key](m), wanted)
            continue
        assert alike(each(m, key), wanted)
        assert alike(m.per_class([key])[key].fill_null(math.nan), wanted)


def natural(m):
    names = ("poor", "limited", "fair", "good")
    return [
        None if math.isnan(v) else names[sum(v >= limit for limit in (1, 2, 3))]
        for v in each(m, "DP")
    ]


@pytest.mark.parametrize("key", OVERALL_KEYS)
def test_overall_statistics(key):
    for m, case in zip(MATRICES, CASES, strict=True):
        check_overall(m, key, case["overall"][key])


def check_overall(m, key, wanted):
    defined = dict(DEFINED)
    if key == "SOA4(Cicchetti)" and wanted == "Good" and m.kappa < 0.6:
        assert word(m, key) == "fair"  # 0.595: "good" starts at 0.60, not at 0.59
    elif key in SCALES:
        assert word(m, key) == (defined[key] if wanted == "None" else said(wanted))
    elif key in DIFFERENT:
        assert alike(DIFFERENT[key](m), wanted, LOST if key == "P-Value" else 1e-13)
    elif key == "Overall MCEN" and len(m.labels) == 2:
        # Delgado and Nunez-Gonzalez take half of the diagonal away for two classes, PyCM nothing.
        n, right = m.n, np.trace(m.counts)
        assert alike(m.mcen * (2 * n - right / 2) / (2 * n), wanted)
    elif key == "Cross Entropy" and m.value(key) == math.inf:
        assert wanted < 1  # the class that is never predicted was left out
    elif key.startswith("Chi-Squared") and 0 in m.counts.sum(axis=0):
        # PyCM divides by the empty column, and counts its degrees of freedom.
        assert wanted == ("None" if key == "Chi-Squared" else 4)
        assert alike(DOORS[key](m), m.n * m.phi_squared if key == "Chi-Squared" else 2)
    elif wanted == "None":
        assert alike(m.value(key), defined[key])
    else:
        assert alike(DOORS[key](m) if key in DOORS else m.value(key), wanted)


# Counted by PyCM over classes that no row has, too.
WITH_EMPTY = {
    "Gwet AC1",
    "Bennett S",
    "ACC Macro",
    *(f"{rate} {average}" for rate in ("TNR", "FPR", "NPV") for average in ("Macro", "Micro")),
}


def test_a_class_that_no_row_has_is_left_out():
    case = SAID["absent"]
    m = cm.ConfusionMatrix(case["table"])
    counts = np.delete(np.delete(m.counts, 2, axis=0), 2, axis=1)
    without = cm.ConfusionMatrix(counts, labels=[0, 1, 3])
    counted = set()
    for key in set(OVERALL_KEYS) & set(pycm_names()) - set(DIFFERENT):
        wanted = case["overall"][key]
        assert alike(m.value(key), without.value(key)), key
        if wanted != "None" and not alike(m.value(key), wanted):
            assert alike(m.value(key, keep_empty=True), wanted), key
            counted.add(key)
    assert counted == WITH_EMPTY
    assert all(word(m, key) == word(without, key) for key in SCALES if key in OVERALL_KEYS)


def test_p_values_where_pycm_has_none():
    """Exact binomial tails: negative at 100 rows, 0 at 1,000 and "None" at 2,000 in PyCM."""
    for n, exact in ((100, 3.2e-16), (1000, 6.7e-162), (2000, 0.0)):
        right, wrong = 9 * n // 20, n // 20
        found = cm.ConfusionMatrix([[right, wrong], [wrong, right]]).test("nir")
        tail = sum(math.comb(n, k) for k in range(2 * right, n + 1))
        assert found.log_p == pytest.approx(math.log(tail) - n * math.log(2), rel=1e-12)
        assert found.p_value == pytest.approx(exact, rel=2, abs=1e-300)


def test_limits_that_pycm_lacks():
    """Of a table without false alarms Q and DP have limits, and PyCM "None"."""
    m = cm.ConfusionMatrix([[8, 2], [0, 10]])
    assert m.value("Q", pos_label=0) == 1
    assert m.value("DP", pos_label=0) == math.inf
    assert m.value("PLR", pos_label=0) == math.inf
    assert m.value("DOR", pos_label=0) == math.inf
    assert math.isnan(cm.ConfusionMatrix([[0, 0], [5, 0]]).value("AGM", pos_label=1))  # 0 in PyCM
    wrong = cm.ConfusionMatrix([[0, 2], [3, 5]])
    assert wrong.value("Q", pos_label=0) == -1
    assert wrong.value("IS", pos_label=0) == -math.inf


def test_keys_are_understood_everywhere():
    y, p = [0, 1, 2, 2, 1, 0, 1], [0, 2, 2, 2, 1, 1, 1]
    m = cm.confusion_matrix(y, p)
    keys = ["Overall ACC", "TPR Macro", "Gwet AC1"]
    assert list(m.values(keys)) == keys
    assert m.overall(keys)["value"].to_list() == list(m.values(keys).values())
    assert m.ci("Kappa").low == m.ci("kappa").low
    assert m.gradient("TPR", pos_label=1)[0] == m.value("recall", pos_label=1)
    assert m.value("IBA(0.5)", pos_label=1) == m.value("index_balanced_accuracy(0.5)", pos_label=1)
    with pytest.raises(cm.InputError, match="'F2' takes no parameter"):
        m.value("F2(3)", pos_label=1)
    with pytest.raises(cm.InputError, match="unknown metric 'TPR2'"):
        m.value("TPR2")


def test_the_page_names_every_key():
    text = page("pycm.md")
    for key in (*CLASS_KEYS, *OVERALL_KEYS):
        assert f"`{key}`" in text, key


def test_the_examples_of_the_page():
    assert failures(page("pycm.md")) == (1, "")
