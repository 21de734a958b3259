"""Tests of slices: each against the rest of its rows, which are counted again here."""

import math

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats
from support.by_sides import by_sides, numbers_of

import confmat as cm
from confmat.intervals.differences import newcombe
from confmat.intervals.interval import Interval
from confmat.intervals.wilson import wilson
from confmat.slices.lattice import lattice
from confmat.slices.slice_tests import slice_tests
from confmat.slices.worst_slices import worst

RNG = np.random.default_rng(3)
N = 600
LOG = pl.DataFrame(
    {
        "site": RNG.choice(np.array(["a", "b", "c", "d", None], dtype=object), N).tolist(),
        "shift": RNG.integers(0, 3, N),
        "y": RNG.integers(0, 2, N),
        "s": np.round(RNG.random(N), 2),
        "w": RNG.random(N),
    },
    strict=False,
)
RIGHT = RNG.random(N) < np.where(LOG["site"].to_numpy() == "b", 0.6, 0.8)
LOG = LOG.with_columns(p=pl.when(pl.Series(RIGHT)).then("y").otherwise(1 - pl.col("y")))
BY = ["site", "shift"]
PARTS = cm.partial(LOG, y_true="y", y_pred="p", y_score="s", by=BY, bins=None)
LATTICE = lattice(PARTS, BY, cube=True)
each = pytest.mark.parametrize("parts", [PARTS, LATTICE], ids=["finest", "lattice"])


def split(row, log=LOG):
    """Return the rows of a slice and all others."""
    held = BY if "grouping" not in row else row["grouping"].split(", ")
    inside = pl.all_horizontal(pl.col(key).eq_missing(pl.lit(row[key])) for key in held)
    return log.filter(inside), log.filter(~inside)


def matrix(frame, weight=None):
    weights = None if weight is None else frame[weight]
    return cm.confusion_matrix(frame["y"], frame["p"], labels=[0, 1], sample_weight=weights)


@each
@pytest.mark.parametrize("metric", ["accuracy", "recall", "fpr", "precision", "error", "jaccard"])
def test_rates_against_the_rest(parts, metric):
    table = slice_tests(parts, metric, level=0.9)
    assert table.height == parts.height - ("grouping" in parts.columns)
    for row in table.iter_rows(named=True):
        one, rest = map(matrix, split(row))
        wanted = one.test("equal", other=rest, metric=metric)
        assert row["n"] == one.n
        assert (row["value"], row["other"]) == pytest.approx((one[metric], rest[metric]))
        assert row["difference"] == pytest.approx(one[metric] - rest[metric])
        assert row["statistic"] == pytest.approx(wanted.statistic)
        assert row["p_value"] == pytest.approx(wanted.p_value)
        assert row["reason"] is None
    told = worst(parts, metric, n=1_000, level=0.9)
    for end in ("difference_low", "difference_high"):
        assert sorted(told[end]) == pytest.approx(sorted(table[end]))


def smaller(frame, weight=None):
    """Return the degrees of freedom that the rows of the smaller class leave."""
    if weight is None:
        return frame["y"].value_counts()["count"].min() - 1
    sums = (frame.filter(y=at)[weight].to_numpy() for at in (0, 1))
    return min(w.sum() ** 2 / (w @ w) for w in sums) - 1


@pytest.mark.parametrize("metric", ["mcc", "f1", "kappa", "f1_macro", "fbeta(2)"])
def test_other_metrics_against_the_rest(metric):
    table = slice_tests(PARTS, metric)
    for row in table.iter_rows(named=True):
        one, rest = map(matrix, split(row))
        freedom = [smaller(frame) for frame in split(row)]
        wanted = by_sides(one.ci(metric), rest.ci(metric), freedom)
        assert numbers_of(row) == pytest.approx(wanted)
    other = slice_tests(PARTS, metric, level=0.8)
    same = ["statistic", "p_value"]
    assert_frame_equal(other.select(same), table.select(same))
    assert (other["difference_low"] > table["difference_low"]).all()


