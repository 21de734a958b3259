"""Progress is told where somebody looks, seldom, and never at the cost of the job."""

import os
import pty
import re
import subprocess
import sys
import types

import pytest

from confmat.logs import progress as module
from confmat.logs.progress import Progress
from confmat.logs.progress_views import view_of

JOB = """
import sys, time
from confmat.logs.progress import Progress
{before}
with Progress(total_bytes=40_000_000, total_rows={total}, shown={shown}) as progress:
    for _ in range(40):
        time.sleep({pause})
        progress.advance(100_000, 1_000_000)
print(progress.rows)
"""


def job(before="", shown=None, pause=0.02, total=4_000_000):
    return [sys.executable, "-c", JOB.format(before=before, shown=shown, pause=pause, total=total)]


def in_terminal(command, **more):
    """Return what a command writes to an error stream that is a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm", **more}
    done = subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE, env=environment)
    os.close(theirs)
    told = b""
    try:
        while part := os.read(ours, 1 << 16):
            told += part
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(ours)
    assert done.communicate()[0] == b"4000000\n"
    assert done.returncode == 0
    return told.decode()


def told_by(text):
    """Return the texts that were told, without what moves and colours them."""
    return re.findall(
        r"[\d.]+ of 4\.0 M rows, \d+ of 40 MB, \d:\d\d left, [\d.,]+ [kM] rows/s", text
    )


def test_a_terminal_has_a_bar_that_goes_away():
    pytest.importorskip("rich")
    written = in_terminal(job())
    told = told_by(written)
    assert 2 <= len(set(told)) <= 8  # in 0.8 seconds, the first 0.5 without
    assert "━" in written
    assert written.rindex("\x1b[2K") > written.rindex(told[-1])  # the line is cleared at the end
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")  # the cursor is there again


def test_a_terminal_without_rich_has_a_line_that_goes_away():
    written = in_terminal(job("sys.modules['rich'] = None"))
    assert 2 <= len(set(told_by(written))) <= 8
    assert "━" not in written
    assert "\n" not in written
    assert written.endswith("\r\x1b[K")
    narrow = in_terminal(job("sys.modules['rich'] = None"), COLUMNS="30")
    lines = [line for line in re.split(r"\r|\x1b\[K", narrow) if line]
    assert max(map(len, lines)) == 29
    assert lines[0].startswith("reading ")


@pytest.mark.parametrize(
    ("more", "environment"),
    [
        ({"shown": False}, {}),
        ({"pause": 0.005}, {}),  # done before anyone could ask
        ({}, {"TERM": "dumb"}),
    ],
)
def test_a_terminal_stays_empty(more, environment):
    assert in_terminal(job(**more), **environment) == ""


def test_what_is_no_terminal_has_lines_where_asked_for():
    done = subprocess.run(job(shown=True), capture_output=True, text=True, check=True)
    first, last = done.stderr.splitlines()
    assert first == "reading 0% 0.0 of 4.0 M rows, 0 of 40 MB, 0 rows/s"
    assert re.match(r"reading (8|9|10)\d?\d% ", last)
    assert subprocess.run(job(), capture_output=True, check=True).stderr == b""


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", "2> >(exec true)"])
def test_an_error_stream_that_is_closed_is_no_failure(closed):
    command = job(shown=True, pause=0.001)
    done = subprocess.run(
        ["bash", "-c", f'"$@" {closed}', "bash", *command], capture_output=True, check=False
    )
    assert done.stdout == b"4000000\n"


class Clock:
    """A time that passes as told; it replaces that of the module."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(module, "monotonic", lambda: self.now)


class Kept:
    """A view that keeps what it is told."""

    def __init__(self, good=True):
        self.told, self.good, self.closed = [], good, 0

    def show(self, text, share):
        self.told.append((text, share))
        return self.good

    def close(self):
        self.closed += 1


def test_at_most_ten_updates_a_second_after_half_a_second(monkeypatch):
    clock, view = Clock(monkeypatch), Kept()
    monkeypatch.setattr(module, "view_of", lambda doing, always: view)
    with Progress(total_rows=10_000) as progress:
        for _ in range(2_000):
            clock.now += 0.001
            progress.advance(5)
    assert 14 <= len(view.told) <= 16
    assert view.told[0] == ("2.5 of 10.0 k rows, 0:02 left, 5,000 rows/s", 0.25)
    assert (progress.rows, progress.bytes, view.closed) == (10_000, 0, 1)
    progress.advance(5)  # a job that is over tells nothing
    clock.now += 9
    progress.advance(5)
    assert len(view.told) <= 16


