"""The command line with scores: alone, beside predictions, by slice, from several files."""

import itertools
import json

import numpy as np
import polars as pl
import pytest

import confmat as cm

pytest.importorskip("typer")

ROWS = 3_000
rng = np.random.default_rng(8)
TRUTH = rng.random(ROWS) < 0.4
FRAME = pl.DataFrame(
    {
        "y": TRUTH,
        "s": np.clip(rng.normal(0.4 + 0.2 * TRUTH, 0.2), 0, 1).round(3),
        "site": rng.integers(0, 3, ROWS),
    }
).with_columns(
    p=pl.col("s") > 0.5,
    word=pl.when(pl.col("y")).then(pl.lit("bad")).otherwise(pl.lit("good")),
    y=pl.when(pl.int_range(pl.len()) % 50 == 7).then(None).otherwise("y"),
)
SCORES = ["--y-true", "y", "--y-score", "s"]
EXACT = [*SCORES, "--exact"]


@pytest.fixture
def log(tmp_path):
    FRAME.write_parquet(tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def test_scores_alone_print_the_sweep(run, log):
    for asked, bins in ((SCORES, "unit"), (EXACT, None)):
        code, out, err = run("evaluate", log, *asked)
        assert (code, err) == (0, "")
        assert out == f"{cm.sweep(FRAME['y'], FRAME['s'], bins=bins)}\n"


def test_beside_predictions_both_are_printed(run, log):
    asked = ["--y-pred", "p", "--metrics", "mcc,roc_auc"]
    code, out, err = run("evaluate", log, *EXACT, *asked)
    assert (code, err) == (0, "")
    matrix, sweep = cm.confusion_matrix(FRAME["y"], FRAME["p"]), cm.sweep(FRAME["y"], FRAME["s"])
    assert str(matrix) in out
    assert str(sweep) in out
    assert f"{matrix.mcc:.6g}" in out
    assert f"{sweep.roc_auc:.6g}" in out


def test_files_are_merged_whatever_their_sizes(run, tmp_path):
    cuts = [0, 1, 2, 500, 510, 1_700, ROWS]
    for at, (first, last) in enumerate(itertools.pairwise(cuts)):
        FRAME[first:last].write_parquet(tmp_path / f"part{at}.parquet")
    out = tmp_path / "out.json"
    code, printed, err = run("evaluate", tmp_path / "part*.parquet", *EXACT, "--out", out)
    assert code == 0, err
    sweep = cm.sweep(FRAME["y"], FRAME["s"])
    assert printed == f"{sweep}\n"
    found = json.loads(out.read_text())["scores"]
    assert {key: found[key] for key in ("n", "n_positive", "n_negative", "n_dropped", "n_nan")} == {
        "n": sweep.n,
        "n_positive": sweep.n_positive,
        "n_negative": sweep.n_negative,
        "n_dropped": 60,
        "n_nan": 0,
    }
    values = {row["metric"]: row["value"] for row in found["metrics"]}
    assert values["roc_auc"] == sweep.roc_auc
    assert values["ece"] == sweep.value("ece")


def test_slices_have_both_kinds_of_metrics(run, log, tmp_path):
    out = tmp_path / "slices.parquet"
    asked = ["--y-pred", "p", "--by", "site", "--metrics", "mcc,roc_auc,ece(15)", "--out", out]
    code, printed, err = run("evaluate", log, *SCORES, *asked)
    assert code == 0, err
    expected = FRAME.cm.evaluate("y", "p", "s", by="site", metrics=["mcc", "roc_auc", "ece(15)"])
    assert pl.read_parquet(out).equals(expected)
    assert "unscored" in printed


def test_texts_need_the_positive_class(run, log):
    code, out, err = run("evaluate", log, "--y-true", "word", "--y-score", "s")
    assert (code, out) == (2, "")
    assert "wanted a `--pos-label`" in err
    code, out, err = run(
        "evaluate", log, "--y-true", "word", "--y-score", "s", "--pos-label", "bad"
    )
    assert (code, err) == (0, "")
    assert "positive bad" in out


def test_nan_scores_are_an_error_or_counted(run, tmp_path):
    path = tmp_path / "nan.parquet"
    FRAME.with_columns(
        s=pl.when(pl.int_range(pl.len()) == 4).then(float("nan")).otherwise("s")
    ).write_parquet(path)
    code, out, err = run("evaluate", path, *SCORES)
    assert (code, out) == (2, "")
    assert "score nan at row 4 of `--y-score`" in err
    code, out, err = run("evaluate", path, *SCORES, "--nan", "drop")
    assert (code, err) == (0, "")
    assert "1 dropped: nan score" in out


def test_metrics_of_scores_need_scores(run, log):
    code, _, err = run("evaluate", log, "--y-true", "y", "--y-pred", "p", "--metrics", "roc_auc")
    assert code == 2
    assert "give `--y-score`" in err


def test_metrics_of_scores_are_listed(run):
    code, out, _ = run("metrics", "--level", "score")
    assert code == 0
    assert "average_precision" in out
    code, out, _ = run("metrics", "ece")
    assert code == 0
    assert "number of bins" in out


def test_a_file_without_the_positive_class(run, tmp_path):
    for at, words in enumerate((["good", "good"], ["bad", "good"], [None, "good"])):
        part = pl.DataFrame({"y": words, "s": [0.1 + at / 10, 0.3]})
        part.write_parquet(tmp_path / f"part{at}.parquet")
    command = ("evaluate", tmp_path / "part*.parquet", *SCORES, "--pos-label")
    code, out, err = run(*command, "bad")
    assert (code, err) == (0, "")
    assert "positive bad (1), negative good (4); 1 dropped: null" in out
    more = pl.DataFrame({"y": ["bad", "good", "none"], "s": [0.9, 0.1, 0.5], "w": [1.0, 2.0, 0.0]})
    more.write_parquet(tmp_path / "weighted.parquet")
    weighted = ["evaluate", tmp_path / "weighted.parquet", *SCORES, "--pos-label", "bad"]
    for more in ([], ["--sample-weight", "w"]):  # a class of weight 0 is a class
        assert run(*weighted, *more)[0] == 2
    code, out, err = run(*command, "ugly")
    assert (code, out) == (2, "")
    assert "`--pos-label` ugly does not occur in `--y-true` (classes found: bad, good)" in err


@pytest.mark.parametrize("more", [[], ["--by", "site"], ["--out", "all.json"]])
@pytest.mark.parametrize("names", ["mcc", "roc_auc,mcc"])
def test_metrics_of_predictions_need_predictions(run, log, tmp_path, more, names):
    more = [tmp_path / item if item.endswith("json") else item for item in more]
    code, out, err = run("evaluate", log, *SCORES, "--metrics", names, *more)
    assert (code, out) == (2, "")
    assert "'mcc', a metric of predicted classes" in err
    assert "give `--y-pred`" in err
    assert not (tmp_path / "all.json").exists()


def test_a_column_y_pred_is_found_and_only_what_was_asked_is_written(run, tmp_path):
    FRAME.rename({"p": "y_pred"}).write_parquet(tmp_path / "log.parquet")
    out = tmp_path / "out.json"
    asked = ["--metrics", "mcc", "--out", out]
    code, _, err = run("evaluate", tmp_path / "log.parquet", *SCORES, *asked)
    assert code == 0, err
    found = json.loads(out.read_text())
    assert [row["metric"] for row in found["metrics"]] == ["mcc"]
    assert found["scores"]["metrics"] == []


def test_more_classes_than_two_are_told_what_to_do(run, tmp_path):
    path = tmp_path / "three.parquet"
    pl.DataFrame({"y": ["a", "b", "c"], "s": [0.1, 0.2, 0.3]}).write_parquet(path)
    code, _, err = run("evaluate", path, *SCORES, "--pos-label", "a")
    assert code == 2
    assert "true where it is one of them" in err


def test_slices_have_intervals(run, log, tmp_path):
    out = tmp_path / "slices.parquet"
    asked = ["--y-pred", "p", "--by", "site", "--metrics", "mcc,roc_auc", "--ci", "0.9"]
    code, printed, err = run("evaluate", log, *SCORES, *asked, "--exact", "--out", out)
    assert code == 0, err
    assert "low" in printed
    of = {"y_true": "y", "y_pred": "p", "y_score": "s", "by": "site", "bins": None}
    expected = cm.evaluate(FRAME, **of, metrics=["mcc", "roc_auc"], ci=0.9).slices()
    assert pl.read_parquet(out).equals(expected)


def test_all_rows_have_intervals(run, log, tmp_path):
    code, printed, err = run("evaluate", log, *SCORES, "--metrics", "roc_auc,ks", "--ci", "0.9")
    assert (code, err) == (0, "")
    wanted = cm.evaluate(FRAME, "y", y_score="s", metrics=["roc_auc", "ks"], ci=0.9).overall()
    assert "90 % intervals\n" in printed
    low, high = wanted.row(0)[2:4]
    assert f"{low:.6g}  {high:.6g}" in printed
    out = tmp_path / "all.csv"
    asked = ["--y-pred", "p", "--metrics", "mcc,roc_auc", "--ci", "0.9", "--out", out]
    assert run("evaluate", log, *SCORES, *asked)[0] == 0
    table = pl.read_csv(out)
    assert table.columns == ["metric", "value", "low", "high", "reason"]
    assert table["metric"].to_list() == ["mcc", "roc_auc"]
    assert table["low"][1] == pytest.approx(low, rel=1e-12)


def test_scores_of_clusters_have_no_interval_of_independent_rows(run, tmp_path):
    frame = pl.DataFrame({"y": [0, 1] * 30, "s": [0.2, 0.7, 0.6, 0.4] * 15, "u": [*range(20)] * 3})
    frame.write_parquet(tmp_path / "log.parquet")
    asked = ["evaluate", tmp_path / "log.parquet", "--y-true", "y", "--y-score", "s"]
    code, out, err = run(*asked)
    assert (code, "95% interval" in out) == (0, True), err
    states = ["--states", tmp_path / "states.parquet"]
    code, out, err = run(*asked, "--cluster", "u", *states)
    assert (code, "95% interval" in out) == (0, False), err
    code, out, err = run("show", tmp_path / "states.parquet", "--cluster", "u")
    assert (code, "95% interval" in out) == (0, False), err


MANY = pl.DataFrame(
    {
        "y": (CLASS := rng.choice(["a", "b", "c"], 300)),
        "p": rng.permutation(CLASS),
        "scores": rng.dirichlet([1.0, 1.0, 1.0], 300).tolist(),
        "site": rng.integers(0, 3, 300),
    }
)
OF_MANY = ["--y-true", "y", "--y-score", "scores"]


@pytest.fixture
def many(tmp_path):
    MANY.write_parquet(tmp_path / "many.parquet")
    return tmp_path / "many.parquet"


def of_many(**options):
    return cm.evaluate(MANY, "y", y_score="scores", **options)


def test_lists_of_scores_print_those_of_many_classes(run, many):
    for beside in ((), ("--y-pred", "p")):
        code, out, err = run("evaluate", many, *OF_MANY, *beside, "--metrics", "log_loss")
        assert (code, err) == (0, "")
        assert str(of_many().sweep()) in out
        assert f"{of_many().sweep().log_loss:.6g}" in out


def test_scores_of_many_classes_of_clusters_have_intervals_of_these_alone(run, many, tmp_path):
    kept = tmp_path / "states.parquet"
    given = [*OF_MANY, "--cluster", "site", "--states", kept]
    code, out, _ = run("evaluate", many, *given)
    assert code == 0
    screen, _, intervals = out.partition("95 % intervals, as wide as clusters by site ask")
    assert str(of_many().sweep().overall()["metric"][0]) in screen
    assert "interval" not in screen
    wanted = of_many(cluster="site", ci=0.95).overall().select("low", "high").row(0)
    assert "  ".join(f"{end:.6g}" for end in wanted) in intervals
    code, out, _ = run("show", kept, "--cluster", "site")
    assert code == 0
    assert "interval" not in out


def test_scores_of_many_classes_in_files(run, many, tmp_path):
    out = tmp_path / "out.json"
    code, _, err = run("evaluate", many, *OF_MANY, "--ci", "0.9", "--out", out)
    assert code == 0, err
    found, s = json.loads(out.read_text())["scores"], of_many().sweep()
    assert [found[name] for name in ("labels", "n", "n_dropped")] == [["a", "b", "c"], 300, 0]
    rows = {row["metric"]: row for row in found["metrics"]}
    assert list(rows) == s.overall()["metric"].to_list()
    assert rows["roc_auc_ovo"]["reason"].startswith("pairs of classes are not kept")
    ends = s.ci("roc_auc", level=0.9)
    assert (rows["roc_auc_macro"]["low"], rows["roc_auc_macro"]["high"]) == (ends.low, ends.high)
    code, _, err = run("evaluate", many, *OF_MANY, "--out", tmp_path / "page.html")
    assert code == 0, err
