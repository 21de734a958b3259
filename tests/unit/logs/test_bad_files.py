"""Files that break, differ or end early: named, or left out whole and told."""

import os
import re
import signal
import threading
import time

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.logs import reading

ROWS = pl.DataFrame({"site": list("abc") * 40, "y": [0, 1] * 60, "p": [0, 1, 1] * 40})
ASKED = {"y_true": "y", "y_pred": "p", "by": "site"}


@pytest.fixture
def log(tmp_path):
    for at in range(3):
        ROWS.write_parquet(tmp_path / f"{at}.parquet", row_group_size=30)
    return tmp_path


def break_at(path, share):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])


@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_a_file_that_was_cut(log, share):
    break_at(log / "1.parquet", share)
    with pytest.raises(cm.InputError, match=r"1\.parquet cannot be read: "):
        cm.evaluate(log, **ASKED)
    e = cm.evaluate(log, on_error="skip", **ASKED)
    assert e.n == 2 * ROWS.height
    assert [path for path, _ in e.skipped] == [str(log / "1.parquet")]
    assert "1 file skipped" in str(e)
    assert cm.from_bytes(e.to_bytes()).skipped == e.skipped
    for at in (0, 2):
        break_at(log / f"{at}.parquet", share)
    with pytest.raises(cm.InputError, match=r"[02]\.parquet cannot be read: "):
        cm.evaluate(log, on_error="skip", **ASKED)


def test_rows_of_a_file_that_breaks_on_the_way_do_not_count(log, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 30)
    rows = pl.concat([ROWS] * 20)
    rows.write_parquet(log / "1.parquet", row_group_size=30, compression="zstd")
    data = bytearray((log / "1.parquet").read_bytes())
    middle = len(data) // 2  # amid the groups of rows, before the footer
    data[middle : middle + 400] = b"\xff" * 400
    (log / "1.parquet").write_bytes(data)
    assert pl.read_parquet_schema(log / "1.parquet") == ROWS.schema
    first = pl.scan_parquet(log / "1.parquet").head(30).collect()
    assert first.equals(ROWS[:30])
    with pytest.raises((pl.exceptions.PolarsError, OSError)):
        pl.read_parquet(log / "1.parquet")
    e = cm.evaluate(log, on_error="skip", **ASKED)
    assert e.n == 2 * ROWS.height
    with pytest.raises(cm.InputError, match=r"1\.parquet cannot be read"):
        cm.evaluate(log, **ASKED)


def test_a_file_without_a_column_or_of_another_kind(log):
    ROWS.drop("p").write_parquet(log / "1.parquet")
    with pytest.raises(cm.InputError, match=r"`y_pred` names the column 'p', .* in .*1\.parquet"):
        cm.evaluate(log, **ASKED)
    assert cm.evaluate(log, on_error="skip", **ASKED).n == 2 * ROWS.height
    ROWS.with_columns(pl.col("p").cast(pl.String)).write_parquet(log / "1.parquet")
    with pytest.raises(
        cm.InputError, match=r"'p' is String in .*1\.parquet and Int64 in .*[02]\.p"
    ):
        cm.evaluate(log, **ASKED)


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (pl.col("p").cast(pl.String), "'p' is String in .*1.parquet and Int64 in .*0.parquet"),
        (pl.lit(True).alias("y"), "'y' is Boolean in .*1.parquet and Int64"),
        (pl.lit(3).alias("site"), "'site' is Int32 in .*1.parquet and String"),
        (pl.lit("2").alias("p"), "'p' is String"),
    ],
)
def test_a_file_of_another_kind_is_skipped(log, tmp_path_factory, change, differs):
    ROWS.with_columns(change).write_parquet(log / "1.parquet")
    e = cm.evaluate(log, on_error="skip", **ASKED)
    assert e.n == 2 * ROWS.height
    ((path, reason),) = e.skipped
    assert path == str(log / "1.parquet")
    assert re.search(differs, reason)
    assert cm.evaluate([log / "0.parquet", log / "2.parquet"], **ASKED).states().equals(e.states())
    # After a stop the first file says which kind, also where it is read already.
    file = tmp_path_factory.mktemp("checkpoint") / "run.ckpt"
    cm.evaluate(log / "0.parquet", checkpoint=file, on_error="skip", **ASKED)
    for _ in range(2):
        again = cm.evaluate(log, checkpoint=file, on_error="skip", **ASKED)
        assert again == e
        assert again.skipped == e.skipped


