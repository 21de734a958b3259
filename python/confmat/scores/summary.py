"""A sweep as one screen of text, `print(s)`, and as a small HTML table for notebooks."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from confmat.labels import shown
from confmat.render.figures import figure
from confmat.render.html import cell, html_table, page
from confmat.render.text import NOTHING, fit, left_out, number, table

if TYPE_CHECKING:
    from confmat.scores.intervals import ScoreIntervals

_RANKS = ("roc_auc", "average_precision", "ks", "eer")
_PROBABILITIES = ("brier", "brier_skill", "log_loss", "ece")
_BEST = ("f1", "mcc", "informedness", "accuracy")
_HEADS = ("best", "threshold", "value", "precision", "recall", "specificity")


def text(s: ScoreIntervals) -> str:
    """Return the summary: rows, numbers with their intervals, thresholds that are best."""
    blocks = [_title(s)]
    if not s.n:
        return f"{blocks[0]}\n{NOTHING}"
    blocks.append("\n".join(f"{name:<18} {words}" for name, words in _numbers(s)))
    blocks.append(table(_HEADS, _thresholds(s)))
    return "\n\n".join(blocks)


def html(s: ScoreIntervals) -> str:
    """Return the same as HTML."""
    whole = _title(s, room=sys.maxsize)
    if not s.n:
        return page(_title(s), cell("p", NOTHING), whole=whole)
    tables = html_table((), _numbers(s)), html_table(_HEADS, _thresholds(s))
    return page(_title(s), *tables, whole=whole)


def _title(s: ScoreIntervals, room: int = 24) -> str:
    negative, positive = (fit(shown(label), room) for label in s.labels)
    places = 2 if s.weighted else 0
    one = len(s) == 1
    if s._bins is None:
        kind = "score" if one else "scores"
    elif s.is_exact:
        kind = "bin of one score" if one else "bins of one score each"
    else:
        kind = "bin that is not empty" if one else "bins that are not empty"
    return (
        f"Sweep of {len(s):,} {kind}: n = {number(s.n, places)}; positive {positive} "
        f"({number(s.n_positive, places)}), negative {negative} ({number(s.n_negative, places)})"
        + left_out(s.n_dropped, s.n_nan)
    )


def _numbers(s: ScoreIntervals) -> list[tuple[str, str]]:
    rows = []
    outside = s._outside()
    for name in _RANKS if outside else _RANKS + _PROBABILITIES:
        value = s.value(name)
        low, high = s.bounds(name)
        words = figure(value)
        if math.isnan(value):
            words += f"  ({s.reason(name)})"
        elif low != high:
            words += f"  in [{figure(low)}, {figure(high)}]"
        if name == "ks" and not math.isnan(value):
            words += f"  at threshold {s.ks_threshold:.6g}"
        rows.append((name, words))
    if outside:
        rows.append(("brier, log_loss", f"not defined: {outside}"))
    return rows


def _thresholds(s: ScoreIntervals) -> list[tuple[str, ...]]:
    rows = []
    for name in _BEST:
        threshold, value = s.best(name)
        if math.isnan(threshold):
            rows.append((name, *["-"] * 5))
            continue
        m = s.at(threshold)
        rates = [m.value(rate, pos_label=s.pos_label) for rate in _HEADS[3:]]
        rows.append((name, f"{threshold:.6g}", *map(figure, (value, *rates))))
    return rows
