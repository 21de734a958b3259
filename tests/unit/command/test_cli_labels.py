"""The command line and labels: of every type, given, left out, or of two kinds."""

import json

import polars as pl
import pytest
from support.logged import COLUMNS

import confmat as cm

pytest.importorskip("typer")


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
    code, _, err = run("evaluate", tmp_path / "bool.parquet", "--labels", "yes,no")
    assert (code, "'yes' is neither true nor false" in err) == (2, True)


def test_labels_of_two_kinds_are_named(run, log):
    code, _, err = run("evaluate", log / "log.parquet", "--y-true", "y", "--y-pred", "w")
    assert code == 2
    assert "y_true" in err or "kind" in err


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
    assert len(want.labels) == (3 if weighted else 4)  # rows of weight 0 have classes
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


def test_an_enum_declares_its_labels(run, tmp_path):
    names = pl.Enum(["eel", "dog", "cat"])
    frame = pl.DataFrame(
        {"y": ["cat", "dog"], "p": ["dog", "dog"]}, schema={"y": names, "p": names}
    )
    assert counted_as(run, tmp_path, frame)["labels"] == ["eel", "dog", "cat"]


def test_no_labels_at_all_is_an_error(run, log):
    for by in ([], ["--by", "site"]):
        code, _, err = run("evaluate", log / "log.parquet", *COLUMNS, "--labels", "", *by)
        assert code == 2
        assert "`--labels` is empty" in err


def test_a_positive_label_that_does_not_occur(run, tmp_path):
    pl.DataFrame({"y": [0, 1, 1], "p": [0, 1, 0]}).write_parquet(tmp_path / "a.parquet")
    code, _, err = run("evaluate", tmp_path / "a.parquet", *COLUMNS, "--pos-label", "7")
    assert (code, "`--pos-label`" in err, "7" in err) == (2, True, True)
