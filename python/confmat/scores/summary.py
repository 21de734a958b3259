"""A sweep as one screen of text, `print(s)`, and as a small HTML table for notebooks."""

from __future__ import annotations

import math
import sys

import numpy as np

from confmat.labels import shown
from confmat.metric_names import asks
from confmat.options import SECOND
from confmat.render.figures import figure
from confmat.render.html import cell, html_table, page
from confmat.render.intervals import HEAD, LEVEL
from confmat.render.text import NOTHING, fit, left_out, number, table
from confmat.scores.best_threshold import best
from confmat.scores.certain_bounds import bounds
from confmat.scores.confidence import ci, has_formula
from confmat.scores.cuts import cuts_at
from confmat.scores.points import outside
from confmat.scores.state import ScoreState
from confmat.scores.thresholds import cells_at
from confmat.scores.values import ks_threshold, reason, value

_RANKS = ("roc_auc", "average_precision", "ks", "eer")
_PROBABILITIES = ("brier", "brier_skill", "log_loss", "ece")
_BEST = ("f1", "mcc", "informedness", "accuracy")
_RATES = ("precision", "recall", "specificity")
_HEADS = ("best", "threshold", "value", *_RATES)


def text(s: ScoreState, *, rows_are_independent: bool = True) -> str:
    """Return the summary: rows, numbers with their intervals, thresholds that are best.

    Without `rows_are_independent` none has an interval.
    """
    blocks = [_title(s)]
    if not s.n:
        return f"{blocks[0]}\n{NOTHING}"
    blocks.append(
        "\n".join(f"{name:<18} {words}" for name, words in _numbers(s, rows_are_independent))
    )
    blocks.append(table(_HEADS, _thresholds(s)))
    return "\n\n".join(blocks)


def html(s: ScoreState) -> str:
    """Return the same as HTML."""
    whole = _title(s, room=sys.maxsize)
    if not s.n:
        return page(_title(s), cell("p", NOTHING), whole=whole)
    tables = html_table((), _numbers(s)), html_table(_HEADS, _thresholds(s))
    return page(_title(s), *tables, whole=whole)


def _title(s: ScoreState, room: int = 24) -> str:
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


def _numbers(s: ScoreState, rows_are_independent: bool = True) -> list[tuple[str, str]]:
    rows = []
    refused = outside(s)
    for name in _RANKS if refused else _RANKS + _PROBABILITIES:
        known = value(s, name)
        low, high = bounds(s, name)
        words = figure(known)
        if math.isnan(known):
            words += f"  ({reason(s, name)})"
        elif low != high:
            words += f"  in [{figure(low)}, {figure(high)}]"
        if rows_are_independent and has_formula(name):
            words += _interval(s, name)
        if name == "ks" and not math.isnan(known):
            words += f"  at threshold {ks_threshold(s):.6g}"
        rows.append((name, words))
    if refused:
        rows.append(("brier, log_loss", f"not defined: {refused}"))
    return rows


def _interval(s: ScoreState, name: str) -> str:
    """Return the interval of a number in words, empty where there is none."""
    found = ci(s, name, LEVEL)
    if math.isnan(found.low):
        return ""
    of_area = " (DeLong)" if name == "roc_auc" else ""
    return f"  {HEAD} [{figure(found.low)}, {figure(found.high)}]{of_area}"


def _thresholds(s: ScoreState) -> list[tuple[str, ...]]:
    rows = []
    for name in _BEST:
        threshold, found = best(s, name)
        if math.isnan(threshold):
            rows.append((name, *["-"] * 5))
            continue
        cells = cells_at(s, int(cuts_at(s, np.array([threshold]))[0]))
        rates = asks(_RATES).values(cells, ("negative", "positive"), SECOND)
        rows.append((name, f"{threshold:.6g}", *map(figure, (found, *rates))))
    return rows
