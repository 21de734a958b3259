"""The command line: what it prints and writes, and how it fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import confmat as cm
from confmat import cli

pytest.importorskip("typer")

EVIL = "\x1b[31m=red\u202e"
FRAME = pl.DataFrame(
    {
        "y": ["cat", "cat", "dog", "dog", "eel", "eel", "cat", None],
        "p": ["cat", "dog", "dog", "dog", "eel", "cat", "cat", "dog"],
        "site": ["b", "b", "b", "a", "a", "=1+1", EVIL, "a"],
        "w": [1, 2, 3, 4, 5, 6, 7, 8],
        "unused": [0] * 8,
    }
)
COLUMNS = ["--y-true", "y", "--y-pred", "p"]


@pytest.fixture
def log(tmp_path):
    FRAME.write_parquet(tmp_path / "log.parquet")
    FRAME.write_csv(tmp_path / "log.csv")
    return tmp_path


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)

    def call(*arguments):
        code = cli.run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return code, printed.out, printed.err

    return call


@pytest.mark.parametrize("name", ["log.parquet", "log.csv"])
def test_matrix_is_that_of_the_library(run, log, name):
    code, out, err = run("evaluate", log / name, *COLUMNS)
    assert (code, err) == (0, "")
    assert str(cm.confusion_matrix(FRAME["y"], FRAME["p"])) in out


def test_files_of_different_kinds_add_up(run, log):
    out_file = log / "m.json"
    code, _, err = run("evaluate", log / "log.*[tv]", *COLUMNS, "--out", out_file)
    assert code == 0, err
    assert json.loads(out_file.read_text())["n"] == 14


def test_matrix_as_json(run, log):
    code, _, err = run("evaluate", log / "log.parquet", *COLUMNS, "--out", log / "m.json")
    assert code == 0
    assert "m.json" in err
    found = json.loads((log / "m.json").read_text(), parse_constant=pytest.fail)
    assert found["labels"] == ["cat", "dog", "eel"]
    assert found["counts"] == [[2, 1, 0], [0, 2, 0], [1, 0, 1]]
    assert (found["n"], found["n_dropped"], found["n_other"]) == (7, 1, 0)
    assert {"metric", "value", "reason"} == set(found["metrics"][0])


def test_metrics_asked_for(run, log):
    target = log / "m.csv"
    names = "accuracy,fbeta_macro(2),precision"
    code, out, _ = run(
        "evaluate", log / "log.csv", *COLUMNS, "--metrics", names, "--pos-label", "cat",
        "--sample-weight", "w", "--out", target,
    )  # fmt: skip
    assert code == 0
    assert "fbeta_macro(2)" in out
    matrix = cm.confusion_matrix(FRAME["y"], FRAME["p"], sample_weight=FRAME["w"])
    want = [matrix.value(name, pos_label="cat") for name in names.split(",")]
    assert pl.read_csv(target)["value"].to_list() == pytest.approx(want)


def test_slices_are_sorted_and_escaped(run, log):
    code, out, _ = run("evaluate", log / "log.parquet", *COLUMNS, "--by", "site")
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert r"\x1b[31m=red\u202e" in out
    cells = [line.split() for line in out.splitlines() if line.strip()]
    first = [line[0] for line in cells]
    assert first.index("=1+1") < first.index("a") < first.index("b")


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_slices_as_a_file(run, log, kind):
    target = log / f"slices.{kind}"
    code, _, err = run(
        "evaluate", log / "log.parquet", *COLUMNS, "--by", "site", "--metrics", "accuracy,mcc",
        "--out", target,
    )  # fmt: skip
    assert code == 0, err
    if kind == "json":
        rows = json.loads(target.read_text(), parse_constant=pytest.fail)
        frame = pl.DataFrame(rows)
    else:
        frame = pl.read_csv(target) if kind == "csv" else pl.read_parquet(target)
    assert frame.columns == ["site", "n", "n_dropped", "n_other", "accuracy", "mcc"]
    assert frame["n"].to_list() == [1, 1, 2, 3]
    assert frame["n_dropped"].sum() == 1
    formula = "'=1+1" if kind == "csv" else "=1+1"
    assert formula in frame["site"]
    assert frame["mcc"].null_count() > 0


def test_min_n_blanks_small_slices(run, log):
    target = log / "slices.parquet"
    code, _, _ = run(
        "evaluate", log / "log.csv", *COLUMNS, "--by", "site", "--metrics", "accuracy",
        "--min-n", 2, "--out", target,
    )  # fmt: skip
    assert code == 0
    frame = pl.read_parquet(target)
    assert frame.filter(pl.col("accuracy").is_null())["n"].to_list() == [1, 1]


def test_other_labels(run, log):
    base = ["evaluate", log / "log.csv", *COLUMNS, "--labels", "cat,dog"]
    code, _, err = run(*base)
    assert (code, "--other bucket" in err) == (2, True)
    assert run(*base, "--by", "site")[0] == 2
    code, _, _ = run(*base, "--other", "bucket", "--out", log / "m.json")
    assert code == 0
    assert json.loads((log / "m.json").read_text())["n_other"] == 2
    assert run(*base, "--other", "bucket", "--by", "site")[0] == 0


def test_integer_and_boolean_labels_are_understood(run, tmp_path):
    frame = pl.DataFrame({"y_true": [0, 1, 1], "y_pred": [0, 1, 0]})
    frame.write_parquet(tmp_path / "int.parquet")
    frame.cast(pl.Boolean).write_parquet(tmp_path / "bool.parquet")
    for name, labels in [("int", "1,0"), ("bool", "true,false")]:
        target = tmp_path / f"{name}.json"
        code, _, err = run(
            "evaluate", tmp_path / f"{name}.parquet", "--labels", labels, "--out", target
        )
        assert code == 0, err
        assert json.loads(target.read_text())["counts"] == [[1, 1], [0, 1]]
    assert run("evaluate", tmp_path / "int.parquet", "--labels", "a,b")[0] == 2


@pytest.mark.parametrize("width", [40, 80, 120])
def test_tables_keep_to_the_width(run, log, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    frame = FRAME.filter(pl.col("site").str.len_chars() == 1)
    frame.write_parquet(log / "short.parquet")
    code, out, _ = run("evaluate", log / "short.parquet", *COLUMNS, "--by", "site")
    assert code == 0
    assert max(len(line.rstrip()) for line in out.splitlines()) <= width
    assert "mcc" in out
    assert "eve" in out


def test_very_many_slices_show_first_and_worst(run, tmp_path):
    rows = 300
    frame = pl.DataFrame(
        {"y_true": [i % 2 for i in range(rows)], "site": [i // 3 for i in range(rows)]}
    )
    frame = frame.with_columns(
        y_pred=pl.when(pl.col("site") == 77).then(1 - pl.col("y_true")).otherwise("y_true")
    )
    frame.write_parquet(tmp_path / "many.parquet")
    code, out, _ = run(
        "evaluate", tmp_path / "many.parquet", "--by", "site", "--metrics", "accuracy"
    )
    assert code == 0
    assert "20 of 100 slices" in out
    assert "\n  77" in out
    assert len(out.splitlines()) < 60


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.parquet"], "no such file"),
        (["{log}"], "is a folder"),
        (["{log}/log.parquet"], "no column 'y_true'"),
        (["{log}/log.parquet", *COLUMNS, "--by", "sit"], "did you mean 'site'"),
        (["{log}/log.parquet", *COLUMNS, "--metrics", "mccc"], "mcc"),
        (["{log}/log.parquet", *COLUMNS, "--out", "a.xlsx"], "must end in"),
        (["{log}/log.parquet", *COLUMNS, "--out", "{log}/no/a.csv"], "no folder"),
        (["{log}/log.parquet", *COLUMNS, "--min-n", "3"], "--by"),
        (["{log}/log.parquet", *COLUMNS, "--other", "maybe"], "maybe"),
        (["{log}/log.parquet", *COLUMNS, "--metrics", "precision"], "pos_label"),
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


def test_labels_of_two_kinds_are_named(run, log):
    code, _, err = run("evaluate", log / "log.parquet", "--y-true", "y", "--y-pred", "w")
    assert code == 2
    assert "y_true" in err or "kind" in err


def test_column_of_numbers_has_one_format():
    from confmat.table import numbers

    def plain(values):
        return [text.plain for text in numbers(values)]

    assert plain([0.5, None, float("nan")]) == ["0.500", "–", "–"]  # noqa: RUF001
    assert plain([0.0123, -0.000001]) == ["0.0123", "0.0000"]
    assert plain([1, 20]) == ["1", "20"]
    assert plain([1234.5, float("inf")]) == ["1,234", "∞"]
    assert plain([None]) == ["–"]  # noqa: RUF001


def test_missing_column_lists_the_columns(run, log):
    _, _, err = run("evaluate", log / "log.csv")
    assert "'y', 'p', 'site', 'w', 'unused'" in err


def test_an_unforeseen_error_is_one_line_and_code_1(run, monkeypatch):
    def fail(_):
        raise RuntimeError("dark\nstormy")

    monkeypatch.setattr("confmat.commands.find", fail)
    code, _, err = run("metrics", "mcc")
    assert (code, err) == (1, "error: unexpected RuntimeError: dark stormy\n")


def test_interrupt_is_130(run, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("confmat.commands.find", interrupt)
    assert run("metrics", "mcc")[0] == 130


def test_metrics_table_and_card(run):
    code, out, _ = run("metrics")
    assert code == 0
    assert "mcc" in out
    assert "recall_weighted" not in out
    assert "recall_weighted" in run("metrics", "--level", "average")[1]
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


def test_without_the_extra_one_line_names_it():
    program = "import sys; sys.modules['typer'] = None; from confmat.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert 'pip install "confmat[cli]"' in done.stderr


def test_a_pipe_gets_no_colours_and_any_encoding(log):
    program = "from confmat.cli import main; main()"
    command = [sys.executable, "-c", program, "evaluate", str(log / "log.csv"), *COLUMNS]
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*command, "--by", "site"], capture_output=True, env=plain, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    assert done.stdout.isascii()


def test_the_bundled_log_is_there():
    assert (Path(cm.__file__).parent / "data" / "flights.parquet").exists()


def counted_as(run, target, frame, *options):
    """Return the matrix that the command line counts."""
    frame.write_parquet(target / "rows.parquet")
    code, _, err = run(
        "evaluate", target / "rows.parquet", *COLUMNS, *options, "--out", target / "m.json"
    )
    assert code == 0, err
    return json.loads((target / "m.json").read_text())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("texts", [False, True])
def test_labels_are_those_of_the_rows_that_count(run, tmp_path, weighted, texts):
    frame = pl.DataFrame(
        {
            "y": [0, 1, 2, None, 4, 5, 0],
            "p": [0, 1, None, 3, 4, 5, 1],
            "w": [1.0, 2.0, 1.0, 1.0, 0.0, None, 3.0],
        }
    )
    frame = frame.with_columns(pl.col("y", "p").cast(pl.String)) if texts else frame
    options = ["--sample-weight", "w"] if weighted else []
    found = counted_as(run, tmp_path, frame, *options)
    want = cm.confusion_matrix(
        frame["y"], frame["p"], sample_weight=frame["w"] if weighted else None
    )
    assert found["labels"] == list(want.labels)
    assert len(want.labels) == (2 if weighted else 4)
    assert found["counts"] == want.counts.tolist()
    assert found["n_dropped"] == want.n_dropped
    if weighted:
        keyed = frame.with_columns(site=pl.Series(["a", "a", "b", "b", "c", "c", "a"]))
        keyed.write_parquet(tmp_path / "keyed.parquet")
        target = tmp_path / "slices.parquet"
        code, _, err = run(
            "evaluate", tmp_path / "keyed.parquet", *COLUMNS, *options, "--by", "site",
            "--metrics", "accuracy", "--out", target,
        )  # fmt: skip
        assert code == 0, err
        assert pl.read_parquet(target).rows() == [
            ("a", 6.0, 0, 0, 2.0 / 6.0 + 1.0 / 6.0),
            ("b", 0.0, 2, 0, None),
            ("c", 0.0, 1, 0, None),
        ]


def test_booleans_have_both_labels(run, tmp_path):
    frame = pl.DataFrame({"y": [True, True], "p": [True, True]})
    assert counted_as(run, tmp_path, frame)["labels"] == [False, True]
    mixed = pl.DataFrame({"y": [True, False], "p": [2, 0]})
    assert counted_as(run, tmp_path, mixed)["labels"] == [0, 1, 2]


def test_no_labels_at_all_is_an_error(run, log):
    for by in ([], ["--by", "site"]):
        code, _, err = run("evaluate", log / "log.parquet", *COLUMNS, "--labels", "", *by)
        assert code == 2
        assert "`--labels` is empty" in err
