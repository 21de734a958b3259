"""A screen has the interval of one metric beside it, by default; frames have none."""

import sys

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.logs import screen, shown_intervals
from confmat.logs.shown_intervals import first_ends, with_asked, without_intervals
from confmat.render.frames import MAX_ROWS, text_of
from confmat.render.intervals import HEAD

RNG = np.random.default_rng(5)
N = 600
TRUTH = RNG.integers(0, 2, N)
SCORE = np.clip(0.3 * TRUTH + 0.7 * RNG.random(N), 0, 1)
FEW = np.arange(N) < 3
LOG = pl.DataFrame(
    {
        "site": np.where(FEW, "few", RNG.choice(["b", "c"], N)).tolist(),
        "user": RNG.integers(0, 60, N),
        "y": TRUTH,
        "a": np.where(FEW, TRUTH, SCORE > 0.5).astype(int),
        "s": SCORE,
        "x": TRUTH + SCORE,
    }
)


def heights_asked(monkeypatch):
    """Return a list that takes how many slices are asked for intervals, each time."""
    heights = []
    for name in ("metrics_table", "per_class_table"):
        of = getattr(shown_intervals, name)

        def told(parts, request, *rest, of=of, **options):
            if request.reading.ci is not None:
                heights.append(options.get("among", parts).height)
            return of(parts, request, *rest, **options)

        monkeypatch.setattr(shown_intervals, name, told)
    return heights


def row(e, *starts):
    """Return the line of the screen that starts with these words."""
    lines = [line.split() for line in str(e).splitlines()]
    return next(line for line in lines if line[: len(starts)] == list(starts))


def bracket(low, high):
    return [f"[{low:.4f},", f"{high:.4f}]"]


def test_three_rows_that_are_right_say_little():
    e = cm.evaluate(LOG, "y", "a", by="site")
    # Wilson: 3 / (3 + z**2), z of 95 %.
    assert row(e, "few", "3")[2:5] == ["1.0000", *bracket(3 / (3 + 1.959963984540054**2), 1)]
    assert "[0.4385, 1.0000]" in e._repr_html_()
    assert not [name for name in e.slices().columns if name.endswith(("_low", "_high", HEAD))]
    assert e.overall().columns == ["metric", "value", "reason"]


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        ({"y_pred": "a"}, "accuracy"),
        ({"y_pred": "a", "y_score": "s"}, "accuracy"),
        ({"y_score": "s"}, "roc_auc"),
        ({"y_score": "s", "bins": None}, "roc_auc"),
        ({"y_pred": "a", "metrics": ["f1", "accuracy"]}, "f1"),
        ({"y_score": "s", "metrics": ["ks", "brier"]}, "brier"),
        ({"y_pred": "a", "cluster": "user"}, "accuracy"),
        ({"y_score": "s", "cluster": "user"}, "roc_auc"),
        ({"y_pred": "x", "task": "regression"}, "mean_error"),
        ({"y_pred": "x", "task": "regression", "metrics": ["rmse", "mae"]}, "mae"),
    ],
)
def test_it_is_of_the_first_metric_that_has_one(options, metric):
    e = cm.evaluate(LOG, "y", by="site", **options)
    want = e.slices(metric, ci=0.95).row(by_predicate=pl.col("site") == "c", named=True)
    ends = bracket(want[f"{metric}_low"], want[f"{metric}_high"])
    line = row(e, "c")
    at = line.index(ends[0])
    assert line[at - 1 : at + 2] == [f"{want[metric]:.4f}", *ends]
    assert str(e).count(HEAD) == 2
    whole = e.overall(metric, ci=0.95).row(0, named=True)
    assert row(e, metric)[1:] == [f"{whole['value']:.4f}", *bracket(whole["low"], whole["high"])]


def test_where_intervals_were_asked_for_there_are_these_alone():
    e = cm.evaluate(LOG, "y", "a", by="site", ci=0.9)
    assert HEAD not in str(e)
    assert "accuracy_low" in str(e)


def test_where_there_is_none_no_column_is_shown():
    drawn = str(cm.evaluate(LOG, "y", y_score="s", by="site", metrics=["ks"]))
    assert drawn.count(HEAD) == 1  # of all rows
    assert HEAD not in str(cm.evaluate(LOG.clear(), "y", "a", by="site"))
    hidden = str(cm.evaluate(LOG, "y", "a", by="site", min_n=N))
    assert hidden.count(HEAD) == 1  # of all rows


@pytest.mark.parametrize("options", [{"cube": True}, {"per_class": True}])
def test_coarser_slices_and_classes_have_their_own(options):
    e = cm.evaluate(
        LOG.with_columns(low=pl.col("user") % 2), "y", "a", by=["site", "low"], **options
    )
    table = e.slices(ci=0.95)
    metric = "precision" if "per_class" in options else "accuracy"
    texts = [
        f"[{low:.4f}, {high:.4f}]"
        for low, high in table.select(f"{metric}_low", f"{metric}_high").drop_nulls().rows()
    ]
    assert len(texts) > 6
    assert all(text in str(e) for text in texts)