def test_metrics_of_many_classes_have_no_degrees_of_freedom_and_those_of_one_have():
    rng = np.random.default_rng(9)
    y, site = rng.integers(0, 3, 300), np.arange(300) % 2
    p = np.where(rng.random(300) < 0.7, y, rng.integers(0, 3, 300))
    log = pl.DataFrame({"site": site, "y": y, "p": p})
    parts = cm.partial(log, y_true="y", y_pred="p", by="site", labels=[0, 1, 2])
    both = [cm.confusion_matrix(log["y"].filter(site == at), log["p"].filter(site == at),
                                labels=[0, 1, 2]) for at in (0, 1)]  # fmt: skip
    found = [numbers_of(row) for row in slice_tests(parts, "mcc").rows(named=True)]
    assert found[0] == pytest.approx(by_sides(*(m.ci("mcc") for m in both), (math.inf, math.inf)))
    found = [numbers_of(row) for row in slice_tests(parts, "f1", pos_label=2).rows(named=True)]
    freedom = [int((y[site == at] == 2).sum()) - 1 for at in (0, 1)]
    wanted = by_sides(*(m.ci("f1", pos_label=2) for m in both), freedom)
    assert found[0] == pytest.approx(wanted)


@each
def test_against_all_rows(parts):
    found = slice_tests(parts, "accuracy", against="overall")
    rest = slice_tests(parts, "accuracy")
    same = ["n", "value", "statistic", "p_value", "p_adjusted"]
    assert_frame_equal(found.select(same), rest.select(same))
    overall = matrix(LOG).accuracy
    for row, beside in zip(found.rows(named=True), rest.rows(named=True), strict=True):
        share = 1 - row["n"] / N
        assert row["other"] == overall
        for name in ("difference", "difference_low", "difference_high"):
            assert row[name] == pytest.approx(beside[name] * share)


def test_against_a_number():
    table = slice_tests(PARTS, "accuracy", against=0.75)
    for row in table.iter_rows(named=True):
        k, n = row["value"] * row["n"], row["n"]
        z = (row["value"] - 0.75) / math.sqrt(0.75 * 0.25 / n)
        assert row["other"] == 0.75
        assert row["statistic"] == pytest.approx(z)
        assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(z)))
        low, high = wilson(k, n)
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(
            (low - 0.75, high - 0.75)
        )
    for row in slice_tests(PARTS, "mcc", against=0.5).iter_rows(named=True):
        one, _ = split(row)
        number = Interval(0.5, 0.5, 0.5, 0.0, "")
        wanted = by_sides(matrix(one).ci("mcc"), number, (smaller(one), math.inf))
        assert numbers_of(row) == pytest.approx(wanted)


@pytest.mark.parametrize("adjust", ["bh", "holm", "by", "bonferroni", None])
def test_p_values_are_adjusted_over_all_slices(adjust):
    table = slice_tests(LATTICE, "accuracy", adjust=adjust)
    p = table["p_value"]
    wanted = p if adjust is None else cm.adjust_p(p, adjust)
    assert table["p_adjusted"].to_list() == pytest.approx(wanted.to_list())


def test_slices_that_are_not_shown_are_no_tests():
    sizes = LOG.group_by("site").len()["len"].sort()
    least = int(sizes[2])
    parts = cm.partial(LOG, y_true="y", y_pred="p", by="site")
    table = slice_tests(parts, "accuracy", min_n=least)
    hidden = table.filter(pl.col("n") < least)
    assert hidden.height == 2
    nulls = hidden.drop("site", "n", "reason").null_count().row(0)
    assert nulls == (2,) * 8
    assert hidden["reason"].str.contains("below min_n").all()
    shown = table.filter(pl.col("n") >= least)
    assert shown["p_adjusted"].to_list() == pytest.approx(cm.adjust_p(shown["p_value"]).to_list())
    number = slice_tests(parts, "accuracy", min_n=least, against=0.7)
    assert number["p_value"].null_count() == 2


