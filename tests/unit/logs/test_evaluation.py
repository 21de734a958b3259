"""What an evaluation gives: tables, objects of slices, several models, bytes, one screen."""

import pickle

import numpy as np
import polars as pl
import pytest

import confmat as cm

RNG = np.random.default_rng(3)
N = 900
LOG = pl.DataFrame(
    {
        "site": RNG.choice(["a", "b", "c", None], N).tolist(),
        "shift": RNG.integers(0, 3, N),
        "y": RNG.integers(0, 2, N),
        "a": RNG.integers(0, 2, N),
        "b": RNG.integers(0, 2, N),
        "s": RNG.random(N).round(3),
    }
)
KEYS = ["site", "shift"]
ASKED = {"y_true": "y", "y_pred": "a", "by": KEYS}


def test_numbers_of_all_rows_and_their_reasons():
    e = cm.evaluate(LOG, **ASKED)
    m = cm.confusion_matrix(LOG["y"], LOG["a"])
    assert e.matrix() == m
    assert (e.n, e.n_dropped, e.n_other, e.n_nan) == (N, 0, 0, 0)
    assert e.overall(["mcc", "f1"]).rows() == [("mcc", m.mcc, None), ("f1", m.f1, None)]
    # The labels that were found tell the positive class.
    assert {"precision", "recall", "f1"} <= set(e.overall()["metric"])
    one = cm.evaluate(LOG.filter(pl.col("y") == 0).with_columns(a=0), y_true="y", y_pred="a")
    assert one.overall("recall")["reason"].item() is not None


@pytest.mark.parametrize(
    "sets",
    [{"cube": True}, {"grouping_sets": [["site"], []]}, {"depth": 1}, {}],
    ids=str,
)
def test_coarser_slices_are_those_of_their_rows(sets):
    e = cm.evaluate(LOG, **ASKED, **sets, metrics=["accuracy", "mcc"])
    table = e.slices()
    groupings = {
        "cube": [KEYS, ["site"], ["shift"], []],
        "grouping_sets": [["site"], []],
        "depth": [["site"], ["shift"], []],
    }.get(next(iter(sets), ""), [KEYS])
    for keys in groupings:
        rows = table
        if sets:
            rows = table.filter(pl.col("grouping") == (", ".join(keys) or "all"))
        wanted = LOG.cm.evaluate("y", "a", by=keys or None, metrics=["accuracy", "mcc"])
        assert rows.select(wanted.columns).equals(wanted)
    assert table.height == sum(LOG.n_unique(keys) if keys else 1 for keys in groupings)


def test_small_slices_show_their_counts_alone():
    table = cm.evaluate(LOG, **ASKED, min_n=75, reasons=True, metrics="accuracy").slices()
    small = table.filter(pl.col("n") < 75)
    assert 0 < small.height < table.height
    assert small["accuracy"].null_count() == small.height
    assert small["reasons"].struct.field("accuracy").str.contains("75").all()
    assert table["n"].sum() == N


def test_intervals():
    e = cm.evaluate(LOG, **ASKED, ci=0.9)
    table = e.slices(["accuracy", "mcc"])
    assert table.columns == [*KEYS, "n", "n_dropped", "n_other", *(
        ["accuracy", "accuracy_low", "accuracy_high", "mcc", "mcc_low", "mcc_high"]
    )]  # fmt: skip
    assert (table["accuracy_low"] < table["accuracy"]).all()
    assert (table["accuracy"] < table["accuracy_high"]).all()
    overall = e.overall(["accuracy", "mcc"])
    assert overall.columns == ["metric", "value", "low", "high", "reason"]
    assert overall["low"].null_count() == 0
    # A wider level gives wider intervals.
    wide = e.slices("accuracy", ci=0.99)
    assert (wide["accuracy_low"] < table["accuracy_low"]).all()


def test_objects_of_slices():
    e = cm.evaluate(LOG, **ASKED, y_score="s")
    rows = LOG.filter(pl.col("site").is_null())
    assert e.matrix(site=None) == cm.confusion_matrix(rows["y"], rows["a"])
    rows = LOG.filter((pl.col("site") == "b") & (pl.col("shift") == 2))
    exact = cm.sweep(rows["y"], rows["s"])
    assert e.matrix(("b", 2)) == e.matrix({"site": "b", "shift": 2}) == e.matrix(site="b", shift=2)
    assert e.sweep(site="b", shift=2).roc_auc == exact.roc_auc
    for call, said in (
        (lambda: e.matrix(site="z"), "no slice has site = 'z'; values of 'site' are"),
        (lambda: e.matrix(town="z"), "`slice` has the key 'town'; the keys are"),
        (lambda: e.matrix("b"), "`slice` is 'b'; wanted values by key"),
        (lambda: cm.evaluate(LOG, **ASKED).sweep(), "without `y_score`: there is no sweep"),
    ):
        with pytest.raises(cm.InputError, match=said):
            call()


