"""`evaluate`: cubes, small slices, and arguments that are refused."""

import polars as pl
import pytest
from support.polars_releases import ERROR_OF_SOURCES

import confmat as cm

FRAME = pl.DataFrame(
    {
        "site": ["a", "a", "b", "b", "b", None],
        "day": [1, 2, 1, 1, 2, 2],
        "y_true": [0, 1, 1, 0, 1, 1],
        "y_pred": [0, 1, 0, 0, 1, 0],
    }
)


def test_cube_holds_every_subset_and_tells_all_from_missing() -> None:
    out = FRAME.cm.evaluate(by=["site", "day"], metrics=["accuracy"], cube=True)
    assert out.columns == ["site", "day", "grouping", "n", "n_dropped", "n_other", "accuracy"]
    sizes = dict(out.group_by("grouping").agg(pl.col("n").sum()).iter_rows())
    assert sizes == {"site, day": 6, "site": 6, "day": 6, "all": 6}
    assert out.filter(grouping="all").row(0)[:4] == (None, None, "all", 6)
    missing = out.filter(pl.col("grouping") == "site", pl.col("site").is_null())
    assert missing["n"].to_list() == [1]


def test_small_slices_keep_their_counts_but_show_no_metrics() -> None:
    by_site = FRAME.cm.evaluate(by="site", metrics=["accuracy"], min_n=2)
    assert by_site.select("site", "n", "accuracy").rows() == [
        ("a", 2, 1.0),
        ("b", 3, 2 / 3),
        (None, 1, None),
    ]
    by_day = FRAME.cm.evaluate(by="day", metrics=["accuracy"], min_n=4)
    assert by_day.select("n", "accuracy").rows() == [(3, None), (3, None)]


def test_eager_message_names_argument_label_and_row() -> None:
    message = r"label 1 at row 1 of `y_true` is not in labels \[0, 2\]"
    with pytest.raises(cm.InputError, match=message):
        FRAME.cm.evaluate(by="day", labels=[0, 2])


def test_lazy_message_names_argument_row_and_labels() -> None:
    query = FRAME.lazy().cm.evaluate(by="day", labels=[0, 2])
    with pytest.raises(ERROR_OF_SOURCES, match=r"row 1 of `y_true` is not in labels \[0, 2\]"):
        query.collect()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_true": "nope"}, "`y_true` names the column 'nope'"),
        ({"by": "nope"}, "`by` names the column 'nope'"),
        ({"by": ["day", "day"]}, "twice"),
        ({"sample_weight": "nope"}, "`sample_weight` names"),
        ({"metrics": ["acuracy"]}, "accuracy"),
        ({"metrics": ["mcc", "mcc"]}, "twice"),
        ({"metrics": ["n"]}, "always there"),
        ({"labels": []}, "`labels` is empty"),
        ({"labels": [0, "1"]}, "`labels` mixes"),
        ({"labels": [0, 1], "pos_label": 2, "metrics": ["recall"]}, "`pos_label` 2"),
        ({"labels": [0, 1, 2], "metrics": ["recall"]}, "recall_macro"),
        ({"other": "ignore"}, "`other`"),
        ({"cube": True}, "`cube` needs"),
    ],
)
def test_refused_before_the_query_runs(options: dict[str, object], message: str) -> None:
    with pytest.raises(cm.InputError, match=message):
        FRAME.lazy().cm.evaluate(**options)


def test_a_key_may_not_hide_a_metric() -> None:
    frame = FRAME.with_columns(mcc=pl.lit(1))
    with pytest.raises(cm.InputError, match="rename"):
        frame.cm.evaluate(by="mcc", metrics=["mcc"])


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        ([{"a": 0}] * 2, [0, 1], "`y_true` has dtype Struct"),
        (["a", "b"], [0, 1], "one kind"),
        ([[0], [1]], [0, 1], "`y_true` has dtype List"),
    ],
)
def test_columns_without_labels_are_refused_when_planned(
    y_true: list[object], y_pred: list[object], message: str
) -> None:
    frame = pl.DataFrame({"g": [1, 1], "y_true": y_true, "y_pred": y_pred}).lazy()
    query = frame.group_by("g").agg(cm.metrics())
    with pytest.raises(pl.exceptions.ComputeError, match=message):
        query.collect_schema()


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_bad_weights(weight: float) -> None:
    frame = FRAME.with_columns(w=pl.lit(weight))
    with pytest.raises(cm.InputError, match="sample_weight"):
        frame.cm.evaluate(sample_weight="w")


def test_more_than_two_classes_need_a_positive_one() -> None:
    frame = pl.DataFrame({"y_true": [0, 1, 2], "y_pred": [0, 1, 2]})
    with pytest.raises(pl.exceptions.ComputeError, match="recall_macro"):
        frame.select(cm.metric("recall"))
