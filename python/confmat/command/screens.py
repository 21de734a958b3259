"""One object as one screen of text, with intervals where its rows are independent."""

from __future__ import annotations

from typing import Any

from confmat.matrices import summary
from confmat.objects.any_multiclass_sweep import AnyMulticlassSweep
from confmat.objects.any_sweep import AnySweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.render.frames import text_of
from confmat.scores import summary as score_summary


def screen(state: Any, *, rows_are_independent: bool = True) -> str:
    """Return what `print` shows; without `rows_are_independent` nothing that takes them as such."""
    if isinstance(state, ConfusionMatrix):
        return summary.text(state, rows_are_independent=rows_are_independent)
    if isinstance(state, AnySweep):
        return score_summary.text(state, rows_are_independent=rows_are_independent)
    if isinstance(state, AnyMulticlassSweep) and not rows_are_independent:
        return text_of(state._title(), [state.overall(), state.per_class()])
    return str(state)
