"""States of any kind: the object that saved bytes stand for, and many states as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from importlib import import_module
from operator import add
from typing import Any, TypeAlias

from confmat import _core
from confmat.core_state import BYTES, as_bytes
from confmat.errors import InputError, StateError
from confmat.objects.binned_multiclass_sweep import BinnedMulticlassSweep
from confmat.objects.binned_multilabel_sweep import BinnedMultilabelSweep
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.joint_matrix import JointMatrix
from confmat.objects.joint_sweep import JointSweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.objects.regression import Regression
from confmat.objects.sweep import Sweep
from confmat.own_errors import own_errors
from confmat.state_kinds import StateKind
from confmat.state_tables import read_table

AnyState: TypeAlias = (
    ConfusionMatrix
    | Sweep
    | BinnedSweep
    | BinnedMulticlassSweep
    | MultilabelMatrix
    | BinnedMultilabelSweep
    | JointMatrix
    | JointSweep
    | Regression
)

_READERS: dict[int, type[Any]] = {
    StateKind.COUNTS: ConfusionMatrix,
    StateKind.CURVE: Sweep,
    StateKind.BINS: BinnedSweep,
    StateKind.CLASSES: BinnedMulticlassSweep,
    StateKind.SETS: MultilabelMatrix,
    StateKind.SET_SCORES: BinnedMultilabelSweep,
    StateKind.JOINT: JointMatrix,
    StateKind.MOMENTS: Regression,
    StateKind.JOINT_SCORES: JointSweep,
}
# What a table is of, by what was asked for it; the modules name their classes when they are loaded.
_TABLES: dict[str, type[Any]] = {}
_TABLES_IN = {
    "request": "confmat.logs.evaluation",
    "outputs": "confmat.objects.multioutput_regression",
}


def tables_of(asked: str) -> Callable[[type[Any]], type[Any]]:
    """Name the class that tables stand for which were asked for so: it stands above this module."""

    def name(kind: type[Any]) -> type[Any]:
        _TABLES[asked] = kind
        return kind

    return name


def _read(data: bytes) -> Any:
    kind = _core.state_kind(data)
    if kind != StateKind.TABLE:
        return _READERS[kind].from_bytes(data)
    parts, asked, _ = read_table(data)
    return _class_of(asked)._of_table(parts, asked)


def _class_of(asked: Mapping[str, Any]) -> type[Any]:
    """Return what a table is saved of."""
    of = next((one for one in _TABLES_IN if one in asked), "request")
    if of not in _TABLES:
        import_module(_TABLES_IN[of])
    return _TABLES[of]


@own_errors
def from_bytes(data: bytes) -> AnyState:
    """Return the object that saved bytes stand for.

    Parameters
    ----------
    data : bytes
        What `to_bytes` of an object gave.

    Returns
    -------
    ConfusionMatrix, Sweep, BinnedSweep, BinnedMulticlassSweep, MultilabelMatrix,
    BinnedMultilabelSweep, JointMatrix, JointSweep, Regression, MultioutputRegression or Evaluation
        Equal to the one that was saved.

    Raises
    ------
    StateError
        The bytes are cut, changed, of something else or of a newer format.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> cm.from_bytes(m.to_bytes()) == m
    True
    """
    read: AnyState = _read(as_bytes(data))
    return read


def merged(states: Iterable[Any]) -> Any:
    """Return many states of one kind as one: that of the rows of all.

    What is no list of objects or bytes, or cannot be added, is an `InputError`.
    """
    if isinstance(states, (str, *BYTES)) or not isinstance(states, Iterable):
        raise InputError(f"`states` is {type(states).__name__}; wanted a list of objects or bytes")
    parts = [bytes(part) if isinstance(part, BYTES) else part for part in states]
    for at, part in enumerate(parts):
        if not isinstance(part, (bytes, *_READERS.values(), *_TABLES.values())):
            found = type(part).__name__
            raise InputError(f"`states` holds {found} at position {at}; wanted objects or bytes")
    try:
        return _sum_of(parts)
    except StateError as error:
        raise _place_of_bad(parts, error) from None


def _sum_of(parts: list[Any]) -> Any:
    of_parts = {_kind_of(part) for part in parts}
    tables = parts
    if of_parts == {StateKind.TABLE}:
        tables = [_read(part) if isinstance(part, bytes) else part for part in parts]
        if len({type(table) for table in tables}) == 1:
            return reduce(add, tables)
    if len(of_parts) > 1 or tables is not parts:
        names = " and ".join(sorted({_name_of(part) for part in parts}))
        raise InputError(f"`states` holds {names}; wanted one kind")
    kind = of_parts.pop() if parts else 1
    smoothing = {part.smoothing for part in parts if isinstance(part, ConfusionMatrix)}
    if len(smoothing) > 1:
        raise InputError(f"cannot add: smoothing differs, {min(smoothing)} and {max(smoothing)}")
    states = [getattr(part, "_state", part) for part in parts]
    return _READERS[kind]._around(_READERS[kind]._merge(states), *smoothing)


def _place_of_bad(parts: list[Any], error: StateError) -> StateError:
    """Return the error with the position of the first bytes that are no state."""
    for at, part in enumerate(parts):
        if isinstance(part, bytes):
            try:
                from_bytes(part)
            except StateError as why:
                return StateError(f"`states` at position {at}: {why}")
    return error


def _kind_of(part: Any) -> int:
    if isinstance(part, bytes):
        return _core.state_kind(part)
    of = (number for number, kind in _READERS.items() if isinstance(part, kind))
    return next(of, StateKind.TABLE)


def _name_of(part: Any) -> str:
    if not isinstance(part, bytes):
        return type(part).__name__
    kind = _core.state_kind(part)
    return (_class_of(read_table(part)[1]) if kind == StateKind.TABLE else _READERS[kind]).__name__
