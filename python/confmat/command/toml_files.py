"""Expectations as TOML files: read, and their errors with the line that they are about."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from confmat.errors import InputError
from confmat.gates.expectation import ExpectationError


class GateError(InputError):
    """An error of a file of expectations: what it names are keys of the file, and no options."""


_SECTION = re.compile(r"^[ \t]*\[\[[ \t]*[\"']?expect[\"']?\s*\]\]", re.MULTILINE)


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """Return what a TOML file holds, and its text. Raises InputError: it is none."""
    toml = _parser()
    try:
        text = path.read_bytes().decode()
        return toml.loads(text), text
    except FileNotFoundError:
        raise InputError(f"no such file: {path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, toml.TOMLDecodeError) as error:
        raise InputError(f"{path} is no TOML: {error}") from None


def with_line(error: ExpectationError, path: Path, text: str) -> GateError:
    r"""Return the error with the file, and the line of the section or key where it can be found.

    Examples
    --------
    >>> from pathlib import Path
    >>> from confmat.gates.expectation import ExpectationError
    >>> text = '[[expect]]\nmetric = "f1"\nat_lest = 1'
    >>> print(with_line(ExpectationError(0, "at_lest", "number 1", "what?"), Path("a.toml"), text))
    a.toml, line 3: number 1: what?
    """
    told = str(error).replace("`baseline`", "`--baseline`")
    starts = [found.start() for found in _SECTION.finditer(text)]
    begin, end = 0, starts[0] if starts else len(text)
    if error.at is not None:
        if error.at >= len(starts):
            return GateError(f"{path}: {told}")
        begin, end = starts[error.at], [*starts, len(text)][error.at + 1]
    line = text.count("\n", 0, begin) + 1
    if error.key is not None:
        key = re.compile(rf"^[ \t]*[\"']?{re.escape(error.key)}", re.MULTILINE)
        found = key.search(text, begin, end)
        if found is not None:
            line = text.count("\n", 0, found.end()) + 1
    return GateError(f"{path}, line {line}: {told}")


def _parser() -> Any:
    for name in ("tomllib", "tomli"):  # Python 3.10 has none of its own
        with suppress(ModuleNotFoundError):
            return import_module(name)
    raise InputError('TOML files need tomli: pip install "confmat[cli]"')
