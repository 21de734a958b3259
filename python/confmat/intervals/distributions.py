"""The distributions of SciPy, which exact intervals and tests are read from."""

from __future__ import annotations

from typing import Any

from confmat.errors import ConfmatError


def distributions(of: str) -> Any:
    """Return `scipy.stats`; `of` says what needs it.

    Raises
    ------
    ConfmatError
        SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError:
        raise ConfmatError(
            f"{of} needs SciPy 1.12 or later: pip install 'confmat[stats]'"
        ) from None
    return stats
