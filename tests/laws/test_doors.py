"""Whatever door the rows go through, the bytes of every number that comes out are the same.

The doors: the class, expressions in every context and engine, and `evaluate` of a frame or query.
"""

import numpy as np
import polars as pl
import pytest

import confmat as cm

METRICS = [
    *("accuracy", "balanced_accuracy", "mcc", "kappa", "kappa_quadratic", "gmcc", "eve", "cen"),
    *("nmi_joint", "canonical_correlation", "f1_macro", "recall_weighted", "precision_micro"),
    *("mcc_ovo", "fbeta_macro(2)", "generalized_f1(min)", "adjusted_rand", "f1_of_macros"),
]
TOTALS = ["n", "n_dropped", "n_other"]
TEXTS = ["ant", "bee", "a name much longer than sixteen bytes", "dog"]
N = 900


def labels_of(kind):
    if kind == "bool":
        return [False, True]
    return [0, 1, 2, 3] if kind in ("int", "int8") else TEXTS


def frame_of(kind, seed=0):
    """Return rows with two keys, labels with a few nulls, and two kinds of weights."""
    rng = np.random.default_rng(seed)
    known = pl.Series(labels_of(kind))
    y = rng.integers(0, len(known), N)
    p = np.where(rng.random(N) < 0.6, y, rng.integers(0, len(known), N))
    where = pl.Series(rng.random(N) < 0.02)
    frame = pl.DataFrame({
        "key": rng.integers(-2, 5, N),
        "site": rng.choice(["north", "south", "a site far away from it all"], N),
        "y": known.gather(y),
        "p": known.gather(p),
        "whole": rng.integers(0, 9, N),
        "real": rng.random(N) * 10.0 ** rng.integers(-6, 6, N),
    }).with_columns(pl.when(~where).then("y"))  # fmt: skip
    if kind == "category":
        return frame.with_columns(
            pl.col("y").cast(pl.Categorical(pl.Categories("one"))),
            pl.col("p").reverse().cast(pl.Categorical(pl.Categories("two"))).reverse(),
        )
    if kind == "enum":
        return frame.with_columns(pl.col("y", "p").cast(pl.Enum(TEXTS)))
    return frame.with_columns(pl.col("y", "p").cast(pl.Int8)) if kind == "int8" else frame


KINDS = ("int", "int8", "bool", "text", "category", "enum")


def of_class(part, labels, weight):
    """Return what the class says of these rows, as the doors name it."""
    m = cm.confusion_matrix(
        part["y"], part["p"], labels=labels, sample_weight=None if weight is None else part[weight]
    )
    numbers = m.values(METRICS)
    return {"n": m.n, "n_dropped": m.n_dropped, "n_other": m.n_other, **numbers}


def bits(row):
    """Return the bytes of a row of numbers; null is nan."""
    numbers = [row[name] for name in [*TOTALS, *METRICS]]
    return np.array([np.nan if x is None else float(x) for x in numbers]).tobytes()


def groups(frame, by, labels, weight):
    """Return the bytes of each group, by the class."""
    parts = frame.partition_by(by, as_dict=True).items()
    return {key[0]: bits(of_class(part, labels, weight)) for key, part in parts}


def found(table, by):
    """Return the bytes of each group of a result."""
    return {row[by]: bits(row) for row in table.iter_rows(named=True)}


def whole_frame_doors(frame, options, weight):
    named = {"metrics": METRICS, "sample_weight": weight, **options}
    expr = cm.metrics("y", "p", **named)
    yield "select", frame.select(expr).unnest("metrics")
    for engine in ("in-memory", "streaming"):
        yield engine, frame.lazy().select(expr).unnest("metrics").collect(engine=engine)
    yield "group_by of one", frame.group_by(pl.lit(1)).agg(expr).unnest("metrics")
    yield "over one", frame.with_columns(expr.over(pl.lit(1))).unnest("metrics").head(1)
    yield "with_columns", frame.with_columns(expr).unnest("metrics").tail(1)
    yield "evaluate", frame.cm.evaluate("y", "p", **named)
    for engine in ("in-memory", "streaming"):
        lazy = frame.lazy().cm.evaluate("y", "p", **named)
        yield f"lazy evaluate, {engine}", lazy.collect(engine=engine)


