"""Formulas of the cells of one class, written down by calling a function once.

The function gets numbers without a value, which remember what is done with them.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any, NoReturn

from confmat.errors import AbsentError, InputError
from confmat.labels import described

MOST_STEPS = 1000  # as the core has it
_CELLS = {
    **{cell: (cell,) for cell in ("tp", "fp", "fn", "tn")},
    "support": ("tp", "fn", "+"),
    "support_negative": ("fp", "tn", "+"),
    "predicted_support": ("tp", "fp", "+"),
    "predicted_support_negative": ("fn", "tn", "+"),
    "n": ("tp", "fp", "+", "fn", "+", "tn", "+"),
}
_NO_TEST = (
    "`formula` compares cells, or takes one as true or false; it is written down once, without "
    "numbers, so it cannot choose. What is divided by 0 is undefined without a test, and "
    "`undefined=0.0` of `value` and others stands in for it; max(x, y) is (x + y + abs(x - y)) / 2"
)
_NO_NUMBER = (
    "`formula` needs a number where a cell has none yet: functions of `math` take none of its "
    "terms; write x ** 0.5 or np.sqrt(x), and np.log(x)"
)
# The functions of numpy that are understood, by name, and how they are written down.
_UFUNCS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "true_divide": "/",
    "sqrt": "sqrt",
    "log": "log",
    "negative": "neg",
    "square": "square",
    "absolute": "abs",
    "fabs": "abs",
    "power": "**",
    "float_power": "**",
}


class Traced:
    """A number of a formula: the steps to it, in postfix order."""

    __slots__ = ("_steps",)

    def __init__(self, *steps: str) -> None:
        if len(steps) > MOST_STEPS:
            raise InputError(
                f"`formula` has more than {MOST_STEPS} steps, where each use of a term counts; "
                "wanted a shorter one"
            )
        self._steps = steps

    def _then(self, step: str, *others: Any) -> Traced:
        """Return what a step makes of this number, or of it and another."""
        more = (one for other in others for one in steps_of(other))
        return Traced(*self._steps, *more, step)

    def __add__(self, other: Any) -> Traced:
        return self._then("+", other)

    def __radd__(self, other: Any) -> Traced:
        return _number(other)._then("+", self)

    def __sub__(self, other: Any) -> Traced:
        return self._then("-", other)

    def __rsub__(self, other: Any) -> Traced:
        return _number(other)._then("-", self)

    def __mul__(self, other: Any) -> Traced:
        return self._then("*", other)

    def __rmul__(self, other: Any) -> Traced:
        return _number(other)._then("*", self)

    def __truediv__(self, other: Any) -> Traced:
        return self._then("/", other)

    def __rtruediv__(self, other: Any) -> Traced:
        return _number(other)._then("/", self)

    def __pow__(self, other: Any) -> Traced:
        special = {1.0: None, 2.0: "square", 0.5: "sqrt"}
        if isinstance(other, numbers.Real) and float(other) in special:
            step = special[float(other)]
            return self if step is None else self._then(step)
        return self._then("**", other)

    def __rpow__(self, other: Any) -> Traced:
        return _number(other)._then("**", self)

    def __neg__(self) -> Traced:
        return self._then("neg")

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return self._then("abs")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Traced:
        name = ufunc.__name__
        if name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
            raise InputError(_NO_TEST)
        if name not in _UFUNCS or method != "__call__" or kwargs:
            raise InputError(
                f"`formula` calls np.{name}; wanted + - * / ** abs, np.sqrt and np.log of cells"
            )
        first, *others = (one if isinstance(one, Traced) else _number(one) for one in inputs)
        if _UFUNCS[name] == "**":
            return first ** (inputs[1] if others else 1.0)
        return first._then(_UFUNCS[name], *others)

    def _refuse_test(self, *_: Any) -> NoReturn:
        raise InputError(_NO_TEST)

    def _refuse_number(self, *_: Any) -> NoReturn:
        raise InputError(_NO_NUMBER)

    __lt__ = __le__ = __gt__ = __ge__ = _refuse_test
    __eq__ = __ne__ = __bool__ = _refuse_test
    __hash__ = None  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __round__ = _refuse_number
    __trunc__ = __floor__ = __ceil__ = _refuse_number


class Cells:
    """What a formula is given: the cells of one class against the rest, and their sums."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Traced:
        if name in _CELLS:
            return Traced(*_CELLS[name])
        raise AbsentError(
            f"`formula` asks for {name!r} of the cells; wanted {', '.join(_CELLS)}, of which "
            "other metrics are made"
        )


def steps_of(value: Any) -> tuple[str, ...]:
    """Return the steps to a term of a formula, or to a constant."""
    return value._steps if isinstance(value, Traced) else _number(value)._steps


def trace(formula: Callable[[Any], Any]) -> str:
    """Return the steps of a function of cells, as the core reads them.

    Raises
    ------
    InputError
        It is no function, raises, compares, or returns what is no term of the cells.

    Examples
    --------
    >>> from confmat.traced import trace
    >>> trace(lambda c: c.tp / (c.tp + c.fp + 2 * c.fn))
    'tp tp fp + 2 fn * + /'
    """
    if not callable(formula):
        raise InputError(
            f"`formula` is {described(formula)}; wanted a function of the cells, such as "
            "lambda c: c.tp / (c.tp + c.fp)"
        )
    try:
        found = formula(Cells())
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"`formula` raises {type(error).__name__}: {error}; wanted a function of one argument "
            "that does arithmetic with its tp, fp, fn and tn"
        ) from error
    if not isinstance(found, Traced):
        raise InputError(
            f"`formula` returns {described(found)}; wanted a term of the cells, such as "
            "c.tp / (c.tp + c.fp)"
        )
    return " ".join(found._steps)


def _number(value: Any) -> Traced:
    """Return a constant as a term."""
    if not isinstance(value, numbers.Real):
        raise InputError(f"`formula` has {described(value)}; wanted cells and numbers")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"`formula` has the number {described(value)}; wanted finite ones")
    return Traced(repr(number).removesuffix(".0"))
