"""The tree of a page: escaped in one place, and nothing but texts, numbers and elements in it."""

import html as standard

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reports import HOSTILE, Page

from confmat.labels import shown
from confmat.report.document import escape, html, tag


@given(st.text())
def test_texts_come_back_as_they_were_but_for_controls(text):
    back = standard.unescape(escape(text))
    assert back == text or any(not c.isprintable() for c in text)
    assert not set(escape(text)) & set("<>\"'\x00\u202e\u2028")


@pytest.mark.parametrize("word", HOSTILE)
def test_a_hostile_text_begins_nothing(word):
    page = Page(html(tag("p", word, title=word)))
    (only,) = page.elements
    assert list(only["attributes"]) == ["title"]
    assert shown(only["text"]) == shown(standard.unescape(escape(word)))


def test_attributes_of_true_are_bare_and_those_of_nothing_are_left_out():
    made = html(tag("input", hidden=True, checked=False, title=None, aria_label="x", class_="y"))
    assert made == '<input hidden aria-label="x" class="y">'


@pytest.mark.parametrize("name", ["script", "style", "iframe", "b onclick=x", "", "object"])
def test_elements_that_run_or_load_are_refused(name):
    with pytest.raises(ValueError, match="does not belong"):
        tag(name)


@pytest.mark.parametrize("name", ["onclick", "style", "a b", "x=1"])
def test_attributes_that_run_are_refused(name):
    with pytest.raises(ValueError, match="does not belong"):
        tag("p", **{name: "x"})
