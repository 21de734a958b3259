"""Metrics of one's own: a formula that a row has as well gives the same at every door."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import confmat as cm
from confmat.metric_list import listed
from confmat.suffixes import AVERAGES

RANDOM = np.random.default_rng(7)
N = 4000
FRAME = pl.DataFrame(
    {
        "g": RANDOM.integers(0, 40, N),
        "y_true": RANDOM.integers(0, 2, N),
        "y_score": RANDOM.random(N),
        "k": RANDOM.choice(["a", "b", "c"], N),
        "w": RANDOM.integers(1, 9, N) / 4,
    }
).with_columns(
    y_pred=(pl.col("y_score") + 0.4 * pl.col("y_true") > 0.7).cast(pl.Int64),
    k_pred=pl.when(pl.col("y_score") < 0.6).then("k").otherwise(pl.lit("b")),
)
M = cm.ConfusionMatrix([[50, 3, 1], [4, 35, 15], [2, 7, 43]], ["a", "b", "c"], pos_label="b")
# A row, the same as one's own, and the other's range and direction.
TWINS = {
    "f1": ("own_f1", lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn), {"range": (0, 1)}),
    "jaccard": ("own_jaccard", lambda c: c.tp / (c.tp + c.fp + c.fn), {"range": (0, 1)}),
    "fnr": ("own_fnr", lambda c: c.fn / c.support, {"range": (0, 1), "better": "lower"}),
    "mcc_binary": (
        "own_mcc",
        lambda c: (
            (c.tp * c.tn - c.fp * c.fn)
            / np.sqrt(
                c.predicted_support * c.support * c.support_negative * c.predicted_support_negative
            )
        ),
        {"range": (-1, 1)},
    ),
}
SIGNED_AVERAGES = ("macro", "weighted", "ovo", "min", "max", "micro")


@pytest.fixture(params=list(TWINS))
def twin(request, register):
    """Register a metric; return the name of its row and its own."""
    name, formula, facts = TWINS[request.param]
    register(name, formula, **facts)
    return request.param, name


def averages_of(row, name):
    stem = "mcc" if row == "mcc_binary" else row
    return [
        (f"{stem}_{average}", f"{name}_{average}")
        for average in SIGNED_AVERAGES
        if not (row == "mcc_binary" and average == "micro")
    ]


def assert_same(found, expected):
    """Compare two intervals."""
    assert found.method == expected.method
    numbers = [[one.value, one.low, one.high, one.se] for one in (found, expected)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-9)


def renamed(frame, names):
    """Return a frame of one's own metrics with the names of the rows."""
    back = {own: row for row, own in names}
    back |= {own + end: row + end for row, own in names for end in ("_low", "_high")}
    return frame.rename({name: back[name] for name in frame.columns if name in back})


def test_values(twin):
    row, own = twin
    assert M.value(own) == M[own] == getattr(M, own) == pytest.approx(M.value(row), rel=1e-14)
    assert M.value(own, pos_label="c") == pytest.approx(M.value(row, pos_label="c"), rel=1e-14)
    for theirs, mine in averages_of(row, own):
        average = mine.rpartition("_")[2]
        assert M[mine] == M.value(own, average=average) == pytest.approx(M[theirs], rel=1e-14)
        assert M.n_used(mine) == M.n_used(theirs)
    table = M.per_class([row, own], ci=0.9)
    for end in ("", "_low", "_high"):
        assert table[own + end].to_list() == pytest.approx(table[row + end].to_list(), rel=1e-12)
    assert own in M.per_class().columns
    assert own in dir(M)


def test_intervals_and_gradients(twin):
    row, own = twin
    for theirs, mine in [(row, own), *averages_of(row, own)]:
        assert_same(M.ci(mine), M.ci(theirs))
        slopes, same = M.gradient(theirs)[1], M.gradient(mine)[1]
        np.testing.assert_allclose(same, slopes, rtol=1e-10, atol=1e-15)
        if not theirs.endswith("_ovo"):
            drawn = {"method": "bootstrap", "replicates": 400, "seed": 3}
            assert_same(M.ci(mine, **drawn), M.ci(theirs, **drawn))


