"""Tests of slices of scores, numbers and label sets: each against the rest of its rows."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score
from support.by_sides import by_sides, numbers_of

import confmat as cm
from confmat.slices.slice_tests import slice_tests


def test_areas_of_slices_are_tested_by_delong() -> None:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 900)
    log = pl.DataFrame({"site": np.arange(900) % 3, "y": y, "s": rng.normal(size=900) + y})
    table = slice_tests(cm.partial(log, y_true="y", y_score="s", by="site", bins=None), "roc_auc")
    for row in table.iter_rows(named=True):
        here, others = log.filter(site=row["site"]), log.filter(pl.col("site") != row["site"])
        one, other = (cm.sweep(part["y"], part["s"]) for part in (here, others))
        wanted = by_sides(one.ci("roc_auc"), other.ci("roc_auc"), (math.inf, math.inf))
        assert numbers_of(row) == pytest.approx(wanted)
        assert row["statistic"] == pytest.approx(one.test_auc(other).statistic, rel=0.1)
        assert row["reason"] is None


def test_average_precision_of_slices_is_tested_by_rows_drawn_again() -> None:
    """Against differences of rows drawn again by NumPy, of slice and rest apart."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 900)
    site = np.arange(900) % 3
    log = pl.DataFrame({"site": site, "y": y, "s": rng.normal(size=900) + y * (1 + 0.3 * site)})
    parts = cm.partial(log, y_true="y", y_score="s", by="site", bins=None)
    table = slice_tests(parts, "average_precision")
    assert table.equals(slice_tests(parts, "average_precision"))

    def drawn(frame):
        rows = (frame.sample(fraction=1, with_replacement=True, seed=i) for i in range(400))
        return [average_precision_score(one["y"], one["s"]) for one in rows]

    for row in table.iter_rows(named=True):
        gaps = [drawn(part) for part in split_at(log, row["site"])]
        z = row["difference"] / math.hypot(*(np.std(one) for one in gaps))
        assert row["statistic"] == pytest.approx(z, rel=0.15)
        assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(row["statistic"])), rel=0.1)
        assert row["reason"] is None
    few = slice_tests(parts.head(1), "average_precision", against=0.5)
    assert few["p_value"].null_count() == 0
    few = cm.partial(log.head(180), y_true="y", y_score="s", by="site", bins=None)
    few = slice_tests(few, "average_precision")
    assert few["p_value"].null_count() == 3
    assert few["reason"].str.contains("takes 50 rows").all()


def split_at(log, site):
    return log.filter(pl.col("site") == site), log.filter(pl.col("site") != site)


def numbers(n=900):
    rng = np.random.default_rng(6)
    y, site = rng.exponential(3, n), np.arange(n) % 3
    p = y + rng.standard_t(8, n) * (1 + 0.2 * site) + 0.1 * site
    return pl.DataFrame({"site": site, "y": y, "p": p, "w": rng.uniform(0.2, 2, n)})


@pytest.mark.parametrize("metric", ["mae", "mse", "rmse", "r2", "pearson_r", "mean_error"])
def test_numbers_of_slices_are_tested_by_their_standard_errors(metric) -> None:
    """Against the jackknife of slice and rest, rows left out one by one."""
    log = numbers(1_800)
    e = cm.evaluate(log, "y", "p", by="site", task="regression", ci=0.95)
    table = e.test_slices(metric, adjust="holm")
    for row in table.iter_rows(named=True):
        parts = split_at(log, row["site"])
        value, other = (cm.regression(part["y"], part["p"])[metric] for part in parts)
        assert (row["value"], row["other"]) == pytest.approx((value, other))
        errors = [jackknife(part["y"].to_numpy(), part["p"].to_numpy(), metric) for part in parts]
        z = (value - other) / math.hypot(*errors)
        assert row["statistic"] == pytest.approx(z, rel=0.15, abs=0.02)
        kept = [cm.regression(of["y"], of["p"], metrics=["intervals"]).ci(metric) for of in parts]
        freedom = [of.height - 1 for of in parts]
        reaches = stats.t.ppf(0.975, freedom)
        assert numbers_of(row) == pytest.approx(by_sides(*kept, freedom, reaches), rel=1e-5)
    assert table["p_adjusted"].to_list() == pytest.approx(
        cm.adjust_p(table["p_value"], "holm").to_list()
    )
    against = e.test_slices(metric, against=0.5)
    assert against["difference"].to_list() == pytest.approx((against["value"] - 0.5).to_list())


