"""The examples of the guides by task give what they show; no page with examples is left out."""

import re

import pytest
from support.pages import DOCS, failures, page

TESTS = DOCS.parent / "tests"
GUIDES = {
    "calibration.md",
    "comparing.md",
    "group-by.md",
    "how.md",
    "huge-logs.md",
    "index.md",
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
