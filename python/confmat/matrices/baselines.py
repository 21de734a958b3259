"""What predictions that know nothing of a row would have: the yardstick of every metric."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from confmat import positive_class
from confmat.default_metrics import default_metrics
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import full, held, require_table
from confmat.matrices.tables import overall
from confmat.metric_names import names_asked
from confmat.registry import find

_MOST = 2**60  # rows of a table of counts


def baselines(
    state: MatrixBase,
    metrics: Iterable[str] | None = None,
    pos_label: Label | None = None,
    *,
    keep_empty: bool = False,
) -> pl.DataFrame:
    """Return metrics beside those of predictions that know nothing but the sizes of the classes.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names. Default: those of `print(m)`, with precision, recall and F1 of the positive class
        where it is known.
    pos_label, keep_empty
        As in `value`.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value` and

        - `majority`: all rows are predicted as the largest true class, of equal ones the first;
        - `frequencies`: classes are drawn as often as they are true;
        - `uniform`: classes are drawn equally often, those that no row has, too;
        - `reason`: which of the four is undefined or degenerate, and why; else null.

        What is drawn has the metric of the matrix that is expected. That is the mean of the metric
        itself where it is linear in the cells of a true class, as accuracy and recall are, and
        what it comes to for many rows otherwise.

    Raises
    ------
    InputError
        An unknown name, a label that is not there, more than 11,585 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[940, 10], [20, 30]])
    >>> m.baselines(["accuracy", "recall"]).drop("reason").rows()
    [('accuracy', 0.97, 0.95, 0.905, 0.5), ('recall', 0.6, 0.0, 0.05, 0.5)]
    """
    k = len(state._labels)
    require_table(k, "`baselines`", "wanted fewer classes, with labels= and other='bucket'")
    two = pos_label is not None or positive_class.are_two(state._labels, state._positive)
    wanted = default_metrics(two) if metrics is None else names_asked(metrics)
    smoothed = state._smoothed()
    cells: Any = full(smoothed, held(smoothed))
    true = cells.sum(axis=1)
    total = float(true.sum())
    majority = np.zeros_like(cells)
    if k:
        majority[:, int(true.argmax())] = true

    def of(table: Any) -> list[tuple[Any, ...]]:
        made = state._of(np.ascontiguousarray(table), state._labels, origin=state._origin)
        about = made._about(state._positive)
        return overall(about, wanted, pos_label, keep_empty=keep_empty).rows()

    found = {
        "value": overall(state, wanted, pos_label, keep_empty=keep_empty).rows(),
        "majority": of(majority),
    }
    are_sizes = [not find(name)["scale_invariant"] for name in wanted]
    for name, predicted in (("frequencies", true), ("uniform", np.ones_like(true))):
        table = _in_proportion(true, predicted)
        found[name] = of(table)
        if any(are_sizes) and total > 0:
            sized = zip(are_sizes, of(table / (table.sum() / total)), found[name], strict=True)
            found[name] = [expected if is_size else row for is_size, expected, row in sized]
    reasons = zip(*([why for *_, why in rows] for rows in found.values()), strict=True)
    said = [
        "; ".join(f"{name}: {why}" for name, why in zip(found, row, strict=True) if why) or None
        for row in reasons
    ]
    columns = {
        name: pl.Series([value for _, value, _ in rows], dtype=pl.Float64)
        for name, rows in found.items()
    }
    return pl.DataFrame(
        {"metric": list(wanted), **columns, "reason": pl.Series(said, dtype=pl.String)},
        schema_overrides={"metric": pl.String()},
    )


def _in_proportion(true: Any, predicted: Any) -> Any:
    """Return a multiple of the table of rows of these classes that know nothing of each other.

    Its cells are products that are not rounded, where these fit: what is 0 by chance is then 0.
    """
    if true.dtype.kind in "iu":
        rows, columns = (sizes // max(int(np.gcd.reduce(sizes)), 1) for sizes in (true, predicted))
        if int(rows.sum()) * int(columns.sum()) < _MOST:
            return np.outer(rows, columns)
    unit = np.frexp(float(true.sum()))[1]
    of_one = [np.ldexp(sizes.astype(np.float64), -unit) for sizes in (true, predicted)]
    return np.outer(*of_one)
