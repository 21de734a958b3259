"""Intervals that take rows drawn again, in tables: of metrics that were named, of one seed."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy.stats import bootstrap

import confmat as cm

NAMED = ["average_precision", "ks", "ece(5)"]


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(3)
    n = 500
    y = rng.random(n) < 0.4
    s = np.clip(rng.normal(0.4 + 0.2 * y, 0.15), 0, 1)
    return pl.DataFrame(
        {
            "site": rng.integers(0, 2, n),
            "user": rng.integers(0, 80, n),
            "y": y.astype(int),
            "p": (s > 0.5).astype(int),
            "s": s,
            "w": rng.exponential(size=n),
        }
    )


def average_precision(y, s):
    """Return the mean of the precision at the score of each positive."""
    own = s[y == 1]
    predicted = len(s) - np.searchsorted(np.sort(s), own)
    right = len(own) - np.searchsorted(np.sort(own), own)
    return np.mean(right / predicted)


@pytest.mark.parametrize("site", [0, 1])
def test_ends_are_those_of_the_bootstrap_of_scipy(log, site):
    table = log.cm.evaluate("y", None, "s", by="site", metrics=["average_precision"], ci=0.9)
    rows = log.filter(site=site)
    y, s = rows["y"].to_numpy().astype(bool), rows["s"].to_numpy()
    wanted = bootstrap(
        (y, s), average_precision, paired=True, vectorized=False, n_resamples=5_000,
        confidence_level=0.9, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert table["average_precision"][site] == pytest.approx(average_precision(y, s), rel=1e-12)
    found = table.select("average_precision_low", "average_precision_high").row(site)
    slack = 0.15 * wanted.standard_error
    assert found == pytest.approx(tuple(wanted.confidence_interval), abs=slack)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("y_pred", [None, "p"])
@pytest.mark.parametrize("by", [None, "site"])
@pytest.mark.parametrize("metrics", [None, [*NAMED, "roc_auc"]])
def test_frames_and_queries_have_those_of_the_sweep(log, weight, y_pred, by, metrics):
    asked = {"y_true": "y", "y_pred": y_pred, "y_score": "s", "by": by, "metrics": metrics}
    asked |= {"sample_weight": weight, "reasons": True}
    eager = log.cm.evaluate(**asked, ci=0.9)
    lazy = log.lazy().cm.evaluate(**asked, ci=0.9)
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    plain = log.cm.evaluate(**asked)
    assert_frame_equal(
        eager.select(plain.columns).drop("reasons"), plain.drop("reasons"), rel_tol=1e-14
    )
    for row, told in enumerate(eager["reasons"]):
        rows = log if by is None else log.filter(site=row)
        s = cm.sweep(rows["y"], rows["s"], sample_weight=None if weight is None else rows[weight])
        for name in metrics or ("roc_auc", "average_precision", "ks"):
            low, high = eager.select(f"{name}_low", f"{name}_high").row(row)
            if metrics is None and name != "roc_auc":
                assert (low, high) == (None, None)
                assert told[name] == (
                    f"no interval: that of {name} takes rows drawn again; name it in `metrics`"
                )
            else:
                assert (low, high) == pytest.approx(s.ci(name, 0.9, seed=0)[1:3], rel=1e-9)
                assert told[name] is None


def test_every_door_has_the_same(log):
    asked = {"metrics": NAMED, "ci": 0.9}
    parts = cm.partial(log, y_true="y", y_score="s", by="site", bins=None)
    table = cm.finish(parts, **asked)
    assert cm.finish(parts, **asked).equals(table)
    ends = [f"{name}{end}" for name in NAMED for end in ("", "_low", "_high")]
    assert table.columns == ["site", "n", "n_dropped", *ends]
    assert table.drop("site", "n", "n_dropped").null_count().sum_horizontal().item() == 0
    states = parts.select(m=pl.col("state").cm.state_metrics(NAMED, ci=0.9)).unnest("m")
    grouped = log.group_by("site").agg(m=cm.sweep_metrics("y", "s", NAMED, ci=0.9)).unnest("m")
    evaluated = cm.evaluate(log, "y", y_score="s", by="site", bins=None, **asked)
    of_frame = log.cm.evaluate("y", None, "s", by="site", **asked)
    for other in (states, grouped.sort("site"), evaluated.slices(), of_frame):
        assert other.select(ends).equals(table.select(ends))
    usual = cm.finish(parts, ci=0.9, reasons=True)
    assert usual.columns[-5:] == ["roc_auc_low", "roc_auc_high", *NAMED[:2], "reasons"]
    assert usual["reasons"][0]["ks"].endswith("rows drawn again; name it in `metrics`")


def test_reasons_of_what_has_no_interval_in_finish():
    perfect = pl.DataFrame({"y": [0, 1] * 5, "s": [0.2, 0.8] * 5})
    one = perfect.filter(y=1)
    for rows, value, why in (
        (perfect, 1.0, "no interval: rows that are drawn again all give the same"),
        (one, None, "there are no negatives"),
    ):
        parts = cm.partial(rows, y_true="y", y_score="s")
        table = cm.finish(parts, ["ks"], ci=0.9, reasons=True)
        assert table.select("ks", "ks_low", "ks_high").row(0) == (value, None, None)
        assert table["reasons"][0] == {"ks": why}
    hidden = cm.finish(cm.partial(perfect, y_true="y", y_score="s"), ["brier"], ci=0.9, min_n=99)
    assert hidden.select("brier", "brier_low").row(0) == (None, None)


@pytest.mark.parametrize("weight", [None, "w"])
def test_clusters_of_scores(log, weight):
    asked = {"metrics": ["recall", "average_precision", "roc_auc", "ks"], "ci": 0.9}
    asked |= {"sample_weight": weight, "cluster": "user", "reasons": True}
    eager = log.cm.evaluate("y", "p", "s", by="site", **asked)
    lazy = log.lazy().cm.evaluate("y", "p", "s", by="site", **asked)
    assert lazy.collect_schema() == eager.schema
    assert lazy.collect().equals(eager)
    wanted = cm.evaluate(log, "y", "p", "s", by="site", bins=None, **asked).slices()
    assert eager.columns == wanted.columns
    ends = [name for name in eager.columns if name.endswith(("_low", "_high"))]
    assert len(ends) == 6
    assert_frame_equal(eager.select(ends), wanted.select(ends))
    assert eager["reasons"][0]["ks"].startswith("no interval: ks has none with clusters")


@pytest.mark.parametrize(("n", "method"), [(200, "bootstrap"), (500, "delta")])
def test_scores_of_many_classes_beside_predictions(log, n, method):
    rng, log = np.random.default_rng(1), log.head(n)
    shares = rng.dirichlet([1, 1, 1], log.height)
    columns = ["a", "b", "c"]
    rows = log.with_columns(pl.Series(name, shares[:, at]) for at, name in enumerate(columns))
    rows = rows.with_columns(kind=pl.Series((shares + rng.random(shares.shape)).argmax(1)))
    asked = {"labels": [0, 1, 2], "by": "site", "ci": 0.9, "reasons": True}
    asked["metrics"] = ["accuracy", "roc_auc_macro", "average_precision_macro"]
    eager = rows.cm.evaluate("kind", "p", columns, **asked)
    lazy = rows.lazy().cm.evaluate("kind", "p", columns, **asked).collect()
    assert_frame_equal(lazy, eager, rel_tol=1e-12, abs_tol=0)
    for row in range(2):
        of = rows.filter(site=row)
        k = cm.multiclass_sweep(of["kind"], of.select(columns), labels=[0, 1, 2])
        m = cm.confusion_matrix(of["kind"], of["p"], labels=[0, 1, 2])
        for interval, name in (
            (k.ci("roc_auc", 0.9), "roc_auc_macro"),
            (m.ci("accuracy", 0.9),) * 2,
        ):
            name = "accuracy" if interval is name else name
            ends = eager.select(f"{name}_low", f"{name}_high").row(row)
            assert ends == pytest.approx(interval[1:3])
        precision = k.ci("average_precision", 0.9, seed=0)
        found = eager.select("^average_precision_macro.*$").row(row)
        assert found == precision[:3]
        assert precision.method == method


def test_bad_rows_and_names_are_told(log):
    bad = log.with_columns(s=pl.when(pl.int_range(pl.len()) == 5).then(np.nan).otherwise("s"))
    for y_pred in (None, "p"):
        with pytest.raises(cm.InputError, match="row 5 of `y_score`"):
            bad.cm.evaluate("y", y_pred, "s", ci=0.9)
        dropped = bad.cm.evaluate("y", y_pred, "s", ci=0.9, nan="drop")
        assert dropped["roc_auc_low"].item() is not None
    with pytest.raises(cm.InputError, match=r"`cube` is in cm.evaluate\(frame"):
        log.cm.evaluate("y", None, "s", by="site", cube=True, ci=0.9)
    with pytest.raises(cm.InputError, match="`cluster` and a list as `y_score`"):
        log.cm.evaluate("y", None, ["s", "w"], cluster="user", ci=0.9)
    taken = log.rename({"site": "roc_auc_low"})
    with pytest.raises(cm.InputError, match="`by` has the column 'roc_auc_low'"):
        taken.cm.evaluate("y", None, "s", by="roc_auc_low", ci=0.9)


def test_rows_of_classes_that_tell_nothing_have_no_interval():
    names = ["cat", "dog", "emu"]
    one = pl.DataFrame({"y": names * 2}).with_columns(
        pl.when(pl.col("y") == name).then(0.9).otherwise(0.05).alias(name) for name in names
    )
    log = pl.concat([one.with_columns(g=1), one.head(1).with_columns(g=2)])
    asked = {"y_score": names, "metrics": ["average_precision_macro"], "labels": names}
    found = log.cm.evaluate(y_true="y", by="g", ci=0.95, reasons=True, **asked).sort("g")
    assert found["average_precision_macro_low"].null_count() == 2
    why = [row["average_precision_macro"] for row in found["reasons"]]
    assert why == [
        "no interval: rows that are drawn again all give the same",
        "no interval: there is one row alone",
    ]
