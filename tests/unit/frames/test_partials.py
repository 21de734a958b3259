"""Partial states of a frame: any split, merged, finishes as the table of all rows."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from polars.exceptions import ComputeError
from polars.testing import assert_frame_equal

import confmat as cm

RNG = np.random.default_rng(31)
N = 2000
NAMES = ["ant", "bee", "cat"]
FRAME = pl.DataFrame(
    {
        "day": np.arange(N) // 100,
        "site": RNG.choice(["north", "south", None], N).tolist(),
        "shift": RNG.integers(0, 3, N),
        "y": RNG.integers(0, 3, N),
        "p": RNG.integers(0, 3, N),
        "s": RNG.integers(0, 999, N) / 1000,
        "k": RNG.integers(0, 4, N),
        "w": RNG.random(N),
    }
).with_columns(
    pl.when(pl.int_range(N) % 40 > 0).then("p").alias("p"),
    pl.when(pl.int_range(N) % 30 > 0).then("s").alias("s"),
    late=pl.col("y") > 1,
    late_pred=pl.col("p") > 1,
)
KINDS = {
    "Int64": lambda c: c,
    "Boolean": lambda c: c > 1,
    "String": lambda c: c.replace_strict(dict(enumerate(NAMES))),
    "Categorical": lambda c: c.replace_strict(dict(enumerate(NAMES)), return_dtype=pl.Categorical),
    "Enum": lambda c: c.replace_strict(
        dict(enumerate(NAMES)), return_dtype=pl.Enum(["dog", *NAMES])
    ),
}


def frame_of(kind):
    return FRAME.with_columns(KINDS[kind](pl.col(name)) for name in ("y", "p"))


def split_merged(frame, by, **asked):
    """Partial states of each day, which travel as Parquet would, merged."""
    keys = ["day", *by]
    days = [cm.partial(part, by=keys, **asked) for _, part in frame.group_by("day")]
    return cm.merge(pl.concat(days[::-1]), by=list(by))


@pytest.mark.parametrize("weight", [None, "k", "w"])
@pytest.mark.parametrize("by", [[], ["site"], ["shift", "site"]])
@pytest.mark.parametrize("kind", KINDS)
def test_parts_finish_as_the_rows(kind, by, weight):
    frame = frame_of(kind)
    asked = {"y_true": "y", "y_pred": "p", "sample_weight": weight}
    parts = split_merged(frame, by, **asked)
    assert_frame_equal(parts, cm.partial(frame, by=by, **asked))
    options = [{}, {"metrics": ["mcc", "f1_macro", "eve"]}]
    options += [{"undefined": 0.0}, {"smoothing": 0.5}, {"keep_empty": True}, {"reasons": True}]
    for option in options:
        whole = frame.cm.evaluate("y", "p", by=by or None, sample_weight=weight, **option)
        exact = weight is None
        assert_frame_equal(cm.finish(parts, **option), whole, check_exact=exact, rel_tol=1e-14)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [[], ["site"]])
@pytest.mark.parametrize("bins", [None, "unit"])
def test_scores_finish_as_the_rows(by, weight, bins):
    asked = {"y_true": "late", "y_score": "s", "sample_weight": weight, "bins": bins}
    parts = split_merged(FRAME, by, **asked)
    for option in ({}, {"metrics": ["ks", "brier", "log_loss", "ece(5)"]}, {"reasons": True}):
        whole = FRAME.cm.evaluate(
            "late", y_score="s", by=by or None, sample_weight=weight, **option
        )
        assert_frame_equal(cm.finish(parts, **option), whole, rel_tol=1e-13)


@pytest.mark.parametrize("by", [[], ["site"]])
def test_both_finish_as_the_rows(by):
    asked = {"y_true": "late", "y_pred": "late_pred", "y_score": "s"}
    parts = split_merged(FRAME, by, **asked)
    assert parts.columns == [*by, "state", "scored"]
    options = ({}, {"metrics": ["f1", "roc_auc"]}, {"metrics": ["mcc"]}, {"metrics": ["ks"]})
    for option in options:
        for more in ({}, {"reasons": True}):
            out = cm.finish(parts, **option, **more)
            whole = FRAME.cm.evaluate("late", "late_pred", "s", by=by or None, **option, **more)
            if option != {"metrics": ["ks"]}:  # evaluate then leaves predictions aside
                assert_frame_equal(out, whole)
            else:
                assert out["ks"].to_list() == whole["ks"].to_list()


def test_lazy_frames_and_expressions_as_keys():
    keys = [pl.col("site").str.to_uppercase(), (pl.col("day") // 10).alias("decade")]
    eager = cm.partial(FRAME, y_true="y", y_pred="p", by=keys)
    lazy = cm.partial(FRAME.lazy(), y_true="y", y_pred="p", by=keys)
    assert isinstance(lazy, pl.LazyFrame)
    for engine in ("in-memory", "streaming"):
        assert_frame_equal(lazy.collect(engine=engine), eager)
    coarse = cm.merge(lazy, by=pl.col("decade") // 2)
    whole = FRAME.with_columns(decade=pl.col("day") // 20)
    assert_frame_equal(coarse.collect(), cm.partial(whole, y_true="y", y_pred="p", by="decade"))
    assert_frame_equal(
        cm.finish(eager, "mcc"),
        FRAME.with_columns(keys).cm.evaluate("y", "p", by=["site", "decade"], metrics="mcc"),
    )


def test_rows_of_one_slice_are_merged_before_they_are_finished():
    parts = cm.partial(FRAME, y_true="y", y_pred="p", by=["site", "day"]).drop("day")
    whole = FRAME.cm.evaluate("y", "p", by="site")
    assert_frame_equal(cm.finish(parts), whole)


def test_counts_of_sql_are_the_states_of_their_rows():
    frame = frame_of("String")
    counts = frame.group_by("site", "y", "p").agg(n=pl.len())
    for options in ({}, {"labels": NAMES[::-1]}, {"pos_label": "bee"}):
        ours = cm.state_from_counts(counts, y_true="y", y_pred="p", by="site", **options)
        rows = cm.partial(frame, y_true="y", y_pred="p", by="site", **options)
        assert_frame_equal(ours, rows)
    twice = pl.concat([counts, counts.with_columns(n=pl.col("n") * 0)])
    assert_frame_equal(
        cm.state_from_counts(twice, y_true="y", y_pred="p", by="site"),
        cm.partial(frame, y_true="y", y_pred="p", by="site"),
    )
    for kind in KINDS:
        frame = frame_of(kind)
        counts = frame.group_by("y", "p").agg(n=pl.len().cast(pl.UInt32))
        ours = cm.state_from_counts(counts, y_true="y", y_pred="p")
        assert ours["state"].item() == cm.confusion_matrix(frame["y"], frame["p"]).to_bytes()
    frame = frame_of("Int64")
    counts = frame.group_by("y", "p").agg(n=pl.len())
    asked = {"y_true": "y", "y_pred": "p", "labels": [0, 1], "other": "bucket"}
    assert_frame_equal(cm.state_from_counts(counts, **asked), cm.partial(frame, **asked))


def test_huge_counts():
    counts = pl.DataFrame({"y_true": [0, 1, 1], "y_pred": [0, 1, 1], "n": [2**53, 2**53 - 1, 2]})
    matrix = cm.from_bytes(cm.state_from_counts(counts)["state"].item())
    assert matrix.counts.tolist() == [[2**53, 0], [0, 2**53 + 1]]
    assert matrix.accuracy == 1.0
    many = pl.concat([counts] * 1024)
    with pytest.raises(cm.InputError, match=r"`n` sum to more than 2\^63 - 1"):
        cm.state_from_counts(many)
    others = many.with_columns(pl.lit(7).alias("y_true"))
    with pytest.raises(cm.InputError, match=r"`n` sum to more than 2\^63 - 1"):
        cm.state_from_counts(others, labels=[0, 1], other="bucket")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cm.partial(FRAME, y_true="Y", y_pred="p"), "`y_true` names the column 'Y'"),
        (lambda: cm.partial(FRAME, y_true="y"), "`y_pred` names the column 'y_pred'"),
        (lambda: cm.partial(FRAME, y_true="y", y_pred="p", sample_weight="z"), "`sample_weight`"),
        (
            lambda: cm.partial(FRAME.rename({"day": "state"}), y_true="y", y_pred="p", by="state"),
            "`by` has the column 'state', a name of the result; rename it",
        ),
        (lambda: cm.partial(FRAME, y_true="y", y_pred="p", bins=None), "`bins` is for scores"),
        (lambda: cm.partial(FRAME, y_true="y", y_score="s", labels=[0]), "`labels` and `other`"),
        (lambda: cm.state("y", y_score="s", labels=[0]), "a list of its name, y_score=['s']"),
        (
            lambda: cm.partial(pd.DataFrame({"y": [1]}), y_true="y"),
            "`frame` is a pandas DataFrame; wanted a pl.DataFrame or pl.LazyFrame: "
            "pl.from_pandas(frame)",
        ),
        (
            lambda: cm.partial(pa.table({"y": [1]}), y_true="y"),
            "`frame` is a pyarrow Table; wanted a pl.DataFrame or pl.LazyFrame: pl.DataFrame(",
        ),
        (
            lambda: cm.partial("log.parquet"),
            "`frame` is str; wanted a pl.DataFrame or pl.LazyFrame",
        ),
        (
            lambda: cm.merge(pa.table({"state": [b""]}), by=[]),
            "`states` is a pyarrow Table; wanted a pl.DataFrame or pl.LazyFrame: "
            "pl.DataFrame(states)",
        ),
        (
            lambda: cm.finish(pd.DataFrame({"state": [b""]})),
            "`parts` is a pandas DataFrame; wanted a pl.DataFrame, a lazy frame collected: "
            "pl.from_pandas(parts)",
        ),
        (
            lambda: cm.state_from_counts(pd.DataFrame({"n": [1]})),
            "`frame` is a pandas DataFrame; wanted a pl.DataFrame, a lazy frame collected: ",
        ),
        (lambda: cm.merge(FRAME), "no Binary column 'state'; wanted what `cm.partial` gives"),
        (lambda: cm.merge([b""], by="site"), "`by` is for a frame of `cm.partial`"),
        (lambda: cm.finish([]), "`parts` is list; wanted a pl.DataFrame"),
        (lambda: cm.finish(FRAME.lazy()), "`parts` is LazyFrame; wanted a pl.DataFrame"),
        (lambda: cm.finish(FRAME), "no Binary column 'state'"),
        (
            lambda: cm.finish(cm.partial(FRAME, y_true="y", y_pred="p"), "roc_auc"),
            "states of predicted classes alone; give `y_score` to `cm.partial`",
        ),
        (
            lambda: cm.finish(cm.partial(FRAME, y_true="late", y_score="s"), "mcc"),
            "states of scores alone; give `y_pred` to `cm.partial`",
        ),
        (lambda: cm.state_from_counts(FRAME, y_true="y", y_pred="p"), "`n` names the column 'n'"),
        (lambda: cm.state_from_counts(FRAME, y_true="y", y_pred="p", n="w"), "`n` is Float64;"),
        (
            lambda: cm.state_from_counts(
                FRAME.with_columns(k=pl.lit(-1)), y_true="y", y_pred="p", n="k"
            ),
            "`n` holds -1 at row 0; wanted 0 to 2^53",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(cm.InputError, match=re.escape(message)):
        call()


def test_the_row_of_the_frame_is_named():
    frame = frame_of("Int64").with_columns(
        y=pl.when(pl.int_range(N) == 1234).then(9).otherwise("y"),
        w=pl.when(pl.int_range(N) == 777).then(-1.0).otherwise("w"),
    )
    with pytest.raises(cm.InputError, match="label 9 at row 1234 of `y_true`"):
        cm.partial(frame, y_true="y", y_pred="p", by="site", labels=[0, 1, 2])
    for scores in ({"y_pred": "p"}, {"y_true": "late", "y_score": "s"}):
        with pytest.raises(cm.InputError, match="weight -1 at row 777 of `sample_weight`"):
            cm.partial(frame, **({"y_true": "y"} | scores), by="site", sample_weight="w")


def test_empty_frames():
    none = FRAME.clear()
    parts = cm.partial(none, y_true="y", y_pred="p", by="site")
    assert parts.is_empty()
    assert cm.merge(parts).is_empty()
    out = cm.finish(parts)
    assert out.is_empty()
    assert out.columns == FRAME.cm.evaluate("y", "p", by="site").columns
    whole = cm.partial(none, y_true="y", y_pred="p")
    assert_frame_equal(cm.merge(pl.concat([whole, whole])), whole)
    both = cm.merge(pl.concat([whole, cm.partial(FRAME, y_true="y", y_pred="p")]))
    assert_frame_equal(both, cm.partial(FRAME, y_true="y", y_pred="p"))
    assert_frame_equal(cm.finish(whole), none.cm.evaluate("y", "p"))


@pytest.mark.parametrize("together", [pl.concat_list, pl.concat_arr])
def test_a_column_of_lists_of_scores_is_that_of_many_classes(together):
    p = [(pl.col("y") == k) * 0.5 + (pl.col("p").fill_null(0) == k) * 0.25 for k in range(3)]
    columns = [one.alias(f"p{k}") for k, one in enumerate(p)]
    frame = frame_of("Int64").with_columns(columns).with_columns(q=together("p0", "p1", "p2"))
    options = {"y_true": "y", "labels": [0, 1, 2], "by": "site"}
    of_columns = {**options, "y_score": ["p0", "p1", "p2"]}
    for scores in ("q", ["q"]):
        parts = cm.partial(frame, **options, y_score=scores)
        assert_frame_equal(parts, cm.partial(frame, **of_columns))
        asked = {**options, "y_score": scores, "y_pred": None, "metrics": ["roc_auc_macro"]}
        wanted = frame.cm.evaluate(**(asked | of_columns))
        assert_frame_equal(frame.cm.evaluate(**asked), wanted)
        for engine in ("in-memory", "streaming"):
            assert_frame_equal(frame.lazy().cm.evaluate(**asked).collect(engine=engine), wanted)
    with pytest.raises(ComputeError, match=r"has dtype (List|Array): wanted numbers; K scores a"):
        frame.select(cm.state("y", y_score="q"))
