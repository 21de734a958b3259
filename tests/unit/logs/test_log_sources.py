"""Sources of logs: files of every kind, folders, frames and what other libraries hold."""

import gzip

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

import confmat as cm
from confmat.logs import reading

FRAME = pl.DataFrame(
    {
        "site": ["a", "b", "a", None, "b", "a", "c"],
        "y": [0, 1, 1, 0, 1, None, 0],
        "p": [0, 1, 0, 0, 0, 1, 1],
        "unused": [1.5] * 7,
    }
)
ASKED = {"y_true": "y", "y_pred": "p", "by": "site", "metrics": ["accuracy", "f1"]}
WANTED = FRAME.cm.evaluate(**ASKED)


@pytest.fixture(autouse=True, params=[3, 1_000_000])
def rows_of_a_batch(request, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", request.param)


@pytest.mark.parametrize(
    ("extension", "write"),
    [
        (".parquet", pl.DataFrame.write_parquet),
        (".pq", pl.DataFrame.write_parquet),
        (".csv", pl.DataFrame.write_csv),
        (
            ".csv.gz",
            lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode())),
        ),
        (".tsv", lambda frame, path: frame.write_csv(path, separator="\t")),
        *((kind, pl.DataFrame.write_ndjson) for kind in (".ndjson", ".jsonl")),
        *((kind, pl.DataFrame.write_ipc) for kind in (".arrow", ".ipc", ".feather")),
    ],
)
def test_files_of_every_kind(tmp_path, extension, write):
    write(FRAME, tmp_path / f"log [1]{extension}")
    write(FRAME, tmp_path / f"log 1{extension}")  # what a pattern would name
    found = cm.evaluate(tmp_path / f"log [1]{extension}", **ASKED)
    assert found.slices().equals(WANTED)


def test_globs_folders_and_lists_name_the_same_files(tmp_path):
    for at in range(3):
        FRAME[2 * at : 2 * at + 2 if at < 2 else None].write_parquet(tmp_path / f"{at}.parquet")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.parquet").touch()
    twice = [tmp_path / f"{at}.parquet" for at in (0, 1, 2, 1)]
    (tmp_path / "link.parquet").symlink_to(tmp_path / "0.parquet")
    for source in (
        tmp_path,
        f"{tmp_path}/*.parquet",
        twice,
        [f"{tmp_path}/[01].parquet", twice[2]],
    ):
        assert cm.evaluate(source, **ASKED).slices().equals(WANTED), source


@pytest.mark.parametrize(
    ("extension", "write"),
    [
        ("parquet", pl.DataFrame.write_parquet),
        ("csv", pl.DataFrame.write_csv),
        ("ndjson", pl.DataFrame.write_ndjson),
        ("arrow", pl.DataFrame.write_ipc),
    ],
)
def test_keys_in_names_of_folders_are_columns(tmp_path, extension, write):
    for site, rows in FRAME.partition_by("site", as_dict=True).items():
        folder = tmp_path / f"site={site[0] or '__HIVE_DEFAULT_PARTITION__'}" / "day=2024-05-01"
        folder.mkdir(parents=True)
        write(rows.drop("site"), folder / f"part.{extension}")
    found = cm.evaluate(tmp_path, **ASKED | {"by": ["site", "day"]}).slices()
    assert found.drop("day").equals(WANTED)
    assert found["day"].dtype == pl.Date


def test_names_of_folders_that_look_like_numbers_in_some_are_texts_in_all(tmp_path):
    for site in ("01", "DE"):
        folder = tmp_path / f"site={site}"
        folder.mkdir()
        FRAME.drop("site").write_parquet(folder / "part.parquet")
    assert cm.evaluate(tmp_path, **ASKED).slices()["site"].to_list() == ["01", "DE"]


