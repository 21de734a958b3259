"""Pictures of slices: ``plot.slices("f1")``, ``plot.heatmap("f1", "site", "shift")``.

Altair draws them; it is imported on the first picture only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import merge
from confmat.frames.reasons import too_few
from confmat.frames.roll_up import GROUPING
from confmat.labels import Label, listing
from confmat.plots.framing import framing
from confmat.plots.named import NamedPictures
from confmat.plots.pictures import drawing
from confmat.slices.asked_metric import metric_of
from confmat.slices.lattice import MODEL
from confmat.slices.reading import checked_parts, keys_of
from confmat.slices.values import slice_values

if TYPE_CHECKING:
    import altair as alt


class SlicePlots(NamedPictures):
    """Pictures of the slices of an evaluation, from their states.

    Every method returns an Altair chart. Notebooks show it; `.save("slices.png")`, `.svg` and
    `.html` need no browser. `title` stands in place of the usual first line, `width` is that of a
    panel, in pixels.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial`, `cm.merge` or `slices.lattice` gave.
    min_n : int, default 0
        Slices of fewer rows have no value, unless a method is told another number.
    clusters : pl.DataFrame, optional
        `parts` by cluster, with one key besides: intervals are as wide as these ask.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.plots.slice_pictures import SlicePlots
    >>> log = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [1, 1, 0], "y_pred": [1, 0, 0]})
    >>> SlicePlots(cm.partial(log, by="site")).slices("accuracy").title.text
    'accuracy of 2 slices'
    """

    __slots__ = ("_clusters", "_min_n", "_parts")

    def __init__(
        self, parts: pl.DataFrame, min_n: int = 0, clusters: pl.DataFrame | None = None
    ) -> None:
        self._clusters = clusters
        self._parts = checked_parts(parts)
        self._min_n = min_n

    def slices(
        self,
        metric: str,
        *,
        min_n: int | None = None,
        level: float = 0.95,
        pos_label: Label | None = None,
        within: str | Sequence[str] | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart | alt.HConcatChart:
        """Draw a metric of every slice around its value of all rows: a forest plot.

        The worst slice comes first; dots have intervals where there are such. Slices whose interval
        does not hold the value of all rows are blue where they are better, orange where worse. Of
        more than 200 slices the 100 worst and the 100 best are shown.

        Parameters
        ----------
        metric : str
            A metric of predicted classes or of scores.
        min_n : int, optional
            As asked of the evaluation by default. Slices of fewer rows come last, without a value.
        level : float, default 0.95
            Of the intervals.
        pos_label, within
            As in `slices.values.slice_values`.
        title, width
            As said above.

        Raises
        ------
        InputError
            No metric, or a value that none of them can have.
        """
        asked = framing(title, width)
        least = self._min_n if min_n is None else min_n
        options = {"min_n": least, "level": level, "pos_label": pos_label, "within": within}
        table = slice_values(self._parts, metric, clusters=self._clusters, **options)  # type: ignore[arg-type]
        fact = metric_of(self._parts, metric, pos_label).fact
        return drawing("forest").forest(table, metric, fact["better"], level, asked)

    def heatmap(
        self,
        metric: str,
        x: str,
        y: str,
        *,
        min_n: int | None = None,
        pos_label: Label | None = None,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw a metric over two keys as a heat map.

        A cell is white where the metric is that of all rows, blue where it is better, orange where
        it is worse; cells without rows are crossed out, those without a value grey. Small ones have
        no text: the number of rows is in the tooltip.

        Parameters
        ----------
        metric : str
            A metric of predicted classes or of scores.
        x, y : str
            The key across and the key down, merged over all others.
        min_n : int, optional
            As in `slices`. Cells of fewer rows show no value.
        pos_label
            As in `slices`.
        title, width
            As said above.

        Raises
        ------
        InputError
            No metric, no such keys, several models, more cells than can be seen.
        """
        asked = framing(title, width)
        cells = _cells(self._parts, x, y)
        fact = metric_of(cells, metric, pos_label).fact
        least = self._min_n if min_n is None else min_n
        table = slice_values(cells, metric, min_n=least, pos_label=pos_label, within=[])
        few = too_few(least)
        return drawing("slice_cells").heat(table, metric, fact["better"], x, y, few, asked)


def _cells(parts: pl.DataFrame, x: str, y: str) -> pl.DataFrame:
    """Return the states of two keys, from the smallest grouping that has both."""
    keys = [key for key in keys_of(parts) if key != GROUPING]
    for argument, key in (("x", x), ("y", y)):
        if key not in keys:
            raise InputError(f"`{argument}` is {key!r}; wanted one of the keys {listing(keys)}")
    if x == y:
        raise InputError(f"`x` and `y` are both {x!r}; wanted two keys")
    if MODEL in keys and MODEL not in (x, y) and parts[MODEL].n_unique() > 1:
        raise InputError(
            f"`parts` has {parts[MODEL].n_unique()} models; wanted the rows of one, as by "
            f"parts.filter(pl.col({MODEL!r}) == ...)"
        )
    if GROUPING in parts.columns:
        both = [
            (group.height, str(name))
            for (name,), group in parts.group_by(GROUPING, maintain_order=True)
            if {x, y} <= set(str(name).split(", "))
        ]
        if not both:
            raise InputError(f"`parts` has no grouping by {x!r} and {y!r}")
        parts = parts.filter(pl.col(GROUPING) == min(both)[1])
    return merge(parts, by=[y, x])
