"""`confmat compare`: two files of predictions, or one with those of all models."""

import json

import numpy as np
import polars as pl
import pytest

import confmat as cm

pytest.importorskip("typer")

OPTIONS = ["--y-true", "y", "--y-pred", "p"]


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    a, b = (np.where(rng.random(300) < share, 1 - y, y) for share in (0.3, 0.2))
    frame = pl.DataFrame({"id": np.arange(300), "y": y, "site": rng.choice(["x", "z"], 300)})
    scores = 0.4 * y[:, None] + rng.uniform(0, 0.6, (300, 2))
    old = frame.with_columns(p=a, s=scores[:, 0], user=frame["id"] % 40)
    new = frame.with_columns(p=b, s=scores[:, 1]).drop("site")
    old.write_parquet(tmp_path / "old.parquet")
    new.sample(fraction=1, shuffle=True, seed=2).write_csv(tmp_path / "new.csv")
    both = old.rename({"p": "pa", "s": "sa"}).with_columns(pb=b, sb=scores[:, 1])
    both.write_parquet(tmp_path / "both.parquet")
    return tmp_path


def of_library(files, **options):
    both = pl.read_parquet(files / "both.parquet")
    return cm.compare(both, "y", {"old": "pa", "new": "pb"}, **options)


def test_two_files_are_compared_as_the_library_does(run, files):
    given = [files / "old.parquet", files / "new.csv", "--on", "id", *OPTIONS]
    code, out, err = run("compare", *given)
    assert (code, err) == (0, "")
    assert out == f"{of_library(files)}\n"
    more = ["--y-score", "s", "--by", "site", "--cluster", "user", "--level", "0.9"]
    code, out, err = run("compare", *given, *more, "--metrics", "f1,roc_auc")
    assert (code, err) == (0, "")
    options = {"y_score": {"old": "sa", "new": "sb"}, "cluster": "user", "level": 0.9}
    c = of_library(files, by="site", metrics=["f1", "roc_auc"], **options)
    assert out == f"{c}\n"


def test_one_file_has_the_predictions_of_all_models(run, files):
    given = ["--y-true", "y", "--y-pred", "pa", "--y-pred", "pb", "--side", "lower"]
    code, out, err = run("compare", files / "both.parquet", *given)
    assert (code, err) == (0, "")
    assert "pb with pa (the baseline), n = 300" in out
    assert "lower 95 % intervals" in out


def test_methods_and_bins_are_those_of_the_library(run, files):
    given = [files / "old.parquet", files / "new.csv", "--on", "id", *OPTIONS]
    drawn = ["--method", "bootstrap", "--seed", "3", "--replicates", "500"]
    code, out, err = run("compare", *given, *drawn)
    assert (code, err) == (0, "")
    assert out == f"{of_library(files, method='bootstrap', seed=3, replicates=500)}\n"
    both = ["--y-true", "y", "--y-score", "sa", "--y-score", "sb", "--bins", "unit"]
    out_file = files / "binned.json"
    code, _, _ = run("compare", files / "both.parquet", *both, "--out", out_file)
    assert code == 0
    frame = pl.read_parquet(files / "both.parquet")
    wanted = cm.compare(frame, "y", y_score=["sa", "sb"], bins="unit").table()
    assert json.loads(out_file.read_text()) == wanted.to_dicts()
    for wrong, message in (
        (["--seed", "3"], "only method='bootstrap' draws rows again"),
        (["--bins", "ten"], "'ten' is not one of 'unit'"),
    ):
        code, out, err = run("compare", *given, *wrong)
        assert (code, out) == (2, "")
        assert message in err


