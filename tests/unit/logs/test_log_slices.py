"""Slices of logs: the same states as of the rows at once, for every kind of column and question."""

import itertools

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from support.polars_releases import TELLS_OTHER_ROWS

import confmat as cm
from confmat.logs import reading

RNG = np.random.default_rng(7)
N = 400
TEXTS = ["x", "y", "z"]
COLUMNS = {
    "Int64": pl.Series(RNG.integers(0, 4, N)),
    "Int8": pl.Series(RNG.integers(-1, 3, N).astype(np.int8)),
    "UInt64": pl.Series(RNG.integers(0, 3, N)).cast(pl.UInt64),
    "{-1, 1}": pl.Series(RNG.integers(0, 2, N) * 2 - 1),
    "{0, 1}": pl.Series(RNG.integers(0, 2, N)),
    "Float64": pl.Series(RNG.integers(0, 3, N).astype(float)),
    "Boolean": pl.Series(RNG.random(N) < 0.5),
    "String": pl.Series(RNG.choice(TEXTS, N)),
    "Categorical": pl.Series(RNG.choice(TEXTS, N)).cast(pl.Categorical),
    "Enum": pl.Series(RNG.choice(TEXTS, N)).cast(pl.Enum([*TEXTS, "w"])),
}
DATES = pl.Series(RNG.integers(0, 3, N)).cast(pl.Date)
KEYS = COLUMNS | {
    "Date": DATES,
    "Datetime": DATES.cast(pl.Datetime("ms")),
    "far apart": pl.Series(RNG.integers(0, 3, N) * 2**40),
    "a List": pl.Series(RNG.integers(0, 2, N)).cast(pl.String).str.split(""),
}


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 37)


def with_nulls(column, share=0.05):
    gone = pl.Series(RNG.random(len(column)) < share)
    return pl.select(pl.when(~gone).then(column)).to_series()


def outcome(call):
    try:
        return call()
    except cm.InputError as error:
        return str(error)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", COLUMNS)
def test_the_states_are_those_of_all_rows(name, key):
    truth = COLUMNS[name]
    pred = truth.gather(RNG.permutation(N))
    rows = pl.DataFrame({"t": with_nulls(truth), "p": with_nulls(pred), "k": with_nulls(KEYS[key])})
    values = truth.unique().sort().to_list()
    values = [int(value) if isinstance(value, float) else value for value in values]
    for labels, pos_label in itertools.product((None, values), (None, values[-1])):
        asked = {"y_true": "t", "y_pred": "p", "labels": labels, "pos_label": pos_label}
        for by in ("k", ["k", "t"], None):
            want = outcome(lambda: cm.partial(rows, by=by, **asked))  # noqa: B023
            got = outcome(lambda: cm.evaluate(rows, by=by, **asked).states())  # noqa: B023
            assert want.equals(got) if isinstance(want, pl.DataFrame) else want == got


SCORED = pl.DataFrame(
    {
        "t": with_nulls(COLUMNS["{0, 1}"]),
        "p": with_nulls(COLUMNS["{0, 1}"]),
        "s": with_nulls(pl.Series(RNG.random(N).round(2))),
        "w": pl.Series(RNG.integers(0, 5, N)),
        "f": pl.Series(RNG.random(N)),
        "k": with_nulls(COLUMNS["String"]),
        "pa": pl.Series(RNG.random(N)),
        "pb": pl.Series(RNG.random(N)),
    }
).with_columns(both=pl.concat_list("pa", "pb"))


