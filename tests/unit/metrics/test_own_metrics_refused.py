"""What is no formula, and what is no name for one, is refused with advice."""

import math
import operator
from decimal import Decimal

import numpy as np
import pytest

import confmat as cm
from confmat.own_definitions import own

M = cm.ConfusionMatrix([[5, 1], [2, 4]])


def doubled(c):
    x = c.tp
    for _ in range(60):
        x = x + x
    return x


def nested(c):
    x = c.tp
    for _ in range(70):
        x = 1 / (1 + x)
    return 1 - (c.fp - (1 - (c.tp - x)))


def deep(c, n=80):
    return c.tp if n == 0 else c.fp - (deep(c, n - 1))


def raising(c):
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda c: c.tp if c.tp > 0 else 0, "compares cells"),
        (lambda c: c.tp and c.fp, "undefined=0.0"),
        (lambda c: max(c.tp, c.fp), r"max\(x, y\) is \(x \+ y \+ abs\(x - y\)\) / 2"),
        (lambda c: c.tp == 1, "compares cells"),
        (lambda c: c.tp != 1, "compares cells"),
        (lambda c: c.tp in (c.fp, 2), "compares cells"),
        (lambda c: np.maximum(c.tp, c.fp), "calls np.maximum; wanted"),
        (lambda c: np.float64(2) < c.tp, "compares cells"),
        (lambda c: math.sqrt(c.tp), r"write x \*\* 0.5 or np.sqrt\(x\)"),
        (lambda c: math.floor(c.tp), "functions of `math`"),
        (lambda c: float(c.tp), "functions of `math`"),
        (lambda c: round(c.tp), "functions of `math`"),
        (lambda c: [1, 2][c.tp], "functions of `math`"),
        (lambda c: c.tpr, "asks for 'tpr' of the cells; wanted tp, fp, fn, tn, support"),
        (lambda c: c["tp"], "raises TypeError"),
        (lambda c: c.tp // 2, "raises TypeError"),
        (lambda c: c.tp % 2, "raises TypeError"),
        (lambda: 1, "raises TypeError"),
        (lambda c: c.tp + "1", "has str '1'; wanted cells and numbers"),
        (lambda c: c.tp * None, "has NoneType None; wanted cells and numbers"),
        (lambda c: c.tp * 1j, "wanted cells and numbers"),
        (lambda c: c.tp * Decimal(1), "wanted cells and numbers"),
        (lambda c: c.tp * np.ones(2), "wanted cells and numbers"),
        (lambda c: [1, 2] * c.tp, "wanted cells and numbers"),
        (lambda c: c.tp * math.nan, "has the number float nan; wanted finite ones"),
        (lambda c: c.tp + math.inf, "has the number float inf"),
        (lambda c: c.tp + 10**400, "has the number of type int"),
        (lambda c: hash(c.tp), "raises TypeError"),
        (lambda c: [*c.tp], "raises TypeError"),
        (lambda c: pow(c.tp, 2, 3), "raises TypeError"),
        (lambda c: 0.5, "returns float 0.5; wanted a term of the cells"),
        (lambda c: None, "returns NoneType None"),
        (lambda c: c, "wanted a term of the cells"),
        (lambda c: "tp", "returns str 'tp'"),
        (raising, "raises KeyError: 'no such thing'"),
        (doubled, "more than 1000 steps"),
        (lambda c: sum([c.tp] * 2000), "more than 1000 steps"),
        (nested, "nests more than 64 deep"),
        (deep, "nests more than 64 deep"),
        (lambda c: deep(c, 100_000), "raises RecursionError"),
        ("tp / (tp + fp)", "is str 'tp / "),
        (None, "is NoneType None; wanted a function"),
        (lambda c: c.tp / (c.fp - c.fp), "no value for any cells"),
        (lambda c: -1 - abs(c.tp), r"outside `range`"),
    ],
)
def test_formulas(formula, message):
    with pytest.raises(cm.InputError, match=message):
        cm.register_metric("mine", formula, range=(0, math.inf))
    assert own("mine") is None
    assert not len(cm.list_metrics("mine"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (None, "wanted an identifier"),
        (3, "wanted an identifier"),
        ("", "wanted an identifier"),
        ("my metric", "wanted an identifier"),
        ("x := x", "wanted an identifier"),
        ("naïve", "wanted an identifier"),
        ("a\nb", "wanted an identifier"),
        ("x" * 65, "has 65 characters"),
        ("_mine", "without a leading _"),
        ("lambda", "no keyword"),
        ("f1", "is the metric 'f1'"),
        ("sensitivity", "is the metric 'recall'"),
        ("roc_auc", "is the metric 'roc_auc'"),
        ("rmse", "is the metric"),
        ("mine_macro", "end in _macro"),
        ("mine_geometric", "end in _geometric"),
        ("mine_low", "end in _low"),
        ("counts", "an attribute of ConfusionMatrix"),
        ("per_class", "an attribute of ConfusionMatrix"),
        ("n", "an attribute of ConfusionMatrix"),
        ("reasons", "a column of results"),
        ("threshold", "a column of results"),
        ("mine_samples", "end in _samples"),
        ("top_k_accuracy", "a number of sweeps"),
        ("mean_cost", "a number of sweeps"),
        ("compare", "a name of confmat"),
        ("check", "a name of confmat"),
    ],
)
def test_names(name, message):
    with pytest.raises(cm.InputError, match=message):
        cm.register_metric(name, lambda c: c.tp / c.n)


