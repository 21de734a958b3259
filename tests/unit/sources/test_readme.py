"""The examples of the README run, one after the other, as a reader would type them."""

import ast
import inspect
import re

import polars as pl
import pytest
from support.pages import DOCS

import confmat as cm

README = (DOCS.parent / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)
ON_CLUSTERS = [block for block in BLOCKS if "cm.spark." in block]


def test_examples(tmp_path, monkeypatch):
    for extra in ("altair", "scipy", "vl_convert"):
        pytest.importorskip(extra)
    pytest.importorskip("sklearn", minversion="1.9")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    rows = {"segment": ["a", "a", "b"], "y_true": [1, 0, 1], "y_pred": [1, 0, 0]}
    pl.DataFrame(rows).write_parquet("logs/part.parquet")
    names = {}
    for block in BLOCKS:
        if block not in ON_CLUSTERS:
            exec(compile(block, "README.md", "exec"), names)
    pictures = {path.name for path in tmp_path.iterdir()}
    assert {"quarters.png", "roc.png", "slices.png", "months.parquet"} <= pictures
    for block in BLOCKS:  # what is said to be equal
        for line in block.splitlines():
            if " == " in line and not line.startswith(" "):
                assert eval(line.partition("#")[0].partition(";")[0], names), line


def test_calls_on_clusters_fit_the_signatures():
    (block,) = ON_CLUSTERS
    calls = [node for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Call)]
    assert len(calls) == 3
    for call in calls:
        inspect.signature(eval(ast.unparse(call.func), {"cm": cm})).bind(*call.args)
