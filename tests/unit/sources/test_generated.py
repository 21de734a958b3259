"""The generated files are those that the registry of the compiled core gives."""

import importlib
import re
from pathlib import Path

import pytest

from confmat import functions, registry
from confmat.frames.expr_metrics import ExprMetrics

GENERATE = Path(__file__).parents[3] / "docs" / "generate.py"


@pytest.fixture(scope="module")
def generate():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(GENERATE.parent)
        return importlib.import_module("generate")


def test_generated_files_are_fresh(generate, capsys):
    assert generate.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_file_is_named_and_left_alone(generate, tmp_path, monkeypatch, capsys):
    for folder in ("docs", "python/confmat/frames"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    page = tmp_path / "docs" / "metrics.md"
    page.write_text("old")
    capsys.readouterr()
    assert generate.main(["--check"]) == 1
    assert "docs/metrics.md" in capsys.readouterr().out
    assert page.read_text() == "old"


def test_a_function_for_every_row():
    rows = [fact["name"] for fact in registry.facts() if fact["level"] != "average"]
    rows += [fact["name"] for fact in registry.score_facts()]
    rows += [fact["name"] for fact in registry.regression_facts()]
    assert sorted(functions.__all__) == sorted(rows)


def test_a_method_for_every_value_name():
    methods = {name for name in vars(ExprMetrics) if not name.startswith("_")}
    assert methods == {fact["name"] for fact in registry.facts()}


def test_tables_of_the_page_have_equal_columns(generate):
    page = (generate.ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {3, 5}
