"""Worst slices: each against the rest of its rows, which are counted again here."""

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import confmat as cm
from confmat.intervals.differences import newcombe
from confmat.slices.lattice import lattice
from confmat.slices.worst_slices import worst

RNG = np.random.default_rng(3)
N = 600
LOG = pl.DataFrame(
    {
        "site": RNG.choice(np.array(["a", "b", "c", "d", None], dtype=object), N).tolist(),
        "shift": RNG.integers(0, 3, N),
        "y": RNG.integers(0, 2, N),
        "s": np.round(RNG.random(N), 2),
    },
    strict=False,
).with_columns(p=pl.when(pl.col("site") == "b").then(1 - pl.col("y")).otherwise("y"))
LOG = LOG.with_columns(p=pl.when(pl.int_range(N) % 7 == 0).then(1 - pl.col("p")).otherwise("p"))
BY = ["site", "shift"]
PARTS = cm.partial(LOG, y_true="y", y_pred="p", y_score="s", by=BY, bins=None)
LATTICE = lattice(PARTS, BY, cube=True)


def rows_of(row: dict, frame: pl.DataFrame = LOG) -> pl.Expr:
    held = BY if "grouping" not in row else row["grouping"].split(", ")
    return pl.all_horizontal(pl.col(key).eq_missing(pl.lit(row[key])) for key in held)


def value(frame: pl.DataFrame, metric: str) -> float | None:
    table = frame.cm.evaluate("y", "p", "s", metrics=[metric])
    return table[metric].item()


@pytest.mark.parametrize("parts", [PARTS, LATTICE], ids=["finest", "lattice"])
@pytest.mark.parametrize(
    ("metric", "sign"),
    [("accuracy", 1), ("recall", 1), ("mcc", 1), ("f1_macro", 1), ("fpr", -1), ("roc_auc", 1),
     ("brier", -1), ("log_loss", -1), ("fbeta(2)", 1)],
)  # fmt: skip
def test_each_slice_against_its_rest(parts: pl.DataFrame, metric: str, sign: int) -> None:
    table = worst(parts, metric, n=1000)
    assert table.height == parts.height - (1 if "grouping" in parts.columns else 0)
    overall = value(LOG, metric)
    for row in table.iter_rows(named=True):
        inside = rows_of(row)
        one, rest = LOG.filter(inside), LOG.filter(~inside)
        assert row["n"] == one.height
        assert row["value"] == pytest.approx(value(one, metric), rel=1e-12)
        assert row["rest"] == pytest.approx(value(rest, metric), rel=1e-12)
        assert row["difference"] == pytest.approx(row["value"] - row["rest"], rel=1e-12)
        assert row["loss"] == pytest.approx(sign * (row["rest"] - overall), abs=1e-12)
    losses = table["loss"].to_list()
    assert losses == sorted(losses, reverse=True)


def test_the_loss_of_a_rate_is_the_difference_times_the_share_of_its_rows() -> None:
    for row in worst(PARTS, "recall", n=1000).iter_rows(named=True):
        positives = LOG.filter(rows_of(row))["y"].sum()
        share = positives / LOG["y"].sum()
        assert row["loss"] == pytest.approx(-share * row["difference"])


def test_intervals_of_rates_are_newcombes() -> None:
    for row in worst(PARTS, "accuracy", n=1000, level=0.9).iter_rows(named=True):
        inside = rows_of(row)
        right = LOG.with_columns(right=pl.col("y") == pl.col("p"))
        one, rest = right.filter(inside)["right"], right.filter(~inside)["right"]
        ends = newcombe(one.sum(), len(one), rest.sum(), len(rest), 0.9)
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends)
        assert row["reason"] is None


def test_other_metrics_have_intervals_where_these_have_a_formula() -> None:
    for metric in ("mcc", "roc_auc"):
        table = worst(PARTS, metric)
        assert table["difference_low"].null_count() == 0
        assert (table["difference_low"] < table["difference"]).all()
        assert table["reason"].null_count() == table.height
    table = worst(PARTS, "ks")
    assert table["difference_low"].null_count() == table.height
    assert "drawing rows again" in table["reason"][0]


def test_the_slice_that_was_made_worse_comes_first() -> None:
    assert worst(LATTICE, "accuracy", n=1).select("site", "grouping").row(0) == ("b", "site")


def test_small_slices_come_last_with_their_counts_alone() -> None:
    table = worst(PARTS, "accuracy", n=1000, min_n=40)
    small = table["n"] < 40
    assert small.to_list() == sorted(small)
    assert 0 < small.sum() < table.height
    hidden = table.filter(small)
    assert set(hidden["reason"]) == {"n is below min_n = 40"}
    assert hidden.drop(*BY, "n", "reason").null_count().row(0) == (hidden.height,) * 6
    assert worst(PARTS, "accuracy", min_n=40, n=int((~small).sum()))["loss"].null_count() == 0


def test_undefined_values_say_why_and_come_after_losses() -> None:
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "y": [1, 0, 0, 0], "p": [1, 1, 0, 1]})
    table = worst(cm.partial(frame, y_true="y", y_pred="p", by="g"), "recall")
    rows = {row["g"]: row for row in table.iter_rows(named=True)}
    assert (rows[2]["value"], rows[2]["reason"]) == (None, "class 1: tp + fn = 0")
    assert (rows[1]["rest"], rows[1]["reason"]) == (None, "of the rest: class 1: tp + fn = 0")
    assert table["loss"].null_count() == 2