def jackknife(y, p, metric):
    less = [cm.regression(np.delete(y, i), np.delete(p, i))[metric] for i in range(len(y))]
    return math.sqrt((len(y) - 1) * np.var(less))


def test_numbers_without_a_standard_error_say_why() -> None:
    log = numbers()
    e = cm.evaluate(log, "y", "p", by="site", task="regression")
    assert set(e.test_slices("r2")["reason"]) == {
        "there is no standard error of r2: it takes powers that were not kept; "
        'metrics=["intervals"] keeps them'
    }
    assert e.test_slices("mae")["p_value"].null_count() == 0
    largest = e.test_slices("max_error")
    assert largest["p_value"].null_count() == 3
    with pytest.raises(cm.InputError, match="is no rate"):
        e.test_slices("mae", against="overall")
    with pytest.raises(cm.InputError, match="`fairness` is of classes"):
        e.fairness()


def test_mean_errors_of_two_slices_are_those_of_welch() -> None:
    log = numbers().filter(pl.col("site") < 2)
    e = cm.evaluate(log, "y", "p", by="site", task="regression")
    row = e.test_slices("mean_error").row(0, named=True)
    one, other = (part["p"] - part["y"] for part in split_at(log, row["site"]))
    wanted = stats.ttest_ind(one.to_numpy(), other.to_numpy(), equal_var=False)
    assert row["statistic"] == pytest.approx(wanted.statistic)


def label_sets():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, (900, 3))
    site = np.arange(900) % 3
    wrong = rng.random((900, 3)) < 0.1 + 0.05 * site[:, None]
    predicted = np.where(wrong, 1 - truth, truth)
    columns = {"site": site, **dict(zip("abc", truth.T, strict=True))}
    return pl.DataFrame(columns | dict(zip("ABC", predicted.T, strict=True)))


@pytest.mark.parametrize("metric", ["hamming_loss", "f1_samples", "exact_match"])
def test_label_sets_of_slices_are_tested_by_the_means_of_their_rows(metric) -> None:
    """Against Welch's statistic of what each row scores."""
    log = label_sets()
    table = cm.evaluate(log, list("abc"), list("ABC"), by="site").test_slices(metric)

    def of_rows(frame):
        truth, predicted = frame.select("a", "b", "c").to_numpy(), frame.select("A", "B", "C")
        right = (truth == predicted.to_numpy()).astype(float)
        both = (truth * predicted.to_numpy()).sum(1)
        sizes = truth.sum(1) + predicted.to_numpy().sum(1)
        f1 = np.divide(2.0 * both, sizes, out=np.full(len(both), np.nan), where=sizes > 0)
        return {"hamming_loss": 1 - right.mean(1), "exact_match": right.prod(1), "f1_samples": f1}

    for row in table.iter_rows(named=True):
        parts = [of_rows(part)[metric] for part in split_at(log, row["site"])]
        one, other = (part[~np.isnan(part)] for part in parts)
        assert row["value"] == pytest.approx(one.mean())
        assert row["other"] == pytest.approx(other.mean())
        z = stats.ttest_ind(one, other, equal_var=False).statistic
        assert row["statistic"] == pytest.approx(z, rel=0.06)
        assert row["p_value"] == pytest.approx(2 * stats.norm.sf(abs(row["statistic"])))


def test_averages_over_labels_are_tested_as_if_all_labels_rose_and_fell_together() -> None:
    log = label_sets()
    e = cm.evaluate(log, list("abc"), list("ABC"), by="site")
    for row in e.test_slices("f1_macro").iter_rows(named=True):
        parts = [
            cm.multilabel(*(part.select(names).to_numpy() for names in (list("abc"), list("ABC"))))
            for part in split_at(log, row["site"])
        ]
        found = [part.ci("f1_macro") for part in parts]
        assert numbers_of(row) == pytest.approx(by_sides(*found, (math.inf, math.inf)))
        se = math.hypot(*(part.ci("f1_macro").se for part in parts))
        of_labels = [[part.label(at).ci("f1").se for at in range(3)] for part in parts]
        independent = math.hypot(*(math.hypot(*of_part) / 3 for of_part in of_labels))
        assert independent < se < 2 * independent  # by a root of three
    assert e.test_slices("f1_micro")["p_value"].null_count() == 0
    with pytest.raises(cm.InputError, match="wanted one of label sets, as 'hamming_loss'"):
        e.test_slices("r2")
    parts = cm.partial(log, y_true=list("abc"), y_pred=list("ABC"), by="site")
    with pytest.raises(cm.InputError, match="label sets have no positive class"):
        slice_tests(parts, "exact_match", pos_label=1)
