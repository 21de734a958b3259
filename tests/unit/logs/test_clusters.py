"""`cluster=`: rows that belong together, at every door, in any split."""

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.matrices.clustered import ClusteredMatrix
from confmat.scores.clustered import ClusteredSweep, no_formula
from confmat.slices.values import slice_values

METRICS = ["accuracy", "mcc", "f1"]
SCORES = ["roc_auc", "brier"]


def log(n=900, seed=2, users=60):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, users, n)
    good = rng.beta(3, 1.5, users)
    y = rng.integers(0, 2, n)
    p = np.where(rng.random(n) < good[user], y, 1 - y)
    return pl.DataFrame(
        {
            "user": user,
            "site": rng.choice(["x", "y", None], n),
            "day": rng.integers(0, 3, n),
            "y": y,
            "p": p,
            "q": np.where(rng.random(n) < 0.8, y, 1 - y),
            "s": np.clip(0.3 + 0.4 * p + rng.normal(0, 0.2, n), 0, 1).round(2),
            "w": rng.uniform(0.2, 2, n),
        }
    )


def evaluated(frame, **options):
    return cm.evaluate(frame, "y", "p", cluster="user", ci=0.95, **options)


def by_user(frame, make):
    return [make(part).to_bytes() for (_,), part in frame.group_by("user", maintain_order=True)]


def test_intervals_are_those_of_the_clusters():
    frame = log()
    e = evaluated(frame, y_score="s", by="site", metrics=METRICS + SCORES)
    assert e.keys == ("site",)
    assert e.n == 900
    table = e.slices()
    assert "user" not in table.columns
    for row in table.rows(named=True):
        rows = frame.filter(pl.col("site").eq_missing(pl.lit(row["site"])))
        parts = by_user(rows, lambda part: cm.confusion_matrix(part["y"], part["p"]))
        matrix = ClusteredMatrix(cm.confusion_matrix(rows["y"], rows["p"]), parts)
        parts = cm.partial(rows, y_true="y", y_score="s", by="user")["state"].to_list()
        scores = ClusteredSweep(cm.sweep(rows["y"], rows["s"], bins="unit"), parts)
        for name in METRICS + SCORES:
            wanted = (matrix if name in METRICS else scores).interval(name)
            found = (row[name], row[f"{name}_low"], row[f"{name}_high"])
            assert found == pytest.approx(wanted[:3], rel=1e-12), name
    alone = cm.evaluate(frame, "y", "p", "s", by="site", metrics=METRICS + SCORES)
    values = ["site", "n", *METRICS, *SCORES]
    assert table.select(values).equals(alone.slices().select(values))
    assert e.matrix(site="x") == alone.matrix(site="x")
    assert e.states().equals(alone.states())


def test_users_are_wider_than_rows():
    frame = log()
    rows = cm.evaluate(frame, "y", "p", ci=0.95, metrics=METRICS).overall()
    users = evaluated(frame, metrics=METRICS).overall()
    assert (users["high"] - users["low"] > 1.3 * (rows["high"] - rows["low"])).all()
    assert users["value"].equals(rows["value"])


def test_every_split_gives_the_same_bytes(tmp_path):
    frame = log()
    options = {"y_score": "s", "by": "site", "metrics": METRICS}
    whole = evaluated(frame, **options)
    halves = [evaluated(part, **options) for part in (frame[:333], frame[333:], frame[:0])]
    assert sum(halves) == whole
    assert cm.merge([half.to_bytes() for half in halves]) == whole
    acc = cm.Accumulator("y", "p", "s", by="site", metrics=METRICS, cluster="user", ci=0.95)
    for part in frame.iter_slices(100):
        acc.update(part)
    assert acc.result() == whole
    assert cm.Accumulator.from_bytes(acc.to_bytes()).result() == whole
    kept = cm.from_bytes(whole.to_bytes())
    assert kept == whole
    assert kept.slices().equals(whole.slices())
    frame[:500].write_parquet(tmp_path / "1.parquet")
    check = tmp_path / "check"
    evaluated(tmp_path / "*.parquet", checkpoint=check, **options)
    frame[500:].write_parquet(tmp_path / "2.parquet")
    assert evaluated(tmp_path / "*.parquet", checkpoint=check, **options) == whole
    with pytest.raises(cm.StateError, match="`cluster` was 'user' and is not given"):
        cm.evaluate(tmp_path / "*.parquet", "y", "p", checkpoint=check, **options)
    with pytest.raises(cm.InputError, match="`cluster` differs"):
        whole + cm.evaluate(frame, "y", "p", **options)


