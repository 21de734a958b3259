"""Files of states in words: what they hold, and the numbers that were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from confmat import _core
from confmat.command.job import metric_columns
from confmat.command.screens import screen
from confmat.command.texts import as_label
from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER, check_cluster
from confmat.frames.partials import merge
from confmat.frames.state_queries import JOINT, SCORED, STATE
from confmat.intervals.levels import Side, checked_ci
from confmat.labels import listing, shown
from confmat.logs.evaluation import Evaluation
from confmat.logs.merged_files import MergedFiles
from confmat.logs.request import Counting, LogRequest, Model, Reading
from confmat.logs.screen import overall
from confmat.logs.state_files import STATES, kind_name, kinds_in
from confmat.objects.states import from_bytes
from confmat.render.frames import text_of
from confmat.render.text import many
from confmat.slices.lattice import MODEL
from confmat.state_kinds import StateKind


@dataclass(frozen=True)
class StateView:
    """States, and what was asked to be shown of them."""

    parts: pl.DataFrame
    evaluation: Evaluation
    by: list[str]
    reasons: bool
    is_asked: bool  # whether metrics or intervals were named
    cluster: str | None = None

    @property
    def rows(self) -> str:
        """How many rows there are, or their weights, in words."""
        column = next(name for name in STATES if name in self.parts.columns)
        states = self.parts[column].drop_nulls()
        weighted = any(map(_core.state_holds_weights, states))
        n = self.evaluation.n if column == STATE else sum(_n(data) for data in states)
        return f"weights of {n:,.6g}" if weighted else f"{n:,.0f} rows"

    def slices(self) -> pl.DataFrame:
        """Return a row a slice, sorted."""
        if JOINT in self.parts.columns:
            counted = [None if data is None else _n(data) for data in self.parts[JOINT]]
            return self.parts.select(self.by).with_columns(pl.Series("n", counted, strict=False))
        return self.evaluation.slices()

    def metric_columns(self, result: pl.DataFrame) -> list[str]:
        """Return the columns of a result that are metrics."""
        return metric_columns(result, self.by, self.reasons)


def view_of(
    found: MergedFiles,
    *,
    metrics: list[str] | None,
    pos_label: str | None,
    min_n: int,
    ci: float | None,
    side: Side,
    cluster: str | None,
    reasons: bool,
) -> StateView:
    """Return the states of files with what is asked of them.

    Raises
    ------
    InputError
        A level or a positive class that cannot be; metrics of states of two models.
    """
    parts, keys = found.parts, found.keys
    if cluster is not None:
        check_cluster(parts, cluster)
        keys = [key for key in keys if key != cluster]
    if JOINT in parts.columns and (metrics or ci is not None or pos_label is not None):
        raise InputError(
            "the states are of two models on the same rows, which have no metrics here; see "
            "`confmat compare`"
        )
    reading = Reading(
        metrics=metrics,
        min_n=min_n,
        reasons=reasons,
        ci=checked_ci(ci, side),
        side=side,
    )
    positive = None if pos_label is None else _label(pos_label, parts)
    is_of_numbers = STATE in parts.columns and kinds_in(parts[STATE]) == {StateKind.MOMENTS}
    counting = Counting(
        STATE,
        _models(parts),
        by=tuple(keys),
        pos_label=positive,
        cluster=cluster,
        task="regression" if is_of_numbers else None,
    )
    request = LogRequest(counting, reading, tuple(keys))
    stored = parts if cluster is None else parts.rename({cluster: CLUSTER})
    evaluation = Evaluation(stored, request)
    slices = parts if cluster is None else evaluation.states()
    is_asked = metrics is not None or ci is not None
    return StateView(slices, evaluation, keys, reasons, is_asked, cluster)


def opening(found: MergedFiles, cluster: str | None = None) -> list[str]:
    """Return the lines that say what the files hold."""
    rows = many(found.rows, "row")
    slices = many(found.parts.height, "slice")
    named = [shown(key) + (" (clusters)" if key == cluster else "") for key in found.keys]
    by = f" by {', '.join(named)}" if named else ""
    lines = [f"{many(len(found.files), 'file')} of {rows} of states; {slices}{by}"]
    for name in (one for one in STATES if one in found.parts.columns):
        lines.append(f"{name}: {_about(found.parts, name)}")
    lines += [f"key {shown(name)}: {_values(found.parts[name])}" for name in found.keys]
    return lines


def whole_tables(view: StateView) -> list[str]:
    """Return the texts of all rows as one: the objects, and the metrics asked for."""
    held = [(name, view.parts[name][0]) for name in STATES if name in view.parts.columns]
    found: list[Any] = [from_bytes(data) for _, data in held if data is not None]
    out = [screen(one, rows_are_independent=view.cluster is None) for one in found]
    if view.is_asked:
        out.append(text_of("The metrics asked for", [overall(view.evaluation)]))
    return out


def _about(parts: pl.DataFrame, column: str) -> str:
    """Return the kind of some states, their rows and labels."""
    kinds = kinds_in(parts[column])
    nulls = parts[column].null_count()
    empty = [f"{many(nulls, 'slice')} without a state"] if nulls else []
    if not kinds:
        return empty[0] if empty else "none"
    keys = [MODEL] if MODEL in parts.columns else []
    whole = merge(parts.select(*keys, pl.col(column).alias(STATE)), by=keys)[STATE].drop_nulls()
    first: Any = from_bytes(whole[0])
    words = [" and ".join(kind_name(kind) for kind in sorted(kinds))]
    weights = any(map(_core.state_holds_weights, whole))
    words.append(f"{'weights of' if weights else 'n ='} {_n(whole[0]):,.10g}")
    words += [
        f"{count:,} {word}"
        for attribute, word in (("n_dropped", "dropped"), ("n_other", "other"), ("n_nan", "nan"))
        if (count := getattr(first, attribute, 0))
    ]
    if hasattr(first, "labels"):
        labels = list(first.labels)
        words.append(f"{many(len(labels), 'label')}: {listing(labels)}")
    if (positive := getattr(first, "pos_label", None)) is not None:
        words.append(f"positive {shown(positive)}")
    of_first = " (of the first model)" if len(whole) > 1 else ""
    return ", ".join([*words, *empty]) + of_first


def _n(data: bytes) -> float:
    state: Any = from_bytes(data)
    return float(state.n)


def _values(key: pl.Series) -> str:
    """Return the type of a key, how many values it has, and the first and the last."""
    known = key.drop_nulls()
    different = many(known.n_unique(), "value")
    missing = ", and missing" if key.null_count() else ""
    if known.is_empty():
        return f"{key.dtype}, missing alone"
    ends = known.unique().sort()
    names = shown(ends[0]) if len(ends) == 1 else f"{shown(ends[0])} to {shown(ends[-1])}"
    return f"{key.dtype}, {different}, {names}{missing}"


def _models(parts: pl.DataFrame) -> tuple[Model, ...]:
    columns = parts.columns
    counts = STATE in columns and kinds_in(parts[STATE]) <= {StateKind.COUNTS, StateKind.MOMENTS}
    y_pred = STATE if counts else None
    y_score = SCORED if SCORED in columns else STATE if STATE in columns and not counts else None
    if MODEL not in columns:
        return (Model(None, y_pred, y_score),)
    names = parts[MODEL].unique(maintain_order=True)
    return tuple(Model(str(name), y_pred, y_score) for name in names)


def _label(text: str, parts: pl.DataFrame) -> Any:
    """Return the label that a text means among those of the states."""
    whole = next(iter(parts[STATE].drop_nulls()), None)
    labels = [] if whole is None else list(getattr(from_bytes(whole), "labels", []))
    first = labels[0] if labels else 0
    kind = pl.Boolean() if isinstance(first, bool) else pl.Int64()
    return as_label(text, pl.String() if isinstance(first, str) else kind, "--pos-label")
