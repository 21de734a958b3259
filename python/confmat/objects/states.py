"""States of any kind: the object that saved bytes stand for, and many states as one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import Any

from confmat import _core
from confmat.errors import InputError, StateError
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.sweep import Sweep
from confmat.own_errors import own_errors
from confmat.scores import saved as score_bytes


@own_errors
def from_bytes(data: bytes) -> ConfusionMatrix | Sweep | BinnedSweep:
    """Return the object that saved bytes stand for.

    Parameters
    ----------
    data : bytes
        What `to_bytes` of an object gave.

    Returns
    -------
    ConfusionMatrix, Sweep or BinnedSweep
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
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise StateError(f"a state is bytes, not {type(data).__name__}")
    if bytes(data[: len(score_bytes.MAGIC)]) != score_bytes.MAGIC:
        return ConfusionMatrix.from_bytes(data)
    binned = score_bytes.decode(data).bins is not None
    return BinnedSweep.from_bytes(data) if binned else Sweep.from_bytes(data)


@own_errors
def merge(states: Iterable[Any]) -> Any:
    """Return many states of one kind as one: that of the rows of all.

    Parameters
    ----------
    states : iterable of objects or bytes
        Matrices or sweeps, or what their `to_bytes` gave, at least one.

    Returns
    -------
    ConfusionMatrix, Sweep or BinnedSweep
        The same as `a + b + ...`. Labels that were found in the rows unite and are sorted; they
        must lie in labels that were given, and given ones must be equal.

    Raises
    ------
    InputError
        No state, states of several kinds, or such as cannot be added.
    StateError
        Bytes that are no state.

    Examples
    --------
    Days whose rows had different classes:

    >>> import confmat as cm
    >>> monday = cm.confusion_matrix(["cat", "dog", "dog"], ["cat", "dog", "cat"])
    >>> tuesday = cm.confusion_matrix(["cat", "fox"], ["cat", "cat"]).to_bytes()
    >>> both = cm.merge([monday, tuesday])
    >>> both.labels, both.n
    (('cat', 'dog', 'fox'), 5)
    """
    if isinstance(states, (bytes, str)) or not isinstance(states, Iterable):
        raise InputError(f"`states` is {type(states).__name__}; wanted a list of objects or bytes")
    parts = list(states)
    for at, part in enumerate(parts):
        if not isinstance(part, (bytes, ConfusionMatrix, Sweep, BinnedSweep)):
            kind = type(part).__name__
            raise InputError(f"`states` holds {kind} at position {at}; wanted objects or bytes")
    if all(_is_matrix(part) for part in parts):
        return _merged_matrices(parts)
    objects = [from_bytes(part) if isinstance(part, bytes) else part for part in parts]
    kinds = {type(part).__name__ for part in objects}
    if len(kinds) > 1:
        raise InputError(f"`states` holds {' and '.join(sorted(kinds))}; wanted one kind")
    return reduce(add, objects)


def _is_matrix(part: Any) -> bool:
    if isinstance(part, bytes):
        return not part.startswith(score_bytes.MAGIC)
    return isinstance(part, ConfusionMatrix)


def _merged_matrices(parts: list[Any]) -> ConfusionMatrix:
    smoothing = {part.smoothing for part in parts if isinstance(part, ConfusionMatrix)}
    if len(smoothing) > 1:
        raise InputError(f"cannot add: smoothing differs, {min(smoothing)} and {max(smoothing)}")
    states = [part._state if isinstance(part, ConfusionMatrix) else part for part in parts]
    return ConfusionMatrix._around(_core.merge_counts(states), *smoothing)
