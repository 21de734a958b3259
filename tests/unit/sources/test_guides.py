"""The examples of the guides by task give what they show; no page with examples is left out."""

import ast
import inspect
import re
import shlex
from importlib.resources import files

import polars as pl
import pytest
from support.pages import DOCS, failures, page

import confmat as cm

LOG = files("confmat") / "data" / "flights.parquet"
TESTS = DOCS.parent / "tests"
GUIDES = {
    "calibration.md",
    "comparing.md",
    "group-by.md",
    "how.md",
    "huge-logs.md",
    "index.md",
    "interop.md",
    "thresholds.md",
}


@pytest.mark.parametrize("name", sorted(GUIDES))
def test_examples(name):
    blocks, failed = failures(page(name))
    assert blocks
    assert not failed, failed


def test_every_page_with_examples_is_run():
    shown = {path.name for path in DOCS.glob("*.md") if "```pycon" in path.read_text("utf-8")}
    tests = "".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    assert shown <= set(re.findall(r'"([\w-]+\.md)"', tests))
    assert shown >= GUIDES


def test_commands(run, tmp_path, monkeypatch):
    pytest.importorskip("typer")
    monkeypatch.chdir(tmp_path)
    flights = pl.read_parquet(LOG).head(5_000)
    (tmp_path / "logs").mkdir()
    flights.write_parquet("logs/flights.parquet")
    judged = flights.select(y="late", p="late_pred", country="origin").with_row_index("id")
    judged.write_parquet("old.parquet")
    judged.with_columns(p=flights["late_score"] > 0.3).write_parquet("new.parquet")
    commands = "".join(
        block
        for name in sorted(GUIDES)
        for block in re.findall(r"```sh\n(.*?)```", page(name), re.S)
    ).splitlines()
    assert len(commands) == 2
    for command in commands:
        code, printed, said = run(*shlex.split(command)[1:])
        assert code == 0, said
        assert printed


def test_calls_on_clusters_fit_the_signatures():
    blocks = re.findall(r"```python\n(.*?)```", page("clusters.md"), re.DOTALL)
    calls = [node for node in ast.walk(ast.parse("".join(blocks))) if isinstance(node, ast.Call)]
    asked = [call for call in calls if ast.unparse(call.func).endswith(".evaluate")]
    assert len(asked) == 5
    for call in asked:
        function = eval(ast.unparse(call.func), {"cm": cm})
        inspect.signature(function).bind(*call.args, **{word.arg: 0 for word in call.keywords})
