"""Matrices of more classes than a table has: what every attribute and method says."""

import copy
import inspect
import os
import pickle
import re
import subprocess
import sys
import textwrap

import numpy as np
import polars as pl
import pytest
from support.many_classes import K, rows_of

import confmat as cm
from confmat import _core, registry
from confmat.matrices.sparse import SparseCells
from confmat.significance.rates import no_information

REFUSED = {
    "agreement": cm.InputError,
    "baselines": cm.InputError,
    "counts": cm.InputError,
    "weights_sq": cm.InputError,
    "eve_bounds": cm.InputError,
    "eve_eigenvalues": cm.InputError,
    "singular_values": cm.InputError,
    "normalize": cm.InputError,
    "plot": cm.InputError,
    "cost": cm.InputError,
    "class_costs": cm.InputError,
    "gradient": cm.InputError,
    "with_label_noise": cm.InputError,
    "without_label_noise": cm.InputError,
}
ARGUMENTS = {
    "at_prevalence": ({3: 0.5},),
    "with_label_noise": (0.1,),
    "without_label_noise": (0.1,),
    "one_vs_rest": (3,),
    "one_vs_one": (3, 4),
    "smooth": (0.0,),
    "explain": ("accuracy",),
    "class_costs": (np.broadcast_to(np.float64(1), (K, K)),),
    "cost": (np.broadcast_to(np.float64(1), (K, K)),),
    "value": ("mcc",),
    "reason": ("gmcc",),
    "n_used": ("f1_macro",),
    "ci": ("recall_micro",),
    "gradient": ("mcc",),
    "interpretation": ("kappa",),
    "relabel": ({3: 4},),
    "subset": ([3, 4],),
    "test": ("nir",),
}
OPTIONS = {
    "classification_report": {"undefined": 0.0},
    "confidence_region": {"pos_label": 3},
}


def large(weighted: bool = False) -> cm.ConfusionMatrix:
    y, p = rows_of()
    weights = np.random.default_rng(5).random(len(y)) if weighted else None
    m = cm.confusion_matrix(y, p, sample_weight=weights)
    assert isinstance(m._cells, SparseCells)
    return m


def asked(m: cm.ConfusionMatrix, name: str) -> object:
    found = getattr(m, name)
    options = OPTIONS.get(name, {})
    return found(*ARGUMENTS.get(name, ()), **options) if inspect.ismethod(found) else found


def as_sparse(m: cm.ConfusionMatrix) -> cm.ConfusionMatrix:
    """Return the same matrix as one of very many classes is kept."""
    flat = m.counts.ravel()
    places = np.flatnonzero(flat)
    cells = SparseCells(len(m.labels), places, flat[places])
    squares = None if m.weights_sq is None else m.weights_sq.ravel()[places]
    outside = m.n_dropped, m.n_other
    return cm.ConfusionMatrix._of(cells, m.labels, squares, *outside, origin=m._origin)


@pytest.mark.parametrize("weighted", [False, True])
def test_every_public_name_works_or_says_what_to_do(weighted):
    m = large(weighted)
    metrics = {*registry.names("overall"), *registry.names("average")}
    needed_cells = {name for name in metrics if name.endswith("_ovo")} | {
        "gmcc", "gmcc_root", "log_abs_gmcc", "gmcc_mean", "canonical_correlation", "eve",
    }  # fmt: skip
    checked = 0
    for name in dir(m):
        if name.startswith("_"):
            continue
        checked += 1
        if name in needed_cells:
            with pytest.raises(AttributeError, match="over 11585 classes: not computed"):
                getattr(m, name)
            with pytest.raises(cm.InputError, match="fewer classes with labels= and other"):
                m.value(name, undefined=0.0)
            assert "GB and about" in m.reason(name)
        elif name == "extended_mcc":  # a class is never predicted
            assert m.reason(name) == "a class is never true, or never predicted"
        elif name in metrics:
            assert not np.isnan(getattr(m, name)), name
        elif name in REFUSED and (weighted or name != "weights_sq"):
            with pytest.raises(REFUSED[name], match=r"m\.\w+|labels=|n_effective"):
                asked(m, name)
        elif name == "adjusted_mutual_information" and weighted:
            with pytest.raises(cm.InputError, match="the cells are weights"):
                asked(m, name)
        elif name == "pair_counts" and weighted:
            with pytest.raises(cm.InputError, match="whole counts"):
                m.pair_counts()
        elif name == "test" and weighted:
            with pytest.raises(cm.InputError, match="without `sample_weight`"):
                m.test("nir")
        elif name in ("from_bytes", "from_json"):
            continue
        else:
            asked(m, name)
    assert checked > 120
    with pytest.raises(cm.InputError, match=r"3\.2 GB, above the limit of 1 GiB"):
        np.asarray(m)
    with pytest.raises(cm.InputError, match="`smoothing` is 1, which is added to each of"):
        m.smooth(1)
    with pytest.raises(cm.InputError, match="`smoothing` is 2"):
        cm.confusion_matrix(*rows_of(), smoothing=2)


