"""What a gate found: a row for each expectation, slice and bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import polars as pl

from confmat.gates.expectation import Bound, Expectation
from confmat.gates.junit import Case, junit
from confmat.render.shown import Shown
from confmat.render.text import many

Outcome: TypeAlias = Literal["passed", "failed", "skipped"]
_FLOATS = ("n", "value", "baseline", "judged", "low", "high")
_TEXTS = ("expectation", "metric", "slice", "bound", "outcome", "reason")
_ORDER = ("expectation", "metric", "slice", *_FLOATS, "bound", "outcome", "reason")


@dataclass
class Check:
    """One slice, held against one bound; fails unless it is found to hold."""

    asked: Expectation
    bound: Bound
    slice: str
    reason: str | None = None
    outcome: Outcome = "failed"
    n: float | None = None
    value: float | None = None
    baseline: float | None = None
    judged: float | None = None
    low: float | None = None
    high: float | None = None

    def row(self) -> dict[str, Any]:
        """Return it as a row of the table."""
        return {
            "expectation": self.asked.name,
            "metric": self.asked.metric,
            "slice": self.slice,
            **{name: getattr(self, name) for name in _FLOATS},
            "bound": str(self.bound),
            "outcome": self.outcome,
            "reason": self.reason,
        }

    def case(self) -> Case:
        """Return it as a test case of a report."""
        told = [f"{self.asked.metric} {self.bound}"]
        if self.judged is not None:
            told.append(f"found {self.judged:.6g}")
        if self.low is not None and self.high is not None:
            told.append(f"interval {self.low:.6g} to {self.high:.6g}")
        if self.baseline is not None:
            told.append(f"value {self.value}, baseline {self.baseline}")
        if self.n is not None:
            told.append(f"n = {self.n:,.10g}")
        told += [self.reason] if self.reason else []
        name = f"{self.slice}: {self.asked.metric} {self.bound}"
        return Case(self.asked.name, name, self.outcome, "; ".join(told))


class Checks(Shown):
    """What a gate found: a row for each expectation, slice and bound. `cm.check` makes it.

    `print(checks)` shows a table, what failed first.

    Attributes
    ----------
    passed : bool
        Whether nothing failed.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0]})
    >>> states = cm.partial(log)
    >>> print(cm.check(states, [{"metric": "accuracy", "at_least": 0.7}]))
    1 passed, 0 failed, 0 skipped
    <BLANKLINE>
    expectation  slice     n   value   bound  outcome
    -------------------------------------------------
    accuracy     all rows  4  0.7500  >= 0.7  passed
    """

    __slots__ = ("_checks",)

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = tuple(checks)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return self._count("failed") == 0

    def __bool__(self) -> bool:
        """Return `passed`, so that `assert cm.check(...)` is a gate."""
        return self.passed

    def table(self) -> pl.DataFrame:
        """Return a row for each expectation, slice and bound, in the order of the expectations.

        Returns
        -------
        pl.DataFrame
            `expectation` (its name), `metric`, `slice`, `n`, the `value`, that of the `baseline`,
            the number `judged` (the value, or the change), `low` and `high`, the ends of its
            interval, `bound`, `outcome` ("passed", "failed" or "skipped": too few rows), `reason`.
        """
        schema = {name: pl.Float64 if name in _FLOATS else pl.String for name in _ORDER}
        return pl.DataFrame([check.row() for check in self._checks], schema=schema)

    def junit(self) -> str:
        """Return a report in JUnit's XML, which systems of continuous integration show."""
        return junit("confmat check", [check.case() for check in self._checks])

    def title(self) -> str:
        """Return how many checks had which outcome."""
        return ", ".join(f"{self._count(name)} {name}" for name in ("passed", "failed", "skipped"))

    def _count(self, outcome: Outcome) -> int:
        return sum(check.outcome == outcome for check in self._checks)

    def screen(self) -> pl.DataFrame:
        """Return the columns that say something, what failed first."""
        table = self.table()
        order = pl.col("outcome").replace_strict({"failed": 0, "skipped": 1, "passed": 2})
        table = table.sort(order, maintain_order=True)
        whole = pl.col("n") == pl.col("n").floor()
        if table.select(whole.all()).item():
            table = table.with_columns(pl.col("n").cast(pl.Int64))
        changes = table["baseline"].null_count() < table.height
        said = ["low", "high"] if table["low"].null_count() < table.height else []
        said = ["baseline", "judged", *said] if changes else said
        reason = ["reason"] if table["reason"].null_count() < table.height else []
        return table.select(
            "expectation", "slice", "n", "value", *said, "bound", "outcome", *reason
        )

    def __repr__(self) -> str:
        return f"<{many(len(self._checks), 'check')}: {self.title()}>"

    def _title(self) -> str:
        return self.title()

    def _frames(self) -> list[pl.DataFrame]:
        return [self.screen()]