@pytest.mark.parametrize(
    "asked",
    [
        {"y_score": "s", "y_pred": None},
        {"y_score": "s", "y_pred": "p"},
        {"y_score": "s", "y_pred": "p", "sample_weight": "w"},
        {"y_score": "s", "y_pred": None, "bins": None},
        {"y_score": "s", "y_pred": None, "bins": 4096},
        {"y_pred": "p", "sample_weight": "f"},
        {"y_pred": "p", "sample_weight": "w"},
        {"y_score": ["pa", "pb"], "labels": [0, 1], "y_pred": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("by", ["k", None])
def test_scores_weights_and_classes(asked, by):
    plain = {"y_pred": None} | asked
    want = cm.partial(SCORED, y_true="t", by=by, **plain)
    if plain["y_pred"] is None and plain["y_score"] == "s":
        # There is a column "p" and no "y_pred": scores alone are asked about.
        assert "scored" not in want.columns
    got = cm.evaluate(SCORED, y_true="t", by=by, **plain).states()
    assert got.equals(want)


def test_a_column_of_lists_is_the_scores_of_all_classes():
    wide = cm.evaluate(SCORED, y_true="t", y_score=["pa", "pb"], labels=[0, 1], by="k")
    lists = cm.evaluate(SCORED, y_true="t", y_score="both", labels=[0, 1], by="k")
    assert lists.states().equals(wide.states())


def test_predictions_beside_scores_of_many_classes():
    e = cm.evaluate(SCORED, y_true="t", y_pred="p", y_score=["pa", "pb"], labels=[0, 1], by="k")
    alone = cm.evaluate(SCORED, y_true="t", y_pred="p", labels=[0, 1], by="k")
    scored = cm.evaluate(SCORED, y_true="t", y_score=["pa", "pb"], labels=[0, 1], by="k")
    table = e.slices(["accuracy", "roc_auc_macro"])
    assert table["accuracy"].equals(alone.slices("accuracy")["accuracy"])
    assert table["roc_auc_macro"].equals(scored.slices("roc_auc_macro")["roc_auc_macro"])
    assert e.sweep(k="x").roc_auc == scored.sweep(k="x").roc_auc
    assert e.matrix(k="x") == alone.matrix(k="x")


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_batches_give_the_same_bytes(data):
    rows = data.draw(st.integers(0, 30))
    values = st.lists(st.sampled_from([None, 0, 1, 2, 300]), min_size=rows, max_size=rows)
    columns = {name: data.draw(values) for name in ("t", "p", "k", "j")}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))
    asked = {"y_true": "t", "y_pred": "p", "by": ["k", "j"][: data.draw(st.integers(0, 2))]}
    acc = cm.Accumulator(**asked)
    at = 0
    while at < rows or at == 0:
        size = data.draw(st.integers(1, 12))
        acc.update(frame[at : at + size])
        at += size
    whole = cm.evaluate(frame, **asked)
    assert acc.to_bytes() == whole.to_bytes()
    assert whole.states().equals(cm.partial(frame, **asked))


def test_slices_beyond_tables_are_kept_as_states(monkeypatch):
    n = 3_000
    frame = pl.DataFrame(
        {"t": RNG.integers(0, 40, n), "p": RNG.integers(0, 40, n), "k": RNG.integers(0, n, n)}
    )
    asked = {"y_true": "t", "y_pred": "p", "by": "k"}
    few = cm.evaluate(frame, max_memory="4 MB", **asked)
    assert few.states().equals(cm.partial(frame, **asked))


def test_more_slices_than_memory_are_refused_before_it_is_spent():
    n = 40_000
    frame = pl.DataFrame({"t": [0, 1] * (n // 2), "p": [0, 1] * (n // 2), "k": range(n)})
    said = r"`by` cuts the rows into [\d,]+ slices so far, whose states take .* `max_memory` allows"
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(frame, y_true="t", y_pred="p", by="k", max_memory=1_000_000)
    assert cm.evaluate(frame, y_true="t", y_pred="p", by="k", max_memory="1 GB").n == n
    with pytest.raises(cm.InputError, match="`max_memory` is 'much'; wanted a number of bytes"):
        cm.evaluate(frame, y_true="t", y_pred="p", max_memory="much")


def test_keys_may_be_expressions_and_conditions_go_before_them():
    frame = pl.DataFrame(
        {
            "time": pl.datetime_range(
                pl.datetime(2024, 1, 1), pl.datetime(2024, 3, 1), "7h", eager=True
            )
        }
    ).with_columns(t=pl.int_range(pl.len()) % 2, p=pl.int_range(pl.len()) % 3 % 2)
    month = pl.col("time").dt.month().alias("month")
    e = cm.evaluate(frame, y_true="t", y_pred="p", by=month, where=pl.col("time").dt.day() < 20)
    kept = frame.filter(pl.col("time").dt.day() < 20).with_columns(month)
    assert e.slices("accuracy").equals(kept.cm.evaluate("t", "p", by="month", metrics="accuracy"))
    window = pl.col("time").dt.truncate("1w").alias("week")
    weeks = cm.evaluate(frame, y_true="t", y_pred="p", by=window)
    assert weeks.states().equals(cm.partial(frame, y_true="t", y_pred="p", by=window))


@pytest.mark.skipif(
    not TELLS_OTHER_ROWS,
    reason="this version of Polars does not tell what an expression looks at",
)
def test_expressions_that_look_at_other_rows_are_for_one_frame(tmp_path):
    rows = pl.DataFrame({"t": [0, 1] * 50, "p": [0, 1, 1, 0] * 25, "v": range(100)})
    for at in range(2):
        rows[50 * at : 50 * at + 50].write_parquet(tmp_path / f"{at}.parquet")
    asked = {"y_true": "t", "y_pred": "p"}
    above = pl.col("v") > pl.col("v").mean()
    whole = cm.evaluate(rows, where=above, by=pl.col("v").rank() > 30, **asked)
    assert (whole.n, whole.matrix(v=True).n) == (50, 20)
    said = r"`where` has .*looks at other rows.* cm.bin_quantiles does, or give one LazyFrame"
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(tmp_path, where=above, **asked)
    with pytest.raises(cm.InputError, match=r"`by` has .*looks at other rows"):
        cm.evaluate(tmp_path, by=pl.col("v").cum_sum(), **asked)
    with pytest.raises(cm.InputError, match=r"`by` has .*looks at other rows"):
        cm.Accumulator(by=pl.col("v").rank(), **asked).update(rows)
    with pytest.raises(cm.InputError, match=r"`where` has .*looks at other rows"):
        cm.evaluate(tmp_path, where=pl.col("v") < pl.len(), **asked)
    by_row = pl.concat_list("v", "t").list.eval(pl.element() - pl.element().min()).list.max() > 50
    assert cm.evaluate(tmp_path, where=by_row, **asked).n == 48
    few = pl.col("v").is_in(pl.Series([3, 60]).implode())
    assert cm.evaluate(tmp_path, where=few, **asked).n == 2
    own = pl.col("v").map_elements(
        {v: v // 10 for v in range(100)}.__getitem__, return_dtype=pl.Int64
    )
    assert len(cm.evaluate(tmp_path, by=own.alias("ten"), **asked).slices()) == 10
    # What the message advises.
    lazy = pl.scan_parquet(f"{tmp_path}/*.parquet")
    assert cm.evaluate(lazy, where=above, **asked).n == 50
    quarters = cm.evaluate(tmp_path, by=cm.bin_quantiles("v", 4, lazy), **asked)
    assert quarters.slices()["n"].to_list() == [25, 25, 25, 25]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            {"by": "sit"},
            r"`by` names the column 'sit', which is not there \(did you mean 'site'\?\)",
        ),
        ({"y_pred": "q"}, "`y_pred` names the column 'q', which is not there"),
        ({"where": pl.col("sight") > 1}, r"`where` names the column 'sight', .*'site'"),
        ({"where": "site > 1"}, "`where` is 'site > 1'; wanted a Polars expression"),
        ({"by": [3]}, "`by` has 3; wanted the name of a column, or an expression"),
        ({"by": [pl.col("site").alias("state")]}, "`by` has the key 'state', a name of the result"),
        (
            {"by": [(pl.col("y") + 1).alias("y")]},
            "an expression called 'y' like a column of values",
        ),
        ({"by": ["site", "site"]}, "`by` has two keys of one name"),
        ({"cube": True, "depth": 1}, "`cube` and `depth` are both given"),
        ({"nulls": "keep"}, "`nulls` is 'keep'; wanted 'drop' or 'raise'"),
        ({"on_error": "ignore"}, "`on_error` is 'ignore'; wanted 'raise' or 'skip'"),
        ({"metrics": "accurcy"}, "accuracy"),
        ({"nulls": "raise"}, "`y_true` is null at row 5"),
        ({"labels": [0]}, r"label 1 at row 1 of `y_true` is not in labels \[0\]"),
        ({"checkpoint": "run.ckpt"}, "`checkpoint` needs files"),
        ({"y_score": "site"}, "`y_score` has dtype String: wanted numbers"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_questions_that_cannot_be(asked, said):
    frame = pl.DataFrame(
        {"site": list("abcabca"), "y": [0, 1, 1, 0, 1, None, 0], "p": [0, 1, 0, 0, 0, 1, 1]}
    )
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(frame, **{"y_true": "y", "y_pred": "p"} | asked).slices()
