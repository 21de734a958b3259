"""Fairness as one screen: the groups, and how far they lie apart by criterion."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.fairness.base import FairnessBase
from confmat.fairness.between import Spread
from confmat.fairness.criteria import EQUALIZED_ODDS, KINDS, MEAN, Criterion, criterion
from confmat.fairness.selection import four_fifths
from confmat.fairness.tables import by_group
from confmat.render.figures import figure
from confmat.render.text import many

SHOWN = ("selection_rate", "tpr", "fpr", "precision", "accuracy", "roc_auc")
WITHIN = ("demographic_parity", "equal_opportunity", EQUALIZED_ODDS)  # of each control value
SHARE = 0.8


def metrics_of(f: FairnessBase) -> list[str]:
    """Return the metrics that are shown."""
    usual = [name for name in SHOWN if name in f.metrics] if f._is_binary else []
    return usual or list(f.metrics[: len(SHOWN)])


def title(f: FairnessBase) -> str:
    """Return what was compared, and what the four-fifths rule says of it."""
    by = " x ".join(f._groups.sensitive)
    within = f" within {' x '.join(f._groups.control)}" if f._groups.control else ""
    small = int(f._measures.hidden.sum())
    told = f"; {many(small, 'group')} below min_n = {f.min_n:,}" if small else ""
    groups = many(f._groups.frame.height, "group")
    first = f"Fairness: {groups} by {by}{within}, n = {f._overall.n.sum():,.0f}{told}"
    return "\n".join(filter(None, [first, _four_fifths(f)]))


def frames(f: FairnessBase) -> list[pl.DataFrame]:
    """Return the metrics of the groups, and the criteria with their intervals."""
    keys = f._groups.keys.columns
    return [by_group(f).select(*keys, "n", *metrics_of(f)), _criteria(f)]


def told(f: FairnessBase, metric: str) -> str:
    """Return the largest difference of a metric as text; of several blocks none."""
    if len(f._groups.blocks) != 1:
        return ""
    found = _told(f._spread(criterion(f"{metric}_difference"), f._groups.blocks[0]))
    return f"max - min {found}" if found else ""


def _four_fifths(f: FairnessBase) -> str:
    if not f._is_binary:
        return ""
    passes = four_fifths(f, SHARE)["passes"].drop_nulls()
    if len(passes) < 2:
        return ""
    below = len(passes) - int(passes.sum())
    return (
        f"Four-fifths rule: {below} of {len(passes)} groups are selected less than {SHARE:g} times "
        "as often as another"
    )


def _criteria(f: FairnessBase) -> pl.DataFrame:
    """Return a row a criterion: difference and ratio with their intervals, and the two groups."""
    names = dict.fromkeys(_stem(one) for one in f._criteria)
    stems = [stem for stem in names if not f._groups.control or stem in WITHIN] or list(names)[:2]
    known = {one.name: one for one in f._criteria}
    rows = []
    for control, block in f._groups.controls():
        groups = [f._groups.names[int(row)] for row in block]
        for stem in stems:
            one, other = (f._spread(known[_full(stem, kind)], block) for kind in KINDS)
            ends = (None if at is None else groups[at] for at in (one.lowest, one.highest))
            why = next((found.reason for found in (one, other) if np.isnan(found.value)), None)
            texts = [_told(one), _told(other), *ends, why]
            rows.append([*control.values(), stem, *texts])
    heads = ["criterion", *KINDS, "lowest", "highest", "reason"]
    schema: dict[str, Any] = dict(f._groups.frame.select(f._groups.control).schema)
    schema |= dict.fromkeys(heads, pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def _stem(one: Criterion) -> str:
    name = one.name.removesuffix(f"_{MEAN}").rpartition("_")[0]
    return f"{name} ({MEAN})" if one.is_mean else name


def _full(stem: str, kind: str) -> str:
    name, _, mean = stem.partition(" ")
    return f"{name}_{kind}_{MEAN}" if mean else f"{name}_{kind}"


def _told(found: Spread) -> str | None:
    if np.isnan(found.value):
        return None
    if np.isnan(found.low):
        return figure(found.value)
    low, high = figure(found.low), "inf" if np.isinf(found.high) else figure(found.high)
    return f"{figure(found.value)} [{low}, {high}]"
