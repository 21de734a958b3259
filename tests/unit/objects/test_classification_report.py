"""`classification_report`: scikit-learn's text to the letter, and the other formats of it."""

import html.parser
import json
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import classification_report as sklearn_report

import confmat as cm

HOSTILE = [
    "<script>",
    "a|b",
    "50% & $x_1$",
    "\\alpha{}",
    "[red]",
    '"]}',
    "~^#",
    "*b*`c`",
    "ü\n\x1b",
]


def both(y_true, y_pred, undefined=0.0, **options):
    """Return our report and scikit-learn's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        theirs = sklearn_report(y_true, y_pred, zero_division=undefined, **options)
    if options.pop("output_dict", False):
        options["format"] = "dict"
    return cm.classification_report(y_true, y_pred, undefined=undefined, **options), theirs


@st.composite
def rows(draw):
    names = draw(st.sampled_from([[0, 1, 2, 7], ["a", "bb", "a longer name of it"], [True, False]]))
    size = draw(st.integers(1, 30))
    column = st.lists(st.sampled_from(names), min_size=size, max_size=size)
    y_true, y_pred = draw(column), draw(column)
    y_true[0] = y_pred[0]  # where no row is right scikit-learn writes counts with a point: 1.0
    return np.array(y_true), np.array(y_pred), names


@given(rows(), st.integers(0, 12), st.sampled_from([0.0, 1.0, np.nan]), st.booleans())
def test_text_is_that_of_scikit_learn(drawn, digits, undefined, weighted):
    y_true, y_pred, _ = drawn
    weight = np.arange(1.0, len(y_true) + 1) / 2 if weighted else None
    ours, theirs = both(y_true, y_pred, undefined, digits=digits, sample_weight=weight)
    assert ours == theirs


@given(rows(), st.randoms(use_true_random=False))
def test_labels_wanted_and_their_names(drawn, random):
    y_true, y_pred, names = drawn
    wanted = random.sample(names, random.randint(1, len(names)))
    if not set(wanted) & set(y_true.tolist()):
        wanted.append(y_true.tolist()[0])  # scikit-learn refuses labels of which no row is
    called = [f"class {i}" for i in range(len(wanted))]
    ours, theirs = both(y_true, y_pred, labels=wanted, target_names=called)
    assert ours == theirs


@given(rows(), st.booleans())
def test_numbers_are_those_of_scikit_learn(drawn, weighted):
    y_true, y_pred, _ = drawn
    weight = np.arange(1.0, len(y_true) + 1) if weighted else None
    ours, theirs = both(y_true, y_pred, output_dict=True, sample_weight=weight)
    assert list(ours) == list(theirs)
    for name, line in theirs.items():
        assert ours[name] == pytest.approx(line, rel=1e-15, abs=0)


@given(st.integers(0, 2**32), st.sampled_from([0.0, 1.0]), st.booleans())
def test_sets_of_labels(seed, undefined, some):
    rng = np.random.default_rng(seed)
    y_true, y_pred = rng.random((2, 12, 4)) < 0.3
    y_true, y_pred = y_true.astype(int), y_pred.astype(int)
    labels = [3, 0] if some else None
    for read in (np.asarray, sp.csr_array):
        ours, theirs = both(read(y_true), read(y_pred), undefined, labels=labels)
        assert ours == theirs


@pytest.mark.parametrize("make", [list, pl.Series, pd.Series, np.array, pd.Categorical])
def test_columns_of_any_library(make):
    y_true, y_pred = ["b", "a", "b", "c"], ["b", "b", "b", "a"]
    assert (
        cm.classification_report(make(y_true), make(y_pred), undefined=0.0)
        == both(y_true, y_pred)[1]
    )


def test_classes_that_do_not_occur_are_left_out_unless_they_are_asked_for():
    kind = pl.Enum(["a", "b", "z"])
    y = pl.Series(["a", "b"], dtype=kind)
    assert "z" not in cm.classification_report(y, y, format="dict")
    with pytest.warns(cm.UndefinedMetricWarning, match=r"precision is undefined \(0/0\) for 'z'"):
        assert "z" in cm.classification_report(y, y, labels=["a", "z"], format="dict")


def test_frames_of_sets():
    y_true, y_pred = [[1, 0], [1, 1]], [[1, 1], [1, 0]]
    theirs = both(np.array(y_true), np.array(y_pred), target_names=["a", "b"])[1]
    for make in (pl.DataFrame, pd.DataFrame):
        true = make(dict(zip("ab", zip(*y_true, strict=True), strict=True)))
        pred = make(dict(zip("ab", zip(*y_pred, strict=True), strict=True)))
        assert cm.classification_report(true, pred, undefined=0.0) == theirs
    lists = [["a"], ["a", "b"]], [["a", "b"], ["a"]]
    assert cm.classification_report(*lists, undefined=0.0) == theirs
    with pytest.raises(cm.InputError, match="holds lists; wanted an array of 0 and 1"):
        cm.classification_report(*lists, labels=["a"])


def test_integer_weights_count_as_integers():
    ours = cm.classification_report([0, 1], [0, 1], sample_weight=[2, 3], format="polars")
    assert ours["support"].to_list()[:2] == [2, 3]


M = cm.ConfusionMatrix(np.diag(np.arange(1, 10)) + 1, labels=HOSTILE)


def test_json_is_strict_and_has_null_for_nan():
    m = cm.ConfusionMatrix([[3, 0], [1, 0]], labels=["a", "b"])
    text = m.classification_report(undefined=float("nan"), format="json", ci=0.9)

    def refuse(word):
        raise AssertionError(word)

    found = json.loads(text, parse_constant=refuse)
    assert found["b"]["precision"] is None
    assert found["a"]["recall"] == 1.0
    assert found["a"]["recall_low"] < 1.0
    assert found["accuracy"]["f1-score"] == 0.75
    assert json.loads(M.classification_report(format="json")).keys() >= set(HOSTILE)


def test_markdown_keeps_its_cells():
    markdown_it = pytest.importorskip("markdown_it")
    page = markdown_it.MarkdownIt("commonmark").enable("table")
    tokens = page.parse(M.classification_report(format="markdown"))
    cells = [t for t in tokens if t.type == "inline"]
    assert len(cells) == 5 * (1 + 9 + 3)
    for cell in cells:
        assert {child.type for child in cell.children} <= {"text", "text_special"}
    names = ["".join(child.content for child in cell.children) for cell in cells[5::5]]
    assert names[:8] == HOSTILE[:8]
    assert names[8] == "ü\\n\\x1b"


def test_html_keeps_its_cells():
    class Page(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.tags, self.texts = set(), []

        def handle_starttag(self, tag, attrs):
            self.tags.add(tag)

        def handle_data(self, data):
            self.texts.append(data)

    page = Page()
    page.feed(M.classification_report(format="html"))
    assert page.tags <= {"div", "p", "table", "tr", "th", "td"}
    assert set(HOSTILE[:8]) <= set(page.texts)


def test_latex_is_escaped():
    text = M.classification_report(format="latex")
    rows = text.splitlines()
    assert rows[0] == r"\begin{tabular}{lrrrr}"
    assert rows[-1] == r"\end{tabular}"
    body = [row for row in rows if row.endswith(r" \\")]
    assert len(body) == 1 + 9 + 3
    for row in body:
        bare = re.sub(
            r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater)\{\}", "", row
        )
        bare = re.sub(r"\\[{}$&#_%]", "", bare.removesuffix(r" \\"))
        assert bare.count("&") == 4
        assert not re.search(r"[\\{}$#_%~^]", bare.removeprefix("{}"))


def test_frame_with_intervals():
    frame = M.classification_report(columns=["recall", "jaccard"], ci=0.9, format="polars")
    assert frame.columns[:4] == ["label", "kind", "recall", "recall_low"]
    assert frame["kind"].to_list() == ["class"] * 9 + ["average"] * 3
    per_class = M.per_class(["recall", "jaccard"], ci=0.9)
    assert frame.head(9).select(per_class.columns[1:]).equals(per_class.drop("label"))
    last = frame.row(10, named=True)
    interval = M.ci("jaccard_macro", 0.9)
    assert last["jaccard_low"] == interval.low
    assert last["jaccard"] == pytest.approx(interval.value, rel=1e-15)


def test_one_warning_says_what_to_do_and_its_advice_works():
    with pytest.warns(cm.UndefinedMetricWarning, match=r"undefined=0\.0") as caught:
        first = cm.classification_report([0, 1], [0, 0])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert cm.classification_report([0, 1], [0, 0], undefined=0.0) == first
    assert "nan" in cm.classification_report([0, 1], [0, 0], undefined=float("nan"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "yaml"}, "`format` is 'yaml'; wanted 'text' or"),
        ({"labels": ["a"]}, "labels"),
        ({"target_names": ["x"]}, "`target_names` has 1 names for 2 classes"),
        ({"target_names": "xy"}, "`target_names` is 'xy'; wanted a list of names"),
        ({"columns": ["mcc"]}, "mcc is one number of the whole table"),
        ({"columns": ["nope"]}, "nope"),
        ({"digits": -1}, "`digits` is -1; wanted a number from 0 to 17"),
        ({"digits": True}, "`digits` is True"),
        ({"undefined": "raise"}, "`undefined` is 'raise'"),
        ({"ci": 95}, "ci"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(cm.InputError, match=re.escape(message)):
        cm.classification_report([0, 1], [0, 1], **options)


def test_no_rows():
    assert cm.classification_report([], [], undefined=0.0, format="polars").height == 3


def test_many_classes():
    y = np.arange(3_000).repeat(3)
    frame = cm.classification_report(y, np.roll(y, 1), format="polars")
    assert frame.height == 3_003
