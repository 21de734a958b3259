"""Every metric of sets of labels, by name: averaged over labels, over rows, or pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.attributes import MultilabelAttributes
from confmat.errors import InputError
from confmat.labels import Label, difference
from confmat.labelsets.set_counts import AnyCounts, LabelTables, SetSizes, SetsSeen
from confmat.matrices.cells import Cells
from confmat.metric_names import COUNTS, Ask, ask
from confmat.multiclass.inputs import Floats
from confmat.named_numbers import numbers
from confmat.options import checked_undefined
from confmat.own_errors import OwnErrors
from confmat.registry import find

Average: TypeAlias = Literal["samples", "micro", "macro", "weighted"]

_AVERAGES: tuple[str, ...] = get_args(Average)
_WHOLE = ("exact_match", "hamming_loss")
_DEFAULT = ("precision", "recall", "f1", "jaccard")
_USUAL = (*_WHOLE, *(f"{name}_{kind}" for name in _DEFAULT for kind in _AVERAGES))
_CLASSES = ["False", "True"]
_NO_ROWS = "there are no rows"
_NO_WEIGHT = "all weights are 0"


class MultilabelValues(MultilabelAttributes, OwnErrors):
    """Metrics as items, as `value(name)`, and as frames."""

    _index = "index with the name of a metric; the tables are in `counts`"

    def __init__(self, labels: tuple[Label, ...], counted: AnyCounts, n_dropped: int) -> None:
        counted.tables.cells.flags.writeable = False
        self._labels = labels
        self._counted = counted
        self._n_dropped = n_dropped

    @property
    def _tables(self) -> LabelTables:
        return self._counted.tables

    @property
    def _sizes(self) -> SetSizes:
        return self._counted.sizes

    @property
    def _seen(self) -> SetsSeen:
        return self._counted.seen

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in order."""
        return self._labels

    @property
    def counts(self) -> Cells:
        """[[tn, fp], [fn, tp]] of each label, shape (L, 2, 2); read-only."""
        return self._tables.cells

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        cells = self._tables.cells
        if cells.dtype.kind == "i":
            return int(cells[0].sum())
        return _core.exact_sum(self._sizes.weight)

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return self._n_dropped

    @property
    def exact_match(self) -> float:
        """The share of rows whose set is predicted exactly (subset accuracy); nan without rows."""
        return _ratio(self._counted.exact, self.n)

    @property
    def hamming_loss(self) -> float:
        """The share of wrong labels of all rows, (fp + fn) / (n L); nan without rows."""
        cells = self._tables.cells
        if cells.dtype.kind == "i":
            wrong = cells[:, 0, 1].sum() + cells[:, 1, 0].sum()
        else:
            s = self._sizes
            wrong = (s.weight * (s.true + s.pred - 2 * s.shared)).sum()
        return _ratio(wrong, self.n * len(self._labels))

    def value(
        self,
        name: str,
        average: Average | None = None,
        undefined: float | None = None,
        *,
        keep_empty: bool = False,
        **params: float | str,
    ) -> float:
        """Return one metric.

        Parameters
        ----------
        name : str
            "exact_match", "hamming_loss", or a metric of a 2 x 2 table with its average as suffix
            or in `average`: "f1_samples", "jaccard_macro", "fbeta(2)".
        average : {"samples", "micro", "macro", "weighted"}, optional
            "samples": the mean over rows of the metric of the row's labels; "micro": that of the
            summed tables; "macro" and "weighted": the mean over labels, or weighted by support.
        undefined : float, optional
            Takes the place of undefined values, before averaging; then averages are over labels
            that no row has or is given, too. Default: averages leave both out (`n_used`). With 0.0
            values are those of scikit-learn.
        keep_empty : bool, default False
            Keep labels that no row has or is given.
        **params : float or str
            Parameters of the metric, such as `beta=2`.

        Returns
        -------
        float
            nan where undefined: `reason` says why.

        Raises
        ------
        InputError
            An unknown name or average; a metric of one table without an average.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
        >>> m.value("f1", "micro"), m.value("recall_samples"), m["precision_macro"]
        (0.6666666666666666, 0.75, 0.75)
        """
        fill = checked_undefined(undefined)
        if name in _WHOLE and average is None and not params:
            number: float = getattr(self, name)
            return fill if fill is not None and math.isnan(number) else number
        values, weights = self._parts(*_asked(name, average, params), fill, keep_empty)
        number = _mean(values, weights)
        return fill if fill is not None and math.isnan(number) else number

    def n_used(
        self,
        name: str,
        average: Average | None = None,
        undefined: float | None = None,
        *,
        keep_empty: bool = False,
        **params: Any,
    ) -> int | float:
        """Return how many labels an average is over; for "samples" how many rows, or their weight.

        Arguments as `value`.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
        >>> m.n_used("recall_samples"), m.n_used("recall_macro")
        (2, 2)
        """
        if name in _WHOLE:
            return self.n
        asked, kind = _asked(name, average, params)
        fill = checked_undefined(undefined)
        values, _ = self._parts(asked, kind, fill, keep_empty)
        used = ~np.isnan(values)
        if kind == "samples":
            weight = self._sizes.weight[used].sum()
            return int(weight) if weight.dtype.kind == "i" else float(weight)
        if kind == "micro":
            return int(self._seen_labels(fill, keep_empty).sum()) if used.any() else 0
        return int(used.sum())

    def reason(
        self,
        name: str,
        average: Average | None = None,
        *,
        keep_empty: bool = False,
        **params: Any,
    ) -> str | None:
        """Return why a metric is nan, or None. Arguments as `value`.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([[0, 1], [0, 1]], [[0, 0], [0, 0]])
        >>> m["precision_micro"], m.reason("precision_micro")
        (nan, 'class True: tp + fp = 0')
        """
        if not math.isnan(self.value(name, average, keep_empty=keep_empty, **params)):
            return None
        if not self.n:
            return _NO_WEIGHT if self._sizes.weight.size else _NO_ROWS
        asked, kind = _asked(name, average, params)
        seen = self._seen_labels(None, keep_empty)
        if kind != "samples" and not seen.any():
            return "no label occurs"
        if kind == "micro":
            return asked.parsed.reasons(self._pooled(seen), _CLASSES, pos=1)[0]
        labels = "label" if seen.all() else "label that occurs"
        what = "row" if kind == "samples" else labels
        of_labels = self._parts(asked, "macro", None, keep_empty)[0]
        if kind == "weighted" and not np.isnan(of_labels).all():
            return f"{asked.name} is defined for labels without support alone"
        return f"{asked.name} is undefined for every {what}"

    def overall(self, metrics: Iterable[str] | None = None) -> pl.DataFrame:
        """Return a frame of metrics: `metric`, `value` (null where undefined) and `reason`.

        Parameters
        ----------
        metrics : iterable of str, optional
            Names as `value` takes them. Default: exact match, Hamming loss, and precision, recall,
            F1 and Jaccard with every average.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
        >>> m.overall(["f1_micro", "mcc_macro"]).rows()
        [('f1_micro', 0.6666666666666666, None), ('mcc_macro', 0.5, None)]
        """
        asked = _USUAL if metrics is None else metrics
        names = [asked] if isinstance(asked, str) else list(asked)
        return numbers(names, map(self.value, names), map(self.reason, names))

    def per_class(self, metrics: Iterable[str] = (*_DEFAULT, "support")) -> pl.DataFrame:
        """Return one row a label: `label`, and any metrics of its 2 x 2 table; null: undefined.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
        >>> m.per_class(["recall", "mcc"]).rows()
        [('a', 0.5, 0.5), ('b', 1.0, 0.5)]
        """
        wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        tn, fp, fn, tp = self.counts.reshape(-1, 4).T
        counted = dict(zip(COUNTS, (tp, fp, fn, tn, tp + fn), strict=True))
        frame: dict[str, Any] = {"label": pl.Series(list(self._labels))}
        for name in wanted:
            exact = counted.get(name)
            frame[name] = self._of_labels(ask(name), None) if exact is None else exact
        return pl.DataFrame(frame).with_columns(pl.selectors.float().fill_nan(None))

    def _of_labels(self, asked: Ask, undefined: float | None) -> Floats:
        return asked.parsed.values(self.counts, _CLASSES, pos=1, undefined=undefined)[:, 0]

    def _parts(
        self, asked: Ask, kind: str, undefined: float | None, keep_empty: bool
    ) -> tuple[Floats, Any]:
        """Return the values that are averaged, and their weights."""
        seen = self._seen_labels(undefined, keep_empty)
        if kind == "micro":
            pooled = self._pooled(seen)
            values = asked.parsed.values(pooled, _CLASSES, pos=1, undefined=undefined)
            return values, np.ones(1)
        if kind == "samples":
            rows = self._sizes.tables(len(self._labels))
            values = asked.parsed.values(rows, _CLASSES, pos=1, undefined=undefined)[:, 0]
            return values, self._sizes.weight
        values = self._of_labels(asked, undefined)[seen]
        if kind == "macro":
            return values, np.ones(len(values))
        return values, self.counts[seen, 1].sum(axis=1)

    def _pooled(self, seen: npt.NDArray[np.bool_]) -> Cells:
        total = self.n * int(seen.sum())
        if total >= 2**63 if isinstance(total, int) else math.isinf(total):
            raise InputError(
                f"the counts of {len(self._labels)} labels pooled pass the range of counts; "
                'wanted another average than "micro"'
            )
        pooled: Cells = self.counts[seen].sum(axis=0)
        return pooled

    def _seen_labels(self, undefined: float | None, keep_empty: bool) -> npt.NDArray[np.bool_]:
        """Return which labels averages are over: those that rows have or are given, or all."""
        if undefined is not None or keep_empty:
            return np.ones(len(self._labels), dtype=np.bool_)
        of_rows = self.counts.reshape(-1, 4)[:, 1:]
        return np.asarray(of_rows.any(axis=1))

    def _names(self) -> tuple[str, ...]:
        return _USUAL

    def __eq__(self, other: object) -> bool:
        """Return whether labels and all counts are equal."""
        if not isinstance(other, MultilabelValues):
            return NotImplemented
        if difference(self.labels, other.labels) or self.n_dropped != other.n_dropped:
            return False
        return (
            np.array_equal(self.counts, other.counts)
            and np.array_equal(self._tables.sums_of_squares, other._tables.sums_of_squares)
            and all(map(np.array_equal, self._sizes, other._sizes))
            and all(map(np.array_equal, self._seen, other._seen))
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.n_dropped))


def _asked(name: Any, average: Any, params: dict[str, Any]) -> tuple[Ask, str]:
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a metric")
    base, bracket, inline = name.partition("(")
    for kind in _AVERAGES:
        if average is None and base.endswith(f"_{kind}"):
            base, average = base.removesuffix(f"_{kind}"), kind
    if average is None:
        find(base)
        raise InputError(
            f"{name} is about one label; ask for {base}_samples, _micro, _macro or _weighted, "
            "or for per_class()"
        )
    if not isinstance(average, str) or average not in _AVERAGES:
        wanted = ", ".join(map(repr, _AVERAGES))
        raise InputError(f"`average` is {average!r}; wanted one of {wanted}")
    return ask(base + bracket + inline, None, tuple(sorted(params.items()))), average


def _mean(values: Floats, weights: Any) -> float:
    used = ~np.isnan(values)
    total = _core.exact_sum(weights[used])
    if not total:
        return math.nan
    return _core.exact_sum(values[used] * weights[used]) / total


def _ratio(part: Any, whole: Any) -> float:
    return float(part / whole) if whole else math.nan
