"""A regression: what is missing of a report of classes, said in its own words."""

from __future__ import annotations

from confmat.report.document import Node, tag
from confmat.report.numbers import count, known, number
from confmat.report.subject import Subject


def verdicts(subject: Subject) -> list[tuple[str, Node]]:
    """Return sentences on how far the predicted numbers are from the true ones."""
    value = dict(subject.overall.select("metric", "value").iter_rows())
    out: list[tuple[str, Node]] = []
    r2, mae, bias = (value.get(name) for name in ("r2", "mae", "mean_error"))
    if known(r2):
        assert r2 is not None
        strong = "Better than the mean." if r2 > 0 else "No better than the mean."
        told = (
            f"Always answering the mean of the true numbers would have R² 0; here it is "
            f"{number(r2)}."
        )
        out.append(("good" if r2 > 0.5 else "warn", [tag("strong", strong), " ", told]))
    if known(mae):
        told = f"A prediction is off by {number(mae)} on average, in the unit of the numbers."
        out.append(("note", [tag("strong", "Size of the errors."), " ", told]))
    if known(bias) and known(mae) and mae:
        assert bias is not None
        side = "too high" if bias > 0 else "too low"
        share = abs(bias) / mae
        strong = "Little bias." if share < 0.1 else f"Predictions are {side}."
        told = f"On average by {number(abs(bias))}, {number(share, 2)} of the mean absolute error."
        out.append(("good" if share < 0.1 else "warn", [tag("strong", strong), " ", told]))
    n = subject.state.n if subject.state is not None else 0
    if not n:
        out.append(("bad", [tag("strong", "No rows were counted."), f" n = {count(n)}."]))
    return out
