"""`reasons=True`: beside every value the reason why it is undefined, at every door of frames."""

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.slices import KINDS, N, frame_of, labels_of

import confmat as cm

METRICS = ["precision_macro", "f1_weighted", "mcc", "gmcc", "kappa_linear", "npv_micro", "eve"]
SCORES = ["roc_auc", "average_precision", "brier_skill"]


@pytest.fixture(autouse=True)
def _no_warning() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def degenerate(kind: str) -> pl.DataFrame:
    """Many small slices: most have an undefined value, some lack all rows."""
    frame = frame_of(kind)
    rng = np.random.default_rng(7)
    return frame.with_columns(
        g=pl.Series(rng.integers(0, N // 2, N)), s=pl.Series(rng.random(N).round(2))
    )


def expected(part: pl.DataFrame, weight: str | None, labels: Any) -> dict[str, str | None]:
    matrix = cm.confusion_matrix(
        part["y"],
        part["p"],
        labels=labels,
        sample_weight=None if weight is None else part[weight],
    )
    return {name: matrix.reason(name) for name in METRICS}


def given(metrics: pl.Series) -> list[dict[str, str | None]]:
    return metrics.struct.field("reasons").to_list()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("weight", [None, "w"])
def test_reasons_of_slices_are_those_of_the_matrix(
    kind: str, labelled: bool, weight: str | None
) -> None:
    frame = degenerate(kind)
    labels = labels_of(kind) if labelled else None
    options = {"sample_weight": weight, "labels": labels, "other": "bucket"}
    asked = cm.metrics("y", "p", METRICS, reasons=True, **options)
    eager = frame.group_by("g", maintain_order=True).agg(m=asked)
    if kind != "enum" and (labelled or kind != "bool"):
        wanted = [
            expected(part, weight, labels) for part in frame.partition_by("g", maintain_order=True)
        ]
        assert given(eager["m"]) == wanted
        assert any(text for row in wanted for text in row.values())
    for engine in ("in-memory", "streaming"):
        query = frame.lazy().group_by("g").agg(m=asked)
        assert query.collect_schema() == eager.schema
        assert_frame_equal(query.collect(engine=engine), eager, check_row_order=False)
    over = frame.lazy().select("g", m=asked.over("g")).unique("g", maintain_order=True)
    assert_frame_equal(over.collect(), eager)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"by": "g"},
        {"by": ["g", "h"]},
        {"by": ["g", "h"], "cube": True},
        {"by": "g", "sample_weight": "w"},
        {"by": "g", "undefined": 0.25},
        {"by": "g", "min_n": 3},
        {"sample_weight": "w"},
    ],
    ids=lambda options: "-".join(options) or "plain",
)
def test_every_route_of_evaluate_gives_them(
    kind: str, labelled: bool, options: dict[str, Any]
) -> None:
    frame = degenerate(kind).with_columns(h=pl.col("g") % 3)
    options = options | {"metrics": METRICS, "labels": labels_of(kind) if labelled else None}
    with_them = frame.cm.evaluate("y", "p", reasons=True, other="bucket", **options)
    without = frame.cm.evaluate("y", "p", other="bucket", **options)
    assert_frame_equal(with_them.drop("reasons"), without)
    assert with_them.columns[-1] == "reasons"
    assert with_them.schema["reasons"] == pl.Struct(dict.fromkeys(METRICS, pl.String))
    query = frame.lazy().cm.evaluate("y", "p", reasons=True, other="bucket", **options)
    assert query.collect_schema() == with_them.schema
    for engine in ("in-memory", "streaming"):
        assert_frame_equal(query.collect(engine=engine), with_them)
    for name in METRICS:
        said = with_them["reasons"].struct.field(name)
        if "undefined" in options:
            plain = frame.cm.evaluate("y", "p", other="bucket", **options | {"undefined": None})
            null = plain[name].is_null()
        else:
            null = without[name].is_null()
        note = said.str.starts_with("degenerate class").fill_null(False)
        assert (said.is_not_null() == (null | note)).all()


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [None, "g"])
def test_reasons_of_scores(weight: str | None, by: str | None) -> None:
    frame = degenerate("bool")
    asked = cm.sweep_metrics("y", "s", SCORES, sample_weight=weight, reasons=True)
    parts = frame.partition_by("g", maintain_order=True) if by else [frame]
    eager = frame.group_by(by, maintain_order=True).agg(m=asked) if by else frame.select(m=asked)
    wanted = []
    for part in parts:
        scored = part.drop_nulls(["y", "s"])
        points = cm.sweep(
            scored["y"], scored["s"], sample_weight=None if weight is None else scored["w"]
        )
        wanted.append({name: points.reason(name) for name in SCORES})
    assert given(eager["m"]) == wanted
    options = {"by": by, "sample_weight": weight, "reasons": True}
    both = frame.cm.evaluate("y", "p", "s", metrics=[*METRICS, *SCORES], **options)
    alone = frame.cm.evaluate("y", None, "s", metrics=SCORES, **options)
    labels = frame.cm.evaluate("y", "p", metrics=METRICS, **options)
    fields = [*METRICS, *SCORES]
    assert both.schema["reasons"] == pl.Struct(dict.fromkeys(fields, pl.String))
    together = both["reasons"].struct.unnest()
    assert_frame_equal(together.select(SCORES), alone["reasons"].struct.unnest())
    assert_frame_equal(together.select(METRICS), labels["reasons"].struct.unnest())
    lazy = frame.lazy().cm.evaluate("y", "p", "s", metrics=fields, **options)
    assert lazy.collect_schema() == both.schema
    assert_frame_equal(lazy.collect(engine="streaming"), both)


