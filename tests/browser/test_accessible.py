"""Reports on phones and desktops, in light and dark: axe finds nothing, and nothing is cut."""

import pytest

KINDS = ("binary", "models", "classes", "numbers", "hostile")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(opened, reports, kind, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(reports[kind], width, scheme, bypass_csp=True)  # axe is a script of its own
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = axe.run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_keyboard_reaches_the_numbers_first(opened, reports):
    page = opened(reports["binary"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_scrolled_tables_and_controls_have_names(opened, reports):
    page = opened(reports["binary"])
    for role in ("region", "slider", "spinbutton", "searchbox", "button", "radio"):
        found = page.get_by_role(role).all()
        assert found
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == "score at least 0.5"


def test_the_policy_stops_what_is_not_ours(browser, reports, tmp_path):
    """Without the policy the marker would be there: the script is not one of ours."""
    text = reports["binary"].read_text("utf-8")
    ours = tmp_path / "changed.html"
    ours.write_text(
        text.replace("</body>", "<script>document.title='run'</script></body>"), "utf-8"
    )
    page = browser.new_page()
    page.goto(ours.as_uri())
    assert page.title() != "run"
    page.close()
