"""Every reason is true: its text is read, and evaluated on the table again."""

import ast
import math
import re

import numpy as np
import pytest
from laws.tables import POOL, SIZES, WEIGHTED
from scipy.stats import norm
from support.value_names import ASKED, fact_of, parameters_of, reason, values

import confmat as cm

CELLS = ("tp", "fp", "fn", "tn")
OF_CLASS = {"row", "col", "diag"}
OF_CELL = {"cell", "row_i", "col_i", "diag_i", "row_j", "col_j", "diag_j", "i", "j"}
BY_NAME = {"sqrt": math.sqrt, "ln": math.log, "exp": math.exp, "abs": abs}
BY_NAME["sgn"] = lambda x: float(x > 0)
BY_NAME["normal_quantile"] = norm.ppf


class Reader:
    """Evaluates what a reason says is 0; `sum`, `mean`, `max` and `min` of one term run over it."""

    def __init__(self, table, known):
        self.table, self.known = table, known

    def __call__(self, text):
        source = text.replace("^(", "**(").replace("^2", "**2")
        return self.of(ast.parse(source, mode="eval").body, self.known)

    def of(self, node, known):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return known[node.id]
        if isinstance(node, ast.UnaryOp):
            return -self.of(node.operand, known)
        if isinstance(node, ast.BinOp):
            left, right = self.of(node.left, known), self.of(node.right, known)
            return {
                ast.Add: lambda: left + right,
                ast.Sub: lambda: left - right,
                ast.Mult: lambda: 0.0 if left == 0 or right == 0 else left * right,
                ast.Div: lambda: left / right,
                ast.Pow: lambda: left**right,
            }[type(node.op)]()
        name = node.func.id
        if name in BY_NAME:
            argument = self.of(node.args[0], known)
            return -math.inf if name == "ln" and argument == 0 else BY_NAME[name](argument)
        if len(node.args) == 2:
            return {"min": min, "max": max}[name](*(self.of(one, known) for one in node.args))
        terms = list(self.terms(node.args[0], known))
        if name == "mean":
            terms = [term for term in terms if term is not None]
            return math.fsum(terms) / len(terms)
        return {"sum": math.fsum, "min": min, "max": max}[name](terms)

    def terms(self, node, known):
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        table = self.table.astype(float)
        row, col = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
        cells = table.tolist()
        for i in range(len(row)):
            of_i = {"row": row[i], "col": col[i], "diag": cells[i][i]}
            for j in range(len(row)) if names & OF_CELL else (i,):
                if names & OF_CELL:
                    of_i |= {"cell": cells[i][j], "i": i, "j": j}
                    of_i |= {"row_i": row[i], "col_i": col[i], "diag_i": cells[i][i]}
                    of_i |= {"row_j": row[j], "col_j": col[j], "diag_j": cells[j][j]}
                try:
                    yield self.of(node, known | of_i)
                except ZeroDivisionError:
                    yield None


def cells_of(table, at):
    tp = table[at, at]
    fp, fn = table[:, at].sum() - tp, table[at].sum() - tp
    return dict(zip(CELLS, map(float, (tp, fp, fn, table.sum() - tp - fp - fn)), strict=True))


def pairs_of(table):
    n = table.sum()
    tp = ((table**2).sum() - n) / 2
    fn = ((table.sum(axis=1) ** 2).sum() - (table**2).sum()) / 2
    fp = ((table.sum(axis=0) ** 2).sum() - (table**2).sum()) / 2
    return dict(zip(CELLS, (tp, fp, fn, n * (n - 1) / 2 - tp - fp - fn), strict=True))


def kept(table):
    at = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    return table[np.ix_(at, at)]


def is_zero(text, table, known, scale):
    left, equals, right = text.rpartition(" = ")
    assert (equals, right) == (" = ", "0"), text
    return abs(Reader(table, known)(left)) <= 1e-9 * scale


def class_values(asked, table):
    base = fact_of(asked)["base"]
    call = asked[asked.index("(") :] if "(" in asked and base not in OVER else ""
    base = OVER.get(base, base)
    return cm._core.Asks([base + call]).per_class(table)[:, 0]


# What rows that are averages are averages of.
OVER = {
    "balanced_accuracy": "recall",
    "balanced_accuracy_adjusted": "recall",
    "generalized_f1": "f1",
    "generalized_fowlkes_mallows": "fowlkes_mallows",
    "class_balance_accuracy": "braun_blanquet",
    "classification_success_index": "class_success_index",
}

