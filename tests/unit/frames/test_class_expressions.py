"""Scores of many classes and label sets in expressions: the numbers and states of the objects."""

import inspect

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sklearn import metrics as sk

import confmat as cm

RNG = np.random.default_rng(30)
N, K = 600, 4
NAMES = ["ant", "bee", "cat", "dog"]
_SCORES = RNG.dirichlet(np.ones(K), N)
_TRUE, _GUESS = RNG.random((N, 3)) < 0.4, RNG.random((N, 3)) < 0.5
FRAME = pl.DataFrame(
    {
        "g": np.arange(N) // 150,
        "y": [NAMES[i] for i in RNG.integers(0, K, N)],
        **{f"p_{name}": _SCORES[:, i] for i, name in enumerate(NAMES)},
        **{f"t{i}": _TRUE[:, i] for i in range(3)},
        **{f"u{i}": _GUESS[:, i] for i in range(3)},
        "tags": [[n for n, there in zip("abc", row, strict=True) if there] for row in _TRUE],
        "guess": [[n for n, there in zip("abc", row, strict=True) if there] for row in _GUESS],
        **{f"s{i}": RNG.random(N).round(2) for i in range(3)},
        "k": RNG.integers(0, 5, N),
        "w": RNG.random(N),
    }
).with_columns(
    row=pl.concat_list(f"p_{name}" for name in NAMES),
    s=pl.concat_arr(f"s{i}" for i in range(3)),
)
P = [f"p_{name}" for name in NAMES]
T, U, S = ([f"{letter}{i}" for i in range(3)] for letter in "tus")
CLASSES = ["roc_auc_macro", "roc_auc_ovo", "average_precision_micro", "log_loss", "top_2_accuracy"]
SETS = ["exact_match", "f1_samples", "mcc_macro"]
SET_SCORES = ["roc_auc_micro", "ks_macro", "coverage_error"]


def classes(rows, w):
    return cm.multiclass_sweep(rows["y"], rows.select(P), labels=NAMES, sample_weight=w)


def sets(rows, w):
    return cm.multilabel(rows["tags"], rows["guess"], labels=list("abc"), sample_weight=w)


def tables(rows, w):
    pred = rows.select(U).rename(dict(zip(U, T, strict=True)))
    return cm.multilabel(rows.select(T), pred, sample_weight=w)


def scored(rows, w):
    return cm.multilabel_sweep(rows.select(T), rows.select(S).to_numpy(), sample_weight=w)


# Names, expression of options, object of rows and weights.
ASKED = {
    "columns": (CLASSES, lambda **o: cm.multiclass_metrics("y", P, labels=NAMES, **o), classes),
    "List": (CLASSES, lambda **o: cm.multiclass_metrics("y", "row", labels=NAMES, **o), classes),
    "List in a list": (
        CLASSES,
        lambda **o: pl.col("y").cm.multiclass_metrics(["row"], labels=NAMES, **o),
        classes,
    ),
    "sets": (
        SETS,
        lambda **o: cm.multilabel_metrics("tags", "guess", labels=list("abc"), **o),
        sets,
    ),
    "Booleans": (SETS, lambda **o: cm.multilabel_metrics(T, U, **o), tables),
    "Array": (
        SET_SCORES,
        lambda **o: cm.multilabel_metrics(T, y_score="s", **o),
        scored,
    ),
}


@pytest.mark.parametrize("weight", [None, "k", "w"])
@pytest.mark.parametrize("what", ASKED)
def test_every_group_has_the_numbers_of_its_object(what, weight):
    names, asked, make = ASKED[what]
    expression = asked(metrics=names, sample_weight=weight)
    eager = FRAME.group_by("g").agg(m=expression).sort("g")
    query = FRAME.lazy().group_by("g").agg(m=expression).sort("g")
    assert_frame_equal(query.collect(engine="streaming"), eager, check_exact=True)
    assert query.collect_schema() == eager.schema
    for g, m in eager.rows():
        rows = FRAME.filter(pl.col("g") == g)
        of = make(rows, None if weight is None else rows[weight])
        wanted = [of.n, of.n_dropped, *(of.value(name) for name in names)]
        assert list(m.values()) == pytest.approx(wanted, rel=1e-13)
        assert list(m) == ["n", "n_dropped", *names]
    whole = FRAME.select(m=expression).item()
    over = FRAME.select(expression.over("g").alias("m"))["m"]
    assert over.to_list()[::150] == eager["m"].to_list()
    assert whole["n"] == pytest.approx(sum(m["n"] for m in eager["m"]))


def test_the_numbers_are_those_of_scikit_learn():
    found = FRAME.group_by("g").agg(m=cm.multiclass_metrics("y", P, CLASSES, labels=NAMES))
    for g, m in found.rows():
        rows = FRAME.filter(pl.col("g") == g)
        scores = rows.select(P).to_numpy()
        areas = [sk.roc_auc_score(rows["y"], scores, multi_class=kind) for kind in ("ovr", "ovo")]
        assert [m["roc_auc_macro"], m["roc_auc_ovo"]] == pytest.approx(areas, rel=1e-12)
        assert m["log_loss"] == pytest.approx(sk.log_loss(rows["y"], scores), rel=1e-12)


