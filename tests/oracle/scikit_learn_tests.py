"""scikit-learn's own tests, run on the functions of `confmat.sklearn` in place of its own.

    python tests/oracle/scikit_learn_tests.py            # prints the counts, in some minutes
    python tests/oracle/scikit_learn_tests.py --write    # puts them into docs/scikit-learn.md
    python tests/oracle/scikit_learn_tests.py -k jaccard # of some tests, with their errors

The test files are those of the installed scikit-learn, and their names are replaced by
`confmat.sklearn.patch()` before they are imported. What counts is each test that calls one of our
functions. Those that fail stand in `scikit_learn_failures.json`, under the reason; one that is not
listed there, or is listed and passes, is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import sklearn

from confmat.sklearn import patch
from confmat.sklearn.drop_in import REPLACED

HERE = Path(__file__).parent
LISTED = HERE / "scikit_learn_failures.json"
PAGE = HERE.parent.parent / "docs" / "scikit-learn.md"
MARKS = ("<!-- own tests: begin -->", "<!-- own tests: end -->")
PACKAGE = Path(sklearn.__file__).parent
FILES = (
    "metrics/tests/test_classification.py",
    "metrics/tests/test_ranking.py",
    "metrics/tests/test_regression.py",
    "metrics/tests/test_common.py",
    "tests/test_calibration.py",
)


class Watch:
    """What became of each test, and which of our functions it has called."""

    def __init__(self) -> None:
        self.called: dict[str, set[str]] = {}
        self.outcomes: dict[str, str] = {}
        self._now: set[str] = set()

    def watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that takes down its calls."""

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._now.add(function.__name__)
            return function(*args, **kwargs)

        return call

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Take down what a test calls."""
        self._now = self.called[test_name(item.nodeid)] = set()
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down how a test ends."""
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[test_name(report.nodeid)] = report.outcome

    def reached(self, outcome: str) -> list[str]:
        """Return the tests that called one of our functions and ended so."""
        return [name for name, how in self.outcomes.items() if how == outcome and self.called[name]]


def test_name(node: str) -> str:
    """Return the name of a test from the folder of scikit-learn on."""
    return node.removeprefix(f"{PACKAGE}/").removeprefix("sklearn/")


def run(options: list[str]) -> Watch:
    """Run scikit-learn's tests on our functions."""
    watch = Watch()
    for original, ours in list(REPLACED.items()):
        REPLACED[original] = watched = watch.watched(ours)
        for module in (sys.modules[ours.__module__], sys.modules["confmat.sklearn"]):
            setattr(module, ours.__name__, watched)  # where pickle looks for it
    patch()
    os.chdir(PACKAGE)
    files = [str(PACKAGE / file) for file in FILES]
    settings = ["-c", os.devnull, "--rootdir", str(PACKAGE), "-p", "no:cacheprovider", "-q"]
    if pytest.main([*settings, *options, *files], plugins=[watch]) > 1:
        raise SystemExit("the tests did not run")
    return watch


def listed() -> dict[str, str]:
    """Return the reason of each test that is known to fail."""
    return {
        test: reason for reason, tests in json.loads(LISTED.read_text()).items() for test in tests
    }


def disagreements(watch: Watch) -> list[str]:
    """Return how the failures differ from those that are listed."""
    known, failed = listed(), watch.reached("failed")
    ran = set(watch.outcomes)
    return [
        *(f"fails, and has no reason: {test}" for test in failed if test not in known),
        *(f"is listed, and passes: {test}" for test in known if test in ran - set(failed)),
    ]


def shown(watch: Watch) -> str:
    """Return the counts, and the failures under their reasons, in Markdown."""
    passed, failed = watch.reached("passed"), watch.reached("failed")
    lines = [
        f"With scikit-learn {sklearn.__version__}:",
        "",
        "| file | tests that call our functions | pass | fail | pass |",
        "|---|---|---|---|---|",
    ]
    counts = [Counter(test.partition("::")[0] for test in tests) for tests in (passed, failed)]
    for file in (*FILES, "all"):
        good, bad = (of.total() if file == "all" else of[file] for of in counts)
        share = f"{good / (good + bad):.1%}" if good + bad else ""
        lines.append(f"| `{file}` | {good + bad:,} | {good:,} | {bad:,} | {share} |")
    reasons: dict[str, list[str]] = {}
    for test in failed:
        reasons.setdefault(listed().get(test, "not explained"), []).append(test)
    for reason, tests in reasons.items():
        lines += ["", f"{reason} ({len(tests)}):", "", *(f"- `{test}`" for test in tests)]
    return "\n".join(lines)


def main() -> None:
    """Run the tests; print or write what they give."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="into docs/scikit-learn.md")
    parser.add_argument("-k", help="only tests of such names, with their errors")
    asked = parser.parse_args()
    options = ["--tb=no", "-W", "ignore"] if asked.k is None else ["--tb=short", "-k", asked.k]
    watch = run(options)
    text = shown(watch)
    if asked.write:
        page = PAGE.read_text("utf-8")
        before, rest = page.split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        PAGE.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", "utf-8")
    else:
        print(text)
    wrong = disagreements(watch)
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
