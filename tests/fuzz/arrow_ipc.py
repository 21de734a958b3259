"""Mutated Arrow IPC files, read by pyarrow and given to the doors: ``arrow_ipc.py COUNT [SEED]``.

The cases run in a process of their own. One that ends it is a find if it ended within a call of
ours; those that end within pyarrow's reader are counted apart. Input i is made from SEED + i, so
``arrow_ipc.py 1 SEED+i`` repeats it alone.
"""

from __future__ import annotations

import io
import mmap
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import ipc

import confmat as cm

ROWS = 24
EDGES = (0, 1, 12, 13, 0x7F, 0xFF, 0x7FFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40)
PHASES = ("start", "reader", "confusion_matrix", "sweep", "weights", "multiclass", "multilabel")
STATUS = struct.Struct("<QB")  # the case at work and the number of its phase


def seeds() -> list[bytes]:
    """Return a file for each kind of column."""
    texts = [["a", "b", "a text of some length", None][i % 4] for i in range(ROWS)]
    data = [None if text is None else text.encode() for text in texts]
    numbers = [i % 3 for i in range(ROWS)]
    columns = [
        pa.array(texts, pa.string_view()),
        pa.array(data, pa.binary_view()),
        pa.array(texts, pa.string()),
        pa.array(texts, pa.large_string()),
        pa.array(texts).dictionary_encode(),
        pa.array(numbers).dictionary_encode(),
        pc.run_end_encode(pa.array(numbers)),
        *(pa.array(numbers, kind) for kind in (pa.int8(), pa.uint16(), pa.int64())),
        pa.array([None if i % 5 == 4 else i % 2 == 0 for i in range(ROWS)]),
        pa.array([i / ROWS for i in range(ROWS)], pa.float32()),
        pa.array([i / ROWS for i in range(ROWS)], pa.float64()),
        pa.array(np.arange(ROWS).astype(np.float16) / ROWS),
        pa.array([[i / ROWS, 1 - i / ROWS] for i in range(ROWS)]),
        pa.array([[i / ROWS, 1 - i / ROWS] for i in range(ROWS)], pa.list_(pa.float32(), 2)),
        pa.array([[text or ""] for text in texts], pa.list_(pa.string_view())),
    ]
    files = []
    for column in columns:
        sink = io.BytesIO()
        table = pa.table({"c": pa.chunked_array([column[:10], column[10:]])})
        with ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        files.append(sink.getvalue())
    return files


def mutated(seed: int, files: list[bytes]) -> bytes:
    """Return a file with a few changes; it depends on the seed alone."""
    choose = random.Random(seed)
    data = bytearray(choose.choice(files))
    for _ in range(1 << choose.randrange(4)):
        at = choose.randrange(len(data) - 8)
        width = choose.choice((1, 4, 4, 8))
        if choose.random() < 0.3:
            data[at] ^= 1 << choose.randrange(8)
            continue
        at -= at % width  # numbers lie so
        value = int.from_bytes(data[at : at + width], "little")
        value = choose.choice((choose.choice(EDGES), value + 1, value - 1, value + ROWS))
        data[at : at + width] = (value % (1 << (8 * width))).to_bytes(width, "little")
    return bytes(data)


def calls(door: Any) -> Iterator[tuple[str, Any]]:
    """Yield the doors, by the name of their phase."""
    rows = len(door)
    if rows > 1000:  # a length that the reader believed
        return
    ones = np.ones(rows, dtype=np.int64)
    yield "confusion_matrix", lambda: cm.confusion_matrix(door, door)
    yield "confusion_matrix", lambda: cm.confusion_matrix(door, door, labels=["a", "b"])
    yield "sweep", lambda: cm.sweep(np.arange(rows) % 2, door, nan="drop")
    yield "sweep", lambda: cm.sweep(door, np.arange(rows) / 7, pos_label="a")
    yield "weights", lambda: cm.confusion_matrix(ones, ones, sample_weight=door)
    yield "multiclass", lambda: cm.multiclass_sweep(np.arange(rows) % 2, door)
    yield "multilabel", lambda: cm.multilabel(door, door)


def run(start: int, end: int, path: str) -> int:
    """Run the cases and print how they ended, as a line of counts."""
    files = seeds()
    ended: Counter[str] = Counter()
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), STATUS.size) as status:
        for case in range(start, end):
            at = [case]

            def phase(name: str, at: list[int] = at) -> None:
                status[:] = STATUS.pack(at[0], PHASES.index(name))

            phase("reader")
            try:
                column = ipc.open_stream(mutated(case, files)).read_all().column(0)
                doors = (column, *column.chunks)
            except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, MemoryError):
                ended["refused by the reader"] += 1
                continue
            for name, call in (one for door in doors for one in calls(door)):
                phase(name)
                try:
                    call()
                    ended["read"] += 1
                except cm.ConfmatError:
                    ended["refused"] += 1
                except BaseException as error:
                    print(f"find: case {case}, {name}: {type(error).__name__}: {error}")
                    return 3
    print(dict(ended))
    return 0


def main(count: int, seed: int) -> int:
    """Run all cases, past those that end their process in the reader."""
    end, next_case, in_reader = seed + count, seed, 0
    with tempfile.NamedTemporaryFile() as file:
        file.write(STATUS.pack(seed, 0))
        file.flush()
        while next_case < end:
            command = [sys.executable, __file__, "--from", str(next_case), str(end), file.name]
            done = subprocess.run(command, check=False)
            if done.returncode == 0:
                break
            file.seek(0)
            case, phase = STATUS.unpack(file.read(STATUS.size))
            name = PHASES[phase]
            if done.returncode == 3 or name != "reader":
                print(f"find: case {case} ended with {done.returncode} in {name}")
                return 1
            in_reader += 1
            next_case = case + 1
    print(f"arrow_ipc: {count} files, no find; {in_reader} ended within pyarrow's reader")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--from":
        sys.exit(run(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
