"""The command line: its commands, and how it fails."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from support.logged import COLUMNS

import confmat as cm

pytest.importorskip("typer")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.parquet"], "no such file"),
        (["{log}"], "cannot be read"),
        (["{log}/log.parquet"], "the column 'y_true', which is not there"),
        (["{log}/log.parquet", *COLUMNS, "--by", "sit"], "did you mean 'site'"),
        (["{log}/log.parquet", *COLUMNS, "--metrics", "mccc"], "mcc"),
        (["{log}/log.parquet", *COLUMNS, "--out", "a.xlsx"], "must end in"),
        (["{log}/log.parquet", *COLUMNS, "--out", "{log}/no/a.csv"], "no folder"),
        (["{log}/log.parquet", *COLUMNS, "--min-n", "3"], "--by"),
        (["{log}/log.parquet", *COLUMNS, "--other", "maybe"], "maybe"),
        (["{log}/log.parquet", *COLUMNS, "--metrics", "precision"], "--pos-label"),
        (["{log}/broken.parquet", *COLUMNS], "cannot be read"),
        (["{log}/empty.csv", *COLUMNS], "cannot be read"),
        (["{log}/log.parquet", "--bogus"], "--bogus"),
        ([], "files"),
    ],
)
def test_errors_are_one_line_and_code_2(run, log, arguments, told):
    (log / "broken.parquet").write_bytes(b"PAR1 no PAR1")
    (log / "empty.csv").write_bytes(b"")
    code, out, err = run("evaluate", *(text.format(log=log) for text in arguments))
    assert code == 2
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert told in err.lower() or told in err


def test_missing_column_lists_the_columns(run, log):
    _, _, err = run("evaluate", log / "log.csv")
    assert "'y', 'p', 'site', 'w', 'unused'" in err


def test_an_unforeseen_error_is_one_line_and_code_1(run, monkeypatch):
    def fail(_):
        raise RuntimeError("dark\nstormy")

    monkeypatch.setattr("confmat.command.commands.find", fail)
    code, _, err = run("metrics", "mcc")
    assert (code, err) == (1, "error: unexpected RuntimeError: dark stormy\n")


def test_interrupt_is_130(run, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("confmat.command.commands.find", interrupt)
    assert run("metrics", "mcc")[0] == 130


def test_metrics_table_and_card(run):
    code, out, _ = run("metrics")
    assert code == 0
    assert "mcc" in out
    assert "recall_weighted" not in out
    averages = run("metrics", "--level", "average")[1]
    assert "recall_weighted" in averages
    assert ("--level average" in out, "--level average" in averages) == (True, False)
    code, out, _ = run("metrics", "mcc", "fbeta")
    assert code == 0
    assert "[-1, 1], higher is better" in out
    assert "beta = 1" in out
    assert run("metrics", "mmc")[0] == 2


def test_no_command_is_help(run):
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "evaluate" in out
    assert "demo" in out


def test_version(run):
    assert run("--version") == (0, f"confmat {cm.__version__}\n", "")


def test_demo(run):
    code, out, _ = run("demo")
    assert code == 0
    assert "336,776" in out
    assert "UA" in out
    assert "--by carrier" in out
    flights = pl.read_parquet(Path(cm.__file__).parent / "data" / "flights.parquet")
    matrix = cm.confusion_matrix(flights["delay_class"], flights["delay_class_pred"])
    assert f"{matrix}\n\n16 slices by carrier" in out


def test_without_the_extra_one_line_names_it():
    program = (
        "import sys; sys.modules['typer'] = None; from confmat.command.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert 'pip install "confmat[cli]"' in done.stderr


def test_a_pipe_gets_no_colours_and_any_encoding(log):
    program = "from confmat.command.cli import main; main()"
    command = [sys.executable, "-c", program, "evaluate", str(log / "log.csv"), *COLUMNS]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*command, "--by", "site"], capture_output=True, env=plain, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    assert done.stdout.isascii()


def test_the_bundled_log_is_there():
    assert (Path(cm.__file__).parent / "data" / "flights.parquet").exists()