def test_weights_and_smoothing(twin):
    row, own = twin
    m = cm.confusion_matrix(FRAME["k"], FRAME["k_pred"], sample_weight=FRAME["w"], pos_label="b")
    for theirs, mine in [(row, own), *averages_of(row, own)]:
        assert m[mine] == pytest.approx(m[theirs], rel=1e-12)
        assert_same(m.ci(mine), m.ci(theirs))
        assert m.smooth(0.5)[mine] == pytest.approx(m.smooth(0.5)[theirs], rel=1e-12)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("how", ["eager", "lazy", "streaming"])
def test_expressions_of_groups(twin, how, weight):
    row, own = twin
    names = [(row, own), *averages_of(row, own)]

    def asked(metrics):
        expression = cm.metrics(
            metrics=metrics, sample_weight=weight, ci=0.95, reasons=True, pos_label=1
        )
        frame = FRAME if how == "eager" else FRAME.lazy()
        found = frame.group_by("g").agg(expression.alias("m")).sort("g")
        if how == "lazy":
            found = found.collect()
        if how == "streaming":
            found = found.collect(engine="streaming")
        return found.unnest("m")

    expected, found = asked([row for row, _ in names]), asked([own for _, own in names])
    reasons = found["reasons"].struct.fields
    assert reasons == [own for _, own in names]
    assert_frame_equal(
        renamed(found.drop("reasons"), names), expected.drop("reasons"), rel_tol=1e-9
    )


def test_frames_of_slices(twin):
    row, own = twin
    names = averages_of(row, own)
    theirs, mine = [row for row, _ in names], [own for _, own in names]
    columns = {"y_true": "k", "y_pred": "k_pred", "by": "g"}
    expected = FRAME.cm.evaluate(**columns, metrics=theirs, ci=0.95).sort("g")
    for frame in (FRAME, FRAME.lazy()):
        found = frame.cm.evaluate(**columns, metrics=mine, ci=0.95).lazy().collect().sort("g")
        assert_frame_equal(renamed(found, names), expected, rel_tol=1e-9)
    states = cm.partial(FRAME, **columns)
    found = cm.finish(states, metrics=mine, ci=0.95).sort("g")
    expected = cm.finish(states, metrics=theirs, ci=0.95).sort("g")
    assert_frame_equal(renamed(found, names), expected, rel_tol=1e-9)
    whole = FRAME.cm.evaluate("k", "k_pred", metrics=mine)
    assert whole[mine[0]][0] == pytest.approx(
        FRAME.cm.evaluate("k", "k_pred", metrics=theirs)[theirs[0]][0], rel=1e-12
    )


def test_columns_of_states(twin):
    row, own = twin
    states = FRAME.group_by("g").agg(cm.state("y_true", "y_pred").alias("s")).sort("g")
    asked = {"pos_label": 1, "ci": 0.95}
    found = states.select(pl.col("s").cm.state_metrics([own], **asked)).unnest("metrics")
    expected = states.select(pl.col("s").cm.state_metrics([row], **asked)).unnest("metrics")
    assert_frame_equal(renamed(found, [(row, own)]), expected, rel_tol=1e-9)


def test_evaluations_of_logs(twin, tmp_path):
    row, own = twin
    FRAME.write_parquet(tmp_path / "log.parquet")
    run = cm.evaluate(tmp_path / "log.parquet", y_true="y_true", y_pred="y_pred", by="g")
    theirs, mine = run.slices([row]).sort("g"), run.slices([own]).sort("g")
    assert mine[own].to_list() == pytest.approx(theirs[row].to_list(), rel=1e-12)
    assert run.worst(own)["g"].to_list() == run.worst(row)["g"].to_list()
    same, value = run.overall([row, own])["value"]
    assert value == pytest.approx(same, rel=1e-12)


def test_thresholds_of_sweeps(twin):
    row, own = twin
    sweep = cm.sweep(FRAME["y_true"], FRAME["y_score"])
    columns = sweep.table([row, own], thresholds=[0.2, 0.5, 0.8])
    assert columns[own].to_list() == pytest.approx(columns[row].to_list(), rel=1e-12)
    assert sweep.best(own).threshold == sweep.best(row).threshold
    weighted = cm.sweep(FRAME["y_true"], FRAME["y_score"], sample_weight=FRAME["w"])
    assert weighted.best(own) == pytest.approx(weighted.best(row), rel=1e-12)


