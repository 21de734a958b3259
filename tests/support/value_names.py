"""Every value name of the registry, and the one way in which laws compute it.

A stack is an array of G tables, shape (G, K, K); `values` gives one number a table.
"""

from functools import cache

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.options import Options

FACTS = {fact["name"]: fact for fact in _core.facts()}
NAMES = tuple(FACTS)

# Of these an absent class between two others moves them apart.
ORDERED = (
    *("kappa_linear", "kappa_quadratic", "ordinal_mae", "macro_averaged_mae"),
    *("gwet_ac2_linear", "gwet_ac2_quadratic"),
    *("krippendorff_alpha_linear", "krippendorff_alpha_quadratic"),
)

# Parameters that the laws try besides the default.
_TRIED = {"beta": ("0.5", "2"), "p": ("-2", "0", "0.5", "1", "2")}
_TRIED_FOR = {
    "gmcc_mean": ("-2", "0", "0.5"),  # an exponent of at most 1
    "tversky": ("0.25", "1", "0.3,2", "0,0"),
}


def _around(name, parameter):
    """Yield the name with a parameter: its default, half and double of it, where in range."""
    first = parameter is FACTS[name]["params"][0]
    default = 1.0 if parameter["value"] is None else parameter["value"]
    for value in dict.fromkeys(default * factor for factor in (0.5, 1, 2)):
        try:
            _core.Asks([asked := f"{name}({'' if first else parameter['name'] + '='}{value:g})"])
        except InputError:
            continue
        yield asked


def variants(name):
    """Return the name, bare and with parameters other than its defaults."""
    fact = FACTS[name]
    if not fact["params"]:
        return (name,)
    tried = _TRIED_FOR.get(fact["base"]) or _TRIED.get(fact["params"][0]["name"])
    if tried is not None:
        return (name, *(f"{name}({value})" for value in tried))
    return (name, *(asked for one in fact["params"] for asked in _around(name, one)))


def fact_of(asked):
    """Return the facts of a name with or without parameters."""
    return FACTS[asked.partition("(")[0]]


def parameters_of(asked):
    """Return every parameter of a name by its own name, those that it does not hold too."""
    given = asked.partition("(")[2].rstrip(")")
    known = {one["name"]: one["value"] for one in fact_of(asked)["params"]}
    for name, piece in zip(tuple(known), filter(None, given.split(",")), strict=False):
        key, _, number = piece.rpartition("=")
        known[key or name] = float(number)
    rest = 1 - next(iter(known.values()), 0.0)
    return {name: rest if value is None else value for name, value in known.items()}


ASKED = tuple(asked for name in NAMES for asked in variants(name))


def where(**wanted):
    """Return the asked names whose facts have all these values."""
    return tuple(
        asked
        for asked in ASKED
        if all(fact_of(asked)[key] == value for key, value in wanted.items())
    )


@cache
def _asks(asked):
    return _core.Asks([asked])


def labels_of(stack):
    """Return the shown names of the classes of a stack."""
    return [str(k) for k in range(stack.shape[-1])]


def values(asked, stack, pos=0, **options):
    """Return one number a table of the stack; `pos` matters to names about one class."""
    stack = np.ascontiguousarray(stack)
    return _asks(asked).values(stack, labels_of(stack), Options(pos, **options))[:, 0]


def reason(asked, table, pos=0, **options):
    """Return why the value of one table is undefined or degenerate, or None."""
    return _asks(asked).reasons(table, labels_of(table), Options(pos, **options))[0]


def n_used(asked, table):
    """Return how many classes (or pairs) the value of one table used."""
    return _asks(asked).n_used(table)[0]


# A determinant is near 0 without being 0 when a table is singular, so what is a function of it is
# compared after going back to the determinant.
_FROM_DET = {
    "log_abs_gmcc": lambda value, k: np.exp(value),
    "gmcc_root": lambda value, k: np.sign(value) * np.abs(value) ** (k - 1),
}


def differ(asked, left, right, k, tolerance=1e-11):
    """Return where two arrays of values of K-class tables are not the same number."""
    undo = _FROM_DET.get(asked)
    if undo is not None:
        left, right = undo(left, k), undo(right, k)
    return ~np.isclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True)


def first(asked, stack, bad, *columns):
    """Return a message about the first bad table, or None when there is none."""
    at = np.flatnonzero(bad)
    if not at.size:
        return None
    shown = ", ".join(repr(float(column[at[0]])) for column in columns)
    return f"{asked} of {stack[at[0]].tolist()}: {shown} ({at.size} tables of {len(bad)})"