def test_weights_are_compared_by_effective_rows():
    parts = cm.partial(LOG, y_true="y", y_pred="p", by=BY, sample_weight="w")
    for metric in ("accuracy", "recall"):
        for row in slice_tests(parts, metric).iter_rows(named=True):
            one, rest = (matrix(frame, "w") for frame in split(row))
            wanted = one.test("equal", other=rest, metric=metric)
            assert row["p_value"] == pytest.approx(wanted.p_value, rel=1e-6)
    for row in slice_tests(parts, "mcc").iter_rows(named=True):
        one, rest = (matrix(frame, "w").ci("mcc") for frame in split(row))
        wanted = by_sides(one, rest, [smaller(frame, "w") for frame in split(row)])
        assert numbers_of(row) == pytest.approx(wanted)
    overall = slice_tests(parts, "accuracy", against="overall")
    for row in overall.iter_rows(named=True):
        assert row["difference"] == pytest.approx(row["value"] - matrix(LOG, "w").accuracy)


def test_undefined_values_say_why():
    log = pl.DataFrame({"site": ["a", "a", "b"], "y": [0, 0, 1], "p": [0, 1, 1]})
    table = slice_tests(cm.partial(log, y_true="y", y_pred="p", by="site"), "recall")
    assert table["p_value"].to_list() == [None, None]
    assert table["reason"].to_list() == [
        "class 1: tp + fn = 0",
        "of the rest: class 1: tp + fn = 0",
    ]
    scores = slice_tests(PARTS, "ks")
    assert scores["p_value"].null_count() == scores.height
    assert set(scores["reason"]) == {"there is no standard error of ks"}
    assert scores["difference"].null_count() == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "all"}, "`against` is 'all'"),
        ({"against": True}, "`against` is True"),
        ({"against": math.nan}, "`against` is nan"),
        ({"against": 1.5}, "from 0 to 1"),
        ({"adjust": "fdr"}, "adjust"),
        ({"level": 1.0}, "level"),
        ({"min_n": -1}, "min_n"),
        ({"within": "hour"}, "within"),
    ],
)
def test_refused(options, words):
    with pytest.raises(cm.InputError, match=words):
        slice_tests(PARTS, "accuracy", **options)
    with pytest.raises(cm.InputError, match="no rate"):
        slice_tests(PARTS, "mcc", against="overall")


def test_of_an_evaluation():
    e = cm.evaluate(LOG, y_true="y", y_pred="p", by=BY, min_n=35)
    wanted = slice_tests(e.states(), "accuracy", min_n=35)
    assert_frame_equal(e.test_slices("accuracy"), wanted)
    wanted = slice_tests(e.states(), "mcc", against=0.5, adjust="holm", level=0.8)
    assert_frame_equal(e.test_slices("mcc", against=0.5, adjust="holm", level=0.8, min_n=0), wanted)
    cube = cm.evaluate(LOG, y_true="y", y_pred="p", by=BY, cube=True)
    assert "grouping" in cube.test_slices("accuracy").columns


def test_several_models_are_compared_with_their_own_rest():
    log = LOG.with_columns(q=1 - pl.col("p"))
    e = cm.evaluate(log, y_true="y", y_pred={"m": "p", "k": "q"}, by="site")
    table = e.test_slices("accuracy")
    alone = cm.evaluate(log, y_true="y", y_pred="q", by="site").test_slices("accuracy")
    assert_frame_equal(
        table.filter(pl.col("model") == "k").drop("model", "p_adjusted"), alone.drop("p_adjusted")
    )


def test_newcombe_is_what_the_table_shows():
    row = slice_tests(PARTS, "accuracy").row(0, named=True)
    one, rest = split(row)
    k, k2 = ((frame["y"] == frame["p"]).sum() for frame in (one, rest))
    low, high = newcombe(k, one.height, k2, rest.height)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((low, high))


def test_keys_called_like_a_column_of_the_result_are_refused() -> None:
    log = pl.DataFrame({"value": [1, 2], "y_true": [0, 1], "y_pred": [0, 1]})
    with pytest.raises(cm.InputError, match="the key 'value', a name of the result; rename it"):
        slice_tests(cm.partial(log, y_pred="y_pred", by="value"), "accuracy")
