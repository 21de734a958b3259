"""Names of metrics that hold their parameters: "fbeta(2)"."""

from __future__ import annotations


def base_of(name: str) -> str:
    """Return a name without the parameters in it: "fbeta" of "fbeta (2)"."""
    return name.partition("(")[0].strip()
