"""The guide to metrics shows what the code gives, and names metrics that there are."""

import re

from support.pages import failures, page

from confmat.registry import find_quietly

PAGE = page("choosing.md")


def test_examples():
    blocks, failed = failures(PAGE)
    assert blocks == 20
    assert not failed, failed


def test_metrics_of_the_table_are_registered():
    lines = re.findall(r"^\| [a-z].*", PAGE, re.MULTILINE)
    names = re.findall(r"`([a-z_0-9]+)`", "".join(lines))
    assert len(names) > 15
    assert [name for name in names if find_quietly(name) is None] == []
