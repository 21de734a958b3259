"""States of matrices as a column: the bytes of other doors, sums, metrics, what is refused."""

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError

import confmat as cm

RNG = np.random.default_rng(29)
N = 900
CODES = {
    "y": RNG.integers(0, 4, N),
    "p": RNG.integers(0, 4, N),
}
FRAME = pl.DataFrame(
    {
        "day": np.arange(N) // 90,
        "site": RNG.integers(0, 3, N),
        **CODES,
        "k": RNG.integers(0, 5, N),
        "w": RNG.random(N),
    }
)
NAMES = ["ant", "bee", "cat", "a much longer name of a class"]
KINDS = {
    "Int64": lambda c: c,
    "Int8": lambda c: c.cast(pl.Int8),
    "UInt64": lambda c: c.cast(pl.UInt64),
    "Boolean": lambda c: c > 1,
    "String": lambda c: c.replace_strict(dict(enumerate(NAMES))),
    "Categorical": lambda c: c.replace_strict(dict(enumerate(NAMES)), return_dtype=pl.Categorical),
    "Enum": lambda c: c.replace_strict(
        dict(enumerate(NAMES)), return_dtype=pl.Enum([*NAMES[::-1], "dog"])
    ),
}
LABELS = {
    "Int64": [3, 2, 1, 0, 9],
    "Int8": [0, 1, 2, 3],
    "UInt64": range(300),
    "Boolean": [True, False],
    "String": NAMES,
    "Categorical": NAMES[::-1],
    "Enum": [*NAMES[::-1], "dog"],
}


def frame_of(kind, nulls=True):
    there = pl.int_range(pl.len()) % 50 > 0
    changed = [KINDS[kind](pl.col(name)) for name in ("y", "p")]
    return FRAME.with_columns(pl.when(there | (not nulls)).then(c) for c in changed)


def eager(rows, weight, **options):
    weights = None if weight is None else rows[weight]
    return cm.confusion_matrix(rows["y"], rows["p"], sample_weight=weights, **options)


