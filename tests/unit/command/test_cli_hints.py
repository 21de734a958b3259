"""What the command line says can be done on the command line; each hint is followed."""

import datetime as dt
import random
import re

import polars as pl
import pytest

import confmat as cm
from confmat.command import cli

pytest.importorskip("typer")

ROWS = 12
FRAME = pl.DataFrame(
    {
        "y": ["a", "b"] * 6,
        "p": ["a", "a", "b"] * 4,
        "three": ["a", "b", "c"] * 4,
        "never": ["a", "a"] * 6,
        "digit": [0, 1] * 6,
        "ones": [1, 2] * 6,
        "float": [0.0, 1.0] * 6,
        "gaps": [1.0, None, float("nan"), 0.0] * 3,
        "fraction": [0.25, 0.75] * 6,
        "odd": [1.0, 2.0**60] * 6,
        "endless": [float("inf"), 1.0] * 6,
        "truth": [True, False] * 6,
        "s": [0.1, 0.9, 0.4] * 4,
        "hole": [0.1, 0.2, float("nan"), 0.4] * 3,
        "w": [1, 2] * 6,
        "minus": [-1, 2] * 6,
        "much": [2**62] * ROWS,
        "null": [None] * ROWS,
        "day": [dt.date(2020, 1, 1)] * ROWS,
        "list": [[1, 2]] * ROWS,
        "bytes": [b"a"] * ROWS,
        "site": ["x", "\x1b[2J", "=z"] * 4,
    },
    strict=False,
)
# Arguments of Python, and calls: words that nobody can type into a shell.
PYTHON = re.compile(
    r"`(y_true|y_pred|y_score|sample_weight|pos_label|labels)`|\b(pos_label|sample_weight|y_score)\b"
    r"|allow_float|\b(other|nan|nulls|undefined|labels|classes|average)=|\bcm\.|\bm\.\w+\(|\bpl\."
)


@pytest.fixture
def evaluate(run, tmp_path):
    FRAME.write_parquet(tmp_path / "log.parquet")

    def call(*options):
        return run("evaluate", tmp_path / "log.parquet", *options)

    return call


def fails(result, told):
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert told in err
    assert not PYTHON.search(err)
    return err


def works(result, *told):
    code, out, err = result
    assert (code, err) == (0, "")
    assert all(one in out for one in told)


@pytest.mark.parametrize("by", [[], ["--by", "site"]])
def test_a_metric_of_one_class_needs_the_class(evaluate, by):
    sides = ["--y-true", "y", "--y-pred", "p", *by]
    fails(evaluate(*sides, "--metrics", "precision"), "`--pos-label`")
    works(evaluate(*sides, "--metrics", "precision", "--pos-label", "b"), "precision")
    sides = ["--y-true", "three", "--y-pred", "p"]
    err = fails(evaluate(*sides, "--metrics", "precision"), "`--pos-label`")
    assert "'precision_macro'" in err
    works(evaluate(*sides, "--metrics", "precision_macro"), "precision_macro")
    works(evaluate(*sides, "--metrics", "precision", "--pos-label", "c"), "because")


def test_models_need_the_class(run, tmp_path):
    FRAME.write_parquet(tmp_path / "log.parquet")
    sides = ["--y-true", "three", "--y-pred", "p", "--y-pred", "y", "--metrics"]
    asked = run("compare", tmp_path / "log.parquet", *sides, "precision")
    fails(asked, "the classes are a, b, c; give `--pos-label` or ask for 'precision_macro'\n")
    asked = run("compare", tmp_path / "log.parquet", *sides, "rmse")
    fails(asked, "`--metrics` has 'rmse', a metric of numbers; give `--task regression`\n")


def test_metrics_of_numbers_are_listed(evaluate):
    sides = ["--y-true", "fraction", "--y-pred", "float", "--task", "regression"]
    fails(evaluate(*sides, "--metrics", "zzz"), "'zzz'; `confmat metrics` lists them\n")


def test_scores_of_classes_that_are_not_named(evaluate):
    told = "`--y-true` 3 classes, ['a', 'b', 'c']; pass `--labels`, the class of each column in"
    fails(evaluate("--y-true", "three", "--y-score", "list"), told)


