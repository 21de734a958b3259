"""Polars expressions over two label columns; the core does the work as a native plugin.

A grouped metric is three steps that Polars streams: `encode` turns each pair of labels into one
small number, `implode(maintain_order=False)` collects them a group, `label_metrics` turns each list
into a row of metrics. Over a whole frame `partial` and `merge` carry counts instead of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl
from polars.plugins import register_plugin_function

from confmat import _core
from confmat.default_metrics import default_metrics, planned
from confmat.errors import InputError
from confmat.frames.asked import TOTALS, Asked
from confmat.intervals.levels import Side, confidence
from confmat.labels import Label, label_set, one_label
from confmat.metric_names import full_name, names_asked
from confmat.own_definitions import wired_all
from confmat.own_errors import own_errors
from confmat.registry import find_quietly, is_regression_metric, is_score_metric

IntoExpr: TypeAlias = pl.Expr | pl.Series | str

# A file, not a folder: in a folder Polars would load the first library that it finds.
_LIBRARY = Path(_core.__file__)

# What an expression can carry; the core refuses one MiB, and the wrapping takes a few bytes.
_MOST_BYTES = (1 << 20) - 1024


def plugin(name: str, args: Sequence[Any], spec: bytes, **flags: bool) -> pl.Expr:
    """Call an expression function of the core."""
    if len(spec) > _MOST_BYTES:
        raise InputError(
            f"`labels` and `metrics` take {len(spec):,} bytes; an expression carries at most "
            f"{_MOST_BYTES:,}. Give shorter labels, an Enum column, or integer codes"
        )
    return register_plugin_function(
        plugin_path=_LIBRARY,
        function_name=f"confmat_{name}",
        args=list(args),
        kwargs={"v": spec},
        **flags,
    )


def metric_names(
    metrics: Sequence[str] | str | None, two: bool = False, found: str = "`metrics` holds"
) -> tuple[str, ...]:
    """Return the names asked for, checked; None gives the default set.

    `two`: two classes and the positive one are known. `found`: where a name was, for messages.
    """
    if metrics is None:
        return default_metrics(two)
    asked = names_asked(metrics)
    for name in asked:
        if is_score_metric(name):
            raise InputError(f"{found} {name!r}, a metric of scores: see `sweep_metrics`")
        if is_regression_metric(name):
            raise InputError(
                f"{found} {name!r}, a metric of numbers: see `regression_metrics`, or "
                'task="regression" of cm.evaluate and cm.partial'
            )
    for name in TOTALS:
        if name in asked:
            raise InputError(f"{found} {name!r}; {', '.join(TOTALS)} are always there")
    names = tuple(_core.Asks(wired_all(asked)).names)
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InputError(f"`metrics` holds {name!r} twice, again at position {at}")
    return names


def column_of(column: IntoExpr) -> pl.Expr:
    """Return an argument that names a column, or is one, as an expression."""
    if column is None:
        raise InputError("a column is None; wanted its name, or an expression")
    if isinstance(column, pl.Expr):
        return column
    return pl.col(column) if isinstance(column, str) else pl.lit(column)


def label_args(*labels: IntoExpr, others: Sequence[IntoExpr | None] = ()) -> list[Any]:
    """Return columns as a plugin takes them: physical labels, the others, nulls of their dtypes.

    The codes of a Categorical lie in memory, where Polars makes a dictionary of them for each call;
    and a plan is made for any dtype.
    """
    columns = [column_of(label) for label in labels]
    rest = [other for other in others if other is not None]
    # A field of a struct has a dtype that no plan knows; what names no column is taken as it is.
    if not all(column.meta.root_names() for column in columns):
        return [*columns, *rest]
    types = [pl.lit(None).cast(pl.dtype_of(column)) for column in columns]
    return [*(column.to_physical() for column in columns), *rest, *types]


def encode(
    y_true: IntoExpr, y_pred: IntoExpr, sample_weight: IntoExpr | None, spec: bytes
) -> pl.Expr:
    """Return the pairs of labels as one column, imploded without order."""
    args = label_args(y_true, y_pred, others=[sample_weight])
    codes = plugin("encode", args, spec, is_elementwise=True)
    return codes.implode(maintain_order=False)


def grouped(
    y_true: IntoExpr, y_pred: IntoExpr, sample_weight: IntoExpr | None, spec: bytes
) -> pl.Expr:
    """Return one Struct a group."""
    lists = encode(y_true, y_pred, sample_weight, spec)
    return plugin("label_metrics", [lists], spec, is_elementwise=True)


def whole(y_true: IntoExpr, y_pred: IntoExpr, spec: bytes) -> pl.Expr:
    """Return one Struct of a whole frame, for `select` alone: batches are counted as they stream.

    Both flags of `partial` together make it row-separable: Polars may call it once a batch.
    """
    labels = label_args(y_true, y_pred)
    parts = plugin("partial", labels, spec, is_elementwise=True, changes_length=True)
    return plugin("merge", [parts], spec, returns_scalar=True, changes_length=True)


def beside_scalars(lists: pl.Expr) -> pl.Expr:
    """Return lists of groups as an argument of a plugin that takes scalars of groups, too.

    Lists beside scalars Polars takes group by group, in a call for each. What a condition on the
    group picks is a column of lists, in one call for all; this one always holds.
    """
    return pl.when(pl.len().is_not_null()).then(lists)


@own_errors
def metrics(
    y_true: IntoExpr = "y_true",
    y_pred: IntoExpr = "y_pred",
    metrics: Sequence[str] | str | None = None,
    *,
    labels: Any = None,
    sample_weight: IntoExpr | None = None,
    pos_label: Label | None = None,
    undefined: float | None = None,
    other: str = "raise",
    smoothing: float = 0.0,
    keep_empty: bool = False,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Metrics of two label columns, as one Struct a group.

    Use it in `select`, `group_by(...).agg`, `over`, `group_by_dynamic` and `rolling`, eager, lazy
    and streaming: the query keeps streaming next to native aggregates.

    Parameters
    ----------
    y_true, y_pred : str or pl.Expr, default "y_true", "y_pred"
        True and predicted classes: integers, Booleans, strings, Categorical or Enum, of one kind.
        Categories are matched by their text.
    metrics : sequence of str, optional
        Names of metrics, see `list_metrics`. Default: accuracy, balanced_accuracy,
        precision_macro, recall_macro, f1_macro, mcc, kappa, gmcc and eve; of Boolean columns, and
        where `pos_label` is given, or two `labels` that are {0, 1}, {False, True} or {-1, 1},
        precision, recall and f1 take the place of the macro ones.
    labels : sequence of int, bool or str, or pl.Enum, optional
        Every class, in order. Needed where ordered measures (weighted kappa) are to know the
        positions of classes that a group lacks; up to 14 take one byte a row. Default: where both
        columns are of the same Enum, all its categories; otherwise the sorted union of the labels
        present in each group.
    sample_weight : str or pl.Expr, optional
        Finite weights that are not negative. Sums are exact, rounded once, and do not depend on the
        row order. `n` is then Float64, of integer weights too: codes carry a weight as a double.
    pos_label : int, bool or str, optional
        The positive class of metrics without an average, such as ``precision``; default 1 or True.
        One that no row of a group has makes them null there, as other groups may have it, and
        `reasons` says so; `df.cm.evaluate` refuses one that no row of any has.
    undefined : float, optional
        Replaces undefined values, before averaging. Default: they are null.
    other : {"raise", "bucket"}, default "raise"
        Refuse labels that are not in `labels`, or count their rows in `n_other`.
    smoothing : float, default 0.0
        Added to every cell (Laplace).
    keep_empty : bool, default False
        Keep classes that occur in neither truth nor prediction in averages and spectral measures.
    reasons : bool, default False
        Also say why a value is undefined, or a degenerate 0, even where `undefined` stands in for
        it.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `ConfusionMatrix.ci` has them, also of weighted rows, which count by
        their squared weights.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
        range.

    Returns
    -------
    pl.Expr
        A Struct called "metrics": `n`, `n_dropped` (rows with a null), `n_other`, then one Float64
        a metric. `n` is UInt64, or Float64 (the sum of weights) with `sample_weight`. With
        `reasons` its last field is the Struct "reasons": one String a metric, null where the value
        is defined; `.unnest("metrics").unnest("reasons", separator="_")` makes columns of all:
        `mcc`, `reasons_mcc`.

    Raises
    ------
    InputError
        An unknown metric, labels of mixed kinds, a `pos_label` that is not in `labels`.
    polars.exceptions.ComputeError
        When the query runs: columns that hold no labels, labels that are not in `labels`,
        a metric without average on more than two classes and no `pos_label`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({
    ...     "segment": ["a", "a", "a", "b", "b"],
    ...     "y_true": [0, 1, 1, 0, 1],
    ...     "y_pred": [0, 1, 0, 0, 1],
    ... })
    >>> out = df.group_by("segment", maintain_order=True).agg(m=cm.metrics(metrics=["accuracy"]))
    >>> out.unnest("m").rows()
    [('a', 3, 0, 0, 0.6666666666666666), ('b', 2, 0, 0, 1.0)]
    >>> why = df.select(cm.metrics(metrics=["mcc"], labels=[0, 1, 2], reasons=True))
    >>> why.unnest("metrics").unnest("reasons", separator="_").columns
    ['n', 'n_dropped', 'n_other', 'mcc', 'reasons_mcc']
    """
    known = None if labels is None else label_set(labels)
    named = None if pos_label is None else one_label(pos_label, "pos_label")
    names = metric_names(metrics, planned(known, named, booleans=False))
    typed = metrics is None and known is None and named is None
    asked = Asked(
        names,
        of_booleans=default_metrics(two=True) if typed else None,
        labels=known,
        pos_label=named,
        undefined=undefined,
        smoothing=smoothing,
        other=other,
        weighted=sample_weight is not None,
        keep_empty=keep_empty,
        reasons=reasons,
        ci=confidence(ci, side),
    )
    return grouped(y_true, y_pred, sample_weight, asked.packed()).alias("metrics")


