"""One-sided limits of tables and expressions: the end of two-sided ones, and that of the range."""

import json
import math
import re
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.report.writing import report_bytes
from confmat.state_tables import table_bytes

LEVEL, BOTH = 0.95, 0.90  # of one side, and of both sides with the same ends
SIDES = {"both": BOTH, "lower": LEVEL, "upper": LEVEL}
RNG = np.random.default_rng(11)
N = 240
PROBABILITIES = RNG.dirichlet(np.ones(3), N)
TRUTH, IS = RNG.integers(0, 3, N), RNG.random(N) < 0.4
LOG = pl.DataFrame({
    "site": RNG.choice(["u", "v"], N),
    "user": RNG.integers(0, 40, N),
    "y": TRUTH,
    "p": np.where(RNG.random(N) < 0.6, TRUTH, RNG.integers(0, 3, N)),
    "two": IS,
    "guess": IS ^ (RNG.random(N) < 0.2),
    "s": RNG.random(N),
    "w": RNG.exponential(size=N),
    "a": PROBABILITIES[:, 0],
    "b": PROBABILITIES[:, 1],
    "c": PROBABILITIES[:, 2],
    "tags": (RNG.random((N, 3)) < 0.4).tolist(),
    "said": (RNG.random((N, 3)) < 0.4).tolist(),
    "heat": PROBABILITIES.tolist(),
    "number": RNG.normal(size=N),
    "forecast": RNG.normal(size=N),
})  # fmt: skip
CLASSES = ["accuracy", "mcc", "f1_macro", "eve"]
SCORES = ["roc_auc", "gini", "brier", "average_precision"]
ERRORS = ["mae", "rmse", "r2", "mean_error", "pearson_r"]
FINE = ["roc_auc_macro", "top_1_accuracy"]
SETS = ["exact_match", "f1_micro", "recall_macro"]
ABC = ["a", "b", "c"]


def _grouped(expression):
    return LOG.group_by("site", maintain_order=True).agg(m=expression).unnest("m")


def _evaluated(**k):
    return LOG.cm.evaluate(by="site", **k)


def _log(**k):
    return cm.evaluate(LOG, by="site", progress=False, **k)


