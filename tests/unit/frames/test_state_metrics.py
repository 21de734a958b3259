"""Metrics of columns of states of any kind: the numbers of the objects of these states."""

import numpy as np
import polars as pl
import pytest
from polars.exceptions import ComputeError
from polars.testing import assert_frame_equal

import confmat as cm

RNG = np.random.default_rng(40)
N, K = 240, 3
NAMES = ["ant", "bee", "cat"]
_SCORES = RNG.dirichlet(np.ones(K), N)
FRAME = pl.DataFrame(
    {
        "month": np.arange(N) // 40,
        "y": [NAMES[i] for i in RNG.integers(0, K, N)],
        "guess": [NAMES[i] for i in RNG.integers(0, K, N)],
        "late": RNG.random(N) < 0.4,
        **{f"p_{name}": _SCORES[:, i] for i, name in enumerate(NAMES)},
        **{f"t{i}": RNG.random(N) < 0.4 for i in range(3)},
        **{f"u{i}": RNG.random(N) < 0.5 for i in range(3)},
        **{f"s{i}": RNG.random(N).round(2) for i in range(3)},
        "w": RNG.random(N),
    }
)
P = [f"p_{name}" for name in NAMES]
T, U, S = ([f"{letter}{i}" for i in range(3)] for letter in "tus")
MANY = ["n", "n_dropped"]
# The states, metrics, and the fields around these.
ASKED = {
    "classes": (
        {"y_true": "y", "y_score": P, "labels": NAMES},
        ["roc_auc_macro", "average_precision_micro", "log_loss", "top_2_accuracy"],
        (MANY, []),
    ),
    "sets": ({"y_true": T, "y_pred": U}, ["exact_match", "f1_samples", "mcc_macro"], (MANY, [])),
    "set scores": (
        {"y_true": T, "y_score": S},
        ["roc_auc_micro", "ks_macro", "coverage_error", "label_ranking_loss"],
        (MANY, []),
    ),
    "sets, names of matrices": (
        {"y_true": T, "y_pred": U},
        ["f1_macro", "recall_weighted", "jaccard_micro"],
        ([*MANY, "n_other"], []),
    ),
    "classes, names of sweeps": (
        {"y_true": "y", "y_score": P, "labels": NAMES},
        ["log_loss", "brier", "roc_auc"],
        (MANY, ["roc_auc_lo", "roc_auc_hi", "is_exact"]),
    ),
    "set scores, names of sweeps": (
        {"y_true": T, "y_score": S},
        ["ks", "roc_auc", "ece(4)"],
        (MANY, ["roc_auc_lo", "roc_auc_hi", "is_exact"]),
    ),
    "matrices": (
        {"y_true": "y", "y_pred": "guess"},
        ["f1_macro", "recall_weighted"],
        ([*MANY, "n_other"], []),
    ),
    "sweeps": (
        {"y_true": "late", "y_score": "s0"},
        ["ks", "roc_auc"],
        (MANY, ["roc_auc_lo", "roc_auc_hi", "is_exact"]),
    ),
}
REFUSED = (ComputeError, cm.InputError, cm.StateError)  # by the core, or by an object
each = pytest.mark.parametrize("what", ASKED)


def merged(asked):
    return pl.col("state").cm.merge_states().cm.state_metrics(asked).alias("m")


