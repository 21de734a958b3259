"""How a metric of a matrix comes about."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.confused_blocks import confused_blocks
from confmat.matrices.explanation import Explanation
from confmat.matrices.pair_gains import pair_gains
from confmat.matrices.tables import per_class
from confmat.matrices.values import n_used, reason, value
from confmat.metric_names import ask
from confmat.registry import Fact, find
from confmat.suffixes import POWER

_CELLS = ("tp", "fp", "fn", "tn")
# What formulas are of: the product of the singular values of M, or the eigenvalues eta.
_DETERMINANT, _EIGENVALUES = re.compile(r"\\det M(?!_)"), re.compile(r"\\eta\b")


def explain(
    state: MatrixBase,
    name: str,
    average: str | None = None,
    pos_label: Label | None = None,
    classes: Sequence[Label] | None = None,
    *,
    keep_empty: bool = False,
    **params: float | str,
) -> Explanation:
    r"""Return what a metric is, what went into it here, and what would change it. As `value`.

    Parameters
    ----------
    name, average, pos_label, classes, keep_empty, **params
        As in `value`.

    Returns
    -------
    Explanation
        Prints as one screen: the value with its range and direction, the formula, how many classes
        an average is over, the numbers of each class, the pairs of classes that cost most, and of
        the determinant of the normalised matrix and of the eigenvalue entropy the classes that are
        confused with one another.

    Notes
    -----
    A pair of classes is judged by the value were the two never taken for each other. Tried are the
    6000 / K pairs with the most errors, at least 5 and at most 200.

    Raises
    ------
    InputError
        As `value`.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]], labels=["a", "b", "c"])
    >>> print(m.explain("accuracy"))
    accuracy = 0.8533; from 0 to 1, higher is better
    The share of rows that are predicted right.
    \frac{\operatorname{tr} C}{N}
    Undefined where N = 0.
    Grandini, Bagli and Visani (2020), Metrics for multi-class classification: ...
    <BLANKLINE>
    label  tp  fp  fn   tn
    ----------------------
    a      50   0   0  100
    b      35   7  15   93
    c      43  15   7   85
    <BLANKLINE>
    one  other  errors   value    gain
    ----------------------------------
    b        c      22  1.0000  0.1467
    """
    asked = ask(name, average, tuple(sorted(params.items())) if params else ())
    bare, bracket, given = asked.name.partition("(")
    fact = find(bare)
    names = [*_CELLS]
    if fact["level"] != "overall":
        of_one = bare.removesuffix(f"_{fact['average']}")  # of an alias, which binds parameters
        is_metric = find(of_one)["level"] == "class"
        own = _without_exponent(given, fact) if fact["average"] == POWER else bracket + given
        names += [(of_one if is_metric else fact["base"]) + own]
    table = per_class(state, dict.fromkeys(names), keep_empty=True)
    shown: Sequence[Label | None] | None = classes
    if fact["level"] == "class":
        shown = [state.pos_label if pos_label is None else pos_label]
    if shown is not None:
        is_shown = [label in shown for label in state._labels]
        table = table.filter(pl.Series(is_shown, dtype=pl.Boolean))

    def of(matrix: MatrixBase) -> float:
        return value(
            matrix, name, average, pos_label, None, classes, keep_empty=keep_empty, **params
        )

    found = of(state)
    used, among = None, ""
    if fact["level"] != "class":
        used = n_used(state, name, average, None, classes, keep_empty=keep_empty, **params)
    if fact["level"] == "average" or asked.may_leave_out:
        k = len(state._labels if classes is None else classes)
        pairs = fact["average"] == "ovo"
        among = f"{k * (k - 1):,} ordered pairs of classes" if pairs else f"{k:,} classes"
    blocks = None
    by_eigenvalues = _EIGENVALUES.search(fact["formula"]) is not None
    if by_eigenvalues or _DETERMINANT.search(fact["formula"]):
        blocks = confused_blocks(state, by_eigenvalues=by_eigenvalues)
    return Explanation(
        asked.name,
        found,
        reason(state, name, average, pos_label, classes, keep_empty=keep_empty, **params),
        fact["summary"],
        fact["formula"],
        fact["lo"],
        fact["hi"],
        fact["better"],
        fact["undefined"],
        used,
        among,
        fact["reference"],
        table,
        pair_gains(state, of, found, fact["better"]),
        blocks,
    )


def _without_exponent(given: str, fact: Fact) -> str:
    """Return the parameters of a metric in brackets, of those that its power mean holds."""
    exponent, own = fact["params"][-1]["name"], len(fact["params"]) - 1
    pieces = [piece.partition("=") for piece in given.rstrip(" )").split(",")]
    kept = [
        "".join(piece).strip()
        for at, piece in enumerate(pieces)
        if (piece[0].strip() != exponent if piece[1] else at < own and piece[0])
    ]
    return f"({','.join(kept)})" if kept else ""