def test_plain_functions(twin):
    row, own = twin
    y, p = FRAME["y_true"], FRAME["y_pred"]
    function = getattr(cm, own)
    assert function(y, p) == pytest.approx(getattr(cm, row)(y, p), rel=1e-14)
    assert function(y, p, average="macro") == cm.confusion_matrix(y, p)[f"{own}_macro"]
    assert own in function.__doc__


def test_models_compared(twin):
    row, own = twin
    frame = FRAME.with_columns(other=1 - pl.col("y_pred"))
    models = {"a": "y_pred", "b": "other"}
    found = cm.compare(frame, "y_true", models, metrics=[own]).table()
    expected = cm.compare(frame, "y_true", models, metrics=[row]).table()
    for column in ("difference", "low", "high"):
        assert found[column].to_list() == pytest.approx(expected[column].to_list(), rel=1e-9)


def test_what_is_known_of_it(register):
    register(
        "miss_twice",
        lambda c: c.tp / (c.tp + c.fp + 2 * c.fn),
        range=(0, 1),
        summary="Missed rows weigh twice.",
    )
    listed = {row["name"]: row for row in cm.list_metrics("miss_twice").iter_rows(named=True)}
    assert list(listed) == [
        "miss_twice",
        *(f"miss_twice_{average}" for average in AVERAGES),
    ]
    fact = listed["miss_twice"]
    assert fact["summary"] == "Missed rows weigh twice."
    assert fact["formula"] == (r"\frac{\mathrm{tp}}{\mathrm{tp} + \mathrm{fp} + 2\, \mathrm{fn}}")
    assert fact["symbol"] == r"\mathrm{miss\_twice}"
    assert fact["undefined"] == "tp + fp + 2 * fn = 0"
    assert (fact["lo"], fact["hi"], fact["better"], fact["level"]) == (0, 1, "higher", "class")
    cm.unregister_metric("miss_twice")
    assert not len(cm.list_metrics("miss_twice"))
    with pytest.raises(cm.InputError, match="unknown metric 'miss_twice'"):
        cm.confusion_matrix([0, 1], [0, 1]).value("miss_twice")


def test_undefined_values_have_reasons(register):
    register("odds", lambda c: c.tp / c.fp)
    register("root", lambda c: np.sqrt(c.tp - c.fn))
    m = cm.ConfusionMatrix([[5, 0], [3, 2]])
    assert np.isnan(m.odds)
    assert m.reason("odds") == "class 1: fp = 0"
    assert m.reason("root") == "class 1: sqrt(tp - fn) is not finite"
    assert m.value("odds", undefined=0.0) == 0.0
    assert m.n_used("odds_macro") == 1
    assert m.odds_macro == pytest.approx(5 / 3)
    frame = pl.DataFrame({"y_true": [0, 1], "y_pred": [0, 1]})
    struct = frame.select(cm.metrics(metrics=["odds"], reasons=True)).unnest("metrics")
    assert struct["odds"].to_list() == [None]
    assert struct["reasons"].struct.field("odds").to_list() == ["class 1: fp = 0"]


def test_constants_and_powers(register):
    register("mixed", lambda c: (c.tp + 1) ** 3 / 10 - 2**-c.fn + abs(c.fp - c.tn) / 0.5)
    m = cm.ConfusionMatrix([[5, 1], [2, 4]])
    assert m.mixed == pytest.approx(5**3 / 10 - 2**-2 + abs(1 - 5) / 0.5, rel=1e-14)
    _, slopes = m.gradient("mixed")
    by_cell = {(1, 1): 0.3 * 25, (1, 0): np.log(2) / 4, (0, 1): -2, (0, 0): 2}
    for at, slope in by_cell.items():
        assert slopes[at] == pytest.approx(slope, rel=1e-12)


