"""Whether rows are enough, in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from confmat.intervals.sample_size import rows_to_see
from confmat.labels import shown
from confmat.matrices.rate_parts import CERTAIN, Part
from confmat.render.figures import figure

_NONE_OF = {
    "recall": "none of the {total} rows is of this class",
    "precision": "none of the {total} rows was predicted as it",
    "specificity": "none of the {total} rows is of another class",
    "accuracy": "there are no rows",
}
_NEEDED = {
    "recall": "rows of this class",
    "precision": "rows predicted as it",
    "specificity": "rows of other classes",
    "accuracy": "rows",
}


class Wanted(NamedTuple):
    """What the data is to be enough for."""

    level: float
    width: float
    power: float
    delta: float


def verdict(part: Part, found: Mapping[str, Any], wanted: Wanted, total: float) -> str:
    """Return what the numbers found of a rate say."""
    what = part.metric if part.label is None else f"{part.metric} of {shown(part.label)}"
    if part.n == 0:
        none = _NONE_OF[part.metric].format(total=f"{total:,.0f}")
        return f"{what} cannot be estimated: {none}. {_to_get(part, found, wanted)}"
    if math.isnan(part.n):
        return f"{what}: the squared weights of the rows are not known, nor how many they count for"
    if part.n >= CERTAIN and not part.is_counted:
        return f"{what}: always {figure(found['value'])} at these shares"
    ends = f"[{figure(found['low'])}, {figure(found['high'])}]"
    enough = "enough" if found["is_enough"] else "not enough"
    of = "of" if part.is_counted else "as of"
    said = [f"{what}: {enough}, {figure(found['value'])} {ends} {of} {part.n:,.0f} {_rows(part)}"]
    if part.without is not None:
        said.append(f"at the shares of these rows, none of which is of {shown(part.without)}")
    if not found["is_enough"]:
        said.append(
            f"a width of {wanted.width:g} needs {found['n_for_width']:,}{_in_all(part, found)}"
        )
    if not math.isnan(found["exact_bound"]):
        side = "at most" if found["value"] == 0 else "at least"
        bound = figure(found["exact_bound"])
        level = f"one-sided {100 * wanted.level:.4g}%"
        said.append(f"{_all_or_none(found)}: {side} {bound} ({level})")
    needed = found["n_for_delta"]
    if needed is not None and part.n < needed:
        said.append(f"a change of {wanted.delta:g} needs {needed:,} in each of two test sets")
    return "; ".join(said)


def _rows(part: Part) -> str:
    return _NEEDED[part.metric]


def _all_or_none(found: Mapping[str, Any]) -> str:
    return "none is right" if found["value"] == 0 else "all are right"


def _in_all(part: Part, found: Mapping[str, Any]) -> str:
    if part.metric == "accuracy" or found["rows_for_width"] is None:
        return ""
    return f", about {found['rows_for_width']:,} rows of all classes"


def _to_get(part: Part, found: Mapping[str, Any], wanted: Wanted) -> str:
    """Return what it takes to estimate a rate of which there are no rows."""
    most = found["n_for_width_worst"]
    level = f"{100 * wanted.level:.4g}%"
    needs = f"A {level} interval of width {wanted.width:g} needs up to {most:,} of them"
    if not part.share_is_given or found["rows_for_width"] is None:
        return needs
    one = rows_to_see(part.share, wanted.level)
    return (
        f"{needs}: at a share of {part.share:.4g} that takes about {found['rows_for_width']:,} "
        f"rows; {one:,} hold one of them, {level} of the time"
    )
