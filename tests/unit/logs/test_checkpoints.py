"""Checkpoints: after a stop at any time the same call goes on, and gives the same bytes."""

import os
import random
import resource
import subprocess
import sys
import types
import warnings

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.command import cli
from confmat.logs import checkpoints, reading, run

ASKED = {"y_true": "y", "y_pred": "p", "by": ["site", "day"]}
KILLS = int(os.environ.get("CONFMAT_KILLS", "200")) // 2  # of each seed


def rows_of(seed, n):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "site": rng.choice(["a", "b", "c"], n),
            "day": rng.integers(0, 5, n),
            "y": rng.integers(0, 3, n),
            "p": rng.integers(0, 3, n),
            "s": rng.random(n).astype(np.float32),
        }
    )


@pytest.fixture
def log(tmp_path):
    folder = tmp_path / "log"
    folder.mkdir()
    for seed in range(3):
        rows_of(seed, 2_000).write_parquet(folder / f"{seed}.parquet", row_group_size=500)
    return folder


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 300)
    monkeypatch.setattr(checkpoints, "_FIRST", 0.0)
    monkeypatch.setattr(checkpoints, "_MOST", 0.0)


class Stop(BaseException):
    pass


@pytest.mark.parametrize(
    "asked", [ASKED, {"y_true": "y", "y_pred": "p"}, ASKED | {"where": pl.col("day") > 1}]
)
def test_a_stopped_run_goes_on(log, tmp_path, monkeypatch, asked):
    whole = cm.evaluate(log, **asked).to_bytes()
    file = tmp_path / "run.ckpt"
    counted = run.SliceStates.counted
    batches = [0]

    def stops(states, batch):
        batches[0] += 1
        if batches[0] % 4 == 0:
            raise Stop
        return counted(states, batch)

    monkeypatch.setattr(run.SliceStates, "counted", stops)
    for _ in range(30):
        try:
            found = cm.evaluate(log, checkpoint=file, **asked).to_bytes()
            break
        except Stop:
            continue
    assert found == whole
    assert 12 < batches[0] < 60  # some were read again, none from the start


def test_what_is_done_is_not_read_again_and_new_files_are(log, tmp_path, monkeypatch):
    file = tmp_path / "run.ckpt"
    cm.evaluate(log, checkpoint=file, **ASKED)
    counted = []
    add = run.SliceStates.counted
    monkeypatch.setattr(
        run.SliceStates, "counted", lambda s, batch: counted.append(batch.height) or add(s, batch)
    )
    rows_of(9, 250).write_parquet(log / "9.parquet")
    again = cm.evaluate(log, checkpoint=file, **ASKED)
    assert counted == [250]
    assert again.to_bytes() == cm.evaluate(log, **ASKED).to_bytes()
    counted.clear()
    assert cm.evaluate(log, checkpoint=file, **ASKED) == again
    assert counted == []
    (log / "0.parquet").unlink()  # it was read, and counts
    assert cm.evaluate(log, checkpoint=file, **ASKED) == again


def test_rows_of_files_outside_the_source_are_told(log, tmp_path, capsys):
    file = tmp_path / "run.ckpt"
    whole = cm.evaluate(log, checkpoint=file, **ASKED)
    (tmp_path / "other").mkdir()
    rows_of(9, 250).write_parquet(tmp_path / "other" / "9.parquet")
    with pytest.warns(UserWarning, match=rf"of {len(list(log.iterdir()))} files outside `source`,"):
        both = cm.evaluate(tmp_path / "other", checkpoint=file, **ASKED)
    assert both.n == whole.n + 250
    (log / "0.parquet").rename(tmp_path / "other" / "0.parquet")
    with pytest.warns(UserWarning, match="outside `source`"):  # it moved into the source
        assert cm.evaluate(tmp_path / "other", checkpoint=file, **ASKED) == both
    words = ["--y-true", "y", "--y-pred", "p", "--by", "site,day", "--checkpoint", str(file)]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert cli.run(["evaluate", str(tmp_path / "other"), *words]) == 0
    told = capsys.readouterr().err
    assert told.startswith("warning: `--checkpoint` ")
    assert " files that are not named, which count; the first: " in told


