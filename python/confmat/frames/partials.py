"""States of slices as rows of a frame: made anywhere, merged anywhere, finished as one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar, cast, overload

import polars as pl

from confmat.errors import ConfmatError, InputError, Row, StateError
from confmat.foreign_frames import FRAME, FRAMES, frame_error, is_frame
from confmat.frames.asked import Asked
from confmat.frames.expressions import beside_scalars, encode, plugin
from confmat.frames.objects_by_group import are_several
from confmat.frames.plugin_errors import core_errors
from confmat.frames.request import check_columns, score_columns
from confmat.frames.roll_up import merged_by
from confmat.frames.state_queries import SCORED, STATE, STATES, By, grouped_states
from confmat.frames.states import state
from confmat.frames.states_by_keys import label_states_by_keys, number_states_by_keys
from confmat.labels import Label
from confmat.objects.counting import confusion_matrix
from confmat.objects.multiclass_sweeping import multiclass_sweep
from confmat.objects.multilabel_matrix import multilabel
from confmat.objects.multilabel_sweep import multilabel_sweep
from confmat.objects.regressing import regression
from confmat.objects.states import from_bytes, merged
from confmat.objects.sweeping import sweep
from confmat.own_errors import own_errors
from confmat.scores.grid import UNIT, BinMap

_MOST = 1 << 53  # what travels as a double

_Frame = TypeVar("_Frame", pl.DataFrame, pl.LazyFrame)


@own_errors
def partial(
    frame: _Frame,
    *,
    y_true: str | Sequence[str] = "y_true",
    y_pred: str | Sequence[str] | None = None,
    y_score: str | Sequence[str] | None = None,
    by: By = None,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: str | None = None,
    other: Literal["raise", "bucket"] = "raise",
    bins: BinMap | None = UNIT,
    nan: Literal["raise", "drop"] = "raise",
    task: Literal["regression"] | None = None,
    metrics: Sequence[str] | str = (),
) -> _Frame:
    """States of the slices of a frame: one row a slice, its keys and what is kept of its rows.

    Parts of a log, one a day, file or machine, become small frames of the same columns. `cm.merge`
    adds them up in any order, `cm.finish` reads any metric.

    Parameters
    ----------
    frame : pl.DataFrame or pl.LazyFrame
        Rows; of a lazy frame the result is lazy, too.
    y_true, y_pred, y_score : str
        Columns of true classes, and of predicted classes (default "y_pred"), scores, or both. Or
        lists of columns: scores of many classes, label sets, as in `cm.state`, without the other.
        Scores of many classes may be one List or Array column.
    by : str, pl.Expr or sequence of these, optional
        Columns or expressions whose values cut the frame into slices; a null is a slice of its own.
    labels, pos_label, sample_weight, other, bins, nan, task, metrics
        As in `cm.state`.

    Returns
    -------
    pl.DataFrame or pl.LazyFrame
        The keys, sorted, and the Binary column `state`; of predictions and scores both, those of
        the scores are in `scored`. The same bytes as `to_bytes` of objects of the same rows.

    Raises
    ------
    InputError
        A key with a name of the result, an option that cannot be.
        Of a frame in memory also what `cm.state` refuses, with the row.
    polars.exceptions.ComputeError
        Of a lazy frame, when the query runs: as in `cm.state`. Labels and numbers of slices by
        columns are told with their row, as an InputError by newer Polars.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> monday = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [0, 1, 1], "y_pred": [0, 1, 0]})
    >>> tuesday = pl.DataFrame({"site": ["b", "a"], "y_true": [1, 0], "y_pred": [1, 1]})
    >>> days = [cm.partial(day, by="site") for day in (monday, tuesday)]
    >>> both = cm.merge(pl.concat(days))
    >>> cm.finish(both, metrics="accuracy").rows()
    [('a', 3, 0, 0, 0.6666666666666666), ('b', 2, 0, 0, 0.5)]
    """
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise frame_error(frame, "frame", FRAMES)
    schema = frame.collect_schema()
    y_score = score_columns(y_score, schema)
    both = y_pred is not None and y_score is not None
    lists = [one for one in (y_true, y_pred, y_score) if are_several(one)]
    if both and lists:
        raise InputError("`y_pred` and `y_score` are both given; of lists of columns wanted one")
    asked = {"pos_label": pos_label, "sample_weight": sample_weight}
    of_scores: dict[str, Any] = {"y_score": y_score, "bins": bins, "nan": nan, **asked}
    of_labels: dict[str, Any] = {"y_pred": y_pred, "labels": labels, "other": other, **asked}
    if task is not None:
        more: dict[str, Any] = {"labels": labels, "other": other, "task": task}
        states = {STATE: state(y_true, y_pred, metrics=metrics, **of_scores, **more)}
    elif metrics not in ((), []):
        raise InputError('`metrics` is for task="regression"; of states any metric is read later')
    elif lists:
        more = {"y_pred": y_pred, "labels": labels, "other": other}
        states = {STATE: state(y_true, **(of_scores | more))}
    elif both:
        states = {STATE: state(y_true, **of_labels), SCORED: state(y_true, **of_scores)}
    elif y_score is None:
        states = {STATE: state(y_true, bins=bins, nan=nan, **of_labels)}
    else:
        states = {STATE: state(y_true, labels=labels, other=other, **of_scores)}
    names: dict[str, Any] = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
    names |= {"sample_weight": sample_weight}
    if y_pred is None and y_score is None:
        names["y_pred"] = "y_pred"
    asked_for = [
        (key, name)
        for key, of in names.items()
        if of is not None
        for name in (of if are_several(of) else [of])
    ]
    check_columns(asked_for, schema)

    def name_row(rows: pl.DataFrame) -> None:
        weights = None if sample_weight is None else rows[sample_weight]
        if lists:
            pred = names["y_pred"]
            columns: tuple[Any, Any] = y_true, y_score if pred is None else pred
            of_truth, of_other = (
                [rows[name] for name in of] if are_several(of) else rows[of] for of in columns
            )
            more = {"labels": labels, "sample_weight": weights}
            if not are_several(y_true):
                multiclass_sweep(of_truth, of_other, **more)
            elif pred is not None:
                multilabel(of_truth, of_other, **more)
            else:
                multilabel_sweep(of_truth, of_other, nan=nan, **more)
            return
        truth = rows[cast("str", y_true)]
        if task is not None:
            regression(truth, rows[names["y_pred"]], sample_weight=weights, nan=nan)
            return
        if names["y_pred"] is not None:
            pred = rows[names["y_pred"]]
            confusion_matrix(truth, pred, labels=labels, sample_weight=weights, other=other)
        if y_score is not None:
            sweep(truth, rows[y_score], pos_label=pos_label, sample_weight=weights, nan=nan)

    if both or lists or (task is None and y_score is not None):
        out: _Frame = grouped_states(frame, by, states, name_row)
        return out
    of: dict[str, Any] = {"y_true": y_true, "y_pred": names["y_pred"]}
    of["sample_weight"] = sample_weight
    counted: _Frame
    if task is not None:
        counted = number_states_by_keys(
            frame, by, states[STATE], name_row, **of, metrics=metrics, nan=nan
        )
    else:
        of |= {"labels": labels, "other": other, "pos_label": pos_label}
        counted = label_states_by_keys(frame, by, states[STATE], name_row, **of)
    return counted


@overload
def merge(states: pl.DataFrame, by: By = None) -> pl.DataFrame: ...
@overload
def merge(states: pl.LazyFrame, by: By = None) -> pl.LazyFrame: ...
@overload
def merge(states: Iterable[Any], by: None = None) -> Any: ...
@own_errors
def merge(states: Any, by: By = None) -> Any:
    """Return many states of one kind as one: that of the rows of all.

    Parameters
    ----------
    states : iterable of objects or bytes, pl.DataFrame or pl.LazyFrame
        Matrices or sweeps, or what their `to_bytes` gave, at least one; or a frame of
        `cm.partial` or `cm.joint_parts`.
    by : str, pl.Expr or sequence of these, optional
        Of a frame: the keys of the result, some of its columns or made of them. Default: all
        columns that hold no states. An empty list is one row of all.

    Returns
    -------
    ConfusionMatrix, Sweep or BinnedSweep
        The same as `a + b + ...`. Labels that were found in the rows unite and are sorted; they
        must lie in labels that were given, and given ones must be equal.
    pl.DataFrame or pl.LazyFrame
        Of a frame: one row a slice, as `cm.partial` gives it.

    Raises
    ------
    InputError
        No state, states of several kinds, or such as cannot be added.
    StateError
        Bytes that are no state.

    Examples
    --------
    Days whose rows had different classes:

    >>> import confmat as cm
    >>> monday = cm.confusion_matrix(["cat", "dog", "dog"], ["cat", "dog", "cat"])
    >>> tuesday = cm.confusion_matrix(["cat", "fox"], ["cat", "cat"]).to_bytes()
    >>> both = cm.merge([monday, tuesday])
    >>> both.labels, both.n
    (('cat', 'dog', 'fox'), 5)

    Slices to coarser ones:

    >>> import polars as pl
    >>> log = pl.DataFrame({"site": [1, 2, 2], "shift": [1, 1, 2], "y": [0, 1, 1], "p": [0, 0, 1]})
    >>> parts = cm.partial(log, y_true="y", y_pred="p", by=["site", "shift"])
    >>> cm.finish(cm.merge(parts, by="site"), metrics="accuracy").rows()
    [(1, 1, 0, 0, 1.0), (2, 2, 0, 0, 0.5)]
    """
    if not isinstance(states, (pl.DataFrame, pl.LazyFrame)):
        if is_frame(states):
            raise frame_error(states, "states", FRAMES)
        if by is not None:
            raise InputError("`by` is for a frame of `cm.partial`; `states` is none")
        return merged(states)
    columns = states.collect_schema()
    held = [name for name in STATES if name in columns]
    if held in ([], [SCORED]) or any(columns[name] != pl.Binary for name in held):
        raise InputError(f"`states` has no Binary column {STATE!r}; wanted what `cm.partial` gives")
    keys = [name for name in columns if name not in held] if by is None else by
    named = [keys] if isinstance(keys, str) else [] if isinstance(keys, pl.Expr) else keys
    for name in named:
        if isinstance(name, str) and name not in columns:
            known = [key for key in columns if key not in held]
            raise InputError(f"`by` has the column {name!r}; the keys are {known}")
    sums = {name: pl.col(name).cm.merge_states() for name in held}  # type: ignore[attr-defined]
    try:
        return grouped_states(states, keys, sums)
    except ConfmatError:
        if not isinstance(states, pl.DataFrame):
            raise
        why = no_state(states, "states")
        if why is not None:
            raise StateError(why) from None
        if not isinstance(keys, pl.Expr) and all(isinstance(name, str) for name in named):
            with core_errors():  # where a group is told by its place, this has the row of the frame
                merged_by(states, [str(name) for name in named], held)
        raise


def no_state(states: pl.DataFrame, argument: str) -> str | None:
    """Return which bytes are no state, by their row, and why; None: all are states."""
    for column in states.select(name for name in STATES if name in states.columns).iter_columns():
        for row, data in enumerate(column):
            try:
                if data is not None:
                    from_bytes(data)
            except StateError as why:
                return f"`{argument}` at row {row} of {column.name!r}: {why}"
    return None


@own_errors
def state_from_counts(
    frame: pl.DataFrame,
    *,
    y_true: str = "y_true",
    y_pred: str = "y_pred",
    n: str = "n",
    by: By = None,
    labels: Any = None,
    pos_label: Label | None = None,
    other: Literal["raise", "bucket"] = "raise",
) -> pl.DataFrame:
    """States of counts that were made elsewhere, as by SQL: as `cm.partial` of the rows gives them.

    Parameters
    ----------
    frame : pl.DataFrame
        A row for each slice, true class and predicted class that occur; several of the same add up.
    y_true, y_pred : str, default "y_true", "y_pred"
        Columns of true and predicted classes.
    n : str, default "n"
        Column of integers from 0 to 2^53: how many rows there were.
    by, labels, pos_label, other
        As in `cm.partial`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> counts = pl.DataFrame({"y_true": [0, 0, 1], "y_pred": [0, 1, 1], "n": [90, 10, 50]})
    >>> parts = cm.state_from_counts(counts)
    >>> cm.finish(parts, metrics="accuracy").rows()
    [(150, 0, 0, 0.9333333333333333)]
    >>> cm.from_bytes(parts["state"].item()).counts.tolist()
    [[90, 10], [0, 50]]
    """
    if not isinstance(frame, pl.DataFrame):
        raise frame_error(frame, "frame", FRAME)
    check_columns([("y_true", y_true), ("y_pred", y_pred), ("n", n)], frame.schema)
    if not frame[n].dtype.is_integer():
        raise InputError(f"`n` is {frame[n].dtype}; wanted integers, numbers of rows")
    bad = frame.select(((pl.col(n) < 0) | (pl.col(n) > _MOST)).fill_null(True).arg_true())
    if len(bad):
        at = bad.item(0, 0)
        raise InputError(f"`n` holds {frame[n][at]} ", Row(at), "; wanted 0 to 2^53")
    frame = frame.with_columns(pl.col(n).cast(pl.Int64))
    spec = Asked(labels=labels, pos_label=pos_label, other=other, weighted=True).packed()
    missing = [
        pl.col(name).is_null() | (pl.col(name).is_nan() if frame[name].dtype.is_float() else False)
        for name in (y_true, y_pred)
    ]
    rows = pl.col(n).filter(missing[0] | missing[1]).cast(pl.Int128).sum()
    dropped = pl.when(rows < 2**63).then(rows).otherwise(-1).cast(pl.Int64)  # -1: refused
    args = [beside_scalars(encode(y_true, y_pred, n, spec)), dropped]
    counted = plugin("state_from_counts", args, spec, is_elementwise=True)

    def name_row(rows: pl.DataFrame) -> None:
        confusion_matrix(rows[y_true], rows[y_pred], labels=labels, other=other)

    out: pl.DataFrame = grouped_states(frame, by, {STATE: counted}, name_row)
    return out
