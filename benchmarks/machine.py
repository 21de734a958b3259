"""What a run was measured on, and the peak memory of one call."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

import confmat
from confmat import _core

T = TypeVar("T")

_PACKAGES = ("polars", "numpy", "duckdb", "scikit-learn", "polars-ds")
_ISA = ("avx2", "avx512f", "avx512bw", "avx512vbmi", "asimd", "sve")
_MIB = 2**20


def fingerprint() -> dict[str, Any]:
    """Return the processor, memory, system and versions; None for what cannot be read."""
    cpu = _fields(Path("/proc/cpuinfo"))
    flags = (cpu.get("flags") or cpu.get("Features") or "").split()
    memory = _fields(Path("/proc/meminfo")).get("MemTotal")
    return {
        "cpu": cpu.get("model name") or platform.processor() or platform.machine(),
        "cpu_id": " ".join(cpu.get(key, "?") for key in ("cpu family", "model", "stepping")),
        "cores": len(os.sched_getaffinity(0)),
        "isa": [name for name in _ISA if name in flags],
        "caches": _caches(),
        "ram_gib": round(int(memory.split()[0]) / 2**20, 1) if memory else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {
            "confmat": confmat.__version__,
            **{name: _version(name) for name in _PACKAGES},
        },
        "core_sha256": hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:16],
        "polars_threads": pl.thread_pool_size(),
    }


def with_peak(run: Callable[[], T]) -> tuple[T, float | None]:
    """Run once; return the result and by how many MiB the resident set grew at its peak.

    None where the kernel does not let a process reset its own high-water mark. Memory that an
    allocator kept from an earlier call is not seen, so this is a lower bound.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return run(), None
    before = _resident("VmRSS")
    result = run()
    return result, round(max(0, _resident("VmHWM") - before) / _MIB, 1)


def _resident(key: str) -> int:
    return int(_fields(Path("/proc/self/status"))[key].split()[0]) * 1024


def _fields(path: Path) -> dict[str, str]:
    """Return the first value of every `key: value` line."""
    if not path.exists():
        return {}
    found: dict[str, str] = {}
    for line in path.read_text().splitlines():
        key, _, value = line.partition(":")
        found.setdefault(key.strip(), value.strip())
    return found


def _caches() -> dict[str, str]:
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (folder / name).read_text().strip() if (folder / name).exists() else "?"
            for name in ("level", "type", "size")
        )
        found[f"L{level} {kind.lower()}"] = size
    return found


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
