"""Settings of all tests: how hypothesis searches, fixtures."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# A shell starts what runs in the background with interrupts ignored; tests send some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is collected stays, and to look for garbage among it takes a quarter of the time.
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


# The same examples in every run, so that a change alone makes a test fail; nightly runs search on.
settings.register_profile(
    "default",
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", parent=settings.get_profile("default"), max_examples=5000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def run(capsys, monkeypatch):
    """Return a function that runs a command line; it returns the code, what was printed, errors."""
    from confmat.command import cli

    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments):
        code = cli.run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return code, printed.out, printed.err

    return call


@pytest.fixture
def log(tmp_path):
    """Return a folder with a log of predictions, as Parquet and as CSV."""
    from support.logged import FRAME

    FRAME.write_parquet(tmp_path / "log.parquet")
    FRAME.write_csv(tmp_path / "log.csv")
    return tmp_path
