"""Numbers of a sweep: areas, distances and losses by name, reasons, and partial areas."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core, name_hints, registry
from confmat.attributes import ScoreAttributes
from confmat.errors import AbsentError, InputError
from confmat.named_numbers import called, numbers
from confmat.scores.roc_areas import ScoreAreas
from confmat.scores.state import Counts

T = TypeVar("T")
PARTIAL_AUC = "partial_auc"
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


class ScoreValues(ScoreAttributes, ScoreAreas):
    """Score metrics as attributes, as `value(name)`, and as a frame.

    Where a score lies outside [0, 1], metrics of probabilities are not there: `value`, `values` and
    the attributes raise InputError, `reason` says why, and `overall` has null and the reason.
    """

    __slots__ = ()

    def value(self, name: str, **parameters: Any) -> float:
        """Return one score metric.

        Parameters
        ----------
        name : str
            "roc_auc", "gini", "average_precision", "pr_auc_trapezoid", "ks", "eer"; and of scores
            in [0, 1] "brier", "brier_skill", "log_loss", "ece", "mce", "rms_ce". Or "partial_auc".
        **parameters
            Of "ece", "mce" and "rms_ce" `bins`, the number of equal bins (lo, hi] of [0, 1],
            default 10; also in the name, as in "ece(15)". Of "partial_auc" one of `max_fpr` in
            (0, 1], for the area where the false positive rate is at most this, and `min_tpr` in
            [0, 1), for the area between the curve and the right side where the true positive rate
            is at least this; and `standardize`, default True: rescale as McClish does, to 0.5 for
            scores without information and 1 for perfect ones.

        Returns
        -------
        float
            nan where undefined, silently: `reason` says why. A binned sweep that is not exact
            takes the rows of a bin as tied, at the middle of the bin.

        Raises
        ------
        InputError
            An unknown name or parameter; a metric of probabilities and a score outside [0, 1].

        References
        ----------
        McClish (1989), https://doi.org/10.1177/0272989X8900900307, for "partial_auc".

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.value("roc_auc"), s["roc_auc"], s.roc_auc
        (0.75, 0.75, 0.75)
        >>> s.value("partial_auc", max_fpr=0.5, standardize=False)
        0.25
        >>> round(s.ece, 4), round(s.value("ece", bins=2), 4)
        (0.1375, 0.0875)
        """
        if name == PARTIAL_AUC:
            return float(called(self._partial_auc, PARTIAL_AUC, parameters))
        full = full_name(name, parameters)
        return self.values([full])[full]

    def values(self, metrics: Iterable[str]) -> dict[str, float]:
        """Return several score metrics by name, for the price of one pass over the scores.

        Parameters
        ----------
        metrics : iterable of str
            Names as `value` takes them.

        Returns
        -------
        dict of str to float
            In the order asked for; nan where undefined.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.values(["roc_auc", "ks"])
        {'roc_auc': 0.75, 'ks': 0.5}
        """
        wanted = [metrics] if isinstance(metrics, str) else list(metrics)
        found: dict[str, float] = {}
        for of_probability in (False, True):
            some = [name for name in wanted if is_of_probability(name) is of_probability]
            if some:
                if of_probability:
                    self._check_probabilities(some[0])
                numbers = _core.score_values(some, *self._points(some[0]), clip=self.clip)
                found |= zip(some, numbers, strict=True)
        return {name: found[name] for name in wanted}

    def reason(self, name: str, **parameters: Any) -> str | None:
        """Return why a score metric is undefined here, or None.

        Parameters
        ----------
        name : str
            As for `value`, with its parameters.

        Returns
        -------
        str or None
            Of a metric of probabilities also which score is outside [0, 1].

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([1, 1], [0.2, 0.7])
        >>> s.roc_auc
        nan
        >>> s.reason("roc_auc") is None
        False
        """
        if name == PARTIAL_AUC:
            self.value(name, **parameters)  # refuses what it would
            name, parameters = "roc_auc", {}
        name = full_name(name, parameters)
        why = _core.score_reasons([name], *self._points(name))[0]
        return (self._outside() if is_of_probability(name) else None) or why

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
        values = self.values(n for n in wanted if not (outside and is_of_probability(n)))
        found = [values.get(name, math.nan) for name in wanted]
        why = [
            (self.reason(name) if name in values else outside) if math.isnan(value) else None
            for name, value in zip(wanted, found, strict=True)
        ]
        return numbers(wanted, found, why)

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
        """Rows, or their weight, whose score log loss clips: below `clip` or above 1 - `clip`."""
        eps = self.clip
        scores, positives, negatives = self._points("log_loss")
        clipped = (scores < eps) | (scores > 1 - eps)
        total = positives[clipped].sum() + negatives[clipped].sum()
        return float(total) if self.weighted else int(total)

    def __getitem__(self, name: str) -> float:
        """Return a score metric by its name: `s["roc_auc"]`, `s["ece(15)"]`."""
        if not isinstance(name, str):
            raise TypeError("index with the name of a score metric; see `value`")
        return self.value(name)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """Return a score metric by its name: `s.roc_auc`, `s.brier`."""
            own = getattr(type(self), name, None)
            if isinstance(own, property):  # that raised AttributeError: again, with its message
                return own.__get__(self)  # type: ignore[no-any-return]
            if name.startswith("_") or name not in facts():
                of_classes = name in registry.names("class") + registry.names("overall")
                hint = "; `at(t)`, `best` and `table` have metrics of a threshold"
                hint = hint if of_classes else name_hints.hint(name, self._public())
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")
            return self._attribute(self.value, name)

    def _attribute(self, of: Callable[[str], T], name: str) -> T:
        """Return what `of` says of a score metric, as the value of an attribute."""
        try:
            return of(name)
        except InputError as error:
            raise AbsentError(str(error)) from None

    def __dir__(self) -> list[str]:
        return [*{*super().__dir__(), *names()}]

    def _public(self) -> list[str]:
        """Return what may have been meant by a name that is not there."""
        return [n for n in (*dir(type(self)), *names()) if not n.startswith("_")]

    def _points(self, name: str) -> Points:
        """Return scores and counts for one metric."""
        return self._at, self._positives, self._negatives

    def _check_probabilities(self, name: str) -> None:
        """Refuse scores outside [0, 1], for the metric `name`; of exact ones the core does."""

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


def full_name(name: Any, parameters: dict[str, Any]) -> str:
    """Return the name of a score metric with its parameters in it: "ece(15)"."""
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a score metric")
    fact = facts().get(name.partition("(")[0])
    if not parameters or fact is None:
        return name
    known = [param["name"] for param in fact["params"]]
    for key, given in parameters.items():
        if key not in known:
            wanted = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InputError(f"`{name}` has no parameter `{key}`; {wanted}")
        if "(" in name:
            raise InputError(f"`{name}` has `{key}` in its name and as an argument; give it once")
        if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < 1:
            raise InputError(f"`{key}` is {given!r}; wanted a number of {key}, at least 1")
    return f"{name}({int(parameters[known[0]])})"
