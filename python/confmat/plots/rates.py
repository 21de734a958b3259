"""Curves of rates of a sweep: ROC, precision-recall, DET, lift and gain."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, cast

import altair as alt
import polars as pl

from confmat.plots import heights
from confmat.plots.lines import bands, denser, lines
from confmat.plots.marks import dots, told
from confmat.plots.style import (
    COLORS,
    DOTS,
    MUTED,
    REFERENCE,
    amount,
    axis,
    framed,
    measured,
    reference,
    rows,
    scale,
    unit,
)

if TYPE_CHECKING:
    from confmat.plots.framing import Framing
    from confmat.plots.pictures import Sweeps

_THRESHOLD = alt.Tooltip("threshold:Q", format=".4~g")
_TICKS = (1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95)
_CEILING = 0.95
_RANKED = "Share of rows, highest scores first"


def classes(sweeps: Sweeps) -> str:
    """Return how many rows of either class there are; nothing for several sweeps that differ."""
    sizes = {(s.n_positive, s.n_negative) for s in sweeps.values()}
    if len(sizes) > 1:
        return ""
    ((positive, negative),) = sizes
    total = amount(next(iter(sweeps.values())).n)
    return f"n = {total}: {amount(positive)} positive, {amount(negative)} negative"


def noted(name: str, values: Mapping[str, tuple[float, float]]) -> tuple[dict[str, str], str]:
    """Return what the legend says of each sweep, and what the title says of a sweep alone."""
    said = {key: measured(name, value) for key, value in values.items()}
    return said, next(iter(said.values())) if len(said) == 1 else ""


def roc(sweeps: Sweeps, asked: Framing, ci: float | None = None) -> alt.LayerChart:
    """Draw true against false positive rate, in bands of this level."""
    ci = level_of(sweeps, ci)
    said, alone = noted("AUC", {name: s.roc_auc_bounds for name, s in sweeps.items()})
    x = unit(alt.X, "fpr", "False positive rate", asked.max_fpr)
    y = unit(alt.Y, "tpr", "True positive rate (recall)")
    curves = {name: _begin(s.roc_curve(ci=ci), asked.max_fpr) for name, s in sweeps.items()}
    tips = [_THRESHOLD, alt.Tooltip("fpr:Q", format=".4f"), alt.Tooltip("tpr:Q", format=".4f")]
    chance = reference([(0, 0), (1, 1)], x, y, REFERENCE)
    band, of_band = bands_of(curves, said, x, y, ci)
    layers = alt.layer(
        chance, *band, lines(curves, said, x, y, tooltip=tips), *dots(sweeps, asked, said, x, y)
    )
    mark = told(sweeps, asked, "fpr", "tpr")
    part = _part(sweeps, asked.max_fpr)
    return framed(layers, asked, "ROC curve", alone, part, classes(sweeps), of_band, mark)


def level_of(sweeps: Sweeps, ci: float | None) -> float | None:
    """Return the level of bands, None of more curves than there are colors: they would hide."""
    return ci if len(sweeps) <= len(COLORS) else None


def bands_of(
    curves: Mapping[str, pl.DataFrame],
    notes: Mapping[str, str],
    x: Any,
    y: Any,
    ci: float | None,
    what: str = "",
    **options: Any,
) -> tuple[list[alt.Chart], str]:
    """Return the bands of curves, and what a title says of them; nothing where none is known.

    `what` the band is of, and how; default Wilson's, of the rate that is drawn.
    """
    name = str(y.shorthand).partition(":")[0]
    if ci is None or all(curve[f"{name}_low"].is_null().all() for curve in curves.values()):
        return [], ""
    note = f"band: {100 * ci:g}% interval of {what or f'{name} (Wilson)'}"
    return [bands(curves, notes, x, y, **options)], note


def _begin(curve: pl.DataFrame, most: float | None) -> pl.DataFrame:
    """Return the curve up to the first point behind `most`, so that the rest takes no detail."""
    if most in (None, 1.0):
        return curve
    inside = curve["fpr"].cast(pl.Float64).fill_null(math.nan) < most
    return curve.head(int(inside.sum()) + 1)


def _part(sweeps: Sweeps, most: float | None) -> str:
    """Return the partial area of one sweep, standardized."""
    if most in (None, 1.0) or len(sweeps) > 1:
        return ""
    (s,) = sweeps.values()
    area = measured("partial AUC", s.bounds("partial_auc", max_fpr=most))
    return f"{area} (to fpr {most:g}, standardized)"


def precision_recall(sweeps: Sweeps, asked: Framing, ci: float | None = None) -> alt.LayerChart:
    """Draw precision against recall, in steps as average precision adds them up."""
    ci = level_of(sweeps, ci)
    values = {name: s.average_precision_bounds for name, s in sweeps.items()}
    said, alone = noted("AP", values)
    x, y = unit(alt.X, "recall", "Recall"), unit(alt.Y, "precision", "Precision")
    curves = {name: _from_no_recall(s.pr_curve(ci=ci)) for name, s in sweeps.items()}
    tips = [
        _THRESHOLD,
        alt.Tooltip("recall:Q", format=".4f"),
        alt.Tooltip("precision:Q", format=".4f"),
    ]
    shares = sorted({s.n_positive / s.n for s in sweeps.values() if s.n})
    bases = [reference([(0, p), (1, p)], x, y, REFERENCE) for p in shares]
    curve = lines(curves, said, x, y, interpolate="step-before", tooltip=tips)
    band, of_band = bands_of(curves, said, x, y, ci, interpolate="step-before")
    layers = alt.layer(*bases, *band, curve, *dots(sweeps, asked, said, x, y))
    if len(shares) == 1:
        layers += _note("prevalence " + f"{shares[0]:.3g}", 0.01, shares[0], x, y)
    mark = told(sweeps, asked, "recall", "precision")
    return framed(layers, asked, "Precision-recall curve", alone, classes(sweeps), of_band, mark)


def _from_no_recall(curve: pl.DataFrame) -> pl.DataFrame:
    """Return the curve from recall 0 on: the first step of average precision begins there."""
    return pl.concat([curve.head(1).with_columns(recall=pl.lit(0.0)), curve])


def _note(text: str, at_x: float, at_y: float, x: alt.X, y: alt.Y) -> alt.Chart:
    """Return a small text at a height of the picture: below its line, or above one that is low."""
    names = (str(x.shorthand).partition(":")[0], str(y.shorthand).partition(":")[0])
    frame = pl.DataFrame([(at_x, at_y)], schema=list(names), orient="row")
    low = at_y < 0.08
    return (
        alt.Chart(rows(frame))
        .mark_text(
            text=text,
            align="left",
            baseline="bottom" if low else "top",
            dy=-3 if low else 3,
            color=MUTED,
            fontSize=11,
        )
        .encode(x=x, y=y)
    )


def det(sweeps: Sweeps, asked: Framing) -> alt.LayerChart:
    """Draw the miss rate against the false positive rate on normal-deviate (probit) axes."""
    rates = {name: s.bounds("eer") for name, s in sweeps.items()}
    floor = min((_floor(rate) for rate, _ in rates.values()), default=1e-3)
    x = _deviate(alt.X, "x", "False positive rate", floor)
    y = _deviate(alt.Y, "y", "False negative rate (miss rate)", floor)
    curves = {
        name: denser(s.det_curve(), ["fpr", "fnr"]).with_columns(
            x=_probit("fpr", floor), y=_probit("fnr", floor)
        )
        for name, s in sweeps.items()
    }
    tips = [_THRESHOLD, alt.Tooltip("fpr:Q", format=".4~%"), alt.Tooltip("fnr:Q", format=".4~%")]
    ends = [(NormalDist().inv_cdf(p),) * 2 for p in (floor, _CEILING)]
    said, alone = noted("equal error rate", rates)
    equal = reference(ends, x, y, REFERENCE)
    places = {"x": _probit("fpr", floor), "y": _probit("fnr", floor)}
    layers = alt.layer(
        equal, lines(curves, said, x, y, tooltip=tips), *dots(sweeps, asked, said, x, y, places)
    )
    mark = told(sweeps, asked, "fpr", "fnr")
    return framed(layers, asked, "Detection error tradeoff", alone, classes(sweeps), mark)


def _floor(rate: float) -> float:
    """Return where the axes begin: at 0.1 %, or lower where errors are that rare."""
    return next((low for low in (1e-3, 1e-4) if not rate < 10 * low), 1e-5)


def _probit(column: str, floor: float) -> pl.Expr:
    """Return normal quantiles; 0, which has none, is drawn on the axis, and 1 out of the frame."""
    bounded = pl.col(column).cast(pl.Float64).clip(floor, 1 - floor)
    return bounded.map_elements(NormalDist().inv_cdf, return_dtype=pl.Float64)


def _deviate(channel: Any, field: str, title: str, floor: float) -> Any:
    """Return an x or y channel of normal quantiles whose ticks are written as rates."""
    ticks = [p for p in _TICKS if floor <= p <= _CEILING]
    at = [NormalDist().inv_cdf(p) for p in ticks]
    texts = {f"{q:.3f}": f"{100 * p:g}%" for p, q in zip(ticks, at, strict=True)}
    label = f"({json.dumps(texts)})[replace(format(datum.value, '.3f'), '\u2212', '-')]"
    return channel(
        f"{field}:Q",
        title=title,
        scale=scale(at[0], at[-1]),
        axis=axis(values=at, labelExpr=label),
    )


def lift(sweeps: Sweeps, asked: Framing, ci: float | None = None) -> alt.LayerChart:
    """Draw how many times more positives than by chance are among the highest scores."""
    ci = level_of(sweeps, ci)
    curves = {name: _lifted(s.lift(ci=ci)) for name, s in sweeps.items()}
    tops = [top for c in curves.values() if (top := greatest(c["lift"])) is not None]
    x = unit(alt.X, "fraction", _RANKED)
    most = heights.top(curves, "fraction", "lift", 1.05 * max(tops, default=1.0))
    y = alt.Y("lift:Q", title="Lift", scale=scale(0, most), axis=axis())
    tips = [
        _THRESHOLD,
        alt.Tooltip("fraction:Q", format=".4f"),
        alt.Tooltip("lift:Q", format=".4f"),
    ]
    chance = reference([(0, 1), (1, 1)], x, y, REFERENCE)
    names = dict.fromkeys(sweeps, "")
    band, of_band = bands_of(curves, names, x, y, ci, "lift (MOVER)")
    layers = alt.layer(
        chance, *band, lines(curves, names, x, y, tooltip=tips), *dots(sweeps, asked, names, x, y)
    )
    note, mark = "dashed: rows in random order", told(sweeps, asked, "lift")
    return framed(layers, asked, "Lift", classes(sweeps), note, of_band, mark, wide=True)


def _lifted(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the curve with points between the scores, where gain is linear and lift is not.

    So are the ends of its band: the curve stays between them.
    """
    shares = {"lift": pl.col("gain")}
    for end in ("lift_low", "lift_high"):
        if end in frame.columns:
            shares[end] = pl.col(end) * pl.col("fraction")
    begins = pl.col("fraction") > 0
    frame = frame.with_columns(
        pl.when(begins).then(x).otherwise(0.0).alias(k) for k, x in shares.items()
    )
    lifts = (pl.when(begins).then(pl.col(name) / pl.col("fraction")) for name in shares)
    return denser(frame, ["fraction", "gain", *shares]).with_columns(
        lift.fill_nan(None).fill_null(strategy="backward") for lift in lifts
    )


