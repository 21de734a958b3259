"""Functions that travel to workers by value, so that these can say what they lack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from confmat._core import __version__

VERSION: str = __version__


def on_worker(action: str, payload: bytes) -> Callable[..., list[tuple[int, bytes | None, str]]]:
    """Return a function that calls one of `confmat.engines.actions` with a job and arguments.

    Pickles of it hold its code, not its name: a worker without confmat runs it as well, and tells.
    """
    version = VERSION

    def act(*arguments: Any) -> Any:
        import json
        import socket
        import sys

        where = f"the worker on {socket.gethostname()} ({sys.executable})"
        try:
            from confmat._core import __version__ as found

            if found == version:
                from confmat.engines import actions

                return getattr(actions, action)(payload, *arguments)
            why = f"{where} has confmat {found}, and the driver has {version}"
        except ImportError as error:
            why = f"{where} cannot import confmat: {error}"
        why += f"; install confmat {version} on every worker, with what it needs"
        error_told = [[-1, -1], "ConfmatError", [why]]
        return [(0, None, json.dumps({"errors": [error_told], "skipped": [], "seconds": 0.0}))]

    return act