@each
@pytest.mark.parametrize("weight", [None, "w"])
def test_states_have_the_numbers_of_their_objects_in_every_engine(what, weight):
    columns, names, (before, after) = ASKED[what]
    state = cm.state(**columns, sample_weight=weight)
    months = FRAME.group_by("month").agg(state).sort("month")
    asked = pl.col("state").cm.state_metrics(names)
    eager = months.select("month", m=asked)
    fields = dict.fromkeys([*before, *names, *after], pl.Float64)
    fields |= {f: pl.UInt64 for f in fields if f in ("n_dropped", "n_other")}
    fields |= {"is_exact": pl.Boolean} if after else {}
    assert eager.schema["m"] == pl.Struct(fields)
    assert months.lazy().select("month", m=asked).collect_schema() == eager.schema
    for saved, row in zip(months["state"], eager["m"], strict=True):
        of = cm.from_bytes(saved)
        wanted = [of.n, of.n_dropped, *(of.value(name) for name in names)]
        assert [row[name] for name in ("n", "n_dropped", *names)] == pytest.approx(
            wanted, rel=1e-14
        )
        assert row.get("n_other", 0) == 0
    finished = cm.finish(months, metrics=names)
    flat = eager.unnest("m").select("month", *names)
    assert_frame_equal(flat, finished.select(flat.columns), check_exact=True)

    quarter = (pl.col("month") // 3).alias("quarter")
    grouped = months.group_by(quarter).agg(merged(names)).sort("quarter")
    for engine in ("in-memory", "streaming"):
        query = months.lazy().group_by(quarter).agg(merged(names)).sort("quarter")
        assert_frame_equal(query.collect(engine=engine), grouped, check_exact=True)
        rows = months.lazy().select("month", m=asked).collect(engine=engine)
        assert_frame_equal(rows, eager, check_exact=True)
        assert query.collect_schema() == grouped.schema
    for q, row in grouped.rows():
        of = cm.merge(months.filter(pl.col("month") // 3 == q)["state"])
        assert [row[name] for name in names] == [of.value(name) for name in names]


@each
def test_nulls_reasons_and_what_stands_in(what):
    columns, names, (before, _) = ASKED[what]
    state = FRAME.head(0).select(cm.state(**columns))
    frame = pl.concat([state, pl.DataFrame({"state": [None]}, schema=state.schema)])
    asked = pl.col("state").cm.state_metrics
    out = frame.select(m=asked(names, reasons=True)).unnest("m")
    assert out.columns[-1] == "reasons"
    assert out["reasons"].dtype == pl.Struct(dict.fromkeys(names, pl.String))
    assert out["n"].to_list() == [0.0, None]
    assert all(out[name].to_list() == [0, 0] for name in before[1:])
    of = cm.from_bytes(state.item())
    for name in names:
        assert out[name].to_list() == [None, None]
        assert out["reasons"].struct.field(name).to_list() == [of.reason(name), None]
    filled = frame.select(m=asked(names, undefined=-1.0)).unnest("m")
    assert all(filled[name].to_list() == [-1.0, None] for name in names)
    none = frame.tail(1).select(m=asked(names))
    assert_frame_equal(none, frame.select(m=asked(names)).tail(1))


def saved(what):
    columns, names, _ = ASKED[what]
    return FRAME.select(cm.state(**columns)), names


@pytest.mark.parametrize(
    ("what", "names", "message"),
    [
        ("sets", "mcc", 'a state of label sets, and the metrics are of predicted classes: name '
         'metrics of label sets, such as "exact_match"'),
        ("sets", None, 'a state of label sets, and the metrics are of predicted classes'),
        ("classes", "gini", "a state of scores of many classes, and the metrics are of scores or "
         "scores for label sets: name metrics of scores of many classes, such as 'roc_auc_macro'"),
        ("matrices", "roc_auc", "a state of predicted classes, and the metrics are of scores or"),
        ("matrices", "exact_match", "a state of predicted classes, and the metrics are of label "
         "sets: name metrics of predicted classes, such as 'mcc'"),
        ("sweeps", "f1_macro", "a state of scores, and the metrics are of predicted classes or "
         "label sets: name metrics of scores, such as 'roc_auc'"),
        ("set scores", "f1_macro", "a state of scores for label sets, and the metrics are of"),
    ],
)  # fmt: skip
def test_a_state_of_another_kind_says_what_it_is(what, names, message):
    state, _ = saved(what)
    for engine in ("in-memory", "streaming"):
        with pytest.raises(REFUSED) as error:
            state.lazy().select(pl.col("state").cm.state_metrics(names)).collect(engine=engine)
        assert message in str(error.value)


@each
def test_bytes_that_are_no_state_are_refused(what):
    state, names = saved(what)
    asked = pl.col("state").cm.state_metrics(names)
    changed = state.item()[:-1] + bytes([state.item()[-1] ^ 1])
    many = pl.concat([state] * 3 + [pl.DataFrame({"state": [changed]})] * 2000)
    with pytest.raises(REFUSED, match=r"a state at row 3 \(of .*: changed after it was written"):
        many.rechunk().select(asked)
    with pytest.raises(REFUSED, match="not a saved state"):
        pl.DataFrame({"state": [b"x" * 40]}).select(asked)


@pytest.mark.parametrize("column", [[1], ["x"], [1.5], [[b"x"]]])
def test_columns_of_another_type_are_no_states(column):
    frame, state = pl.DataFrame({"state": column}), pl.col("state").cm
    wanted = f"states are a Binary column, and this one has dtype {frame.dtypes[0].base_type()}"
    for asked in (state.merge_states(), state.state_metrics("mcc"), state.state_curve()):
        with pytest.raises(ComputeError, match=wanted):
            frame.select(asked)


def test_the_row_of_a_curve_that_cannot_be_is_named():
    good = cm.sweep([0, 1], [0.1, 0.2]).to_bytes()
    frame = pl.DataFrame({"state": [good, None, good[:-1], b"x"]})
    with pytest.raises(ComputeError, match=r"a state at row 2 \(of the rows read together\): "):
        frame.select(pl.col("state").cm.state_curve())


def test_names_tell_the_kind_when_the_expression_is_made():
    asked = pl.col("state").cm.state_metrics
    with pytest.raises(cm.InputError, match="unknown metric 'f1_makro'"):
        asked(["exact_match", "f1_makro"])
    with pytest.raises(
        cm.InputError,
        match="holds 'exact_match', a metric of label sets, beside 'roc_auc' of scores or scores "
        "of many classes or scores for label sets; a state is of one of them",
    ):
        asked(["roc_auc", "exact_match"])
    with pytest.raises(cm.InputError, match=r"holds 'roc_auc', a metric of scores or .* 'mcc' of"):
        asked(["mcc", "roc_auc"])
    with pytest.raises(cm.InputError, match="'exact_match' twice"):
        asked(["exact_match", "exact_match"])
    for option in ({"pos_label": 1}, {"smoothing": 1.0}, {"keep_empty": True}):
        with pytest.raises(cm.InputError, match="are for states of matrices"):
            asked("exact_match", **option)
    state, _ = saved("sets")
    with pytest.raises(ComputeError, match="a state of label sets, and the metrics are of predict"):
        state.select(asked("f1_macro", keep_empty=True))
    with pytest.raises(cm.InputError, match="`undefined`"):
        asked("exact_match", undefined="zero")