def gain(sweeps: Sweeps, asked: Framing, ci: float | None = None) -> alt.LayerChart:
    """Draw the share of positives found among the highest scores."""
    ci = level_of(sweeps, ci)
    curves = {name: s.lift(ci=ci) for name, s in sweeps.items()}
    x, y = unit(alt.X, "fraction", _RANKED), unit(alt.Y, "gain", "Share of positives found")
    tips = [
        _THRESHOLD,
        alt.Tooltip("fraction:Q", format=".4f"),
        alt.Tooltip("gain:Q", format=".4f"),
    ]
    chance = reference([(0, 0), (1, 1)], x, y, REFERENCE)
    shares = sorted({s.n_positive / s.n for s in sweeps.values() if s.n_positive})
    ideal = [reference([(0, 0), (p, 1), (1, 1)], x, y, DOTS) for p in shares]
    names = dict.fromkeys(sweeps, "")
    curve = lines(curves, names, x, y, tooltip=tips)
    band, of_band = bands_of(curves, names, x, y, ci)
    layers = alt.layer(chance, *ideal, *band, curve, *dots(sweeps, asked, names, x, y))
    note, mark = "dashed: random order; dotted: perfect order", told(sweeps, asked, "gain")
    return framed(layers, asked, "Cumulative gain", classes(sweeps), note, of_band, mark)


def greatest(values: pl.Series) -> float | None:
    """Return the greatest finite value, or None."""
    finite = values.cast(pl.Float64).drop_nulls()
    top = finite.filter(finite.is_finite()).max()
    return None if top is None else float(cast("float", top))
