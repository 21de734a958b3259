"""A positive class that no row has: told when all rows were read."""

from __future__ import annotations

import polars as pl

from confmat import positive_class
from confmat.frames.partials import merge
from confmat.frames.state_queries import STATE
from confmat.labels import position
from confmat.logs.request import LogRequest
from confmat.matrices.sparse import margins
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes
from confmat.slices.lattice import MODEL


def check_positive(parts: pl.DataFrame, request: LogRequest) -> None:
    """Refuse a positive class that no row has, of labels that were found in the rows."""
    pos_label = request.counting.pos_label
    if pos_label is None or request.counting.labels is not None:
        return
    models = [] if request.is_of_one else [MODEL]
    for state in merge(parts.select(*models, STATE), by=models)[STATE]:
        m = None if state is None else from_bytes(state)
        if not isinstance(m, ConfusionMatrix) or not m.n:
            continue
        of_true, of_predicted, _ = margins(m._cells)
        found = [
            label
            for label, true, pred in zip(m.labels, of_true, of_predicted, strict=True)
            if true or pred
        ]
        if not positive_class.may_add(found, pos_label):
            position(found, pos_label, "pos_label")
