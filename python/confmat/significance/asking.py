"""A test of an object by its name, with its options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from confmat.errors import InputError
from confmat.significance.result import TestResult


def asked(
    tests: Mapping[str, Callable[..., TestResult]], state: Any, name: Any, options: dict[str, Any]
) -> TestResult:
    """Return the test of this name; refuse names and options that are not there."""
    if not isinstance(name, str) or name not in tests:
        raise InputError(f"`name` is {name!r}; wanted one of {', '.join(map(repr, tests))}")
    own = list(inspect.signature(tests[name]).parameters.values())[1:]
    known = [option.name for option in own]
    for option in options:
        if option not in known:
            has = f"it has {', '.join(f'`{one}`' for one in known)}" if known else "it has none"
            raise InputError(f"the test {name!r} has no option `{option}`; {has}")
    for one in own:
        if one.default is inspect.Parameter.empty and one.name not in options:
            raise InputError(f"the test {name!r} needs `{one.name}`")
    return tests[name](state, **options)
