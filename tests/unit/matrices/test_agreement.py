"""Coefficients of agreement under weights, against the rows of the registry and exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

import confmat as cm

TABLES = [
    [[70, 30, 0], [15, 70, 15], [0, 30, 70]],
    [[5, 1], [2, 9]],
    [[20, 6, 3, 1], [2, 20, 7, 0], [12, 14, 8, 2], [0, 1, 0, 5]],
    [[3, 0, 2], [0, 0, 0], [1, 0, 4]],
]


def metric(name, k, sizes):
    """Return the squared (or other) distances of classes as fractions, by the definitions."""
    if name == "nominal":
        return [[Fraction(i != j) for j in range(k)] for i in range(k)]
    if name in ("linear", "quadratic"):
        power = 1 if name == "linear" else 2
        return [[Fraction(abs(i - j) ** power) for j in range(k)] for i in range(k)]
    between = [
        [sum(sizes[min(i, j) : max(i, j) + 1]) - Fraction(sizes[i] + sizes[j], 2) for j in range(k)]
        for i in range(k)
    ]
    return [[(between[i][j] if i != j else Fraction(0)) ** 2 for j in range(k)] for i in range(k)]


def exact(counts, name):
    k, n = len(counts), sum(map(sum, counts))
    rows, cols = [sum(row) for row in counts], [sum(col) for col in zip(*counts, strict=True)]
    sizes = [r + c for r, c in zip(rows, cols, strict=True)]
    d = metric(name, k, sizes)
    largest = max(map(max, d))
    cells = [(i, j) for i in range(k) for j in range(k)]
    seen = sum(d[i][j] * counts[i][j] for i, j in cells) / n
    weight = {(i, j): 1 - d[i][j] / largest for i, j in cells}
    agreed = sum(weight[at] * counts[at[0]][at[1]] for at in cells) / n
    pi = [Fraction(size, 2 * n) for size in sizes]
    gwet = sum(weight.values()) / (k * (k - 1)) * sum(p * (1 - p) for p in pi)
    even = sum(weight.values()) / (k * k)
    return {
        "kappa": 1 - seen * n * n / sum(d[i][j] * rows[i] * cols[j] for i, j in cells),
        "scott_pi": 1 - seen / sum(d[i][j] * pi[i] * pi[j] for i, j in cells),
        "bennett_s": (agreed - even) / (1 - even),
        "gwet_ac2": (agreed - gwet) / (1 - gwet),
        "krippendorff_alpha": 1
        - seen * 2 * n * (2 * n - 1) / sum(d[i][j] * sizes[i] * sizes[j] for i, j in cells),
    }


def values(m, weights, **options):
    return dict(m.agreement(weights, **options).select("coefficient", "value").rows())


@pytest.mark.parametrize("name", ["nominal", "linear", "quadratic", "ordinal"])
@pytest.mark.parametrize("counts", TABLES)
def test_exact_fractions(counts, name):
    got = values(cm.ConfusionMatrix(counts), name, keep_empty=True)
    assert got == pytest.approx({key: float(v) for key, v in exact(counts, name).items()})


@pytest.mark.parametrize("counts", TABLES)
def test_rows_of_the_registry(counts):
    m = cm.ConfusionMatrix(counts)
    nominal = values(m, "nominal")
    for name in ("kappa", "scott_pi", "krippendorff_alpha"):
        assert nominal[name] == pytest.approx(m.value(name))
    assert values(m, "linear")["kappa"] == pytest.approx(m.kappa_linear)
    assert values(m, "quadratic")["kappa"] == pytest.approx(m.kappa_quadratic)
    for keep_empty in (False, True):
        found = values(m, "nominal", keep_empty=keep_empty)
        for name, of in (("bennett_s", "bennett_s"), ("gwet_ac2", "gwet_ac1")):
            assert found[name] == pytest.approx(m.value(of, keep_empty=keep_empty))
    given = 1 - np.abs(np.subtract.outer(range(len(counts)), range(len(counts)))) / len(counts)
    shrunk = values(m, given)  # distances of another unit
    for name in ("kappa", "scott_pi", "krippendorff_alpha"):
        assert shrunk[name] == pytest.approx(values(m, "linear")[name])


def test_frame_and_weights_of_rows():
    m = cm.ConfusionMatrix(TABLES[0])
    frame = m.agreement()
    assert frame.columns == ["coefficient", "observed", "expected", "value", "reason", "source"]
    assert frame["observed"].to_list() == pytest.approx([m.error] * 5)
    assert frame["reason"].null_count() == 5
    light = cm.ConfusionMatrix(np.array(TABLES[0]) / 7)
    got, wanted = values(light, "ordinal"), values(m, "ordinal")
    del got["krippendorff_alpha"], wanted["krippendorff_alpha"]  # knows the number of rows
    assert got == pytest.approx(wanted)
    assert values(m.smooth(1), "linear")["kappa"] == pytest.approx(m.smooth(1).kappa_linear)
    few = cm.confusion_matrix(range(60), range(60))
    assert set(values(few, "linear").values()) == {1.0}


@pytest.mark.parametrize("counts", [[[0, 0], [0, 0]], [[0]]])
def test_no_rows(counts):
    frame = cm.ConfusionMatrix(counts).agreement()
    assert frame["value"].null_count() == 5
    assert set(frame["reason"]) == {"there are no rows"}


def test_nothing_to_expect():
    frame = cm.ConfusionMatrix([[5, 0], [0, 0]]).agreement(keep_empty=True)
    found = dict(frame.select("coefficient", "reason").rows())
    assert "all rows are of classes alike" in found["kappa"]
    assert found["gwet_ac2"] is found["bennett_s"] is None
    for one in (cm.ConfusionMatrix([[5]]), cm.ConfusionMatrix([[5, 0], [0, 0]])):
        assert one.agreement("linear")["value"].null_count() == 5


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("cubic", "`weights` is 'cubic'"),
        ([[1, 0]], r"`weights` has shape \(1, 2\)"),
        (None, "`weights` is needed"),
        ([[1, 0.5], [0.4, 1]], r"`weights` holds 0.5 at \[0, 1\]; wanted 1 on the diagonal"),
        ([[1, -0.5], [-0.5, 1]], r"holds -0.5 at \[0, 1\]"),
        ([[1, 2], [2, 1]], r"holds 2.0 at \[0, 1\]"),
        ([[0, 0.5], [0.5, 1]], r"holds 0.0 at \[0, 0\]"),
        ([[1, np.nan], [0, 1]], r"holds nan at \[0, 1\]"),
    ],
)
def test_refused(weights, words):
    with pytest.raises(cm.InputError, match=words):
        cm.ConfusionMatrix([[5, 1], [2, 9]]).agreement(weights)


def test_too_many_classes():
    m = cm.confusion_matrix([0, 1], [0, 1], labels=list(range(12_000)))
    with pytest.raises(cm.InputError, match="of 12000 classes is a table of"):
        m.agreement()
