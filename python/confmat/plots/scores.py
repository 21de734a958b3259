"""How scores are spread: histograms by class, and whether probabilities are what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.plots.lines import thin
from confmat.plots.marks import rule, told
from confmat.plots.pictures import drawn
from confmat.plots.rates import classes, noted
from confmat.plots.style import (
    COLORS,
    REFERENCE,
    amount,
    axis,
    framed,
    over,
    reference,
    rows,
    scale,
    series,
    unit,
)

if TYPE_CHECKING:
    from confmat.calibration.bins import Strategy
    from confmat.plots.framing import Framing
    from confmat.plots.pictures import Sweeps, SweepSource

Floats = npt.NDArray[np.float64]
_SHARE = "fraction_positive"
_TITLE = "Share of positives"
_MANY = 40  # bins from which on dots would hide the line


def scores(sweeps: Sweeps, asked: Framing, bins: int) -> alt.LayerChart | alt.VConcatChart:
    """Draw for each class how its rows are spread over the scores."""
    if len(sweeps) == 1:
        return _spread(next(iter(sweeps.values())), asked, bins, "")
    inner = asked._replace(title=None)
    charts = [_spread(s, inner, bins, key) for key, s in sweeps.items()]
    whole = alt.vconcat(*charts).resolve_scale(color="independent", strokeDash="independent")
    return over(whole, asked)


def _spread(s: SweepSource, asked: Framing, bins: int, name: str) -> alt.LayerChart:
    low, high = _range(s)
    edges = low + (high - low) * (np.arange(bins + 1) / bins)
    parts, said, shown_rows = [], {}, 0.0
    for at, (weights, size) in enumerate(
        [(s.negatives, s.n_negative), (s.positives, s.n_positive)]
    ):
        label = s.labels[at]
        key = f"not {drawn(s.labels[1])}" if label is None else drawn(label)
        said[key] = f"{amount(size)} row{'' if size == 1 else 's'}"
        held = _held(s, weights, edges)
        shown_rows += held.sum()
        share = held / size if size else held
        part = pl.DataFrame({"score": edges, "share": np.append(share, share[-1])})
        parts.append(part.with_columns(series=pl.lit(key)))
    look = series(said, "class")
    x = alt.X("score:Q", title="Score", scale=scale(low, high), axis=axis())
    top = max(cast("float", part["share"].max()) for part in parts)
    up = alt.Scale(domain=[0, top or 1], nice=True)
    y = alt.Y("share:Q", title="Share of the class", scale=up, axis=axis(format="~%"), stack=None)
    base = alt.Chart(rows(pl.concat(parts))).encode(x=x, y=y, color=look["color"])
    fill = base.mark_area(interpolate="step-after", opacity=0.2)
    edge = base.mark_line(interpolate="step-after", strokeWidth=1.8).encode(
        strokeDash=look["strokeDash"]
    )
    outside = round(s.n - shown_rows, 6)
    note = f"{amount(outside)} rows with infinite scores are not shown" if outside > 0 else ""
    text = f"Scores by class: {name}" if name else "Scores by class"
    layers = alt.layer(fill, edge, *rule(asked, x))
    mark = told({name: s}, asked)
    return framed(layers, asked, text, note, mark, wide=True, flat=0.75)


def _ends(s: Any) -> tuple[Floats, Floats]:
    """Return from where to where the rows of each entry lie: one score, or a bin."""
    low, high = (s.scores, s.scores) if s.is_exact else (s.lower, s.upper)
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def _range(s: SweepSource) -> tuple[float, float]:
    """Return what a histogram spans: 0 to 1 for probabilities, else what is there."""
    ends = np.concatenate(_ends(s))
    ends = ends[np.isfinite(ends)]
    low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    if low >= 0 and high <= 1 and (high - low > 0.25 or low == high):
        return 0.0, 1.0
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _held(s: SweepSource, weights: npt.ArrayLike, edges: Floats) -> Floats:
    """Return the weight between edges: bins of a sweep are spread evenly over their width.

    A bin without an end has no width; its rows are put at the end that it has.
    """
    low, high = _ends(s)
    mass = np.asarray(weights, dtype=np.float64)
    wide = (low < high) & np.isfinite(low) & np.isfinite(high)
    at = np.where(np.isfinite(low), low, high)
    points = ~wide & np.isfinite(at)
    held = np.histogram(at[points], edges, weights=mass[points])[0].astype(np.float64)
    if wide.any():
        corners = np.stack([low[wide], high[wide]], axis=1)[::-1].ravel()
        below = np.concatenate([[0.0], np.cumsum(mass[wide][::-1])])
        heights = np.stack([below[:-1], below[1:]], axis=1).ravel()
        held += np.diff(np.interp(edges, corners, heights))
    return held


def calibration(
    sweeps: Sweeps,
    asked: Framing,
    bins: Any = 10,
    strategy: Strategy = "uniform",
    ci: float = 0.95,
    **options: Any,
) -> alt.VConcatChart:
    """Draw the share of positives against the mean score of each bin, over a count of the rows."""
    found = {k: s.calibration(bins=bins, strategy=strategy, **options) for k, s in sweeps.items()}
    said, alone = noted("ECE", {key: (c.ece, c.ece) for key, c in found.items()})
    tables = {key: c.table(ci).filter(pl.col("n") > 0) for key, c in found.items()}
    look: dict[str, Any] = {"color": alt.value(COLORS[0])}
    look = series(said) if len(sweeps) > 1 else look
    how = (
        "isotonic regression"
        if strategy == "isotonic"
        else f"band: {100 * ci:g}% interval (Wilson)"
    )
    if isinstance(bins, int) and strategy != "isotonic":
        how = f"{bins} {strategy} bins, {how}"
    layers = _reliability(tables, look, strategy == "isotonic", asked)
    mark = told(sweeps, asked)
    curve = framed(layers, asked, "Calibration", alone, how, classes(sweeps), mark)
    below = _rows_below(sweeps, look).properties(width=curve.width, height=curve.height // 5)
    return alt.vconcat(curve, below, spacing=14)


def _reliability(
    tables: Mapping[str, pl.DataFrame], look: dict[str, Any], isotonic: bool, asked: Framing
) -> alt.LayerChart:
    x = unit(alt.X, "mean_score", "")
    y = unit(alt.Y, _SHARE, _TITLE)
    parts = []
    for key, table in tables.items():
        part = table
        if isotonic:  # one level from end to end of each block
            ends = pl.concat_list("lo", "hi").alias("mean_score")
            both = table.with_columns(ends).explode("mean_score", empty_as_null=False)
            part = thin(both, ["mean_score", _SHARE])
        parts.append(part.with_row_index("at").with_columns(series=pl.lit(key)))
    base = alt.Chart(rows(pl.concat(parts))).encode(x=x, y=y, order=alt.Order("at:Q"), **look)
    layers = [reference([(0, 0), (1, 1)], x, y, REFERENCE)]
    if not isotonic:
        low, high = unit(alt.Y, "ci_low", _TITLE), alt.Y2("ci_high:Q")
        band = alt.Chart(rows(pl.concat(parts))).mark_area(opacity=0.2)
        layers.append(band.encode(x=x, y=low, y2=high, color=look["color"]))
    layers += [*rule(asked, x), base.mark_line(strokeWidth=2)]
    if not isotonic and max((len(part) for part in parts), default=0) <= _MANY:
        names = {"lo": ".4~g", "hi": ".4~g", "n": ",", "mean_score": ".4f", _SHARE: ".4f"}
        tips = [alt.Tooltip(f"{name}:Q", format=form) for name, form in names.items()]
        dots = base.mark_circle(size=46, opacity=1).encode(tooltip=tips, strokeDash=alt.Undefined)
        layers.append(dots)
    return alt.layer(*layers)


def _rows_below(sweeps: Sweeps, look: dict[str, Any]) -> alt.Chart:
    """Return a low histogram of the rows over the probabilities."""
    edges = np.arange(21) / 20
    parts = []
    for key, s in sweeps.items():
        held = _held(s, s.positives, edges) + _held(s, s.negatives, edges)
        held = np.append(held, held[-1])
        part = pl.DataFrame({"mean_score": edges, "end": np.append(edges[1:], 1), "rows": held})
        parts.append(part.with_columns(series=pl.lit(key)))
    x = unit(alt.X, "mean_score", "Predicted probability")
    most = max(cast("float", part["rows"].max()) for part in parts)
    y = alt.Y(
        "rows:Q",
        title="Rows",
        scale=alt.Scale(domain=[0, most or 1], nice=True),
        axis=axis(tickCount=3, format=",.0f" if most >= 4 else "~g"),
    )
    base = alt.Chart(rows(pl.concat(parts))).encode(x=x, y=y, **look)
    if len(sweeps) == 1:
        bars = base.mark_bar(opacity=0.6, orient="vertical").encode(x2="end:Q")
    else:
        bars = base.mark_line(interpolate="step-after", strokeWidth=1.6)
    return bars