def test_the_rate_is_that_of_the_last_ten_seconds(monkeypatch):
    clock, view = Clock(monkeypatch), Kept()
    monkeypatch.setattr(module, "view_of", lambda doing, always: view)
    with Progress() as progress:
        progress.advance(10**9)  # known from before, say
        for _ in range(400):
            clock.now += 0.1
            progress.advance(1_000, 1)
    assert view.told[-1] == ("1,000.4 M rows, 0 MB, 10.0 k rows/s", None)


def test_time_left_is_told_by_bytes_where_their_number_is_known(monkeypatch):
    clock, view = Clock(monkeypatch), Kept()
    monkeypatch.setattr(module, "view_of", lambda doing, always: view)
    with Progress(total_bytes=4_000_000, total_rows=1_000, shown=True) as progress:
        clock.now += 1
        progress.advance(900, 1_000_000)
        clock.now += 1
        progress.advance(200, 4_000_000)  # more than there should be
    texts = ["0 of 1,000 rows, 0 of 4 MB, 0 rows/s"]
    texts.append("900 of 1,000 rows, 1 of 4 MB, 0:03 left, 900 rows/s")
    texts.append("1,100 of 1,000 rows, 5 of 4 MB, 0:00 left, 550 rows/s")
    assert view.told == list(zip(texts, [0.0, 0.25, 1.0], strict=True))


def test_a_view_that_fails_is_left_alone(monkeypatch):
    clock, view = Clock(monkeypatch), Kept(good=False)
    monkeypatch.setattr(module, "view_of", lambda doing, always: view)
    with Progress(shown=True) as progress:
        for _ in range(10):
            clock.now += 1
            progress.advance(1)
    assert (len(view.told), view.closed) == (1, 1)


@pytest.fixture
def kernel(monkeypatch):
    """Pretend to be in a notebook; return what its outputs hold, and how often each changed."""
    outputs = []

    class Handle:
        def __init__(self, at):
            self.at = at

        def update(self, bundle, *, raw):
            assert raw
            outputs[self.at].append(bundle)

    def display(bundle, *, raw, display_id):
        assert raw
        assert display_id
        outputs.append([bundle])
        return Handle(len(outputs) - 1)

    shell = types.SimpleNamespace(kernel=object())
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: shell
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    return types.SimpleNamespace(outputs=outputs, shell=shell, display=ipython.display)


def test_a_notebook_has_one_output_that_changes(kernel, monkeypatch):
    clock = Clock(monkeypatch)
    with Progress(total_rows=100, doing="<b>") as progress:
        for _ in range(10):
            clock.now += 0.2
            progress.advance(10)
    (changes,) = kernel.outputs
    assert 7 <= len(changes) <= 9
    assert changes[0] == {
        "text/html": '<progress max=1 value="0.3000"></progress> '
        "&lt;b&gt; 30 of 100 rows, 0:01 left, 50 rows/s",
        "text/plain": "<b> 30 of 100 rows, 0:01 left, 50 rows/s",
    }
    assert changes[-1] == {"text/html": "", "text/plain": ""}


def test_a_notebook_that_cannot_show_is_no_failure(kernel, monkeypatch):
    clock = Clock(monkeypatch)
    kernel.display.display = lambda *_, **__: 1 / 0
    with Progress(shown=True) as progress:
        clock.now += 1
        progress.advance(10)
    assert progress.rows == 10


def test_a_shell_of_ipython_is_no_notebook(kernel, capsys):
    del kernel.shell.kernel
    with Progress(shown=True):
        pass
    assert kernel.outputs == []
    assert capsys.readouterr().err == "reading 0 rows, 0 rows/s\n"


@pytest.mark.parametrize("gone", [None, "closed"])
def test_there_may_be_no_error_stream(gone, monkeypatch):
    stream = None
    if gone:
        stream = open(os.devnull, "w")  # noqa: SIM115
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    assert view_of("reading", always=True) is None
