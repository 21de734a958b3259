"""What an evaluation of a log gives: states of its slices, and every number that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from confmat.errors import StateError
from confmat.frames.partials import SCORED, STATE, merge
from confmat.logs import looking_up, screen, tables
from confmat.logs.request import MODEL, LogRequest
from confmat.logs.schemas import Skipped
from confmat.own_errors import OwnErrors
from confmat.state_tables import read_table, table_bytes


class Evaluation(OwnErrors):
    """States of the slices of a log, and every number that follows from them.

    `cm.evaluate` makes it. `print(e)` shows one screen. Evaluations of the same question add up:
    `monday + tuesday`.

    Attributes
    ----------
    complete : bool
        Whether all rows of the source were read; False after an interrupt.
    skipped : list of Skipped
        Files that could not be read, `(path, reason)`, where `on_error="skip"`.
    """

    __slots__ = ("_parts", "_request", "_whole", "complete", "skipped")

    def __init__(
        self,
        parts: pl.DataFrame,
        request: LogRequest,
        *,
        complete: bool = True,
        skipped: Sequence[Skipped] = (),
    ) -> None:
        self._parts = parts
        self._request = request
        self._whole: pl.DataFrame | None = None
        self.complete = complete
        self.skipped = list(skipped)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys of slices; with several models the first is `model`."""
        return tuple(name for name in self._parts.columns if name not in (STATE, SCORED))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models; empty where there is one, without a name."""
        return tuple(model.name for model in self._request.counting.models if model.name)

    @property
    def n(self) -> float:
        """Rows counted, or the sum of their weights; of several models, those of the first."""
        return self._total("n")

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return int(self._total("n_dropped"))

    @property
    def n_other(self) -> int:
        """Rows with a label outside `labels`."""
        return int(self._total("n_other"))

    @property
    def n_nan(self) -> int:
        """Rows left out for a score that is nan."""
        return int(self._total("n_nan"))

    def _total(self, name: str) -> float:
        return looking_up.total_of(self._of_all(), name)

    def _of_all(self) -> pl.DataFrame:
        """Return the states of all rows, a row a model."""
        if self._whole is None:
            keys = [MODEL] if self.models else []
            self._whole = merge(self._parts, by=keys)
        return self._whole

    def overall(self, metrics: Sequence[str] | str | None = None) -> pl.DataFrame:
        """Return the metrics of all rows: `metric`, `value`, `reason`; first `model`, if several.

        Parameters
        ----------
        metrics : sequence of str, optional
            Names of metrics; default those asked for, or the usual ones.
        """
        return tables.long_table(self._of_all(), self._request, metrics)

    def slices(self, metrics: Sequence[str] | str | None = None) -> pl.DataFrame:
        """Return one row a slice: its keys, `n`, rows left out, and metrics, sorted by slice."""
        return tables.metrics_table(self._parts, self._request, metrics)

    def per_class(self, metrics: Sequence[str] | None = None) -> pl.DataFrame:
        """Return one row a slice and class, with the metrics of one class."""
        return tables.per_class_table(self._parts, self._request, metrics)

    def matrix(self, slice: Mapping[str, Any] | Any = None, **keys: Any) -> Any:  # noqa: A002
        """Return the confusion matrix of a slice, or of all rows.

        Parameters
        ----------
        slice : mapping, or value of the only key, optional
            `{"country": "DE"}`; of several slices that fit, the sum. Keys may also be named:
            `matrix(country="DE")`. None as a value is the slice of missing values.
        """
        return looking_up.object_of(self._parts, STATE, slice, keys)

    def sweep(self, slice: Mapping[str, Any] | Any = None, **keys: Any) -> Any:  # noqa: A002
        """Return the sweep over the scores of a slice, or of all rows; see `matrix`."""
        column = SCORED if SCORED in self._parts.columns else STATE
        return looking_up.object_of(self._parts, column, slice, keys)

    def states(self) -> pl.DataFrame:
        """Return the states: a row a slice, as `cm.partial` gives them."""
        return self._parts

    def to_bytes(self) -> bytes:
        """Return the evaluation as bytes: the same rows give the same ones, however they were split.

        With float weights sums of bins are rounded as they are counted: then the bytes may differ.
        """
        about = {"complete": self.complete, "skipped": [list(one) for one in self.skipped]}
        return table_bytes(self._parts, {"request": self._request.as_dict(), "about": about}, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Evaluation:
        """Return the evaluation that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        parts, asked, _ = read_table(data)
        try:
            request = LogRequest.from_dict(asked["request"])
            complete = asked["about"]["complete"]
            skipped = [Skipped(*one) for one in asked["about"]["skipped"]]
        except (KeyError, TypeError) as error:
            raise StateError(f"a table of slices that is no evaluation: {error}") from None
        return cls(parts, request, complete=complete, skipped=skipped)

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation.from_bytes, (self.to_bytes(),)

    def __add__(self, other: object) -> Evaluation:
        """Merge two evaluations of the same question: what all rows of both give."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        self._request.check_same(other._request)
        both = pl.concat([self._parts, other._parts], how="vertical_relaxed")
        return Evaluation(
            merge(both),
            self._request,
            complete=self.complete and other.complete,
            skipped=[*self.skipped, *other.skipped],
        )

    def __radd__(self, other: object) -> Evaluation:
        """Allow `sum(evaluations)`, which starts from 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Return whether the same was asked and the same states were found."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self._request == other._request and self._parts.equals(other._parts)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        """Return one screen of text."""
        return screen.text(self)

    def _repr_html_(self) -> str:
        return screen.html(self)

