"""`confmat example-log`: what it writes, what it says, and what it refuses."""

import re

import polars as pl
import pytest

from confmat.command import cli
from confmat.example_logs.rows import rows

pytest.importorskip("typer")


def test_a_log_is_written_and_the_command_that_reads_it_is_told(run, tmp_path):
    folder = tmp_path / "my logs"
    arguments = ["--rows", "9_000", "--files", 3, "--seed", 7, folder]
    code, out, err = run("example-log", *arguments)
    assert code == 0
    assert re.fullmatch(r"wrote 9,000 rows, 0\.\d MB in 3 files; evaluate them by\n", err)
    assert out == f"confmat evaluate '{folder}/log-*.parquet' --y-score y_score --by country\n"
    assert pl.read_parquet(folder).equals(rows(0, 9_000, of=9_000, seed=7))
    code, shown, _ = run("evaluate", f"{folder}/log-*.parquet", *out.split()[-4:])
    assert code == 0
    assert shown.startswith("40 slices by country, 8,")


@pytest.mark.parametrize("format", ["csv", "ndjson"])
def test_one_file_of_another_format(run, tmp_path, format):
    code, out, err = run("example-log", tmp_path, "--rows", 500, "--format", format)
    assert (code, err.count("in 1 file;")) == (0, 1)
    path = tmp_path / f"log-0001.{format}"
    assert out.split()[2] == str(path)
    code, shown, _ = run(*out.split()[1:])
    assert (code, "slices by country" in shown) == (0, True)


def test_a_log_that_is_there_needs_force(run, tmp_path):
    assert run("example-log", tmp_path, "--rows", 500)[0] == 0
    code, out, err = run("example-log", tmp_path, "--rows", 700)
    assert (code, out) == (2, "")
    assert "is there already; `--force` replaces the log" in err
    assert run("example-log", tmp_path, "--rows", 700, "--force")[0] == 0
    assert pl.read_parquet(tmp_path).height == 700


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rows", "0"], "rows"),
        (["--rows", "many"], "--rows"),
        (["--rows", "5", "--files", "6"], "`--files` is 6; wanted 1 to 5 for 5 rows"),
        (["--rows", "1e6"], "--rows"),
        (["--rows", str(10**15)], "1,000,000,000,000,000 rows need about"),
        (["--format", "xlsx"], "xlsx"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(run, tmp_path, arguments, told):
    code, out, err = run("example-log", tmp_path / "log", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: ")
    assert told in err
    assert not list(tmp_path.rglob("*.*"))


def test_an_interrupt_is_130(run, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    assert cli  # imports the commands
    from confmat.command import commands

    monkeypatch.setattr(commands, "write_example_log", interrupted)
    assert run("example-log", tmp_path)[0] == 130
