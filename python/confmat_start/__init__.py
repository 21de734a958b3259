"""The first lines of the command ``confmat``: an interrupt is answered while imports still run.

A package of its own, as importing anything from ``confmat`` imports all of it.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        answered = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if answered:  # not where interrupts are ignored, as under nohup
            # No exception: code of other languages, in the middle of an import, may swallow it.
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        from confmat.command.cli import load, run

        load()
        if answered:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:])
        if answered:
            signal.signal(signal.SIGINT, lambda *_: os._exit(code))
    except KeyboardInterrupt:
        code = 130
    raise SystemExit(code)
