"""What people do with a report: they move the slider, sort, filter, switch, save and print."""

import csv
import io
import math

import pytest
from support.reports import HOSTILE, Page, binary

KINDS = ("binary", "models", "classes", "hostile")


def words(page, selector):
    return [one.inner_text() for one in page.query_selector_all(selector)]


def test_the_slider_moves_the_matrix_the_rates_and_the_cost(opened, reports):
    page = opened(reports["binary"])
    root = page.locator("#m0-explorer-0")
    slider, s = root.locator("input[type=range]"), binary().sweep()
    assert root.locator("output").inner_text() == "at least 0.5"
    slider.focus()
    for key in ("ArrowLeft", "Home", "PageUp", "End", "ArrowLeft"):
        page.keyboard.press(key)
        told = root.locator("output").inner_text()
        cells = {k: root.locator(f"[data-cell={k}]").inner_text() for k in ("tp", "fp", "fn", "tn")}
        if told == "above all scores":
            assert cells["tp"] == cells["fp"] == "0"
            assert root.locator("[data-cell=ppv]").inner_text() == "–"  # noqa: RUF001
            continue
        m = s.at(float(told.removeprefix("at least ")), nearest=True)
        wanted = {k: f"{int(m.value(k)):,}" for k in cells}
        assert cells == wanted
        mcc = "–" if math.isnan(m.mcc) else f"{abs(m.mcc):.3f}"  # noqa: RUF001
        assert root.locator("[data-cell=mcc]").inner_text().lstrip("\u2212")[:4] == mcc[:4]


def test_the_lowest_cost_is_that_of_the_costs_given(opened, reports):
    page = opened(reports["binary"])
    root, s = page.locator("#m0-explorer-0"), binary().sweep()
    root.get_by_label("Cost of a false positive").fill("1")
    root.get_by_label("of a false negative").fill("6")
    before = root.locator(".price").get_attribute("d")
    root.get_by_role("button", name="Lowest cost").click()
    found = root.locator(".cost").inner_text()
    assert found.split("Cost here: ")[1].split(",")[0] in found.split("Lowest: ")[1]
    data = Page(reports["binary"].read_text("utf-8")).data("m0-explorer-0")
    costs = [fp + 6 * (data["p"] - tp) for tp, fp in zip(data["tp"], data["fp"], strict=True)]
    assert f"Lowest: {min(costs):,}" in found
    assert min(costs) <= s.at(0.5, nearest=True).cost([[0, 1], [6, 0]])
    root.get_by_label("of a false negative").fill("0")
    assert root.locator(".price").get_attribute("d") != before
    root.get_by_role("button", name="Best F1").click()
    assert float(root.locator("[data-cell=f1]").inner_text()) == pytest.approx(
        s.best("f1")[1], abs=0.01
    )


def test_slices_are_sorted_filtered_and_paged(opened, reports):
    page = opened(reports["binary"])
    root = page.locator("#m0-slices-table")
    assert root.locator("tbody tr").count() == 50
    root.get_by_role("button", name="Show 22 more").click()
    assert root.locator("tbody tr").count() == 72
    root.get_by_role("button", name="Accuracy").click()
    values = [float(word.split()[0]) for word in words(page, "#m0-slices-table td:nth-child(4)")]
    assert values == sorted(values)
    root.get_by_role("button", name="Accuracy").press("Enter")
    assert root.locator("th[aria-sort=descending]").inner_text().startswith("Accuracy")
    root.get_by_label("Find").fill("SHOP 7")
    assert set(words(page, "#m0-slices-table tbody th")) == {"shop 7"}
    assert "6 of 6 slices (of 72)" in root.inner_text()
    root.get_by_label("Rows at least").fill("100000")
    assert root.locator("tbody tr").count() == 0


@pytest.mark.parametrize("kind", ["classes", "rare"])
def test_numbers_of_a_script_are_those_without_one(opened, reports, kind):
    with_script = opened(reports[kind])
    without = opened(reports[kind], java_script_enabled=False)
    for ident in ("m0-classes-table", "m0-slices-table"):
        selector = f"#{ident} tbody tr"
        assert words(with_script, selector) == words(without, selector)
    assert without.locator("button, input").count() == 0


def test_the_matrix_shows_shares(opened, reports):
    page = opened(reports["classes"])
    root = page.locator("#m0-heat")
    first = root.locator("tbody td").first
    count = first.inner_text()
    root.get_by_text("% of true class").click()
    assert first.inner_text().endswith("\u00a0%")
    page.keyboard.press("ArrowRight")
    assert root.get_by_role("radio", name="% of predicted class").is_checked()
    root.get_by_text("Rows", exact=True).click()
    assert first.inner_text() == count


def test_models_and_metrics_are_switched(opened, reports):
    page = opened(reports["models"])
    assert page.locator("#m0-headline").is_visible()
    page.locator(".models > .tools").get_by_text("new").click()
    assert page.locator("#m1-headline").is_visible()
    assert not page.locator("#m0-headline").is_visible()
    page.locator("nav").get_by_text("Slices").click()
    assert page.url.endswith("#m1-slices")
    keys = page.locator("#m1-keys")
    assert keys.locator("svg:visible").first.get_attribute("id") == "m1-keys-0-0"
    keys.locator("label").get_by_text("Recall").click()
    assert keys.locator("svg:visible").first.get_attribute("id") == "m1-keys-0-2"


def test_saved_rows_hold_no_formula(opened, reports):
    page = opened(reports["hostile"])
    with page.expect_download() as found:
        page.locator("#m0-classes-table").get_by_role("button", name="Save as CSV").click()
    assert found.value.suggested_filename == "m0-classes-table.csv"
    rows = list(csv.reader(io.StringIO(found.value.path().read_text("utf-8"), newline="")))
    assert len(rows) == len(HOSTILE) + 1
    assert not [row for row in rows for cell in row if cell.lstrip()[:1] in tuple("=+@")]
    assert "'=cmd|' /C calc'!A0" in [row[0] for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_it_prints(opened, reports, kind):
    page = opened(reports[kind])
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator(".tools:visible").count()
    assert page.locator("h2:visible").count() == page.locator("section").count()
    assert len(page.pdf()) > 50_000