# Sentences without a formula, and what they mean of the table, its classes that occur, and the ask.
SENTENCES = {
    "there are no rows": lambda table, asked: table.sum() == 0,
    "fewer than two classes": lambda table, asked: len(kept(table)) < 2,
    "there is no pair of classes": lambda table, asked: len(kept(table)) < 2,
    "fewer than two classes have a value": lambda table, asked: (
        np.isfinite(class_values(asked, table)).sum() == 1
    ),
    "no pair of classes has a value": lambda table, asked: no_pair(asked, table),
    "the weights are too small to be counts of rows": lambda table, asked: (
        min(pairs_of(table).values()) < 0
    ),
    "a class is never true, or never predicted": lambda table, asked: (
        not (kept(table).sum(axis=0).all() and kept(table).sum(axis=1).all())
    ),
    "singular to working precision": lambda table, asked: nearly_singular(asked, kept(table)),
}


def nearly_singular(asked, table):
    assert fact_of(asked)["base"] == "gmcc_mean", asked
    p = float(asked[asked.index("(") + 1 : -1]) if "(" in asked else -1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = table / table.sum(axis=0), table / table.sum(axis=1, keepdims=True)
        means = (
            np.sqrt(seen[0] * seen[1]) if p == 0 else ((seen[0] ** p + seen[1] ** p) / 2) ** (1 / p)
        )
    return abs(np.linalg.det(np.nan_to_num(means))) < 1e-12


def no_pair(asked, table):
    few = kept(table)
    pairs = [
        few[np.ix_((i, j), (i, j))] for i in range(len(few)) for j in range(len(few)) if i != j
    ]
    return all(np.isnan(class_values(asked, pair)[0]) for pair in pairs)


def is_true(asked, table, said):
    """Return whether what is said holds; an unknown form of words raises."""
    n = float(table.sum())
    parameters = parameters_of(asked)
    if said in SENTENCES:
        return bool(SENTENCES[said](table, asked))
    if found := re.fullmatch(r"degenerate class (\d+): (never true|never predicted)", said):
        at, axis = int(found[1]), 1 if found[2] == "never true" else 0
        other = table.sum(axis=1 - axis)[at]
        return table.sum(axis=axis)[at] == 0 and other > 0
    for start, of in (
        ("no class has a value; ", lambda v: np.isnan(v).all()),
        ("no class with a value is ever true; ", weightless(table)),
    ):
        if said.startswith(start):
            given = class_values(asked, table)
            present = table.sum(axis=0) + table.sum(axis=1) > 0
            held = of(np.where(present, given, np.nan))
            return bool(held) and is_true(asked, table, said.removeprefix(start))
    if found := re.fullmatch(r"class (\d+): (.*)", said):
        known = parameters | cells_of(table, int(found[1]))
        return all(is_zero(part, table, known, n * n) for part in found[2].split(" and "))
    if said.startswith("all classes together: "):
        each = [cells_of(kept(table), at) for at in range(len(kept(table)))]
        sums = {name: math.fsum(cells[name] for cells in each) for name in CELLS}
        return is_zero(said.removeprefix("all classes together: "), table, parameters | sums, n)
    if said.startswith("pairs of rows: "):
        return is_zero(said.removeprefix("pairs of rows: "), table, pairs_of(table), n * n)
    few = table if fact_of(asked)["base"].startswith("kappa_") else kept(table)
    known = {"N": n, "trace": float(np.trace(table)), "K": float(len(few))}
    return is_zero(said, few, parameters | known, n * n)


def weightless(table):
    return lambda given: (
        np.isfinite(given).any() and not table.sum(axis=1)[np.isfinite(given)].any()
    )


@pytest.mark.parametrize("asked", ASKED)
def test_reasons_are_true(asked):
    for k in SIZES[:3]:
        for table in (*POOL[k], *WEIGHTED[k][:18]):
            said = reason(asked, table)
            if said is not None:
                assert is_true(asked, table, said), f"{asked} of {table.tolist()}: {said}"


def test_reasons_of_all_small_tables_are_true():
    for cells in np.ndindex(*(3,) * 4):
        table = np.array(cells).reshape(2, 2)
        for asked in ASKED:
            said = reason(asked, table)
            assert said is None or is_true(asked, table, said), f"{asked} of {cells}: {said}"


@pytest.mark.parametrize("asked", ["gmcc_mean", "gmcc_mean(0.5)", "gmcc_root", "log_abs_gmcc"])
def test_determinants_of_two_classes_are_undefined_together(asked):
    for cells in np.ndindex(*(3,) * 4):
        table = np.array(cells).reshape(1, 2, 2)
        assert np.isnan(values(asked, table))[0] == np.isnan(values("gmcc", table))[0]


def test_the_reason_of_a_weighted_mean_names_what_has_rows():
    said = reason("precision_weighted", np.array([[0, 2], [0, 0]]))
    assert said == "no class with a value is ever true; class 0: tp + fp = 0"