def test_a_row_a_class_and_slice():
    e = cm.evaluate(LOG, **ASKED, per_class=True, metrics=["recall", "support"])
    table = e.slices(["recall", "support"])
    assert table.columns == [*KEYS, "label", "recall", "support"]
    assert table.height == 2 * 12
    assert table["support"].sum() == N
    assert table.equals(e.per_class(["recall", "support"]))


def test_several_models_in_one_pass():
    e = cm.evaluate(LOG, y_true="y", y_pred=["a", "b"], y_score={"a": "s"}, by="site")
    assert e.models == ("a", "b")
    assert e.keys == ("model", "site")
    table = e.slices(["accuracy", "roc_auc"])
    alone = LOG.cm.evaluate("y", "b", by="site", metrics="accuracy")
    assert table.filter(pl.col("model") == "b").select(alone.columns).equals(alone)
    assert table.filter(pl.col("model") == "b")["roc_auc"].null_count() == 4
    assert e.overall("accuracy")["model"].to_list() == ["a", "b"]
    for call in (e.matrix, lambda: e.matrix(site="a")):
        with pytest.raises(cm.InputError, match=r"there are several models, .*; name one"):
            call()
    mixed = cm.evaluate(LOG, y_true="y", y_pred={"a": "a"}, y_score={"s": "s"}, by="site")
    assert mixed.slices(["accuracy", "roc_auc"]).height == 8
    assert mixed.sweep(model="s", site="b").n == LOG.filter(site="b").height
    assert e.matrix(model="b") == cm.confusion_matrix(LOG["y"], LOG["b"])
    joint = cm.joint_matrix(LOG["y"], LOG["a"], LOG["b"])
    assert e.joint("a", "b") == joint
    rows = LOG.filter(pl.col("site") == "c")
    assert e.joint("a", "b", site="c") == cm.joint_matrix(rows["y"], rows["a"], rows["b"])
    with pytest.raises(cm.InputError, match=r"kept in the other order: joint\('a', 'b'\)"):
        e.joint("b", "a")
    with pytest.raises(cm.InputError, match="no joint counts of 'a' and 'z'"):
        e.joint("a", "z")
    with pytest.raises(cm.InputError, match="no joint counts were kept"):
        cm.evaluate(LOG, **ASKED).joint("a", "b")
    with pytest.raises(cm.InputError, match="`model` is None; wanted one of"):
        e.fairness("site")
    assert e.fairness("site", model="b").table().height > 0


