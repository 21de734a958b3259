"""`ci=` of expressions and of queries over states: the intervals that the objects have."""

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import confmat as cm

FORMULAS = ["roc_auc", "gini", "brier", "log_loss"]


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(5)
    n = 600
    truth = rng.random(n)
    scores = np.round(np.clip(truth + rng.normal(0, 0.2, n), 0, 1), 2)
    y = rng.random(n) < truth
    columns = {
        "site": rng.integers(0, 3, n),
        "y": y.astype(int),
        "s": scores,
        "p": (scores > 0.4).astype(int),
        "w": rng.exponential(size=n),
        "n": rng.integers(0, 4, n),
        "kind": rng.integers(0, 3, n),
        "tags": [
            [name for name, has in zip("ab", two, strict=True) if has]
            for two in zip(y, truth > 0.3, strict=True)
        ],
        "guess": [
            [name for name, has in zip("ab", two, strict=True) if has]
            for two in zip(scores > 0.5, y, strict=True)
        ],
    }
    frame = pl.DataFrame(columns)
    shares = rng.random((n, 3)) + np.eye(3)[columns["kind"]]
    shares /= shares.sum(1, keepdims=True)
    return frame.with_columns(pl.Series(f"p{i}", shares[:, i]) for i in range(3))


def of_site(log, site, weight):
    rows = log.filter(site=site)
    return rows, None if weight is None else rows[weight]


def ends(table, row, name):
    return [table[f"{name}{end}"][row] for end in ("", "_low", "_high")]


def is_like(found, interval):
    wanted = [None if math.isnan(number) else number for number in interval[:3]]
    if None in wanted:
        return found == wanted
    return found == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("weight", [None, "w", "n"])
@pytest.mark.parametrize("kind", ["int", "bool", "text", "enum", "many"])
@pytest.mark.parametrize("labelled", [False, True])
def test_matrices_of_groups(log, weight, kind, labelled):
    labels = [0, 1]
    if kind == "bool":
        log, labels = log.with_columns(pl.col("y", "p").cast(pl.Boolean)), [False, True]
    elif kind in ("text", "enum", "many"):
        labels = [str(i) for i in range(200 if kind == "many" else 3)]
        log = log.with_columns(pl.col("y", "p").cast(pl.String))
        if kind != "text":
            log = log.with_columns(pl.col("y", "p").cast(pl.Enum(labels)))
    log = log.filter(pl.int_range(pl.len()).over("site") < 40) if kind == "many" else log
    metrics = ["accuracy", "mcc", "f1_macro", "kappa"]
    asked = cm.metrics(
        "y", "p", metrics, sample_weight=weight, ci=0.9, labels=labels if labelled else None
    )
    eager = log.group_by("site").agg(m=asked).unnest("m").sort("site")
    lazy = log.lazy().group_by("site").agg(m=asked).unnest("m").sort("site")
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    for row in range(3):
        rows, weights = of_site(log, row, weight)
        m = cm.confusion_matrix(
            rows["y"], rows["p"], labels=labels if labelled else None, sample_weight=weights
        )
        for name in metrics:
            assert is_like(ends(eager, row, name), m.ci(name, 0.9)), name


def test_weights_that_are_zero_or_alone():
    log = pl.DataFrame({"g": [1, 1, 2, 3, 3, 3], "y": [0, 1, 1, 0, 1, 1], "p": [0, 1, 0, 0, 0, 1]})
    log = log.with_columns(w=pl.Series([0.0, 0.0, 2.5, 1.0, 0.0, 0.5]))
    asked = cm.metrics("y", "p", ["accuracy", "mcc"], sample_weight="w", ci=0.9, reasons=True)
    found = log.group_by("g", maintain_order=True).agg(m=asked).unnest("m")
    for row, group in enumerate((1, 2, 3)):
        rows = log.filter(g=group)
        m = cm.confusion_matrix(rows["y"], rows["p"], sample_weight=rows["w"])
        for name in ("accuracy", "mcc"):
            assert is_like(ends(found, row, name), m.ci(name, 0.9))
    assert found["n"].to_list() == [0, 2.5, 1.5]
    huge = log.with_columns(w=pl.lit(1e200)).select(m=asked).unnest("m")
    assert huge["accuracy"].item() == pytest.approx(4 / 6)
    assert huge["accuracy_low"].item() is None  # its squares are no numbers