@pytest.mark.parametrize(
    "convert",
    [
        lambda frame: frame,
        pl.DataFrame.lazy,
        pl.DataFrame.to_pandas,
        pl.DataFrame.to_arrow,
        lambda frame: pa.dataset.dataset(frame.to_arrow()),
        lambda frame: pa.RecordBatchReader.from_batches(
            frame.to_arrow().schema, frame.to_arrow().to_batches(max_chunksize=2)
        ),
        lambda frame: duckdb.sql("select * from frame"),
        lambda frame: [frame[:3], frame[3:].lazy()],
    ],
    ids=["eager", "lazy", "pandas", "table", "dataset", "reader", "duckdb", "frames"],
)
def test_frames_of_other_libraries(convert):
    assert cm.evaluate(convert(FRAME), **ASKED).slices().equals(WANTED)


@pytest.mark.parametrize(
    "ask",
    [
        lambda frame: cm.evaluate(frame, **ASKED),
        lambda frame: cm.evaluate([frame, frame], **ASKED),
        lambda frame: cm.Accumulator(**ASKED).update(frame),
        lambda frame: cm.compare(frame, "y", ["y", "p"], by="site"),
        lambda frame: cm.compare(frame, "y", ["y", "p"], cluster="site"),
    ],
    ids=["evaluate", "frames", "accumulator", "compare", "cluster"],
)
def test_levels_of_an_index_are_told_to_be_no_columns(ask):
    frame = FRAME.with_columns(pl.col("site").fill_null("d")).to_pandas()
    told = r"'site', which is not there: levels of the index, \['site'\], become columns by .reset_"
    with pytest.raises(cm.InputError, match=told):
        ask(frame.set_index("site"))
    ask(frame.set_index("site").reset_index())
    with pytest.raises(cm.InputError) as caught:
        ask(frame.drop(columns="site"))
    assert "which is not there; the columns" in str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (5, "`source` is int; wanted a path"),
        ([], "`source` is an empty list"),
        ("nowhere/*.parquet", r"no such file: nowhere/\*\.parquet"),
        ([FRAME, "log.parquet"], "`source` holds str at position 1; wanted paths alone"),
        (["log.parquet", FRAME], "`source` holds str at position 0"),
        ([FRAME, 3], "`source` holds int at position 1"),
    ],
)
def test_what_is_no_source_is_refused(source, said):
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(source, **ASKED)


def test_paths_that_name_nothing_to_read(tmp_path):
    with pytest.raises(cm.InputError, match="is a folder without files to read"):
        cm.evaluate(tmp_path, **ASKED)
    (tmp_path / "log.txt").touch()
    with pytest.raises(cm.InputError, match=r"log\.txt is of no known kind; its name must end in"):
        cm.evaluate(tmp_path / "log.txt", **ASKED)
    (tmp_path / "inner").mkdir()
    with pytest.raises(cm.InputError, match="names folders alone"):
        cm.evaluate(tmp_path / "inne*", **ASKED)


def test_only_the_columns_that_are_needed_are_read(tmp_path):
    read = []

    def scan(with_columns, predicate, n_rows, batch_size):
        read.append(with_columns)
        yield FRAME.select(with_columns)

    lazy = pl.io.plugins.register_io_source(scan, schema=FRAME.schema)
    cm.evaluate(lazy, **ASKED)
    assert set(read[0]) == {"site", "y", "p"}


def test_types_of_csv_files_are_inferred_when_they_are_read(tmp_path, monkeypatch):
    for at in range(3):
        FRAME.write_csv(tmp_path / f"{at}.csv")
    inferred, given = [], []
    scan_csv = pl.scan_csv

    def scan(path, **options):
        (given if "schema" in options else inferred).append(path)
        return scan_csv(path, **options)

    monkeypatch.setattr(pl, "scan_csv", scan)
    with pytest.raises(cm.InputError, match="'nope'"):
        cm.evaluate(tmp_path, **ASKED | {"y_true": "nope"})
    assert len(inferred) == 1
    found = cm.evaluate(tmp_path, checkpoint=tmp_path / "run.ckpt", **ASKED)
    assert len(inferred) == 1 + 3
    assert given == inferred  # else each look at the types would read rows again
    again = cm.evaluate(tmp_path, checkpoint=tmp_path / "run.ckpt", **ASKED)
    assert len(inferred) < 1 + 3 + 3
    assert again.to_bytes() == found.to_bytes()
