"""Functions that stand for those of scikit-learn: the same arguments, refused in the same words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from sklearn import get_config
from sklearn.utils._param_validation import (
    StrOptions,
    make_constraint,
    validate_parameter_constraints,
)

P = ParamSpec("P")
R = TypeVar("R")

REPLACED: dict[Callable[..., Any], Callable[..., Any]] = {}  # scikit-learn's functions, and ours


def drop_in(original: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for the function that stands for one of scikit-learn.

    Arguments that scikit-learn's declared constraints do not take are refused as there. Plain ones
    (arrays, lists, what is among named choices) pass at a glance, without its validators.
    """
    constraints: Mapping[str, Any] = original._skl_parameter_constraints  # type: ignore[attr-defined]
    glances = {name: _glance(of) for name, of in constraints.items()}

    def around(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        positional = [
            name
            for name, parameter in signature.parameters.items()
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        least = sum(signature.parameters[name].default is inspect._empty for name in positional)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not (
                least <= len(args) <= len(positional)
                and all(map(_passes, map(glances.get, positional), args))
                and all(_passes(glances.get(name), value) for name, value in kwargs.items())
            ):
                bound = signature.bind(*args, **kwargs)
                bound.apply_defaults()
                if not get_config()["skip_parameter_validation"]:
                    validate_parameter_constraints(
                        constraints, bound.arguments, caller_name=function.__qualname__
                    )
            return function(*args, **kwargs)

        call._skl_parameter_constraints = constraints  # type: ignore[attr-defined]
        REPLACED[original] = call
        return call

    return around


class _Glance(NamedTuple):
    """What passes at once: values of these types, these texts, what a constraint takes."""

    types: frozenset[type]
    texts: frozenset[str]
    others: tuple[Any, ...]


def _glance(constraints: Any) -> _Glance:
    types: set[type] = set()
    texts: set[str] = set()
    for constraint in () if isinstance(constraints, str) else constraints:
        if constraint is None:
            types.add(type(None))
        elif isinstance(constraint, StrOptions):
            texts.update(constraint.options)
        elif isinstance(constraint, str):
            types.update({"array-like": (np.ndarray, list), "boolean": (bool,)}.get(constraint, ()))
        elif isinstance(constraint, type):
            types.update({constraint} & {str, list, tuple, set})
    made = () if isinstance(constraints, str) else tuple(map(make_constraint, constraints))
    return _Glance(frozenset(types), frozenset(texts), made)


def _passes(glance: _Glance | None, value: Any) -> bool:
    return glance is not None and (
        type(value) in glance.types
        or (type(value) is str and value in glance.texts)
        or any(constraint.is_satisfied_by(value) for constraint in glance.others)
    )
