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


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@pytest.mark.parametrize("counts", TABLES)
def test_rows_of_the_registry_are_these_coefficients(weights, counts):
    m = cm.ConfusionMatrix(counts)
    found, wanted = values(m, weights, keep_empty=True), exact(counts, weights)
    for name in ("gwet_ac2", "krippendorff_alpha"):
        asked = f"{name}_{weights}"
        assert m[asked] == pytest.approx(float(wanted[name]), rel=1e-14)
        assert m[asked] == pytest.approx(found[name], rel=1e-12)
        assert m.ci(asked).low < m[asked] < m.ci(asked).high
    assert m.krippendorff_alpha_interval == m.krippendorff_alpha_quadratic


def test_of_two_classes_all_weights_are_one():
    m = cm.ConfusionMatrix([[5, 1], [2, 9]])
    assert m.gwet_ac2_linear == pytest.approx(m.gwet_ac1, rel=1e-15)
    assert m.gwet_ac2_quadratic == pytest.approx(m.gwet_ac1, rel=1e-15)
    assert m.krippendorff_alpha_linear == m.krippendorff_alpha_quadratic == m.krippendorff_alpha


@pytest.mark.parametrize("weighted", [False, True])
def test_many_classes_need_no_table(weighted):
    rng = np.random.default_rng(8)
    k, n = 3_000, 20_000
    truth = rng.integers(0, k, n)
    pred = np.clip(truth + rng.integers(-40, 40, n), 0, k - 1)
    weight = rng.integers(1, 9, n) * 0.5 if weighted else None
    m = cm.confusion_matrix(truth, pred, labels=list(range(k)), sample_weight=weight)
    table = np.zeros((k, k))
    np.add.at(table, (truth, pred), weight if weighted else 1)
    both = table.sum(0) + table.sum(1)
    total, at = table.sum(), np.arange(k)
    for power, word in ((1, "linear"), (2, "quadratic")):
        apart = np.abs(np.subtract.outer(at, at)).astype(float) ** power
        seen = (apart * table).sum() / total
        chance = both @ apart @ both / (4 * total**2) * 2 * total / (2 * total - 1)
        alpha = m.value(f"krippendorff_alpha_{word}")
        assert alpha == pytest.approx(1 - seen / chance, rel=1e-11)
        agreed = (1 - apart / (k - 1) ** power).sum() / (k * (k - 1))
        agreed *= 1 - ((both / (2 * total)) ** 2).sum()
        wanted = 1 - seen / (k - 1) ** power / (1 - agreed)
        assert m.value(f"gwet_ac2_{word}") == pytest.approx(wanted, rel=1e-11)


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic", "ordinal", np.eye(4)])
def test_plain_functions_are_the_coefficients_of_the_matrix(weights):
    y, p = np.random.default_rng(1).integers(0, 4, (2, 200))
    found = values(cm.confusion_matrix(y, p), weights)
    assert cm.gwet_ac2(y, p, weights=weights) == found["gwet_ac2"]
    assert cm.weighted_alpha(y, p, weights=weights) == found["krippendorff_alpha"]
    of = {"labels": [3, 2, 1, 0], "sample_weight": np.full(200, 2)}
    heavy = values(cm.confusion_matrix(y, p, **of), weights)
    assert cm.gwet_ac2(y, p, weights=weights, **of) == heavy["gwet_ac2"]
    assert cm.weighted_alpha(y, p, weights=weights, **of) == heavy["krippendorff_alpha"]


def test_plain_functions_of_what_is_undefined_or_refused():
    for name in ("gwet_ac2", "weighted_alpha"):
        function = getattr(cm, name)
        with pytest.warns(cm.UndefinedMetricWarning, match="no disagreement is expected") as told:
            assert np.isnan(function([1, 1], [1, 1]))
        assert told[0].filename == __file__
        with pytest.raises(cm.InputError, match="`weights` is 'cubic'"):
            function([0, 1], [0, 1], weights="cubic")
    some, every = (
        cm.gwet_ac2(["a", "b"], ["a", "a"], labels=["a", "b", "c"], keep_empty=keep)
        for keep in (False, True)
    )
    assert some != every


@pytest.mark.parametrize("name", ["gwet_ac2", "weighted_alpha"])
def test_labels_outside_are_refused_or_left_out_as_the_message_says(name):
    function = getattr(cm, name)
    with pytest.raises(cm.InputError, match='pass other="bucket"'):
        function([1, 2, 2, 1], [1, 2, 3, 2], labels=[1, 2])
    found = function([1, 2, 2, 1], [1, 2, 3, 2], labels=[1, 2], other="bucket")
    assert found == function([1, 2, 1], [1, 2, 2], labels=[1, 2])


def test_gwets_own_ordinal_weights_are_a_matrix():
    y, p = np.random.default_rng(2).integers(0, 4, (2, 300))
    d = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    weights = 1 - d * (d + 1) / (4 * 3)
    table = cm.confusion_matrix(y, p).counts / 300
    pooled = (table.sum(0) + table.sum(1)) / 2
    chance = weights.sum() / (4 * 3) * (pooled * (1 - pooled)).sum()
    wanted = ((weights * table).sum() - chance) / (1 - chance)
    assert cm.gwet_ac2(y, p, weights=weights) == pytest.approx(wanted, rel=1e-12)
    assert cm.gwet_ac2(y, p, weights="ordinal") != pytest.approx(wanted, rel=1e-6)
    told = cm.gwet_ac2.__doc__
    assert "ordinal weights of Gwet" in told


def test_ac2_of_one_class_of_two_that_count():
    assert cm.gwet_ac2([1, 1], [1, 1], labels=[1, 2], keep_empty=True) == 1.0
