"""Numbers of slices: what states of a log say, as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from confmat import _core, positive_class
from confmat.default_metrics import default_metrics
from confmat.frames.asked import REASONS, TOTALS
from confmat.frames.finishing import finish
from confmat.frames.partials import SCORED, STATE, merge
from confmat.frames.request import SCORE_TOTALS
from confmat.logs.request import LogRequest
from confmat.metric_names import names_asked
from confmat.multiclass.values import is_of_classes
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes

_COUNTS, _CURVE, _BINS = 1, 2, 3  # kinds in saved bytes


def metrics_table(
    parts: pl.DataFrame, request: LogRequest, metrics: Sequence[str] | str | None = None
) -> pl.DataFrame:
    """Return one row a slice: its keys, rows counted and left out, and metrics."""
    reading = request.reading
    asked = reading.metrics if metrics is None else names_asked(metrics)
    options: dict[str, Any] = {"undefined": reading.undefined, "reasons": reading.reasons}
    kind = kind_of(parts, STATE)
    if kind == _COUNTS:
        options |= {
            "pos_label": request.counting.pos_label,
            "smoothing": reading.smoothing,
            "keep_empty": reading.keep_empty,
        }
        if asked is None:
            asked = list(_defaults(parts, request))
    if SCORED not in parts.columns:
        return finish(parts, asked, **options)
    if kind == _COUNTS and kind_of(parts, SCORED) in (None, _CURVE, _BINS):
        if asked is not None and metrics is None and reading.metrics is None:
            asked = [*asked, *_SCORE_DEFAULTS]
        return finish(parts, asked, **options)
    return _of_both(parts, asked, options)


_SCORE_DEFAULTS = ("roc_auc", "average_precision", "ks")


def _of_both(
    parts: pl.DataFrame, asked: Sequence[str] | None, options: dict[str, Any]
) -> pl.DataFrame:
    """Return the numbers of predictions, and beside them those of scores of many classes."""
    of_scores = None if asked is None else [name for name in asked if is_of_classes(name)]
    of_labels = None if asked is None else [name for name in asked if name not in (of_scores or ())]
    left = finish(parts.drop(SCORED), of_labels, **options)
    named = {name: options[name] for name in ("undefined", "reasons")}
    scored = finish(parts.drop(STATE).rename({SCORED: STATE}), of_scores, **named)
    scored = scored.rename(dict(zip(TOTALS[:2], SCORE_TOTALS, strict=True)))
    keys = [name for name in parts.columns if name not in (STATE, SCORED)]
    scored = scored.drop(*keys, *(["n_other"] if "n_other" in scored.columns else []))
    if not options["reasons"]:
        return left.hstack(scored)
    texts = [frame.select(REASONS).unnest(REASONS) for frame in (left, scored)]
    reasons = texts[0].hstack(texts[1]).to_struct(REASONS)
    return left.drop(REASONS).hstack(scored.drop(REASONS)).with_columns(reasons)


def kind_of(parts: pl.DataFrame, column: str) -> int | None:
    """Return the number of the kind of some states; None where there are none."""
    first = parts[column].drop_nulls().head(1).to_list()
    return _core.state_kind(first[0]) if first else None


def _defaults(parts: pl.DataFrame, request: LogRequest) -> tuple[str, ...]:
    """Return the usual metrics: of the positive class where the labels of all rows tell it."""
    whole = whole_of(parts.select(STATE))
    m = from_bytes(whole[STATE].item())
    assert isinstance(m, ConfusionMatrix)
    pos = request.counting.pos_label
    return default_metrics(positive_class.are_two(m.labels, m.pos_label if pos is None else pos))


def whole_of(parts: pl.DataFrame) -> pl.DataFrame:
    """Return one row: the states of all slices as one."""
    out: pl.DataFrame = merge(parts, by=[])
    return out


def long_table(
    whole: pl.DataFrame, request: LogRequest, metrics: Sequence[str] | str | None
) -> pl.DataFrame:
    """Return the metrics of all rows: a row a metric, and a model where there are several."""
    reading = replace(request.reading, reasons=True)
    table = metrics_table(whole, replace(request, reading=reading), metrics)
    keys = [name for name in whole.columns if name not in (STATE, SCORED)]
    names = [name for name in table.columns if name not in {*keys, *TOTALS, *SCORE_TOTALS, REASONS}]
    values = table.unpivot(names, index=keys, variable_name="metric", value_name="value")
    if not names or REASONS not in table.columns:
        return values.with_columns(reason=pl.lit(None, pl.String))
    why = table.select(*keys, REASONS).unnest(REASONS)
    texts = why.unpivot(names, index=keys, variable_name="metric", value_name="reason")
    return values.with_columns(texts["reason"].cast(pl.String))


def per_class_table(
    parts: pl.DataFrame, request: LogRequest, metrics: Sequence[str] | None
) -> pl.DataFrame:
    """Return a row a slice and class. Needs: states of objects that have tables of classes."""
    reading = request.reading
    options: dict[str, Any] = {"undefined": reading.undefined}
    if kind_of(parts, STATE) == _COUNTS:
        options["keep_empty"] = reading.keep_empty
    keys = [name for name in parts.columns if name not in (STATE, SCORED)]
    frames = []
    for row, state in enumerate(parts[STATE]):
        if state is None:
            continue
        table = from_bytes(state).per_class(metrics, **options)
        at = parts[row].select(keys)
        frames.append(pl.concat([at, table], how="horizontal") if not keys else _beside(at, table))
    return pl.concat(frames, how="vertical_relaxed")


def _beside(keys: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    return keys.select(pl.all().repeat_by(table.height).explode()).hstack(table)
