"""Files are written whole or not at all: full disks, links, permissions, pipes."""

import os
import resource
import stat
import threading

import polars as pl
import pytest

import confmat as cm
from confmat.whole_file import target_of, write_whole

FRAME = pl.DataFrame({"a": range(500), "b": [f"text {at}" for at in range(500)]})
WRITERS = {
    "csv": lambda file: file.write(FRAME.write_csv().encode()),
    "parquet": FRAME.write_parquet,
    "bytes": lambda file: file.write(b"x" * 5_000),
}


@pytest.fixture
def small_disk():
    """Return a function that limits the size of files; the limit ends with the test."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_full_disk_leaves_the_old_file_and_no_torn_one(kind, tmp_path, small_disk):
    path = tmp_path / "out"
    write_whole(path, WRITERS[kind])
    whole = path.read_bytes()
    sizes = sorted({*range(1, len(whole), len(whole) // 40), *range(len(whole) - 8, len(whole))})
    for size in sizes:
        path.write_bytes(b"old")
        small_disk(size)
        with pytest.raises((OSError, pl.exceptions.PolarsError)):
            write_whole(path, WRITERS[kind])
        small_disk(resource.RLIM_INFINITY)
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["out"]
    small_disk(len(whole))
    write_whole(path, WRITERS[kind])
    small_disk(resource.RLIM_INFINITY)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ValueError])
def test_what_goes_wrong_in_the_middle_leaves_the_old_file(error, tmp_path):
    def fail(file):
        file.write(b"half")
        raise error

    for old in (b"old", None):
        if old is None:
            (tmp_path / "out").unlink()
        else:
            (tmp_path / "out").write_bytes(old)
        with pytest.raises(error):
            write_whole(tmp_path / "out", fail)
        assert os.listdir(tmp_path) == ([] if old is None else ["out"])
    assert not (tmp_path / "out").exists()


def test_the_file_and_then_its_folder_are_synced(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    seen = []
    sync = os.fsync

    def watched(file):
        kind = "folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file"
        seen.append((kind, os.fstat(file).st_size if kind == "file" else None, path.read_bytes()))
        sync(file)

    monkeypatch.setattr(os, "fsync", watched)
    write_whole(path, lambda file: file.write(b"new text"))
    assert seen == [("file", 8, b"old"), ("folder", None, b"new text")]


def test_a_folder_that_cannot_be_synced_is_no_failure(tmp_path, monkeypatch):
    sync = os.fsync

    def refuse(file):
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(22, "Invalid argument")
        sync(file)

    monkeypatch.setattr(os, "fsync", refuse)
    write_whole(tmp_path / "out", lambda file: file.write(b"new"))
    assert (tmp_path / "out").read_bytes() == b"new"


def test_a_disk_that_fails_at_the_sync_leaves_the_old_file(tmp_path, monkeypatch):
    def fail(_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    (tmp_path / "out").write_bytes(b"old")
    with pytest.raises(OSError, match="Input/output"):
        write_whole(tmp_path / "out", lambda file: file.write(b"new"))
    assert (tmp_path / "out").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out"]


def test_links_are_followed(tmp_path):
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "file"
    (tmp_path / "link").symlink_to("far/second")
    (tmp_path / "far" / "second").symlink_to("file")
    for text in (b"first", b"second"):  # the file is not there, then it is
        write_whole(tmp_path / "link", lambda file, text=text: file.write(text))
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "far" / "second").is_symlink()
        assert target.read_bytes() == text
        assert not target.is_symlink()
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(cm.InputError, match="a link that leads to itself"):
        target_of(tmp_path / "circle")
    (tmp_path / "lost").symlink_to("nowhere/file")
    with pytest.raises(cm.InputError, match=r"a link to '.*nowhere/file'; there is no folder"):
        target_of(tmp_path / "lost")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_are_kept(mode, tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_whole(path, lambda file: file.write(b"new"))
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_is_kept(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    os.chown(path, 1234, 4321)
    write_whole(path, lambda file: file.write(b"new"))
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


def test_a_new_file_has_the_usual_permissions(tmp_path):
    old = os.umask(0o027)
    try:
        write_whole(tmp_path / "out", lambda file: file.write(b"new"))
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


def test_a_long_name_fits(tmp_path):
    path = tmp_path / ("n" * 255)
    write_whole(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"


def test_what_is_no_file_is_written_to_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_whole(tmp_path / "pipe", lambda file: file.write(b"new"))
    reader.join(10)
    assert got == [b"new"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    (tmp_path / "null").symlink_to(os.devnull)
    write_whole(tmp_path / "null", lambda file: file.write(b"new"))
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(cm.InputError, match="is a folder"):
        target_of(tmp_path)


def test_a_file_that_may_not_be_written_to_is_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "out").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may everything
    with pytest.raises(cm.InputError, match="may not be written to"):
        write_whole(tmp_path / "out", lambda file: file.write(b"new"))
    assert (tmp_path / "out").read_bytes() == b"old"