@pytest.mark.parametrize("given", [(1, 0), (0, 0), (0,), 3, (0, math.nan), ("a", "b"), None])
def test_ranges(given):
    with pytest.raises(cm.InputError, match="`range` is"):
        cm.register_metric("mine", lambda c: c.tp / c.n, range=given)


def test_a_range_that_values_leave_names_the_cells():
    with pytest.raises(cm.InputError, match=r"gives 2 where tp=0, fp=0, fn=2 and tn=0, outside"):
        cm.register_metric("mine", lambda c: c.fn, range=(0, 1))


def test_other_arguments():
    with pytest.raises(cm.InputError, match="`better` is str 'more'; wanted one of higher"):
        cm.register_metric("mine", lambda c: c.tp, better="more")
    with pytest.raises(cm.InputError, match="`summary` is int 3"):
        cm.register_metric("mine", lambda c: c.tp, summary=3)


@pytest.mark.parametrize("name", ["mine", "f1", None, 3, []])
def test_only_what_was_registered_is_taken_back(name):
    with pytest.raises(cm.InputError, match="wanted one that was registered"):
        cm.unregister_metric(name)


def test_names_that_are_asked_for_bring_no_formula():
    text = "x := x 0 1 higher tp"
    doors = (
        lambda: M.value(text),
        lambda: M.values([text]),
        lambda: M.ci(text),
        lambda: cm.metrics(metrics=[text]),
        lambda: cm.sweep([0, 1], [0.1, 0.2]).best(text),
    )
    for door in doors:
        with pytest.raises(cm.InputError, match="no metric is named 'x := x 0 1 higher tp'"):
            door()


def test_averages_that_it_has_not(register):
    register("signed", lambda c: (c.tp - c.fp) / c.n, range=(-1, 1))
    with pytest.raises(cm.InputError, match="there is no signed_geometric: signed can be negative"):
        M.value("signed_geometric")
    for name in ("signed(2)", "signed_macro(2)", "signed_macro(beta=2)"):
        with pytest.raises(cm.InputError, match="takes no parameter"):
            M.value(name)
    with pytest.raises(cm.InputError, match="has no parameter `beta`"):
        M.value("signed", beta=2)
    with pytest.raises(cm.InputError, match="about one class"):
        cm.ConfusionMatrix(np.ones((3, 3), int)).value("signed")


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.truediv, operator.pow])
@pytest.mark.parametrize("number", [3, 3.0, np.float64(3), np.int64(3), np.float32(3), True])
def test_numbers_of_either_side(register, operation, number):
    register("left", lambda c: operation(number, c.tp), replace=True)
    register("right", lambda c: operation(c.tp, number), replace=True)
    assert M.left == operation(float(number), 4.0)
    assert M.right == operation(4.0, float(number))


@pytest.mark.parametrize(
    "formula",
    [
        lambda x: x**2,
        lambda x: x**0.5,
        lambda x: x**1,
        lambda x: x**-1.5,
        lambda x: abs(3 - x),
        np.square,
        np.sqrt,
        np.log,
        np.negative,
        lambda x: np.power(x, 3),
    ],
)
def test_what_a_formula_may_do(register, formula):
    register("own", lambda c: formula(c.tp))
    assert M.own == pytest.approx(float(formula(np.float64(4))), rel=1e-15)


def test_squares_of_squares_are_written_once(register):
    def both(c):
        x, y = c.tp / (c.tp + 1), c.fn / (c.fn + 2)
        for _ in range(40):
            x, y = x**2, y**2
        return 1 / (x + 1) - 1 / (y + 1)

    register("towers", both)
    m = cm.ConfusionMatrix([[3, 1], [0, 2]])
    assert len(str(m.explain("towers"))) < 5_000


@pytest.mark.parametrize(
    "name", ["registry", "spark", "scored", "joint", "state_metrics", "slices"]
)
def test_names_of_modules_columns_and_methods_are_taken(name):
    with pytest.raises(cm.InputError, match="wanted a name of its own"):
        cm.register_metric(name, lambda c: c.tp / c.n)


def test_a_range_is_tried_on_many_rows():
    with pytest.raises(cm.InputError, match="outside `range` from 0 to 1"):
        cm.register_metric("per_4000", lambda c: c.n / 4000, range=(0, 1))
