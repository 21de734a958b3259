"""The example log as files: each whole or not there, in memory that does not grow with the log."""

from __future__ import annotations

import io
import re
import shutil
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import clear_frames
from typing import Any, BinaryIO

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError
from confmat.example_logs.rows import SCHEMA, rows
from confmat.whole_file import write_whole

_AT_ONCE = 1 << 16  # rows that are made together: their columns fit the cache
_SAMPLE = 1 << 17
_ROWS_A_FILE = 5_000_000
_MOST_FILES = 100_000
_LOOK = 0.1  # seconds between two calls of `advance`
_PATIENCE = 1.0  # seconds for threads of Polars to end after a failure; it may forget what it has

_SINKS: dict[str, Callable[[pl.LazyFrame, BinaryIO], object]] = {
    "parquet": lambda frame, file: frame.sink_parquet(
        file, compression="zstd", compression_level=1
    ),
    "csv": lambda frame, file: frame.sink_csv(file),
    "ndjson": lambda frame, file: frame.sink_ndjson(file),
}
FORMATS = tuple(_SINKS)


def write_example_log(
    folder: str | Path,
    n: int,
    *,
    files: int | None = None,
    format: str = "parquet",
    seed: int = 0,
    force: bool = False,
    advance: Callable[[int, int], object] | None = None,
) -> list[Path]:
    """Write an example log of `n` rows, and return its files in order of time.

    The rows are those of `rows`, whatever the number of files and their format.

    Parameters
    ----------
    folder : path
        Made where it is not there.
    n : int
        At least 1.
    files : int, optional
        From 1 to `n`, of equal sizes. Default: one for every 5 million rows.
    format : {"parquet", "csv", "ndjson"}
        Files are called `log-0001.parquet` and so on.
    seed : int
        Other seeds give other rows.
    force : bool
        Take away an example log of this format that is there. Default: refuse.
    advance : function of two int, optional
        Called now and then with the rows and bytes that were written since.

    Raises
    ------
    InputError
        Arguments out of range; a log of this format is there, or the disk has no room for it.
    OSError
        A file could not be written. It is not there then; those before it are.

    Notes
    -----
    An interrupt is answered at once: files that are done stay, the one begun does not.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> paths = write_example_log(folder.name, 1_000, files=2)
    >>> [path.name for path in paths], pl.read_parquet(paths).equals(rows(0, 1_000, of=1_000))
    (['log-0001.parquet', 'log-0002.parquet'], True)
    >>> folder.cleanup()
    """
    if n < 1:
        raise InputError(f"`rows` is {n:,}; wanted at least 1")
    if format not in _SINKS:
        raise InputError(f"`format` is {format!r}; wanted one of {', '.join(FORMATS)}")
    if files is None:
        files = min(-(-n // _ROWS_A_FILE), _MOST_FILES)
    if not 1 <= files <= min(n, _MOST_FILES):
        raise InputError(
            f"`files` is {files:,}; wanted 1 to {min(n, _MOST_FILES):,} for {n:,} rows"
        )
    folder = Path(folder)
    _make_room(folder, n, format, seed, force)
    paths = [folder / f"log-{at:04d}.{format}" for at in range(1, files + 1)]
    for at, path in enumerate(paths):
        part = _Part(n * at // files, n * (at + 1) // files, n, seed, format)
        part.write(path, advance or (lambda rows, size: None))
    return paths


def _make_room(folder: Path, n: int, format: str, seed: int, force: bool) -> None:
    """Make the folder, look for a log that is there and for space."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{str(folder)!r} is no folder, or lies in a file") from None
    old = [path for path in folder.iterdir() if re.fullmatch(rf"log-\d{{4,}}\.{format}", path.name)]
    if old and not force:
        raise InputError(
            f"{str(min(old))!r} is there already; `force` replaces the log, or name another folder"
        )
    sample = io.BytesIO()
    _SINKS[format](rows(0, min(n, _SAMPLE), of=n, seed=seed).lazy(), sample)
    needed = len(sample.getvalue()) * max(n / _SAMPLE, 1)
    free = shutil.disk_usage(folder).free + sum(path.stat().st_size for path in old)
    if needed > free:
        raise InputError(
            f"{n:,} rows need about {needed / 1e6:,.0f} MB in {str(folder)!r}, which has room for "
            f"{free / 1e6:,.0f} MB"
        )
    for path in old:
        path.unlink()


class _Part:
    """One file of the log, written by a thread of its own, which no interrupt tears."""

    def __init__(self, first: int, last: int, of: int, seed: int, format: str) -> None:
        self.first, self.last, self.of, self.seed = first, last, of, seed
        self.sink = _SINKS[format]
        self.rows = self.bytes = 0
        self.stop = False
        self.ended = threading.Event()
        self.failed: BaseException | None = None
        self.lent: list[weakref.ref[Any]] = []  # what threads of Polars call

    def write(self, path: Path, advance: Callable[[int, int], object]) -> None:
        """Write the file; what goes wrong is raised when nothing of it is left."""
        work = threading.Thread(target=self._write, args=[path])
        told = 0, 0
        try:
            work.start()
            while not self.ended.wait(_LOOK):  # `join` takes an interrupt for the end of a thread
                told = self._tell(advance, told)
        except BaseException:
            self.stop = True
            if work.ident is not None:  # it was started
                self.ended.wait()
            raise
        self._tell(advance, told)
        if isinstance(self.failed, OSError):
            why = self.failed.strerror or str(self.failed)
            raise OSError(self.failed.errno, f"{why}; files before it are whole", str(path))
        if self.failed is not None:
            raise self.failed

    def _tell(
        self, advance: Callable[[int, int], object], told: tuple[int, int]
    ) -> tuple[int, int]:
        now = self.rows, self.bytes
        advance(now[0] - told[0], now[1] - told[1])
        return now

    def _write(self, path: Path) -> None:
        frame = register_io_source(lambda *_: self._lend(self._batches()), schema=SCHEMA)
        try:
            write_whole(path, lambda file: self.sink(frame, self._lend(_Watched(self, file))))
        except BaseException as error:
            self.failed = self.failed or error
            clear_frames(error.__traceback__)
            self._await_threads()
        finally:
            self.ended.set()

    def _lend(self, lent: Any) -> Any:
        self.lent.append(weakref.ref(lent))
        return lent

    def _await_threads(self) -> None:
        """Wait until Polars lets go of all: a thread that calls Python as that ends, aborts it."""
        end = time.monotonic() + _PATIENCE
        while any(lent() is not None for lent in self.lent) and time.monotonic() < end:
            time.sleep(0.01)

    def _batches(self) -> Iterator[pl.DataFrame]:
        for first in range(self.first, self.last, _AT_ONCE):
            if self.stop or self.failed is not None:  # Polars would ask for all that is left
                raise InterruptedError
            last = min(first + _AT_ONCE, self.last)
            yield rows(first, last, self.of, self.seed)
            self.rows += last - first


class _Watched(io.RawIOBase):
    """A file whose bytes are counted, and whose first error is kept as it was."""

    def __init__(self, part: _Part, file: BinaryIO) -> None:
        self.part, self.file = part, file

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        try:
            self.part.bytes += self.file.write(data)
        except OSError as error:
            self.part.failed = error
            raise
        return len(data)