@pytest.mark.parametrize("by", [[], ["--by", "site"]])
@pytest.mark.parametrize(("truth", "positive"), [("y", "b"), ("ones", "2")])
def test_scores_need_the_positive_class(evaluate, by, truth, positive):
    sides = ["--y-true", truth, "--y-score", "s", *by]
    fails(evaluate(*sides), "`--pos-label`")
    works(evaluate(*sides, "--pos-label", positive), "average" if by else "roc_auc")


def test_more_than_two_classes_of_scores(evaluate):
    err = fails(evaluate("--y-true", "three", "--y-score", "s"), "`--pos-label`")
    err = fails(
        evaluate("--y-true", "three", "--y-score", "s", "--pos-label", "a"), "a third class"
    )
    assert "write a column that is true where it is one of them" in err
    works(evaluate("--y-true", "truth", "--y-score", "s"))


@pytest.mark.parametrize("by", [[], ["--by", "site"]])
def test_scores_that_are_nan(evaluate, by):
    sides = ["--y-true", "digit", "--y-score", "hole", *by]
    fails(evaluate(*sides), "`--nan drop`")
    works(evaluate(*sides, "--nan", "drop"), "9 rows" if by else "3 dropped: nan score")


def test_labels_that_are_not_listed(evaluate):
    sides = ["--y-true", "three", "--y-pred", "p", "--labels", "a,b"]
    fails(evaluate(*sides), "`--other bucket`")
    works(evaluate(*sides, "--other", "bucket"), "outside the labels")
    fails(evaluate("--y-true", "y", "--y-pred", "p", "--labels", "a,a"), "twice")


def test_what_evaluations_and_comparisons_advise_both_have(run, tmp_path):
    path = tmp_path / "log.parquet"
    FRAME.write_parquet(path)
    sides = ["--y-true", "three", "--y-pred", "p", "--y-pred", "y", "--labels", "a,b"]
    fails(run("compare", path, *sides), "`--other bucket`")
    works(run("compare", path, *sides, "--other", "bucket"), "n = 8; 4 other;")
    works(run("compare", path, *sides[:-2], "--other", "bucket"), "n = 12;")
    sides = ["--y-true", "digit", "--y-score", "s", "--y-score", "hole"]
    fails(run("compare", path, *sides), "`--nan drop`")
    works(run("compare", path, *sides, "--nan", "drop"), "n = 9;")


def test_scores_of_many_classes_leave_options_out(run, tmp_path):
    frame = FRAME.with_columns(one=pl.concat_list("s", "s", "s"), other=pl.concat_list("s", "s", 1))
    frame.select("three", "one", "other").write_parquet(tmp_path / "log.parquet")
    sides = ["--y-true", "three", "--y-score", "one"]
    asked = run("evaluate", tmp_path / "log.parquet", *sides, "--exact")
    fails(asked, ": `--exact` is not of scores of many classes; leave it out\n")
    sides += ["--y-score", "other", "--labels", "a,b,c", "--other", "bucket"]
    asked = run("compare", tmp_path / "log.parquet", *sides)
    fails(asked, "; leave rows of other classes out of the file\n")


def test_what_is_undefined_is_explained_as_said(evaluate):
    sides = ["--y-true", "y", "--y-pred", "never"]
    code, out, _ = evaluate(*sides)
    assert code == 0
    assert "--metrics NAME --pos-label CLASS says why" in out
    assert not PYTHON.search(out)
    works(evaluate(*sides, "--metrics", "precision", "--pos-label", "b"), "because", "tp + fp")


@pytest.mark.parametrize("by", [[], ["--by", "site"]])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_whole_numbers_in_floats_are_labels(run, tmp_path, by, kind):
    frame = FRAME.select("float", "gaps", "digit", site=pl.lit("x"))
    getattr(frame, f"write_{kind}")(tmp_path / f"floats.{kind}")
    frame.with_columns(pl.col("float", "gaps").fill_nan(None).cast(pl.Int64)).write_parquet(
        tmp_path / "whole.parquet"
    )
    asked = ["--y-true", "float", "--y-pred", "gaps", *by]
    found, wanted = (
        run("evaluate", tmp_path / name, *asked, *more)
        for name, more in ((f"floats.{kind}", []), ("whole.parquet", []))
    )
    assert found == wanted
    assert found[0] == 0
    assert run("evaluate", tmp_path / f"floats.{kind}", *asked, "--labels", "0,1.0")[0] == 0
    asked = ["--y-true", "float", "--y-pred", "float", "--metrics", "precision"]
    assert run("evaluate", tmp_path / f"floats.{kind}", *asked, "--pos-label", "1")[0] == 0
    asked = ["--y-true", "float", "--y-score", "digit", *by]
    works(run("evaluate", tmp_path / f"floats.{kind}", *asked))


