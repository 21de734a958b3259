"""`--cluster`: rows that belong together, on the command line and in files of states."""

import json

import numpy as np
import polars as pl
import pytest

import confmat as cm

pytest.importorskip("typer")

rng = np.random.default_rng(4)
USER = rng.integers(0, 50, 800)
RIGHT = rng.random(800) < rng.beta(4, 2, 50)[USER]
LOG = pl.DataFrame(
    {
        "y": (Y := rng.integers(0, 2, 800)),
        "p": np.where(RIGHT, Y, 1 - Y),
        "s": (0.3 + 0.4 * Y + rng.normal(0, 0.1, 800)).clip(0, 1).round(2),
        "site": rng.choice(["x", "y"], 800),
        "user": USER,
    }
)
COLUMNS = ["--y-true", "y", "--y-pred", "p"]


@pytest.fixture
def log(tmp_path):
    LOG.write_parquet(tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def evaluated(**options):
    return cm.evaluate(LOG, "y", "p", **{"cluster": "user", "ci": 0.95} | options)


def told(table):
    """Return the ends of the first metric as they are printed."""
    return "  ".join(f"{end:.6g}" for end in table.select("low", "high").row(0))


def test_all_rows(run, log, tmp_path):
    out = tmp_path / "m.json"
    code, printed, _ = run("evaluate", log, *COLUMNS, "--cluster", "user", "--out", out)
    assert code == 0
    assert "95 % intervals, as wide as clusters by user ask" in printed
    wanted = evaluated().overall()
    assert told(wanted) in printed
    assert "Wilson" not in printed
    found = {one["metric"]: one for one in json.loads(out.read_text())["metrics"]}
    assert found["mcc"]["low"] == wanted.filter(pl.col("metric") == "mcc")["low"].item()
    assert len(found) == cm.confusion_matrix(LOG["y"], LOG["p"]).overall().height
    given = ["--cluster", "user", "--ci", "0.8", "--metrics", "f1,roc_auc", "--y-score", "s"]
    printed = run("evaluate", log, *COLUMNS, *given)[1]
    assert "80 % intervals" in printed
    assert told(evaluated(ci=0.8, metrics=["f1"]).overall()) in printed


def test_numbers(run, log):
    given = ["--y-true", "y", "--y-pred", "s", "--task", "regression", "--cluster", "user"]
    code, printed, _ = run("evaluate", log, *given, "--metrics", "mae,max_error")
    assert code == 0
    of = {"task": "regression", "metrics": ["mae", "max_error"], "cluster": "user", "ci": 0.95}
    wanted = cm.evaluate(LOG, "y", "s", **of).overall()
    assert told(wanted) in printed
    assert wanted["reason"][1] in printed
    assert '"' not in printed


def test_slices_are_those_of_the_library(run, log, tmp_path):
    out = tmp_path / "slices.parquet"
    given = ["--by", "site", "--metrics", "accuracy", "--cluster", "user", "--out", out]
    assert run("evaluate", log, *COLUMNS, *given)[0] == 0
    assert pl.read_parquet(out).equals(evaluated(by="site", metrics=["accuracy"]).slices())


@pytest.mark.parametrize("kind", ["parquet", "bin"])
def test_states_keep_their_clusters(run, log, tmp_path, kind):
    states, out = tmp_path / f"states.{kind}", tmp_path / "out.parquet"
    wanted = evaluated(by="site", metrics=["accuracy"])
    if kind == "bin":
        states.write_bytes(wanted.to_bytes())
    else:
        given = ["--by", "site", "--cluster", "user", "--states", states]
        assert run("evaluate", log, *COLUMNS, *given)[0] == 0
        assert pl.read_parquet(states).equals(wanted.states(clusters=True))
    asked = ["--cluster", "user", "--metrics", "accuracy"]
    code, printed, err = run("show", states, *asked, "--out", out)
    assert code == 0, err
    assert "by site, user (clusters)" in printed
    assert "2 slices by site, 800 rows" in printed
    assert pl.read_parquet(out).equals(wanted.slices())
    merged = tmp_path / "merged.parquet"
    code, printed, err = run("merge", states, *asked, "--whole", "--out", merged)
    assert code == 0, err
    assert "Wilson" not in printed
    low = wanted.overall()["low"].item()
    assert f"{low:.4f}" in printed
    assert pl.read_parquet(merged).equals(evaluated().states(clusters=True))
    found = cm.finish(pl.read_parquet(merged), "accuracy", ci=0.95, cluster="user")
    assert found["accuracy_low"].item() == low


def test_what_is_no_cluster_is_refused(run, log, tmp_path):
    code, _, err = run("evaluate", log, *COLUMNS, "--cluster", "usr")
    assert code == 2
    assert "`--cluster` names the column 'usr', which is not there (did you mean 'user'?)" in err
    states = tmp_path / "states.parquet"
    evaluated(by="site").states(clusters=True).write_parquet(states)
    for more in ([], ["--whole"], ["--by", "site"]):
        code, _, err = run("show", states, "--cluster", "usr", *more)
        assert code == 2
        assert "`--cluster` is 'usr'; wanted one of the keys of" in err
    holes = pl.read_parquet(states).with_columns(user=pl.lit(None, pl.Int64))
    holes.write_parquet(states)
    code, _, err = run("show", states, "--cluster", "user")
    assert code == 2
    assert "`--cluster` names 'user', which is null at row 0" in err


def test_states_name_the_key_of_clusters_once():
    with pytest.raises(cm.InputError, match="without `cluster`"):
        evaluated(cluster=None).states(clusters=True)
    both = evaluated(by="user").states(clusters=True)
    assert both.columns == ["user", "state"]
    other = evaluated(by=(pl.col("user") // 10).alias("user"))
    with pytest.raises(cm.InputError, match="'user', the name of their column, is that of another"):
        other.states(clusters=True)
