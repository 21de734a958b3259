"""What states say of their rows is what these say at every other door."""

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from polars.testing import assert_frame_equal

import confmat as cm


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
@pytest.mark.parametrize("bins", ["unit", 256])
def test_log_loss_of_bins_is_clipped_by_the_type_of_the_scores(dtype, bins):
    rng = np.random.default_rng(0)
    scores = np.where(rng.random(3_000) < 0.3, 0, rng.random(3_000))
    frame = pl.DataFrame({"y": rng.integers(0, 2, 3_000), "s": pl.Series(scores, dtype=dtype)})
    parts = cm.partial(frame, y_true="y", y_score="s", bins=bins)
    sweep = cm.from_bytes(parts["state"].item())
    assert not sweep.is_exact
    for name in ("log_loss", "brier", "ece"):
        assert cm.finish(parts, metrics=name)[name].item() == pytest.approx(sweep[name], rel=1e-12)


def test_counts_of_missing_labels_are_dropped_rows():
    counts = pl.DataFrame({"y_true": [0.0, float("nan"), None], "y_pred": [0.0, 1.0, 1.0]})
    for dtype in (pl.UInt32, pl.Int64, pl.Int128, pl.UInt64):
        n = pl.Series("n", [10, 3_000_000_000, 3_000_000_000], dtype=dtype)
        state = cm.state_from_counts(counts.with_columns(n))["state"].item()
        m = cm.from_bytes(state)
        assert (m.n, m.n_dropped) == (10, 6_000_000_000)
    many = pl.DataFrame({"y_true": [None] * 2048, "y_pred": [0] * 2048, "n": [2**53] * 2048})
    with pytest.raises(cm.InputError, match=r"sum to more than 2\^63 - 1"):
        cm.state_from_counts(many.cast({"y_true": pl.Int64}))
    with pytest.raises(cm.InputError, match=r"`frame` is LazyFrame; wanted a pl\.DataFrame"):
        cm.state_from_counts(many.lazy())


def test_given_boolean_labels_count_where_no_row_has_them():
    frame = pl.DataFrame({"y": [False, False], "p": [False, False]})
    states = frame.select(state=cm.state("y", "p", labels=[False, True]))
    asked = pl.col("state").cm.state_metrics("f1_macro", undefined=0.0)
    assert states.select(asked).unnest("metrics")["f1_macro"].item() == 0.5
    found = frame.select(state=cm.state("y", "p")).select(asked)
    assert found.unnest("metrics")["f1_macro"].item() == 1.0


@pytest.mark.parametrize(("labels", "pos"), [("bcca", "a"), ([0, 0, 0, 1], 1)])
def test_a_positive_class_that_a_slice_lacks_smooths_nothing(labels, pos):
    log = pl.DataFrame({"y": list(labels), "p": [*labels[1:3], *labels[2:]], "g": [1, 1, 1, 2]})
    asked = {"metrics": ["accuracy", "f1_macro"], "smoothing": 0.5}
    parts = cm.partial(log, y_true="y", y_pred="p", by="g", pos_label=pos)
    grouped = log.group_by("g").agg(cm.metrics("y", "p", **asked)).sort("g").unnest("metrics")
    finished = cm.finish(parts, **asked)
    assert finished["accuracy"].to_list() == grouped["accuracy"].to_list()
    assert finished["f1_macro"].to_list() == grouped["f1_macro"].to_list()
    assert cm.finish(parts, metrics=["recall"], undefined=0.0)["recall"].to_list() == [0.0, 1.0]


@pytest.mark.parametrize(("pos", "negative"), [(1, 2), (1, -1), (0, 2), (1, 0)])
def test_days_of_positives_alone_merge_with_any_other_class(pos, negative):
    alone, both = ([pos, pos], [0.1, 0.2]), ([pos, negative], [0.3, 0.4])
    whole = cm.sweep(*(one + other for one, other in zip(alone, both, strict=True)), pos_label=pos)
    days = [cm.sweep(*day, pos_label=pos) for day in (alone, both)]
    assert days[0] + days[1] == days[1] + days[0] == whole
    frames = [pl.DataFrame(day, schema=["y", "s"]) for day in (alone, both)]
    states = [frame.select(s=cm.state("y", y_score="s", pos_label=pos)) for frame in frames]
    assert cm.merge(pl.concat(states)["s"]) == cm.from_bytes(
        pl.concat(frames).select(cm.state("y", y_score="s", pos_label=pos)).item()
    )


