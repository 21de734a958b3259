"""What the text of a formula gives: the LaTeX of the registry, read and computed in exact numbers.

Quotients of Python integers, which are numbers of 60 digits once a root or a logarithm is taken.
"""

import math
import re
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np

mpmath.mp.dps = max(mpmath.mp.dps, 60)
_NO_POWER = Fraction(1, 2**80)  # a power mean of 0 is a limit
_WORDS = (
    (r"\left|", "magnitude("),
    (r"\right|", ")"),
    (r"\left(", "("),
    (r"\right)", ")"),
    (r"\, ", "*"),
    (r"\sqrt{", "root{"),
    (r"\Phi^{-1}", "quantile"),
    ("e^{", "exponential{"),
    (r"\frac", ""),
    ("}{", ")/("),
    ("{", "("),
    ("}", ")"),
    ("^", "**"),
)


def _each(function):
    """Return a function of one number as one of arrays of any numbers."""
    return np.frompyfunc(cache(function), 1, 1)


class Exact:
    """An array of quotients: x / 0 is infinite, 0 / 0 is undefined."""

    def __init__(self, above, below=1):
        self.above, self.below = above, below

    def __add__(self, other):
        other = _exact(other)
        above = self.above * other.below + other.above * self.below
        infinite = (self.below == 0) & (other.below == 0)
        alike = np.where(self.above * other.above > 0, self.above, 0)
        return Exact(np.where(infinite, alike, above), self.below * other.below)

    def __mul__(self, other):
        other = _exact(other)
        return Exact(self.above * other.above, self.below * other.below)

    def __truediv__(self, other):
        other = _exact(other)
        return Exact(self.above * other.below, self.below * other.above)

    def __pow__(self, power):
        power = power.scalar() if isinstance(power, Exact) else Fraction(power)
        above, below = (self.above, self.below) if power > 0 else (self.below, self.above)
        if power.denominator == 1:
            return Exact(above ** abs(int(power)), below ** abs(int(power)))
        exponent = mpmath.mpf(abs(power).numerator) / power.denominator
        raised = _each(lambda x: mpmath.power(mpmath.mpf(x), exponent))
        return Exact(raised(above), raised(below))

    def __neg__(self):
        return Exact(-self.above, self.below)

    def __sub__(self, other):
        return self + -_exact(other)

    def __rsub__(self, other):
        return -self + other

    def __rtruediv__(self, other):
        return _exact(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def scalar(self):
        """Return the one number that this is."""
        return Fraction(self.above, self.below)

    def digits(self):
        """Return the quotients in 60 digits."""
        return np.frompyfunc(_quotient, 2, 1)(self.above, self.below)

    def rounded(self):
        """Return the nearest doubles; infinity has the sign of the numerator."""
        return np.frompyfunc(_rounded, 2, 1)(self.above, self.below).astype(np.float64)


def _quotient(above, below):
    if below:
        return mpmath.mpf(above) / below
    return mpmath.inf * above if above else mpmath.nan


def _rounded(above, below):
    if below:
        return above / below  # of integers too
    return math.copysign(math.inf, above) if above else math.nan


def _exact(number):
    return number if isinstance(number, Exact) else Exact(*Fraction(number).as_integer_ratio())


def _chosen(choose):
    def function(one, other):
        return Exact(np.frompyfunc(choose, 2, 1)(_exact(one).digits(), _exact(other).digits()))

    return function


def _of_digits(function):
    return lambda x: Exact(_each(function)(_exact(x).digits()))


def _of_ends(x):
    """Return the quotients of numbers of which some are infinite, and some are none."""
    above = np.asarray(x.above, dtype=object)
    near = above.astype(np.float64)
    ends = ~np.isfinite(near)
    signs = np.where(np.isnan(near), 0, np.sign(near)).astype(int).astype(object)
    return Exact(np.where(ends, signs, above), np.where(ends, 0, 1).astype(object))


def _normal_quantile(x):
    if x in (0, 1):
        return mpmath.inf if x else -mpmath.inf
    return mpmath.nan if mpmath.isnan(x) else mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1)


_FUNCTIONS = {
    "root": lambda x: x ** Fraction(1, 2),
    "ln": lambda x: _of_ends(_of_digits(lambda y: mpmath.log(y) if y else -mpmath.inf)(x)),
    "exponential": _of_digits(mpmath.exp),
    "quantile": lambda x: _of_ends(_of_digits(_normal_quantile)(x)),
    "sgn": lambda x: Exact(np.where(x.above > 0, 1, 0).astype(object)),
    "magnitude": lambda x: Exact(abs(x.above), abs(x.below)),
    "min": _chosen(min),
    "max": _chosen(max),
}


def value_of(formula, parameters=None, **cells):
    """Return what a formula about one class gives, for arrays of tp, fp, fn and tn.

    Where a number is undefined, so is the value; what is no cell and no function is a parameter, of
    this name or, where there is one alone, of any.
    """
    text = re.sub(r"\\mathrm\{(\w+)\}", r"\1", formula)
    for word, python in _WORDS:
        text = text.replace(word, python)
    text = re.sub(r"\\(\w+)", r"\1", text)
    names = {name: Exact(cell.astype(object)) for name, cell in cells.items()} | _FUNCTIONS
    for name in set(re.findall(r"[A-Za-z]+", text)) - set(names):
        only = next(iter(parameters.values())) if len(parameters) == 1 else None
        number = parameters.get(name, only)
        names[name] = _exact(_NO_POWER if name == "p" and number == 0 else number)
    return eval(text, {"__builtins__": {}}, names).rounded()
