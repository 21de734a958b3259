"""States of the slices of a log, kept while its batches come."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import polars as pl

from confmat.errors import InputError, Row
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.counts_by_keys import Columns, CountsByKeys
from confmat.frames.moments_by_keys import MomentsByKeys, NumberSlicing
from confmat.frames.state_queries import SCORED, STATE
from confmat.logs.bin_levels import at_common_level
from confmat.logs.interrupted import not_interrupted
from confmat.logs.joint_states import has_pairs, joint_states
from confmat.logs.merged_states import MergedStates, states_of
from confmat.logs.request import LogRequest, Model
from confmat.logs.schemas import family
from confmat.logs.score_bins import ScoreBins
from confmat.logs.whole_counts import WholeCounts
from confmat.logs.whole_scores import WholeScores
from confmat.moments.names import keeps_rows
from confmat.slices.lattice import MODEL


class SliceStates:
    """What is kept of the rows so far, of every model: a row a slice."""

    def __init__(
        self,
        request: LogRequest,
        schema: pl.Schema,
        max_memory: int,
        *,
        whole_updates: bool = False,
    ) -> None:
        """`whole_updates`: a batch with a bad row must leave nothing behind, in no model."""
        self._request, self._schema = request, schema
        models = request.counting.models
        # Later, when states are merged, it would be too late to refuse one; files were checked.
        self._checks_types = whole_updates
        each = max_memory // len(models)
        tables = len(models) == 1 or not whole_updates
        self._models = [
            ModelStates(request, model, schema, each, tables=tables, bins=not whole_updates)
            for model in models
        ]
        self._joints = joint_states(request, schema, max_memory) if has_pairs(request) else None

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Read the rows of a batch, and return what adds them: until then nothing has changed."""
        if self._checks_types:
            self._check_types(batch)
        if self._request.counting.nulls == "raise":
            _refuse_nulls(batch, self._request)
        if self._request.counting.cluster is not None:
            _refuse_no_cluster(batch, self._request.counting.cluster)
        parts = [model.counted(batch) for model in self._models]
        if self._joints is not None:
            parts.append(self._joints.counted(batch))
        return _one_after_another(parts)

    def _check_types(self, batch: pl.DataFrame) -> None:
        for name, argument in self._request.arguments_of_values.items():
            was, found = self._schema[name], batch.get_column(name).dtype
            if pl.Null not in (was, found) and family(was) != family(found):
                raise InputError(f"`{argument}` is {found}, and was {was}; wanted one kind")
        for name in self._request.state_keys:
            was, found = self._schema[name], batch.get_column(name).dtype
            if found != was:
                raise InputError(f"the key {name!r} is {found}, and was {was}; cast it to one type")

    def take(self, states: pl.DataFrame) -> None:
        """Add states that were made elsewhere."""
        for at, model in enumerate(self._models):
            name = self._request.counting.models[at].name
            own = states if name is None else states.filter(pl.col(MODEL) == name).drop(MODEL)
            model.take(own)

    def take_joints(self, joints: pl.DataFrame) -> None:
        """Add joint counts that were made elsewhere."""
        if self._joints is not None:
            self._joints.take(joints)

    @property
    def bytes(self) -> int:
        """About how much memory states take that are large."""
        return sum(model.bytes for model in self._models)

    def joints(self) -> pl.DataFrame | None:
        """Return the joint counts of each pair of models, by slice; None: there is no pair."""
        return None if self._joints is None else self._joints.states()

    def states(self) -> pl.DataFrame:
        """Return the states of all slices so far: their keys, sorted, and what is kept."""
        of_models = []
        for model, kept in zip(self._request.counting.models, self._models, strict=True):
            states = kept.states()
            if model.name is not None:
                states = states.select(pl.lit(model.name).alias(MODEL), pl.all())
            of_models.append(states)
        out = of_models[0] if len(of_models) == 1 else pl.concat(of_models, how="diagonal")
        return out if self._request.is_of_one else out.sort(MODEL, maintain_order=True)


