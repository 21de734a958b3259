"""Reports in JUnit's XML: a suite of test cases, each in a class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

# What no XML 1.0 holds, not even escaped.
_ILLEGAL = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_CHILDREN = {"failed": "failure", "skipped": "skipped"}


class Case(NamedTuple):
    """One test case: `outcome` is "passed", "failed" or "skipped"."""

    group: str
    name: str
    outcome: str
    message: str


def junit(suite: str, cases: Sequence[Case]) -> str:
    """Return the report as text.

    Examples
    --------
    >>> from confmat.gates.junit import Case, junit
    >>> print(junit("gate", [Case("recall", "all rows", "failed", "recall >= 0.9; found 0.8")]))
    <?xml version="1.0" encoding="utf-8"?>
    <testsuites name="gate" tests="1" failures="1" errors="0" skipped="0">
      <testsuite name="gate" tests="1" failures="1" errors="0" skipped="0">
        <testcase classname="recall" name="all rows" time="0">
          <failure message="recall &gt;= 0.9; found 0.8" type="failed" />
        </testcase>
      </testsuite>
    </testsuites>
    """
    from xml.etree import ElementTree  # here and not above: it takes as long as the rest

    counted = {
        "name": suite,
        "tests": str(len(cases)),
        "failures": str(sum(case.outcome == "failed" for case in cases)),
        "errors": "0",
        "skipped": str(sum(case.outcome == "skipped" for case in cases)),
    }
    root = ElementTree.Element("testsuites", counted)
    inner = ElementTree.SubElement(root, "testsuite", counted)
    for case in cases:
        about = {"classname": _legal(case.group), "name": _legal(case.name), "time": "0"}
        told = ElementTree.SubElement(inner, "testcase", about)
        if case.outcome in _CHILDREN:
            message = {"message": _legal(case.message)}
            if case.outcome == "failed":
                message["type"] = "failed"
            ElementTree.SubElement(told, _CHILDREN[case.outcome], message)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}'


def _legal(text: str) -> str:
    return re.sub(_ILLEGAL, lambda c: c[0].encode("unicode_escape").decode("ascii"), text)
