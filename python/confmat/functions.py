"""One plain function for every metric: two columns in, one number out."""

from __future__ import annotations

from confmat.registry import names

__all__ = [*sorted(names("overall", "class", "score", "regression"))]  # noqa: PLE0604  (the stub lists them)


def __getattr__(name: str) -> object:
    """Make the function of a metric when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from confmat.callables.making import make_function

    return globals().setdefault(name, make_function(name, __name__))


def __dir__() -> list[str]:
    return __all__