def test_the_first_file_may_be_the_one_that_lacks_a_column(log):
    ROWS.drop("p").write_parquet(log / "0.parquet")
    e = cm.evaluate(log, on_error="skip", where=pl.col("site") != "b", **ASKED)
    assert [path for path, _ in e.skipped] == [str(log / "0.parquet")]
    assert e.n == 2 * 80
    with pytest.raises(cm.InputError, match="`y_true` names the column 'z'"):
        cm.evaluate(log, on_error="skip", **ASKED | {"y_true": "z"})


def test_a_file_of_nulls_fits_any_kind(log):
    ROWS.with_columns(p=pl.lit(None)).write_parquet(log / "0.parquet")
    ROWS.with_columns(pl.col("p").cast(pl.String)).write_parquet(log / "2.parquet")
    e = cm.evaluate(log, on_error="skip", **ASKED)
    assert (e.n, e.n_dropped) == (ROWS.height, ROWS.height)
    assert [path for path, _ in e.skipped] == [str(log / "2.parquet")]


def test_widths_and_kinds_of_text_may_differ(log):
    ROWS.with_columns(
        pl.col("p").cast(pl.Int8), pl.col("y").cast(pl.UInt16), pl.col("site").cast(pl.Categorical)
    ).write_parquet(log / "1.parquet")
    whole = cm.evaluate(log, **ASKED)
    assert whole.states().equals(cm.partial(pl.concat([ROWS] * 3), **ASKED))


def test_float32_scores_beside_float64_ones(tmp_path):
    rows = pl.DataFrame({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.4, 0.3]})
    rows.with_columns(pl.col("s").cast(pl.Float32)).write_parquet(tmp_path / "0.parquet")
    rows.write_parquet(tmp_path / "1.parquet")
    assert cm.evaluate(tmp_path, y_true="y", y_score="s").n == 8


def test_the_row_and_the_file_of_a_bad_label(log, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 30)
    bad = ROWS.with_columns(y=pl.when(pl.int_range(pl.len()) == 77).then(7).otherwise("y"))
    bad.write_parquet(log / "2.parquet")
    with pytest.raises(cm.InputError, match=r"2\.parquet: label 7 at row 77 of `y_true` is not in"):
        cm.evaluate(log, labels=[0, 1], **ASKED)
    e = cm.evaluate(log, labels=[0, 1], other="bucket", **ASKED)
    assert (e.n, e.n_other) == (359, 1)


def test_csv_that_turns_out_otherwise(tmp_path):
    lines = ["y,p", *["0,1"] * 20_000, "x,1"]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    with pytest.raises(cm.InputError, match=r"log\.csv cannot be read: "):
        cm.evaluate(tmp_path / "log.csv", y_true="y", y_pred="p")


def test_ctrl_c_gives_what_was_read(monkeypatch):
    # Nobody waits for more than a batch.
    monkeypatch.setattr(reading, "ROWS", 100_000)
    rng = np.random.default_rng(0)
    rows = pl.DataFrame({"y": rng.integers(0, 2, 100_000), "p": rng.integers(0, 2, 100_000)})
    read = []

    def scan(with_columns, predicate, n_rows, batch_size):
        while True:
            read.append(rows.height)
            time.sleep(0.005)
            yield rows if with_columns is None else rows.select(with_columns)

    endless = pl.io.plugins.register_io_source(scan, schema=rows.schema)
    sent = []

    def stop():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, stop)
    timer.start()
    with pytest.raises(cm.Interrupted) as caught:
        cm.evaluate(endless, y_true="y", y_pred="p")
    assert time.perf_counter() - sent[0] < 0.2 * 5  # 0.2 s, on a machine that does other things
    e = caught.value.evaluation
    assert isinstance(caught.value, KeyboardInterrupt)
    assert not e.complete
    assert 0 < e.n <= sum(read)
    assert e.n % 100_000 == 0
    assert "INCOMPLETE" in str(e)
