"""Pictures of regressions: ``r.plot.residuals()``, ``.density()``, ``.calibration()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.errors import InputError
from confmat.intervals.levels import checked_level
from confmat.moments.state import MomentState
from confmat.plots.framing import framing
from confmat.plots.named import NamedPictures
from confmat.plots.pictures import drawing

if TYPE_CHECKING:
    import altair as alt

_MOST = 1_000  # bins of a picture


class RegressionPlots(NamedPictures):
    """Pictures of one regression.

    Every method returns an Altair chart. Notebooks show it; `.save("errors.png")`, `.svg` and
    `.html` need no browser. `title` stands in place of the usual first line, `width` is in pixels.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0], [2.5, 0.0, 2.5], metrics="median_absolute_error")
    >>> r.plot.residuals().title.text
    'Errors of 3 rows'
    """

    __slots__ = ("_regression",)

    def __init__(self, regression: MomentState) -> None:
        self._regression = regression

    def residuals(
        self, bins: int = 60, *, title: str | None = None, width: float | None = None
    ) -> alt.LayerChart:
        """Draw how errors are spread: the share of the rows by prediction less truth.

        Parameters
        ----------
        bins : int, default 60
            How many bars; a thousandth of the rows on each side may lie outside.
        title, width
            As of the class.

        Raises
        ------
        InputError
            Errors were not kept: `metrics` of `cm.regression` names "median_absolute_error",
            "error_quantile" or "exact_errors".
        """
        if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= _MOST:
            raise InputError(f"`bins` is {bins!r}; wanted a number from 1 to {_MOST:,}")
        if not self._regression.holds("median_absolute_error"):
            raise InputError(
                "errors were not kept; name them when rows are read, as in "
                'cm.regression(y, p, metrics=["median_absolute_error"])'
            )
        asked = framing(title, width)
        chart: Any = drawing("residuals").residuals(self._regression, asked, bins)
        return chart

    def density(self, *, title: str | None = None, width: float | None = None) -> alt.LayerChart:
        """Draw true against predicted numbers: cells of a grid, darker the more rows they have.

        On the dashed line predictions are right. A thousandth of the rows at each end may lie
        outside.

        Parameters
        ----------
        title, width
            As of the class.

        Raises
        ------
        InputError
            Cells were not kept: `metrics` of `cm.regression` names "density".
        """
        chart: Any = drawing("pairs").density(self._regression, framing(title, width))
        return chart

    def calibration(
        self,
        bins: int = 10,
        *,
        ci: float = 0.95,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the mean true number against the mean prediction, by tenths of the predictions.

        Parameters
        ----------
        bins : int, default 10
            How many groups of predictions; see `Regression.calibration`.
        ci : float, default 0.95
            Level of the band.
        title, width
            As of the class.

        Raises
        ------
        InputError
            Cells were not kept: `metrics` of `cm.regression` names "density"; bad bins, a bad
            level.
        """
        asked = framing(title, width)
        chart: Any = drawing("pairs").calibration(
            self._regression, asked, bins, checked_level(ci, "ci")
        )
        return chart