def test_a_positive_class_that_is_only_implied_is_none_beside_more_classes():
    zero, two = cm.confusion_matrix([0], [0]), cm.confusion_matrix([2], [2])
    named = cm.confusion_matrix([0, 2], [0, 2], pos_label=2)
    sums = [zero + two + named, zero + named + two, named + two + zero, two + (named + zero)]
    assert len({one.to_bytes() for one in sums}) == 1
    assert sums[0].pos_label == 2
    with pytest.raises(cm.InputError, match="the positive class differs, 1 and 0"):
        cm.confusion_matrix([0, 1], [0, 1]) + cm.confusion_matrix([0, 1], [0, 1], pos_label=0)


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1]])
def test_a_positive_class_that_was_named_stays_named(labels):
    log = pl.DataFrame({"g": [1, 1, 2, 2], "y": labels * 2, "p": [*labels, 1, 1]})
    for by in (None, "g"):
        parts = cm.partial(log, y_true="y", y_pred="p", by=by, pos_label=1)
        wanted = log.cm.evaluate("y", "p", by=by, pos_label=1)
        assert_frame_equal(cm.finish(parts), wanted)
        assert "f1" in wanted.columns
        unnamed = cm.finish(cm.partial(log, y_true="y", y_pred="p", by=by))
        assert_frame_equal(unnamed, log.cm.evaluate("y", "p", by=by))
    named = cm.confusion_matrix(log["y"], log["p"], pos_label=1)
    assert cm.partial(log, y_true="y", y_pred="p", pos_label=1)["state"].item() == named.to_bytes()
    assert cm.from_bytes(named.to_bytes()) == named
    assert cm.from_bytes(named.to_bytes()).to_bytes() == named.to_bytes()
    plain = cm.confusion_matrix(log["y"], log["p"])
    assert plain == named
    assert hash(plain) == hash(named)
    for both in (plain + named, named + plain, plain + named - plain, named.T.T):
        assert both.to_bytes() == (named if both.n == 4 else named + named).to_bytes()
    more = cm.confusion_matrix([labels[0], 2], [labels[0], 2])
    for both in (named + more, more + named):
        assert both.pos_label == 1
        assert both.recall == named.recall
    assert (plain + more).pos_label is None


def test_slices_without_the_positive_class_do_not_change_the_default():
    log = pl.DataFrame({"g": [1, 1, 2, 3], "y": [0, 1, 0, None], "p": [0, 1, 0, 0]})
    parts = cm.partial(log, y_true="y", y_pred="p", by="g", pos_label=1)
    assert_frame_equal(cm.finish(parts), log.cm.evaluate("y", "p", by="g", pos_label=1))


def test_a_name_that_tells_nothing_is_not_kept():
    for labels in ([0, 1], [False, True]):
        plain = cm.confusion_matrix(labels, labels, labels=labels)
        named = cm.confusion_matrix(labels, labels, labels=labels, pos_label=1)
        assert named.to_bytes() == plain.to_bytes()
        given = cm.confusion_matrix(labels, labels, pos_label=1) + plain
        assert given.to_bytes() == (plain + plain).to_bytes()


def test_the_negative_class_is_that_of_the_rows_that_are_swept():
    """Rows left out may have any labels; those of other negatives do not merge."""
    names = ["b", "c", "a", "z"]
    day = {"y": names, "s": [0.1, 0.2, None, None], "w": [1.0, 2.0, 3.0, 4.0]}
    logs = [pl.DataFrame(day), pl.DataFrame(day | {"y": ["b", "d", "a", "z"]})]
    weighted = {"s": pl.col("w") / 8, "w": pl.when(pl.col("s") > 0).then("w")}
    ways = [
        (logs, {}),
        ([log.with_columns(pl.col("s").fill_null(float("nan"))) for log in logs], {"nan": "drop"}),
        ([log.with_columns(**weighted) for log in logs], {"sample_weight": "w"}),
    ]
    for frames, options in ways:
        asked = cm.state("y", y_score="s", pos_label="b", **options)
        states = [frame.select(asked).item() for frame in frames]
        assert [cm.from_bytes(state).labels for state in states] == [["c", "b"], ["d", "b"]]
        with pytest.raises(cm.InputError, match=r"labels differ .*'c'.*'d'"):
            cm.merge(states)
        for dtype in (pl.Categorical, pl.Enum(["a", "b", "c", "d", "z"])):
            coded = frames[0].cast({"y": dtype}).group_by(pl.lit(1)).agg(asked)
            assert coded["state"].item() == states[0]
    huge = logs[0].with_columns(y=pl.Series([1, 2**62, -(2**62), 2**61 + 3]))
    state = huge.select(cm.state("y", y_score="s", pos_label=1)).item()
    assert cm.from_bytes(state).labels == [2**62, 1]