def test_names_that_start_alike_are_others(register):
    register("predicted", lambda c: c.tp / c.n)
    register("predicted_own", lambda c: c.fp / c.n)
    m = cm.ConfusionMatrix([[5, 1], [2, 4]])
    assert m.predicted_prevalence == 5 / 12
    assert (m.predicted, m.predicted_own) == (4 / 12, 1 / 12)
    assert m.value("predicted_own", average="max") == 2 / 12


def test_every_average_is_known(register):
    register("hits", lambda c: c.tp / c.n, range=(0, 1))
    found = {fact["average"] for fact in listed() if fact["base"] == "hits"}
    assert found == {"", *AVERAGES}
    sets = cm.multilabel([[1, 1], [0, 1]], [[1, 0], [1, 1]])
    assert sets.hits_samples == pytest.approx((1 / 2 + 1 / 2) / 2)


def test_names_can_be_registered_again(register):
    def formula(c):
        return c.tp / c.n

    first = register("hits", formula, range=(0, 1))
    assert register("hits", lambda c: c.tp / c.n, range=(0, 1)) is first
    for other in ({"range": (0, 2)}, {"better": "lower"}, {"summary": "Hits."}):
        with pytest.raises(cm.InputError, match="'hits', which has another"):
            register("hits", formula, **{"range": (0, 1), **other})
    with pytest.raises(cm.InputError, match="replace=True takes its place"):
        register("hits", lambda c: c.fp / c.n, range=(0, 1))
    m = cm.ConfusionMatrix([[5, 1], [2, 4]])
    assert m.hits == 4 / 12
    register("hits", lambda c: c.fp / c.n, range=(0, 1), replace=True)
    assert m.hits == 1 / 12
    assert m.hits_macro == pytest.approx(3 / 24)


@pytest.mark.parametrize(
    ("counts", "formula"),
    [
        ([[90, 1], [10, 99]], lambda p: (p + 0.9 - abs(p - 0.9)) / 2),  # at most 0.9
        ([[80, 90], [20, 10]], lambda p: (p + 0.3 + abs(p - 0.3)) / 2),
        ([[80, 90], [20, 10]], lambda p: (p + 0.3 + ((p - 0.3) ** 2) ** 0.5) / 2),
    ],
)
def test_a_rate_in_one_of_its_pieces_is_no_rate(register, counts, formula):
    register("piece", lambda c: formula(c.tp / c.predicted_support), range=(0, 1))
    m = cm.ConfusionMatrix(counts)
    assert m.piece == pytest.approx(formula(m.precision))
    found = m.ci("piece")
    assert found.method != "wilson"
    assert not found.low > m.piece
    assert not found.high < m.piece
    register("plain", lambda c: c.tp / c.predicted_support, range=(0, 1))
    assert m.ci("plain") == m.ci("precision")


def test_an_undefined_exponent_is_undefined(register):
    register("power", lambda c: (c.tp / c.support) ** (c.tn / c.support_negative))
    m = cm.ConfusionMatrix([[0, 0], [0, 5]])
    assert np.isnan(m.power)
    assert m.reason("power") == "class 1: fp + tn = 0"


def test_a_name_that_is_gone_says_how_it_comes_back(register):
    register("gone_soon", lambda c: c.tp / c.n)
    e = cm.evaluate(FRAME, y_true="y_true", y_pred="y_pred", metrics=["gone_soon"])
    cm.unregister_metric("gone_soon")
    with pytest.raises(cm.InputError, match="nor registered in this process"):
        e.overall()


def test_bounds_of_a_metric_that_is_undefined_here_and_there(register):
    register("own_gaps", lambda c: c.tp / (c.tp * (c.tp - 1) * (c.tp - 5) * c.fn * (c.fn - 1)))
    y, scores = [1] * 10 + [0], [*np.linspace(0.31, 0.59, 10), 0.1]
    s = cm.sweep(y, scores, bins=[0.0, 0.3, 0.6, 1.0])
    # Of 10 positives in the bin from none to all; none has a value at 0, 1, 5, 9 and 10.
    tp = np.array([2, 3, 4, 6, 7, 8])
    values = 1 / ((tp - 1) * (tp - 5) * (10 - tp) * (9 - tp))
    low, high = s.metric_bounds("own_gaps", 0.5)
    assert (low, high) == (pytest.approx(values.min()), pytest.approx(values.max()))
