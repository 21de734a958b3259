"""A file written whole or not at all: into a temporary file beside it, synced, then renamed."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from confmat.errors import InputError

# What file systems answer that cannot sync a folder, or that know no owners.
_CANNOT = (errno.EINVAL, errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EBADF)


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Give `path` what `write` writes; on any failure it keeps what it had.

    A link is followed: the file that it names is replaced. An existing file keeps its permissions
    and owner; one that may not be written to is not replaced. A pipe or a device has nothing to
    keep, and is written to as it is.
    """
    target = target_of(path)
    old = _status(target)
    if old is not None and not stat.S_ISREG(old.st_mode):
        with target.open("wb") as stream:
            write(stream)
        return
    part = target.parent / f".confmat-{secrets.token_hex(8)}.part"
    mode = 0o666 if old is None else 0o600  # a new file: less what the umask takes
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(file, "wb") as stream:
            write(stream)
            stream.flush()
            if old is not None:
                _keep(file, old)
            os.fsync(file)
        os.replace(part, target)  # the one moment at which the file changes
    except BaseException:
        with suppress(FileNotFoundError):
            part.unlink()
        raise
    _sync_folder(target.parent)


def target_of(path: Path) -> Path:
    """Return the file that a path names, links followed; InputError if it cannot be written."""
    target = Path(os.path.realpath(path))
    told = repr(str(path))
    if path.is_symlink():
        told += f", a link to {str(target)!r}"
    if target.is_symlink():
        raise InputError(f"{told} is a link that leads to itself")
    if target.is_dir():
        raise InputError(f"{told} is a folder")
    if not target.parent.is_dir():
        raise InputError(f"{told}; there is no folder {str(target.parent)!r}")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{told} may not be written to")
    return target


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _keep(file: int, old: os.stat_result) -> None:
    """Give a new file the owner and then the permissions of the old one, as far as one may."""
    try:
        os.fchown(file, old.st_uid, old.st_gid)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    os.fchmod(file, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the file system can."""
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # a folder that may be written to and not read
        return
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    finally:
        os.close(opened)
