"""What `fairness` gives: metrics of groups, how they compare, and how far groups lie apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from confmat.errors import InputError
from confmat.fairness import against, benefits, overview, reliability, selection, tables
from confmat.fairness.base import FairnessBase
from confmat.fairness.between import Spread
from confmat.fairness.criteria import MEAN, criterion

if TYPE_CHECKING:
    import altair as alt


class Fairness(FairnessBase):
    """Metrics of groups, from states alone.

    `table` has the metrics of each group, `compared` sets groups against others, `between` has the
    criteria: how far groups lie apart, by the largest difference and the smallest ratio. Criteria
    are attributes, too: `f.demographic_parity_ratio`. `print(f)` shows one screen.
    """

    _made_by = "fairness(parts, sensitive)"
    _index = "index with the name of a criterion; see `value`"

    table = tables.table
    by_group = tables.by_group
    overall = tables.overall
    between = tables.between
    compared = against.compared
    four_fifths = selection.four_fifths
    four_fifths_curve = selection.four_fifths_curve
    inequality = benefits.inequality
    calibration = reliability.calibration

    def value(self, name: str, **parameters: Any) -> float:
        """Return a criterion by its name.

        Parameters
        ----------
        name : str
            "demographic_parity", "equal_opportunity", "equalized_odds", "predictive_parity",
            "average_odds", "treatment_equality" or the name of a metric, and "_difference" or
            "_ratio" after it.
        **parameters
            `agg="mean"` of equalized odds: the mean of the two metrics in place of the worse one.
            And the value of each control column.

        Returns
        -------
        float
            nan where undefined; `reason` says why.

        Examples
        --------
        >>> import confmat as cm
        >>> import polars as pl
        >>> from confmat.fairness.from_parts import fairness
        >>> log = pl.DataFrame({"sex": list("ffmm"), "y_true": [0, 1] * 2, "y_pred": [0, 0, 0, 1]})
        >>> f = fairness(cm.partial(log, by="sex"), "sex")
        >>> f.value("equalized_odds_difference"), f.value("equalized_odds_difference", agg="mean")
        (1.0, 0.5)
        """
        return self._one(name, parameters).value

    def interval(self, name: str, **parameters: Any) -> tuple[float, float]:
        """Return the interval of a criterion, as in `between`; the arguments are as of `value`."""
        found = self._one(name, parameters)
        return found.low, found.high

    def reason(self, name: str, **parameters: Any) -> str | None:
        """Return why a criterion has no value or no interval; None where it has both."""
        return self._one(name, parameters).reason

    def plot(
        self,
        metrics: Sequence[str] | str | None = None,
        *,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.Chart | alt.VConcatChart:
        """Draw the metrics of the groups with their intervals, around the value of all rows.

        Parameters
        ----------
        metrics : str or sequence of str, optional
            A panel each. Default: the first four that `print` shows.
        title, width
            As in `s.plot`.
        """
        from confmat.plots.pictures import fairness_overview

        names = [metrics] if isinstance(metrics, str) else metrics
        chosen = list(names) if names is not None else overview.metrics_of(self)[:4]
        unknown = [name for name in chosen if name not in self.metrics]
        if unknown or not chosen:
            what = f"{unknown[0]!r}" if unknown else "no name"
            raise InputError(f"`metrics` has {what}; wanted some of {', '.join(self.metrics)}")
        return fairness_overview(self, chosen, title, width)

    def _one(self, name: str, parameters: Mapping[str, Any]) -> Spread:
        given = dict(parameters)
        agg = given.pop("agg", "worst_case")
        if agg not in ("worst_case", MEAN):
            raise InputError(f"`agg` is {agg!r}; wanted 'worst_case' or 'mean'")
        of = criterion(f"{name}_{MEAN}" if agg == MEAN else name)
        for key in given:
            if key not in self._groups.control:
                raise InputError(
                    f"`{key}` is no control column; there are {list(self._groups.control)}"
                )
        found = [
            rows
            for control, rows in self._groups.controls()
            if all(control[key] == value for key, value in given.items())
        ]
        if len(found) != 1:
            what = "several of" if found else "none of"
            raise InputError(
                f"{what} the control values are meant; give each of {list(self._groups.control)}, "
                "or read `between()`"
            )
        return self._spread(of, found[0])

    def _names(self) -> tuple[str, ...]:
        return tuple(of.name for of in self._criteria)

    def __repr__(self) -> str:
        return f"<{overview.title(self)}>"

    def _title(self) -> str:
        return overview.title(self)

    def _frames(self) -> list[pl.DataFrame]:
        return overview.frames(self)