def test_lists_of_scores_are_those_of_many_classes(run, files):
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"id": np.arange(90), "y": rng.choice(["a", "b", "c"], 90)})
    one, other = (pl.Series("s", rng.dirichlet([1, 1, 1], 90)) for _ in range(2))
    both = frame.with_columns(one.alias("s1"), other.arr.to_list().alias("s2"))
    frame.with_columns(one).write_parquet(files / "one.parquet")
    frame.with_columns(other.arr.to_list()).write_parquet(files / "other.parquet")
    both.write_parquet(files / "lists.parquet")
    asked = ["--y-true", "y", "--labels", "a,b,c", "--metrics", "roc_auc_macro,log_loss"]
    options = {"labels": ["a", "b", "c"], "metrics": ["roc_auc_macro", "log_loss"]}
    code, out, err = run(
        "compare", files / "lists.parquet", "--y-score", "s1", "--y-score", "s2", *asked
    )
    assert (code, err) == (0, "")
    assert out == f"{cm.compare(both, 'y', y_score=['s1', 's2'], **options)}\n"
    two = [files / "one.parquet", files / "other.parquet", "--on", "id", "--y-score", "s"]
    code, out, err = run("compare", *two, *asked)
    assert (code, err) == (0, "")
    models = {"one": "s1", "other": "s2"}
    assert out == f"{cm.compare(both, 'y', y_score=models, **options)}\n"
    numbers = both.with_columns(pl.col("s1").arr.get(0), pl.col("s2").list.get(0))
    numbers.write_parquet(files / "numbers.parquet")
    code, out, err = run(
        "compare", files / "numbers.parquet", "--y-score", "s1", "--y-score", "s2", "--y-true", "y"
    )
    assert (code, out) == (2, "")
    assert "has 3 classes" in err
    assert "wanted columns of lists of scores, or two classes" in " ".join(err.split())


def test_numbers_are_compared_as_the_library_does(run, files):
    given = [files / "old.parquet", files / "new.csv", "--on", "id", "--y-true", "y"]
    code, out, err = run("compare", *given, "--y-pred", "s", "--task", "regression")
    assert (code, err) == (0, "")
    both = pl.read_parquet(files / "both.parquet")
    wanted = cm.compare(both, "y", {"old": "sa", "new": "sb"}, task="regression")
    assert out == f"{wanted}\n"


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.json"])
def test_the_table_is_written(run, files, name):
    given = [files / "old.parquet", files / "new.csv", "--on", "id", *OPTIONS, "--by", "site"]
    code, _, err = run("compare", *given, "--out", files / name)
    assert code == 0
    assert err.endswith(f"{name}\n")
    wanted = of_library(files, by="site").table()
    if name.endswith("json"):
        assert json.loads((files / name).read_text()) == wanted.to_dicts()
    else:
        read = {"csv": pl.read_csv, "parquet": pl.read_parquet}[name[4:]]
        found = read(files / name)
        assert found.columns == wanted.columns
        assert found.drop("reason").equals(wanted.drop("reason"))


def test_files_of_one_name_are_told_by_their_paths(run, files):
    (files / "b").mkdir()
    pl.read_csv(files / "new.csv").write_parquet(files / "b" / "old.parquet")
    given = [files / "old.parquet", files / "b" / "old.parquet", "--on", "id", *OPTIONS]
    code, out, err = run("compare", *given)
    assert (code, err) == (0, "")
    assert f"b = {files}/b/old.parquet with a = {files}/old.parquet" in out
    code, out, _ = run("compare", given[0], given[0], *given[2:])
    assert code == 0
    assert "(a)" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["old.parquet", "new.csv", *OPTIONS], "there are two files; give `--on`"),
        (["old.parquet", *OPTIONS], "there is one file and one `--y-pred`"),
        (["both.parquet", "--on", "id", *OPTIONS], "`--on` tells rows of two files apart"),
        (["old.parquet", "new.csv", "both.parquet"], "there are 3 files; wanted one, or two"),
        (
            ["old.parquet", "new.csv", "--on", "id", *OPTIONS, "--y-pred", "q"],
            "`--y-pred` is given",
        ),
        (["old.parquet", "new.csv", "--on", "who", *OPTIONS], "`--on` names the column 'who'"),
        (["old.parquet", "new.csv", "--on", "y", *OPTIONS], "2 ids occur several times in old"),
        (
            ["old.parquet", "new.csv", "--on", "id", *OPTIONS, "--by", "shop"],
            "`--by` names the column 'shop', which is not there in old",
        ),
        (
            ["old.parquet", "new.csv", "--on", "id", *OPTIONS, "--level", "2"],
            "`--level` is 2.0",
        ),
        (["none.parquet", "new.csv", "--on", "id"], "no such file"),
        (["old.parquet", "new.csv", "--on", "id", *OPTIONS, "--out", "x.txt"], "must end in"),
    ],
)
def test_what_cannot_be_compared(run, files, arguments, message):
    paths = [files / one if "." in one and not one.startswith("x") else one for one in arguments]
    code, out, err = run("compare", *paths)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
