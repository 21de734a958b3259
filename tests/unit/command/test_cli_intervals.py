"""Metrics asked for by name stand beside their 95 % intervals, though none were asked for."""

import re

import numpy as np
import polars as pl
import pytest
from scipy import stats

import confmat as cm

pytest.importorskip("typer")
RNG = np.random.default_rng(2)
N = 200
SCORES = RNG.random(N)
LOG = pl.DataFrame(
    {
        "y": (RNG.random(N) < SCORES).astype(int),
        "p": (SCORES > 0.4).astype(int),
        "s": SCORES,
        "t": SCORES + RNG.normal(0, 0.1, N),
        "u": np.arange(N) // 5,
    }
)
M = cm.confusion_matrix(LOG["y"], LOG["p"])
HEAD = "95% interval"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("intervals") / "log.parquet"
    LOG.write_parquet(path)
    return path


def told(out, name):
    """Return the words of the last line of a metric, columns apart by two blanks."""
    (*_, line) = [line for line in out.splitlines() if line.split(" ")[0] == name]
    return re.split(r"\s{2,}", line.strip())


def bracket(low, high):
    return f"[{low:.4f}, {high:.4f}]"


def test_of_predicted_classes(run, file):
    asked = ("evaluate", file, "--y-true", "y", "--y-pred", "p", "--metrics", "accuracy,mcc,f1")
    code, out, err = run(*asked)
    assert (code, err) == (0, "")
    right = int((LOG["y"] == LOG["p"]).sum())
    ends = stats.binomtest(right, N).proportion_ci(method="wilson")
    assert told(out, "accuracy") == ["accuracy", f"{right / N:.6g}", bracket(ends.low, ends.high)]
    for name in ("mcc", "f1"):
        assert told(out, name)[2] == bracket(*M.ci(name)[1:3])
    other = run(*asked, "--pos-label", "0")[1]
    assert told(other, "f1")[2] == bracket(*M.ci("f1", pos_label=0)[1:3])


def test_of_scores_those_with_a_formula(run, file):
    s = cm.sweep(LOG["y"], LOG["s"])
    _, out, _ = run(
        *("evaluate", file, "--y-true", "y", "--y-score", "s", "--y-pred", "p"),
        *("--metrics", "roc_auc,ks,recall", "--exact"),
    )
    assert told(out, "roc_auc")[1:] == [f"{s.roc_auc:.6g}", bracket(*s.ci("roc_auc")[1:3])]
    drawn = s.ci("ks", seed=0)[1:3]
    assert told(out, "ks")[1:] == [f"{s.ks:.6g}", bracket(*drawn)]
    assert told(out, "recall")[2] == bracket(*M.ci("recall")[1:3])
    assert "because" not in out  # a screen says nothing of an interval that is missing


def test_of_numbers(run, file):
    _, out, _ = run(
        *("evaluate", file, "--y-true", "s", "--y-pred", "t", "--task", "regression"),
        *("--metrics", "mean_error,rmse"),
    )
    errors = (LOG["t"] - LOG["s"]).to_numpy()
    se = errors.std(ddof=1) / N**0.5
    ends = stats.t.interval(0.95, N - 1, errors.mean(), se)
    assert told(out, "mean_error")[2] == bracket(*ends)
    assert told(out, "rmse")[2] == "\N{EN DASH}"


def test_where_there_is_none_no_column_is_shown(run, file):
    of_numbers = ("evaluate", file, "--y-true", "s", "--y-pred", "t", "--task", "regression")
    _, out, _ = run(*of_numbers, "--metrics", "max_error")
    assert told(out, "metric") == ["metric", "value"]


def test_where_a_level_is_asked_for_there_are_these_alone(run, file):
    of = ("evaluate", file, "--y-true", "y", "--y-pred", "p", "--metrics", "mcc")
    for more in (("--ci", "0.9"), ("--cluster", "u")):
        _, out, _ = run(*of, *more)
        assert told(out, "metric") == ["metric", "value", "low", "high"]
        assert told(out, "mcc")[1] == f"{M.mcc:.6g}"
    assert [float(x) for x in told(run(*of, "--ci", "0.9")[1], "mcc")[1:]] == pytest.approx(
        M.ci("mcc", 0.9)[:3], rel=1e-5
    )


def test_of_files_of_states(run, file, tmp_path):
    states = tmp_path / "states.parquet"
    run("evaluate", file, "--y-true", "y", "--y-pred", "p", "--states", states)
    _, out, _ = run("show", states, "--metrics", "mcc")
    assert told(out, "metric")[2] == HEAD
    assert told(out, "mcc")[2] == bracket(*M.ci("mcc")[1:3])
    _, out, _ = run("show", states, "--metrics", "mcc", "--ci", "0.9")
    assert told(out, "metric") == ["metric", "value", "low", "high"]


def test_files_that_are_written_have_none(run, file, tmp_path):
    out = tmp_path / "m.csv"
    run("evaluate", file, "--y-true", "y", "--y-pred", "p", "--metrics", "mcc", "--out", out)
    assert pl.read_csv(out).columns == ["metric", "value", "reason"]
