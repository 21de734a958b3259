"""Objects in IPython and in Rich: one text and one page, whatever the labels look like."""

import io
import re

import polars as pl
import pytest
from rich.console import Console

import confmat as cm

MARKUP = ["[red]a[/red]", "<b>", "[/]"]
M = cm.ConfusionMatrix([[5, 1, 0], [2, 7, 1], [0, 0, 3]], labels=MARKUP)
LOG = pl.DataFrame({"y": MARKUP * 4, "p": MARKUP * 3 + MARKUP[::-1], "k": ["[u]", "v"] * 6})
EVALUATION = cm.evaluate(LOG, y_true="y", y_pred="p", by="k")
SHOWN = [
    M,
    EVALUATION,
    cm.drift(M, M),
    cm.compare(LOG, y_true="y", y_pred={"[b]": "p", "c": "y"}),
    cm.check(EVALUATION, [{"metric": "accuracy", "at_least": 0.5}]),
    cm.regression([1.0, 2.0, 3.0], [1.0, 2.5, 3.0]),
    cm.sweep([0, 1, 1], [0.2, 0.3, 0.9]),
    EVALUATION.fairness("k"),
]
each = pytest.mark.parametrize("x", SHOWN, ids=lambda x: type(x).__name__)


@each
def test_text_and_page_are_those_of_print_and_of_html(x):
    assert x._repr_mimebundle_() == {"text/plain": str(x), "text/html": x._repr_html_()}
    assert x._repr_mimebundle_(include=["text/html"])["text/html"] == x._repr_html_()


@each
def test_the_short_form_is_one_line_about_the_rows(x):
    assert re.fullmatch(r"<[^\n]{10,}>", repr(x))
    assert " object at 0x" not in repr(x)


@each
def test_rich_writes_every_character_of_the_text(x):
    stream = io.StringIO()
    Console(file=stream, width=1_000, color_system=None).print(x)
    assert stream.getvalue() == f"{x}\n"


def test_rich_cuts_lines_and_wraps_none():
    stream = io.StringIO()
    Console(file=stream, width=40, color_system=None).print(M)
    lines = stream.getvalue().splitlines()
    assert len(lines) == len(str(M).splitlines())
    assert max(map(len, lines)) == 40


def test_ipython_shows_the_screen():
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(M)
    assert data["text/plain"] == str(M)
    assert data["text/html"] == M._repr_html_()
    assert "<b>" not in data["text/html"]