def test_a_source_that_changed_is_refused(log, tmp_path):
    file = tmp_path / "run.ckpt"
    cm.evaluate(log, checkpoint=file, **ASKED)
    status = (log / "1.parquet").stat()
    rows_of(5, 2_000).write_parquet(log / "1.parquet", row_group_size=500)
    os.utime(log / "1.parquet", ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(
        cm.StateError, match=r"1\.parquet has changed since .*(size|content) differs"
    ):
        cm.evaluate(log, checkpoint=file, **ASKED)
    os.utime(log / "1.parquet")
    with pytest.raises(cm.StateError, match=r"1\.parquet has changed since"):
        cm.evaluate(log, checkpoint=file, **ASKED)
    file.unlink()  # what the message says
    cm.evaluate(log, checkpoint=file, **ASKED)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"y_pred": "y"}, "`y_pred` was 'p' and is 'y'"),
        ({"y_pred": {"a": "p"}}, "`y_pred` was 'p' and is {'a': 'p'}"),
        ({"by": "site"}, "`by` was"),
        ({"labels": [0, 1]}, r"`labels` was not given and is \[0, 1\]"),
        ({"nan": "drop"}, "`nan` was 'raise' and is 'drop'"),
    ],
)
def test_a_checkpoint_of_another_question_is_refused(log, tmp_path, change, named):
    file = tmp_path / "run.ckpt"
    cm.evaluate(log, checkpoint=file, **ASKED)
    with pytest.raises(cm.StateError, match=f"is of another evaluation: {named}") as caught:
        cm.evaluate(log, checkpoint=file, **ASKED | change)
    assert isinstance(caught.value, cm.InputError)
    # How numbers are read is not kept in states, and may differ.
    assert cm.evaluate(log, checkpoint=file, **ASKED, metrics="mcc").n == 6_000


def test_no_part_and_no_flip_of_a_checkpoint_is_taken(log, tmp_path):
    file = tmp_path / "run.ckpt"
    cm.evaluate(log, checkpoint=file, y_true="y", y_pred="p")
    whole = file.read_bytes()
    random.seed(3)
    bad = [whole[:size] for size in random.sample(range(len(whole)), 60)]
    for at in random.sample(range(8 * len(whole)), 60):
        changed = bytearray(whole)
        changed[at // 8] ^= 1 << at % 8
        bad.append(bytes(changed))
    bad += [b"", b"garbage" * 100, cm.confusion_matrix([0, 1], [0, 1]).to_bytes()]
    for data in bad:
        file.write_bytes(data)
        with pytest.raises(cm.StateError, match="`checkpoint`"):
            cm.evaluate(log, checkpoint=file, y_true="y", y_pred="p")


def test_a_file_that_changes_while_it_is_read_is_named(log, monkeypatch):
    counted = run.SliceStates.counted

    def grows(states, batch):
        rows_of(7, 2_000).write_parquet(log / "2.parquet", row_group_size=400)
        return counted(states, batch)

    (log / "0.parquet").unlink()
    (log / "1.parquet").unlink()
    monkeypatch.setattr(run.SliceStates, "counted", grows)
    with pytest.raises(
        (cm.StateError, cm.InputError), match=r"2\.parquet (has changed while|cannot)"
    ):
        cm.evaluate(log, **ASKED)


@pytest.mark.parametrize("room", [0, 100, 1_000])
def test_a_disk_that_is_full_leaves_the_checkpoint_before(log, tmp_path, room):
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    file = folder / "run.ckpt"
    cm.evaluate(log / "0.parquet", checkpoint=file, **ASKED)
    before = file.read_bytes()
    assert len(before) > 1_000
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, old[1]))
    try:
        with pytest.raises(cm.InputError, match=r"run\.ckpt' cannot be written: .*before is whole"):
            cm.evaluate(log, checkpoint=file, **ASKED)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert file.read_bytes() == before
    assert os.listdir(folder) == ["run.ckpt"]
    assert cm.evaluate(log, checkpoint=file, **ASKED) == cm.evaluate(log, **ASKED)


@pytest.mark.parametrize(
    ("takes", "size", "share", "longest"),
    [
        (0.001, 0, 0.002, 1.1),
        (0.2, 0, 0.01, 20.3),
        (0.0, 10**8, 0.0, 40.2),  # before the first one its time is foreseen
        (5.0, 0, 0.08, 65.1),  # one a minute, however long it takes
    ],
)
def test_checkpoints_are_rarer_where_they_take_long(
    log, tmp_path, monkeypatch, takes, size, share, longest
):
    monkeypatch.setattr(checkpoints, "_FIRST", 1.0)
    monkeypatch.setattr(checkpoints, "_MOST", 60.0)
    now, written = [100.0], []
    clock = types.SimpleNamespace(monotonic=lambda: now[0], perf_counter=lambda: now[0])
    monkeypatch.setattr(checkpoints, "time", clock)
    e = cm.evaluate(log, **ASKED)

    def make():
        now[0] += takes
        written.append(now[0])
        return e.states()

    kept = checkpoints.Checkpoints(tmp_path / "run.ckpt", e._request, "raise")
    while now[0] < 400:
        now[0] += 0.05  # a batch
        if kept.is_due(size):
            kept.write(make, checkpoints.Position([]))
    gaps = np.diff([100, *written])
    assert max(gaps[1:]) < longest
    assert (len(written) - 1) * takes <= share * (written[-1] - written[0]) + 1e-9
    assert gaps[0] > (30 if size else 0.9)


