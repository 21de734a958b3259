"""Every metric has an interval within its range, around its value, at every door the same."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.metric_names import COUNTS
from confmat.registry import find, names

METRICS = (*names("overall"), *names("average"), *names("class"))


@st.composite
def matrices(draw):
    k = draw(st.integers(1, 4))
    cells = draw(st.lists(st.integers(0, 40), min_size=k * k, max_size=k * k))
    return cm.ConfusionMatrix(np.reshape(cells, (k, k)))


@given(m=matrices(), level=st.sampled_from([0.5, 0.8, 0.95, 0.999]), data=st.data())
@settings(max_examples=150, deadline=None)
def test_within_the_range_and_around_the_value(m, level, data):
    name = data.draw(st.sampled_from(METRICS))
    pos_label = data.draw(st.sampled_from(m.labels)) if name in names("class") else None
    value, low, high, se, method = m.ci(name, level, pos_label=pos_label)
    wanted = m.value(name, pos_label=pos_label)
    assert value == wanted or (math.isnan(value) and math.isnan(wanted))
    facts = find(name)
    if math.isnan(value):
        assert math.isnan(low)
        assert math.isnan(high)
    if math.isnan(low):
        assert method.startswith("none: ")
        return
    assert facts["lo"] <= low <= value <= high <= facts["hi"]
    assert not se < 0
    # One-sided: the same end as that of a two-sided interval which leaves out twice as much.
    if level < 0.9:
        return
    lower = m.ci(name, (1 + level) / 2, pos_label=pos_label, side="lower")
    if method != "delta of smoothed cells":
        assert lower.low == pytest.approx(low, rel=1e-9, abs=1e-12)
        assert lower.high == facts["hi"]


@pytest.mark.parametrize("name", METRICS)
def test_more_rows_of_the_same_kind_tell_more(name):
    cells = np.array([[50, 4, 3], [6, 40, 5], [2, 7, 30]])
    few, many = cm.ConfusionMatrix(cells), cm.ConfusionMatrix(100 * cells)
    pos_label = 1 if name in names("class") else None
    one, other = (m.ci(name, pos_label=pos_label) for m in (few, many))
    if name in COUNTS:
        assert other.se == pytest.approx(10 * one.se, rel=1e-9, nan_ok=name == "population")
        return
    if name == "bray_curtis":  # of as many false alarms as misses it turns
        assert math.isnan(one.se)
        return
    shrinks = other.se / one.se
    if find(name)["name"] in ("rand", "adjusted_rand", "pair_jaccard", "pair_fowlkes_mallows"):
        assert 0.09 < shrinks < 0.11  # of pairs of rows
    elif find(name)["scale_invariant"]:
        assert shrinks == pytest.approx(0.1, rel=1e-9)
    assert other.high - other.low < one.high - one.low


LOG_SIZE = 900


def log_of(kind):
    """Return rows of three sites with labels of a kind, and weights."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3 if kind in ("text", "enum") else 2, LOG_SIZE)
    p = np.where(rng.random(LOG_SIZE) < 0.7, y, rng.integers(0, y.max() + 1, LOG_SIZE))
    frame = pl.DataFrame(
        {"site": rng.choice(list("abc"), LOG_SIZE), "y": y, "p": p, "w": rng.random(LOG_SIZE)}
    )
    labels = {"int": pl.Int64, "bool": pl.Boolean}.get(kind)
    if labels is None:
        names_of = pl.Series(["cat", "dog", "eel"])
        frame = frame.with_columns(
            pl.col(c).map_elements(names_of.__getitem__, return_dtype=pl.String) for c in "yp"
        )
        if kind == "enum":
            frame = frame.with_columns(pl.col("y", "p").cast(pl.Enum(["dog", "cat", "eel", "fox"])))
        return frame
    return frame.with_columns(pl.col("y", "p").cast(labels))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["int", "bool", "text", "enum"])
