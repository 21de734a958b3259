"""Fitted maps from scores to calibrated probabilities, for arrays and for Polars columns."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import polars as pl

from confmat import inputs
from confmat.calibration.maps import logit, looked_up, segment, sigmoid
from confmat.errors import InputError, Row, StateError
from confmat.own_errors import OwnErrors
from confmat.scores.counts import Floats


class Recalibration(OwnErrors, ABC):
    """A monotone map from a score to a probability, fitted by `Sweep.recalibrate`.

    Immutable; equal where its parameters are; `pickle`, `copy`, `to_dict` and `from_dict` work.
    The parameters are attributes:

    =============  =================================  ============================================
    method         attributes                         probability at score s
    =============  =================================  ============================================
    "platt"        `a`, `b`, `logit`                  1 / (1 + exp(-(a s + b))); with `logit`, of
                                                      ln(s / (1 - s)) in place of s
    "temperature"  `temperature`                      1 / (1 + exp(-ln(s / (1 - s)) / temperature))
    "isotonic"     `knots`, `values`                  on the straight lines through (knot, value);
                                                      beyond the ends, the value of the end
    =============  =================================  ============================================

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> r = cm.Recalibration.from_dict({"method": "temperature", "inverse_temperature": 0.5})
    >>> r
    <Recalibration: temperature, temperature=2>
    >>> r.apply([0.2, 0.5, None]).round(4).tolist()
    [0.3333, 0.5, nan]
    >>> frame = pl.DataFrame({"score": [0.2, 0.5, None]})
    >>> frame.select(r.expr("score").round(4))["score"].to_list()
    [0.3333, 0.5, None]
    """

    method: ClassVar[str]

    @abstractmethod
    def _expr(self, score: pl.Expr) -> pl.Expr:
        """Return the map of a Float64 expression, its name kept."""

    @abstractmethod
    def _parameters(self) -> dict[str, Any]:
        """Return the parameters as plain numbers, by name."""

    @classmethod
    @abstractmethod
    def _read(cls, parameters: Mapping[str, Any]) -> Recalibration:
        """Return the map with these parameters, each of them checked."""

    def _check_domain(self, scores: pl.Series) -> None:
        """Raise InputError at a score that the map is not for."""

    def expr(self, score: str | pl.Expr) -> pl.Expr:
        """Return the probability as a Polars expression of elementwise operations, which streams.

        Parameters
        ----------
        score : str or polars.Expr
            A column of scores, integer or float.

        Returns
        -------
        polars.Expr
            Float64, under the name of the column. Null stays null and nan nan; a score outside
            [0, 1] is null where logits are taken.
        """
        column: Any = pl.col(score) if isinstance(score, str) else score
        if not isinstance(column, pl.Expr):
            kind = type(score).__name__
            raise InputError(f"`score` is of type {kind}; wanted a name or a Polars expression")
        return self._expr(column.cast(pl.Float64))

    def apply(self, scores: Any) -> Floats:
        """Return the probabilities of an array of scores.

        Parameters
        ----------
        scores : array-like of shape (n,)
            NumPy, Polars, pandas, pyarrow or a list; integers or floats.

        Returns
        -------
        ndarray of shape (n,), float64
            In [0, 1]; nan where the score is null or nan. The numbers are those of `expr`.

        Raises
        ------
        InputError
            No column of numbers, or a score outside [0, 1] where logits are taken.
        """
        data = inputs.column(scores, "scores").data
        if isinstance(data, np.ndarray):
            data = data.astype(np.float64, copy=False)
        series = pl.Series(data).alias("scores")
        if not (series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null)):
            raise InputError(f"`scores` has dtype {series.dtype}; wanted numbers")
        series = series.cast(pl.Float64)
        self._check_domain(series)
        found = series.to_frame().select(self.expr("scores")).to_series()
        return np.asarray(found.to_numpy(writable=True), dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return the map as a dict of texts, finite numbers and lists: JSON holds it exactly."""
        return {"method": self.method, **self._parameters()}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Recalibration:
        """Return the map that `to_dict` wrote.

        Raises
        ------
        StateError
            Not such a dict: a method or key that is unknown or missing, or parameters that no map
            has.
        """
        if not isinstance(data, Mapping):
            raise StateError(f"a recalibration is a dict, not {type(data).__name__}")
        method = data.get("method")
        if not isinstance(method, str) or method not in _METHODS:
            raise StateError(f"`method` is {method!r}; wanted one of {', '.join(_METHODS)}")
        return _METHODS[method]._read({key: data[key] for key in data if key != "method"})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recalibration):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a recalibration does not change; cannot set {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Recalibration.from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        return f"<Recalibration: {self.method}, {self._shown()}>"

    @abstractmethod
    def _shown(self) -> str:
        """Return the parameters in short."""


class Platt(Recalibration):
    """1 / (1 + exp(-(a s + b))), of the score or of its logit."""

    method = "platt"
    a: float
    b: float
    logit: bool

    def __init__(self, a: float, b: float, logit: bool = False) -> None:
        self.__dict__.update(a=float(a), b=float(b), logit=bool(logit))

    def _expr(self, score: pl.Expr) -> pl.Expr:
        return sigmoid((logit(score) if self.logit else score) * self.a + self.b)

    def _parameters(self) -> dict[str, Any]:
        return {"a": self.a, "b": self.b, "logit": self.logit}

    @classmethod
    def _read(cls, parameters: Mapping[str, Any]) -> Recalibration:
        _check_keys(parameters, ("a", "b", "logit"))
        if not isinstance(parameters["logit"], bool):
            raise StateError(f"`logit` is {parameters['logit']!r}; wanted True or False")
        return cls(_finite(parameters, "a"), _finite(parameters, "b"), parameters["logit"])

    def _check_domain(self, scores: pl.Series) -> None:
        if self.logit:
            _check_probabilities(scores)

    def _shown(self) -> str:
        return f"a={self.a:.6g}, b={self.b:.6g}" + (", of the logit" if self.logit else "")


class Temperature(Recalibration):
    """The logit over a temperature; infinite where 0.5 for every score is best."""

    method = "temperature"
    temperature: float
    inverse_temperature: float

    def __init__(self, inverse_temperature: float) -> None:
        inverse = float(inverse_temperature)
        temperature = 1 / inverse if inverse else math.inf
        self.__dict__.update(inverse_temperature=inverse, temperature=temperature)

    def _expr(self, score: pl.Expr) -> pl.Expr:
        if not self.inverse_temperature:
            return score * 0.0 + 0.5  # the logits of 0 and 1 times 0 would be nan
        return sigmoid(logit(score) * self.inverse_temperature)

    def _parameters(self) -> dict[str, Any]:
        return {"inverse_temperature": self.inverse_temperature}

    @classmethod
    def _read(cls, parameters: Mapping[str, Any]) -> Recalibration:
        _check_keys(parameters, ("inverse_temperature",))
        inverse = _finite(parameters, "inverse_temperature")
        if inverse < 0:
            raise StateError(f"`inverse_temperature` is {inverse}; wanted at least 0")
        return cls(inverse)

    def _check_domain(self, scores: pl.Series) -> None:
        _check_probabilities(scores)

    def _shown(self) -> str:
        return f"temperature={self.temperature:.6g}"


class Isotonic(Recalibration):
    """Straight lines through the ends of the blocks of an isotonic regression."""

    method = "isotonic"
    knots: Floats
    values: Floats

    def __init__(self, knots: Any, values: Any) -> None:
        x, y = np.array(knots, dtype=np.float64), np.array(values, dtype=np.float64)
        x.flags.writeable = y.flags.writeable = False
        with np.errstate(over="ignore"):
            slopes = np.append(np.diff(y) / np.diff(x), 0.0)
        # No line may end above the next knot by a rounding, or the map would not be monotone.
        high = y[:-1] + np.diff(x) * slopes[:-1] > y[1:]
        while high.any():
            slopes[:-1][high] = np.nextafter(slopes[:-1][high], 0.0)
            high = y[:-1] + np.diff(x) * slopes[:-1] > y[1:]
        self.__dict__.update(knots=x, values=y, _slopes=slopes)

    def _expr(self, score: pl.Expr) -> pl.Expr:
        x, y = self.knots, self.values
        inside = score.clip(float(x[0]), float(x[-1]))
        if len(x) == 1:
            return inside * 0.0 + float(y[0])
        at = segment(inside, x[1:].tolist())
        from_knot = inside - looked_up(x, at)
        slopes: Floats = self.__dict__["_slopes"]
        return from_knot * looked_up(slopes, at) + looked_up(y, at)

    def _parameters(self) -> dict[str, Any]:
        return {"knots": self.knots.tolist(), "values": self.values.tolist()}

    @classmethod
    def _read(cls, parameters: Mapping[str, Any]) -> Recalibration:
        _check_keys(parameters, ("knots", "values"))
        try:
            x, y = (np.asarray(parameters[key], dtype=np.float64) for key in ("knots", "values"))
        except (TypeError, ValueError):
            raise StateError("`knots` or `values` is not a list of numbers") from None
        if x.ndim != 1 or x.shape != y.shape or not len(x):
            raise StateError(f"`knots` and `values` have shapes {x.shape} and {y.shape}")
        if not (np.isfinite(x).all() and (np.diff(x) > 0).all()):
            raise StateError("`knots` do not increase, or are not finite")
        if not (y[0] >= 0 and y[-1] <= 1 and (np.diff(y) >= 0).all()):
            raise StateError("`values` fall, or are outside 0 to 1")
        return cls(x, y)

    def _shown(self) -> str:
        return f"{len(self.knots)} knots, {self.values[0]:.6g} to {self.values[-1]:.6g}"


_METHODS: dict[str, type[Recalibration]] = {
    kind.method: kind for kind in (Platt, Isotonic, Temperature)
}


def _check_probabilities(scores: pl.Series) -> None:
    bad = (scores < 0) | ((scores > 1) & scores.is_not_nan())
    row = bad.arg_max()
    if row is not None and bad[row]:
        raise InputError(f"`scores` holds {scores[row]} ", Row(row), "; wanted 0 to 1")


def _check_keys(parameters: Mapping[str, Any], wanted: Sequence[str]) -> None:
    if set(parameters) != set(wanted):
        found = ", ".join(map(str, parameters)) or "none"
        raise StateError(f"the parameters are {found}; wanted {', '.join(wanted)}")


def _finite(parameters: Mapping[str, Any], key: str) -> float:
    value = parameters[key]
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise StateError(f"`{key}` is {value!r}; wanted a finite number")
    return float(value)
