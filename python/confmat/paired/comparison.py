"""What `cm.compare` gives: differences of models, who is right where the other is wrong, slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from confmat import attribute_hints
from confmat.attribute_hints import Hinting
from confmat.errors import InputError
from confmat.intervals.interval import Interval
from confmat.labels import listing
from confmat.options import check_choice
from confmat.paired import screen, tables
from confmat.paired.asked import Asked, checked_metrics
from confmat.paired.models import Models
from confmat.paired.scored_states import ScoredStates
from confmat.paired.units import Unit, Units
from confmat.render.shown import Shown
from confmat.significance.adjustments import ADJUSTMENTS, Adjustment

if TYPE_CHECKING:
    import altair as alt

    from confmat.logs.evaluation import Evaluation
    from confmat.objects.joint_matrix import JointMatrix
    from confmat.objects.joint_sweep import JointSweep


class Comparison(Shown, Hinting):
    """Models on the same rows: the baseline, which is `a`, with each of the others, which is `b`.

    `cm.compare` makes it. Differences are those of b minus a. `print(c)` shows one screen.

    Attributes
    ----------
    baseline : str
        The model that the others are compared with.
    models : tuple of str
        The others.
    keys : tuple of str
        What tells slices apart.
    level, side
        Of intervals and tests.
    evaluation : Evaluation or None
        States of the predictions of each model, for every other question; None of scores alone, and
        of numbers.
    """

    _takes_pos_label = "cm.compare"

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a Comparison is made by cm.compare(df, y_true, y_pred)")

    @classmethod
    def _around(
        cls,
        models: Models,
        asked: Asked,
        units: Units,
        evaluation: Evaluation | None,
    ) -> Comparison:
        made = cls.__new__(cls)
        made._models, made._asked, made._units = models, asked, units
        made.evaluation = evaluation
        made._kept = {}
        made.overall()  # what cannot be asked is refused now
        return made

    _models: Models
    _asked: Asked
    _units: Units
    _kept: dict[Any, pl.DataFrame]
    evaluation: Evaluation | None

    @property
    def baseline(self) -> str:
        """The model that each of the others is compared with."""
        return self._models.names[0]

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are compared with the baseline."""
        return self._models.names[1:]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys of slices."""
        return self._units.keys

    @property
    def level(self) -> float:
        """How often an interval is to hold the difference."""
        return self._asked.level

    @property
    def side(self) -> str:
        """Which ends the intervals have."""
        return self._asked.side

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics that are shown."""
        return self._asked.metrics or self._units.usual_metrics()

    def overall(self, metrics: Sequence[str] | str | None = None) -> pl.DataFrame:
        """Return the differences of all rows, one row a pair of models and metric.

        Parameters
        ----------
        metrics : sequence of str, optional
            Names of metrics; default those asked for, or the usual ones.

        Returns
        -------
        pl.DataFrame
            As `table`, without keys.
        """
        return self._table(self._names(metrics), whole=True)

    def table(self, metrics: Sequence[str] | str | None = None) -> pl.DataFrame:
        """Return the differences, one row a slice, pair of models and metric.

        Parameters
        ----------
        metrics
            As in `overall`.

        Returns
        -------
        pl.DataFrame
            The keys, `model_a` (the baseline) and `model_b`, `metric`, `n`, `value_a`, `value_b`,
            `difference` (b - a), its interval `low` and `high`, the `p_value` of no difference, the
            `method` ("tango", "mover", "delta", "cluster", "bootstrap", "delong" or "mean"), and
            `reason`: why something is missing.
        """
        return self._table(self._names(metrics), whole=False)

    def slices(
        self, metric: str | None = None, *, adjust: Adjustment | None = "bh"
    ) -> pl.DataFrame:
        """Return the slices by how much b is worse there than a, those where it is better last.

        Parameters
        ----------
        metric : str, optional
            One metric; default the first of `metrics`.
        adjust : {"bh", "holm", "by", "bonferroni"} or None, default "bh"
            How p values are adjusted for the number of slices, as in `cm.adjust_p`.

        Returns
        -------
        pl.DataFrame
            As `table`, of one metric, with `p_adjusted` and `verdict`: "better" or "worse" where
            `p_adjusted` is below 1 - level, else null. Of a metric of which neither end is better
            the lowest differences come first, without a verdict.
        """
        names = self.metrics[:1] if metric is None else self._names(metric)
        if len(names) != 1:
            raise InputError(f"`metric` is {metric!r}; wanted the name of one metric")
        if not self.keys:
            raise InputError("there are no slices: `by` was not given")
        if adjust is not None:
            check_choice("adjust", adjust, *ADJUSTMENTS)
        return tables.ranked(self._table(names, whole=False), names[0], adjust, self._asked)

    def flips(self) -> pl.DataFrame:
        """Return, for each true class, where both models, one alone or none is right.

        Of slices, one row a slice and class; `c.joint().flips()` has those of all rows.

        Returns
        -------
        pl.DataFrame
            The keys, `model_a`, `model_b`, `label`, `n`, `both`, `only_a` (what b breaks), `only_b`
            (what b mends) and `neither`.
        """
        self._need_predictions()
        return tables.flips_of(self._of_pairs(whole=False), self._units.slices())

    def difference(
        self, metric: str, model: str | None = None, slice: Any = None, **keys: Any
    ) -> Interval:
        """Return the difference of one metric with its interval and standard error.

        Parameters
        ----------
        metric : str
            Any metric, not only those that are shown.
        model : str, optional
            The model that is compared with the baseline, of several.
        slice, keys
            Values of keys that name one slice, as in `Evaluation.matrix`; default all rows.

        Examples
        --------
        >>> import confmat as cm
        >>> import polars as pl
        >>> log = pl.DataFrame({"y": [0, 1] * 50, "a": [0, 1, 0, 0] * 25, "b": [0, 1] * 50})
        >>> print(cm.compare(log, "y", ["a", "b"]).difference("accuracy"))
        0.2500 [0.1755, 0.3430] (tango)
        """
        names = self._names(metric)
        if len(names) != 1:
            raise InputError(f"`metric` is {metric!r}; wanted the name of one metric")
        unit = self._units.one(self._model(model), slice, keys)
        found = unit.difference(names[0])
        return Interval(
            found.difference, found.low, found.high, found.se, found.method or str(found.reason)
        )

    def joint(self, model: str | None = None, slice: Any = None, **keys: Any) -> JointMatrix:
        """Return the joint counts of truth, the baseline and a model; see `Evaluation.joint`."""
        evaluation = self._need_predictions()
        return evaluation.joint(self.baseline, self._model(model), slice, **keys)

    def joint_sweep(self, model: str | None = None, slice: Any = None, **keys: Any) -> JointSweep:
        """Return the joint state of the scores of the baseline and a model.

        Parameters
        ----------
        model, slice, keys
            As in `difference`.

        Raises
        ------
        InputError
            The comparison was not made with `bins="unit"` and `y_score`.
        """
        scored = self._units.one(self._model(model), slice, keys).scored
        if not isinstance(scored, ScoredStates):
            raise InputError('there are no joint states of scores; compare with `bins="unit"`')
        return scored.state

    def plot(
        self, metric: str | None = None, *, title: str | None = None, width: float | None = None
    ) -> alt.LayerChart:
        """Draw differences with their intervals: of each metric, or of one metric in each slice.

        Parameters
        ----------
        metric : str, optional
            One metric, in all rows and in each slice. Default: all metrics that are shown, in all
            rows; or the first of them where there are slices.
        title, width
            As in `s.plot`.
        """
        from confmat.plots.comparison_pictures import forest

        if metric is None and self.keys:
            metric = self.metrics[0]
        return forest(self, None if metric is None else self._names(metric)[0], title, width)

    def _names(self, metrics: Any) -> tuple[str, ...]:
        if metrics is None:
            return self.metrics
        return tuple(checked_metrics(metrics, self._models))

    def _model(self, model: str | None) -> str:
        if model is None and len(self.models) == 1:
            return self.models[0]
        if model not in self.models:
            raise InputError(f"`model` is {model!r}; wanted one of {listing(list(self.models))}")
        return model

    def _need_predictions(self) -> Evaluation:
        if self.evaluation is None:
            what = "scores alone are compared, without `y_pred`"
            if self._models.numbers:
                what = "numbers are compared"
            raise InputError(f"{what}: there are no counts")
        return self.evaluation

    def _of_pairs(self, whole: bool) -> Iterator[tuple[str, str, int, Unit]]:
        for a, b in self._models.pairs:
            for at, unit in enumerate(self._units.of(b, whole)):
                yield a, b, at, unit

    def _table(self, names: tuple[str, ...], whole: bool) -> pl.DataFrame:
        at = (names, whole or not self.keys)
        if at not in self._kept:
            slices = self._units.slices(whole)
            self._kept[at] = tables.table_of(self._of_pairs(whole), names, slices, self._asked)
        return self._kept[at]

    def _instead_of(self, name: str) -> str:
        return attribute_hints.of_comparison(name, attribute_hints.public(self))

    def __repr__(self) -> str:
        return f"<Comparison: {screen.title(self)}>"

    def __str__(self) -> str:
        """Return one screen of text."""
        return screen.text(self)

    def _repr_html_(self) -> str:
        return screen.html(self)
