"""What is compared together: all rows or those of one slice, of the baseline and one model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.partials import merge
from confmat.frames.state_queries import JOINT
from confmat.labels import Label
from confmat.logs.looking_up import wanted_keys
from confmat.matrices.joint_codes import ARGUMENTS
from confmat.objects.joint_matrix import JointMatrix, joint_matrix
from confmat.objects.joint_sweep import JointSweep, joint_sweep
from confmat.paired.asked import OF_NUMBERS, Asked, usual_metrics
from confmat.paired.class_columns import SPREAD, ClassScores
from confmat.paired.class_rows import ClassRows
from confmat.paired.clusters import WEIGHT, ClusterCells
from confmat.paired.difference import Difference, of_classes, with_ends
from confmat.paired.models import Models
from confmat.paired.number_rows import NumberRows
from confmat.paired.paired_rows import TRUTH, A, B, PairedRows, without_nan
from confmat.paired.scored import ScoredRows, classes_of, known_rows
from confmat.paired.scored_states import ScoredStates, are_probabilities

_SLICE = "__confmat_slice"


class Unit(NamedTuple):
    """Joint counts and rows with two scores or numbers, one of the two at least."""

    joint: JointMatrix | None
    cells: ClusterCells | None
    scored: PairedRows | ScoredStates | None
    asked: Asked

    def difference(self, name: str) -> Difference:
        """Return the difference of a metric."""
        return with_ends([self.without_ends(name)], self.asked)[0]

    def without_ends(self, name: str) -> Difference:
        """Return the difference of a metric, whose interval may be left to `with_ends`."""
        if self.joint is None or self.asked.is_of_scores(name):
            assert self.scored is not None  # names are checked
            return self.scored.difference(name)
        return of_classes(self.joint, name, self.asked, self.cells)


@dataclass(frozen=True)
class Units:
    """All that differences are read from.

    `joints` has the baseline's pairs: `model_b`, the keys and `joint`; `cells` the counts by
    cluster; `rows` truth, scores or numbers, weights and clusters, of many classes as `classes` has
    them, or `scored` the joint states of scores, as `joints` has those of predictions.
    """

    models: Models
    asked: Asked
    y_true: str
    keys: tuple[str, ...]
    joints: pl.DataFrame | None
    cells: pl.DataFrame | None
    rows: pl.DataFrame | None
    nan: str
    sample_weight: str | None
    scored: pl.DataFrame | None = None
    classes: ClassScores | None = None
    _labels: list[list[Label]] = field(default_factory=list, compare=False)

    def of(self, model: str, whole: bool) -> Iterator[Unit]:
        """Yield the units of a model: that of all rows, or those of the slices, in order."""
        slices = self.slices(whole)
        joints = self._joints_of(self.joints, model, list(slices.columns))
        scored = self._joints_of(self.scored, model, list(slices.columns))
        cells = self._apart(self.cells, slices)
        rows = self._apart(self.rows, slices)
        for at in range(slices.height if slices.width else 1):
            joint = None if joints is None else _joint(joints[at])
            states = None if scored is None else ScoredStates(_joint_sweep(scored[at]), self.asked)
            yield self._unit(model, joint, cells.get(at), rows.get(at), states)

    def slices(self, whole: bool = False) -> pl.DataFrame:
        """Return the keys of the slices, in order; none of all rows."""
        if whole or not self.keys:
            return pl.DataFrame()
        for states in (self.joints, self.scored):
            if states is not None:
                first = states.filter(pl.col("model_b") == self.models.names[1])
                return first.select(self.keys)
        assert self.rows is not None
        return self.rows.select(self.keys).unique().sort(self.keys, nulls_last=True)

    def joint(self, model: str) -> JointMatrix | None:
        """Return the joint counts of all rows; None of scores alone."""
        joints = self._joints_of(self.joints, model, [])
        return None if joints is None else _joint(joints[0])

    def one(self, model: str, given: Any, named: Mapping[str, Any]) -> Unit:
        """Return the unit of one slice, or of all rows."""
        wanted = wanted_keys(list(self.keys), given, named)
        if not wanted:
            return next(self.of(model, whole=True))
        slices = self.slices()
        fits = pl.all_horizontal(
            pl.col(name).eq_missing(pl.lit(value)) for name, value in wanted.items()
        )
        try:
            found = slices.select(fits.alias("fits"))["fits"].arg_true().to_list()
        except pl.exceptions.PolarsError:
            found = []
        if len(found) != 1:
            shown = ", ".join(f"{name} = {value!r}" for name, value in wanted.items())
            raise InputError(f"{len(found)} slices have {shown}; wanted one")
        return next(unit for at, unit in enumerate(self.of(model, False)) if at == found[0])

    def usual_metrics(self) -> tuple[str, ...]:
        """Return the metrics that are shown where none were asked for."""
        labels, scores = None, None
        if self.models.numbers:
            return OF_NUMBERS
        if self.joints is not None:
            state = merge(self.joints.select(JOINT), by=[])[JOINT].item()
            labels = list(_joint(state).labels)
        if self.classes is not None:
            scores = "probabilities" if self._are_class_probabilities else "scores"
        elif self.rows is not None:
            columns = self.rows.select(self.models.y_score.values()).cast(pl.Float64).fill_nan(None)
            inside = [column.drop_nulls().is_between(0, 1).all() for column in columns]
            scores = "probabilities" if all(inside) else "scores"
        elif self.scored is not None:
            states = [state for name in self.models.names[1:] for state in self._all_of(name)]
            scores = "probabilities" if all(map(are_probabilities, states)) else "scores"
        many = self.classes is not None
        return tuple(usual_metrics(labels, self.asked.pos_label, scores, many))

    @cached_property
    def _are_class_probabilities(self) -> bool:
        wholes = (next(self.of(model, whole=True)).scored for model in self.models.names[1:])
        return all(isinstance(of, ClassRows) and of.are_probabilities for of in wholes)

    def check_clusters(self) -> None:
        """Refuse counts by cluster that are of other rows than the joint counts."""
        for model in self.models.names[1:] if self.cells is not None else ():
            unit = next(self.of(model, whole=True))
            assert unit.joint is not None
            assert unit.cells is not None
            n, found = float(unit.joint.n), unit.cells.n
            if abs(n - found) > 1e-9 * max(n, found):
                raise InputError(
                    f"`df` gave {n:,.12g} rows, and {found:,.12g} when it was read again for the "
                    "clusters; wanted a source that gives the same rows each time"
                )

    def _all_of(self, model: str) -> list[JointSweep]:
        return [_joint_sweep(one) for one in self._joints_of(self.scored, model, []) or ()]

    @staticmethod
    def _joints_of(states: pl.DataFrame | None, model: str, keys: list[str]) -> list[bytes] | None:
        if states is None:
            return None
        own = states.filter(pl.col("model_b") == model).drop("model_b")
        return (own if keys else merge(own, by=[]))[JOINT].to_list()

    def _apart(self, frame: pl.DataFrame | None, slices: pl.DataFrame) -> dict[int, pl.DataFrame]:
        """Return the rows of each slice, by its place."""
        if frame is None:
            return {}
        if not slices.width:
            return {0: frame}
        placed = frame.join(
            slices.with_row_index(_SLICE), on=slices.columns, how="left", nulls_equal=True
        )
        parts = placed.partition_by(_SLICE, as_dict=True, include_key=False)
        return {int(at): part for (at,), part in parts.items()}

    def _unit(
        self,
        model: str,
        joint: JointMatrix | None,
        cells: pl.DataFrame | None,
        rows: pl.DataFrame | None,
        states: ScoredStates | None,
    ) -> Unit:
        clustered = None
        scored: PairedRows | ScoredStates | None = states
        a, b = self.models.names[0], model
        if cells is not None and joint is not None:
            columns = (self.y_true, self.models.y_pred[a], self.models.y_pred[b])
            triples = [pl.col(name).alias(to) for to, name in zip(ARGUMENTS, columns, strict=True)]
            clustered = ClusterCells(cells.select(CLUSTER, WEIGHT, *triples), joint.labels)
        if rows is not None and self.classes is not None:
            scored = self._of_class_scores(rows, self.classes, (a, b))
        elif rows is not None:
            scored = self._of_rows(rows, (self.models.of_rows[a], self.models.of_rows[b]))
        return Unit(joint, clustered, scored, self.asked)

    def _of_class_scores(
        self, rows: pl.DataFrame, of: ClassScores, models: tuple[str, str]
    ) -> ClassRows:
        named = {
            f"{side}{at}": column
            for side, model in zip((A, B), models, strict=True)
            for at, column in enumerate(of.columns[model])
        }
        shown = {at: column.removeprefix(SPREAD) for at, column in named.items()}
        known = known_rows(self._columns(rows, named), self.nan, shown)
        return ClassRows(known, self.asked, of.labels)

    def _columns(self, rows: pl.DataFrame, named: Mapping[str, str]) -> pl.DataFrame:
        """Return truth and values of two models, called as `named` says, weights and clusters."""
        columns = {TRUTH: self.y_true, **named}
        if self.sample_weight is not None:
            columns[WEIGHT] = self.sample_weight
        if CLUSTER in rows.columns:
            columns[CLUSTER] = CLUSTER
        return rows.select(pl.col(name).alias(to) for to, name in columns.items())

    def _of_rows(self, rows: pl.DataFrame, names: tuple[str, str]) -> ScoredRows | NumberRows:
        columns = dict(zip((A, B), names, strict=True))
        known = self._columns(rows, columns)
        if self.models.numbers:
            named = {at: f"`y_pred` {name!r}" for at, name in columns.items()}
            named = {TRUTH: f"`y_true` {self.y_true!r}", **named}
            return NumberRows(without_nan(known, self.nan, named), self.asked)
        assert self.rows is not None
        if not self._labels:
            truth = self.rows.select(pl.col(self.y_true).alias(TRUTH))
            self._labels.append(classes_of(truth, self.asked.pos_label))
        known = known_rows(known, self.nan, columns)
        return ScoredRows(known, self.asked, self._labels[0])


def _joint(state: bytes | None) -> JointMatrix:
    """Return joint counts; None is those of no rows."""
    return joint_matrix([], [], []) if state is None else JointMatrix.from_bytes(state)


def _joint_sweep(state: bytes | None) -> JointSweep:
    """Return joint scores; None is those of no rows."""
    return joint_sweep([], [], []) if state is None else JointSweep.from_bytes(state)