@pytest.mark.parametrize("weighted", [False, True])
def test_whole_objects(weighted):
    m = large(weighted)
    assert m == copy.deepcopy(m)
    assert hash(m) == hash(pickle.loads(pickle.dumps(m)))
    assert pickle.loads(pickle.dumps(m)) == m
    twice = m + m
    assert twice.n == 2 * m.n
    assert twice - m == m
    assert twice != m
    assert (m.T.T, m.T.recall_macro) == (m, m.precision_macro)
    assert sum([m, m]) == twice
    assert m["mcc"] == m.mcc
    assert f"{K} classes" in str(m)
    assert "gmcc is undefined: over 11585 classes: not" in str(m)
    assert "<table" in m._repr_html_()
    assert repr(m).startswith(f"<ConfusionMatrix of {K} (0, 1, 2, 3, {K - 4} more)")
    if not weighted:
        assert cm.ConfusionMatrix(m.to_polars()) == m
    assert cm.ConfusionMatrix(m) == m
    assert cm.ConfusionMatrix(m, labels=[f"c{i}" for i in range(K)]).mcc == m.mcc
    other = cm.confusion_matrix(*rows_of(K - 1))
    assert (m + other).labels == m.labels  # those that were found unite
    given = cm.confusion_matrix(*rows_of(K - 1), labels=range(K - 1))
    with pytest.raises(cm.InputError, match="cannot add: labels differ"):
        m + given
    assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m
    with pytest.raises(cm.InputError, match="cannot subtract: true 0, predicted"):
        m - twice


