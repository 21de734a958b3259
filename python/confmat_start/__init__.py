"""The first lines of the command ``confmat``: an interrupt is answered while imports still run.

A package of its own, as importing anything from ``confmat`` imports Polars.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    # No exception while imports run: code of other languages may swallow it there.
    leave_with: int | None = 130

    def answer(number: int, frame: object) -> None:
        if leave_with is not None:
            os._exit(leave_with)
        signal.default_int_handler(number, None)

    try:
        # Not where interrupts are ignored, as under nohup. Once, and before Polars is imported: it
        # puts its own answer, which ends queries, before the one that it finds.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, answer)
        from confmat.command.cli import load, run

        load()
        leave_with = None
        code = run(sys.argv[1:])
        leave_with = code
    except KeyboardInterrupt:
        code = leave_with = 130
    raise SystemExit(code)
