"""The printed and the notebook form: numbers, width, and labels that mean harm."""

import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from scipy.stats import binomtest

import confmat as cm
from confmat.matrices import summary
from confmat.render.text import fit, width

EVIL = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "&lt;b&gt;",
    "\x1b[2J\x1b[31mred",
    "\u202eevil\u2066",
    "two\nlines\r\ttab",
    "</td></tr></table><style>*{display:none}</style>",
    "javascript:alert(1)",
    "漢字" * 30,
    "e\u0301" * 20,
    "",
    "z" * 500,
]
RNG = np.random.default_rng(2)


def test_numbers_of_a_small_matrix():
    text = str(cm.ConfusionMatrix([[90, 10], [10, 90]]))
    assert "2 classes, n = 200" in text
    assert "0.9000   95% interval [0.8506, 0.9343] (Wilson)" in text
    assert "no-information rate  0.5000" in text
    for words in (
        "mcc                  0.8000",
        "kappa           0.8000",
        "gmcc                 0.8000",
    ):
        assert words in text
    assert "prevalence  support" in text
    assert "undefined" not in text


def test_the_matrix_has_totals():
    lines = str(cm.ConfusionMatrix([[8, 2], [1, 1234]], labels=["cat", "dog"])).splitlines()
    assert lines[2].split() == ["true", "\\", "pred", "cat", "dog", "|", "total"]
    assert lines[4].split() == ["cat", "8", "2", "|", "10"]
    assert lines[5].split() == ["dog", "1", "1,234", "|", "1,235"]
    assert lines[7].split() == ["total", "9", "1,236", "|", "1,245"]


def test_the_class_table():
    m = cm.ConfusionMatrix([[8, 2], [1, 1234]], labels=["cat", "dog"])
    lines = str(m).splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("class "))
    head = "class precision recall specificity f1 mcc prevalence support"
    assert lines[at].split() == head.split()
    want = ("precision", "recall", "specificity", "f1", "mcc_binary", "prevalence")
    for line, label, support in zip(lines[at + 2 :], m.labels, ("10", "1,235"), strict=True):
        values = [f"{m.value(name, pos_label=label):.4f}" for name in want]
        assert line.split() == [label, *values, support]


def test_reasons_are_cut_to_the_width():
    labels = [f"{i} {'long ' * 30}" for i in range(3)]
    m = cm.ConfusionMatrix([[3, 0, 0], [2, 0, 0], [1, 0, 0]], labels)
    assert "is undefined: " in str(m)
    assert max(map(width, str(m).splitlines())) <= 96


def test_one_class_has_a_matrix():
    lines = str(cm.ConfusionMatrix([[3]], ["only"])).splitlines()
    assert lines[0] == "Confusion matrix: 1 class, n = 3"
    assert lines[4].split() == ["only", "3", "|", "3"]


def test_decimals_of_weights():
    rows = str(cm.ConfusionMatrix([[100.0, 2.0], [0.0, 1234.0]])).splitlines()
    assert rows[4].split() == ["0", "100", "2", "|", "102"]
    rows = str(cm.ConfusionMatrix([[100.25, 2.0], [0.0, 1.0]])).splitlines()
    assert rows[4].split() == ["0", "100.25", "2.00", "|", "102.25"]


def test_undefined_values_are_explained():
    text = str(cm.ConfusionMatrix([[5, 0], [3, 0]], labels=["no", "yes"]))
    assert "mcc is undefined: " in text
    row = next(line for line in text.splitlines() if line.startswith("yes ") and "." in line)
    assert row.split()[1] == "-"
    assert "- undefined (0/0)" in text


def test_rows_left_out_are_told():
    m = cm.confusion_matrix([0, None, 7], [0, 1, 1], labels=[0, 1], other="bucket", smoothing=0.5)
    first = str(m).splitlines()[0]
    assert first.startswith("Confusion matrix: 2 classes, n = 1 (")
    assert first.endswith("(1 dropped: null; 1 outside the labels; smoothing = 0.5)")


def test_weighted_intervals_use_the_effective_n():
    y, p = RNG.integers(0, 2, (2, 400))
    w = RNG.random(400)
    m = cm.confusion_matrix(y, p, sample_weight=w)
    n = w.sum() ** 2 / (w**2).sum()
    low, high = m.ci("accuracy")[1:3]
    assert f"[{low:.4f}, {high:.4f}] (Wilson of weighted rows)" in str(m)
    assert f"effective n = {n:,.1f}" in str(m)
    assert "interval" not in str(cm.ConfusionMatrix([[0.5, 1], [1, 2]]))


