"""One evaluation as the command line asks for it: files and texts in, a matrix or slices out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Literal

import polars as pl

from confmat import _core
from confmat.command.sources import as_label, by_columns, columns_of, scan, split, whole_numbers
from confmat.command.wording import shifted
from confmat.errors import InputError
from confmat.frames.asked import REASONS, TOTALS
from confmat.frames.request import SCORE_TOTALS, Y_PRED
from confmat.labels import MOST_IN_TABLE, Label, listing, position
from confmat.objects.counting import confusion_matrix
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.sweep import Sweep
from confmat.objects.sweeping import sweep
from confmat.registry import is_score_metric, suggest


@dataclass(frozen=True)
class Job:
    """Columns, labels and slices of one evaluation, checked against the files."""

    frame: pl.LazyFrame
    y_true: str
    y_pred: str | None
    by: list[str]
    y_score: str | None = None
    labels: list[Label] | None = None
    sample_weight: str | None = None
    pos_label: Label | None = None
    metrics: list[str] | None = None
    other: str = "raise"
    nan: Literal["raise", "drop"] = "raise"
    min_n: int = 0
    reasons: bool = False
    tell: Callable[[str], None] = field(default=lambda _: None)

    def matrix(self) -> ConfusionMatrix:
        """Count everything in batches: memory does not grow with the files."""
        labels = self.labels or self._labels()
        assert self.y_pred is not None
        weight, total, rows = self.sample_weight, None, 0
        for batch in self.frame.collect_batches():
            with _rows_before(rows):
                part = confusion_matrix(
                    batch[self.y_true],
                    batch[self.y_pred],
                    labels=labels,
                    sample_weight=None if weight is None else batch[weight],
                    other="bucket" if self.labels else "raise",
                )
            total = part if total is None else total + part
            rows += batch.height
            self.tell(f"{rows:,} rows")
        if total is None:
            raise InputError("the files hold no rows")
        self._check_other(total.n_other)
        if self.pos_label is None:
            return total
        position(total.labels, self.pos_label, "--pos-label")
        return ConfusionMatrix(total, pos_label=self.pos_label)

    def sweep(self) -> Sweep:
        """Sweep all scores in batches: memory grows with the distinct scores alone."""
        assert self.y_score is not None
        weight, rows = self.sample_weight, 0
        frame, classes = self.frame, None
        if self.pos_label is not None:
            # A batch need not have rows of the positive class, so it does not name it.
            classes = self._two_classes(self.pos_label)
            frame = frame.with_columns(pl.col(self.y_true) == self.pos_label)
        # Sweeps of falling size, each about half of the one before: few merges of large ones.
        parts: list[Sweep] = []
        for batch in frame.collect_batches():
            with _rows_before(rows):
                part = sweep(
                    batch[self.y_true],
                    batch[self.y_score],
                    sample_weight=None if weight is None else batch[weight],
                    nan=self.nan,
                )
            while parts and len(parts[-1]) <= 2 * len(part):
                part = parts.pop() + part
            parts.append(part)
            rows += batch.height
            self.tell(f"{rows:,} rows")
        if not parts:
            raise InputError("the files hold no rows")
        whole = reduce(add, reversed(parts))
        return whole if classes is None else whole.with_labels(*classes)

    def _two_classes(self, positive: Label) -> tuple[Label | None, Label]:
        """Return the other class of the rows that count, None if there is none, and `positive`."""
        columns = [self.y_true, str(self.y_score)]
        counted = [pl.col(name).is_not_null() for name in columns]
        if self.sample_weight is not None:
            counted.append(pl.col(self.sample_weight).is_not_null())
        found = self.frame.filter(*counted).select(pl.col(self.y_true).unique())
        classes = sorted(found.collect(engine="streaming").to_series().to_list())
        if len(classes) > 2 or (classes and positive not in classes):
            raise InputError(
                f"`--pos-label` {positive!r} must be one of two classes; {self.y_true!r} holds "
                f"{listing(classes)}"
                + (
                    "; of more, write a column that is true where it is one of them"
                    if len(classes) > 2
                    else ""
                )
            )
        others = [label for label in classes if label != positive]
        return others[0] if others else None, positive

    def slices(self) -> pl.DataFrame:
        """Evaluate every slice; one row each, sorted by slice."""
        labels = self.labels or self._labels()
        query: pl.LazyFrame = self.frame.cm.evaluate(  # type: ignore[attr-defined]
            y_true=self.y_true,
            y_pred=self.y_pred,
            y_score=self.y_score,
            by=self.by,
            metrics=self.metrics,
            labels=labels,  # known labels are counted much faster
            sample_weight=self.sample_weight,
            pos_label=self.pos_label,
            other="bucket" if self.labels else "raise",
            nan=self.nan,
            min_n=self.min_n,
            reasons=self.reasons,
        )
        result = query.collect(engine="streaming")
        if self.y_pred is not None:
            self._check_other(int(result["n_other"].sum()))
        return result.sort(self.by, nulls_last=True)

    def metric_columns(self, result: pl.DataFrame) -> list[str]:
        """Return the columns of a result that are metrics."""
        others = [*self.by, *TOTALS, *SCORE_TOTALS, *[REASONS] * self.reasons]
        return [name for name in result.columns if name not in others]

    def flat(self, result: pl.DataFrame) -> pl.DataFrame:
        """Return a result for a file that has no nested columns: each reason in one of its own."""
        if not self.reasons or REASONS not in result.columns:
            return result
        names = self.metric_columns(result)
        why = [pl.col(REASONS).struct.field(name).alias(f"{name}_reason") for name in names]
        return result.with_columns(why).drop(REASONS)

    @property
    def label_metrics(self) -> list[str]:
        """The metrics of predicted classes that were asked for by name."""
        return [name for name in self.metrics or () if not is_score_metric(name)]

    @property
    def score_metrics(self) -> list[str]:
        """The metrics of scores that were asked for by name."""
        return [name for name in self.metrics or () if is_score_metric(name)]

    def _labels(self) -> list[Label] | None:
        """Return the labels of the rows that count, or None where the column type declares them."""
        if self.y_pred is None:
            return None
        schema = self.frame.collect_schema()
        columns = list(dict.fromkeys((self.y_true, self.y_pred)))
        if all(schema[name] == pl.Boolean for name in columns):
            return [False, True]
        if isinstance(schema[self.y_true], pl.Enum) and schema[self.y_true] == schema[self.y_pred]:
            return None
        counted = [pl.col(name).is_not_null() for name in columns]
        if self.sample_weight is not None:
            counted.append(pl.col(self.sample_weight).is_not_null())
        # Pairs: two queries over one scan would keep its rows in memory.
        pairs = self.frame.filter(*counted).group_by(columns).len().collect(engine="streaming")
        found: set[Any] = set().union(*(pairs[name].unique().to_list() for name in columns))
        rows = int(pairs["len"].sum())
        if len(found) > MOST_IN_TABLE and (self.by or len(found) > rows // 2):
            raise InputError(
                f"`--y-true` and `--y-pred` hold {len(found):,} labels in {rows:,} rows; are they "
                f"identifiers? Of classes, give up to {MOST_IN_TABLE} as `--labels`, with "
                "`--other bucket` for the rest"
            )
        kinds = {type(label) for label in found}
        if kinds and kinds <= {bool, int}:
            return sorted(int(label) for label in found)
        # None, floats or labels of two kinds: counting says what is wrong.
        return sorted(found) if kinds == {str} else None

    def _check_other(self, n_other: int) -> None:
        if n_other and self.other == "raise":
            raise InputError(
                f"{n_other:,} rows have a label that is not in `--labels` "
                f"{listing(self.labels or [])}; `--other bucket` counts them apart"
            )


@contextmanager
def _rows_before(rows: int) -> Iterator[None]:
    """Count the rows of earlier batches, where an error names a row."""
    try:
        yield
    except InputError as error:
        raise InputError(shifted(str(error), rows)) from None


def check_metrics(names: Sequence[str] | None, y_score: str | None) -> None:
    """Refuse names of no metric, before any file is read; those of scores need scores."""
    for name in names or ():
        if is_score_metric(name) and y_score is None:
            raise InputError(f"`--metrics` has {name!r}, a metric of scores; give `--y-score`")
    of_classes = [name for name in names or () if not is_score_metric(name)]
    try:
        _core.Asks(of_classes)
    except InputError as error:
        if "unknown metric" in str(error):
            suggest(of_classes)
        raise


def _check_predicted(names: Sequence[str] | None, y_pred: str | None) -> None:
    """Refuse metrics of predicted classes where only scores are read."""
    missing = [] if y_pred else [name for name in names or () if not is_score_metric(name)]
    if missing:
        raise InputError(
            f"`--metrics` has {missing[0]!r}, a metric of predicted classes, and there is no "
            f"column {Y_PRED!r}; give `--y-pred`"
        )


def _check_numbers(frame: pl.LazyFrame, columns: Mapping[str, str | None]) -> None:
    """Refuse columns of scores or weights that are no numbers."""
    schema = frame.collect_schema()
    for option, name in columns.items():
        if name is None:
            continue
        kind = schema[name]
        if not (kind.is_numeric() or kind in (pl.Boolean, pl.Null)):
            raise InputError(f"`{option}` is the column {name!r} of {kind}; wanted numbers")


def job_of(
    paths: Sequence[Path],
    *,
    y_true: str,
    y_pred: str | None = None,
    y_score: str | None = None,
    by: Sequence[str] = (),
    labels: str | None = None,
    sample_weight: str | None = None,
    pos_label: str | None = None,
    **rest: Any,
) -> Job:
    """Return the job that the options of the command line mean.

    Where scores are given and no predictions, there are predictions if the files have a column
    "y_pred".
    """
    present = columns_of(paths[0])
    if y_pred is None and (y_score is None or Y_PRED in present):
        y_pred = Y_PRED
    slices = by_columns(by, present)
    columns = [y_true, y_pred, y_score, *slices, sample_weight]
    _check_predicted(rest.get("metrics"), y_pred)
    frame = scan(paths, [name for name in columns if name is not None])
    _check_numbers(frame, {"--y-score": y_score, "--sample-weight": sample_weight})
    sides = {"--y-true": y_true, "--y-pred": y_pred}
    frame = whole_numbers(frame, {option: name for option, name in sides.items() if name})
    dtype = frame.collect_schema()[y_true]
    texts = split(labels)
    if texts is not None and not texts:
        raise InputError("`--labels` is empty; wanted the classes in order, with commas between")
    return Job(
        frame,
        y_true,
        y_pred,
        slices,
        y_score=y_score,
        labels=None if texts is None else [as_label(text, dtype, "--labels") for text in texts],
        sample_weight=sample_weight,
        pos_label=None if pos_label is None else as_label(pos_label, dtype, "--pos-label"),
        **rest,
    )
