"""What `cm.compare` refuses: models whose rows are not known to be the same, and what to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from confmat.core_state import CoreState
from confmat.errors import InputError
from confmat.labels import listing
from confmat.logs.evaluation import Evaluation
from confmat.matrices.base import MatrixBase
from confmat.scores.state import ScoreState

OF_MATRICES = 'a.test("equal", other=b, metric="mcc")'
OF_SWEEPS = "a.test_auc(b)"
OF_EVALUATIONS = 'a.matrix().test("equal", other=b.matrix(), metric="mcc")'
OF_SCORES = "a.sweep().test_auc(b.sweep())"
OF_FRAMES = 'a.join(b, on="id", validate="1:1")'
_ONE_FRAME = "wanted one frame with the truth and the predictions of all models"


def refuse_unpaired(df: Any, y_true: Any, y_pred: Any, y_score: Any) -> None:
    """Refuse models that are not columns of the same rows. Raises InputError."""
    if isinstance(df, Mapping):
        given, words = list(df.values()), "`df` is a mapping of"
    elif isinstance(df, (list, tuple)):
        given, words = list(df), "`df` holds"
    elif not isinstance(y_true, str) and y_true is not None:
        given, words = [df, y_true], "`df` and `y_true` are"
    else:
        given, words = [df], "`df` is"
    kept = [one for one in given if isinstance(one, (CoreState, Evaluation, bytes))]
    if kept:
        raise InputError(_of_states(kept, words))
    frames = [one for one in given if isinstance(one, (pl.DataFrame, pl.LazyFrame))]
    if len(frames) > 1 and (isinstance(df, Mapping) or not isinstance(y_true, str)):
        raise InputError(_of_frames(frames, words))
    if isinstance(df, Mapping):
        raise InputError(_of_columns(df))
    for argument, columns in (("y_pred", y_pred), ("y_score", y_score)):
        if isinstance(columns, Mapping):
            for model, column in columns.items():
                _refuse_values(f"`{argument}` of the model {model!r}", column, df)
        else:
            _refuse_values(f"`{argument}`", columns, df)


def _of_states(kept: list[Any], words: str) -> str:
    names = " and ".join(dict.fromkeys(type(one).__name__ for one in kept))
    if any(isinstance(one, bytes) for one in kept):
        names = "saved states"
    what = "states keep no ids, so that nobody knows whether two models have the same rows"
    told = f"{words} {names}: {what}; {_ONE_FRAME}"
    if any(isinstance(one, Evaluation) for one in kept):
        joint = "a.joint(model_a, model_b) of an evaluation of both"
        return f"{told}, or {joint}. Of other rows: {OF_EVALUATIONS}, {OF_SCORES}"
    if all(isinstance(one, MatrixBase) for one in kept):
        return f"{told}. Of other rows: {OF_MATRICES}"
    if all(isinstance(one, ScoreState) for one in kept):
        return f"{told}. Of other rows: {OF_SWEEPS}"
    return told


def _of_frames(frames: list[Any], words: str) -> str:
    heights = [one.height for one in frames if isinstance(one, pl.DataFrame)]
    rows = f" of {' and '.join(f'{n:,}' for n in heights)} rows" if heights else ""
    ids = _common_columns(frames)
    told = f", whose common columns are {listing(ids)}" if ids else ", without a common column"
    join = f"of the same rows {OF_FRAMES}, " if ids else ""
    return (
        f"{words} {len(frames)} frames{rows}{told}; {_ONE_FRAME}: {join}of other rows the matrices "
        f"of both, {OF_MATRICES}"
    )


def _common_columns(frames: list[Any]) -> list[str]:
    columns = [list(one.collect_schema()) for one in frames]
    return [name for name in columns[0] if all(name in other for other in columns[1:])]


def _of_columns(df: Mapping[str, Any]) -> str:
    lengths = {str(name): len(one) for name, one in df.items() if hasattr(one, "__len__")}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name!r} {n:,}" for name, n in lengths.items())
        return f"`df` is a mapping of columns of other lengths: {shown}; {_ONE_FRAME}"
    return f"`df` is a mapping; {_ONE_FRAME}, as pl.DataFrame(df)"


def _refuse_values(what: str, column: Any, df: Any) -> None:
    """Refuse values in place of the name of a column, or of the names of several."""
    is_column = hasattr(column, "dtype") or (
        isinstance(column, (list, tuple))
        and not any(isinstance(one, (str, list)) for one in column)
    )
    if not is_column or not len(column):
        return
    rows = f", and `df` has {df.height:,} rows" if isinstance(df, pl.DataFrame) else ""
    raise InputError(
        f"{what} is a {type(column).__name__} of {len(column):,} values{rows}; wanted the name of "
        "a column of `df`"
    )
