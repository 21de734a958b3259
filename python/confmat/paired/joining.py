"""Two files of predictions for the same rows, put side by side by their ids."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.errors import InputError
from confmat.frames.request import check_columns
from confmat.labels import listing
from confmat.logs.schemas import family
from confmat.own_errors import own_errors
from confmat.paired.unpaired import OF_MATRICES

A, B = "_a", "_b"
_IN_A, _IN_B, _OTHER_TRUTH, _N = (f"__confmat_{name}" for name in ("a", "b", "truth", "n"))
_SHOWN = 3  # examples in a message


@own_errors
def joined(
    a: pl.LazyFrame,
    b: pl.LazyFrame,
    on: Sequence[str],
    y_true: str,
    values: Sequence[str],
    others: Sequence[str] = (),
    names: tuple[str, str] = ("a", "b"),
) -> pl.DataFrame:
    """Return the rows of two frames of predictions, side by side by their ids.

    Parameters
    ----------
    a, b : pl.LazyFrame
        Predictions of two models. `b` may lack `y_true`.
    on : sequence of str
        Columns that tell rows apart: ids.
    y_true : str
        Column of true classes, the same for one id in both.
    values : sequence of str
        Columns of predictions and scores, in both.
    others : sequence of str
        Columns of `a` that are kept: keys of slices, weights, clusters.
    names : tuple of str
        What messages call the two.

    Returns
    -------
    pl.DataFrame
        `on`, `y_true`, `others`, and of each of `values` two columns, `<name>_a` and `<name>_b`.

    Raises
    ------
    InputError
        Ids that are null, occur twice, are in one of the two alone, or have two truths; with how
        many there are, and the first of them.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.paired.joining import joined
    >>> a = pl.LazyFrame({"id": [1, 2], "y": [0, 1], "p": [0, 0]})
    >>> b = pl.LazyFrame({"id": [2, 1], "y": [1, 0], "p": [1, 0]})
    >>> joined(a, b, ["id"], "y", ["p"]).rows()
    [(1, 0, 0, 0), (2, 1, 0, 1)]
    """
    keys = list(on)
    if not keys:
        raise InputError("`on` is empty; wanted columns that tell rows apart")
    schemas = [one.collect_schema() for one in (a, b)]
    wanted = [("on", name) for name in keys]
    others = [name for name in dict.fromkeys(others) if name not in (*keys, y_true)]
    of_a = [*wanted, ("y_true", y_true), *(("y_pred", name) for name in values)]
    check_columns([*of_a, *(("by", name) for name in others)], schemas[0], f" in {names[0]}")
    check_columns([*wanted, *(("y_pred", name) for name in values)], schemas[1], f" in {names[1]}")
    both_tell = y_true in schemas[1] and y_true not in keys
    for name in [*keys, *([y_true] if both_tell else [])]:
        one, other = (schema[name] for schema in schemas)
        if family(one) != family(other):
            raise InputError(
                f"the column {name!r} is {one} in {names[0]} and {other} in {names[1]}"
            )
    kept = [*keys, *([] if y_true in keys else [y_true]), *others]
    left = a.select(*kept, *(pl.col(name).alias(name + A) for name in values)).collect()
    truth = [pl.col(y_true).alias(_OTHER_TRUTH)] if both_tell else []
    right = b.select(*keys, *truth, *(pl.col(name).alias(name + B) for name in values)).collect()
    for frame, name in zip((left, right), names, strict=True):
        _check_ids(frame.select(keys), name)
    _check_both(left.select(keys), right.select(keys), names)
    rows = left.join(right, on=keys, how="inner", maintain_order="left")
    if both_tell:
        differing = rows.filter(pl.col(y_true).ne_missing(pl.col(_OTHER_TRUTH)))
        if differing.height:
            shown = ", ".join(
                f"{_id(row[: len(keys)])}: {row[-2]!r} and {row[-1]!r}"
                for row in differing.select(*keys, pl.col(y_true).alias(_N), _OTHER_TRUTH)
                .head(_SHOWN)
                .rows()
            )
            raise InputError(
                f"{differing.height:,} ids have one `{y_true}` in {names[0]} and another in "
                f"{names[1]}, as {shown}"
            )
    return rows.drop(_OTHER_TRUTH, strict=False)


def _check_ids(ids: pl.DataFrame, name: str) -> None:
    """Refuse ids that are missing or occur twice."""
    nulls = ids.filter(pl.any_horizontal(pl.all().is_null())).height
    if nulls:
        raise InputError(f"{nulls:,} rows of {name} have no id: {listing(ids.columns)} is null")
    again = ids.group_by(ids.columns, maintain_order=True).len(_N).filter(pl.col(_N) > 1)
    if again.height:
        examples = _examples(again.drop(_N))
        raise InputError(f"{again.height:,} ids occur several times in {name}, as {examples}")


def _check_both(left: pl.DataFrame, right: pl.DataFrame, names: tuple[str, str]) -> None:
    """Refuse ids that one of two frames lacks."""
    told, n_apart = [], 0
    for one, other, name in ((left, right, names[0]), (right, left, names[1])):
        alone = one.join(other, on=one.columns, how="anti", maintain_order="left")
        n_apart += alone.height
        if alone.height:
            told.append(f"{alone.height:,} ids are in {name} alone, as {_examples(alone)}")
    if told and n_apart == left.height + right.height:
        told.append(f"no id is in both: of other rows compare the matrices of each, {OF_MATRICES}")
    if told:
        raise InputError("; ".join(told))


def _examples(ids: pl.DataFrame) -> str:
    return ", ".join(_id(row) for row in ids.head(_SHOWN).rows())


def _id(row: tuple[object, ...]) -> str:
    return repr(row[0]) if len(row) == 1 else repr(row)