def test_each_model_has_its_own():
    e = cm.evaluate(LOG.with_columns(b=1 - pl.col("a")), "y", {"A": "a", "B": "b"}, by="site")
    whole = e.overall("accuracy", ci=0.95)
    for model, value, low, high in whole.select("model", "value", "low", "high").rows():
        assert row(e, model)[1:4] == [f"{value:.4f}", *bracket(low, high)]
    assert row(e, "A", "few")[4:6] == bracket(3 / (3 + 1.959963984540054**2), 1)


def test_only_slices_that_are_shown_are_asked(monkeypatch):
    many = pl.concat([LOG.with_columns(site=pl.lit(f"{at:03}")) for at in range(40)])
    e = cm.evaluate(many, "y", "a", by="site")
    asked = heights_asked(monkeypatch)
    assert "... and 20 more" in str(e)
    assert asked == [20]


def test_rows_in_any_order_have_their_own():
    e = cm.evaluate(LOG, "y", "a", by="site")
    table = e.slices(ci=0.95).sort("accuracy")
    metric, ends = first_ends(e, table.select("site", "n", "accuracy"), ["accuracy"])
    assert metric == "accuracy"
    assert ends["low"].to_list() == pytest.approx(table["accuracy_low"].to_list())


def test_no_scipy_is_read(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    for options in ({"y_pred": "a"}, {"y_score": "s"}, {"y_pred": "a", "cluster": "user"}):
        assert str(cm.evaluate(LOG, "y", by="site", **options)).count(HEAD) == 2


SHOWN = {
    "classes": {"y_true": "y", "y_pred": "p", "by": "k"},
    "cubes": {"y_true": "y", "y_pred": "p", "by": ["k", "j"], "cube": True},
    "scores": {"y_true": "b", "y_score": "s", "by": "k"},
    "both": {"y_true": "b", "y_pred": "q", "y_score": "s", "by": "k"},
    "clusters": {"y_true": "y", "y_pred": "p", "by": "k", "cluster": "u"},
    "of each class": {"y_true": "y", "y_pred": "p", "by": "k", "per_class": True},
    "numbers": {"y_true": "z", "y_pred": "s", "by": "k", "task": "regression"},
    "models": {"y_true": "y", "y_pred": ["p", "j"], "by": "k"},
    "few rows": {"y_true": "y", "y_pred": "p", "by": "k", "min_n": 60, "reasons": True},
}


@pytest.mark.parametrize("asked", SHOWN)
def test_a_screen_asks_for_the_intervals_of_the_slices_that_it_shows(asked, monkeypatch):
    """The text is that of the whole table, whose other rows are not asked for their intervals."""
    rng = np.random.default_rng(0)
    n = 3_000
    y, k = rng.integers(0, 3, n), rng.integers(0, 40, n)
    log = pl.DataFrame({"k": k, "j": k % 3, "u": rng.integers(0, 90, n), "y": y, "b": y > 0})
    log = log.with_columns(
        # A third class in the last slices alone: the usual metrics are those of all slices.
        y=pl.when(k < 30).then(pl.col("y") % 2).otherwise("y"),
        k=pl.when(k == 3).then(None).otherwise("k"),
        s=rng.random(n) * 0.5 + (y > 0) * 0.4,
        z=y + rng.normal(size=n),
        q=rng.random(n) < 0.5,
        p=rng.integers(0, 2, n),
    )
    e = cm.evaluate(log, ci=0.9, **SHOWN[asked])
    table = e.slices()
    if "grouping" in table.columns:
        sets = table["grouping"].unique(maintain_order=True).reverse()
        table = pl.concat([table.filter(pl.col("grouping") == one) for one in sets])
    heights = heights_asked(monkeypatch)
    shown = str(e)
    assert heights == [min(heights)]
    assert heights[0] <= MAX_ROWS < e.slices().height
    whole = screen._few_columns(table, len(e.keys) + ("grouping" in table.columns))
    assert shown.endswith(text_of("", [whole]).lstrip())


def test_the_usual_metrics_of_a_screen_are_those_of_all_slices():
    site = np.arange(600) // (600 // (MAX_ROWS + 5))
    y = np.where(site == site.max(), RNG.integers(0, 3, 600), RNG.integers(0, 2, 600))
    log = pl.DataFrame({"site": site, "y": y, "p": np.where(RNG.random(600) < 0.8, y, 0)})
    e = cm.evaluate(log, "y", "p", by="site", ci=0.95)
    found = with_asked(e, without_intervals(e), MAX_ROWS)
    assert found.columns == e.slices().columns
    assert found.head(MAX_ROWS).equals(e.slices().head(MAX_ROWS))