STATES = {
    "classes": (lambda **o: cm.state("y", y_score=P, labels=NAMES, **o), classes),
    "List": (lambda **o: pl.col("y").cm.state(y_score=["row"], labels=NAMES, **o), classes),
    "sets": (lambda **o: cm.state(["tags"], ["guess"], labels=list("abc"), **o), sets),
    "Booleans": (lambda **o: cm.state(T, U, **o), tables),
    "set scores": (lambda **o: cm.state(T, y_score=S, **o), scored),
}


@pytest.mark.parametrize("weight", [None, "k"])
@pytest.mark.parametrize("what", STATES)
def test_states_are_those_of_objects_and_merge(what, weight):
    asked, make = STATES[what]
    state = asked(sample_weight=weight)

    def saved(rows):
        made = make(rows, None if weight is None else rows[weight])
        return (made.to_state() if hasattr(made, "to_state") else made).to_bytes()

    days = FRAME.group_by("g").agg(state).sort("g")
    for g, found in days.rows():
        assert found == saved(FRAME.filter(pl.col("g") == g))
    assert days.select(pl.col("state").cm.merge_states()).item() == saved(FRAME)
    lazy = FRAME.lazy().group_by("g").agg(state).sort("g").collect(engine="streaming")
    assert lazy.equals(days)


PARTS = {
    "classes": ({"y_true": "y", "y_score": P, "labels": NAMES}, CLASSES, classes),
    "sets": ({"y_true": ["tags"], "y_pred": ["guess"], "labels": list("abc")}, SETS, sets),
    "set scores": ({"y_true": T, "y_score": S}, SET_SCORES, scored),
}


@pytest.mark.parametrize("what", PARTS)
def test_frames_of_states_give_the_numbers_of_objects(what):
    columns, names, make = PARTS[what]
    names = [name for name in names if name != "roc_auc_ovo"]  # pairs are not kept
    days = [cm.partial(part, by="g", **columns) for part in (FRAME[:200], FRAME[200:])]
    found = cm.finish(pl.concat(days), metrics=names, reasons=True)
    assert found.columns == ["g", "n", "n_dropped", *names, "reasons"]
    assert found["n"].dtype == pl.UInt64
    for g, *values, _ in found.rows():
        of = make(FRAME.filter(pl.col("g") == g), None)
        of = of.to_state() if hasattr(of, "to_state") else of
        wanted = [of.n, of.n_dropped, *(of.value(name) for name in names)]
        assert values == pytest.approx(wanted, rel=1e-12)
    assert cm.finish(days[0]).width == 3 + {"classes": 3, "sets": 5, "set scores": 4}[what]
    weighted = cm.finish(cm.partial(FRAME, sample_weight="k", **columns), metrics=[])
    assert weighted.schema["n"] == pl.Float64
    assert weighted["n"].item() == FRAME["k"].sum()
    with pytest.raises(cm.InputError, match="are for states of matrices"):
        cm.finish(days[0], pos_label=1)
    with pytest.raises(cm.InputError, match="the key 'n', a name of the result"):
        cm.finish(days[0].rename({"g": "n"}))


def test_lists_of_columns_of_predictions_and_of_scores_are_apart():
    with pytest.raises(cm.InputError, match="of lists of columns wanted one"):
        cm.partial(FRAME, y_true="y", y_pred="y", y_score=P)
    with pytest.raises(cm.InputError, match="`y_score` names the column 'none'"):
        cm.partial(FRAME, y_true="y", y_score=["none"])


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("weight", [None, "k"])
def test_evaluate_takes_the_scores_of_many_classes(lazy, weight):
    frame = FRAME.with_columns(p=pl.col("y").shift(1, fill_value="ant"))
    options = {"by": "g", "labels": NAMES, "sample_weight": weight}

    def evaluated(**more):
        table = (frame.lazy() if lazy else frame).cm.evaluate("y", **options, **more)
        return table.collect() if lazy else table

    names = ["f1_macro", *CLASSES]
    asked = cm.multiclass_metrics("y", P, CLASSES, labels=NAMES, sample_weight=weight)
    scored = frame.group_by("g").agg(m=asked).sort("g").unnest("m")
    plain = evaluated(y_pred="p", metrics="f1_macro")
    both = evaluated(y_pred="p", y_score=P, metrics=names)
    renamed = scored.rename({"n": "n_scored", "n_dropped": "n_unscored"})
    assert_frame_equal(both, plain.hstack(renamed.drop("g")), check_dtypes=False)
    alone = evaluated(y_pred=None, y_score=["row"], metrics=CLASSES, reasons=True)
    assert_frame_equal(alone.drop("reasons"), scored, check_dtypes=False)
    cube = evaluated(y_pred=None, y_score=P, cube=True)
    assert cube["grouping"].to_list() == [*["g"] * 4, "all"]
    with pytest.raises(cm.InputError, match="`y_score` names the column 'zz'"):
        evaluated(y_score=["zz"])
    with pytest.raises(cm.InputError, match="unknown metric"):
        evaluated(y_score=P, metrics=["roc_auc_macroo"])
    with pytest.raises(cm.InputError, match="`nan` and `pos_label` are for one column"):
        evaluated(y_score=P, nan="drop")


