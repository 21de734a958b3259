"""Numbers of a sweep: areas, distances and losses by name, reasons, and partial areas."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.areas import partial_area, standardized
from confmat.errors import InputError
from confmat.score_state import Counts, Floats, ScoreState

Points: TypeAlias = tuple[npt.NDArray[Any], Counts, Counts]


@cache
def facts() -> dict[str, dict[str, Any]]:
    """Return the facts of every score metric, by name and alias."""
    found = _core.score_facts()
    aliases = {alias: fact for fact in found for alias in fact["aliases"]}
    return aliases | {fact["name"]: fact for fact in found}


@cache
def names() -> tuple[str, ...]:
    """Return the names of the score metrics, in the order of the registry."""
    return tuple(fact["name"] for fact in _core.score_facts())


class ScoreValues(ScoreState):
    """Score metrics as attributes, as `value(name)`, and as a frame."""

    __slots__ = ()

    def value(self, name: str) -> float:
        """Return one score metric.

        Parameters
        ----------
        name : str
            "roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer"; and of scores
            in [0, 1] "brier", "brier_skill", "log_loss", "ece", "mce", "rms_ce", the last three
            also with a number of bins, as in "ece(15)".

        Returns
        -------
        float
            nan where undefined, silently: `reason` says why. A binned sweep takes the rows of a
            bin as tied, at the middle of the bin.

        Raises
        ------
        InputError
            An unknown name; a metric of probabilities and a score outside [0, 1].

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.value("roc_auc"), s["roc_auc"], s.roc_auc
        (0.75, 0.75, 0.75)
        """
        if not isinstance(name, str):
            raise InputError(f"`name` is {type(name).__name__}; wanted the name of a score metric")
        number = float(_core.score_values([name], *self._points(name))[0])
        return math.nan if number != number else number

    def reason(self, name: str) -> str | None:
        """Return why a score metric is undefined here, or None.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([1, 1], [0.2, 0.7])
        >>> s.roc_auc
        nan
        >>> s.reason("roc_auc") is None
        False
        """
        if not isinstance(name, str):
            raise InputError(f"`name` is {type(name).__name__}; wanted the name of a score metric")
        return _core.score_reasons([name], *self._points(name))[0]

    def overall(self, metrics: Iterable[str] | None = None) -> pl.DataFrame:
        """Return a frame of score metrics, one row a metric.

        Parameters
        ----------
        metrics : iterable of str, optional
            Names as `value` takes them. Default: all.

        Returns
        -------
        polars.DataFrame
            Columns `metric`, `value` (null where undefined) and `reason`. Where a score lies
            outside [0, 1], metrics of probabilities are null and the reason says so.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.overall(["roc_auc", "ks"]).rows()
        [('roc_auc', 0.75, None), ('ks', 0.5, None)]
        """
        if metrics is None:
            wanted: tuple[str, ...] = names()
        else:
            wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        outside = self._outside()
        rows = []
        for name in wanted:
            if outside and is_of_probability(name):
                rows.append((name, None, outside))
                continue
            value = self.value(name)
            undefined = math.isnan(value)
            rows.append((name, None if undefined else value, self.reason(name)))
        schema = {"metric": pl.String, "value": pl.Float64, "reason": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def ece(self, bins: int = 10) -> float:
        """Return the expected calibration error over `bins` equal bins (lo, hi] of [0, 1].

        The mean over the rows of |fraction positive - mean score| of their bin; 0 is best. Naeini
        et al. (2015), https://doi.org/10.1609/aaai.v29i1.9602.
        """
        return self.value(with_bins("ece", bins))

    def mce(self, bins: int = 10) -> float:
        """Return the maximum calibration error: the largest |fraction positive - mean score|."""
        return self.value(with_bins("mce", bins))

    def rms_ce(self, bins: int = 10) -> float:
        """Return the root mean square calibration error over the rows."""
        return self.value(with_bins("rms_ce", bins))

    @property
    def roc_auc_fraction(self) -> Fraction:
        """The area under the ROC curve as an exact fraction; ties count half.

        Raises
        ------
        InputError
            Float weights, whose sums are not exact; rows of one class alone.

        Examples
        --------
        >>> import confmat as cm
        >>> cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc_fraction
        Fraction(3, 4)
        """
        if self.weighted:
            raise InputError("roc_auc_fraction needs counts; this sweep holds float weights")
        if not (self.n_positive and self.n_negative):
            raise InputError("roc_auc_fraction needs rows of both classes")
        return Fraction(*_core.auc_fraction(self._positives, self._negatives))

    def partial_auc(
        self,
        max_fpr: float | None = None,
        min_tpr: float | None = None,
        standardize: bool = True,
    ) -> float:
        """Return the area under a part of the ROC curve.

        Parameters
        ----------
        max_fpr : float in (0, 1], optional
            The area where the false positive rate is at most this.
        min_tpr : float in [0, 1), optional
            The area between the curve and the right side where the true positive rate is at least
            this: the integral of specificity over sensitivity. Give one of the two.
        standardize : bool, default True
            Rescale as McClish does: 0.5 for scores without information, 1 for perfect ones.

        Returns
        -------
        float
            In [0, 1]; at most `max_fpr` or 1 - `min_tpr` when not standardized. nan where a class
            has no rows.

        References
        ----------
        McClish (1989), https://doi.org/10.1177/0272989X8900900307.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.partial_auc(max_fpr=0.5, standardize=False)
        0.25
        >>> s.partial_auc(max_fpr=1.0) == s.roc_auc == s.partial_auc(min_tpr=0.0)
        True
        """
        x, y, limit = self._part(max_fpr, min_tpr)
        area = partial_area(x, y, limit)
        return standardized(area, limit) if standardize else area

    def _part(self, max_fpr: float | None, min_tpr: float | None) -> tuple[Floats, Floats, float]:
        """Return the ROC curve turned so that the part wanted is that of x at most a limit."""
        if (max_fpr is None) == (min_tpr is None):
            raise InputError("partial_auc needs one of `max_fpr` and `min_tpr`")
        fpr, tpr = self._rates()
        if max_fpr is not None:
            limit = _number(max_fpr, "max_fpr")
            if not 0 < limit <= 1:
                raise InputError(f"`max_fpr` is {max_fpr!r}; wanted a number in (0, 1]")
            return fpr, tpr, limit
        limit = 1 - _number(min_tpr, "min_tpr")
        if not 0 < limit <= 1:
            raise InputError(f"`min_tpr` is {min_tpr!r}; wanted a number in [0, 1)")
        return 1 - tpr[::-1], 1 - fpr[::-1], limit

    def _rates(self) -> tuple[Floats, Floats]:
        """Return fpr and tpr from (0, 0) on; nan where a class has no rows."""
        rates = []
        for part, total in ((self.fp, self.n_negative), (self.tp, self.n_positive)):
            rate = np.zeros(len(part) + 1)
            with np.errstate(invalid="ignore"):
                np.divide(part, total or math.nan, out=rate[1:])
            rates.append(rate)
        return rates[0], rates[1]

    @property
    def ks_threshold(self) -> float:
        """The threshold of the largest distance of the rates, `ks`; the highest of equal ones."""
        fpr, tpr = self._rates()
        distance = np.abs(tpr - fpr)
        if not len(self._at) or math.isnan(distance[-1]):
            return math.nan
        return float(self._at[max(int(distance.argmax()), 1) - 1])

    @property
    def n_clipped(self) -> int | float:
        """Rows, or their weight, whose score log loss clips: below eps or above 1 - eps.

        eps is that of the dtype of the scores, as in scikit-learn.
        """
        eps = np.finfo(self._at.dtype).eps
        scores, positives, negatives = self._points("log_loss")
        clipped = (scores < eps) | (scores > 1 - eps)
        total = positives[clipped].sum() + negatives[clipped].sum()
        return float(total) if self.weighted else int(total)

    def __getitem__(self, name: str) -> float:
        """Return a score metric by its name: `s["roc_auc"]`, `s["ece(15)"]`."""
        if not isinstance(name, str):
            raise TypeError("index with the name of a score metric; see `value`")
        return self.value(name)

    def __getattr__(self, name: str) -> float:
        """Return a score metric by its name: `s.roc_auc`, `s.brier`."""
        if name.startswith("_") or name not in facts():
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        try:
            return self.value(name)
        except InputError as error:
            raise AttributeError(f"{type(self).__name__}.{name}: {error}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *names()]

    def _points(self, name: str) -> Points:
        """Return scores and counts for one metric."""
        return self._at, self._positives, self._negatives

    def _outside(self) -> str | None:
        """Return which score is not a probability, or None."""
        if not len(self._at) or (self._at[-1] >= 0 and self._at[0] <= 1):
            return None
        score = self._at[0] if self._at[0] > 1 else self._at[-1]
        return f"the score {score} is outside [0, 1]"


def reading(name: str) -> tuple[str, int]:
    """Return the name of a score metric without aliases and its bins: "ece(15)" is ("ece", 15)."""
    base, _, inner = name.partition("(")
    fact = facts().get(base)
    if fact is None:
        return base, 0
    default = fact["params"][0]["value"] if fact["params"] else 0
    given = inner.rstrip(")").rpartition("=")[2]
    return fact["name"], int(float(given or default))


def is_of_probability(name: str) -> bool:
    """Return whether a score metric takes the scores as probabilities."""
    fact = facts().get(name.partition("(")[0])
    return fact is not None and bool(fact["needs_probability"])


def with_bins(name: str, bins: int) -> str:
    """Return the name of a metric over `bins` bins: "ece(15)"."""
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise InputError(f"`bins` is {bins!r}; wanted a number of bins, at least 1")
    return f"{name}({int(bins)})"


def _number(value: Any, argument: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"`{argument}` is {value!r}; wanted a number") from None
