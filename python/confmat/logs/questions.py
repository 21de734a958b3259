"""What an evaluation of slices is asked: which are worst, unlike, unfair, and how they drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import polars as pl

from confmat.fairness.from_parts import fairness as fairness_of
from confmat.fairness.result import Fairness
from confmat.intervals.levels import Side
from confmat.logs import looking_up
from confmat.logs.request import LogRequest
from confmat.monitoring.monitor import monitor as monitored
from confmat.significance.adjustments import Adjustment
from confmat.slices.lattice import MODEL
from confmat.slices.mix import at_mix as mixed
from confmat.slices.slice_tests import slice_tests
from confmat.slices.worst_slices import worst as worst_slices


class Asked(Protocol):
    """What an evaluation knows of its slices."""

    _request: LogRequest

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys of slices."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of several models."""

    @property
    def _parts(self) -> pl.DataFrame: ...

    def _need_slices(self, what: str) -> None: ...

    def _refuse_clusters(self, what: str) -> None: ...

    def _check_asked(self, argument: Literal["y_pred", "y_score"]) -> None: ...

    def _all_slices(self) -> pl.DataFrame: ...


def test_slices(
    evaluation: Asked,
    metric: str,
    *,
    against: str | float = "rest",
    adjust: Adjustment | None = "bh",
    min_n: int | None = None,
    level: float = 0.95,
    side: Side = "both",
) -> pl.DataFrame:
    """Return each slice tested against the rest of the rows, with p-values adjusted.

    Parameters
    ----------
    metric : str
        A metric of predicted classes, such as "accuracy" or "mcc", of scores, of label sets, of
        scores for these, or of numbers. Those of scores that have no formula take rows drawn
        again, in bins some 0.5 s a slice.
    against : {"rest", "overall"} or float, default "rest"
        All other rows, all rows (of rates alone), or a number.
    adjust : {"bh", "holm", "by", "bonferroni"} or None, default "bh"
        As in `cm.adjust_p`, over all slices.
    min_n, level
        As in `worst`.
    side : {"both", "lower", "upper"}, default "both"
        "lower": the interval has a lower end alone, and the test asks whether the slice has more.
        "upper": an upper end, and whether the slice has less.

    Returns
    -------
    pl.DataFrame
        The keys, and of each slice `n`, `value`, the `other` value, their `difference` with
        `difference_low` and `difference_high`, `statistic`, `p_value`, `p_adjusted`, `reason`.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({
    ...     "site": ["a"] * 60 + ["b"] * 40,
    ...     "y_true": [1] * 100,
    ...     "y_pred": [1] * 54 + [0] * 6 + [1] * 28 + [0] * 12,
    ... })
    >>> e = cm.evaluate(log, y_true="y_true", y_pred="y_pred", by="site")
    >>> e.test_slices("accuracy").select("site", pl.col("difference", "p_adjusted").round(4)).rows()
    [('a', 0.2, 0.0108), ('b', -0.2, 0.0108)]
    """
    evaluation._need_slices("test_slices")
    evaluation._refuse_clusters("test_slices")
    request = evaluation._request
    return slice_tests(
        evaluation._all_slices(),
        metric,
        against=against,
        adjust=adjust,
        min_n=request.reading.min_n if min_n is None else min_n,
        level=level,
        side=side,
        pos_label=request.counting.pos_label,
    )


def worst(
    evaluation: Asked,
    metric: str,
    n: int = 20,
    *,
    min_n: int | None = None,
    level: float = 0.95,
    side: Side = "both",
) -> pl.DataFrame:
    """Return the slices that explain most of what a metric loses, the worst first.

    Parameters
    ----------
    metric : str
        A metric of which more or less is better, of whatever the log is of.
    n : int, default 20
        How many slices.
    min_n : int, optional
        Slices of fewer rows come last, without values; default as asked for.
    level : float, default 0.95
        Of the intervals.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that the interval may miss below; the other end is that of the range.

    Returns
    -------
    pl.DataFrame
        The keys, and of each slice `n`, its `value`, that of the `rest`, their `difference` with
        `difference_low` and `difference_high`, the `loss` that the slice explains (how much better
        all rows would do if it did as the rest does), `reason`.
    """
    evaluation._need_slices("worst")
    evaluation._refuse_clusters("worst")
    least = evaluation._request.reading.min_n if min_n is None else min_n
    pos = evaluation._request.counting.pos_label
    options: dict[str, Any] = {"min_n": least, "level": level, "side": side, "pos_label": pos}
    return worst_slices(evaluation._all_slices(), metric, n, **options)


def fairness(
    evaluation: Asked,
    sensitive: str | Sequence[str] | None = None,
    control: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] | None = None,
    *,
    reference: Any = None,
    level: float = 0.95,
    min_n: int | None = None,
    model: str | None = None,
) -> Fairness:
    """Compare groups: their metrics, and how far these lie apart, with intervals that hold.

    Parameters
    ----------
    sensitive : str or sequence of str, optional
        Keys whose values make the groups; default all that are no control.
    control : str or sequence of str, optional
        Keys that hold still: groups are compared within each of their values.
    metrics : str or sequence of str, optional
        Names of metrics; default rates of the positive class, or metrics of many classes.
    reference : value, tuple or dict, optional
        The group that others are compared with.
    level : float, default 0.95
        How often intervals are to hold.
    min_n : int, optional
        Groups of fewer rows are not compared; default as asked for.
    model : str, optional
        Which of several models.
    """
    evaluation._need_slices("fairness")
    evaluation._refuse_clusters("fairness")
    parts = looking_up.of_model(evaluation._parts, evaluation.models, model)
    held = [control] if isinstance(control, str) else list(control or ())
    groups = [key for key in evaluation.keys if key not in {MODEL, *held}]
    return fairness_of(
        parts,
        groups if sensitive is None else sensitive,
        held or None,
        metrics,
        reference,
        level,
        evaluation._request.reading.min_n if min_n is None else min_n,
        evaluation._request.counting.pos_label,
    )


def monitor(
    evaluation: Asked,
    by: str,
    metric: str = "accuracy",
    *,
    target: float | None = None,
    level: float = 0.95,
    model: str | None = None,
) -> pl.DataFrame:
    """Return a rate period by period, with ends that hold at every look, and alarms.

    Parameters
    ----------
    by : str
        The key of periods.
    metric, target, level
        As in `cm.monitor`, which this is, of the states of this evaluation.
    model : str, optional
        Which of several models.
    """
    evaluation._check_asked("y_pred")
    evaluation._refuse_clusters("monitor")
    parts = looking_up.of_model(evaluation._parts, evaluation.models, model)
    pos = evaluation._request.counting.pos_label
    return monitored(parts, by, metric, target=target, level=level, pos_label=pos)


def at_mix(
    evaluation: Asked, mix: Mapping[Any, Mapping[Any, float]], model: str | None = None
) -> Any:
    """Return the matrix of all rows as it would be with another mix of slices.

    Parameters
    ----------
    mix : mapping
        One key and the shares of its values, `{"country": {"DE": 0.5, "FR": 0.2}}`; values that
        are not named share the rest as they do here. Of several keys a tuple of them, and
        tuples of their values.
    model : str, optional
        Which of several models.

    References
    ----------
    Holt and Smith (1979), https://doi.org/10.2307/2344652, post-stratification.
    """
    evaluation._check_asked("y_pred")
    return mixed(looking_up.of_model(evaluation._parts, evaluation.models, model), mix)