def test_undefined_values_are_null_and_say_why():
    rows = FRAME.head(5).with_columns(y=pl.lit("ant"))
    names = ["roc_auc_macro", "top_1_accuracy"]
    found = rows.select(cm.multiclass_metrics("y", P, names, labels=NAMES, reasons=True)).item()
    assert found["roc_auc_macro"] is None
    assert found["reasons"] == {
        "roc_auc_macro": "all rows are of one class",
        "top_1_accuracy": None,
    }
    filled = cm.multiclass_metrics("y", P, names, labels=NAMES, undefined=0.5)
    assert rows.select(filled).item()["roc_auc_macro"] == 0.5


def test_nothing_is_lost():
    rows = FRAME.with_columns(y=pl.when(pl.col("k") > 0).then("y"))
    found = rows.select(cm.multiclass_metrics("y", P, [], labels=NAMES)).item()
    assert found["n"] + found["n_dropped"] == N
    assert found["n_dropped"] == rows["y"].null_count() > 0
    none = FRAME.clear().select(cm.multiclass_metrics("y", P, labels=NAMES)).item()
    assert list(none.values()) == [0, 0, None, None, None]


def test_columns_named_after_classes_need_no_labels():
    renamed = FRAME.rename(dict(zip(P, NAMES, strict=True)))
    few = renamed.filter(pl.col("y").is_in(["ant", "bee"]))
    found = few.select(cm.multiclass_metrics("y", NAMES, "log_loss")).item()
    wanted = cm.multiclass_sweep(few["y"], few.select(NAMES)).log_loss
    assert found["log_loss"] == pytest.approx(wanted)


BAD = {
    "unknown": (lambda: cm.multiclass_metrics("y", P, ["roc_acu"]), "did you mean roc_auc"),
    "unknown of sets": (lambda: cm.multilabel_metrics(T, U, ["f77_samples"]), "f77"),
    "without average": (lambda: cm.multilabel_metrics(T, U, ["f1"]), "f1_samples"),
    "twice": (lambda: cm.multiclass_metrics("y", P, ["brier", "brier"]), "holds 'brier' twice"),
    "n": (lambda: cm.multiclass_metrics("y", P, ["n"]), "always there|no number"),
    "undefined": (lambda: cm.multiclass_metrics("y", P, undefined="x"), "`undefined` is 'x'"),
    "tolerance": (lambda: cm.multiclass_metrics("y", P, tolerance=2), "`tolerance` is 2"),
    "no column": (lambda: cm.multiclass_metrics("y", []), "list of columns is empty"),
    "no name": (lambda: cm.multiclass_metrics("y", ["a", 3]), "int at position 1"),
    "both": (lambda: cm.multilabel_metrics(T, U, y_score=S), "are both given"),
    "bins": (lambda: cm.state("y", y_score=P, bins=3), "`bins` is 3"),
    "bins of sets": (lambda: cm.state(T, U, bins=256), "`bins` is 256"),
    "nan of classes": (lambda: cm.state("y", y_score=P, nan="drop"), "`nan` is 'drop'"),
    "positive": (lambda: cm.state("y", y_score=P, pos_label=1), "`pos_label` is for one column"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_asked_is_refused_at_once(what):
    make, message = BAD[what]
    with pytest.raises(cm.InputError, match=message):
        make()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_bad_rows_are_refused(engine):
    rows = FRAME.lazy().with_columns(p_ant=pl.when(pl.int_range(pl.len()) != 7).then("p_ant"))
    asked = cm.multiclass_metrics("y", P, labels=NAMES)
    with pytest.raises(cm.InputError, match="in a group of 600 rows: `scores` holds a null at row"):
        rows.select(asked).collect(engine=engine)
    with pytest.raises(cm.InputError, match="pass labels="):
        FRAME.filter(pl.col("y") != "ant").select(cm.multiclass_metrics("y", "row"))


def test_methods_show_their_options():
    for name in ("multiclass_metrics", "multilabel_metrics"):
        method, function = getattr(pl.col("y").cm, name), getattr(cm, name)
        assert set(inspect.signature(method).parameters) == set(
            inspect.signature(function).parameters
        ) - {"y_true"}


def test_what_no_row_is_needed_for_names_no_group_of_rows():
    frame = pl.DataFrame({"y": ["a", "b"], "b": [0.1, 0.9], "a": [0.9, 0.1]})
    told = "^`scores` has the column 'b' at position 0 and `labels` 'a'"
    with pytest.raises(cm.InputError, match=told):
        cm.evaluate(frame, "y", y_score=["b", "a"], labels=["a", "b"])
    cm.evaluate(frame, "y", y_score=["a", "b"], labels=["a", "b"])
    with pytest.raises(Exception, match="in a group of 2 rows: `scores` has the column 'b'"):
        frame.select(cm.multiclass_metrics("y", ["b", "a"], labels=["a", "b"]))
