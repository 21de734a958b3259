"""Reports in JUnit's XML: counted, well-formed whatever a key holds."""

from xml.etree import ElementTree

import polars as pl

import confmat as cm


def report_of(sites, **wanted):
    rows = [
        {"site": site, "y_true": 0, "y_pred": int(at >= right)}
        for site, right, n in sites
        for at in range(n)
    ]
    states = cm.partial(pl.DataFrame(rows), by="site")
    wanted = {"metric": "accuracy", "each": "site", "at_least": 0.5} | wanted
    return ElementTree.fromstring(cm.check(states, [wanted]).junit())


def test_cases_are_counted():
    root = report_of([("a", 2, 2), ("b", 0, 2), ("c", 1, 1)], min_n=2)
    for suite in (root, *root):
        counted = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counted == {"tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    cases = root.findall("testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["skipped"]]
    assert cases[1].get("classname") == "accuracy of each site"
    assert cases[1].get("name") == "site = b: accuracy >= 0.5"
    assert cases[1][0].get("message") == "accuracy >= 0.5; found 0; n = 2"
    assert cases[2][0].get("message") == "accuracy >= 0.5; n = 1; too few rows: 1 of 2"


def test_any_text_is_legal():
    for text in ("\x00\x1b[31m", "<a & b>\"'", "\ufffe\uffff", "漢\n\t字", "\ud7ff\U0010ffff"):
        root = report_of([(text, 0, 1)], name=text)
        (case,) = root.findall("testsuite/testcase")
        assert case[0].get("message").startswith("accuracy >= 0.5; found 0")