QUESTIONS = {
    "labels": ASKED,
    "scores": {"y_true": "y", "y_score": "s", "by": "site"},
    "both": ASKED | {"y_score": "s"},
    "models": {"y_true": "y", "y_pred": {"m": "a", "n": "b"}, "by": KEYS},
    "no keys": {"y_true": "y", "y_pred": "a"},
    "cube": ASKED | {"cube": True, "metrics": ["mcc"], "ci": 0.9},
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_parts_add_up_and_are_saved(name):
    asked = QUESTIONS[name]
    whole = cm.evaluate(LOG, **asked)
    parts = [cm.evaluate(LOG[at : at + 250], **asked) for at in range(0, N, 250)]
    assert sum(parts) == whole
    assert sum(parts).to_bytes() == whole.to_bytes()
    assert cm.merge([parts[0].to_bytes(), *parts[1:]]) == whole
    read = cm.from_bytes(whole.to_bytes())
    assert isinstance(read, cm.Evaluation)
    assert read == whole == pickle.loads(pickle.dumps(whole))
    assert read.slices().equals(whole.slices())
    assert read.overall().equals(whole.overall())
    assert str(read) == str(whole)


def test_other_questions_do_not_add_up():
    e = cm.evaluate(LOG, **ASKED)
    for other, said in (
        ({"by": "site"}, "the keys of slices differ"),
        ({"y_pred": "b"}, "`models` differs"),
        ({"nan": "drop"}, "`nan` differs: 'raise' and 'drop'"),
    ):
        with pytest.raises(cm.InputError, match=said):
            e + cm.evaluate(LOG, **ASKED | other)
    with pytest.raises(TypeError):
        e + 1


def test_no_prefix_and_no_flip_of_its_bytes_is_read():
    data = cm.evaluate(LOG[:40], **ASKED).to_bytes()
    for size in range(0, len(data), 97):
        with pytest.raises(cm.StateError):
            cm.from_bytes(data[:size])
    for at in range(0, 8 * len(data), 997):
        changed = bytearray(data)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises(cm.StateError):
            cm.from_bytes(bytes(changed))


def test_worst_slices_and_groups_are_those_of_the_parts():
    e = cm.evaluate(LOG, **ASKED, min_n=60)
    worst = e.worst("accuracy", n=3)
    assert worst.height == 3
    assert worst["loss"].is_sorted(descending=True)
    f = e.fairness("site", control="shift")
    assert 0 <= f.value("demographic_parity_difference", shift=1) <= 1
    pytest.importorskip("altair")
    assert "accuracy" in e.plot.slices("accuracy").title.text
    assert e.plot.heatmap("accuracy", "site", "shift").to_dict()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda e: e.fairness("sitee"), "`sensitive` has 'sitee'; the keys are ['site', 'shift']"),
        (lambda e: e.fairness("site", "s"), "`control` has 's'; the keys are ['site', 'shift']"),
        (lambda e: e.fairness([]), "`sensitive` is empty; wanted keys that make the groups"),
        (
            lambda e: e.fairness(metrics="roc_auc"),
            "give `y_score` to `cm.partial` or `cm.evaluate`",
        ),
        (lambda e: e.fairness().four_fifths_curve(), "there are no states of scores of two"),
        (lambda e: e.worst("roc_auc"), "give `y_score` to `cm.partial` or `cm.evaluate`"),
        (lambda e: e.test_slices("rmse"), "and the states are of something else"),
        (
            lambda e: e.monitor("sitee"),
            "`by` has the column 'sitee'; the keys are ['site', 'shift']",
        ),
    ],
)
def test_what_is_asked_is_refused_in_words_of_the_method(ask, message):
    with pytest.raises(cm.InputError) as told:
        ask(cm.evaluate(LOG, **ASKED))
    assert message in str(told.value)
    assert not any(f"`{name}`" in str(told.value) for name in ("parts", "states"))


def test_groups_need_keys():
    told = "`fairness` is of slices, and there are none: `by` was not given"
    with pytest.raises(cm.InputError, match=told):
        cm.evaluate(LOG, y_true="y", y_pred="a").fairness()


def test_one_screen():
    text = str(cm.evaluate(LOG.with_columns(y=pl.col("y").replace(0, None)), **ASKED))
    first = text.splitlines()[0]
    assert first.startswith("Evaluation: n = ")
    assert "dropped: null; 12 slices by site, shift" in first
    assert all(len(line) <= 96 for line in text.splitlines())
    html = cm.evaluate(LOG.with_columns(site=pl.lit("<script>")), **ASKED)._repr_html_()
    assert "<script>" not in html


def test_nothing_to_read():
    e = cm.evaluate(LOG.clear(), **ASKED)
    assert (e.n, e.complete, e.slices().height) == (0, True, 0)
    assert cm.from_bytes(e.to_bytes()) == e
    both = cm.evaluate(LOG.clear(), **ASKED, y_score="s")
    assert both.overall()["value"].null_count() == both.overall().height > 0
    assert "n = 0" in str(both)
    assert cm.evaluate(LOG.clear(), y_true="y", y_pred="a").overall()["value"].null_count() > 0


def test_metrics_without_an_interval_say_why():
    rows = pl.DataFrame({"y": [0, 1, 1, 0] * 9, "s": [0.1, 0.8, 0.3, 0.4] * 9})
    e = cm.evaluate(rows, "y", y_score="s", ci=0.95)
    why = dict(e.overall().select("metric", "reason").iter_rows())
    assert why["roc_auc"] is None
    named = e.overall(["roc_auc", "average_precision", "ks"])
    assert named["reason"].null_count() == 3
    for name in ("average_precision", "ks"):
        want = f"no interval: that of {name} takes rows drawn again; name it in `metrics`"
        assert why[name] == want
        drawn = named.row(by_predicate=pl.col("metric") == name, named=True)
        assert (drawn["low"], drawn["high"]) == e.sweep().ci(name, seed=0)[1:3]