@pytest.mark.parametrize("weight", [None, "w", "n"])
def test_sweeps_of_groups(log, weight):
    names = [*FORMULAS, "ks"]
    asked = cm.sweep_metrics("y", "s", names, sample_weight=weight, ci=0.9, reasons=True)
    eager = log.group_by("site").agg(m=asked).unnest("m").sort("site")
    lazy = log.lazy().group_by("site").agg(m=asked).unnest("m").sort("site")
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    plain = cm.sweep_metrics("y", "s", names, sample_weight=weight)
    without = log.group_by("site").agg(m=plain).unnest("m").sort("site")
    # The sum of weights may differ in its last bit.
    assert_frame_equal(eager.select(without.columns), without, rel_tol=1e-15, abs_tol=0)
    for row in range(3):
        rows, weights = of_site(log, row, weight)
        s = cm.sweep(rows["y"], rows["s"], sample_weight=weights)
        for name in names:
            assert is_like(ends(eager, row, name), s.ci(name, 0.9, seed=0)), name
        assert set(eager["reasons"][row].values()) == {None}
    over = log.select("site", m=asked.over("site")).unique().unnest("m").sort("site")
    assert over.drop("reasons").equals(eager.drop("reasons"))
    method = pl.col("y").cm.sweep_metrics("s", names, sample_weight=weight, ci=0.9, reasons=True)
    assert log.group_by("site").agg(m=method).unnest("m").sort("site").equals(eager)


