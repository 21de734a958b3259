"""One plain function for every metric: two columns in, one number out."""

from __future__ import annotations

from confmat.registry import facts, score_facts

_ROWS = {fact["name"]: fact for fact in (*facts(), *score_facts()) if fact["level"] != "average"}
__all__ = [*sorted(_ROWS)]  # noqa: PLE0604  (`functions.pyi` has them one by one)


def __getattr__(name: str) -> object:
    """Make the function of a metric when it is first asked for."""
    if name not in _ROWS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from confmat.callables.making import make_function

    return globals().setdefault(name, make_function(_ROWS[name], __name__))


def __dir__() -> list[str]:
    return __all__