class ModelStates:
    """What is kept of one model: of its predicted classes, of its scores, or of both."""

    def __init__(
        self,
        request: LogRequest,
        model: Model,
        schema: pl.Schema,
        max_memory: int,
        *,
        tables: bool,
        bins: bool,
    ) -> None:
        self._keys = list(request.state_keys)
        self._pos_label = request.counting.pos_label
        # Where any model predicts classes, states of scores stand beside, of one that does not too.
        predicts = any(one.y_pred is not None for one in request.counting.models)
        self._scores_in = SCORED if predicts else STATE
        self._whole: WholeCounts | None = None
        self._counts: CountsByKeys | MomentsByKeys | None = None
        self._labels: MergedStates | None = None
        self._scores: MergedStates | None = None
        self._sweep: WholeScores | None = None
        self._bins: ScoreBins | None = None
        if model.y_pred is not None:
            of_labels = model._replace(y_score=None)
            self._labels = states_of(request, of_labels, schema, max_memory)
            if request.is_of_numbers:
                if bins:  # a batch that is refused leaves sums of some rows
                    self._counts = _by_keys(request, of_labels, schema, max_memory // 4)
            elif WholeCounts.can_count(request, of_labels, schema):
                self._whole = WholeCounts(request, of_labels, schema)
            elif tables:
                self._counts = _by_keys(request, of_labels, schema, max_memory // 4)
        if model.y_score is not None:
            of_scores = model._replace(y_pred=None)
            self._scores = states_of(request, of_scores, schema, max_memory)
            if WholeScores.can_sweep(request, of_scores):
                self._sweep = WholeScores(request, of_scores)
            elif bins and ScoreBins.can_bin(request, of_scores, schema):
                self._max_bytes = max_memory // 2
                self._score_type = schema[str(of_scores.y_score)]
                self._bins = ScoreBins(request, of_scores, schema, self._max_bytes)

    def counted(self, batch: pl.DataFrame) -> Callable[[], None]:
        """Read the rows of a batch, and return what adds them."""
        parts: list[Callable[[], None]] = []
        if self._whole is not None:
            parts.append(self._whole.counted(batch))
        elif self._counts is not None:
            columns = self._counts.columns_of(batch)
            parts.append(lambda: self._count(batch, columns))  # it may refuse a row, so it is first
        elif self._labels is not None:
            parts.append(self._labels.counted(batch))
        if self._sweep is not None:
            parts.append(self._sweep.counted(batch))
        elif self._bins is not None and (numbers := self._bins.numbers_of(batch)) is not None:
            bins = self._bins
            parts.append(lambda: bins.add(batch, numbers))
        elif self._scores is not None:
            parts.append(self._scores.counted(batch))
        return _one_after_another(parts)

    def take(self, states: pl.DataFrame) -> None:
        """Add states that were made elsewhere."""
        if self._labels is not None:
            self._labels.take(states.select(*self._keys, STATE))
        if self._scores is not None:
            self._scores.take(states.select(*self._keys, pl.col(self._scores_in).alias(STATE)))

    @property
    def bytes(self) -> int:
        """About how much memory states take that are large."""
        large = (self._labels, self._scores, self._bins)
        return sum(one.bytes for one in large if one is not None)

    def states(self) -> pl.DataFrame:
        """Return the states of all slices so far."""
        if self._labels is None:
            alone = self._score_states()
            if self._scores_in == STATE:
                return alone
            none = pl.lit(None, pl.Binary).alias(STATE)
            return alone.select(*self._keys, none, pl.col(STATE).alias(SCORED))
        counted = self._counted()
        labels = self._labels.states([] if counted is None else [counted])
        if self._scores is None:
            return labels
        scores = self._score_states().rename({STATE: SCORED})
        if labels.select(self._keys).equals(scores.select(self._keys)):
            return labels.with_columns(scores[SCORED])
        return labels.join(
            scores, on=self._keys, how="left", nulls_equal=True, maintain_order="left"
        )

    def _counted(self) -> pl.DataFrame | None:
        if self._whole is not None:
            return self._whole.states()
        return None if self._counts is None else self._counts.states(self._pos_label)

    def _score_states(self) -> pl.DataFrame:
        assert self._scores is not None
        fast = self._sweep or self._bins
        binned = None if fast is None else fast.states()
        states = self._scores.states([] if binned is None else [binned])
        if self._bins is None or self._scores.is_empty or not states.height:
            return states
        return at_common_level(states, self._score_type, self._max_bytes)

    def _count(self, batch: pl.DataFrame, columns: Columns) -> None:
        assert self._labels is not None
        # Tables take a batch, or nothing of it; sums must not be left in its midst.
        is_of_sums = isinstance(self._counts, MomentsByKeys)
        with not_interrupted() if is_of_sums else nullcontext():
            if self._counts is not None and self._counts.add(batch, columns):
                return
        # Too many slices or labels for tables: what they hold goes on as states.
        before = self._counted()
        if before is not None:
            self._labels.take(before)
        self._counts = None
        self._labels.counted(batch)()


def _by_keys(
    request: LogRequest, model: Model, schema: pl.Schema, max_bytes: int
) -> CountsByKeys | MomentsByKeys | None:
    """Return tables for labels, or sums for numbers; None where the core cannot have them."""
    counting, keys, weight = request.counting, request.state_keys, request.counting.sample_weight
    truth, pred = counting.y_true, model.y_pred
    if not (isinstance(truth, str) and isinstance(pred, str)):
        return None
    if request.is_of_numbers:
        slicing = NumberSlicing(truth, pred, keys, weight, counting.terms, counting.nan)
        # What is kept of rows has a bound as states alone.
        fits = slicing.fits(schema) and not keeps_rows(counting.terms)
        return MomentsByKeys(slicing, schema, max_bytes) if fits else None
    if not keys and weight is None:
        return None  # matrices of all rows are faster
    if not CountsByKeys.can_count(keys, weight, schema):
        return None
    return CountsByKeys(
        (truth, pred),
        keys,
        schema,
        counting.labels,
        sample_weight=weight,
        raises=counting.other == "raise",
        max_bytes=max_bytes,
    )


def _one_after_another(parts: list[Callable[[], None]]) -> Callable[[], None]:
    """Return all as one, which Ctrl-C leaves whole. One alone is whole as it is."""
    if len(parts) == 1:
        return parts[0]

    def add() -> None:
        with not_interrupted():
            for part in parts:
                part()

    return add


def _refuse_no_cluster(batch: pl.DataFrame, name: str) -> None:
    """Refuse the first row of no cluster: such rows are neither one cluster nor many."""
    missing = batch.get_column(CLUSTER).is_null()
    if missing.any():
        raise InputError(
            f"`cluster` {name!r} is null ",
            Row(missing.arg_max() or 0),
            "; wanted the cluster of each row, or where=pl.col(...).is_not_null()",
        )


def _refuse_nulls(batch: pl.DataFrame, request: LogRequest) -> None:
    """Refuse the first row that lacks a value."""
    for name, argument in request.arguments_of_values.items():
        column = batch.get_column(name)
        missing = column.is_null()
        is_label = argument in ("y_true", "y_pred") and not request.is_of_numbers
        if column.dtype.is_float() and is_label:
            missing |= column.is_nan()
        if missing.any():
            row = missing.arg_max() or 0
            raise InputError(f"`{argument}` is null ", Row(row), ', and nulls="raise"')