def test_doors_agree(kind, weighted):
    log = log_of(kind)
    metrics = ["accuracy", "mcc", "f1_macro", "gmcc", "eve", "rand"]
    of = {"y_true": "y", "y_pred": "p"} | ({"sample_weight": "w"} if weighted else {})
    asked = {"metrics": metrics, "ci": 0.9}
    found = {
        "frame": log.cm.evaluate(**of, by="site", **asked),
        "query": log.lazy().cm.evaluate(**of, by="site", **asked).collect(),
        "states": cm.finish(cm.partial(log, **of, by="site"), **asked),
        "log": cm.evaluate(log, **of, by="site", **asked).slices(),
    }
    weight = of.get("sample_weight")
    rows = log.group_by("site").agg(cm.metrics("y", "p", sample_weight=weight, **asked))
    found["expression"] = rows.sort("site").unnest("metrics")
    for row in range(3):
        rows = log.filter(site="abc"[row])
        weights = rows["w"] if weighted else None
        m = cm.confusion_matrix(rows["y"], rows["p"], sample_weight=weights)
        overall = m.overall(metrics, ci=0.9)
        for at, name in enumerate(metrics):
            wanted = m.ci(name, 0.9)
            assert wanted.low < wanted.value < wanted.high
            assert overall.row(at)[1:4] == pytest.approx(wanted[:3], rel=1e-12)
            for door, table in found.items():
                ends = [table[f"{name}{end}"][row] for end in ("", "_low", "_high")]
                assert ends == pytest.approx(wanted[:3], rel=1e-12), (door, name)


def test_classes_have_those_of_their_own():
    log = log_of("text")
    for weights in (None, log["w"]):
        m = cm.confusion_matrix(log["y"], log["p"], sample_weight=weights)
        table = m.per_class(["recall", "f1", "mcc_binary", "lr_positive"], ci=0.95)
        for row, label in enumerate(m.labels):
            for name in ("recall", "f1", "mcc_binary", "lr_positive"):
                wanted = m.ci(name, pos_label=label)
                ends = table[f"{name}_low"][row], table[f"{name}_high"][row]
                assert ends == pytest.approx(wanted[1:3], rel=1e-12)


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ([[24, 0], [36, 0]], "kappa"),
        ([[29, 0], [0, 31]], "nmi_arithmetic"),
        ([[0, 17, 0], [0, 0, 22], [21, 0, 0]], "mcc"),
        ([[30, 0], [0, 30]], "mutual_information"),
    ],
)
def test_a_gradient_that_is_rounding_alone_gives_no_point(cells, name):
    found = cm.ConfusionMatrix(cells).ci(name)
    assert found.method == "delta of smoothed cells"
    assert found.high - found.low > 0.02
    assert found.se < 1e-12


def test_metrics_of_a_class_do_not_know_how_many_others_there_are():
    few, many = cm.ConfusionMatrix([[9, 0], [0, 261]]), cm.ConfusionMatrix(np.diag([9] * 30))
    for name in ("f1", "jaccard", "mcc_binary"):
        assert many.ci(name, pos_label=0)[:3] == pytest.approx(few.ci(name, pos_label=0)[:3])
    smoothed = cm.ConfusionMatrix([[50, 3, 2], [4, 60, 5], [1, 2, 30]]).smooth(1.0)
    table = smoothed.per_class(["f1", "recall"], ci=0.95)
    for row, label in enumerate(smoothed.labels):
        for name in ("f1", "recall"):
            ends = smoothed.ci(name, pos_label=label)[1:3]
            assert (table[f"{name}_low"][row], table[f"{name}_high"][row]) == ends


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_squares_beyond_the_range_of_floats_are_not_known(size):
    m = cm.confusion_matrix([0, 1, 1, 0] * 9, [0, 1, 0, 0] * 9, sample_weight=[size] * 36)
    for name in ("mcc", "accuracy", "recall"):
        assert math.isnan(m.ci(name).low)
    assert m.per_class(["recall"], ci=0.95)["recall_low"].null_count() == 2


def test_sums_that_round_to_nearly_nothing_are_nothing():
    y, p, w = [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0.1, 0.1, 0.2, 0.1, 0.3, 0.3]
    table = cm.confusion_matrix(y, p, sample_weight=w).per_class(["specificity"], ci=0.95)
    assert table["specificity_low"].to_list() == [0, 0]
    assert all(high > 0.4 for high in table["specificity_high"])


def test_keys_called_like_ends_are_refused():
    log = pl.DataFrame({"metrics": [1, 2], "accuracy_low": [1, 1], "y": [0, 1], "p": [0, 1]})
    asked = {"metrics": ["accuracy"], "ci": 0.9}
    assert log.cm.evaluate("y", "p", by="metrics", **asked).height == 2
    with pytest.raises(cm.InputError, match="`by` has the column 'accuracy_low', a name of the"):
        log.cm.evaluate("y", "p", by="accuracy_low", **asked)


def test_reasons_are_of_the_metrics_alone():
    log = pl.DataFrame({"y": [0, 1], "p": [0, 0]})
    rows = log.select(cm.metrics("y", "p", ["precision", "mcc"], ci=0.9, reasons=True))
    told = rows.unnest("metrics")["reasons"].struct.unnest()
    assert told.columns == ["precision", "mcc"]
    assert told["precision"][0] == "class 1: tp + fp = 0"