def test_groups_without_rows_merge_whatever_is_named():
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 1, None], "p": [0, 1, None]})
    states = frame.group_by("g").agg(s=cm.state("y", "p", pos_label=True))
    merged = states.select(pl.col("s").cm.merge_states()).item()
    assert merged == cm.confusion_matrix(frame["y"], frame["p"], pos_label=1).to_bytes()
    empty = [cm.confusion_matrix(pl.Series([], dtype=kind), []) for kind in (pl.String, pl.Int64)]
    assert empty[0].to_bytes() == empty[1].to_bytes()
    nulls = pl.DataFrame({"y": [None], "p": [None]}, schema_overrides={"y": pl.String})
    state = nulls.cast(pl.String).select(cm.state("y", "p")).item()
    assert cm.from_bytes(state) == cm.confusion_matrix(nulls["y"], nulls["p"].cast(pl.String))


def test_no_state_at_all():
    nothing = pl.DataFrame({"s": [None, None]})
    assert nothing.select(pl.col("s").cm.merge_states()).item() is None
    for name in ("mcc", "roc_auc"):
        one = nothing.select(pl.col("s").cm.state_metrics(name)).unnest("metrics")
        assert one[name].to_list() == [None, None]
    log = pl.DataFrame({"g": [1], "y": [0], "s": [0.5]}).head(0)
    parts = cm.partial(log, y_true="y", y_score="s", by="g")
    assert cm.finish(parts, metrics="roc_auc").columns == ["g", "n", "n_dropped", "roc_auc"]
    with pytest.raises(ComputeError, match="not a saved state"):
        pl.DataFrame({"s": [b"x"]}).select(pl.col("s").cm.merge_states())


def test_a_frame_names_the_row_that_holds_no_state():
    good = cm.ConfusionMatrix([[1, 2], [3, 4]]).to_bytes()
    frame = pl.DataFrame({"day": [1, 2, 3], "state": [good, None, good[:-1] + b"?"]})
    for door in (cm.merge, cm.finish):
        with pytest.raises(cm.StateError, match="`states` at row 2 of 'state': changed after"):
            door(frame)
    other = cm.ConfusionMatrix([[1, 2], [3, 4]], labels=["a", "b"]).to_bytes()
    with pytest.raises(cm.InputError, match="cannot add"):
        cm.merge(pl.DataFrame({"state": [good, other]}))


def test_advice_is_for_the_door_that_gives_it():
    log = pl.DataFrame({"n": [1, 2], "y": [0, 1], "p": [0, 1]})
    parts = cm.partial(log, y_true="y", y_pred="p", by="n")
    with pytest.raises(cm.InputError, match="the key 'n', a name of the result; rename it"):
        cm.finish(parts)
    with pytest.raises(cm.InputError, match="`by` has the column 'zz'; the keys are"):
        cm.merge(parts, by="zz")
    sets = pl.DataFrame({"state": [cm.multilabel([["a"]], [["a"]]).to_bytes()]})
    with pytest.raises(ComputeError, match="a state of label sets, and the metrics are of predict"):
        sets.select(pl.col("state").cm.state_metrics())
    assert cm.from_bytes(sets["state"].item()).n == cm.finish(sets, "exact_match")["n"].item() == 1
    good = cm.ConfusionMatrix([[1, 2], [3, 4]]).to_bytes()
    with pytest.raises(cm.StateError, match="`states` at position 2: changed after"):
        cm.merge([good, good, good[:-1] + b"?", good])
    assert cm.merge([bytearray(good), memoryview(good)]).n == 20
