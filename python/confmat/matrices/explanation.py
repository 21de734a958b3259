"""What `m.explain` gives: a metric of a matrix, what went into it, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from confmat.matrices.pair_gains import MOST_CLASSES
from confmat.render.figures import figure
from confmat.render.frames import html_of, text_of
from confmat.render.html import page


@dataclass(frozen=True, eq=False)
class Explanation:
    r"""A metric of a matrix: what it is, what went into it, and what would change it.

    Attributes
    ----------
    metric : str
        The name, with its average and parameters.
    value : float
        nan where undefined.
    reason : str or None
        Why it is undefined or degenerate here.
    summary : str
        What it is, in a sentence.
    formula : str
        In LaTeX.
    lo, hi : float
        The ends of its range.
    better : str
        "higher", "lower" or "neither".
    undefined : str
        Where it is undefined.
    n_used : int or None
        How many classes it is over, as `m.n_used` has it: an average leaves those out that have no
        value. None of metrics of one class.
    among : str
        Of an average, how many there are: "4 classes", or "12 ordered pairs of classes".
    reference : str
    classes : polars.DataFrame
        What went into it: a row a class, `label`, `tp`, `fp`, `fn`, `tn`, and of metrics of one
        class its value there.
    pairs : polars.DataFrame
        The pairs of classes that cost most: `one`, `other`, how many rows of the one are taken for
        the other (`errors`), the `value` with these right, and how much better that is (`gain`),
        the most first. Of matrices above 1,000 classes it is empty.
    blocks : polars.DataFrame or None
        Of metrics by the determinant of the normalised matrix, the product of its singular values,
        and of the eigenvalue entropy: which classes are confused with one another.
        Each row is a direction in which the matrix tells its classes apart least: the `number` of
        this direction (1: perfectly; 0: not at all), the `classes` that make it up, and their
        `weight` in it, at most 1.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]], labels=["a", "b", "c"])
    >>> x = m.explain("gmcc")
    >>> round(x.value, 3), x.better, x.formula
    (0.567, 'higher', '\\det M')
    >>> x.pairs.select("one", "other", "errors", "value").rows()
    [('b', 'c', 22, 1.0)]
    >>> x.blocks.select("classes").rows()
    [(['b', 'c'],)]
    """

    metric: str
    value: float
    reason: str | None
    summary: str
    formula: str
    lo: float
    hi: float
    better: str
    undefined: str
    n_used: int | None
    among: str
    reference: str
    classes: pl.DataFrame
    pairs: pl.DataFrame
    blocks: pl.DataFrame | None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as a dict of plain values; tables as lists of dicts.

        Examples
        --------
        >>> import confmat as cm
        >>> cm.ConfusionMatrix([[9, 1], [2, 8]]).explain("recall").to_dict()["classes"]
        [{'label': 1, 'tp': 8, 'fp': 1, 'fn': 2, 'tn': 9, 'recall': 0.8}]
        """
        return {
            name: value.to_dicts() if isinstance(value, pl.DataFrame) else value
            for name, value in vars(self).items()
        }

    def __str__(self) -> str:
        return text_of("\n".join(self._lines(self.formula)), self._tables())

    def _repr_html_(self) -> str:
        first, *rest = self._lines(f"${self.formula}$")  # notebooks set it
        return page(first, *map(page, rest), html_of("", self._tables()))

    def _lines(self, formula: str) -> list[str]:
        why = "" if self.reason is None else f" ({self.reason})"
        ways = {"higher": "higher is better", "lower": "lower is better"}
        way = ways.get(self.better, "neither end is better")
        never = self.undefined in ("", "never")
        undefined = "Always defined." if never else f"Undefined where {self.undefined}."
        value = f"{self.value:,}" if isinstance(self.value, int) else figure(self.value)
        over = f"Over {self.n_used:,} of {self.among}." if self.among else ""
        many = f"Of more than {MOST_CLASSES:,} classes no pairs are tried."
        tried = many if self.classes.height > MOST_CLASSES else ""
        return [
            f"{self.metric} = {value}{why}; from {self.lo:g} to {self.hi:g}, {way}",
            *filter(None, (self.summary, formula, over, undefined, self.reference, tried)),
        ]

    def _tables(self) -> list[pl.DataFrame]:
        tables = [self.classes, self.pairs]
        if self.blocks is not None:
            joined = pl.col("classes").list.eval(pl.element().cast(pl.String)).list.join(", ")
            tables.append(self.blocks.with_columns(joined))
        return [table for table in tables if table.height]
