"""The examples in docstrings: a few rows, a call and its number, computed when it is shown."""

from __future__ import annotations

from typing import Any, TypeAlias

from confmat.moments.names import exact
from confmat.objects.counting import confusion_matrix
from confmat.objects.regressing import regression
from confmat.objects.sweeping import sweep
from confmat.registry import Fact, averages, is_regression_metric, name_with, required

_Columns: TypeAlias = dict[str, list[Any]]

_BINARY: _Columns = {"y_true": [0, 1, 1, 0, 1, 1, 0, 0, 1], "y_pred": [1, 1, 0, 1, 0, 1, 1, 0, 1]}
_CLASSES: _Columns = {"y_true": list("aaaaabbbcccc"), "y_pred": list("aaababbcccbc")}
_SCORED: _Columns = {"y_true": [0, 0, 1, 1, 0, 1], "y_score": [0.1, 0.4, 0.35, 0.8, 0.2, 0.6]}
_NUMBERS: _Columns = {"y_true": [3.0, 0.5, 2.0, 7.0], "y_pred": [2.5, 1.0, 2.0, 8.0]}


def function_example(fact: Fact) -> str:
    """Return a call of a plain function, and one of its macro average."""
    name, columns = fact["name"], _columns(fact)
    lines = [">>> import confmat as cm"]
    lines += [f">>> {column} = {_written(values)}" for column, values in columns.items()]
    asked = {"": name} | {f', average="{a}"': m for a, m in averages(name).items() if a == "macro"}
    given = required(fact)
    if given is not None:
        asked = {f", {given}=2": name_with(name, [2.0])}
    for more, value_name in asked.items():
        lines.append(f">>> round(cm.{name}({', '.join(columns)}{more}), 6)")
        lines.append(repr(round(_value(value_name, columns), 6)))
    return "\n".join(lines)


def method_example(fact: Fact) -> str:
    """Return a query with an expression method."""
    name, columns = fact["name"], _columns(fact)
    frame = ", ".join(f'"{column}": {_written(values)}' for column, values in columns.items())
    other, given = list(columns)[1], required(fact)
    more = "" if given is None else f", {given}=2"
    asked = name if given is None else name_with(name, [2.0])
    lines = [
        ">>> import confmat",
        ">>> import polars as pl",
        f">>> df = pl.DataFrame({{{frame}}})",
        f'>>> round(df.select(pl.col("y_true").cm.{name}("{other}"{more})).item(), 6)',
        repr(round(float(_value(asked, columns)), 6)),
    ]
    return "\n".join(lines)


def _columns(fact: Fact) -> _Columns:
    if fact["level"] == "score":
        return _SCORED
    if fact["level"] == "regression":
        return _NUMBERS
    return _CLASSES if fact["level"] == "overall" else _BINARY


def _value(name: str, columns: _Columns) -> float:
    if "y_score" in columns:
        return sweep(*columns.values()).value(name)
    if is_regression_metric(name):
        return regression(*columns.values(), metrics=exact([name])).value(name)
    return confusion_matrix(*columns.values()).value(name)


def _written(values: list[Any]) -> str:
    return f'list("{"".join(values)}")' if isinstance(values[0], str) else str(values)
