"""Joint counts of two models for each slice of a frame, of what they predict or score."""

from __future__ import annotations

from typing import Any, Literal

import polars as pl

from confmat.errors import InputError
from confmat.foreign_frames import FRAMES, frame_error
from confmat.frames.joint_counts import joint_counts
from confmat.frames.joint_scores import joint_scores
from confmat.frames.request import check_columns
from confmat.frames.state_queries import JOINT, By
from confmat.labels import Label
from confmat.matrices.joint_codes import ARGUMENTS
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.scores.joint_state import ARGUMENTS as SCORE_ARGUMENTS


@own_errors
def joint_parts(
    frame: pl.DataFrame | pl.LazyFrame,
    *,
    y_pred_a: str | None = None,
    y_pred_b: str | None = None,
    y_score_a: str | None = None,
    y_score_b: str | None = None,
    y_true: str = "y_true",
    by: By = None,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: str | None = None,
    other: Literal["raise", "bucket"] = "raise",
    nan: Literal["raise", "drop"] = "raise",
) -> pl.DataFrame:
    """Joint counts of two models for the slices of a frame: one row a slice.

    Of predicted classes they are those of `joint_matrix`, of scores those of `joint_sweep`.

    Parameters
    ----------
    frame : pl.DataFrame or pl.LazyFrame
        Rows. Of predicted classes a lazy frame without weights is read by Polars' streaming engine:
        only the classes that occur together in a slice are kept.
    y_true : str, default "y_true"
        Column of true classes.
    y_pred_a, y_pred_b : str
        Columns of the classes that the models predict.
    y_score_a, y_score_b : str
        Or of their scores of the positive class.
    by : str, pl.Expr or sequence of these, optional
        Columns or expressions whose values cut the frame into slices; a null is a slice of its own.
    labels, other
        Of predicted classes, as in `joint_matrix`.
    pos_label, nan
        Of scores, as in `joint_sweep`.
    sample_weight : str, optional
        Column of weights.

    Returns
    -------
    pl.DataFrame
        The keys, sorted, and the Binary column `joint`: the bytes of `joint_matrix`, or of
        `joint_sweep`, of the rows.

    Raises
    ------
    InputError
        What `joint_matrix` or `joint_sweep` refuses; a key with a name of the result; no such
        column; predictions and scores at once.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({"site": [1, 1, 2], "y": [0, 1, 1], "old": [0, 0, 1], "new": [0, 1, 1]})
    >>> parts = cm.joint_parts(log, y_true="y", y_pred_a="old", y_pred_b="new", by="site")
    >>> [(site, cm.from_bytes(state).n) for site, state in parts.rows()]
    [(1, 2), (2, 1)]
    >>> both = cm.merge(parts, by=[])
    >>> cm.from_bytes(both["joint"].item()).flips().select("label", "only_b").rows()
    [(0, 0), (1, 1)]
    """
    check_choice("other", other, "raise", "bucket")
    check_choice("nan", nan, "raise", "drop")
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise frame_error(frame, "frame", FRAMES)
    models = _columns_of_models((y_pred_a, y_pred_b), (y_score_a, y_score_b))
    columns = {"y_true": y_true, **models}
    lazy = frame.lazy()
    schema = lazy.collect_schema()
    keys = [] if by is None else [by] if isinstance(by, (str, pl.Expr)) else list(by)
    named = [("by", key) for key in keys if not isinstance(key, pl.Expr)]
    if sample_weight is not None:
        named.append(("sample_weight", sample_weight))
    check_columns([*columns.items(), *named], schema)
    names = lazy.select(keys).collect_schema().names() if keys else []
    if JOINT in names:
        raise InputError(f"`by` has the column {JOINT!r}, a name of the result; rename it")
    if y_pred_a is not None:
        if pos_label is not None or nan != "raise":
            raise InputError("`pos_label` and `nan` are for scores, in place of predicted classes")
        return joint_counts(frame, list(columns.values()), keys, labels, sample_weight, other)
    if labels is not None or other != "raise":
        raise InputError("`labels` and `other` are for predicted classes; of scores there are two")
    return joint_scores(frame, list(columns.values()), keys, pos_label, sample_weight, nan)


def _columns_of_models(
    preds: tuple[str | None, str | None], scores: tuple[str | None, str | None]
) -> dict[str, str]:
    """Return the columns of both models by argument. Raises InputError: others than two."""
    given = dict(zip((*ARGUMENTS[1:], *SCORE_ARGUMENTS[1:]), (*preds, *scores), strict=True))
    found = {argument: name for argument, name in given.items() if name is not None}
    if tuple(found) not in (ARGUMENTS[1:], SCORE_ARGUMENTS[1:]):
        raise InputError(
            f"there are {', '.join(f'`{one}`' for one in found) or 'no models'}; wanted `y_pred_a` "
            "and `y_pred_b`, or `y_score_a` and `y_score_b`"
        )
    return found
