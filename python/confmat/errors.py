"""Errors and the one warning that confmat raises."""

import math
import warnings


class ConfmatError(Exception):
    """Base of every error that confmat raises on purpose."""


class InputError(ConfmatError, ValueError):
    """An argument is not usable.

    The message names the argument, what was found, what was wanted, and the first row.
    """


class StateError(ConfmatError):
    """Serialised bytes are not a state that this version can read."""


class UndefinedMetricWarning(UserWarning):
    """A metric asked for is undefined on this data (0/0); given at most once per call."""


def undefined(name: str, why: str) -> float:
    """Warn that a number is undefined, at the line that called its public function; return nan."""
    warnings.warn(f"{name} is undefined: {why}", UndefinedMetricWarning, stacklevel=4)
    return math.nan


class AbsentError(InputError, AttributeError):
    """An attribute that these data do not have, so that `hasattr` is False and tools go on."""
