"""How far two states lie apart: SciPy, laws, labels that differ, cells without rows, sweeps."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial import distance

import confmat as cm

MEASURES = ["psi", "jensen_shannon", "total_variation", "chi_squared"]
TABLES = st.integers(1, 4).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 50), min_size=k * k, max_size=k * k), min_size=2, max_size=2
    ).map(lambda both: [np.array(cells).reshape(k, k) for cells in both])
)


def row(d, name):
    return d.table().filter(pl.col("distribution") == name).row(0, named=True)


@given(TABLES)
def test_measures_are_those_of_scipy(both):
    assume(all(cells.any() for cells in both))
    d = cm.drift(*map(cm.ConfusionMatrix, both))
    views = {"true": lambda t: t.sum(1), "predicted": lambda t: t.sum(0), "cells": np.ravel}
    for name, view in views.items():
        a, b = (view(cells) for cells in both)
        p, q = a / a.sum(), b / b.sum()
        found = row(d, name)
        wanted = distance.jensenshannon(p, q, base=2) ** 2
        assert found["jensen_shannon"] == pytest.approx(wanted, abs=1e-12)
        assert found["total_variation"] == pytest.approx(abs(p - q).sum() / 2, abs=1e-12)
        some = a + b > 0
        test = stats.chi2_contingency([a[some], b[some]], correction=False)
        assert found["chi_squared"] == pytest.approx(test.statistic, abs=1e-9)
        assert found["df"] == some.sum() - 1
        if some.sum() > 1:
            assert found["p_value"] == pytest.approx(test.pvalue, abs=1e-12)
            assert found["least_expected"] == pytest.approx(test.expected_freq.min())
        else:
            assert found["reason"] == "there is one part alone"
        if (a[some] > 0).all() and (b[some] > 0).all():
            ends = stats.entropy(p[some], q[some]) + stats.entropy(q[some], p[some])
            assert found["psi"] == pytest.approx(ends, abs=1e-12)
            assert found["smoothed"] is False
        else:
            a, b = a[some] + 0.5, b[some] + 0.5
            ends = stats.entropy(a, b) + stats.entropy(b, a)
            assert found["psi"] == pytest.approx(ends, abs=1e-12)
            assert found["smoothed"] is True


@given(TABLES)
def test_parts_add_up_and_a_state_does_not_drift_from_itself(both):
    assume(all(cells.any() for cells in both))
    one, other = map(cm.ConfusionMatrix, both)
    for d in (cm.drift(one, other), cm.drift(one, one)):
        for found in d.table().iter_rows(named=True):
            parts = d.parts(found["distribution"])
            assert parts["n_a"].sum() == found["n_a"]
            assert parts["psi"].is_sorted(descending=True)
            for name in MEASURES:
                assert (parts[name] >= -1e-15).all()
                assert parts[name].sum() == pytest.approx(found[name], abs=1e-9)
    assert d.table().select(MEASURES).to_numpy().max() == 0
    turned = cm.drift(other, one).table()
    np.testing.assert_allclose(
        turned.select(MEASURES), cm.drift(one, other).table().select(MEASURES), atol=1e-9
    )


# (0.6 - 0.5) ln(0.6 / 0.5) + (0.4 - 0.5) ln(0.4 / 0.5).
def test_stability_by_hand():
    a = cm.ConfusionMatrix([[50, 0], [0, 50]])
    b = cm.ConfusionMatrix([[60, 0], [0, 40]])
    assert row(cm.drift(a, b), "true")["psi"] == pytest.approx(0.1 * math.log(1.2 / 0.8))


def test_labels_unite_and_a_new_class_is_foremost():
    a = cm.confusion_matrix(["cat", "dog"] * 50, ["cat", "dog"] * 50)
    b = cm.confusion_matrix(["cat", "dog", "fox"] * 50, ["cat", "dog", "cat"] * 50)
    d = cm.drift(a, b)
    first = d.parts("true").row(0, named=True)
    assert (first["true"], first["n_a"], first["n_b"]) == ("fox", 0, 50)
    first = d.parts("cells").row(0, named=True)
    assert (first["true"], first["predicted"]) == ("fox", "cat")
    assert math.isinf(row(cm.drift(a, b, smoothing=0), "true")["psi"])
    given_labels = cm.confusion_matrix(["cat"], ["cat"], labels=["cat", "eel"])
    with pytest.raises(cm.InputError, match="drift from `a` to `b` cannot be told"):
        cm.drift(a, given_labels)


def test_labels_unite_between_those_that_are_there():
    a = cm.confusion_matrix(["ant", "cat"], ["cat", "cat"])
    b = cm.confusion_matrix(["ant", "bee"], ["bee", "ant"])
    d = cm.drift(a, b)
    cells = d.parts("cells").select("true", "predicted", "n_a", "n_b").sort(pl.all())
    assert cells.rows() == [
        *(("ant", "bee", 0, 1), ("ant", "cat", 1, 0)),
        *(("bee", "ant", 0, 1), ("cat", "cat", 1, 0)),
    ]
    truth = d.parts("true").select("true", "n_a", "n_b").sort("true").rows()
    assert truth == [("ant", 1, 1), ("bee", 0, 1), ("cat", 1, 0)]


def test_bytes_are_states_and_many_classes_stay_few_cells():
    y = np.tile(np.arange(20_000), 3)
    m = cm.confusion_matrix(y, y)
    other = cm.confusion_matrix(y, np.minimum(y + 1, 19_999))
    d = cm.drift(m.to_bytes(), other.to_bytes())
    assert row(d, "cells")["total_variation"] == pytest.approx(19_999 / 20_000)
    assert row(d, "predicted")["total_variation"] == pytest.approx(1 / 20_000)


def test_weights_have_no_test_and_no_rows_no_measure():
    y, p = [0, 1, 1], [0, 1, 0]
    weighted = cm.confusion_matrix(y, p, sample_weight=[0.5, 1.5, 2.0])
    found = row(cm.drift(weighted, weighted), "true")
    assert (found["chi_squared"], found["p_value"], found["psi"]) == (None, None, 0)
    assert "weighted" in found["reason"]
    found = row(cm.drift(cm.confusion_matrix([], []), cm.confusion_matrix(y, p)), "cells")
    assert [found[name] for name in [*MEASURES, "p_value"]] == [None] * 5
    assert found["reason"] == "`a` has no rows"
    nothing = cm.confusion_matrix([], [])
    assert row(cm.drift(nothing, nothing), "true")["n_a"] == 0


RNG = np.random.default_rng(3)
Y = RNG.random(4_000) < 0.3
S = np.round(RNG.random(4_000) * 0.7 + 0.3 * Y, 3)
Z = RNG.random(3_000) < 0.4
T = np.round(RNG.random(3_000) * 0.8 + 0.2 * Z, 3)


@pytest.mark.parametrize("bins", [[0.2, 0.5, 0.75], [0.5]])
def test_sweeps_are_compared_by_bins_of_scores(bins):
    d = cm.drift(cm.sweep(Y, S), cm.sweep(Z, T), bins=bins)
    assert d.distributions == ("true", "score", "score_negative", "score_positive")
    edges = [-math.inf, *bins, math.inf]
    for name, one, other in (
        ("score", S, T),
        ("score_negative", S[~Y], T[~Z]),
        ("score_positive", S[Y], T[Z]),
    ):
        a, b = np.histogram(one, edges)[0], np.histogram(other, edges)[0]
        parts = d.parts(name).sort("low")
        assert parts["low"].to_list() == [x for x, some in zip(edges, a + b, strict=False) if some]
        assert parts["n_a"].to_list() == a[a + b > 0].tolist()
        assert parts["n_b"].to_list() == b[a + b > 0].tolist()
    assert row(d, "true")["n_a"] == 4_000


@pytest.mark.parametrize("bins", ["unit", "float16"])
def test_binned_sweeps_are_compared_by_their_bins(bins):
    one, other = cm.sweep(Y, S, bins=bins), cm.sweep(Z, T, bins=bins)
    binned, exact = cm.drift(one, other), cm.drift(cm.sweep(Y, S), cm.sweep(Z, T))
    if bins == "unit":
        coarse = cm.drift(one.coarser(3), other)
        assert row(coarse, "score")["psi"] == pytest.approx(row(exact, "score")["psi"], rel=0.02)
    assert row(binned, "score")["psi"] == pytest.approx(row(exact, "score")["psi"], rel=0.25)
    assert row(binned, "true") == row(exact, "true")
    counts = binned.parts("score")["n_a"]
    assert counts.sum() == 4_000
    assert exact.parts("score").height == 10
    assert exact.parts("score")["n_a"].max() < 1.05 * 400


def test_a_sweep_does_not_drift_from_itself():
    s = cm.sweep(Y, S)
    assert cm.drift(s, s).table().select(MEASURES).to_numpy().max() == 0
    few = cm.sweep([0, 1], [math.inf, -math.inf])
    assert cm.drift(few, few).table().select(MEASURES).to_numpy().max() == 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"a": 1, "b": 2}, "wanted two matrices or two sweeps"),
        ({"b": cm.ConfusionMatrix([[1]])}, "wanted two matrices or two sweeps"),
        ({"b": cm.sweep([0, 1], [0.1, 0.2])}, "drift from `a` to `b` cannot be told: labels"),
        ({"bins": 1}, "`bins` is 1"),
        ({"bins": [0.5, 0.2]}, "`bins` holds 0.2 after 0.5"),
        ({"bins": "many"}, "`bins`"),
        ({"smoothing": -1}, "`smoothing` is -1"),
        ({"a": cm.sweep(Y[:0], S[:0]), "b": cm.sweep(Y, S)}, "has no rows"),
        ({"a": b"no state"}, "state"),
    ],
)
def test_what_cannot_be_compared_is_refused(asked, said):
    with pytest.raises((cm.InputError, cm.StateError), match=said):
        cm.drift(**({"a": cm.sweep(Y, S), "b": cm.sweep(Z, T)} | asked))


def test_an_unknown_distribution_is_named():
    with pytest.raises(cm.InputError, match="wanted one of"):
        cm.drift(cm.sweep(Y, S), cm.sweep(Z, T)).parts("cells")


def test_one_screen():
    a = cm.confusion_matrix(["cat", "dog"] * 50, ["cat", "dog"] * 50)
    b = cm.confusion_matrix(["cat", "dog", "fox"] * 50, ["cat", "dog", "cat"] * 50)
    d = cm.drift(a, b)
    text = str(d)
    assert text.startswith("Drift: n = 100 in a, 150 in b; psi with 0.5 rows added to parts")
    assert "fox" in text
    assert max(map(len, text.splitlines())) <= 96
    assert "<table>" in d._repr_html_()
    assert repr(d).startswith("<Drift of true, predicted, cells: psi up to ")