def test_long_frames_and_dicts_of_many_labels():
    true = [f"c{i}" for i in range(K)]
    frame = pl.DataFrame({"true": true, "pred": true[::-1], "count": np.arange(K)})
    m = cm.ConfusionMatrix(frame)
    assert (m.n, len(m.labels)) == (K * (K - 1) // 2, K)
    nested = {t: {p: n} for t, p, n in frame.rows()}
    assert cm.ConfusionMatrix(nested) == m
    assert cm.ConfusionMatrix({"c1": {}}, labels=true).n == 0
    with pytest.raises(cm.InputError, match="holds the label x, which is not in labels"):
        cm.ConfusionMatrix({"x": {"c1": 1}}, labels=true)
    with pytest.raises(cm.InputError, match="holds the label None, which is not in labels"):
        cm.ConfusionMatrix({"c1": {"c1": 1, None: 5}}, labels=true)
    with pytest.raises(cm.InputError, match="wanted non-negative"):
        cm.ConfusionMatrix(frame.with_columns(count=-1))


def assert_same(one: pl.Series, two: pl.Series, within: float) -> None:
    assert (one.is_null() == two.is_null()).all()
    left, right = (side.drop_nulls().to_list() for side in (one, two))
    assert left == pytest.approx(right, rel=within, abs=0)


@pytest.mark.parametrize("seed", range(6))
def test_small_matrices_kept_sparse_are_the_same(seed):
    random = np.random.default_rng(seed)
    k = int(random.choice([3, 8, 40]))
    y, p = random.integers(0, k, (2, 400))
    y[y == k - 1] = 0  # predicted and never true
    weights = random.random(400) if seed % 2 else None
    m = cm.confusion_matrix(y, p, sample_weight=weights, labels=range(k))
    s = as_sparse(m)
    assert s == m
    assert m == s
    assert s.n == m.n
    assert (s.counts == m.counts).all()
    assert not s.counts.flags.writeable
    assert (s.pos_label, s.labels) == (m.pos_label, m.labels)
    assert s.n_effective == pytest.approx(m.n_effective, rel=1e-14)
    one, two = (x.overall() for x in (m, s))
    assert one["reason"].to_list() == two["reason"].to_list()
    assert_same(one["value"], two["value"], 1e-13)
    one, two = (x.per_class() for x in (m, s))
    for name in one.columns[1:]:
        assert_same(one[name], two[name], 1e-14)
    assert one.schema == two.schema
    for make in (
        lambda x: x.T,
        lambda x: x + m,
        lambda x: x + x - m,
        lambda x: x.one_vs_one(1, 2),
        lambda x: x.balanced(),
    ):
        assert make(s) == make(m)
        assert make(s).labels == make(m).labels
    one, two = (x.balanced().overall() for x in (m, s))
    assert_same(one["value"], two["value"], 1e-13)
    assert np.allclose(s.one_vs_rest(2).counts, m.one_vs_rest(2).counts, rtol=1e-14, atol=0)
    one, two = (x.top_confusions(None) for x in (m, s))
    assert two.drop("rate").rows() == one.drop("rate").rows()
    assert_same(one["rate"], two["rate"], 1e-15)
    assert s.to_polars().equals(m.to_polars())
    if weights is None:  # else it is not known how many rows cells are of
        assert s.to_bytes() == m.to_bytes()
    assert np.array_equal(s.normalize(), m.normalize(), equal_nan=True)
    assert s.cost(np.ones((k, k))) == m.cost(np.ones((k, k)))
    # Sparse ones, of more than a thousand classes, have no intervals by the delta method.
    of_sparse, of_dense = (re.sub(r" \[[^]]*\]", "", str(x)).split() for x in (s, m))
    assert of_sparse == of_dense
    of_sparse, of_dense = (re.sub(r"<td[^>]*>\[[^]]*\]</td>", "", x._repr_html_()) for x in (s, m))
    assert of_sparse == of_dense
    assert (s.eve_eigenvalues == m.eve_eigenvalues).all()
    assert s.eve_bounds == m.eve_bounds


def test_cells_that_are_none_of_a_matrix_are_refused():
    m = as_sparse(cm.ConfusionMatrix([[1, 2], [0, 3]]))
    k, places, values = m._cells
    core = _core.Asks(["accuracy"])
    with pytest.raises(cm.InputError, match="not above 0"):
        core.values((k, places, values - 1), ["0", "1"])
    with pytest.raises(cm.InputError, match="do not ascend within it"):
        core.values((k, places + 1, values), ["0", "1"])


@pytest.mark.parametrize("k", [3, 1100])
def test_totals_up_to_the_largest_are_saved(k):
    weights = np.ones(k, np.int64)
    weights[0] = 2**63 - k
    m = cm.confusion_matrix(np.arange(k), np.arange(k), sample_weight=weights)
    assert m.n == 2**63 - 1
    assert pickle.loads(pickle.dumps(m)) == m
    assert cm.ConfusionMatrix(m) == m


@pytest.mark.parametrize("weight", [None, 1, 0.5])
def test_tables_are_as_large_with_weights(weight):
    y = np.arange(400) % 100
    weights = None if weight is None else np.full(400, weight)
    for most, kept in ((8 * 100 * 100, np.ndarray), (8 * 100 * 100 - 1, tuple)):
        assert type(_core.count(y, y, weights, None, 0, most)[0].cells) is kept


@pytest.mark.skipif(sys.platform != "linux", reason="reads its memory from /proc")
def test_nothing_allocates_a_table_by_the_way():
    script = f"""
        import re, resource, inspect
        import numpy as np
        import confmat as cm
        y = np.arange(60_000) % {K}
        m = cm.confusion_matrix(y, y[::-1])
        print(m, m.per_class(), m.overall())
        size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
        resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 30), -1))
        m = cm.confusion_matrix(y, y[::-1], sample_weight=y * 0.5)
        for name in dir(m):
            if name.startswith("_"):
                continue
            try:
                found = getattr(m, name)
                if inspect.ismethod(found):
                    found()
            except (cm.ConfmatError, AttributeError, TypeError):
                pass
        (m + m - m).T, str(m), m._repr_html_(), m.one_vs_rest(1), m.one_vs_one(1, 2)
        cm.f1(y, y, average=None)
    """
    environment = {**os.environ, "POLARS_MAX_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_tests_of_sparse_matrices():
    m = large()
    counted = m.to_polars().with_columns(right=pl.col("true") == pl.col("pred"))
    right = counted.filter("right")["count"].sum()
    majority = counted.group_by("true").agg(pl.col("count").sum())["count"].max()
    found = m.test("nir")
    assert found.statistic == right
    assert found.log_p == no_information(right, majority, m.n).log_p
    assert m.test("equal", other=m).p_value == 1
    assert m.test("equal", other=0.5).compared.startswith("accuracy")
    weighted = large(weighted=True)
    assert "effective rows" in weighted.test("equal", other=m).compared
    for name in ("bowker", "stuart_maxwell", "chi2", "exact", "kappa", "mcnemar"):
        with pytest.raises(cm.InputError, match=r"m\.to_polars\(\)"):
            m.test(name)
