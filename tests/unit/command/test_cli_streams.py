"""The command as a process: outputs that go away, disks that are full, Ctrl-C at any time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import confmat as cm

pytest.importorskip("typer")

FLIGHTS = str(Path(cm.__file__).parent / "data" / "flights.parquet")
EVALUATE = ["evaluate", FLIGHTS, "--y-true", "delay_class", "--y-pred", "delay_class_pred"]
START = "from confmat_start import main; main()"
COMMANDS = [["metrics"], [*EVALUATE, "--by", "carrier"], ["--help"]]


def shell(line, arguments, program=START):
    """Run a line of the shell in which "$@" is the command."""
    command = ["bash", "-c", line, "bash", sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", COMMANDS, ids=["metrics", "evaluate", "help"])
def test_a_reader_that_goes_away_is_no_error(arguments):
    done = shell('"$@" | true; exit ${PIPESTATUS[0]}', arguments)
    assert (done.returncode, done.stdout, done.stderr) == (141, "", "")


def test_the_module_is_the_command():
    for arguments, code in (["metrics", "mcc"], 0), (["--help"], 0), (["metrics", "no_such"], 2):
        command = [sys.executable, "-m", "confmat", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        other = shell('"$@"', arguments)
        assert (done.returncode, done.stdout, done.stderr) == (code, other.stdout, other.stderr)


def test_the_file_is_written_though_nobody_reads_the_output(tmp_path):
    out = tmp_path / "out.csv"
    done = shell('"$@" | true; exit ${PIPESTATUS[0]}', [*EVALUATE, "--by", "carrier", "--out", out])
    assert (done.returncode, done.stderr) == (141, "")
    assert out.read_text().count("\n") == 17


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_closed_from_the_start(tmp_path, closed):
    out = tmp_path / "out.csv"
    done = shell(f'"$@" {closed}', [*EVALUATE, "--out", out])
    assert done.returncode == 0
    assert done.stderr in ("", f"wrote {out}\n")
    assert out.read_text().startswith("metric,value,reason\n")
    done = shell(f'"$@" {closed}', ["metrics", "no_such"])
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_output_is_one_line():
    done = shell('"$@" > /dev/full', ["metrics"])
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("error: ")
    assert "No space left" in done.stderr
    assert shell('"$@" 2> /dev/full', ["metrics", "no_such"]).returncode == 2


# Send an interrupt to oneself when an import begins, or some time after the first.
AT_IMPORT = """
import os, signal, sys, threading
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            send = lambda: os.kill(os.getpid(), signal.SIGINT)
            {how}
sys.meta_path.insert(0, Watch())
"""


def interrupted(name, how):
    program = AT_IMPORT.format(name=name, how=how) + START
    return shell('exec "$@"', ["demo"], program)


@pytest.mark.parametrize(
    "name",
    ["confmat", "polars", "numpy", "confmat._core", "typer", "confmat.command.job"],
)
def test_an_interrupt_during_imports(name):
    done = interrupted(name, "send()")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 0.7])
def test_an_interrupt_at_any_time(delay):
    done = interrupted("confmat", f"threading.Timer({delay}, send).start()")
    assert (done.returncode, done.stderr) in [(130, ""), (0, "")]
    assert done.returncode == 130 or delay > 0.2