@pytest.mark.parametrize("weight", [None, "w"])
def test_doors_give_the_same(weight):
    frame = log()
    table = evaluated(frame, by="site", metrics=METRICS, sample_weight=weight).slices()
    options = {"y_true": "y", "y_pred": "p", "sample_weight": weight}
    parts = cm.partial(frame, by=["site", "user"], **options)
    assert cm.finish(parts, METRICS, ci=0.95, cluster="user").equals(table)
    twice = pl.concat([cm.partial(half, by=["user", "site"], **options)
                       for half in (frame[:400], frame[400:])])  # fmt: skip
    found = cm.finish(twice.select("site", "user", "state"), METRICS, ci=0.95, cluster="user")
    if weight is None:
        assert found.equals(table)
    eager = frame.cm.evaluate(by="site", metrics=METRICS, ci=0.95, cluster="user", **options)
    assert eager.equals(table)
    lazy = cm.evaluate(frame.lazy(), by="site", metrics=METRICS, ci=0.95, cluster="user", **options)
    assert lazy.slices().equals(table)
    asked = {"by": "site", "metrics": METRICS, "ci": 0.95, "cluster": "user", "reasons": True}
    query = frame.lazy().cm.evaluate(**asked, **options, min_n=300)
    for engine in ("in-memory", "streaming"):
        found = query.collect(engine=engine)
        assert found.schema == query.collect_schema()
        assert found.equals(frame.cm.evaluate(**asked, **options, min_n=300))


def test_coarser_slices_are_those_of_their_rows():
    frame = log()
    e = evaluated(frame, y_score="s", by=["site", "day"], cube=True, metrics=METRICS + SCORES)
    table = e.slices()
    assert table["grouping"].n_unique() == 4
    ends = [f"{name}{end}" for name in METRICS + SCORES for end in ("_low", "_high")]
    for by in (["site"], ["day"], []):
        wanted = evaluated(frame, y_score="s", by=by, metrics=METRICS + SCORES).slices()
        found = table.filter(pl.col("grouping") == (", ".join(by) or "all"))
        for name in ends:
            assert found[name].to_list() == pytest.approx(wanted[name].to_list(), rel=1e-9)
    overall = e.overall()
    last = table.row(-1, named=True)
    for name, low, high in overall.select("metric", "low", "high").rows():
        assert (low, high) == (last[f"{name}_low"], last[f"{name}_high"])


def test_classes_models_and_few_rows():
    frame = log()
    table = evaluated(frame, by="site", per_class=True, metrics=["recall"]).slices()
    rows = frame.filter(pl.col("site") == "x")
    parts = by_user(rows, lambda part: cm.confusion_matrix(part["y"], part["p"]))
    matrix = ClusteredMatrix(cm.confusion_matrix(rows["y"], rows["p"]), parts)
    for label in (0, 1):
        found = table.filter((pl.col("site") == "x") & (pl.col("label") == label))
        wanted = matrix.interval("recall", pos_label=label)[:3]
        assert found.select("recall", "recall_low", "recall_high").row(0) == pytest.approx(wanted)
    filled = evaluated(frame, labels=[0, 1, 2], per_class=True, metrics=["recall"], undefined=0.5)
    assert filled.slices()["recall"].to_list()[2] == 0.5
    models = {"a": "p", "b": "q"}
    both = cm.evaluate(frame, "y", models, by="site", cluster="user", ci=0.95, metrics=METRICS)
    for model, column in models.items():
        alone = cm.evaluate(frame, "y", column, cluster="user", ci=0.95, metrics=METRICS)
        found = both.overall().filter(pl.col("model") == model).drop("model")
        assert found.equals(alone.overall())
    assert both.joint("a", "b").n == 900
    assert cm.from_bytes(both.to_bytes()) == both
    few = evaluated(frame, by="site", min_n=10_000, metrics=METRICS).slices()
    assert few["mcc_low"].null_count() == few.height


