"""What a sweep says of its scores as probabilities: calibration, and maps that mend it."""

from __future__ import annotations

from typing import Any

from confmat.calibration.bins import Strategy
from confmat.calibration.calibration import Calibration
from confmat.calibration.fit import Method, recalibrate
from confmat.calibration.recalibration import Recalibration
from confmat.plots.pictures import SweepPlots
from confmat.scores.intervals import ScoreIntervals


class ScoreProbabilities(ScoreIntervals):
    """Calibration from the counts at each score, or at the middle of each bin of several."""

    __slots__ = ()

    @property
    def plot(self) -> SweepPlots:
        """Pictures of this sweep, drawn by Altair: `s.plot.roc()`.

        Also `pr`, `det`, `lift`, `gain`, `scores`, `calibration`, `metrics`, `cost` and `decision`.
        """
        return SweepPlots(self)

    def calibration(
        self,
        bins: Any = 10,
        strategy: Strategy = "uniform",
        *,
        n_effective: float | None = None,
        clip: float | None = None,
    ) -> Calibration:
        """Return how well the scores agree with the shares of positives.

        Parameters
        ----------
        bins : int or sequence of float, default 10
            Bins of [0, 1], (lo, hi] and the first closed at 0; or their edges.
        strategy : {"uniform", "quantile", "isotonic"}, default "uniform"
            Bins of equal width, of about equal weight, or the blocks of an isotonic fit.
        n_effective, clip
            As in `Calibration`.

        Returns
        -------
        Calibration
            With `.table()`, `.ece`, `.mce`, `.brier_decomposition` and more.

        Raises
        ------
        InputError
            A score outside [0, 1], bins that are no bins.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> s.calibration(bins=2).table().select("lo", "hi", "n", "fraction_positive").rows()
        [(0.0, 0.5, 3, 0.3333333333333333), (0.5, 1.0, 1, 1.0)]
        """
        self._check_probabilities("calibration")
        points = self._points("brier")
        return Calibration(*points, bins, strategy, n_effective=n_effective, clip=clip)

    def recalibrate(
        self, method: Method = "platt", *, smoothing: bool = True, logit: bool = False
    ) -> Recalibration:
        """Return the map from scores to probabilities that fits these rows best.

        Parameters
        ----------
        method : {"platt", "isotonic", "temperature"}, default "platt"
            A logistic curve, a non-decreasing map, or one temperature of the logits.
        smoothing : bool, default True
            "platt" only: aim a little inside 0 and 1, so that every data set has a finite fit.
        logit : bool, default False
            "platt" only: a curve of the logit of the score.

        Returns
        -------
        Recalibration
            `.apply(scores)` for arrays, `.expr(column)` for Polars.

        Raises
        ------
        InputError
            No rows of one class, scores that the method cannot take.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.sweep([0, 1, 0, 1], [-2.0, -1.0, 1.0, 2.0])
        >>> s.recalibrate("platt").apply([0.0]).tolist()
        [0.5]
        """
        points = self._points("brier")
        return recalibrate(*points, method, smoothing=smoothing, logit=logit)
