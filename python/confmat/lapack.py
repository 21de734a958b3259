"""Decompositions of large matrices by NumPy's LAPACK, for the core.

They know no interruption: each runs in a thread of its own, which an interrupted call leaves to
end by itself.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core

Matrix = npt.NDArray[np.floating[Any]]

LONG = 192  # rows; less takes some milliseconds
BETWEEN_LOOKS = 0.02  # seconds
MOST = os.cpu_count() or 1  # that run at a time

_running = threading.Semaphore(MOST)
_left: list[threading.Event] = []  # set when a decomposition that was left has ended


def eigenvalues(symmetric: Matrix) -> Matrix | None:
    """Return the eigenvalues, descending; None where they are not found."""
    found = _left_to_end(np.linalg.eigvalsh, symmetric)
    return None if found is None else found[::-1]


def eigenvectors(symmetric: Matrix) -> Matrix | None:
    """Return a row of the eigenvalues, descending, above their vectors, each a row."""

    def decompose(a: Matrix) -> Matrix:
        values, vectors = np.linalg.eigh(a)
        return np.vstack([values, vectors])[:, ::-1]

    found = _left_to_end(decompose, symmetric)
    return None if found is None else np.vstack([found[:1], found[1:].T])


def singular_values(matrix: Matrix) -> Matrix | None:
    """Return the singular values, descending; None where they are not found."""
    return _left_to_end(lambda a: np.linalg.svd(a, compute_uv=False), matrix)


def _left_to_end(decompose: Callable[[Matrix], Matrix], matrix: Matrix) -> Matrix | None:
    found: list[Matrix] = []
    errors: list[Exception] = []
    done = threading.Event()

    def work() -> None:
        try:
            with _running:
                found.append(decompose(matrix))
        except np.linalg.LinAlgError:
            pass  # another algorithm may
        except Exception as error:
            errors.append(error)
        finally:
            done.set()

    if len(matrix) < LONG:
        work()
    else:
        try:
            threading.Thread(target=work, daemon=True).start()
        except RuntimeError:  # no thread is to be had
            work()
        try:
            while not done.wait(BETWEEN_LOOKS):  # Polars has signals wake nobody up
                pass
        except BaseException:
            _leave(done)
            raise
    if errors:
        raise errors[0]
    return found[0] if found else None


def _leave(done: threading.Event) -> None:
    if not _left:
        atexit.register(_end)
    _left[:] = [other for other in _left if not other.is_set()] + [done]


def _end() -> None:
    if not all(done.is_set() for done in _left):
        _core.end_without_destructors()


def _forget_threads() -> None:
    """Start anew: a child has none of the threads of its parent."""
    global _running  # noqa: PLW0603
    _running = threading.Semaphore(MOST)
    _left.clear()


os.register_at_fork(after_in_child=_forget_threads)