# One process imports; each run is a fork of it, as what starts anew takes ten times as long.
SCRIPT = """
import os, random, signal, sys, time
import polars as pl, confmat as cm
from confmat.logs import checkpoints, reading
reading.ROWS, checkpoints._FIRST, checkpoints._MOST = 200, 0.0, 0.0
log, folder, kills, seed = sys.argv[1:]
kills, rng = int(kills), random.Random(int(seed))

def run(file, out):
    e = cm.evaluate(log, y_true="y", y_pred="p", y_score="s", pos_label=2, by=["site", "day"],
        where=pl.col("y") > 0, checkpoint=file)
    with open(out, "wb") as to:
        to.write(e.to_bytes())

def start(file, out):
    child = os.fork()
    if child == 0:
        try:
            run(file, out)
        except BaseException as error:
            print(repr(error), flush=True)
            os._exit(1)
        os._exit(0)
    return child

def bytes_of(out):
    with open(out, "rb") as file:
        return file.read()

def whole(name):  # when there was a checkpoint, and when the run was through
    file, begun, first = f"{folder}/{name}.ckpt", time.monotonic(), None
    child, ended = start(file, f"{folder}/{name}"), 0
    while not ended:
        ended, status = os.waitpid(child, os.WNOHANG)
        if first is None and os.path.exists(file):
            first = time.monotonic() - begun
        time.sleep(0.0005)
    assert status == 0, status
    return first, time.monotonic() - begun

whole("cold")
(first, took), want = whole("warm"), bytes_of(folder + "/warm")
killed = resumed = rounds = 0
while killed < kills:
    rounds += 1
    file, out = f"{folder}/{rounds}.ckpt", f"{folder}/{rounds}"
    while True:
        had = os.path.exists(file)
        child = start(file, out)
        time.sleep(0.8 * first + rng.random() * (took - 0.8 * first))
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)[1]
        resumed += had
        if ended == 0:
            break
        assert os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL, ended
        killed += 1
    assert bytes_of(out) == want, rounds
print(killed, resumed)
"""


@pytest.mark.parametrize("seed", [11, pytest.param(12, marks=pytest.mark.long)])
def test_runs_that_are_killed_at_any_time_give_the_same_bytes(log, tmp_path, seed):
    arguments = [str(log), str(tmp_path), str(KILLS), str(seed)]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    killed, resumed = map(int, done.stdout.split())
    assert killed >= KILLS
    assert resumed > killed // 3  # the others came before there was a checkpoint


def test_bins_that_become_coarser_have_one_level_however_they_were_read(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 40_000)
    rng = np.random.default_rng(0)
    n = 200_000
    rows = pl.DataFrame(
        {"y": rng.integers(0, 2, n), "s": rng.random(n), "k": rng.integers(0, 200, n)}
    )
    rows[: n // 2].write_parquet(tmp_path / "a.parquet")
    rows[n // 2 :].write_parquet(tmp_path / "b.parquet")
    for memory in ("2 MB", "4 MB", "8 MB"):
        asked = {"y_true": "y", "y_score": "s", "by": "k", "max_memory": memory}
        whole = cm.evaluate(f"{tmp_path}/*.parquet", **asked)
        assert whole.sweep(k=3).level > 0 or memory == "8 MB"
        file = tmp_path / f"{memory}.ckpt"
        cm.evaluate(tmp_path / "a.parquet", checkpoint=file, **asked)
        resumed = cm.evaluate(f"{tmp_path}/*.parquet", checkpoint=file, **asked)
        assert resumed.to_bytes() == whole.to_bytes()
        apart = cm.evaluate(f"{tmp_path}/*.parquet", on_error="skip", **asked)
        assert apart.to_bytes() == whole.to_bytes()


def test_another_condition_or_name_is_told_apart(log, tmp_path):
    file = tmp_path / "run.ckpt"
    long = [pl.col("day").is_in([9] * 20 + found + [9] * 20) for found in ([1, 2], [3])]
    cm.evaluate(log, checkpoint=file, where=long[0], **ASKED)
    with pytest.raises(cm.StateError, match="`where` was"):
        cm.evaluate(log, checkpoint=file, where=long[1], **ASKED)
    with pytest.raises(cm.StateError, match="`on_error` was"):
        cm.evaluate(log, checkpoint=file, where=long[0], on_error="skip", **ASKED)
    again = cm.evaluate(os.path.relpath(log), checkpoint=file, where=long[0], **ASKED)
    assert again == cm.evaluate(log, where=long[0], **ASKED)
    (log / "0.parquet").rename(log / "7.parquet")
    assert cm.evaluate(log, checkpoint=file, where=long[0], **ASKED) == again
    rows_of(4, 10).with_columns(pl.col("day").cast(pl.Int32)).write_parquet(log / "8.parquet")
    with pytest.raises(cm.StateError, match="the key 'day' was Int64 in the files that were read"):
        cm.evaluate(log, checkpoint=file, where=long[0], **ASKED)
