"""Agreement of many raters: Fleiss's kappa, of counts by subject or of the labels themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError, undefined
from confmat.labels import MAX_CLASSES, described, is_null, label_set
from confmat.options import check_choice
from confmat.own_errors import own_errors
from confmat.significance.checks import Table, whole_table


@own_errors
def fleiss_kappa(ratings: Any, form: Literal["counts", "labels"] = "counts") -> float:
    """Return Fleiss's kappa: how far many raters agree, beyond chance.

    Parameters
    ----------
    ratings : array-like or data frame, a row a subject
        How many raters put the subject in each category, a column a category; or, with
        `form="labels"`, the categories themselves, a column a rater.
    form : {"counts", "labels"}, default "counts"
        What `ratings` holds.

    Returns
    -------
    float
        At most 1; at least -1 / (m - 1) for m raters. nan where all ratings are of one category,
        or there is no subject, with a warning that says so.

    Raises
    ------
    InputError
        Counts that are no numbers of raters, subjects with different numbers of ratings, fewer
        than two raters, a label that is missing.

    Notes
    -----
    With n subjects and the counts c[s, k], kappa is (P - E) / (1 - E), where P is the mean over
    subjects of sum_k c (c - 1) / (m (m - 1)), and E is sum_k p[k]^2 of the shares p of the
    categories. The raters of one subject need not be those of another. Of two raters it is
    `scott_pi`.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76,
    https://doi.org/10.1037/h0031619

    Examples
    --------
    >>> import confmat as cm
    >>> round(cm.fleiss_kappa([[3, 0], [2, 1], [0, 3], [0, 3]]), 4)
    0.6571
    >>> labels = [["a", "a", "a"], ["a", "a", "b"], ["b", "b", "b"], ["b", "b", "b"]]
    >>> round(cm.fleiss_kappa(labels, "labels"), 4)
    0.6571
    """
    check_choice("form", form, "counts", "labels")
    counts = _counted(ratings) if form == "labels" else _given(ratings)
    raters = counts.sum(axis=1).tolist()
    for at, number in enumerate(raters):
        if number != raters[0] or number < 2:
            wanted = f"{raters[0]}, as of row 0" if raters[0] >= 2 else "2 or more"
            raise InputError(f"`ratings` has {number} ratings in row {at}; wanted {wanted}")
    n, m = len(raters), raters[0] if raters else 0
    pooled = [int(total) ** 2 for total in counts.sum(axis=0).tolist()]
    if n == 0 or sum(pooled) == (n * m) ** 2:
        why = "all ratings are of one category" if n else "there is no subject"
        return undefined("fleiss_kappa", why)
    alike = sum(count * count for row in counts.tolist() for count in row)
    seen = Fraction(alike - n * m, n * m * (m - 1))
    chance = Fraction(sum(pooled), (n * m) ** 2)
    return float((seen - chance) / (1 - chance))


def _given(ratings: Any) -> Table:
    counts = whole_table("ratings", ratings, "raters")
    if counts.size and counts.max() >= 2**31:
        raise InputError(f"`ratings` holds {counts.max()}; wanted numbers of raters below 2^31")
    return counts


def _counted(ratings: Any) -> Table:
    """Return how many raters gave each label, a row a subject."""
    try:
        columns = ratings.to_dict(as_series=False) if isinstance(ratings, pl.DataFrame) else None
        rows = (
            list(zip(*columns.values(), strict=True))
            if columns
            else np.asarray(ratings, dtype=object).tolist()
        )
        widths = set(map(len, rows))
    except (TypeError, ValueError) as error:
        raise InputError(f"`ratings` is no table of labels: {error}") from error
    if len(widths) > 1:
        raise InputError("`ratings` has rows of different lengths; wanted a label of each rater")
    known: dict[Any, int] = {}
    for at, row in enumerate(rows):
        for rater, label in enumerate(row):
            if is_null(label) or not isinstance(label, (str, bool, int, float, np.generic)):
                found = "a null" if is_null(label) else described(label)
                raise InputError(
                    f"`ratings` holds {found} in row {at}, column {rater}; wanted a label"
                )
            known.setdefault(label, len(known))
    if known:
        label_set(list(known), most=MAX_CLASSES)  # of one kind
    counts = np.zeros((len(rows), len(known)), np.int64)
    for at, row in enumerate(rows):
        for label in row:
            counts[at, known[label]] += 1
    return counts
