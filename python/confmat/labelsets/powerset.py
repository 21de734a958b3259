"""Sets of labels as classes: how often each is true, predicted, and both."""

from __future__ import annotations

import numpy as np
import polars as pl

from confmat.labelsets.inputs import names_of
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
    inner = pl.Series(list(state.labels)).dtype
    names = [names_of(state.labels, row) for row in seen.sets]
    order = np.lexsort([*~seen.sets.T[::-1], -seen.pred, -seen.true])
    frame = pl.DataFrame(
        {
            "labels": pl.Series(names, dtype=pl.List(inner)),
            "n_true": seen.true,
            "n_pred": seen.pred,
            "n_both": seen.both,
        }
    )
    return frame.select(pl.all().gather(order.tolist()))
