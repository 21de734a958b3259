"""Labels, keys, columns, models and titles of markup are texts, wherever a report shows them."""

import base64
import hashlib
import json
import re

import pytest
from support.reports import HOSTILE, binary, hostile, page_of, two_models

from confmat.labels import shown

ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "a", "header", "h1", "ul", "li", "strong"),
    *("bdi", "nav", "main", "section", "h2", "h3", "div", "p", "svg", "line", "circle", "rect"),
    *("path", "g", "text", "details", "summary", "table", "caption", "thead", "tbody", "tfoot"),
    *("tr", "th", "td", "small", "figure", "figcaption", "span", "dl", "dt", "dd", "code"),
    *("footer", "noscript", "script", "meter"),
}
MAKERS = {
    "one model": hostile,
    "two models": lambda: hostile(2),
    "scores": binary,
    "models": two_models,
}


@pytest.fixture(scope="module", params=MAKERS)
def page(request, tmp_path_factory):
    title = '<script>alert(1)</script>"'
    return page_of(MAKERS[request.param](), tmp_path_factory.mktemp("report"), title=title)


def test_no_element_and_no_attribute_is_of_a_label(page):
    assert {one["tag"] for one in page.elements} <= ELEMENTS
    for one in page.elements:
        for name, value in one["attributes"].items():
            assert not name.startswith("on")
            assert name != "src"
            assert name != "style"
            if name == "href":
                assert re.fullmatch(r"#[a-z0-9-]+", value)
            if name in ("id", "data-view", "data-section", "aria-labelledby"):
                assert re.fullmatch(r"[a-z0-9-]+", value)


def test_one_script_and_one_style_run_by_their_hashes(page):
    policy = page.all("meta", http_equiv="Content-Security-Policy")[0]["attributes"]["content"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    for kind in ("script", "style"):
        (only,) = page.all(kind)
        digest = base64.b64encode(hashlib.sha256(only["text"].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
        assert not only["attributes"]


def test_no_text_turns_the_direction_or_holds_controls(page):
    for one in page.elements:
        texts = [one["text"], *filter(None, one["attributes"].values())]
        assert not any(
            re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2028\u2029]", t) for t in texts
        )
    for one in page.all("div", class_="data"):  # what the script writes
        found = json.dumps(json.loads(one["text"]), ensure_ascii=False)
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", found)
        assert "\\u0000" not in found
        assert "\\u001b" not in found


def test_every_label_is_there_as_text(tmp_path):
    rows = page_of(hostile(), tmp_path).data("m0-classes-table")["rows"]
    assert sorted(row[0] for row in rows) == sorted(map(shown, HOSTILE))


def test_the_title_is_a_text(page):
    title = page.all("title")[0]
    assert title["text"] == '<script>alert(1)</script>"'
    assert page.all("h1")[0]["text"] == title["text"]
