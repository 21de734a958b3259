"""What an evaluation of a log gives: states of its slices, and every number that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from confmat import attribute_hints
from confmat.attribute_hints import Hinting
from confmat.errors import InputError, StateError
from confmat.frames.cluster_intervals import CLUSTER, without_clusters
from confmat.frames.partials import merge
from confmat.frames.state_queries import JOINT, SCORED, STATE
from confmat.intervals.levels import Side, checked_ci
from confmat.logs import looking_up, questions, reporting, screen, tables
from confmat.logs.cluster_keys import with_named_clusters
from confmat.logs.joint_states import PAIR, apart, together
from confmat.logs.request import LogRequest
from confmat.logs.schemas import Skipped
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import tables_of
from confmat.render.shown import Shown
from confmat.slices.lattice import MODEL, lattice
from confmat.state_tables import read_table, table_bytes

if TYPE_CHECKING:
    from confmat.objects.joint_matrix import JointMatrix
    from confmat.plots.slice_pictures import SlicePlots


@tables_of("request")
class Evaluation(Shown, Hinting):
    """States of the slices of a log, and every number that follows from them.

    `cm.evaluate` makes it. `print(e)` shows one screen. Evaluations of the same question add up:
    `monday + tuesday`.

    Attributes
    ----------
    complete : bool
        Whether all rows of the source were read; False after an interrupt.
    skipped : list of Skipped
        Files that could not be read, `(path, reason)`, where `on_error="skip"`.
    """

    __slots__ = (
        "_coarser",
        "_files",
        "_joints",
        "_lattice",
        "_merged",
        "_request",
        "_stored",
        "_whole",
        "complete",
        "skipped",
    )

    _takes_pos_label = "cm.evaluate"

    def __init__(
        self,
        parts: pl.DataFrame,
        request: LogRequest,
        *,
        joints: pl.DataFrame | None = None,
        complete: bool = True,
        skipped: Sequence[Skipped] = (),
        files: Sequence[str] | None = None,
    ) -> None:
        self._stored = parts  # with clusters where there are such: a row a slice and cluster
        self._merged = None if request.counting.cluster is not None else parts
        self._joints = joints
        self._request = request
        self._whole: pl.DataFrame | None = None
        self._lattice: pl.DataFrame | None = None
        self._coarser: pl.DataFrame | None = None
        self._files = None if files is None else tuple(files)  # not of states: None once saved
        self.complete = complete
        self.skipped = list(skipped)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the keys of slices; with several models the first is `model`."""
        return tuple(name for name in self._parts.columns if name not in (STATE, SCORED))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models; empty where there is one, without a name."""
        return tuple(model.name for model in self._request.counting.models if model.name)

    @property
    def n(self) -> float:
        """Rows counted, or the sum of their weights; of several models, those of the first."""
        return self._total("n")

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return int(self._total("n_dropped"))

    @property
    def n_other(self) -> int:
        """Rows with a label outside `labels`."""
        return int(self._total("n_other"))

    @property
    def n_nan(self) -> int:
        """Rows left out for a score that is nan."""
        return int(self._total("n_nan"))

    @property
    def _parts(self) -> pl.DataFrame:
        """The states, a row a slice."""
        if self._merged is None:
            self._merged = without_clusters(self._stored, CLUSTER)
        return self._merged

    def _total(self, name: str) -> float:
        return looking_up.total_of(self._of_all(), name)

    def _of_all(self) -> pl.DataFrame:
        """Return the states of all rows, a row a model."""
        if self._whole is None:
            keys = [MODEL] if self.models else []
            self._whole = merge(self._parts, by=keys)
        return self._whole

    def overall(
        self,
        metrics: Sequence[str] | str | None = None,
        *,
        ci: float | None = None,
        side: Side | None = None,
    ) -> pl.DataFrame:
        """Return the metrics of all rows: `metric`, `value`, `reason`; first `model`, if several.

        Parameters
        ----------
        metrics : sequence of str, optional
            Names of metrics; default those asked for, or the usual ones.
        ci : float, optional
            Also `low` and `high`, the ends of intervals of this level; default as asked for. Where
            there is none the `reason` says why. Intervals of scores that take rows drawn again are
            of metrics that are named, here or in `metrics` of the evaluation: see `finish`.
        side : {"both", "lower", "upper"}, optional
            As in `finish`; default as asked for.
        """
        request = self._reading(ci, side)
        clusters = self._clusters(request)
        if clusters is not None:
            clusters = merge(clusters, by=[*([MODEL] if self.models else []), CLUSTER])
        return tables.long_table(self._of_all(), request, metrics, clusters)

    def slices(
        self,
        metrics: Sequence[str] | str | None = None,
        *,
        ci: float | None = None,
        side: Side | None = None,
    ) -> pl.DataFrame:
        """Return one row a slice: its keys, `n`, rows left out, and metrics, sorted by slice.

        With `cube`, `grouping_sets` or `depth` also the coarser slices that were asked for, told by
        `grouping`. With `per_class` one row a slice and class.

        Parameters
        ----------
        metrics, ci, side
            As in `overall`; ends of intervals are `<metric>_low` and `<metric>_high`.
        """
        request = self._reading(ci, side)
        of = tables.per_class_table if request.reading.per_class else tables.metrics_table
        return of(self._all_slices(), request, metrics, self._all_clusters(request))

    def per_class(self, metrics: Sequence[str] | None = None) -> pl.DataFrame:
        """Return one row a slice and class, with the metrics of one class."""
        clusters = self._all_clusters(self._request)
        return tables.per_class_table(self._all_slices(), self._request, metrics, clusters)

    test_slices = questions.test_slices
    worst = questions.worst
    fairness = questions.fairness
    monitor = questions.monitor
    at_mix = questions.at_mix
    report = reporting.report

    @property
    def plot(self) -> SlicePlots:
        """Pictures: `e.plot.slices("f1")`, `e.plot.heatmap("f1", "site", "month")`."""
        from confmat.plots.slice_pictures import SlicePlots

        return SlicePlots(self._all_slices(), self._request.reading.min_n, self._every_cluster())

    def _need_slices(self, what: str) -> None:
        """Refuse a question about slices where there are none."""
        if not self._request.keys:
            raise InputError(f"`{what}` is of slices, and there are none: `by` was not given")

    def _refuse_clusters(self, what: str) -> None:
        """Refuse a question whose answer would take rows as independent, or numbers as classes."""
        if self._request.is_of_numbers and what not in ("worst", "test_slices"):
            raise InputError(f"`{what}` is of classes and scores, and the log is one of numbers")
        if self._request.counting.cluster is not None:
            raise InputError(
                f"`{what}` takes rows as independent, and `cluster` says that they are not; "
                "evaluate without `cluster` for it, or see .slices(ci=0.95)"
            )

    def _check_asked(self, argument: Literal["y_pred", "y_score"]) -> None:
        if self._request.is_of_numbers:
            raise InputError("the log was evaluated as numbers: `regression` has those of a slice")
        if all(getattr(model, argument) is None for model in self._request.counting.models):
            what = "sweep" if argument == "y_score" else "matrix of predictions"
            raise InputError(f"the log was evaluated without `{argument}`: there is no {what}")

    def _reading(self, ci: float | None, side: Side | None) -> LogRequest:
        asked = self._request.reading
        side = asked.side if side is None else side
        level = checked_ci(asked.ci if ci is None else ci, side)
        return replace(self._request, reading=replace(asked, ci=level, side=side))

    def _all_slices(self) -> pl.DataFrame:
        """Return the states of the slices asked for, coarser ones too."""
        if not self._has_coarser():
            return self._parts
        if self._lattice is None:
            self._lattice = self._lattice_of(self._parts, [])
        return self._lattice

    def _every_cluster(self) -> pl.DataFrame | None:
        """Return the states of the clusters of these slices; None: there are no clusters."""
        if self._request.counting.cluster is None or not self._has_coarser():
            return None if self._request.counting.cluster is None else self._stored
        if self._coarser is None:
            self._coarser = self._lattice_of(self._stored, [CLUSTER])
        return self._coarser

    def _clusters(self, request: LogRequest) -> pl.DataFrame | None:
        """Return the states of clusters where intervals are asked for."""
        has_intervals = request.reading.ci is not None
        return self._stored if has_intervals and request.counting.cluster is not None else None

    def _all_clusters(self, request: LogRequest) -> pl.DataFrame | None:
        return None if self._clusters(request) is None else self._every_cluster()

    def _has_coarser(self) -> bool:
        reading = self._request.reading
        return reading.cube or reading.grouping_sets is not None or reading.depth is not None

    def _lattice_of(self, parts: pl.DataFrame, within: list[str]) -> pl.DataFrame:
        reading = self._request.reading
        return lattice(
            parts,
            list(self._request.keys),
            cube=reading.cube,
            grouping_sets=reading.grouping_sets,
            depth=reading.depth,
            within=[*([MODEL] if self.models else []), *within],
        )

    def matrix(self, slice: Mapping[str, Any] | Any = None, **keys: Any) -> Any:
        """Return the confusion matrix of a slice, or of all rows.

        Parameters
        ----------
        slice : mapping, or value of the only key, optional
            `{"country": "DE"}`; of several slices that fit, the sum. Keys may also be named:
            `matrix(country="DE")`. None as a value is the slice of missing values.
        """
        self._check_asked("y_pred")
        return looking_up.object_of(self._parts, STATE, slice, keys)

    def regression(self, slice: Mapping[str, Any] | Any = None, **keys: Any) -> Any:
        """Return the regression of a slice, or of all rows; arguments as `matrix`."""
        if not self._request.is_of_numbers:
            raise InputError('the log was evaluated without task="regression"')
        return looking_up.object_of(self._parts, STATE, slice, keys)

    def sweep(self, slice: Mapping[str, Any] | Any = None, **keys: Any) -> Any:
        """Return the sweep over the scores of a slice, or of all rows; see `matrix`."""
        self._check_asked("y_score")
        column = SCORED if SCORED in self._parts.columns else STATE
        return looking_up.object_of(self._parts, column, slice, keys)

    def joint(
        self,
        model_a: str,
        model_b: str,
        slice: Any = None,
        **keys: Any,
    ) -> JointMatrix:
        """Return the joint counts of truth and two models, of a slice or of all rows.

        Parameters
        ----------
        model_a, model_b : str
            The names of the models.
        slice, keys
            As in `matrix`.
        """
        pair = looking_up.pair_of(self._joints, model_a, model_b)
        return looking_up.object_of(pair, JOINT, slice, keys)  # type: ignore[no-any-return]

    def states(self, *, clusters: bool = False) -> pl.DataFrame:
        """Return the states: a row a slice, as `cm.partial` gives them.

        Parameters
        ----------
        clusters : bool, default False
            A row a slice and cluster instead; the key of clusters has the name of their column, as
            `cm.finish(..., cluster=name)` wants it.
        """
        return with_named_clusters(self._stored, self._request) if clusters else self._parts

    def to_bytes(self) -> bytes:
        """Return the evaluation as bytes: the same rows give the same ones, in any split.

        With float weights sums of bins are rounded as they are counted: then the bytes may differ.
        """
        about = {"complete": self.complete, "skipped": [list(one) for one in self.skipped]}
        asked = {"request": self._request.as_dict(), "about": about}
        return table_bytes(together(self._stored, self._joints), asked, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Evaluation:
        """Return the evaluation that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        return cls._of_table(*read_table(data)[:2])

    @classmethod
    def _of_table(cls, whole: pl.DataFrame, asked: Mapping[str, Any]) -> Evaluation:
        parts, joints = apart(whole)
        try:
            request = LogRequest.from_dict(asked["request"])
            complete = asked["about"]["complete"]
            skipped = [Skipped(*one) for one in asked["about"]["skipped"]]
        except (KeyError, TypeError) as error:
            raise StateError(f"a table of slices that is no evaluation: {error}") from None
        return cls(parts, request, joints=joints, complete=complete, skipped=skipped)

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation.from_bytes, (self.to_bytes(),)

    def __add__(self, other: object) -> Evaluation:
        """Merge two evaluations of the same question: what all rows of both give."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        self._request.check_same(other._request)
        both = pl.concat([self._stored, other._stored], how="vertical_relaxed")
        joints = None
        if self._joints is not None and other._joints is not None:
            pairs = pl.concat([self._joints, other._joints], how="vertical_relaxed")
            joints = merge(pairs, by=[*PAIR, *self._request.keys])
        return Evaluation(
            merge(both),
            self._request,
            joints=joints,
            complete=self.complete and other.complete,
            skipped=[*self.skipped, *other.skipped],
            files=_both(self._files, other._files),
        )

    def __radd__(self, other: object) -> Evaluation:
        """Allow `sum(evaluations)`, which starts from 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Return whether the same was asked and the same states were found."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def _instead_of(self, name: str) -> str:
        known = attribute_hints.public(self)
        return attribute_hints.of_evaluation(name, known, attribute_hints.public(ConfusionMatrix))

    def __repr__(self) -> str:
        return f"<{screen.title(self)}>"

    def __str__(self) -> str:
        """Return one screen of text."""
        return screen.text(self)

    def _repr_html_(self) -> str:
        return screen.html(self)


def _both(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if one is None or other is None else one + other
