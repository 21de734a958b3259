"""What a threshold does: metrics, cost and net benefit against it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import altair as alt
import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.plots import heights
from confmat.plots.lines import lines, thin
from confmat.plots.marks import rule, told
from confmat.plots.rates import bands_of, classes, greatest, level_of
from confmat.plots.style import (
    COLORS,
    DOTS,
    REFERENCE,
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
    from confmat.plots.framing import Framing
    from confmat.plots.pictures import Sweeps, SweepSource

Best = tuple[float, float]  # threshold, value
_DETAIL = 20_000  # rows of a curve that steps are made of
_ACTED = [at / 200 for at in range(200)]


def metrics(
    sweeps: Sweeps, asked: Framing, names: Sequence[str]
) -> alt.LayerChart | alt.HConcatChart:
    """Draw metrics against the threshold, the best one of each marked."""
    tables = {key: _whole_table(s, list(names)) for key, s in sweeps.items()}
    best = {key: {name: _best_of(s, name) for name in names} for key, s in sweeps.items()}
    span = _span(tables)
    if len(names) == 1:
        (name,) = names
        curves = {key: table.select("threshold", value=name) for key, table in tables.items()}
        marks = {key: found[name] for key, found in best.items()}
        said = _notes(marks)
        chart, _ = _against(curves, marks, span, name, said, asked, 1.0)
        note = next(iter(said.values())) if len(sweeps) == 1 else ""
        text, mark = f"{name} by threshold", told(sweeps, asked)
        return framed(chart, asked, text, note, classes(sweeps), mark, wide=True)
    panels = []
    for key, table in tables.items():
        curves = {name: table.select("threshold", value=name) for name in names}
        said = _notes(best[key]) if len(sweeps) == 1 else dict.fromkeys(names, "")
        panel, _ = _against(curves, best[key], span, "Value", said, asked, 1.0)
        text, inner = "Metrics by threshold", asked
        if len(sweeps) > 1:
            text, inner = key, asked._replace(title=None)
        notes = classes({key: sweeps[key]}), told(sweeps, asked)
        panels.append(framed(panel, inner, text, *notes, wide=True))
    if len(panels) == 1:
        return panels[0]
    return over(alt.hconcat(*panels).resolve_scale(y="shared"), asked)


def _whole_table(s: SweepSource, names: list[str]) -> pl.DataFrame:
    """Return the metrics at every score, and above all of them, at which no row is predicted."""
    table = s.table(names).cast({"threshold": pl.Float64})
    scores: Any = s._at if s.is_exact else ()
    if not len(scores) or not math.isfinite(scores[0]):
        return table
    above = s.table(names, thresholds=[math.nextafter(scores[0], math.inf)])
    return pl.concat([above.with_columns(threshold=pl.lit(math.inf)), table])


def cost(sweeps: Sweeps, asked: Framing, costs: Any, ci: float | None = None) -> alt.LayerChart:
    """Draw the mean cost of a row against the threshold, the cheapest one marked."""
    ci = level_of(sweeps, ci)
    tables = {key: s.cost_curve(costs, ci=ci) for key, s in sweeps.items()}
    curves = {
        key: t.select("threshold", pl.col("^mean_cost.*$").name.replace("mean_cost", "value"))
        for key, t in tables.items()
    }
    marks: dict[str, Best | None] = {key: _cheapest(curve) for key, curve in curves.items()}
    said = _notes(marks, "lowest")
    chart, of_band = _against(
        curves, marks, _span(tables), "Mean cost of a row", said, asked, ci=ci
    )
    note = next(iter(said.values())) if len(sweeps) == 1 else ""
    mark = told(sweeps, asked)
    lines = (note, _costs(costs), of_band, mark)
    return framed(chart, asked, "Cost by threshold", *lines, wide=True)


def decision(sweeps: Sweeps, asked: Framing, ci: float | None = None) -> alt.LayerChart:
    """Draw net benefit against the probability at which one would act."""
    ci = level_of(sweeps, ci)
    tables = {key: _benefit(s, ci) for key, s in sweeps.items()}
    shares = sorted({s.n_positive / s.n for s in sweeps.values() if s.n})
    tops = [top for t in tables.values() if (top := greatest(t["net_benefit"])) is not None]
    highest = max([*tops, *shares, 0.0]) or 1.0
    of_bands = (tables, "probability", "net_benefit")
    top = heights.top(*of_bands, 1.1 * highest)
    low = heights.bottom(*of_bands, -0.25 * highest, -0.5 * highest)
    x = unit(alt.X, "probability", "Threshold probability")
    y = alt.Y("net_benefit:Q", title="Net benefit", scale=scale(low, top), axis=axis())
    tips = [alt.Tooltip(f"{name}:Q", format=".4f") for name in ("probability", "net_benefit")]
    everyone = [
        reference([(p, share - (1 - share) * p / (1 - p)) for p in _ACTED], x, y, REFERENCE)
        for share in shares
    ]
    nobody = reference([(0, 0), (1, 0)], x, y, DOTS)
    names = dict.fromkeys(sweeps, "")
    band, of_band = bands_of(tables, names, x, y, ci, "net benefit (MOVER)")
    curve = lines(tables, names, x, y, tooltip=tips)
    layers = alt.layer(nobody, *everyone, *band, *rule(asked, x), curve)
    note, mark = "dashed: treat all; dotted: treat none", told(sweeps, asked)
    return framed(layers, asked, "Decision curve", classes(sweeps), note, of_band, mark, wide=True)


def _benefit(s: SweepSource, ci: float | None) -> pl.DataFrame:
    """Return the decision curve at many probabilities: between two scores it is not straight."""
    grid = np.arange(1_000) / 1_000 if s.is_exact else None
    return s.decision_curve(grid, ci=ci)


def _span(tables: Mapping[str, pl.DataFrame]) -> tuple[float, float]:
    """Return the thresholds to draw: from 0 to 1 for probabilities, else what is there."""
    found = pl.concat([t["threshold"].cast(pl.Float64) for t in tables.values()])
    found = found.filter(found.is_finite())
    if found.is_empty():
        return 0.0, 1.0
    low, high = cast("float", found.min()), cast("float", found.max())
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    margin = 0.02 * (high - low) or 0.5
    return low - margin, high + margin


def _against(
    curves: Mapping[str, pl.DataFrame],
    best: Mapping[str, Best | None],
    span: tuple[float, float],
    title: str,
    said: Mapping[str, str],
    asked: Framing,
    at_least: float = 0.0,
    ci: float | None = None,
) -> tuple[alt.LayerChart, str]:
    """Return steps of `value` against `threshold`, with a dot where each is best, and of bands."""
    low, high = span
    fewer = {name: _fewer(curve, best.get(name)) for name, curve in curves.items()}
    drawn = {name: _stairs(curve, low, high) for name, curve in fewer.items()}
    x = alt.X("threshold:Q", title="Threshold", scale=scale(low, high), axis=axis(tickCount=8))
    y = alt.Y("value:Q", title=title, scale=_heights(curves, span, at_least), axis=axis())
    tips = [alt.Tooltip("threshold:Q", format=".4~g"), alt.Tooltip("value:Q", format=".4f")]
    steps = lines(drawn, said, x, y, tooltip=tips)
    dots = pl.DataFrame(
        [
            (name, min(found[0], high), found[1])
            for name, found in best.items()
            if found is not None and found[0] >= low
        ],
        schema={"series": pl.String, "threshold": pl.Float64, "value": pl.Float64},
        orient="row",
    )
    alone = len(curves) == 1
    dot = (
        alt.Chart(rows(dots))
        .mark_circle(size=70, opacity=1, stroke="white", strokeWidth=1.2)
        .encode(
            x=x,
            y=y,
            tooltip=[alt.Tooltip("series:N", title="best"), *tips],
            color=alt.value(COLORS[0]) if alone else series(said)["color"],
        )
    )
    around = fewer if ci is None else {name: _held(one, low, high) for name, one in fewer.items()}
    of = (around, said, x, y, ci, f"{title[0].lower()}{title[1:]} (MOVER)")
    band, of_band = bands_of(*of, interpolate="step-before")
    return alt.layer(*band, *rule(asked, x), steps, dot), of_band


def _heights(
    curves: Mapping[str, pl.DataFrame], span: tuple[float, float], at_least: float
) -> alt.Scale:
    """Return a scale from 0, or the least value below it, to the greatest, or `at_least`.

    It reaches further for a band.
    """
    tops = [greatest(curve["value"]) for curve in curves.values()]
    lows = [greatest(-curve["value"]) for curve in curves.values()]
    low = -max([low for low in lows if low is not None] + [0.0])
    high = max([top for top in tops if top is not None] + [at_least])
    of_bands = (curves, "threshold", "value")
    most = high + (high - low)
    low, high = (
        heights.bottom(*of_bands, low, 2 * low, span),
        heights.top(*of_bands, high, span, most),
    )
    return alt.Scale(domain=[low, high if high > low else low + 1], nice=True, zero=False)


def _fewer(curve: pl.DataFrame, best: Best | None) -> pl.DataFrame:
    """Return enough rows to draw all steps from, and the row of the best threshold.

    As `thin` says, a row left out is within one step of a row that is kept: 1 / 9,998 of the length
    of the curve, a tenth of the step of `lines`, which thins what is left.
    """
    if curve.height <= _DETAIL:
        return curve
    few = thin(curve.with_row_index("row"), ["threshold", "value"], _DETAIL)
    if best is None or math.isnan(best[0]):
        return few.drop("row")
    top = curve.with_row_index("row").filter(pl.col("threshold") == best[0])
    return pl.concat([few, top]).unique("row").sort("row").drop("row")


def _stairs(curve: pl.DataFrame, low: float, high: float) -> pl.DataFrame:
    """Return both ends of every step: a value holds from its threshold down to the next lower one.

    The first and the last go on to the edges of the picture.
    """
    at = pl.col("threshold").cast(pl.Float64).clip(low, high)
    ends = pl.concat_list(at, at.shift(-1, fill_value=low))
    return curve.with_columns(threshold=ends).explode("threshold", empty_as_null=False)


def _held(curve: pl.DataFrame, low: float, high: float) -> pl.DataFrame:
    """Return what holds from each threshold down to the next lower one, to the edges too."""
    at = pl.col("threshold").cast(pl.Float64).clip(low, high)
    whole = pl.concat([curve.with_columns(at), curve.tail(1).with_columns(threshold=pl.lit(low))])
    return whole.unique("threshold", keep="last", maintain_order=True)


def _best_of(s: SweepSource, name: str) -> Best | None:
    """Return the best threshold and value; None for a metric that is not better high or low."""
    try:
        threshold, value = s.best(name)
    except InputError:  # the table has accepted the name: what is missing is a better direction
        return None
    return threshold, value


def _cheapest(curve: pl.DataFrame) -> Best:
    values = curve.with_columns(pl.col("value").fill_nan(None)).drop_nulls()
    if values.is_empty():
        return math.nan, math.nan
    row = values.row(cast("int", values["value"].arg_min()))
    return float(row[0]), float(row[1])


def _notes(best: Mapping[str, Best | None], word: str = "best") -> dict[str, str]:
    return {name: _best(found, word) for name, found in best.items()}


def _best(found: Best | None, word: str = "best") -> str:
    if found is None:
        return ""
    threshold, value = found
    if math.isnan(threshold) or math.isnan(value):
        return "undefined"
    at = "at +inf" if threshold == math.inf else f"at {threshold:.4g}"
    return f"{word} {value:.4g} {at}"


def _costs(costs: Any) -> str:
    (tn, fp), (fn, tp) = np.asarray(costs, dtype=np.float64).tolist()
    hits = f", true positive {tp:g}, true negative {tn:g}" if tp or tn else ""
    return f"costs: false positive {fp:g}, false negative {fn:g}{hits}"