def test_sweeps_of_one_class_and_of_no_rows(log):
    asked = cm.sweep_metrics("y", "s", ["roc_auc"], ci=0.9, reasons=True, undefined=0.5)
    one = log.filter(y=1).select(m=asked).unnest("m").row(0, named=True)
    assert [one["roc_auc"], one["roc_auc_low"], one["roc_auc_high"]] == [0.5, None, None]
    assert one["reasons"] == {"roc_auc": "there are no negatives"}
    none = log.head(0).select(m=asked).unnest("m").row(0, named=True)
    assert none["n"] == 0
    texts = log.with_columns(
        y=pl.when(pl.col("y") == 1).then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    named = cm.sweep_metrics("y", "s", ["roc_auc"], pos_label="yes", ci=0.9)
    found = texts.select(m=named).unnest("m")
    assert is_like(ends(found, 0, "roc_auc"), cm.sweep(log["y"], log["s"]).ci("roc_auc", 0.9))


@pytest.mark.parametrize("weight", [None, "w"])
def test_many_classes_of_groups(log, weight):
    columns = ["p0", "p1", "p2"]
    names = ["roc_auc_macro", "roc_auc_ovo", "brier", "average_precision_macro", "classwise_ece"]
    asked = cm.multiclass_metrics(
        "kind", columns, names, labels=[0, 1, 2], sample_weight=weight, ci=0.9, reasons=True
    )
    found = log.group_by("site").agg(m=asked).unnest("m").sort("site")
    lazy = log.lazy().group_by("site").agg(m=asked).unnest("m")
    assert lazy.collect_schema() == found.schema
    for row in range(3):
        rows, weights = of_site(log, row, weight)
        k = cm.multiclass_sweep(
            rows["kind"], rows.select(columns), labels=[0, 1, 2], sample_weight=weights
        )
        for name in names[:3]:
            assert is_like(ends(found, row, name), k.ci(name, 0.9)), name
        precision = k.ci("average_precision", 0.9, seed=0)
        assert ends(found, row, "average_precision_macro") == list(precision[:3])
        told = found["reasons"][row]
        assert told["average_precision_macro"] is None
        assert told["classwise_ece"].startswith("no interval: bins of probabilities shift")
        assert told["brier"] is None
        assert ends(found, row, "classwise_ece")[1:] == [None, None]


def test_usual_metrics_of_many_classes_are_not_drawn(log):
    asked = cm.multiclass_metrics("kind", ["p0", "p1", "p2"], ci=0.9, reasons=True)
    found = log.head(90).select(m=asked).unnest("m")
    assert ends(found, 0, "average_precision_macro")[1:] == [None, None]
    assert found["reasons"][0]["average_precision_macro"] == (
        "no interval: that of average_precision_macro takes rows drawn again; name it in `metrics`"
    )


@pytest.mark.parametrize("weight", [None, "w", "n"])
def test_label_sets_of_groups(log, weight):
    names = ["exact_match", "f1_micro", "f1_samples", "f1_macro"]
    asked = cm.multilabel_metrics(
        "tags", "guess", names, labels=["a", "b"], sample_weight=weight, ci=0.9, reasons=True
    )
    found = log.group_by("site").agg(m=asked).unnest("m").sort("site")
    states = log.group_by("site").agg(
        cm.state(["tags"], ["guess"], labels=["a", "b"], sample_weight=weight)
    )
    read = pl.col("state").cm.state_metrics(names, ci=0.9, reasons=True)
    by_states = states.sort("site").select("site", m=read).unnest("m")
    finished = cm.finish(states.sort("site"), metrics=names, ci=0.9)
    for row in range(3):
        rows, weights = of_site(log, row, weight)
        m = cm.multilabel(rows["tags"], rows["guess"], labels=["a", "b"], sample_weight=weights)
        for name in names:
            for table in (found, by_states, finished):
                assert is_like(ends(table, row, name), m.ci(name, 0.9)), name
        assert found["reasons"][row]["f1_macro"] is None
        assert found["reasons"][row] == by_states["reasons"][row]
    scores = cm.multilabel_metrics(
        "tags", y_score=["p0", "p1"], labels=["a", "b"], metrics=["roc_auc_macro"], ci=0.9
    )
    s = cm.multilabel_sweep(log["tags"], log.select("p0", "p1"), labels=["a", "b"])
    assert is_like(ends(log.select(m=scores).unnest("m"), 0, "roc_auc_macro"), s.ci("roc_auc", 0.9))


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("bins", [None, "unit", 16])
def test_states_of_scores(log, weight, bins):
    states = log.group_by("site").agg(cm.state("y", y_score="s", sample_weight=weight, bins=bins))
    states = states.sort("site")
    names = [*FORMULAS, "ks"]
    asked = pl.col("state").cm.state_metrics(names, ci=0.9, reasons=True)
    found = states.select(m=asked).unnest("m")
    assert states.lazy().select(m=asked).unnest("m").collect_schema() == found.schema
    plain = states.select(m=pl.col("state").cm.state_metrics(names)).unnest("m")
    for name in plain.columns:
        assert found[name].to_list() == pytest.approx(plain[name].to_list(), rel=1e-12), name
    finished = cm.finish(states, metrics=names, ci=0.9)
    for row in range(3):
        rows, weights = of_site(log, row, weight)
        s = cm.sweep(rows["y"], rows["s"], sample_weight=weights, bins=bins)
        for name in names:
            wanted = s.ci(name, 0.9, seed=0)
            assert is_like(ends(found, row, name), wanted), name
            assert is_like(ends(finished, row, name), wanted), name
        # Only a grid as coarse as this leaves KS open so far that no end is known.
        assert set(found["reasons"][row].values()) == {None}
    missing = states.with_columns(state=pl.lit(None, pl.Binary)).select(m=asked).unnest("m")
    assert missing["roc_auc_low"].null_count() == 3
    assert missing["n_dropped"].to_list() == [0, 0, 0]


def test_evaluations_of_weighted_scores(log):
    of = {"y_true": "y", "y_pred": "p", "y_score": "s", "sample_weight": "w"}
    names = ["recall", "roc_auc"]
    table = cm.evaluate(log, **of, by="site", metrics=names, ci=0.9).slices()
    for row in range(3):
        rows, weights = of_site(log, row, "w")
        s = cm.sweep(rows["y"], rows["s"], sample_weight=weights)
        assert is_like(ends(table, row, "roc_auc"), s.ci("roc_auc", 0.9))
        m = cm.confusion_matrix(rows["y"], rows["p"], sample_weight=weights)
        assert is_like(ends(table, row, "recall"), m.ci("recall", 0.9))


def test_refusals(log):
    for asked in (
        lambda: cm.sweep_metrics("y", "s", ci=95),
        lambda: cm.multiclass_metrics("kind", ["p0", "p1"], ci=95),
        lambda: cm.multilabel_metrics("tags", "guess", ci=95),
        lambda: cm.regression_metrics("y", "p", ci=95),
        lambda: pl.col("state").cm.state_metrics("roc_auc", ci=95),
        lambda: cm.metrics("y", "p", sample_weight="w", ci=95),
    ):
        with pytest.raises(cm.InputError, match="`ci` is 95"):
            asked()
    with pytest.raises(cm.InputError, match="`pos_label`, `smoothing` and `keep_empty` are for"):
        pl.col("state").cm.state_metrics("roc_auc", ci=0.9, smoothing=1)
    with pytest.raises(TypeError):
        pl.col("y").cm.roc_auc("s", ci=0.9)


NUMBERS = [
    *cm.list_metrics(level="regression").filter(pl.col("name") != "mase")["name"],
    "pinball(0.9)",
]


@pytest.mark.parametrize("weight", [None, "w"])
def test_numbers_of_groups(log, weight):
    log = log.with_columns(t=pl.col("s") + 1, v=pl.col("s") + 1 + 0.2 * pl.col("y"))
    asked = cm.regression_metrics("t", "v", NUMBERS, sample_weight=weight, ci=0.9, reasons=True)
    eager = log.group_by("site").agg(m=asked).unnest("m").sort("site")
    lazy = log.lazy().group_by("site").agg(m=asked).unnest("m").sort("site")
    assert lazy.collect_schema() == eager.schema
    assert_frame_equal(lazy.collect(engine="streaming"), eager)
    plain = cm.regression_metrics("t", "v", NUMBERS, sample_weight=weight)
    without = log.group_by("site").agg(m=plain).unnest("m").sort("site")
    assert_frame_equal(eager.select(without.columns), without)
    for row, site in enumerate(eager["site"]):
        rows, weights = of_site(log, site, weight)
        kept = [*NUMBERS, "intervals", "exact_errors", "exact_truths"]
        r = cm.regression(rows["t"], rows["v"], sample_weight=weights, metrics=kept)
        for name in NUMBERS:
            assert is_like(ends(eager, row, name), r.ci(name, 0.9)), name
        why = eager["reasons"][row]
        assert why["rmse"] is None
        assert why["max_error"] == "no interval: max_error rests on single rows"


def test_numbers_have_the_interval_of_their_errors(log):
    found = log.select(cm.regression_metrics("y", "s", ["mean_error"], ci=0.9))
    low, high = found.unnest("regression_metrics").row(0)[3:]
    errors = (log["s"] - log["y"]).to_numpy()
    se = errors.std(ddof=1) / math.sqrt(len(errors))
    wanted = stats.t.interval(0.9, len(errors) - 1, errors.mean(), se)
    assert (low, high) == pytest.approx(wanted, rel=1e-6)
    by_method = log.select(pl.col("y").cm.regression_metrics("s", ["mean_error"], ci=0.9))
    assert by_method.equals(found)
    none = log.select(cm.regression_metrics("y", "s", [], ci=0.9)).unnest("regression_metrics")
    assert none.columns == ["n", "n_dropped"]
    empty = log.clear().select(cm.regression_metrics("y", "s", ["mae"], ci=0.9))
    assert empty.unnest("regression_metrics").row(0) == (0.0, 0, None, None, None)


@pytest.mark.parametrize("k", [64, 65, 100])
def test_classes_that_tie_for_the_best_of_many_tie_in_a_few_of_them(k):
    few = pl.DataFrame({"g": 0, "y": [8, 1, 5, 9, 3], "p": [8, 6, 5, 2, 3]})
    interval = cm.confusion_matrix(few["y"], few["p"], labels=range(k)).ci("adjusted_f_max")
    ask = cm.metrics("y", "p", "adjusted_f_max", labels=range(k), ci=0.95)
    assert is_like(ends(few.select(ask).unnest(pl.all()), 0, "adjusted_f_max"), interval)
    table = few.group_by("g").agg(m=ask).unnest("m")
    assert is_like(ends(table, 0, "adjusted_f_max"), interval)
