"""The command line and the file that it writes: never an input, whole, harmless to open."""

import json
import os
import resource
import stat

import polars as pl
import pytest
from support.logged import COLUMNS, EVIL, FRAME

pytest.importorskip("typer")


@pytest.fixture
def inside(log, monkeypatch):
    """Return the folder of the log, the working directory now."""
    (log / "sub").mkdir()
    monkeypatch.chdir(log)
    os.symlink("log.csv", log / "link.csv")
    os.link(log / "log.csv", log / "hard.csv")
    return log


@pytest.mark.parametrize("options", [[], ["--by", "site"]])
@pytest.mark.parametrize(
    ("files", "out"),
    [
        (["log.csv"], "log.csv"),
        (["log.csv"], "sub/../log.csv"),
        (["log.csv"], "{log}/log.csv"),
        (["log.csv"], "link.csv"),
        (["log.csv"], "hard.csv"),
        (["link.csv"], "log.csv"),
        (["hard.csv"], "link.csv"),
        (["log.parquet", "log.csv"], "log.csv"),
        (["l*.csv"], "link.csv"),
        (["**/log.*"], "log.parquet"),
    ],
)
def test_an_input_is_not_written_over(run, inside, files, out, options):
    before = {path: path.read_bytes() for path in inside.glob("*.*")}
    out = out.format(log=inside)
    code, printed, err = run("evaluate", *files, *COLUMNS, *options, "--out", out)
    assert (code, printed) == (2, "")
    assert err.startswith(f"error: `--out` is '{out}', which is read")
    assert err.endswith("name a file that is not\n")
    assert {path: path.read_bytes() for path in inside.glob("*.*")} == before
    assert run("evaluate", *files, *COLUMNS, *options, "--out", "not.csv")[0] == 0


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
@pytest.mark.parametrize("options", [[], ["--by", "site"]])
def test_a_full_disk_leaves_the_old_file(run, log, kind, options):
    (log / "sub").mkdir()
    out = log / "sub" / f"out.{kind}"
    out.write_bytes(b"old")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, old[1]))
    try:
        code, printed, err = run("evaluate", log / "log.csv", *COLUMNS, *options, "--out", out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert code in (1, 2)
    assert printed == ""
    assert err.count("\n") == 1
    assert "File too large" in err
    assert out.read_bytes() == b"old"
    assert os.listdir(log / "sub") == [out.name]


def test_links_and_permissions_stay(run, log):
    (log / "sub").mkdir()
    target = log / "sub" / "real.json"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (log / "out.json").symlink_to(target)
    assert run("evaluate", log / "log.csv", *COLUMNS, "--out", log / "out.json")[0] == 0
    assert (log / "out.json").is_symlink()
    assert json.loads(target.read_text())["n"] == 7
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("folder.csv", "is a folder"),
        ("circle.csv", "leads to itself"),
        ("lost.csv", "no folder"),
        ("no/out.csv", "no folder"),
        ("out.txt", "must end in"),
        ("out", "must end in"),
    ],
)
def test_what_cannot_be_written_is_told_before_any_work(run, log, monkeypatch, name, told):
    (log / "folder.csv").mkdir()
    (log / "circle.csv").symlink_to("circle.csv")
    (log / "lost.csv").symlink_to("away/out.csv")
    monkeypatch.setattr("confmat.command.commands.job_of", pytest.fail)
    code, _, err = run("evaluate", log / "log.csv", *COLUMNS, "--out", log / name)
    assert (code, told in err) == (2, True)


def written(run, folder, sites, kind):
    """Return the file of slices by these texts, in their order."""
    frame = pl.DataFrame({"y_true": [0] * len(sites), "y_pred": 0, "site": sites})
    frame.write_parquet(folder / "sites.parquet")
    out = folder / f"out.{kind}"
    code, _, err = run("evaluate", folder / "sites.parquet", "--by", "site", "--out", out)
    assert code == 0, err
    return out


def test_slices_begin_no_formula_and_hold_no_controls(run, tmp_path):
    sites = sorted([EVIL, "=1+1", "\t=1", " +a", "\r\n=2", "\uff1d3", "-4", "\uff20b"])
    text = written(run, tmp_path, sites, "csv").read_text("utf-8")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.count("\n") == len(sites) + 1
    cells = [line.partition(",")[0] for line in text.splitlines()[1:]]
    assert cells == [
        r"'\t=1",
        r"'\r\n=2",
        r"\x1b[31m=red\u202e",
        "' +a",
        "-4",
        "'=1+1",
        "'\uff1d3",
        "'\uff20b",
    ]


def test_json_is_exact_and_holds_no_controls(run, tmp_path):
    sites = sorted(["\x1b[2J", "\x9b2J", "\u202eevil", "a\u2028b", "\x7f", "naïve", "漢字"])
    out = written(run, tmp_path, sites, "json")
    text = out.read_text("utf-8")
    assert all(line.isprintable() for line in text.split("\n"))
    assert "naïve" in text
    assert [row["site"] for row in json.loads(text)] == sites


def test_headers_begin_no_formula(run, log):
    frame = FRAME.select("y", "p", pl.col("site").alias("=1+1"), pl.col("w").alias("'=1+1"))
    frame.write_parquet(log / "odd.parquet")
    by = ["--by", "=1+1", "--by", "'=1+1"]
    code, _, err = run("evaluate", log / "odd.parquet", *COLUMNS, *by, "--out", log / "a.csv")
    assert code == 0, err
    assert (log / "a.csv").read_text().startswith("'=1+1,'=1+1,n,")
