"""How far a long job is: rows, bytes, their rate and the time left."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from confmat.logs.progress_views import View, view_of

if TYPE_CHECKING:
    from types import TracebackType

    Units = tuple[tuple[float, float, str, int], ...]  # from where on, size, name, decimals

_BETWEEN = 0.1  # seconds between two updates
_PATIENCE = 0.5  # seconds that a job may take without a word
_REMEMBERED = 100  # updates that a rate is over: ten seconds
_ROWS: Units = ((1e6, 1e6, " M", 1), (1e4, 1e3, " k", 1), (0, 1, "", 0))
_BYTES: Units = ((1e10, 1e9, " GB", 1), (0, 1e6, " MB", 0))


class Progress:
    """Tells of a job in a terminal or a notebook while it is worked on; nothing is left of it.

    Telling never breaks the job: an output that cannot be written to is not told of any more.

    Parameters
    ----------
    total_bytes, total_rows : int, optional
        All that there is to do, where it is known; the time left is told by the bytes, else by the
        rows.
    shown : bool, optional
        True tells from the start, in lines of their own where the error stream is neither a
        terminal nor in a notebook; False never. Default: in a terminal or a notebook, of a job that
        takes more than half a second.
    doing : str
        What the job does.

    Examples
    --------
    >>> with Progress(total_rows=1_000, shown=False) as progress:
    ...     progress.advance(400, 4_096)
    ...     progress.advance(600, 6_144)
    >>> progress.rows, progress.bytes
    (1000, 10240)
    """

    def __init__(
        self,
        total_bytes: int | None = None,
        total_rows: int | None = None,
        shown: bool | None = None,
        doing: str = "reading",
    ) -> None:
        self.rows = self.bytes = 0
        self.total_bytes, self.total_rows, self.doing = total_bytes, total_rows, doing
        self._shown = shown
        self._view: View | None = None
        self._next = float("inf")

    def __enter__(self) -> Progress:
        started = monotonic()
        self._passed = deque([(started, 0, 0)], maxlen=_REMEMBERED)
        if self._shown is None:
            self._next = started + _PATIENCE
        elif self._shown:
            self._next = started
            self.advance()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._next = float("inf")
        if self._view is not None:
            self._view.close()
            self._view = None

    def advance(self, rows: int = 0, bytes: int = 0) -> None:
        """Tell that so many more rows and bytes are done. For one thread at a time."""
        self.rows += rows
        self.bytes += bytes
        now = monotonic()
        if now >= self._next:
            self._next = now + _BETWEEN
            self._tell(now)

    def _tell(self, now: float) -> None:
        if self._view is None:
            self._view = view_of(self.doing, always=bool(self._shown))
        text = self.text(now)
        self._passed.append((now, self.rows, self.bytes))
        if self._view is None or not self._view.show(text, self.share):
            self._next = float("inf")

    @property
    def share(self) -> float | None:
        """What is done of all, from 0 to 1; None where that is not known."""
        done, total = self._measured()
        return min(done / total, 1.0) if total else None

    def text(self, now: float) -> str:
        """Return what is told at a time."""
        then, rows, bytes = self._passed[0]
        passed = max(now - then, 1e-9)
        told = [f"{_amount(self.rows, self.total_rows, _ROWS)} rows"]
        if self.bytes or self.total_bytes:
            told.append(_amount(self.bytes, self.total_bytes, _BYTES))
        done, total = self._measured()
        speed = (done - (bytes if self.total_bytes else rows)) / passed
        if total and speed > 0:
            told.append(f"{_clock(max(total - done, 0) / speed)} left")
        told.append(f"{_amount((self.rows - rows) / passed, None, _ROWS)} rows/s")
        return ", ".join(told)

    def _measured(self) -> tuple[int, int | None]:
        """Return what tells the time left, and all of it."""
        if self.total_bytes:
            return self.bytes, self.total_bytes
        return self.rows, self.total_rows


def _amount(done: float, total: int | None, units: Units) -> str:
    """Return how much is done of all in few characters, with one unit for both.

    Examples
    --------
    >>> [_amount(done, None, _ROWS) for done in (0, 950.2, 12_345, 6_400_000)]
    ['0', '950', '12.3 k', '6.4 M']
    >>> _amount(12_500_000, 50_000_000, _ROWS), _amount(1.5e8, 20_000_000_000, _BYTES)
    ('12.5 of 50.0 M', '0.1 of 20.0 GB')
    """
    most = total if total else done
    _, size, unit, places = next(unit for unit in units if most >= unit[0])
    text = f"{done / size:,.{places}f}"
    return f"{text} of {total / size:,.{places}f}{unit}" if total else f"{text}{unit}"


def _clock(seconds: float) -> str:
    """Return a time as a clock shows it.

    Examples
    --------
    >>> [_clock(seconds) for seconds in (0.2, 59.6, 3_600, 200_000)]
    ['0:00', '1:00', '1:00:00', '55:33:20']
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