@pytest.mark.parametrize("weight", [None, "k", "w"], ids=["none", "integers", "floats"])
@pytest.mark.parametrize("given", [False, True], ids=["found", "given"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bytes_are_those_of_other_doors(kind, given, weight):
    frame = frame_of(kind)
    options = {"labels": LABELS[kind]} if given else {}
    expression = cm.state("y", "p", sample_weight=weight, **options)
    assert frame.select(expression).item() == eager(frame, weight, **options).to_bytes()
    grouped = dict(frame.group_by("site").agg(expression).iter_rows())
    lazy = frame.lazy().group_by("site").agg(expression).collect(engine="streaming")
    assert dict(lazy.iter_rows()) == grouped
    for (site,), rows in frame.group_by("site"):
        assert grouped[site] == eager(rows, weight, **options).to_bytes()


@pytest.mark.parametrize("weight", [None, "k", "w"], ids=["none", "integers", "floats"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bytes_of_nulls_alone_are_those_of_other_doors(kind, weight):
    frame = frame_of(kind).with_columns(y=pl.lit(None, KINDS[kind](FRAME["y"]).dtype))
    of_matrix = eager(frame, weight).to_bytes()
    expression = cm.state("y", "p", sample_weight=weight)
    assert frame.select(expression).item() == of_matrix
    parts = frame.group_by("site").agg(s=expression)
    assert cm.merge(parts["s"].to_list()).to_bytes() == of_matrix
    assert cm.partial(frame, y_true="y", y_pred="p", sample_weight=weight)["state"][0] == of_matrix


@pytest.mark.parametrize("weight", [None, "k", "w"], ids=["none", "integers", "floats"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_split_merges_to_the_whole(kind, weight):
    frame = frame_of(kind).with_columns(step=pl.int_range(pl.len()) // 7)
    whole = eager(frame, weight).to_bytes()
    for by in ("day", "site", "step"):
        states = frame.group_by(by).agg(pl.col("y").cm.state("p", sample_weight=weight))
        assert states.select(pl.col("state").cm.merge_states()).item() == whole
        assert cm.merge(states["state"].to_list()).to_bytes() == whole
        again = states.with_columns(half=pl.int_range(pl.len()) % 2)
        halves = again.lazy().group_by("half").agg(pl.col("state").cm.merge_states())
        merged = halves.select(pl.col("state").cm.merge_states())
        for engine in ("in-memory", "streaming"):
            assert merged.collect(engine=engine).item() == whole


@pytest.mark.parametrize("weight", [None, "k", "w"], ids=["none", "integers", "floats"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [False, True], ids=["found", "given"])
def test_the_metrics_are_those_of_the_rows(kind, weight, given):
    frame = frame_of(kind)
    labels = {"labels": LABELS[kind]} if given else {}
    names = ["accuracy", "recall_macro", "f1_weighted", "mcc", "kappa", "kappa_linear", "eve"]
    names += ["f1"] if kind == "Boolean" else []
    for options in ({}, {"undefined": 0.5}, {"smoothing": 1.5}, {"keep_empty": True}):
        states = frame.group_by("site", maintain_order=True).agg(
            cm.state("y", "p", sample_weight=weight, **labels)
        )
        out = states.select("site", pl.col("state").cm.state_metrics(names, **options))
        rows = frame.group_by("site", maintain_order=True).agg(
            cm.metrics("y", "p", names, sample_weight=weight, **options, **labels)
        )
        ours, theirs = out.unnest("metrics"), rows.unnest("metrics")
        assert ours.columns == theirs.columns
        for column in ours.columns:
            rtol = 0 if column.startswith("n") or weight is None else 1e-14
            np.testing.assert_allclose(ours[column], theirs[column], rtol=rtol)


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize(
    ("kind", "positive"), [("Int64", 2), ("Boolean", False), ("String", "bee")]
)
def test_the_positive_class_is_kept(kind, positive, given):
    frame = frame_of(kind)
    options = {"labels": LABELS[kind]} if given else {}
    expression = cm.state("y", "p", pos_label=positive, **options)
    matrix = eager(frame, None, pos_label=positive, **options)
    assert frame.select(expression).item() == matrix.to_bytes()
    days = frame.group_by("day").agg(expression)
    merged = days.select(pl.col("state").cm.merge_states())
    assert merged.item() == matrix.to_bytes()
    out = merged.select(pl.col("state").cm.state_metrics(["precision", "mcc"])).unnest("metrics")
    assert out.row(0)[3:] == (matrix.precision, matrix.mcc)
    other = frame["y"].drop_nulls()[0]
    other = (
        other
        if other != positive
        else frame["y"].drop_nulls().filter(frame["y"].drop_nulls() != positive)[0]
    )
    out = merged.select(pl.col("state").cm.state_metrics("recall", pos_label=other))
    assert out.item()["recall"] == eager(frame, None, pos_label=other, **options).recall


def test_a_positive_class_that_a_group_lacks_is_among_its_labels():
    frame = pl.DataFrame({"g": [1, 1, 2], "y": ["a", "b", "c"], "p": ["b", "b", "c"]})
    states = frame.group_by("g", maintain_order=True).agg(cm.state("y", "p", pos_label="b"))
    second = cm.from_bytes(states["state"][1])
    assert (second.labels, second.pos_label, second.n) == (("b", "c"), "b", 1)
    merged = states.select(pl.col("state").cm.merge_states()).item()
    assert merged == cm.confusion_matrix(frame["y"], frame["p"], pos_label="b").to_bytes()
    ones = pl.DataFrame({"g": [1, 1, 2, 2], "y": [0, 1, 2, 2], "p": [1, 1, 1, 2]})
    states = ones.group_by("g").agg(cm.state("y", "p", pos_label=1))
    merged = states.select(pl.col("state").cm.merge_states()).item()
    assert merged == cm.confusion_matrix(ones["y"], ones["p"], pos_label=1).to_bytes()
    zeros = pl.DataFrame({"g": [1, 2], "y": [0, 1], "p": [0, 1]})
    states = zeros.group_by("g").agg(cm.state("y", "p", pos_label=0))
    merged = states.select(pl.col("state").cm.merge_states()).item()
    assert merged == cm.confusion_matrix(zeros["y"], zeros["p"], pos_label=0).to_bytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", [None, "k", "w"])
def test_rows_that_are_left_out_are_counted(kind, weight):
    frame = frame_of(kind).with_columns(site=pl.when(pl.col("day") > 0).then("site"))
    few = frame.with_columns(pl.when(pl.col("day") > 3).then(pl.col("y", "p")))
    expression = cm.state("y", "p", sample_weight=weight)
    for rows, states in zip(
        (frame, few),
        (f.group_by("day").agg(expression).sort("day") for f in (frame, few)),
        strict=True,
    ):
        for day, state in states.rows():
            part = rows.filter(day=day)
            n_null = part.select((pl.col("y").is_null() | pl.col("p").is_null()).sum()).item()
            matrix = cm.from_bytes(state)
            assert matrix.n_dropped == n_null
            if n_null < len(part):
                assert matrix == eager(part, weight)


def test_labels_outside():
    frame = frame_of("Int64")
    with pytest.raises(ComputeError, match='give every label, or other="bucket"'):
        frame.select(cm.state("y", "p", labels=[0, 1, 2]))
    for weight in (None, "k", "w"):
        options = {"labels": [0, 1, 2], "other": "bucket"}
        out = frame.select(cm.state("y", "p", sample_weight=weight, **options)).item()
        assert out == eager(frame, weight, **options).to_bytes()
        assert cm.from_bytes(out).n_other > 0


@pytest.mark.parametrize("k", [15, 300, 2000])
@pytest.mark.parametrize("weight", [None, "w"])
def test_many_classes_and_few_rows(k, weight):
    frame = pl.DataFrame(
        {
            "g": np.arange(3000) // 3,
            "y": RNG.integers(0, k, 3000),
            "p": RNG.integers(0, k, 3000),
            "w": RNG.random(3000),
        }
    )
    for options in ({}, {"labels": range(k)}):
        states = frame.group_by("g").agg(cm.state("y", "p", sample_weight=weight, **options))
        whole = eager(frame, weight, **options)
        assert states.select(pl.col("state").cm.merge_states()).item() == whole.to_bytes()
        first = frame.filter(g=7)
        state = states.filter(g=7)["state"].item()
        assert state == eager(first, weight, **options).to_bytes()


def test_weights_whose_sum_is_too_large_are_refused():
    frame = pl.DataFrame({"y": [0, 0], "p": [0, 0], "w": [2**62, 2**62]})
    with pytest.raises(ComputeError, match=r"at row 0 .* is beyond 2\^53"):
        frame.select(cm.state("y", "p", sample_weight="w"))
    many = pl.DataFrame({"y": [0] * 1024, "p": [0] * 1024, "w": [2**53] * 1024})
    with pytest.raises(ComputeError, match=r"sum to more than 2\^63 - 1"):
        many.select(cm.state("y", "p", sample_weight="w"))
    frame = many[:1023]
    state = cm.from_bytes(frame.select(cm.state("y", "p", sample_weight="w")).item())
    assert state == eager(frame, "w")
    assert state.n == 1023 * 2**53


def test_nulls_and_kinds():
    state = FRAME.select(cm.state("y", "p"))
    none = pl.DataFrame({"state": [None]}, schema={"state": pl.Binary})
    out = pl.concat([none, state]).select(pl.col("state").cm.state_metrics("accuracy"))
    assert out.unnest("metrics")["accuracy"].is_null().to_list() == [True, False]
    assert out.unnest("metrics")["n"].to_list() == [None, N]
    assert none.select(pl.col("state").cm.merge_states()).item() is None
    scored = FRAME.select(cm.state(pl.col("y") > 1, y_score="w"))
    with pytest.raises(
        ComputeError,
        match="a state of scores, and the metrics are of predicted classes: name metrics of scores",
    ):
        scored.select(pl.col("state").cm.state_metrics("accuracy"))
    assert scored.select(pl.col("state").cm.state_metrics("roc_auc")).item()["n"] == N
    with pytest.raises(cm.InputError, match="name metrics of predicted classes, such as 'mcc'"):
        state.select(pl.col("state").cm.state_metrics("roc_auc"))
    assert state.select(pl.col("state").cm.state_metrics("mcc")).item()["n"] == N
    with pytest.raises(ComputeError, match="a state of classes has no curve"):
        state.select(pl.col("state").cm.state_curve())
    for one, two in ((state, scored), (scored, state)):
        with pytest.raises(ComputeError, match="states of several kinds"):
            pl.concat([one, two]).select(pl.col("state").cm.merge_states())
    words = frame_of("String").select(cm.state("y", "p"))
    with pytest.raises(ComputeError, match="labels differ"):
        pl.concat([state, words]).select(pl.col("state").cm.merge_states())


def test_the_first_state_that_cannot_be_merged_is_told_by_its_row():
    good, words = (frame_of(kind).select(cm.state("y", "p")).item() for kind in ("Int64", "String"))
    merged = pl.col("state").cm.merge_states()
    for bad, why in (words, "cannot add: labels differ"), (good[:-1], ""):
        frame = pl.DataFrame({"state": [good, None, good, bad, good, bad], "k": [0] * 6})
        wanted = rf"a state at row 3 \(of the rows read together\): .*{why}"
        with pytest.raises(ComputeError, match=wanted):
            frame.select(merged)
        with pytest.raises(ComputeError, match=rf"a state at row \d .*{why}"):
            frame.lazy().group_by("k").agg(merged).collect()


def test_a_state_of_a_group_is_told_by_its_place_in_one_group():
    good, words = (frame_of(kind).select(cm.state("y", "p")).item() for kind in ("Int64", "String"))
    n = 3000
    rows = [good, good, words, good] * n
    frame = pl.DataFrame({"state": rows, "k": np.repeat(np.arange(n), 4)})
    merged = pl.col("state").cm.merge_states()
    said = f"a state at row 2 of one of {n} groups: cannot add: labels differ"
    with pytest.raises(ComputeError, match=said):
        frame.group_by("k", maintain_order=True).agg(merged)
    # Of several such groups the first is told, however many threads read them.
    bad = [2500, 1203, 1204, 2999]
    places = {2500: 1, 1203: 3, 1204: 2, 2999: 1}
    rows = [good] * (4 * n)
    for group in bad:
        rows[4 * group + places[group]] = words
    frame = frame.with_columns(state=pl.Series(rows))
    for _ in range(10):
        with pytest.raises(ComputeError, match=f"a state at row 3 of one of {n} groups"):
            frame.group_by("k", maintain_order=True).agg(merged)
    # Of a frame of states the row is known: the first that does not go with those before it.
    for _ in range(10):
        with pytest.raises(cm.InputError, match=rf"a state at row {4 * 1203 + 3} .*labels differ"):
            cm.merge(frame, by="k")
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=3)
    kinds: dict[int, set[bytes]] = {}
    for row, (state, key) in enumerate(shuffled.select("state", "k").rows()):  # noqa: B007
        kinds.setdefault(key, set()).add(state)
        if len(kinds[key]) > 1:
            break
    for _ in range(10):
        with pytest.raises(cm.InputError, match=rf"a state at row {row} .*labels differ"):
            cm.merge(shuffled, by="k")


def test_options_that_do_not_go_together():
    with pytest.raises(cm.InputError, match="`y_pred` and `y_score` are both given"):
        cm.state("y", "p", y_score="s")
    with pytest.raises(cm.InputError, match="`bins` is for scores; give `y_score`"):
        cm.state("y", "p", bins=None)
    with pytest.raises(cm.InputError, match="`nan` is for scores"):
        cm.state("y", "p", nan="drop")
    with pytest.raises(cm.InputError, match="`labels` and `other` are for `y_pred`"):
        cm.state("y", y_score="s", labels=[0, 1])
    with pytest.raises(cm.InputError, match="'mcc', a metric of predicted classes, beside 'roc_"):
        pl.col("state").cm.state_metrics(["roc_auc", "mcc"])
    with pytest.raises(cm.InputError, match="are for states of matrices"):
        pl.col("state").cm.state_metrics("roc_auc", smoothing=1.0)
    with pytest.raises(cm.InputError, match="'x': wanted 'roc' or 'pr'"):
        pl.col("state").cm.state_curve("x")
    with pytest.raises(cm.InputError, match="'b' is not in"):
        cm.state("y", "p", labels=["a"], pos_label="b")


def test_damaged_states_are_refused():
    state = FRAME.select(cm.state("y", "p", sample_weight="w")).item()
    for at in range(len(state)):
        damaged = state[:at] + bytes([state[at] ^ 16]) + state[at + 1 :]
        frame = pl.DataFrame({"state": [damaged]})
        for read in (
            pl.col("state").cm.merge_states(),
            pl.col("state").cm.state_metrics("accuracy"),
            pl.col("state").cm.state_curve("pr"),
        ):
            with pytest.raises(ComputeError):
                frame.select(read)


@pytest.mark.parametrize("bins", [None, "unit", 64, "float16"])
@pytest.mark.parametrize("weight", [None, "k", "w"])
@pytest.mark.parametrize(
    ("curve", "fields"), [("roc", ["fpr", "tpr"]), ("pr", ["recall", "precision"])]
)
def test_curves_of_states_are_those_of_sweeps(curve, fields, weight, bins):
    frame = FRAME.with_columns(pl.col("y") > 1)
    state = cm.state("y", y_score="w", sample_weight=weight, bins=bins)
    states = frame.group_by("site", maintain_order=True).agg(state)
    out = states.select(pl.col("state").cm.state_curve(curve)).to_series()
    assert out.name == f"{curve}_curve"
    for points, bytes_ in zip(out, states["state"], strict=True):
        sweep = cm.from_bytes(bytes_)
        want = sweep.roc_curve() if curve == "roc" else sweep.pr_curve()
        ours = points.struct.unnest()
        assert ours.columns == ["threshold", *fields]
        for field in fields:
            np.testing.assert_allclose(ours[field], want[field], rtol=1e-14)
        assert len(ours) == len(want) > 1


def test_states_of_several_buffers_stay_whole():
    rng = np.random.default_rng(3)
    n, groups = 20_000, 24
    frame = pl.DataFrame(
        {
            "day": np.arange(n * groups) // n,
            "y": rng.random(n * groups) < 0.3,
            "s": rng.random(n * groups),
        }
    )
    states = cm.partial(frame, y_true="y", y_score="s", by="day", bins=None)
    sizes = states["state"].bin.size()
    assert sizes.min() > 50_000
    assert sizes.sum() > 3 << 20  # more than the first buffer holds
    merged = cm.merge(pl.concat([states, states[::2]]), by="day")
    for day in range(groups):
        of = frame.filter(pl.col("day") == day)
        alone = cm.sweep(of["y"], of["s"])
        assert states["state"][day] == alone.to_bytes()
        twice = alone if day % 2 else alone + alone
        assert merged["state"][day] == twice.to_bytes()
