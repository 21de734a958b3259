"""Errors and the one warning that confmat raises."""

import math
import warnings
from typing import NamedTuple, TypeAlias

_MOST = 2_000  # characters of a message, whatever it was that an argument held


class ConfmatError(Exception):
    """Base of every error that confmat raises on purpose."""


class Row(NamedTuple):
    """The part of a message that says which row it is about."""

    number: int
    among: str = ""  # of which rows it is the number

    def __str__(self) -> str:
        return f"at row {self.number}{self.among}"


class Taker(NamedTuple):
    """The part of a message that asks for an argument which says what takes it."""

    name: str = ""  # nothing: the call that failed

    def __str__(self) -> str:
        return f" to {self.name}" if self.name else ""


Part: TypeAlias = str | Row | Taker


class InputError(ConfmatError, ValueError):
    """An argument is not usable.

    The message names the argument, what was found, what was wanted, and the first row. `row` is the
    number of this row, None where the message is about no row, or does not know which.
    """

    row: int | None

    def __init__(self, *parts: Part) -> None:
        super().__init__(_shortened("".join(map(str, parts))))
        self.parts = parts
        self.row = next((part.number for part in parts if isinstance(part, Row)), None)

    def moved(self, rows: int, among: str = "", before: str = "") -> "InputError":
        """Return the error as one about rows that follow `rows` others, and a text before it."""
        moved = (
            Row(part.number + rows, part.among or among) if isinstance(part, Row) else part
            for part in self.parts
        )
        return InputError(before, *moved)

    def given_to(self, taker: str) -> "InputError | None":
        """Return the error with what takes the argument it asks for; None: it asks for none."""
        said = [Taker(taker) if isinstance(part, Taker) else part for part in self.parts]
        return InputError(*said) if any(isinstance(part, Taker) for part in said) else None


def _shortened(message: str) -> str:
    """Return a message without its middle where it is long: its ends say what is wrong."""
    if len(message) <= _MOST:
        return message
    return f"{message[: _MOST // 2]} ... {message[-_MOST // 2 :]}"


class UnknownMetricError(InputError):
    """No metric of tables has a name."""

    has_near = False  # whether the message tells metrics of names like it


def parts_of(error: ConfmatError) -> tuple[Part, ...]:
    """Return what makes up a message."""
    return error.parts if isinstance(error, InputError) else (str(error),)


def named(error: ConfmatError, before: str) -> ConfmatError:
    """Return the error with a text before its own; it keeps its row."""
    if isinstance(error, InputError):
        return error.moved(0, before=before)
    return type(error)(f"{before}{error}")


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