def grouped_doors(frame, by, options, weight):
    named = {"metrics": METRICS, "sample_weight": weight, **options}
    expr = cm.metrics("y", "p", **named)
    yield "agg", frame.group_by(by).agg(expr).unnest("metrics")
    for engine in ("in-memory", "streaming"):
        query = frame.lazy().group_by(by).agg(expr).unnest("metrics")
        yield engine, query.collect(engine=engine)
    over = frame.select(by, expr.over(by)).unnest("metrics")
    yield "over", over.unique(by, keep="any")
    yield "evaluate", frame.cm.evaluate("y", "p", by=by, **named)
    for engine in ("in-memory", "streaming"):
        lazy = frame.lazy().cm.evaluate("y", "p", by=by, **named)
        yield f"lazy evaluate, {engine}", lazy.collect(engine=engine)
    cube = frame.cm.evaluate("y", "p", by=by, cube=True, **named)
    yield "cube", cube.filter(pl.col("grouping") == by).drop("grouping")


@pytest.mark.parametrize("weight", [None, "whole", "real"])
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_whole_frame(kind, labelled, weight):
    frame = frame_of(kind)
    labels = labels_of(kind) if labelled else None
    wanted = bits(of_class(frame, labels, weight))
    for door, table in whole_frame_doors(frame, {"labels": labels}, weight):
        assert bits(table.row(0, named=True)) == wanted, door


@pytest.mark.parametrize("weight", [None, "whole", "real"])
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("by", ["key", "site"])
@pytest.mark.parametrize("kind", KINDS)
def test_groups(kind, by, labelled, weight):
    frame = frame_of(kind)
    labels = labels_of(kind) if labelled else None
    wanted = groups(frame, by, labels, weight)
    for door, table in grouped_doors(frame, by, {"labels": labels}, weight):
        assert found(table, by) == wanted, door


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("by", ["key", "site"])
@pytest.mark.parametrize("kind", KINDS)
def test_groups_that_lack_classes(kind, by, labelled):
    """Five rows a group: undefined values, absent classes, positions of ordered ones."""
    frame = frame_of(kind).with_columns(key=pl.int_range(pl.len()) // 5)
    frame = frame.with_columns(site=pl.format("s{}", "key"))
    labels = labels_of(kind) if labelled else None
    wanted = groups(frame, by, labels, None)
    for door, table in grouped_doors(frame, by, {"labels": labels}, None):
        assert found(table, by) == wanted, door


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_and_slices_change_no_bit(kind):
    frame = frame_of(kind)
    longer = pl.concat([frame.head(13), frame, frame.tail(5)]).rechunk().slice(13, N)
    cut = pl.concat([frame.slice(a, 123) for a in range(0, N, 123)], rechunk=False)
    wanted = groups(frame, "key", None, "real")
    for changed in (longer, cut):
        for door, table in grouped_doors(changed, "key", {}, "real"):
            assert found(table, "key") == wanted, door


@pytest.mark.parametrize("by", [None, "key", "site"])
@pytest.mark.parametrize("weight", [None, "real"])
def test_labels_left_out_are_counted_by_every_door(by, weight):
    frame = frame_of("int")
    options = {"labels": [2, 0, 1], "other": "bucket", "undefined": 0.5, "smoothing": 0.25}
    doors = (
        whole_frame_doors(frame, options, weight)
        if by is None
        else grouped_doors(frame, by, options, weight)
    )
    tables = dict(doors)
    one = tables.pop("evaluate")
    assert one["n_other"].sum() > 100
    for door, table in tables.items():
        if by is None:
            assert bits(table.row(0, named=True)) == bits(one.row(0, named=True)), door
        else:
            assert found(table, by) == found(one, by), door


@pytest.mark.parametrize("weight", [None, "whole", "real"])
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_positive_class(kind, labelled, weight):
    frame, labels = frame_of(kind), labels_of(kind)
    names, pos = ["precision", "lr_positive", "fbeta(2)", "mcc_binary", "tn"], labels[1]
    given = labels if labelled else None
    m = cm.confusion_matrix(
        frame["y"],
        frame["p"],
        labels=given,
        sample_weight=None if weight is None else frame[weight],
    )
    wanted = list(m.values(names, pos_label=pos).values())
    options = {"metrics": names, "labels": given, "pos_label": pos}
    for door, table in whole_frame_doors(frame, options, weight):
        assert list(table.select(names).row(0)) == wanted, door
    by_key = {
        door: table.sort("key").select(names).rows()
        for door, table in grouped_doors(frame, "key", options, weight)
    }
    assert all(rows == by_key["agg"] for rows in by_key.values())


def test_different_rows_give_different_bytes():
    frame = frame_of("int")
    other = frame.with_columns(pl.col("p").shift(1, fill_value=0))
    assert bits(of_class(frame, None, None)) != bits(of_class(other, None, None))
