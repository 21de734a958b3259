"""The pages on reports show what the code gives."""

import pytest
from support.pages import failures, page


@pytest.mark.parametrize(("name", "wanted"), [("report.md", 1), ("five-minutes.md", 4)])
def test_examples(name, wanted):
    blocks, failed = failures(page(name))
    assert not failed, failed
    assert blocks == wanted
