"""The file of a report: its size, its parts, the same bytes each time, and where it may be."""

import hashlib
from importlib.resources import files

import numpy as np
import polars as pl
import pytest
from support.reports import Page, binary, many_classes, page_of, shops, two_models

import confmat as cm

MB = 1_000_000


def test_the_script_is_small():
    assert (files("confmat.report") / "report.js").stat().st_size < 30_000


def test_the_same_evaluation_gives_the_same_bytes(tmp_path):
    one = binary().report(tmp_path / "a.html")
    other = cm.Accumulator.from_bytes(binary().to_bytes()).result().report(tmp_path / "b.html")
    assert one.read_bytes() == other.read_bytes()


def test_the_path_is_returned_and_a_file_is_replaced(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    assert binary().report(str(path)) == path
    assert path.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (binary, "headline confusion classes curves explorer slices fairness provenance"),
        (many_classes, "headline confusion classes curves explorer slices fairness provenance"),
        (two_models, "comparison headline confusion classes slices fairness provenance"),
    ],
)
def test_every_part_has_a_link_that_leads_to_it(tmp_path, make, wanted):
    page = page_of(make(), tmp_path)
    links = [one for one in page.all("a") if "data-section" in one["attributes"]]
    assert [one["attributes"]["data-section"] for one in links] == wanted.split()
    names = [one["attributes"]["id"] for one in page.elements if "id" in one["attributes"]]
    assert len(set(names)) == len(names)
    assert {one["attributes"]["href"][1:] for one in page.all("a")} <= set(names)


def test_ten_thousand_slices_fit(tmp_path):
    rng = np.random.default_rng(0)
    log = shops(40_000).with_columns(shop=pl.Series(rng.integers(0, 10_000, 40_000)))
    e = cm.evaluate(log, y_pred="y_pred", y_score="y_score", by="shop", pos_label="yes")
    path = e.report(tmp_path / "report.html")
    assert path.stat().st_size < 5 * MB
    rows = Page(path.read_text("utf-8")).data("m0-slices-table")["rows"]
    assert len(rows) == e.states().height > 9_000
    assert sum(row[1] for row in rows) == 40_000


def test_a_hundred_classes_fit(tmp_path):
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 100, (2, 40_000))
    path = cm.evaluate(pl.DataFrame({"y_true": y, "y_pred": p})).report(tmp_path / "report.html")
    assert path.stat().st_size < 2 * MB
    page = Page(path.read_text("utf-8"))
    assert np.array(page.data("m0-heat")["counts"]).sum() == 40_000


def test_where_it_comes_from_is_told(tmp_path):
    log, broken = tmp_path / "log.parquet", tmp_path / "broken.parquet"
    shops(500).with_columns(y_pred=pl.col("y_pred").replace("no", None)).write_parquet(log)
    broken.write_text("no")
    e = cm.evaluate([log, broken], on_error="skip", min_n=7)
    page = page_of(e, tmp_path)
    text = page.text()
    assert hashlib.sha256(e.to_bytes()).hexdigest() in text
    assert str(log) in text
    assert str(broken) in text
    assert f"Left out: null{e.n_dropped}" in text
    assert "min_n7" in text
    assert cm.__version__ in text
    assert "1 file could not be read" in text


def test_files_add_up_and_are_not_kept_in_bytes(tmp_path):
    for name in "ab":
        shops(300).write_parquet(tmp_path / f"{name}.parquet")
    one, other = (cm.evaluate(tmp_path / f"{name}.parquet") for name in "ab")
    assert "2 files" in page_of(one + other, tmp_path).text()
    back = cm.from_bytes(one.to_bytes()) + other
    assert "rows in memory, or states that were saved" in page_of(back, tmp_path).text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("report.txt",), "must end in .html"),
        (("nowhere/report.html",), "there is no folder"),
        ((7,), "`path` is int; wanted the name of a file"),
        (("report.html", {"title": 3}), "`title` is int; wanted a text"),
        (("report.html", {"sensitive": "sex"}), "`sensitive` has 'sex'; the keys of slices are"),
        (("report.html", {"level": 2}), "`level` is 2"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    path, *options = arguments
    with pytest.raises(cm.InputError, match=told):
        binary(200).report(path, **(options[0] if options else {}))
    assert not list(tmp_path.iterdir())


def test_the_command_writes_one(tmp_path, run):
    shops(500).write_parquet(tmp_path / "log.parquet")
    out = tmp_path / "report.html"
    arguments = ["--y-pred", "y_pred", "--y-score", "y_score", "--by", "shop", "--pos-label", "yes"]
    code, _, errors = run("evaluate", tmp_path / "log.parquet", *arguments, "--out", out)
    assert code == 0
    assert f"wrote {out}" in errors
    assert "Threshold explorer" in Page(out.read_text("utf-8")).text()
    code, _, errors = run("evaluate", tmp_path / "log.parquet", "--out", tmp_path / "report.pdf")
    assert code == 2
    assert ".html" in errors