PARTS = cm.partial(LOG, y_true="two", y_pred="guess", y_score="s", by="site")
STATES = LOG.group_by("site").agg(
    classes=cm.state("y", "p"),
    weighted=cm.state("y", "p", sample_weight="w"),
    scores=cm.state("two", y_score="s"),
    fine=cm.state("y", y_score=ABC),
    sets=cm.state(["tags"], ["said"]),
)
NUMBERS = {"y_true": "number", "y_pred": "forecast", "task": "regression", "metrics": ERRORS}
TWO = {"y_true": "two", "y_pred": "guess", "y_score": "s", "metrics": [*CLASSES, *SCORES]}
THREE = {"y_true": "y", "y_score": ABC, "metrics": FINE, "labels": [0, 1, 2]}
DOORS = {
    "metrics": lambda **k: _grouped(cm.metrics("y", "p", CLASSES, **k)),
    "metrics, weighted": lambda **k: _grouped(
        cm.metrics("y", "p", CLASSES, sample_weight="w", **k)
    ),
    "sweep_metrics": lambda **k: _grouped(cm.sweep_metrics("two", "s", SCORES, **k)),
    "multiclass_metrics": lambda **k: _grouped(cm.multiclass_metrics("y", ABC, FINE, **k)),
    "multilabel_metrics": lambda **k: _grouped(
        cm.multilabel_metrics(["tags"], ["said"], SETS, **k)
    ),
    "of scores": lambda **k: _grouped(
        cm.multilabel_metrics(["tags"], y_score="heat", metrics=["roc_auc_macro"], **k)
    ),
    "regression_metrics": lambda **k: _grouped(
        cm.regression_metrics("number", "forecast", ERRORS, **k)
    ),
    "states": lambda **k: STATES.select(
        m=pl.col("classes").cm.state_metrics(CLASSES, **k),
    ).unnest("m"),
    "states, weighted": lambda **k: STATES.select(
        m=pl.col("weighted").cm.state_metrics(CLASSES, **k)
    ).unnest("m"),
    "states of scores": lambda **k: STATES.select(
        m=pl.col("scores").cm.state_metrics(["roc_auc", "brier"], **k)
    ).unnest("m"),
    "states of classes": lambda **k: STATES.select(
        m=pl.col("fine").cm.state_metrics(FINE, **k)
    ).unnest("m"),
    "states of sets": lambda **k: STATES.select(
        m=pl.col("sets").cm.state_metrics(SETS, **k)
    ).unnest("m"),
    "finish": lambda **k: cm.finish(PARTS, [*CLASSES, *SCORES], **k),
    "frame": lambda **k: _evaluated(y_true="y", y_pred="p", metrics=CLASSES, **k),
    "frame, weighted": lambda **k: _evaluated(
        y_true="y", y_pred="p", metrics=CLASSES, sample_weight="w", **k
    ),
    "frame of both": lambda **k: _evaluated(**TWO, **k),
    "frame of classes": lambda **k: _evaluated(**THREE, **k),
    "frame of numbers": lambda **k: _evaluated(**NUMBERS, **k),
    "frame of numbers, cube": lambda **k: _evaluated(cube=True, **NUMBERS, **k),
    "frame, clusters": lambda **k: _evaluated(cluster="user", **TWO, **k),
    "numbers, clusters": lambda **k: _evaluated(cluster="user", **NUMBERS, **k),
    "query": lambda **k: LOG.lazy().cm.evaluate(by="site", **TWO, **k).collect(),
    "query, clusters": lambda **k: (
        LOG.lazy().cm.evaluate(by="site", cluster="user", **TWO, **k).collect()
    ),
    "log": lambda **k: _log(**TWO, **k).slices(),
    "log, later": lambda **k: _log(**TWO).slices(**k),
    "log, cube": lambda **k: _log(cube=True, **TWO, **k).slices(),
    "log, clusters": lambda **k: _log(cluster="user", **TWO, **k).slices(),
    "log of classes": lambda **k: _log(**THREE, **k).slices(),
    "log of classes, clusters": lambda **k: _log(cluster="user", **THREE, **k).slices(),
    "log of numbers": lambda **k: _log(**NUMBERS, **k).slices(),
    "log of numbers, clusters": lambda **k: _log(cluster="user", **NUMBERS, **k).slices(),
    "per class": lambda **k: _log(
        y_true="y", y_pred="p", metrics=["recall", "precision"], per_class=True, **k
    ).slices(),
    "per class, clusters": lambda **k: _log(
        y_true="y", y_pred="p", metrics=["recall"], per_class=True, cluster="user", **k
    ).slices(),
    "of two models": lambda **k: _log(
        y_true="y", y_pred={"p": "p", "y": "y"}, metrics=CLASSES, **k
    ).slices(),
    "accumulator": lambda **k: _accumulated(**k).slices(),
    "saved": lambda **k: cm.Evaluation.from_bytes(_log(**TWO, **k).to_bytes()).slices(),
}  # fmt: skip
RANGES = {row["name"]: (row["lo"], row["hi"]) for row in cm.list_metrics().rows(named=True)}
RANGES |= {"roc_auc_macro": (0, 1), "top_1_accuracy": (0, 1), "exact_match": (0, 1)}


def _accumulated(**k):
    out = cm.Accumulator(by="site", **TWO, **k)
    out.update(LOG)
    return out.result()


def _check(tables, ends, names):
    """Compare the two ends of names, whose columns are called as `ends` says."""
    both, lower, upper = tables
    assert both.columns == lower.columns == upper.columns
    assert names
    for name in names:
        low, high = ends(name)
        assert both[low].is_not_null().any(), name
        np.testing.assert_allclose(lower[low].to_numpy(), both[low].to_numpy(), 1e-9, 1e-12)
        np.testing.assert_allclose(upper[high].to_numpy(), both[high].to_numpy(), 1e-9, 1e-12)
        for table, far, at in ((lower, high, 1), (upper, low, 0)):
            assert table[far].is_null().equals(both[far].is_null()), name
            assert set(table[far].drop_nulls()) == {RANGES[name][at]}, name


@pytest.mark.parametrize("door", DOORS)
def test_of_tables(door):
    tables = [DOORS[door](ci=level, side=side) for side, level in SIDES.items()]
    names = [c.removesuffix("_low") for c in tables[0].columns if c.endswith("_low")]
    _check(tables, lambda name: (f"{name}_low", f"{name}_high"), names)


@pytest.mark.parametrize("asked", [TWO, TWO | {"cluster": "user"}, THREE, NUMBERS])
def test_of_all_rows(asked):
    e = _log(**asked, ci=LEVEL)
    tables = [e.overall(ci=level, side=side) for side, level in SIDES.items()]
    wide = [
        pl.DataFrame({
            f"{row['metric']}_{end}": [row[end]]
            for row in table.rows(named=True)
            for end in ("low", "high")
        })
        for table in tables
    ]  # fmt: skip
    _check(wide, lambda name: (f"{name}_low", f"{name}_high"), asked["metrics"])


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_side_is_refused(door):
    of = DOORS[door]
    with pytest.raises(cm.InputError, match=r"`side` is 'left'; wanted one of both, lower, upper"):
        of(ci=LEVEL, side="left")
    with pytest.raises(cm.InputError, match="`side` is 'lower' without a level; wanted ci="):
        of(side="lower")
    with pytest.raises(cm.InputError, match=r"`ci` is 0.5, which no .* of one side more than 0.5"):
        of(ci=0.5, side="upper")


