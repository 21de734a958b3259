"""Pictures of objects: what draws them is loaded when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

    from confmat.plots.pictures import SweepPlots as SweepPlots
    from confmat.plots.regression_pictures import RegressionPlots as RegressionPlots


def sweep_plots(sweeps: Any) -> SweepPlots:
    """Return the pictures of one sweep, or of several by name."""
    from confmat.plots.pictures import SweepPlots

    return SweepPlots(sweeps)


def regression_plots(regression: Any) -> RegressionPlots:
    """Return the pictures of a regression."""
    from confmat.plots.regression_pictures import RegressionPlots

    return RegressionPlots(regression)


def heat_map(matrix: Any, normalize: Any, title: Any, width: Any) -> alt.LayerChart:
    """Return a confusion matrix as a heat map."""
    from confmat.plots.pictures import heat_map

    return heat_map(matrix, normalize, title, width)
