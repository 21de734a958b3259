"""How a metric of two classes of given sizes moves with tp and fp, over every small pair of sizes.

A grid holds the metric at every (tp, fp), shape (P + 1, N + 1). At an end of the curve (nothing or
everything predicted positive, or predicted right) a class can be undefined; the value there strays.
A row that declares edges can be undefined wherever a cell is 0.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view
from support.value_names import ASKED, FACTS, NAMES, fact_of, variants, where

from confmat import _core
from confmat.errors import InputError
from confmat.registry import find
from confmat.suffixes import UNLISTED

SIZES = tuple(product(range(13), repeat=2))


def unlisted():
    """Return the averages that have no facts of their own, such as f1_min."""
    for name in NAMES:
        stem, _, suffix = name.rpartition("_")
        if FACTS[name]["level"] == "average" and suffix == "macro":
            for mean in UNLISTED:
                try:
                    _core.Asks([f"{stem}_{mean}"])
                except InputError:  # of values of either sign
                    continue
                yield f"{stem}_{mean}", FACTS[name]["shape"]


DECLARED = {asked: fact_of(asked)["shape"] for asked in ASKED} | dict(unlisted())


@cache
def grids(p, n, weight=1.0):
    """Return every metric at every (tp, fp), and where an undefined class plays in."""
    kind = np.int64 if weight == 1.0 else np.float64
    tp, fp = (np.indices((p + 1, n + 1)).reshape(2, -1) * weight).astype(kind)
    sizes = (kind(p * weight).item(), kind(n * weight).item())
    plain, zero, one = (
        _core.metrics_at(list(DECLARED), tp, fp, *sizes, undefined=undefined)[0]
        for undefined in (None, 0.0, 1.0)
    )
    strays = ~((zero == one) & (plain == zero))
    shape = (len(DECLARED), p + 1, n + 1)
    both = zip(plain.reshape(shape), strays.reshape(shape), strict=True)
    return dict(zip(DECLARED, both, strict=True))


def is_end(p, n):
    tp, fp = np.indices((p + 1, n + 1))
    return ((tp == 0) | (tp == p)) & ((fp == 0) | (fp == n))


def is_edge(p, n):
    tp, fp = np.indices((p + 1, n + 1))
    return (tp == 0) | (tp == p) | (fp == 0) | (fp == n)


def never_falls(one, two, where):
    """Return whether `two` is at least `one`, rounding apart, where told."""
    room = 1e-12 * np.where(np.isfinite(one), np.maximum(np.abs(one), 1.0), 0.0)
    return bool(np.all((two >= one - room)[where]))


def steps(values, strays):
    """Return pairs of neighbours, along tp and along fp, and where both are no strays."""
    regular = ~(strays & is_end(values.shape[0] - 1, values.shape[1] - 1)) & ~np.isnan(values)
    yield values[:-1], values[1:], regular[:-1] & regular[1:]
    yield values[:, :-1], values[:, 1:], regular[:, :-1] & regular[:, 1:]


def monotone(values, strays, lo):
    (a, b, ab), (c, d, cd) = steps(values, strays)
    rises = never_falls(a, b, ab) and never_falls(d, c, cd)
    return rises or (never_falls(b, a, ab) and never_falls(c, d, cd))


def linear(values, strays, lo):
    bends = [np.diff(values, 2, axis) for axis in (0, 1)] + [np.diff(np.diff(values), axis=0)]
    return all(np.all(np.isnan(bend) | (np.abs(bend) < 1e-12)) for bend in bends)


def association(values, strays, lo):
    p, n = np.array(values.shape) - 1
    tp, fp = np.indices(values.shape)
    side = tp * n - fp * p
    level = values[(side == 0) & ~np.isnan(values)]
    away = [np.where(np.isnan(values) | (sign * side < 0), lo, values) for sign in (1, -1)]
    ok = bool(np.all(np.abs(level - lo) < 1e-9))
    for part, sign in zip(away, (1, -1), strict=True):
        (a, b, ab), (c, d, cd) = steps(part, strays)
        if sign < 0:
            a, b, c, d = b, a, d, c
        ok = ok and never_falls(a, b, ab) and never_falls(d, c, cd)
    return ok


def dome(values, strays, lo):
    for a, b in product(range(values.shape[0] // 2 + 1), range(values.shape[1] // 2 + 1)):
        if 2 * a >= values.shape[0] or 2 * b >= values.shape[1]:
            continue
        box = sliding_window_view(values, (2 * a + 1, 2 * b + 1))
        corner = np.minimum(box[..., 0, 0], box[..., -1, -1])
        corner = np.minimum(corner, np.minimum(box[..., 0, -1], box[..., -1, 0]))
        middle = box[..., a, b]
        most = corner + 3 * (middle - corner)
        if (box.min((2, 3)) < corner - 1e-12).any() or (box.max((2, 3)) > most + 1e-12).any():
            return False
    return True


LAWS = {"monotone": monotone, "linear": linear, "association": association, "dome": dome}


def broken(asked, shape, weight=1.0):
    """Return the first sizes of the classes where a metric has not this shape, or None."""
    law, lo = LAWS[shape], fact_of(asked)["lo"] if asked in ASKED else 0.0
    for p, n in SIZES:
        values, strays = grids(p, n, weight)[asked]
        if asked == "log_abs_gmcc":  # few digits near -inf
            values, lo = np.exp(values), 0.0
        with np.errstate(invalid="ignore"):  # infinite less infinite
            holds = law(values, strays, lo)
        if not holds:
            return p, n
    return None


@pytest.mark.parametrize("asked", [asked for asked in DECLARED if DECLARED[asked] != "free"])
def test_declared_holds(asked):
    assert broken(asked, DECLARED[asked]) is None
    assert broken(asked, DECLARED[asked], 0.37) is None


# The mean over two classes is recall times specificity; over more it moves either way.
OF_MORE = ("index_balanced_accuracy_macro", "index_balanced_accuracy_ovo")
UNDECLARED = [name for name in NAMES if DECLARED[name] != "monotone" and name not in OF_MORE]


@pytest.mark.parametrize("name", UNDECLARED)
def test_undeclared_has_a_counter_example(name):
    others = LAWS if DECLARED[name] == "free" else ("monotone",)
    for shape in others:
        assert any(broken(asked, shape) for asked in variants(name)), shape


@pytest.mark.parametrize("asked", DECLARED)
def test_only_ends_of_the_curve_are_undefined_alone(asked):
    may_be = is_edge if find(asked)["edges"] else is_end
    for p, n in SIZES:
        values = grids(p, n)[asked][0]
        inside = np.isnan(values[~may_be(p, n)])
        assert inside.all() or not inside.any(), (p, n)


@pytest.mark.parametrize("name", [name for name in where(level="class") if find(name)["edges"]])
def test_edges_are_declared_where_they_are_undefined(name):
    base = find(name)["name"]
    alone = (
        np.isnan(grids(p, n)[asked][0][~is_end(p, n)]) for asked in variants(base) for p, n in SIZES
    )
    assert any(part.any() and not part.all() for part in alone)