def test_a_hint_keeps_the_side():
    hint = r"is in cm.evaluate\(frame, ..., ci=0.95, side='lower'\).slices"
    with pytest.raises(cm.InputError, match=hint):
        _evaluated(cube=True, **TWO, ci=LEVEL, side="lower")


def test_a_side_is_kept_until_another_is_asked_for():
    e = _log(**TWO, ci=LEVEL, side="lower")
    assert set(e.slices()["mcc_high"]) == {1.0}
    assert set(e.slices(ci=0.5 + 1e-9)["mcc_high"]) == {1.0}
    assert (e.slices(side="both")["mcc_high"] < 1).all()
    assert (e.overall(ci=BOTH, side="upper")["low"] == e.overall()["low"]).not_().all()
    assert "[" not in str(e)  # the ends that were asked for are columns of their own
    saved = cm.Evaluation.from_bytes(e.to_bytes())
    assert saved.slices().equals(e.slices())
    assert (e + e).slices().columns == e.slices().columns


@pytest.mark.parametrize("asked", [TWO, NUMBERS])
def test_a_page_has_both_ends(asked):
    lower, both = (_log(**asked, ci=LEVEL, side=side) for side in ("lower", "both"))
    told = rb'<tr><th scope="row"><bdi>side.*?</tr>|[0-9a-f]{64}'  # and a checksum of it
    pages = [re.sub(told, b"", report_bytes(e)) for e in (lower, both)]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("ask", [{}, {"sample_weight": "w"}])
def test_a_report_of_classes(ask):
    m = cm.confusion_matrix(LOG["y"], LOG["p"], **{k: LOG[v] for k, v in ask.items()})
    told = [
        m.classification_report(format="polars", ci=level, side=side)
        for side, level in SIDES.items()
    ]
    names = ("precision", "recall", "f1")
    _check(told, lambda name: (f"{name}_low", f"{name}_high"), names)
    texts = [
        cm.classification_report(LOG["y"], LOG["p"], format="json", ci=LEVEL, side=side)
        for side in ("both", "lower")
    ]
    assert json.loads(texts[0]) != json.loads(texts[1])
    with pytest.raises(cm.InputError, match="`side` is 'lower' without a level"):
        m.classification_report(side="lower")


RUN = "from confmat.command.cli import main; main()"


def _told(*arguments):
    asked = [sys.executable, "-W", "error", "-c", RUN, *map(str, arguments)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_on_the_command_line(tmp_path):
    log, states, table = tmp_path / "log.parquet", tmp_path / "s.parquet", tmp_path / "t.csv"
    LOG.write_parquet(log)
    of = ("evaluate", log, "--y-true", "y", "--y-pred", "p", "--metrics", "mcc")
    whole = _told(*of, "--side", "lower")
    assert "95 % lower limits" in whole
    _told(*of, "--by", "site", "--side", "upper", "--ci", "0.9", "--states", states, "--out", table)
    assert set(pl.read_csv(table)["mcc_low"]) == {-1.0}
    shown = tmp_path / "shown.csv"
    _told("show", states, "--metrics", "mcc", "--side", "lower", "--out", shown)
    assert set(pl.read_csv(shown)["mcc_high"]) == {1.0}
    expected = _evaluated(y_true="y", y_pred="p", metrics="mcc", ci=LEVEL, side="lower")
    np.testing.assert_allclose(pl.read_csv(shown)["mcc_low"], expected["mcc_low"])
    assert "Invalid value for '--side'" in _told(*of, "--side", "left")
    assert math.isfinite(pl.read_csv(shown)["mcc_low"].sum())


@pytest.mark.parametrize("forged", [{"side": "left"}, {"side": 1}, {"ci": 2.0}, {"ci": None}])
def test_bytes_that_ask_for_no_side_are_refused(forged):
    e = _log(**TWO, ci=LEVEL, side="lower")
    request = e._request.as_dict()
    asked = {"request": request | {"reading": request["reading"] | forged}}
    asked["about"] = {"complete": True, "skipped": []}
    with pytest.raises(cm.StateError, match="what was asked of the log is not readable"):
        cm.from_bytes(table_bytes(e.states(), asked, {}))
