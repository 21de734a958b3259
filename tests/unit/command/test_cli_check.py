"""`confmat check`: exit codes, what is printed and written, errors that name file and line."""

import json
import sys
from xml.etree import ElementTree

import polars as pl
import pytest
from support.state_files import COLUMNS, LOG, write_days

import confmat as cm

pytest.importorskip("typer")

FINE = """
min_n = 5

[[expect]]
metric = "accuracy"
at_least = 0.5

[[expect]]
name = "areas of all sites"
metric = "roc_auc"
each = ["site"]
at_least = 0.6
ci = 0.95

[[expect]]
metric = "recall"
slice = {site = "x", day = 2024-05-31}
at_most = 1
"""
BROKEN = FINE.replace("at_most = 1", "at_most = 0.1")


@pytest.fixture
def days(tmp_path, monkeypatch):
    write_days(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gate(run, days, text, *more, files=("day-*.parquet",)):
    """Run a gate; return its code, what it printed, and errors."""
    data = text if isinstance(text, bytes) else text.encode()
    (days / "gate.toml").write_bytes(data)
    return run("check", "gate.toml", *files, *more)


def test_what_holds_exits_with_0(run, days):
    code, printed, err = gate(run, days, FINE)
    assert (code, err) == (0, "")
    lines = printed.splitlines()
    assert lines[0] == "4 passed, 0 failed, 1 skipped"
    assert [line.split()[-1] for line in lines if "passed" in line][1:] == ["passed"] * 4
    assert "too few rows: 3 of 5" in printed


def test_what_fails_exits_with_1(run, days):
    code, printed, err = gate(run, days, BROKEN)
    assert (code, err) == (1, "")
    lines = printed.splitlines()
    assert lines[0] == "3 passed, 1 failed, 1 skipped"
    assert lines[4].startswith("recall of site = x, day = 2024-05-31")
    assert "failed" in lines[4]


def test_it_is_what_the_library_says(run, days):
    states = cm.partial(LOG, **COLUMNS, by=["site", "day"])
    wanted = [{"metric": "roc_auc", "each": "site", "at_least": 0.6, "ci": 0.95}]
    text = '[[expect]]\nmetric = "roc_auc"\neach = "site"\nat_least = 0.6\nci = 0.95'
    for kind in ("json", "csv", "parquet"):
        gate(run, days, text, "--out", f"out.{kind}")
    table = cm.check(states, wanted).table()
    assert pl.read_parquet("out.parquet").equals(table)
    assert json.loads((days / "out.json").read_text()) == table.to_dicts()
    assert pl.read_csv("out.csv")["outcome"].to_list() == table["outcome"].to_list()


@pytest.mark.parametrize(("text", "failures"), [(FINE, 0), (BROKEN, 1)])
def test_junit_is_written_whether_it_passes_or_not(run, days, text, failures):
    code, _, err = gate(run, days, text, "--junit", "report.xml")
    assert (code, err) == (failures, "wrote report.xml\n")
    root = ElementTree.parse(days / "report.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("5", str(failures))
    assert len(root.findall("testsuite/testcase/failure")) == failures


def test_changes_are_from_the_baseline(run, days):
    text = '[[expect]]\nmetric = "accuracy"\neach = "site"\nchange_at_least = 0'
    code, printed, _ = gate(run, days, text, "--baseline", "day-*.bin")
    assert code == 0
    assert "baseline" in printed
    worse = LOG.with_columns(p=1 - pl.col("p"))
    cm.partial(worse, **COLUMNS, by="site").write_parquet("worse.parquet")
    assert gate(run, days, text, "--baseline", "worse.parquet")[0] == 0
    given = {"files": ["worse.parquet"]}
    code, printed, _ = gate(run, days, text, "--baseline", "day-*.bin", **given)
    assert code == 1
    assert printed.startswith("0 passed, 3 failed")
    twice = ["--baseline", "day-0.parquet", "--baseline", "day-1.parquet"]
    assert gate(run, days, text, *twice)[0] in (0, 1)
    code, _, err = gate(run, days, text)
    assert code == 2
    assert err == (
        "error: gate.toml, line 4: `expectations`, number 1 (accuracy of each site): it is about a "
        "change, and there is no `--baseline`\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("at_least = 0.5", "at_lest = 0.5", 6, "unknown key 'at_lest'; did you mean 'at_least'?"),
        ("at_least = 0.5", "min = 0.5", 6, "unknown key 'min'; did you mean 'at_least'?"),
        ('metric = "accuracy"', 'metric = "acuracy"', 5, "unknown metric 'acuracy'"),
        ("at_least = 0.6", "at_least = nan", 12, "`at_least` is nan; wanted a finite number"),
        ("at_least = 0.6", "at_least = '0.6'", 12, "`at_least` is '0.6'; wanted a finite number"),
        ("ci = 0.95", "ci = 95", 13, "`ci` is 95; wanted a level between 0 and 1"),
        ('["site"]', '["sight"]', 11, "there is no key 'sight' in `states`"),
        ('site = "x"', "site = 1", 17, "`slice` has 1 as 'site', and the key is String"),
        ("at_most = 1", "", 15, "no bound is given"),
        ("min_n = 5", "min_n = -5", 2, "`min_n` is -5; wanted a number of rows"),
        ("min_n = 5", "min_m = 5", 2, "unknown key 'min_m'; did you mean 'min_n'?"),
    ],
)
def test_errors_name_the_line(run, days, old, new, line, words):
    code, printed, err = gate(run, days, FINE.replace(old, new, 1))
    assert (code, printed) == (2, "")
    assert err.startswith(f"error: gate.toml, line {line}: `expectations`")
    assert words in err  # keys of the file, and no options


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the list `expect` is None"),
        ("expect = 3", "the list `expect` is 3"),
        ("expect = []", "the list `expect` is empty"),
        ("expect = [3]", "number 1: 3 is no table of keys"),
        ('expect = [{metric = "f1"}]', "gate.toml: `expectations`, number 1 (f1): no bound"),
        ("[[expect]", "gate.toml is no TOML"),
        ("a = 1\na = 2", "gate.toml is no TOML"),
        (b"\xff\xfe", "gate.toml is no TOML"),
        ("[expect]\nmetric = 'f1'", "the list `expect` is {'metric': 'f1'}"),
    ],
)
def test_files_that_are_no_expectations_are_refused(run, days, text, words):
    code, printed, err = gate(run, days, text)
    assert (code, printed) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["gate.toml", "nothing.parquet"], "no such file: nothing.parquet"),
        (["nothing.toml", "day-0.parquet"], "no such file: nothing.toml"),
        ([".", "day-0.parquet"], "cannot be read"),
        (["gate.toml"], "Missing argument"),
        (["gate.toml", "gate.toml"], "gate.toml holds no states"),
        (["gate.toml", "cut.parquet"], "cut.parquet, row 0 of 'state'"),
        (["gate.toml", "day-0.parquet", "--baseline", "cut.parquet"], "cut.parquet, row 0 of"),
        (["gate.toml", "day-0.parquet", "--baseline", "cube.parquet"], "`--baseline` has a column"),
        (["gate.toml", "day-0.parquet", "--out", "x.txt"], "`--out` is 'x.txt'"),
        (["gate.toml", "day-0.parquet", "--junit", "x.txt"], "`--junit` is 'x.txt'"),
        (["gate.toml", "day-0.parquet", "--junit", "no/x.xml"], "`--junit` is"),
        (["gate.toml", "day-0.parquet", "--out", "day-0.parquet"], "which is read"),
    ],
)
def test_inputs_that_cannot_be_exit_with_2(run, days, given, words):
    (days / "gate.toml").write_text(FINE)
    frame = pl.read_parquet("day-0.parquet")
    cut = frame.with_columns(pl.col("state").bin.slice(0, 50))
    cut.write_parquet("cut.parquet")
    frame.with_columns(grouping=pl.lit("site")).write_parquet("cube.parquet")
    code, printed, err = run("check", *given)
    assert (code, printed) == (2, "")
    assert words in err


def test_many_checks_are_cut_but_failures_are_not(run, days):
    frame = LOG.with_columns(site=pl.int_range(pl.len()))
    cm.partial(frame, **COLUMNS, by="site").write_parquet("many.parquet")
    text = '[[expect]]\nmetric = "accuracy"\neach = "site"\nat_least = '
    code, printed, _ = gate(run, days, f"{text}0", files=["many.parquet"])
    assert code == 0
    assert printed.splitlines()[-1].startswith("... and 120 more that passed or were skipped")
    code, printed, _ = gate(run, days, f"{text}2", files=["many.parquet"])
    assert code == 1
    assert printed.count("failed") == 181


def test_tomli_is_asked_for_where_python_has_no_reader(run, days, monkeypatch):
    for name in ("tomllib", "tomli"):
        monkeypatch.setitem(sys.modules, name, None)
    code, _, err = gate(run, days, FINE)
    assert (code, err) == (2, 'error: TOML files need tomli: pip install "confmat[cli]"\n')
