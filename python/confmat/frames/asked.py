"""What is asked of every group: a record of options, and the small message it travels as."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.levels import Confidence
from confmat.intervals.scales import reach
from confmat.labels import Label, label_set, one_label, position, shown
from confmat.options import Options, checked_smoothing, checked_undefined
from confmat.own_definitions import wired_all
from confmat.positive_class import found as found_positive
from confmat.scores.grid import BinMap, map_code

# What every result has before its metrics.
TOTALS = ("n", "n_dropped", "n_other")
# The Struct of texts that comes last where it is asked for.
REASONS = "reasons"
# States that the core leaves to their objects, the last field where they are asked for.
OTHERS = "others"

_VERSION = 3
ENDS = ("_low", "_high")  # what the ends of the interval of a metric are called behind its name


def with_ends(names: Sequence[str], ci: Confidence | None) -> tuple[str, ...]:
    """Return the names of metrics, each followed by those of the ends of its interval."""
    if ci is None:
        return tuple(names)
    return tuple(name + end for name in names for end in ("", *ENDS))


class Asked(NamedTuple):
    """What is asked of every group.

    An option is a field here and one in `evaluate/spec.hpp`, which numbers them in this order.
    """

    metrics: Sequence[str] = ()
    score_metrics: Sequence[str] = ()
    of_booleans: Sequence[str] | None = None  # the metrics where both columns are Boolean
    labels: Any = None
    found: list[Label] | None = None  # of all groups, where none were given: each has its own
    pos_label: Any = None
    undefined: Any = None
    smoothing: Any = 0.0
    bins: BinMap | None = None
    other: str = "raise"
    nan: str = "raise"
    weighted: bool = False
    keep_empty: bool = False
    implied: bool = False  # the labels are those of a dtype: averages leave out those without rows
    reasons: bool = False
    apart: bool = False  # states of other kinds come back in the last field, OTHERS
    ci: Confidence | None = None  # of intervals of metrics of classes
    regression_metrics: Sequence[str] = ()

    def checked(self) -> Asked:
        """Return the record with what the core wants. Raises InputError."""
        if self.other not in ("raise", "bucket"):
            raise InputError(f"`other` is {self.other!r}: wanted 'raise' or 'bucket'")
        if self.nan not in ("raise", "drop"):
            raise InputError(f"`nan` is {self.nan!r}: wanted 'raise' or 'drop'")
        out = self._replace(
            labels=None if self.labels is None else label_set(self.labels),
            pos_label=None if self.pos_label is None else one_label(self.pos_label, "pos_label"),
            undefined=checked_undefined(self.undefined),
            smoothing=checked_smoothing(self.smoothing),
            keep_empty=bool(self.keep_empty),
            reasons=bool(self.reasons) and self._n_metrics > 0,
        )
        return out if out.labels is None else out._of_labels(out.labels)

    @property
    def _n_metrics(self) -> int:
        return len(self.metrics) + len(self.score_metrics) + len(self.regression_metrics)

    def _of_labels(self, labels: list[Label]) -> Asked:
        """Return the record with one of the labels as positive class, if any is asked for."""
        if self.pos_label is None:
            pos = found_positive(labels, None)
        else:
            pos = position(labels, self.pos_label, "pos_label")
        # The core refuses here what it would refuse for every group.
        asks = _core.Asks(wired_all(self.metrics))
        if asks.needs_positive:
            nothing = np.zeros((len(labels), len(labels)), dtype=np.int64)
            asks.values(nothing, [shown(label) for label in labels], Options(pos))
        return self if self.pos_label is None else self._replace(pos_label=labels[pos])

    def packed(self) -> bytes:
        """Check the record and pack what differs from the defaults."""
        checked = self.checked()
        fields = b"".join(
            struct.pack("<B", number) + _WRITTEN.get(name, _nothing)(getattr(checked, name))
            for number, (name, default) in enumerate(Asked._field_defaults.items(), 1)
            if getattr(checked, name) != default
        )
        return struct.pack("<BI", _VERSION, len(fields)) + fields


def _texts(texts: Sequence[Any]) -> bytes:
    encoded = [str(text).encode() for text in texts]
    body = b"".join(struct.pack("<I", len(text)) + text for text in encoded)
    return struct.pack("<I", len(encoded)) + body


def _labels(labels: Sequence[Label]) -> bytes:
    """Return the kind, as the core numbers them, and the labels."""
    if isinstance(labels[0], str):
        return struct.pack("<B", 2) + _texts(labels)
    is_bool = isinstance(labels[0], bool)
    return struct.pack(f"<BI{len(labels)}q", is_bool, len(labels), *(int(x) for x in labels))


def _number(number: float) -> bytes:
    return struct.pack("<d", number)


def _nothing(_: Any) -> bytes:
    return b""


# The options that are no switches.
_WRITTEN: dict[str, Callable[[Any], bytes]] = {
    "metrics": lambda names: _texts(wired_all(names)),
    "score_metrics": _texts,
    "of_booleans": lambda names: _texts(wired_all(names)),
    "labels": _labels,
    "found": _labels,
    "pos_label": lambda label: _labels([label]),
    "undefined": _number,
    "smoothing": _number,
    "bins": lambda bins: struct.pack("<B", map_code(bins)),
    "ci": lambda ci: struct.pack("<dd", *reach(*ci)),
    "regression_metrics": _texts,
}
