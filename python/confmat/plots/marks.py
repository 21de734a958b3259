"""A threshold in a picture: a dot on each curve, or a line where thresholds are the axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from confmat.plots.style import COLORS, INK, rows, series
from confmat.render.figures import figure

if TYPE_CHECKING:
    from confmat.plots.framing import Framing
    from confmat.plots.pictures import Sweeps, SweepSource

_THRESHOLD = alt.Tooltip("threshold:Q", format=".4~g")


def rates_at(s: SweepSource, threshold: float) -> dict[str, float]:
    """Return the rates of a sweep at a threshold; nan where undefined.

    Of bins of several scores those at the nearer edge of the bin.
    """
    (tn, fp), (fn, tp) = s.at(threshold, nearest=not s.is_exact).counts.tolist()
    recall, found = _ratio(tp, tp + fn), _ratio(tp + fp, tp + fp + fn + tn)
    return {
        "fpr": _ratio(fp, fp + tn),
        "tpr": recall,
        "fnr": _ratio(fn, tp + fn),
        "recall": recall,
        "precision": _ratio(tp, tp + fp),
        "fraction": found,
        "gain": recall,
        "lift": _ratio(recall, found),
    }


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def dots(
    sweeps: Sweeps,
    asked: Framing,
    notes: Mapping[str, str],
    x: Any,
    y: Any,
    places: Mapping[str, pl.Expr] | None = None,
) -> list[alt.Chart]:
    """Return a layer with a dot for each sweep at the threshold; none if no threshold is asked.

    `places` are columns made of the rates, for axes that are not rates.
    """
    if asked.mark is None:
        return []
    more = places or {}
    found = pl.DataFrame(
        [{"series": name, **rates_at(s, asked.mark)} for name, s in sweeps.items()]
    ).with_columns(pl.lit(asked.mark).alias("threshold"), **more)
    fields = [str(channel.shorthand).partition(":")[0] for channel in (x, y)]
    inside = [
        pl.col(name).is_between(*channel["scale"]["domain"])
        for name, channel in zip(fields, (x, y), strict=True)
    ]
    found = found.fill_nan(None).filter(*inside)
    alone = len(sweeps) == 1
    named = [] if alone else [alt.Tooltip("series:N", title="curve")]
    rates = [more[name].meta.root_names()[0] if name in more else name for name in fields]
    tips = [alt.Tooltip(f"{name}:Q", format=".4f") for name in rates]
    color = alt.value(COLORS[0]) if alone else series(notes)["color"]
    shown = found.select("series", "threshold", *dict.fromkeys([*fields, *rates]))
    return [
        alt.Chart(rows(shown))
        .mark_point(size=90, filled=True, opacity=1, stroke="white", strokeWidth=1.4)
        .encode(x=x, y=y, color=color, tooltip=[*named, _THRESHOLD, *tips])
    ]


def rule(asked: Framing, x: Any) -> list[alt.Chart]:
    """Return a layer with an upright line at the threshold; none if no threshold is asked."""
    if asked.mark is None or not math.isfinite(asked.mark):
        return []
    field = str(x.shorthand).partition(":")[0]
    frame = pl.DataFrame({field: [asked.mark], "threshold": [asked.mark]})
    line = alt.Chart(rows(frame)).mark_rule(color=INK, strokeWidth=1.4, clip=True)
    return [line.encode(x=x, tooltip=[_THRESHOLD])]


def told(sweeps: Sweeps, asked: Framing, *names: str) -> str:
    """Return what a title says of the threshold: of one sweep with these rates there."""
    if asked.mark is None:
        return ""
    at = "inf" if asked.mark == math.inf else f"{asked.mark:.6g}"
    if len(sweeps) > 1 or not names:
        return f"marked: threshold {at}"
    found = rates_at(next(iter(sweeps.values())), asked.mark)
    values = ((name, found[name]) for name in names)
    words = [f"{name} {'undefined' if math.isnan(v) else figure(v)}" for name, v in values]
    return f"marked: threshold {at}, {', '.join(words)}"
