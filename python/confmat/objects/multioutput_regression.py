"""Regressions of several numbers of each row: one of each, and metrics of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, cast

import polars as pl

from confmat.attributes import RegressionAttributes
from confmat.errors import AbsentError, InputError, StateError
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Side
from confmat.moments import several
from confmat.moments.names import full_name, needs_more_sums, regression_names
from confmat.moments.outputs import Average
from confmat.moments.values import kept_names
from confmat.objects.base import Counted
from confmat.objects.regression import Regression
from confmat.objects.states import tables_of
from confmat.render.frames import MAX_ROWS
from confmat.render.intervals import LEVEL, behind_first, of_ends
from confmat.render.text import left_out, number
from confmat.state_tables import read_table, table_bytes

_STATE = "state"
_SHOWN = 6  # metrics of each output


@tables_of("outputs")
class MultioutputRegression(RegressionAttributes, Counted):
    """A `Regression` of each of several outputs, and every metric of all.

    Made by `cm.regression` of two dimensions, or of frames of several columns. A number is the mean
    over outputs; `per_output` has each, `output` the regression of one. Immutable; `+` merges, `-`
    takes away, `to_bytes`, `pickle` and `copy` work, exactly as those of `Regression`.

    Attributes
    ----------
    outputs : tuple of str or int
        Their names: of columns, or positions.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([[0.5, 1], [-1, 1], [7, -6]], [[0, 2], [-1, 2], [8, -5]])
    >>> r.mae, round(r.value("r2", average="variance"), 6)
    (0.75, 0.938257)
    >>> r.per_output(["mae", "max_error"]).rows()
    [(0, 0.5, 1.0), (1, 1.0, 1.0)]
    >>> r.output(1).mae
    1.0
    """

    __slots__ = ("_of",)

    _index: ClassVar[str] = "index with the name of a metric; `output` has that of one"
    _made_by: ClassVar[str] = "`cm.regression`"

    _of: dict[int | str, Regression]

    @classmethod
    def _made(cls, of: Mapping[int | str, Regression]) -> MultioutputRegression:
        made = cls.__new__(cls)
        object.__setattr__(made, "_of", dict(of))
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} does not change; cannot set {name!r}")

    @property
    def outputs(self) -> tuple[int | str, ...]:
        """The names of the outputs, in order."""
        return tuple(self._of)

    @property
    def n(self) -> tuple[int | float, ...]:
        """Rows of each output, or the sums of their weights: a null is of one output alone."""
        return tuple(one.n for one in self._of.values())

    @property
    def n_dropped(self) -> tuple[int, ...]:
        """Rows of each output that were left out for a null."""
        return tuple(one.n_dropped for one in self._of.values())

    @property
    def n_nan(self) -> tuple[int, ...]:
        """Rows of each output that were left out for a nan."""
        return tuple(one.n_nan for one in self._of.values())

    def output(self, name: int | str) -> Regression:
        """Return the regression of one output.

        Raises
        ------
        InputError
            No output is named so.
        """
        if name not in self._of:
            known = ", ".join(map(repr, list(self._of)[:20]))
            raise InputError(f"no output is named {name!r}; there are {known}")
        return self._of[name]

    def value(self, name: str, *, average: Average = "uniform", **parameters: Any) -> float:
        """Return one metric, the mean over outputs.

        Parameters
        ----------
        name : str
            As `Regression.value` takes it.
        average : {"uniform", "variance"}, default "uniform"
            Outputs weigh the same, or as much as the true values of each vary.
        **parameters
            Of the metric, as of `Regression.value`.

        Returns
        -------
        float
            nan where it is undefined for an output; `reason` says for which, and why.

        Raises
        ------
        InputError
            What `Regression.value` refuses; another average.
        """
        return several.mean(self._of, full_name(name, parameters), average)[0]

    def values(
        self, metrics: Sequence[str] | str, *, average: Average = "uniform"
    ) -> dict[str, float]:
        """Return metrics by name, each the mean over outputs; nan where undefined."""
        return {name: several.mean(self._of, name, average)[0] for name in self._wanted(metrics)}

    def reason(self, name: str, *, average: Average = "uniform", **parameters: Any) -> str | None:
        """Return why a metric is undefined here, or None."""
        return several.mean(self._of, full_name(name, parameters), average)[1]

    def ci(
        self,
        name: str,
        level: float = 0.95,
        *,
        output: int | str | None = None,
        average: Average = "uniform",
        method: several.Method = "delta",
        side: Side = "both",
        **parameters: Any,
    ) -> Interval:
        """Return a metric, the mean over outputs or that of one, with its confidence interval.

        Parameters
        ----------
        name, level, method, side, **parameters
            As in `Regression.ci`.
        output : str or int, optional
            Default: the mean over outputs.
        average : {"uniform", "variance"}, default "uniform"
            Of the mean, as in `value`. That "variance" weighs by what the rows have makes the
            interval wider, which takes the powers that `metrics=["intervals"]` keeps.

        Returns
        -------
        Interval
            As from `Regression.ci`; where there is none `method` says why. Of the mean the method
            is "conservative": as wide as if all outputs erred together, since how the errors of a
            row go together is not kept. It has none where one of the outputs has none.

        Raises
        ------
        InputError
            No output is named so; what `Regression.ci` refuses.

        Examples
        --------
        >>> import confmat as cm
        >>> truth = [[0.5, 1], [-1, 1], [7, -6], [2, 3]]
        >>> r = cm.regression(truth, [[0, 2], [-1, 2], [8, -5], [2, 5]])
        >>> print(r.ci("mae", output=0))
        0.3750 [0.0492, 2.8590] (delta)
        >>> print(r.ci("mae"))
        0.8125 [0.3553, 2.6107] (conservative)
        """
        if output is None:
            return several.ci_of_mean(self._of, name, level, average, method, side, parameters)
        return self.output(output).ci(name, level, method=method, side=side, **parameters)

    def overall(
        self,
        metrics: Sequence[str] | str | None = None,
        *,
        average: Average = "uniform",
        ci: float | None = None,
        side: Side = "both",
    ) -> pl.DataFrame:
        """Return a frame of metrics, each the mean over outputs: `metric`, `value`, `reason`.

        With `ci`, a level such as 0.95, also `low` and `high`; null where there is none, as of r2
        and rmse without the powers that `metrics=["intervals"]` keeps, and the reason says why.
        """
        return several.overall(self._of, self._wanted(metrics), average, ci, side)

    def per_output(
        self,
        metrics: Sequence[str] | str | None = None,
        *,
        ci: float | None = None,
        side: Side = "both",
    ) -> pl.DataFrame:
        """Return a frame of one row an output: its name, and metrics, null where undefined.

        With `ci`, a level such as 0.95, `<name>_low` and `<name>_high` follow each, as of `r.ci`,
        of the `side` asked for.
        """
        return several.per_output(self._of, self._wanted(metrics), ci, side)

    def _wanted(self, metrics: Sequence[str] | str | None) -> tuple[str, ...]:
        first = next(iter(self._of.values()))
        return kept_names(first) if metrics is None else regression_names(metrics)

    def _names(self) -> tuple[str, ...]:
        return self._wanted(None)

    def _attribute(self, name: str) -> float:
        """Return a number as an attribute; what one output has is said to be there."""
        if hasattr(Regression, name):
            where = f"output({self.outputs[0]!r}).{name}"
            raise AbsentError(
                f"MultioutputRegression.{name}: each output has its own, as in {where}"
            )
        return super()._attribute(name)

    def _title(self) -> str:
        n, dropped = set(self.n), sum(self.n_dropped)
        rows = f"n = {number(n.pop(), 2)}" if len(n) == 1 else "rows differ"
        return f"Regression of {len(self._of)} outputs, {rows}{left_out(dropped)}"

    def _frames(self) -> list[pl.DataFrame]:
        few = [name for name in self._names() if not needs_more_sums(name)][:_SHOWN]
        ends = several.per_output(dict(islice(self._of.items(), MAX_ROWS)), few, LEVEL, "both")
        means = of_ends(self.overall(ci=LEVEL))
        return [means, behind_first(self.per_output(few), ends)]

    def __repr__(self) -> str:
        return f"<MultioutputRegression outputs={len(self._of)}>"

    def __eq__(self, other: object) -> bool:
        """Return whether outputs and all that is kept of each are equal."""
        if not isinstance(other, MultioutputRegression):
            return NotImplemented
        return self.outputs == other.outputs and self._of == other._of

    def __hash__(self) -> int:
        return hash(tuple(self._of.items()))

    def __add__(self, other: object) -> MultioutputRegression:
        """Merge: what all rows of both give. Outputs must be the same."""
        return self._joined(other, Regression.__add__)

    def __sub__(self, other: object) -> MultioutputRegression:
        """Take the rows of `other` away."""
        return self._joined(other, Regression.__sub__)

    def _joined(
        self, other: object, join: Callable[[Regression, Regression], Regression]
    ) -> MultioutputRegression:
        if not isinstance(other, MultioutputRegression):
            return cast("MultioutputRegression", NotImplemented)
        if self.outputs != other.outputs:
            raise InputError(f"outputs differ: {self.outputs} and {other.outputs}")
        return self._made({name: join(one, other._of[name]) for name, one in self._of.items()})

    def to_bytes(self) -> bytes:
        """Return all outputs as bytes, which `cm.from_bytes` reads."""
        states = [one.to_bytes() for one in self._of.values()]
        parts = pl.DataFrame({several.OUTPUT: range(len(states)), _STATE: states})
        return table_bytes(parts, {"outputs": list(self._of)}, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> MultioutputRegression:
        """Return the object that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        return cls._of_table(*read_table(data)[:2])

    @classmethod
    def _of_table(cls, parts: pl.DataFrame, asked: Mapping[str, Any]) -> MultioutputRegression:
        names = asked.get("outputs")
        are_names = isinstance(names, list) and all(type(name) in (int, str) for name in names)
        if (
            not are_names
            or not names
            or set(asked) != {"outputs"}
            or len(set(map(str, names))) < len(names)
            or parts.columns != [several.OUTPUT, _STATE]
            or parts[several.OUTPUT].to_list() != list(range(len(names)))
            or parts[_STATE].null_count()
        ):
            raise StateError("a table of slices that is no regression of several outputs")
        states = [Regression.from_bytes(one) for one in parts[_STATE]]
        if len({(one._state.has_weights, *kept_names(one)) for one in states}) > 1:
            raise StateError("outputs of a regression that hold different sums")
        return cls._made(dict(zip(names, states, strict=True)))

    def __reduce__(self) -> tuple[Any, ...]:
        return MultioutputRegression.from_bytes, (self.to_bytes(),)
