"""``import confmat.pandas``: the accessor ``.cm`` of pandas data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from confmat.engines.required import required
from confmat.errors import InputError
from confmat.labels import listing
from confmat.objects import counting, reporting, sweeping
from confmat.own_errors import OwnErrors
from confmat.paired.comparing import compare

if TYPE_CHECKING:
    from confmat.objects.binned_sweep import BinnedSweep
    from confmat.objects.matrix import ConfusionMatrix
    from confmat.objects.sweep import Sweep
    from confmat.paired.comparison import Comparison

_pandas = required("pandas", "confmat.pandas needs pandas and pyarrow", "pandas")
required("pyarrow", "confmat.pandas needs pandas and pyarrow", "pandas")


@_pandas.api.extensions.register_dataframe_accessor("cm")
class PandasFrame(OwnErrors):
    """What `df.cm` does with the columns of a pandas data frame.

    The accessor is there once `confmat.pandas` has been imported.

    Examples
    --------
    >>> import confmat.pandas
    >>> import pandas as pd
    >>> df = pd.DataFrame({"site": [1, 1, 2], "y": ["a", "b", "b"], "p": ["a", "b", "a"]})
    >>> df.cm.evaluate("y", "p", by="site", metrics=["accuracy"])
       site  n  n_dropped  n_other  accuracy
    0     1  2          0        0       1.0
    1     2  1          0        0       0.0
    >>> df.cm.confusion_matrix("y", "p").accuracy
    0.6666666666666666
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def evaluate(
        self,
        y_true: str | Sequence[str] = "y_true",
        y_pred: str | Sequence[str] | None = "y_pred",
        y_score: str | Sequence[str] | None = None,
        *,
        by: str | Sequence[str] | None = None,
        sample_weight: str | None = None,
        cluster: str | None = None,
        **options: Any,
    ) -> Any:
        """Evaluate predicted classes, scores or both: a pandas data frame of one row a slice.

        Parameters
        ----------
        y_true, y_pred, y_score, by, sample_weight, cluster
            Names of columns, as `df.cm.evaluate` of Polars takes them. Missing values are slices of
            their own in `by`, and elsewhere rows that are left out and counted.
        **options
            Those of `df.cm.evaluate` of Polars: `metrics`, `ci`, `cube`, `min_n`, `labels`, ...

        Returns
        -------
        pandas.DataFrame
            The columns of `by`, counts of rows, and a column a metric, NaN where undefined.

        Raises
        ------
        InputError
            A column that is not there, and what Polars' `df.cm.evaluate` refuses.
        """
        frame = self._polars(y_true, y_pred, y_score, by, sample_weight, cluster)
        found: pl.DataFrame = frame.cm.evaluate(  # type: ignore[attr-defined]
            y_true,
            y_pred,
            y_score,
            by=by,
            sample_weight=sample_weight,
            cluster=cluster,
            **options,
        )
        return found.to_pandas()

    def compare(
        self,
        y_true: str,
        y_pred: Mapping[str, str] | Sequence[str],
        *,
        by: str | Sequence[str] | None = None,
        sample_weight: str | None = None,
        cluster: str | None = None,
        **options: Any,
    ) -> Comparison:
        """Compare models on the rows of this frame; arguments as of `confmat.compare`."""
        predicted = y_pred.values() if isinstance(y_pred, Mapping) else y_pred
        scores = options.get("y_score") or ()
        scored = scores.values() if isinstance(scores, Mapping) else scores
        frame = self._polars(y_true, *predicted, *scored, by, sample_weight, cluster)
        return compare(
            frame,
            y_true=y_true,
            y_pred=y_pred,
            by=by,
            sample_weight=sample_weight,
            cluster=cluster,
            **options,
        )

    def confusion_matrix(
        self,
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        *,
        sample_weight: str | None = None,
        **options: Any,
    ) -> ConfusionMatrix:
        """Count one column against another; options as of `confmat.confusion_matrix`."""
        columns = self._columns(y_true, y_pred)
        return counting.confusion_matrix(
            *columns, sample_weight=self._weight(sample_weight), **options
        )

    def sweep(
        self,
        y_true: str = "y_true",
        y_score: str = "y_score",
        *,
        sample_weight: str | None = None,
        **options: Any,
    ) -> Sweep | BinnedSweep:
        """Sort scores against true classes; options as of `confmat.sweep`."""
        columns = self._columns(y_true, y_score)
        found: Sweep | BinnedSweep = sweeping.sweep(
            *columns, sample_weight=self._weight(sample_weight), **options
        )
        return found

    def classification_report(
        self,
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        *,
        sample_weight: str | None = None,
        **options: Any,
    ) -> Any:
        """Report each class and the averages; options as of `confmat.classification_report`."""
        columns = self._columns(y_true, y_pred)
        return reporting.classification_report(
            *columns, sample_weight=self._weight(sample_weight), **options
        )

    def _columns(self, *names: str) -> list[Any]:
        known = [str(name) for name in self._frame.columns]
        for name in names:
            if name not in self._frame.columns:
                is_level = name in self._frame.index.names
                level = "; it is a level of the index: use df.reset_index()" if is_level else ""
                raise InputError(f"the frame has no column {name!r}, but {listing(known)}{level}")
        return [self._frame[name] for name in names]

    def _weight(self, name: str | None) -> Any:
        return None if name is None else self._columns(name)[0]

    def _polars(self, *asked: Any) -> pl.DataFrame:
        """Return the columns that are asked for; others may hold what no column of Polars does."""
        names = dict.fromkeys(_names(asked))
        self._columns(*names)
        return pl.from_pandas(self._frame[list(names)])


def _names(asked: Iterable[Any]) -> Iterable[str]:
    for one in asked:
        if isinstance(one, str):
            yield one
        elif isinstance(one, pl.Expr):
            yield from one.meta.root_names()
        elif one is not None:
            yield from _names(one)
