"""The metrics that are shown where none are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from confmat import positive_class
from confmat.labels import Label

_FIRST = ("accuracy", "balanced_accuracy")
_CLASS = ("precision", "recall", "f1")
_LAST = ("mcc", "kappa", "gmcc", "eve")


def default_metrics(two: bool) -> tuple[str, ...]:
    """Return the names; of `two` classes those of the positive one, otherwise macro averages."""
    return (*_FIRST, *(name if two else f"{name}_macro" for name in _CLASS), *_LAST)


def planned(labels: Sequence[Label] | None, pos_label: Label | None, booleans: bool) -> bool:
    """Return whether a plan knows two classes and the positive one before it sees a row."""
    if labels is None:
        return pos_label is not None or booleans
    return positive_class.are_two(labels, pos_label)