def test_floats_that_are_no_labels(evaluate):
    err = fails(evaluate("--y-true", "digit", "--y-pred", "fraction"), "label 0.25 at row 0")
    assert "these look like scores: give them as `--y-score`" in err
    works(evaluate("--y-true", "digit", "--y-score", "fraction"))
    fails(evaluate("--y-true", "fraction", "--y-pred", "digit"), "not a whole number")
    fails(evaluate("--y-true", "digit", "--y-pred", "endless"), "label inf at row 0")
    fails(
        evaluate("--y-true", "odd", "--y-score", "s"),
        "at row 1 of `--y-true` is not a whole number",
    )


def test_the_row_is_that_of_the_files(run, tmp_path):
    for at in range(3):
        scores = pl.Series([0.5] * 1_000)
        if at == 2:
            scores[7] = float("nan")
        pl.DataFrame({"y": [0, 1] * 500, "s": scores}).write_parquet(tmp_path / f"p{at}.parquet")
    _, _, err = run("evaluate", tmp_path / "p*.parquet", "--y-true", "y", "--y-score", "s")
    assert "p2.parquet: score nan at row 7 of `--y-score`" in err


def test_an_error_of_a_query_is_told_as_the_core_tells_it(capsys):
    """Polars says more around it, in words of its own."""
    with pytest.raises(pl.exceptions.ComputeError) as error:
        FRAME.select(cm.metrics("digit", "ones", ["accuracy"], labels=[0, 1]))
    assert cli._explain(error.value) == 2
    told = "error: label 2 at row 1 (of the rows read together) of `--y-pred` is not in labels"
    assert capsys.readouterr().err.startswith(told)


@pytest.mark.parametrize("column", ["day", "list", "bytes"])
def test_columns_that_hold_neither_labels_nor_numbers(evaluate, column):
    for option, other in (("--y-true", "--y-pred"), ("--y-pred", "--y-true")):
        fails(evaluate(option, column, other, "y"), f"`{option}` has dtype ")
    if column != "list":  # which has the scores of classes 0 and 1
        fails(evaluate("--y-true", "digit", "--y-score", column), "wanted numbers")
    sides = ["--y-true", "y", "--y-pred", "p"]
    fails(evaluate(*sides, "--sample-weight", column), "wanted numbers")


def test_random_options_end_in_a_result_or_in_one_line(evaluate, tmp_path):
    rng = random.Random(5)
    columns = [*FRAME.columns, "nowhere", ""]
    names = ["mcc", "f1", "roc_auc", "brier", "ece(0)", "fbeta(x)", "", ",", "f1(", "x" * 999]
    files = ["a.csv", "a.json", "b.parquet", "c.txt", "no/d.csv"]
    values = {
        "--y-true": columns,
        "--y-pred": columns,
        "--y-score": columns,
        "--by": columns,
        "--sample-weight": columns,
        "--labels": ["a,b", "1,0", "a", "", "a,a", "true,false", "1,x", '"a', "9" * 30, "\x1b,b"],
        "--pos-label": ["a", "1", "0", "true", "", "-1", "9" * 30, "1.5", "nan", "\u202e"],
        "--metrics": names,
        "--other": ["raise", "bucket", "drop"],
        "--nan": ["raise", "drop", "x"],
        "--min-n": ["0", "3", "-1", "9" * 30, "x"],
        "--out": [str(tmp_path / name) for name in files],
    }  # fmt: skip
    codes = set()
    for _ in range(60):
        chosen = rng.sample(sorted(values), rng.randint(1, 5))
        if rng.random() < 0.7:
            chosen = ["--y-true", *chosen]
        options = [part for name in chosen for part in (name, rng.choice(values[name]))]
        code, _, err = evaluate(*options)
        codes.add(code)
        lines = [line for line in err.splitlines() if not line.startswith("wrote ")]
        assert code in (0, 2), (options, err)
        assert len(lines) == (code == 2), options
        assert not PYTHON.search(err), (options, err)
        assert all(line.isprintable() for line in lines)
    assert codes == {0, 2}
