"""Texts in CSV: formulas and controls are guarded, everything else stays as it is."""

import csv
import datetime as dt
import io
import unicodedata

import polars as pl
import pytest

from confmat.command.spreadsheet import guarded, header, readable

SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫−"  # noqa: RUF001
BEFORE = [
    "", " ", "  ", "\t", "\r", "\n", "\r\n", "\xa0", "\u3000", "\ufeff", "\u200b", "\v", "\x00",
    "\u2028", "\x85", " \t ",
]  # fmt: skip


def guard(*texts):
    return guarded(pl.Series(texts, dtype=pl.String)).to_list()


@pytest.mark.parametrize("sign", SIGNS)
def test_formulas_get_a_quote(sign):
    first = [f"{before}{sign}SUM(1)" for before in BEFORE]
    for made in guard(*first):
        assert made[0] == "'"
        assert made.endswith(f"{sign}SUM(1)")
    # What a reader that splits texts at line ends or semicolons would put into a cell.
    later = [f"a{end}{before}{sign}1" for end in ("\n", "\r\n", ";", "\u2028") for before in BEFORE]
    for made in guard(*later):
        assert made[0] == "a"
        assert made.count("'") == 1
    same = [f"a{sign}b", f"a {sign} b", f"({sign}1)"]
    assert guard(*same) == same


def test_line_and_tab_in_front_get_a_quote():
    assert guard("\tword", "\rword", "\nword") == [r"'\tword", r"'\rword", r"'\nword"]


def test_plain_numbers_and_words_stay():
    same = [
        "-5",
        "+1.5",
        "-.5e-3",
        "+2.",
        "1e9",
        "word",
        "",
        None,
        "naïve",
        "漢字",
        "a\u200db",
        "'",
    ]
    assert guard(*same) == same
    assert guard("-5x", "+-5", "- 5", "-") == ["'-5x", "'+-5", "'- 5", "'-"]


def test_controls_are_escaped():
    codes = [*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x2070)]
    words = [f"a{chr(code)}b" for code in codes]
    assert guard(*words) == [word.encode("unicode_escape").decode() for word in words]
    every = "".join(guard(*map(chr, [*range(0x3000), *range(0xFE00, 0x10000)])))
    bidi = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not [
        c for c in every if unicodedata.category(c) == "Cc" or unicodedata.bidirectional(c) in bidi
    ]


def test_columns_of_every_kind():
    assert readable(pl.Series([1.5, float("nan"), -2.0])).to_list() == [1.5, None, -2.0]
    for same in ([-1, 2], [True, None], [dt.date(2020, 1, 1)], [None]):
        assert readable(pl.Series(same)).equals(pl.Series(same), null_equal=True)
    for kind in (pl.Categorical, pl.Enum(["=1", "a"])):
        assert readable(pl.Series(["=1", None, "a"], dtype=kind)).to_list() == ["'=1", None, "a"]
    assert readable(pl.Series([[1], None, []])).to_list() == ["[1]", None, "[]"]
    assert readable(pl.Series([b"\x1b="])).to_list() == [r"b'\x1b='"]
    assert readable(pl.Series([dt.timedelta(-1)])).to_list() == ["'-1 day, 0:00:00"]


def test_headers():
    names = ["=a", "'=a", "a,b", 'say "b"', "\x1b[2J"]
    found = next(csv.reader(io.StringIO(header(names).decode())))
    assert found == ["'=a", "'=a", "a,b", 'say "b"', r"\x1b[2J"]
