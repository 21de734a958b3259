"""The command line evaluates numbers: all rows, slices, and files that it writes."""

import json

import polars as pl
import pytest

import confmat as cm

pytest.importorskip("typer")
FRAME = pl.DataFrame(
    {"s": ["a", "a", "b", "b"], "y": [3.0, -0.5, 2.0, 7.0], "p": [2.5, 0.0, 2.0, 8.0]}
)
OF = ("--y-true", "y", "--y-pred", "p", "--task", "regression")


@pytest.fixture
def file(tmp_path):
    FRAME.write_parquet(tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def test_all_rows(run, file):
    code, out, err = run("evaluate", file, *OF)
    assert (code, err) == (0, "")
    assert out == f"{cm.regression(FRAME['y'], FRAME['p'])}\n"
    _, out, _ = run("evaluate", file, *OF, "--metrics", "mape,rmse")
    assert "mape" in out
    assert "max_error" not in out


def test_files_that_are_written(run, file, tmp_path):
    code, _, err = run("evaluate", file, *OF, "--metrics", "mae", "--out", tmp_path / "m.json")
    assert code == 0, err
    whole = json.loads((tmp_path / "m.json").read_text())
    assert whole["n"] == 4
    assert whole["metrics"] == [{"metric": "mae", "value": 0.5, "reason": None}]
    asked = ("--by", "s", "--metrics", "mae", "--out", tmp_path / "m.parquet")
    assert run("evaluate", file, *OF, *asked)[0] == 0
    assert pl.read_parquet(tmp_path / "m.parquet")["mae"].to_list() == [0.5, 0.5]


def test_metrics_of_classes_are_refused(run, file):
    code, _, err = run("evaluate", file, *OF, "--metrics", "accuracy")
    assert code != 0
    assert "`accuracy` is a metric of predicted classes" in err