def told(m, name):
    """Return what stands behind the name of a metric of the whole matrix."""
    return re.search(rf"(?:^| ){name} +(\S+(?: \[[^]]*\])?)", str(m), re.MULTILINE)[1]


def test_metrics_of_all_rows_have_their_intervals():
    m = cm.ConfusionMatrix([[80, 15], [9, 41]], labels=[0, 1])
    for name, right, of in (("recall", 41, 50), ("precision", 41, 56)):
        ends = binomtest(right, of).proportion_ci(method="wilson")
        assert told(m, name) == f"{right / of:.4f} [{ends.low:.4f}, {ends.high:.4f}]"
    for name in ("balanced_accuracy", "f1", "mcc", "kappa", "gmcc", "eve"):
        value, low, high, *_ = m.ci(name)
        assert told(m, name) == f"{value:.4f} [{low:.4f}, {high:.4f}]"
        assert f">[{low:.4f}, {high:.4f}]<" in m._repr_html_()
    assert max(map(len, str(m).splitlines())) <= 96


@pytest.mark.parametrize(
    "m",
    [
        cm.ConfusionMatrix([[0.5, 1], [1, 2]]),
        cm.confusion_matrix([0, 1, 1], [0, 1, 0], smoothing=0.5),
        cm.ConfusionMatrix(np.ones((101, 101), np.int64)),
    ],
    ids=["no squares", "smoothed", "101 classes"],
)
def test_what_has_no_interval_or_is_not_quick_stands_alone(m):
    assert told(m, "mcc") == f"{m.mcc:.4f}"
    assert "[" not in summary.text(m, rows_are_independent=False).split("accuracy ")[1]


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1e-3, 1.0, 1e9, 1e14, 1e15, 1e200])
def test_weights_of_any_size_fit(size):
    y, p = [0, 1, 0, 1], [0, 0, 1, 1]
    m = cm.confusion_matrix(y, p, sample_weight=np.array([0.3, 1.0, 2.0, 4.7]) * size)
    lines = str(m).splitlines()
    assert max(map(width, lines)) <= 100
    assert "nan" not in str(m)
    assert " inf" not in str(m)
    assert "accuracy             0.6250" in str(m)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 12, 13, 20, 100])
@pytest.mark.parametrize("size", [1, 1_000, 10**9, 10**15])
def test_one_screen_for_any_size(k, size):
    for labels in (None, [f"a rather long class name, number {i}" for i in range(k)]):
        m = cm.ConfusionMatrix(RNG.integers(0, size, (k, k)) + np.eye(k, dtype=int), labels)
        lines = str(m).splitlines()
        assert max(map(width, lines)) <= 110
        assert len(lines) <= 45


def test_many_classes_show_the_confusions():
    counts = np.eye(20, dtype=int) * 50
    counts[3, 7] = 9
    counts[7, 7] = 10
    lines = str(cm.ConfusionMatrix(counts, [f"c{i:02d}" for i in range(20)])).splitlines()
    at = lines.index("Most frequent confusions")
    assert lines[at + 3].split() == ["c03", "c07", "9", "15.3%"]
    worst = lines[lines.index("The 10 of 20 classes with the lowest f1") + 3]
    assert worst.split()[0] == "c07"
    assert "Every row is on the diagonal." in str(cm.ConfusionMatrix(np.eye(15)))


def test_nothing_counted():
    assert "every metric is undefined" in str(cm.ConfusionMatrix([[0, 0], [0, 0]]))


def test_hostile_labels_in_text():
    for m in (
        cm.ConfusionMatrix(np.eye(12, dtype=int) * 3 + 1, EVIL),
        cm.ConfusionMatrix(np.ones((24, 24), dtype=int), EVIL + [f"{x}2" for x in EVIL]),
    ):
        for text in (str(m), repr(m)):
            assert all(line.isprintable() for line in text.split("\n"))
            assert max(map(width, text.split("\n"))) <= 200
        assert len(str(m).split("\n")) <= 45


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts = [], set(), set(), []
        self.all_styles, self.titles = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        styles = [value for name, value in attrs if name == "style"]
        self.titles += [value for name, value in attrs if name == "title"]
        assert not any("url" in value or "expression" in value for value in styles)
        self.all_styles += styles

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize("copies", [1, 4], ids=["matrix", "confusions"])
def test_hostile_labels_in_html(copies):
    labels = [label + "!" * i for i in range(copies) for label in EVIL]
    m = cm.ConfusionMatrix(np.ones((len(labels), len(labels)), dtype=int), labels)
    page = Page()
    page.feed(m._repr_html_())
    page.close()
    assert page.open == []
    assert page.tags <= {"div", "table", "tr", "th", "td", "p"}
    assert page.attributes == {"style", "title"}
    assert all(text.isprintable() for text in page.titles)
    assert max(map(len, page.titles)) >= 60
    assert all(text.isprintable() for text in page.texts)
    assert "<script>aler…" in " ".join(page.texts) or "<script>" in " ".join(page.texts)