def test_classes_of_an_enum_have_their_names() -> None:
    kind = pl.Enum(["ant", "bee", "a name of more than twelve bytes"])
    frame = pl.DataFrame({"g": [1, 1, 2], "y": ["ant", "bee", "bee"], "p": ["bee"] * 3})
    frame = frame.cast({"y": kind, "p": kind})
    long = kind.categories[2]
    for weight in (None, pl.lit(0.5)):
        for positive in (long, "ant"):
            asked = cm.metrics(
                "y", "p", ["precision"], pos_label=positive, sample_weight=weight, reasons=True
            )
            for lazy in (frame.lazy(), frame.lazy().filter(pl.col("g") > 5)):
                found = lazy.group_by("g").agg(m=asked).collect()
                said = [row["precision"] for row in given(found["m"])]
                assert said == [f"class {positive}: tp + fp = 0"] * len(found)
            whole = frame.select(m=asked).item()["reasons"]
            assert whole == {"precision": f"class {positive}: tp + fp = 0"}


def test_a_suppressed_value_says_so() -> None:
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 1, 1], "p": [0, 1, 1], "s": [0.1, 0.9, 0.8]})
    found = frame.cm.evaluate(
        "y", "p", "s", by="g", metrics=["accuracy", "roc_auc"], min_n=2, reasons=True
    )
    assert found["reasons"].to_list() == [
        {"accuracy": None, "roc_auc": None},
        {"accuracy": "n is below min_n = 2", "roc_auc": "n is below min_n = 2"},
    ]


def test_where_reasons_cannot_be() -> None:
    with pytest.raises(cm.InputError, match="use `metrics`"):
        cm.metric("mcc", "y", "p", reasons=True)
    with pytest.raises(cm.InputError, match="use `sweep_metrics`"):
        cm.frames.score_expressions.score_metric("ks", "y", "s", reasons=True)
    frame = pl.DataFrame({"reasons": [1], "y": [0], "p": [0]})
    with pytest.raises(cm.InputError, match="'reasons', a name of the result"):
        frame.cm.evaluate("y", "p", by="reasons", reasons=True)
    assert "reasons" in frame.cm.evaluate("y", "p", by="reasons").columns
    assert frame.select(cm.metrics("y", "p", [], reasons=True)).item() == {
        "n": 1, "n_dropped": 0, "n_other": 0,
    }  # fmt: skip


def test_plans_with_reasons_stream() -> None:
    frame = degenerate("enum").lazy()
    asked = cm.metrics("y", "p", METRICS, reasons=True)
    for query in (
        frame.group_by("g").agg(asked),
        frame.cm.evaluate("y", "p", "w", by="g", metrics=["mcc"], pos_label="1", reasons=True),
    ):
        graph = query.show_graph(engine="streaming", plan_stage="physical", raw_output=True)
        assert "in-memory-map" not in str(graph)


def test_metrics_and_reasons_become_columns() -> None:
    asked = cm.metrics(metrics=["mcc", "recall_macro"], reasons=True)
    frame = pl.DataFrame({"g": ["a", "b"], "y_true": [1, 1], "y_pred": [1, 0]})
    told = frame.group_by("g", maintain_order=True).agg(asked).unnest("metrics")
    names = ["g", "n", "n_dropped", "n_other", "mcc", "recall_macro"]
    names += ["reasons_mcc", "reasons_recall_macro"]
    assert told.unnest("reasons", separator="_").columns == names
    table = frame.cm.evaluate(by="g", metrics=["mcc", "recall_macro"], reasons=True)
    assert table.unnest("reasons", separator="_").columns == names


def test_a_positive_class_that_no_row_of_a_group_has_is_told() -> None:
    frame = pl.DataFrame({"g": ["a", "b"], "y_true": ["x", "z"], "y_pred": ["x", "z"]})
    for weight in (None, pl.lit(0.5)):
        asked = cm.metrics(
            metrics=["f1", "recall_macro"], pos_label="x", sample_weight=weight, reasons=True
        )
        table = frame.group_by("g", maintain_order=True).agg(asked).unnest("metrics")
        why = "no row has `pos_label` x; class x: 2 * tp + fp + fn = 0"
        assert table["reasons"].struct.field("f1").to_list() == [None, why]
        assert table["reasons"].struct.field("recall_macro").to_list() == [None, None]
