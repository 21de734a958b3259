"""The net under public calls: what no check of an argument foresaw is an `InputError`, too."""

from __future__ import annotations

import functools
import inspect
import signal
from collections.abc import Callable
from typing import Any, ClassVar, ParamSpec, TypeVar

import polars as pl

from confmat.call_hints import of_call
from confmat.errors import ConfmatError, InputError
from confmat.labels import described

P = ParamSpec("P")
R = TypeVar("R")

# Not about an argument, or clear by themselves: missing extras, full disks, errors of queries.
_OTHERS = (
    *(ConfmatError, MemoryError, OSError, ImportError, AssertionError, Warning),
    pl.exceptions.PolarsError,
)
_OBJECT = ("self", "state")  # the first argument of methods


def own_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function, with errors that are not ours told as `InputError`s.

    A call that does not fit the signature stays a `TypeError`, with a hint.
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except InputError as error:
            taker = getattr(type(args[0]), "_takes_pos_label", "") if args else ""
            asking = error.given_to(taker) if taker else None
            if asking is None:
                raise
            raise asking from None
        except _OTHERS:
            raise
        except Exception as error:
            trace = error.__traceback__
            if trace is None or trace.tb_next is None:
                if isinstance(error, TypeError):
                    raise TypeError(_misfit(function, error, kwargs)) from None
                raise
            if is_of_handler(error):
                raise
            raise InputError(_message(function, args, kwargs, error)) from error

    return call


def is_of_handler(error: BaseException) -> bool:
    """Return whether a handler of signals raised it, as a time limit does: no argument is wrong."""
    handlers = map(signal.getsignal, signal.valid_signals())
    codes = [getattr(getattr(one, "__func__", one), "__code__", None) for one in handlers]
    known = {id(code) for code in codes if code is not None}
    trace = error.__traceback__
    while trace is not None and id(trace.tb_frame.f_code) not in known:
        trace = trace.tb_next
    return trace is not None


class OwnErrors:
    """A base whose subclasses have the net under each of their public methods."""

    __slots__ = ()

    _takes_pos_label: ClassVar[str] = ""  # what takes the positive class, where methods do not

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, member in list(vars(cls).items()):
            if not name.startswith("_") and inspect.isfunction(member):
                setattr(cls, name, own_errors(member))


def _misfit(function: Callable[..., Any], error: TypeError, given: dict[str, Any]) -> str:
    """Return how a call does not fit, by the name that was called, without that of its class."""
    told = str(error).replace(f"{function.__qualname__}()", f"{function.__name__}()", 1)
    hint = of_call(function, given.items())  # in place of that of Python 3.13
    return f"{told.partition('. Did you mean')[0]}{hint}" if hint else told


def _message(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> str:
    given = inspect.signature(function).bind_partial(*args).arguments | kwargs
    told = [
        f"`{name}` is {described(value)}" for name, value in given.items() if name not in _OBJECT
    ]
    try:
        reason = str(error).partition("\n")[0]
    except Exception:
        reason = type(error).__name__
    return f"{function.__name__}: {', '.join(told)}; that cannot be used: {reason}"