def read(m):
    page = Page()
    page.feed(m._repr_html_())
    page.close()
    return page


def test_html_shows_every_cell_and_the_totals():
    page = read(cm.ConfusionMatrix([[8, 2], [1, 1234]], labels=["cat", "dog"]))
    assert page.texts[0] == "Confusion matrix: 2 classes, n = 1,245"
    assert page.texts[1:17] == [
        "true \\ pred", "cat", "dog", "total", "cat", "8", "2", "10", "dog", "1", "1,234", "1,235",
        "total", "9", "1,236", "1,245",
    ]  # fmt: skip


def words_of(text):
    """Return the words of a text: what is left of lines, rules and columns."""
    return [word for word in re.split(r"[\s|]+", text) if word.strip("-") or word == "-"]


PRINTED = {
    "two classes": cm.ConfusionMatrix([[90, 10], [4, 96]]),
    "absent": cm.ConfusionMatrix([[80, 15, 5], [0, 0, 0], [3, 0, 1]], ["cat", "dog", "eel"]),
    "one class": cm.ConfusionMatrix([[3]], ["only"]),
    "nothing": cm.ConfusionMatrix([[0, 0], [0, 0]]),
    "dropped": cm.confusion_matrix([0, None, 7, 1], [0, 1, 1, 1], labels=[0, 1], other="bucket"),
    "weights": cm.confusion_matrix([0, 1, 1], [0, 1, 0], sample_weight=[0.1, 0.2, 0.7]),
    "smoothed": cm.ConfusionMatrix([[3, 1], [1, 3]]).smooth(0.5),
    "thirteen": cm.ConfusionMatrix(np.arange(169).reshape(13, 13)),
    "diagonal": cm.ConfusionMatrix(np.eye(20, dtype=int)),
    "forty": cm.ConfusionMatrix(np.arange(1_600).reshape(40, 40)),
}


@pytest.mark.parametrize("name", PRINTED)
def test_html_shows_what_print_shows(name):
    m = PRINTED[name]
    shown = Counter(word for text in read(m).texts for word in words_of(text))
    printed = Counter(words_of(str(m)))
    assert printed - shown == Counter()
    if m.counts.dtype.kind == "i" and len(m.labels) <= 30:
        assert {f"{cell:,}" for cell in m.counts.ravel().tolist()} <= set(shown)


def test_columns_cut_in_print_are_whole_in_a_tooltip():
    long = "class " + "of a long name " * 8
    page = read(cm.ConfusionMatrix([[8, 2], [1, 9]], labels=[f"{long}A", f"{long}B"]))
    assert {f"{long}A", f"{long}B"} == set(page.titles)
    assert read(PRINTED["absent"]).titles == []


@pytest.mark.parametrize(
    ("cells", "gmcc"),
    [
        ([[10_001, 10_000], [10_000, 10_001]], "5e-05"),
        ([[9_999, 10_001], [10_001, 9_999]], "-0.0001"),
    ],
)
def test_what_is_near_zero_is_not_printed_as_zero(cells, gmcc):
    m = cm.ConfusionMatrix(cells)
    assert 0 < abs(m.gmcc) <= 1e-4
    line = next(line for line in str(m).splitlines() if line.startswith("gmcc "))
    assert line.split()[1] == gmcc
    texts = read(m).texts
    assert texts[texts.index("gmcc") + 1] == gmcc


@pytest.mark.parametrize(
    ("word", "room", "wanted"),
    [
        ("short", 5, "short"),
        ("class_01", 6, "cla…01"),
        ("漢字ラベル", 6, "漢…ル"),
        ("abcdef", 2, "a…"),
    ],
)
def test_fit(word, room, wanted):
    assert fit(word, room) == wanted
    assert width(fit(word, room)) <= room


@pytest.mark.parametrize("show", [str, lambda m: m._repr_html_()], ids=["text", "html"])
def test_a_screen_of_many_classes_decomposes_once(show, monkeypatch):
    m = cm.ConfusionMatrix(np.random.default_rng(0).integers(0, 9, (200, 200)))
    calls = []
    found = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda a: calls.append(len(a)) or found(a))
    assert "eve" in show(m)
    assert len(calls) == 1
