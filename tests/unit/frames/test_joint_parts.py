"""Joint counts of slices: those of `joint_matrix` of the rows of each."""

import numpy as np
import polars as pl
import pytest

import confmat as cm

_N = 400
_RNG = np.random.default_rng(5)
LOG = pl.DataFrame(
    {
        "site": _RNG.choice(["a", "b", "c"], _N),
        "shift": pl.Series(_RNG.integers(0, 3, _N)).replace(2, None),
        **{name: _RNG.choice([1, 4, 6, 9], _N) for name in ("y", "old", "new")},
        "w": _RNG.random(_N) * 10.0 ** _RNG.integers(-20, 20, _N),
        "k": _RNG.integers(0, 5, _N),
    }
).with_columns(
    pl.when(pl.int_range(_N) % 17 > 0).then(pl.col("old")),
    pl.when(pl.int_range(_N) % 29 > 0).then(pl.col("w")),
)
COLUMNS = {"y_true": "y", "y_pred_a": "old", "y_pred_b": "new"}
KEYS = ["site", "shift"]


def by_hand(rows, **options):
    """Return the bytes of the rows."""
    weight = options.pop("sample_weight", None)
    weights = None if weight is None else rows[weight]
    return cm.joint_matrix(
        rows["y"], rows["old"], rows["new"], sample_weight=weights, **options
    ).to_bytes()


@pytest.mark.parametrize("weight", [None, "w", "k"])
@pytest.mark.parametrize("labels", [None, [9, 1]], ids=["found", "given"])
@pytest.mark.parametrize("dtype", [pl.Int64, pl.String, pl.Categorical, pl.Float32])
def test_slices_are_those_of_their_rows(weight, labels, dtype):
    texts = dtype in (pl.String, pl.Categorical)
    log = LOG.with_columns(
        pl.col("y", "old", "new").cast(pl.String).cast(dtype)
        if texts
        else pl.col("y", "old", "new").cast(dtype)
    )
    options = {"sample_weight": weight, "other": "bucket"}
    options["labels"] = [str(one) for one in labels] if labels and texts else labels
    parts = cm.joint_parts(log, by=KEYS, **COLUMNS, **options)
    assert parts.columns == [*KEYS, "joint"]
    assert parts.select(KEYS).equals(log.select(KEYS).unique().sort(KEYS, nulls_last=True))
    for site, shift, state in parts.rows():
        same = (pl.col("site") == site) & pl.col("shift").eq_missing(shift)
        assert state == by_hand(log.filter(same), **options)
    whole = by_hand(log, **options)
    assert parts.select(pl.col("joint").cm.merge_states()).item() == whole
    assert cm.joint_parts(log, **COLUMNS, **options).rows() == [(whole,)]
    coarser = cm.merge(parts, by="site")
    assert coarser.equals(cm.joint_parts(log, by="site", **COLUMNS, **options))
    lazy = cm.joint_parts(log.lazy(), by=KEYS, **COLUMNS, **options)
    assert lazy.equals(parts)


def test_keys_may_be_expressions():
    parts = cm.joint_parts(LOG, by=(pl.col("k") % 2).alias("odd"), **COLUMNS)
    assert parts["odd"].to_list() == [0, 1]
    assert parts["joint"][1] == by_hand(LOG.filter(pl.col("k") % 2 == 1))


def test_a_key_may_be_a_column_of_labels():
    parts = cm.joint_parts(LOG, by="y", **COLUMNS)
    assert parts["y"].to_list() == [1, 4, 6, 9]
    assert cm.from_bytes(parts["joint"][0]).matrix("a").n == LOG.filter(y=1)["old"].count()


def test_no_rows():
    none = LOG.clear()
    assert cm.joint_parts(none, by="site", **COLUMNS).schema == {
        "site": pl.String,
        "joint": pl.Binary,
    }
    for weight in (None, "k"):
        assert cm.joint_parts(none, sample_weight=weight, **COLUMNS).rows() == [
            (by_hand(none, sample_weight=weight),)
        ]


def test_enum_labels_are_kept_by_every_slice():
    enum = pl.Enum(["9", "6", "4", "1"])
    log = LOG.with_columns(pl.col("y", "old", "new").cast(pl.String).cast(enum))
    for weight in (None, "k"):
        parts = cm.joint_parts(log.head(3), by="site", sample_weight=weight, **COLUMNS)
        assert cm.from_bytes(parts["joint"][0]).labels == ("9", "6", "4", "1")


def test_bad_arguments_are_refused():
    for options, words in (
        ({"labels": [1, 4, 6]}, r"label 9 at row 2 of `y_pred_a`"),
        ({"labels": [1, 4, 6], "sample_weight": "k"}, r"label 9 at row 2 of `y_pred_a`"),
        ({"y_pred_a": "nothing"}, "`y_pred_a` names the column 'nothing'"),
        ({"sample_weight": "nothing"}, "`sample_weight` names the column 'nothing'"),
        ({"by": ["site", "nothing"]}, "`by` names the column 'nothing'"),
        ({"y_pred_b": "site"}, "`y_pred_b`"),
        ({"by": pl.col("site").alias("joint")}, "a name of the result"),
        ({"other": "drop"}, "`other`"),
    ):
        with pytest.raises(cm.InputError, match=words):
            cm.joint_parts(LOG, **COLUMNS | options)
    with pytest.raises(cm.InputError, match="`frame` is list"):
        cm.joint_parts([], **COLUMNS)
    with pytest.raises(cm.InputError, match="weight"):
        cm.joint_parts(LOG.with_columns(k=-pl.col("k")), sample_weight="k", **COLUMNS)


def test_metrics_of_joint_counts_are_those_of_a_matrix():
    parts = cm.joint_parts(LOG, **COLUMNS)
    with pytest.raises(Exception, match=r"a state of two models, .*: it has none by name"):
        parts.select(pl.col("joint").cm.state_metrics(["mcc"]))
