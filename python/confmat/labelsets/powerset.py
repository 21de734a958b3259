"""Sets of labels as classes: how often each is true, predicted, and both."""

from __future__ import annotations

import numpy as np
import polars as pl

from confmat.labelsets.set_counts import SetsSeen
from confmat.labelsets.state import LabelSetState


def powerset(state: LabelSetState) -> pl.DataFrame:
    """Return how often each set of labels is true, predicted, and both.

    Only sets that occur: there may be as many as rows, of the 2^L that are possible.

    Returns
    -------
    polars.DataFrame
        `labels`: a list, `n_true`, `n_pred`, `n_both`; the sets that are true most often
        first, then those predicted most often, then by the order of the labels.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([["a"], ["a", "b"], ["a"]], [["a"], ["b"], ["b"]])
    >>> m.powerset().rows()
    [(['a'], 2, 1, 1), (['a', 'b'], 1, 0, 0), (['b'], 0, 2, 0)]
    """
    seen = state._seen
    first = state._state.sets_by_first_labels
    order = first[np.lexsort([-seen.pred[first], -seen.true[first]])]
    frame = pl.DataFrame(
        {
            "labels": _lists(state, seen),
            "n_true": seen.true,
            "n_pred": seen.pred,
            "n_both": seen.both,
        }
    )
    return frame.select(pl.all().gather(order))


def _lists(state: LabelSetState, seen: SetsSeen) -> pl.Series:
    """Return the labels of each set."""
    known = pl.Series(list(state.labels))
    sizes = np.diff(seen.ends, prepend=np.uint64(0)).tolist()
    of_set = np.repeat(np.arange(len(seen.ends)), sizes)
    lists = (
        pl.DataFrame({"set": of_set, "labels": known.gather(seen.codes)})
        .group_by("set", maintain_order=True)
        .agg("labels")
    )
    every = pl.DataFrame({"set": np.arange(len(seen.ends))})
    found = every.join(lists, on="set", how="left", maintain_order="left")
    empty = pl.Series([[]], dtype=pl.List(known.dtype))
    return found.select(pl.coalesce("labels", pl.lit(empty))).to_series()
