"""Pages of the documentation: their examples are run as one session."""

import doctest
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def page(name):
    """Return the text of a page."""
    return (DOCS / name).read_text("utf-8")


def failures(text):
    """Run the examples of a page, one after the other; return how many, and what failed."""
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    test = doctest.DocTestParser().get_doctest("".join(blocks), {}, "page", None, 0)
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    return len(blocks), "".join(said)
