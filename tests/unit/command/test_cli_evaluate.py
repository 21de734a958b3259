"""The command line counts a log: its matrix, its slices, and the files that it writes."""

import json

import polars as pl
import pytest
from support.logged import COLUMNS, FRAME

import confmat as cm

pytest.importorskip("typer")


@pytest.mark.parametrize("name", ["log.parquet", "log.csv"])
def test_matrix_is_that_of_the_library(run, log, name):
    code, out, err = run("evaluate", log / name, *COLUMNS)
    assert (code, err) == (0, "")
    assert out == f"{cm.confusion_matrix(FRAME['y'], FRAME['p'])}\n"


def test_files_of_different_kinds_add_up(run, log):
    out_file = log / "m.json"
    code, _, err = run("evaluate", log / "log.*[tv]", *COLUMNS, "--out", out_file)
    assert code == 0, err
    assert json.loads(out_file.read_text())["n"] == 14


@pytest.mark.parametrize(
    ("extension", "write"),
    [
        (".parquet", pl.DataFrame.write_parquet),
        (".csv", pl.DataFrame.write_csv),
        (".tsv", lambda frame, path: frame.write_csv(path, separator="\t")),
        *((kind, pl.DataFrame.write_ndjson) for kind in (".ndjson", ".jsonl")),
        *((kind, pl.DataFrame.write_ipc) for kind in (".arrow", ".ipc", ".feather")),
    ],
)
def test_a_name_of_a_file_is_no_pattern(run, tmp_path, extension, write):
    for stem, frame in (("log [1]", FRAME), ("log 1", FRAME[:1]), ("log [1]s", FRAME[:2])):
        write(frame, tmp_path / f"{stem}{extension}")
    code, out, err = run("evaluate", tmp_path / f"log [1]{extension}", *COLUMNS)
    assert (code, err) == (0, "")
    assert str(cm.confusion_matrix(FRAME["y"], FRAME["p"])) in out


@pytest.mark.parametrize(
    "options", [[], ["--y-score", "w", "--pos-label", "cat"], ["--labels", "cat,dog"]]
)
def test_files_without_rows(run, tmp_path, options):
    FRAME.clear().write_parquet(tmp_path / "empty.parquet")
    code, out, err = run("evaluate", tmp_path / "empty.parquet", *COLUMNS, *options)
    assert (code, out, err) == (2, "", "error: the files hold no rows\n")


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
    assert out.startswith("4 slices by site, 7 rows")


def test_slices_have_an_interval_beside_the_first_metric(run, tmp_path):
    frame = pl.DataFrame({"y": [0, 1] * 40, "p": [0, 1, *[0, 1, 1, 1] * 19, 0, 1]})
    few = pl.DataFrame({"y": [0, 1, 1], "p": [0, 1, 1]})
    rows = [few.with_columns(site=pl.lit("few")), frame.with_columns(site=pl.lit("many"))]
    pl.concat(rows).write_parquet(tmp_path / "log.parquet")
    asked = ["evaluate", tmp_path / "log.parquet", "--y-true", "y", "--y-pred", "p", "--by", "site"]
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    lines = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert lines["few"][1:5] == ["3", "1.000", "[0.439,", "1.000]"]
    # 61 of 80 by Wilson.
    assert lines["many"][1:5] == ["80", "0.762", "[0.659,", "0.842]"]
    code, out, _ = run(*asked, "--ci", "0.9")
    assert code == 0
    assert "interval" not in out
    run(*asked, "--states", tmp_path / "states.parquet")
    for command in (["show"], ["merge", "--out", tmp_path / "merged.parquet"]):
        code, out, _ = run(command[0], tmp_path / "states.parquet", *command[1:])
        assert code == 0
        assert "[0.439, 1.000]" in out


def test_of_very_many_slices_those_shown_have_intervals(run, tmp_path):
    at = pl.Series("site", range(90))
    right = pl.DataFrame({"site": at, "y": 1, "p": 1})
    wrong = pl.DataFrame({"site": at[70:75], "y": 0, "p": 1})
    pl.concat([right, right, wrong]).write_parquet(tmp_path / "log.parquet")
    code, out, _ = run("evaluate", tmp_path / "log.parquet", *COLUMNS, "--by", "site")
    assert code == 0
    assert out.count("[0.342, 1.000]") == 20 + 15
    assert out.count("[0.208, 0.939]") == 5


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
    code, out, _ = run(
        "evaluate", tmp_path / "many.parquet", "--by", "site", "--metrics", "no_information_rate"
    )
    assert (code, "20 of 100 slices" in out) == (0, True)
    assert "worst" not in out


def test_column_of_numbers_has_one_format():
    from confmat.command.table import numbers

    def plain(values):
        return [text.plain for text in numbers(values)]

    assert plain([0.5, None, float("nan")]) == ["0.500", "–", "–"]  # noqa: RUF001
    assert plain([0.0123, -0.000001]) == ["0.0123", "-1e-06"]
    assert plain([1, 20]) == ["1", "20"]
    assert plain([1234.5, float("inf")]) == ["1,234", "∞"]
    assert plain([None]) == ["–"]  # noqa: RUF001


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
@pytest.mark.parametrize("option", ["--y-pred", "--by", "--cluster"])
def test_the_file_that_lacks_a_column_is_named_wherever_it_stands(run, tmp_path, order, option):
    FRAME.with_columns(q=pl.col("p")).write_parquet(tmp_path / "a.parquet")
    FRAME.write_parquet(tmp_path / "b.parquet")
    files = [tmp_path / f"{name}.parquet" for name in order]
    code, out, err = run("evaluate", *files, *COLUMNS, option, "q")
    assert (code, out) == (2, "")
    told = f"error: `{option}` names the column 'q', which is not there"
    assert err.startswith(told)
    assert f" in {tmp_path / 'b.parquet'}; the columns are" in err


def test_a_checkpoint_of_other_options_is_wrong_input(run, log):
    asked = ["evaluate", log / "log.parquet", *COLUMNS, "--checkpoint", log / "c"]
    assert run(*asked)[0] == 0
    code, out, err = run(*asked, "--y-pred", "y")
    assert (code, out) == (2, "")
    assert err == (
        f"error: `--checkpoint` {str(log / 'c')!r} is of another evaluation: `--y-pred` was 'p' "
        "and is 'y'; name another file, or remove this one\n"
    )