def test_one_slice_has_no_rest() -> None:
    frame = pl.DataFrame({"g": [1, 1], "y": [1, 0], "p": [1, 1]})
    row = worst(cm.partial(frame, y_true="y", y_pred="p", by="g"), "accuracy").row(0, named=True)
    assert (row["value"], row["rest"], row["loss"]) == (0.5, None, None)
    assert row["reason"].startswith("of the rest: ")


def test_models_are_compared_with_their_own_rest() -> None:
    models = [LOG.with_columns(model=pl.lit("m")), LOG[:300].with_columns(model=pl.lit("n"))]
    parts = cm.partial(pl.concat(models), y_true="y", y_pred="p", by=["model", "site"])
    table = worst(parts, "accuracy", n=100)
    for model, log in zip(("m", "n"), models, strict=True):
        alone = worst(cm.partial(log, y_true="y", y_pred="p", by="site"), "accuracy", n=100)
        assert table.filter(model=model).drop("model").rows() == alone.rows()
    by_site = worst(parts, "accuracy", n=100, within=["model", "site"])
    assert by_site["rest"].null_count() == by_site.height


def test_weighted_rows_have_intervals() -> None:
    log = LOG.with_columns(w=pl.lit(2.0))
    parts = cm.partial(log, y_true="y", y_pred="p", by="site", sample_weight="w")
    table = worst(parts, "accuracy")
    assert table["n"].sum() == 2 * N
    assert table.schema["n"] == pl.Float64
    assert table["loss"].to_list() == pytest.approx(
        worst(cm.partial(LOG, y_true="y", y_pred="p", by="site"), "accuracy")["loss"].to_list()
    )
    assert table["reason"].null_count() == table.height
    plain = worst(cm.partial(LOG, y_true="y", y_pred="p", by="site"), "accuracy")
    assert table["difference_low"].to_list() == pytest.approx(plain["difference_low"].to_list())


def test_scores_in_bins_and_states_of_scores_alone() -> None:
    parts = cm.partial(LOG, y_true="y", y_score="s", by="site")
    table = worst(parts, "roc_auc")
    for row in table.iter_rows(named=True):
        rest = LOG.filter(~pl.col("site").eq_missing(pl.lit(row["site"])))
        assert row["rest"] == pytest.approx(cm.roc_auc(rest["y"], rest["s"]), abs=1e-3)


def test_a_lattice_without_all_rows_has_the_same_rest() -> None:
    some = lattice(PARTS, BY, grouping_sets=[["site"], ["shift"]])
    wanted = worst(LATTICE, "accuracy", n=1000).filter(pl.col("grouping") != "site, shift")
    assert worst(some, "accuracy", n=1000).rows() == wanted.rows()


ROWS = st.lists(
    st.tuples(st.sampled_from([None, "a", "b"]), *[st.integers(0, 2)] * 2), min_size=1, max_size=30
)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_random_frames(rows: list) -> None:
    frame = pl.DataFrame(rows, schema={"g": pl.String, "y": pl.Int8, "p": pl.Int8}, orient="row")
    table = worst(cm.partial(frame, y_true="y", y_pred="p", by="g"), "f1_macro", n=10)
    for row in table.iter_rows(named=True):
        inside = pl.col("g").eq_missing(pl.lit(row["g"]))
        for name, part in (("value", frame.filter(inside)), ("rest", frame.filter(~inside))):
            wanted = cm.confusion_matrix(part["y"], part["p"]).f1_macro
            assert row[name] == (None if np.isnan(wanted) else pytest.approx(wanted))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worst(PARTS, "prevalence"), "`metric` is 'prevalence', of which neither"),
        (lambda: worst(PARTS, "entropy_true"), "neither more nor less is better"),
        (lambda: worst(PARTS, "fp"), "`metric` is 'fp', a number of rows"),
        (lambda: worst(PARTS, "acuracy"), "no metric is named 'acuracy'; did you mean accuracy"),
        (lambda: worst(PARTS, ["mcc"]), r"`metric` is \['mcc'\]; wanted the name of one"),
        (lambda: worst(PARTS.drop("scored"), "roc_auc"), "give `y_score` to `cm.partial`"),
        (
            lambda: worst(cm.partial(LOG, y_true="y", y_score="s", by="site"), "mcc"),
            "`metric` is 'mcc'; wanted a metric of predicted classes or of scores",
        ),
        (lambda: worst(PARTS, "mcc", n=0), "`n` is 0"),
        (lambda: worst(PARTS, "mcc", n=True), "`n` is True"),
        (lambda: worst(PARTS, "mcc", min_n=-1), "`min_n` is -1"),
        (lambda: worst(PARTS, "mcc", level=95), "`level` is 95"),
        (lambda: worst(PARTS, "mcc", within="day"), "`within` has the key 'day'"),
        (lambda: worst(PARTS.select("state"), "mcc"), "`parts` has no keys"),
        (lambda: worst(LOG, "mcc"), "no Binary column 'state'"),
        (lambda: worst(3, "mcc"), "`parts` is int"),
    ],
)
def test_what_is_refused(call: object, message: str) -> None:
    with pytest.raises(cm.InputError, match=message):
        call()


def test_the_metric_that_the_message_names_works() -> None:
    assert worst(PARTS, "fpr").height == 15
    assert worst(PARTS, "accuracy").height == 15
