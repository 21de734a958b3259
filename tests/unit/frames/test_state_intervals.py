"""Intervals of metrics of states: rates are read of counts, and what has none says why."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from support.rates import OF_ALL_ROWS, OF_ONE_CLASS

import confmat as cm
from confmat.frames.state_intervals import interval_of, no_interval
from confmat.frames.state_rates import rates_of
from confmat.intervals.proportions import ALL
from confmat.intervals.wilson import wilson
from confmat.registry import names


@pytest.fixture(scope="module")
def log():
    rng = np.random.default_rng(11)
    n = 2_000
    return pl.DataFrame(
        {
            "site": rng.integers(0, 40, n),
            "y": rng.integers(0, 2, n),
            "p": rng.integers(0, 2, n),
            "kind": rng.choice(list("abc"), n),
            "guess": rng.choice(list("abc"), n),
            "w": rng.random(n),
        }
    )


@pytest.mark.parametrize("metric", [*OF_ONE_CLASS, *OF_ALL_ROWS, "tpr", "selection_rate"])
def test_numerator_over_denominator_is_the_metric(log, metric):
    parts = cm.partial(log, y_true="y", y_pred="p", by="site")
    k, n = rates_of(parts, metric)
    with np.errstate(invalid="ignore"):
        found = pl.Series(k / n, nan_to_null=True)
    assert found.to_list() == pytest.approx(cm.finish(parts, metric)[metric].to_list())
    assert (k == np.rint(k)).all()


@pytest.mark.parametrize("metric", [*OF_ALL_ROWS, *OF_ONE_CLASS])
def test_of_many_classes(log, metric):
    parts = cm.partial(log, y_true="kind", y_pred="guess", by="site")
    pos_label = None if metric in OF_ALL_ROWS else "b"
    k, n = rates_of(parts, metric, pos_label)
    wanted = cm.finish(parts, metric, pos_label=pos_label)[metric].to_numpy()
    np.testing.assert_allclose(k / n, wanted, rtol=1e-12)
    low, high = interval_of(parts, metric, 0.9, pos_label)
    np.testing.assert_allclose([low, high], wilson(k, n, 0.9), rtol=1e-13)


def subsets(cells):
    return [c for size in range(1, 5) for c in combinations(cells, size)]


def test_every_rate_of_the_registry_is_found():
    """Tried: every quotient of a sum of counts by a sum that includes it."""
    tables = np.random.default_rng(2).integers(1, 90, (6, 4)).tolist()
    matrices = [cm.ConfusionMatrix([[tn, fp], [fn, tp]]) for tp, fp, fn, tn in tables]
    counts = [dict(zip(ALL, table, strict=True)) for table in tables]
    quotients = [
        [sum(map(c.get, part)) / sum(map(c.get, whole)) for c in counts]
        for whole in subsets(ALL)
        for part in subsets(whole)
        if part != whole
    ]
    rates = []
    for name in names("class"):
        values = [m.value(name) for m in matrices]
        if any(values == pytest.approx(shares, rel=1e-14) for shares in quotients):
            rates.append(name)
    assert sorted(rates) == sorted(OF_ONE_CLASS)


def test_rows_that_are_undefined_say_which_sum_is_zero():
    log = pl.DataFrame({"site": ["a", "b", "b"], "y": [0, 1, None], "p": [0, 1, 0]})
    parts = cm.partial(log, y_true="y", y_pred="p", by="site")
    low, high = interval_of(parts, "tpr")
    assert (low.name, high.name) == ("tpr_low", "tpr_high")
    assert low.is_null().to_list() == high.is_null().to_list() == [True, False]
    assert no_interval(parts, "tpr").to_list() == ["tp + fn = 0", None]
    assert no_interval(parts, "selection_rate").to_list() == [None, None]
    empty = cm.partial(log.with_columns(y=pl.lit(None, pl.Int64)), y_true="y", y_pred="p")
    assert interval_of(empty, "accuracy")[0].to_list() == [None]
    assert no_interval(empty, "accuracy").to_list() == ["n = 0"]


def test_a_state_that_is_null_has_no_interval(log):
    parts = cm.partial(log, y_true="y", y_pred="p", by="site").head(3)
    parts = parts.with_columns(state=pl.when(pl.col("site") != 1).then("state"))
    for metric in ("recall", "accuracy"):
        low, high = interval_of(parts, metric)
        assert low.is_null().to_list() == high.is_null().to_list() == [False, True, False]
        assert no_interval(parts, metric).to_list() == [None, "there are no rows", None]


def test_what_has_no_interval_says_why(log):
    parts = cm.partial(log, y_true="y", y_pred="p", by="site").head(2)
    forgotten = cm.partial(log, y_true="y", y_score="w")
    other_share = cm.from_bytes(forgotten["state"].item()).at_prevalence(0.1).to_bytes()
    forgotten = forgotten.with_columns(state=pl.Series([other_share]))
    cases = [
        (
            forgotten,
            "roc_auc",
            "the squared weights are not known",
        ),
        (parts, "roc_auc", "the states are not of scores"),
        (
            cm.partial(log, y_true="y", y_score="w"),
            "recall",
            "the states are not of predicted classes",
        ),
        (
            cm.partial(log, y_true="y", y_score="w"),
            "ks",
            "ks has an interval by drawing rows again alone: cm.from_bytes(state).ci",
        ),
    ]
    for frame, metric, why in cases:
        assert [end.null_count() for end in interval_of(frame, metric)] == [frame.height] * 2
        assert no_interval(frame, metric).to_list() == [why] * frame.height


def test_names_and_classes_that_are_not_there(log):
    parts = cm.partial(log, y_true="kind", y_pred="guess", by="site")
    with pytest.raises(cm.InputError, match="no metric is named 'recal'; did you mean recall"):
        interval_of(parts, "recal")
    with pytest.raises(cm.InputError, match="`metric` is 'mcc', which is no rate"):
        rates_of(parts, "mcc")
    with pytest.raises(cm.InputError, match="pos_label"):
        interval_of(parts, "recall")
    with pytest.raises(cm.InputError, match="`level` is 95"):
        interval_of(parts, "mcc", 95)
