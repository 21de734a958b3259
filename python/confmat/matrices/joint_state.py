"""The state of two models on the same rows: how it merges and is saved, and what is read of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.core_state import CoreState
from confmat.errors import InputError
from confmat.labels import Label
from confmat.matrices.cells import Cells

_MOST_BYTES = 1 << 30
_WORD = 8


class JointState(CoreState):
    """Joint counts of truth and the predictions of two models. Immutable."""

    __slots__ = ("_state",)

    _state: _core.Joint

    _core_class = _core.Joint
    _merge = staticmethod(_core.merge_joints)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class labels, in order."""
        return self._state.labels

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        cells = self._state.cells
        return int(cells.sum()) if cells.dtype.kind == "i" else _core.exact_sum(cells)

    @property
    def n_other(self) -> int:
        """Rows left out for a label outside `labels`."""
        return self._state.n_other

    @property
    def counts(self) -> Cells:
        """All cells, shape (K, K, K): truth, model a, model b.

        Raises
        ------
        InputError
            They would take more than 1 GiB; `to_polars` gives those that are not 0.
        """
        k = len(self.labels)
        if k**3 * _WORD > _MOST_BYTES:
            raise InputError(
                f"`counts` of {k} classes would take {k**3 * _WORD / 2**30:,.1f} GiB; wanted at "
                "most 1 GiB: j.to_polars() gives the cells that are not 0"
            )
        cells = self._state.cells
        flat: npt.NDArray[Any] = np.zeros(k**3, dtype=cells.dtype)
        flat[self._state.places] = cells
        out: Cells = flat.reshape(k, k, k)
        out.flags.writeable = False
        return out


def positions(state: JointState) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the classes of each cell that is not 0, as positions: truth, model a, model b."""
    k = max(len(state.labels), 1)
    rest, b = np.divmod(state._state.places, k)
    truth, a = np.divmod(rest, k)
    return truth, a, b


def to_polars(state: JointState) -> pl.DataFrame:
    """Return the cells that are not 0: columns `y_true`, `a`, `b` and `n`, sorted by class.

    Examples
    --------
    >>> import confmat as cm
    >>> j = cm.joint_matrix([0, 1, 1], [0, 1, 0], [0, 0, 0])
    >>> j.to_polars().rows()
    [(0, 0, 0, 1), (1, 0, 0, 1), (1, 1, 0, 1)]
    >>> cm.JointMatrix(j.to_polars()) == j
    True
    """
    labels = pl.Series(list(state.labels))
    columns = {
        name: labels.gather(pl.Series(at))
        for name, at in zip(("y_true", "a", "b"), positions(state), strict=True)
    }
    return pl.DataFrame(columns | {"n": pl.Series(state._state.cells)})


def flips(state: JointState) -> pl.DataFrame:
    """Return, for each true class, where both models, one alone or none is right.

    Columns `label`, `n`, `both`, `only_a`, `only_b` and `neither`: rows, or the sums of their
    weights. Where only b is right, it mends what a gets wrong.

    Examples
    --------
    >>> import confmat as cm
    >>> j = cm.joint_matrix([0, 1, 1], [0, 1, 0], [0, 0, 0])
    >>> j.flips().rows()
    [(0, 1, 1, 0, 0, 0), (1, 2, 0, 1, 0, 1)]
    """
    truth, a, b = positions(state)
    cells = state._state.cells

    def of(which: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        out: npt.NDArray[Any] = np.zeros(len(state.labels), dtype=cells.dtype)
        np.add.at(out, truth[which], cells[which])
        return out

    columns = {
        "n": of(np.ones(len(truth), dtype=np.bool_)),
        "both": of((a == truth) & (b == truth)),
        "only_a": of((a == truth) & (b != truth)),
        "only_b": of((a != truth) & (b == truth)),
        "neither": of((a != truth) & (b != truth)),
    }
    return pl.DataFrame({"label": list(state.labels)} | columns)