@own_errors
def metric(
    name: str,
    y_true: IntoExpr = "y_true",
    y_pred: IntoExpr = "y_pred",
    **options: Any,
) -> pl.Expr:
    """One metric of two label columns, as Float64 named after it.

    Several metrics of the same columns are cheaper as one `metrics` Struct.

    Parameters
    ----------
    name : str
        A name of `list_metrics`, such as ``"mcc"`` or ``"f1_macro"``.
    y_true, y_pred : str or pl.Expr, default "y_true", "y_pred"
        True and predicted classes.
    **options
        `labels`, `sample_weight`, `pos_label`, `undefined`, `other`, `smoothing` and `keep_empty`
        as in `metrics`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({"y": [0, 1, 1, 0], "p": [0, 1, 0, 0]})
    >>> df.select(cm.metric("accuracy", "y", "p")).item()
    0.75
    """
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a metric")
    if "average" in options:
        average = options["average"]
        averaged = full_name(name, average, ())
        hint = f": {averaged!r}" if find_quietly(averaged) is not None else ""
        raise InputError(f"`average` is {average!r}; wanted it in `name`{hint}")
    names = metric_names([name], found="`name` is")
    refuse_reasons(options, "metrics")
    if "ci" in options:
        raise InputError("`ci` needs a Struct to stand in; use `metrics`")
    return metrics(y_true, y_pred, names, **options).struct.field(names[0])


def refuse_reasons(options: dict[str, Any], struct: str) -> None:
    """Refuse reasons where the result is one number."""
    if "reasons" in options:
        raise InputError(f"`reasons` needs a Struct to stand in; use `{struct}`")