OBJECTS = {
    "classes": {
        "y_true": "y",
        "y_score": ["s", "rest"],
        "labels": [0, 1],
        "metrics": ["roc_auc_macro", "average_precision_weighted", "log_loss", "top_1_accuracy"],
    },
    "sets": {
        "y_true": ["y", "day"],
        "y_pred": ["p", "q"],
        "metrics": ["exact_match", "f1_samples", "f1_micro", "f1_macro"],
    },
    "numbers": {
        "y_true": "w",
        "y_pred": "s",
        "task": "regression",
        "metrics": ["mae", "rmse", "r2", "pinball(0.9)"],
    },
}


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("weight", [None, "user"])
def test_other_states_have_them_at_every_door(kind, weight, tmp_path):
    frame = log().with_columns(rest=1 - pl.col("s"), day=(pl.col("day") > 0).cast(pl.Int8))
    options = {"cluster": "user", "ci": 0.9, "sample_weight": weight} | OBJECTS[kind]
    metrics = options["metrics"]
    e = cm.evaluate(frame, by="site", **options)
    table = e.slices()
    assert table["site"].to_list() == ["x", "y", None]
    assert "user" not in table.columns
    for row in table.rows(named=True):
        for name in metrics:
            assert row[f"{name}_low"] < row[name] < row[f"{name}_high"], name
        rows = frame.filter(pl.col("site").eq_missing(pl.lit(row["site"])))
        alone = cm.evaluate(rows, **options).overall()
        ends = alone.select("value", "low", "high").rows()
        wanted = [(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in metrics]
        for one, other in zip(ends, wanted, strict=True):
            assert one == pytest.approx(other, rel=1e-9)
    plain = cm.evaluate(frame, by="site", **(options | {"cluster": None, "ci": None})).slices()
    found = table.select(plain.columns)
    assert [row[:3] for row in found.rows()] == [row[:3] for row in plain.rows()]
    for name in metrics:
        assert found[name].to_list() == pytest.approx(plain[name].to_list(), rel=1e-9)
    halves = [cm.evaluate(part, by="site", **options) for part in (frame[:333], frame[333:])]
    for name in table.columns[1:]:
        assert sum(halves).slices()[name].to_list() == pytest.approx(table[name].to_list())
    acc = cm.Accumulator(by="site", **options)
    for part in frame.iter_slices(300):
        acc.update(part)
    for name in table.columns[1:]:
        assert acc.result().slices()[name].to_list() == pytest.approx(table[name].to_list())
    kept = cm.from_bytes(e.to_bytes())
    assert kept.slices().equals(table)
    states = e.states(clusters=True)
    again = cm.finish(states, metrics, ci=0.9, cluster="user", reasons=True)
    assert again.select(table.columns).equals(table)
    assert again["reasons"].struct.unnest().null_count().row(0) == (3,) * len(metrics)
    whole = e.overall()
    assert whole["reason"].null_count() == len(metrics)
    assert (whole["high"] - whole["low"] > 0).all()
    assert str(e)


@pytest.mark.parametrize("weight", [None, "user"])
def test_numbers_of_frames_and_queries(weight):
    frame = log()
    of = {"y_true": "w", "y_pred": "s", "task": "regression", "sample_weight": weight}
    of |= {"metrics": ["mae", "r2"], "ci": 0.9, "cluster": "user"}
    wanted = cm.evaluate(frame, **of, by="site").slices()
    assert frame.cm.evaluate(**of, by="site").equals(wanted)
    query = frame.lazy().cm.evaluate(**of, by="site")
    assert query.collect().equals(wanted)
    assert query.collect_schema() == wanted.schema
    whole = cm.evaluate(frame, **of).overall()
    assert frame.cm.evaluate(**of)["mae_low"].item() == pytest.approx(whole["low"][0])
    cube = frame.cm.evaluate(**of, by=["site", "day"], cube=True)
    wanted = cm.evaluate(frame, **of, by=["site", "day"], cube=True).slices()
    for name in ("mae_low", "r2_high"):
        assert cube[name].to_list() == pytest.approx(wanted[name].to_list(), rel=1e-9)
    assert cube["grouping"].equals(wanted["grouping"])
    assert frame.lazy().cm.evaluate(**of, by=["site", "day"], cube=True).collect().equals(cube)


@pytest.mark.parametrize("kind", ["classes", "sets"])
def test_classes_and_labels_have_intervals_of_their_own(kind):
    frame = log().with_columns(rest=1 - pl.col("s"), day=(pl.col("day") > 0).cast(pl.Int8))
    options = OBJECTS[kind] | {"metrics": None}
    e = cm.evaluate(frame, by="site", cluster="user", ci=0.9, **options)
    names = {"classes": ["roc_auc", "average_precision"], "sets": ["recall", "jaccard"]}[kind]
    table = e.per_class(names)
    assert table.height == 6
    plain = cm.evaluate(frame, by="site", **options).per_class(names)
    assert table.select(plain.columns).equals(plain)
    for row in table.rows(named=True):
        rows = frame.filter(pl.col("site").eq_missing(pl.lit(row["site"])))
        of = {"cluster": "user", "ci": 0.9, "metrics": names}
        if kind == "classes":
            own = (pl.col("y") == row["label"]).alias("y"), pl.col(["s", "rest"][row["label"]])
            alone = cm.evaluate(rows.select("user", *own), "y", y_score=own[1].meta.output_name(),
                                **of)  # fmt: skip
        else:
            y, p = {"y": ("y", "p"), "day": ("day", "q")}[row["label"]]
            alone = cm.evaluate(rows, y, p, pos_label=1, **of)
        for name, low, high in alone.overall().select("metric", "low", "high").rows():
            found = row[f"{name}_low"], row[f"{name}_high"]
            assert found == pytest.approx((low, high), rel=1e-9), name
    independent = cm.evaluate(frame, by="site", ci=0.9, **options).per_class(names[:1])
    assert f"{names[0]}_low" in independent.columns


def test_numbers_keep_no_powers_for_clusters():
    frame = log()
    of = {"y_true": "w", "y_pred": "s", "task": "regression"}
    sizes = [
        cm.evaluate(frame, **of, by="user", ci=0.9).states()["state"].bin.size().mean(),
        cm.evaluate(frame, **of, cluster="user", ci=0.9)._stored["state"].bin.size().mean(),
    ]
    assert sizes[1] < sizes[0]


def test_what_has_no_interval_says_why():
    frame = log()
    told = evaluated(frame, y_score="s", metrics=["accuracy", "ks"]).overall()
    assert told["reason"].to_list() == [None, f"no interval: {no_formula('ks')}"]
    numbers = {"y_true": "w", "y_pred": "s", "task": "regression", "cluster": "user", "ci": 0.9}
    told = cm.evaluate(frame, **numbers, metrics=["max_error", "mae"]).overall()
    assert told["reason"][0].startswith("no interval: without one of the clusters: ")
    assert told["reason"][1] is None
    assert told["low"].null_count() == 1
    one = evaluated(frame.filter(pl.col("user") == 3), metrics=["accuracy"]).overall()
    assert one["reason"].to_list() == ["no interval: there is one cluster: wanted several"]
    slices = evaluated(frame, by="user", metrics=["accuracy"], reasons=True).slices()
    assert slices["accuracy_low"].null_count() == slices.height
    nothing = evaluated(frame[:0], metrics=["accuracy"]).overall()
    assert nothing["low"].to_list() == [None]


def test_pictures_have_these_intervals():
    frame = log()
    e = evaluated(frame, by="site", metrics=["accuracy"])
    table = slice_values(e.states(), "accuracy", clusters=e._every_cluster())
    wanted = e.slices()
    assert table["value_low"].to_list() == wanted["accuracy_low"].to_list()
    assert table["value_high"].to_list() == wanted["accuracy_high"].to_list()
    drawn = e.plot.slices("accuracy").to_json()
    assert str(wanted["accuracy_low"][0])[:8] in drawn


def test_pictures_of_numbers_have_these_intervals():
    of = {"y_true": "w", "y_pred": "s", "task": "regression", "metrics": ["mae"]}
    e = cm.evaluate(log(), **of, by="site", cluster="user", ci=0.95)
    table = slice_values(e.states(), "mae", clusters=e._every_cluster())
    assert table["value_low"].to_list() == e.slices()["mae_low"].to_list()


def test_what_takes_rows_as_independent_is_refused():
    e = evaluated(log(), by=["site", "day"])
    for asked in (
        lambda: e.worst("accuracy"),
        lambda: e.test_slices("accuracy"),
        lambda: e.fairness("site"),
        lambda: e.monitor("day"),
    ):
        with pytest.raises(cm.InputError, match="takes rows as independent, and `cluster`"):
            asked()


def test_questions_about_slices_need_slices():
    for e in (cm.evaluate(log(), "y", "p"), cm.evaluate(log(), "y", {"a": "p", "b": "q"})):
        for asked in (e.test_slices, e.worst):
            with pytest.raises(cm.InputError, match="there are none: `by` was not given"):
                asked("accuracy")


def test_hostile_arguments(tmp_path):
    frame = log(50)
    holes = frame.with_columns(user=pl.when(pl.col("user") != frame["user"][7]).then("user"))
    with pytest.raises(cm.InputError, match="`cluster` 'user' is null at row 7"):
        evaluated(holes)
    holes.write_parquet(tmp_path / "holes.parquet")
    with pytest.raises(cm.InputError, match=r"holes\.parquet: `cluster` 'user' is null at row 7"):
        evaluated(tmp_path / "holes.parquet")
    assert evaluated(holes, where=pl.col("user").is_not_null()).n < 50
    with pytest.raises(cm.InputError, match="`cluster` 'user' is null at row 7"):
        holes.cm.evaluate("y", "p", ci=0.9, cluster="user")
    for bad, message in ((["user"], "wanted the name of a column"), (3, "wanted the name"),
                         ("usr", "did you mean 'user'")):  # fmt: skip
        with pytest.raises(cm.InputError, match=message):
            cm.evaluate(frame, "y", "p", cluster=bad)
    lists = frame.with_columns(user=pl.concat_list("user"))
    with pytest.raises(cm.InputError, match="wanted plain values"):
        evaluated(lists)
    with pytest.raises(cm.InputError, match="not for scores for label sets"):
        cm.evaluate(frame, ["y", "p"], y_score=["s", "w"], cluster="user")
    with pytest.raises(cm.InputError, match="did you mean 'user'"):
        frame.lazy().cm.evaluate("y", "p", ci=0.9, cluster="usr")
    with pytest.raises(cm.InputError, match="give `ci`, too"):
        frame.lazy().cm.evaluate("w", "s", task="regression", cluster="user")
    lazy = holes.lazy().cm.evaluate("y", "p", ci=0.9, cluster="user")
    with pytest.raises(cm.InputError, match="`cluster` 'user' has nulls"):
        lazy.collect()
    holes = frame.with_columns(user=pl.when(pl.col("user") != frame["user"][7]).then("user"))
    with pytest.raises(cm.InputError, match="give `ci`, too"):
        frame.cm.evaluate("y", "p", cluster="user")
    with pytest.raises(cm.InputError, match="did you mean 'user'"):
        frame.cm.evaluate("y", "p", ci=0.9, cluster="usr")
    parts = cm.partial(frame, y_true="y", y_pred="p", by=["site", "user"])
    for bad in ("state", "usr", None, 3):
        if bad is not None:
            with pytest.raises(cm.InputError, match="wanted one of the keys"):
                cm.finish(parts, "accuracy", ci=0.9, cluster=bad)
    holes = parts.with_columns(user=pl.when(pl.int_range(pl.len()) != 1).then("user"))
    with pytest.raises(cm.InputError, match="null at row 1 of `parts`"):
        cm.finish(holes, "accuracy", ci=0.9, cluster="user")
    text = frame.with_columns(user=pl.col("user").cast(pl.String))
    found, wanted = (evaluated(rows, metrics=METRICS).overall() for rows in (text, frame))
    assert found["low"].to_list() == pytest.approx(wanted["low"].to_list(), rel=1e-12)


def test_a_column_of_clusters_may_be_a_key_and_a_value():
    frame = log()
    assert evaluated(frame, by="user").slices().height == 60
    both = cm.evaluate(frame, "y", "p", cluster="y", ci=0.95, metrics=["accuracy"]).overall()
    assert both["low"].null_count() == 0
