"""Reports opened in Chromium, where Playwright and a browser are installed."""

import os
import shutil

import pytest

BROWSER = os.environ.get("CONFMAT_BROWSER") or shutil.which("chromium")


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    if BROWSER is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        yield running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])


@pytest.fixture
def opened(browser):
    """Return a function that opens a page; whatever the console says fails the test."""
    said, contexts = [], []

    def call(path, width=1280, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request",
            lambda request: (
                said.append(request.url)
                if "file:" not in request.url and "blob:" not in request.url
                else None
            ),
        )
        page.goto(path.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()
    assert not said


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Return the files of a report of each kind."""
    from support import reports as made

    folder = tmp_path_factory.mktemp("reports")
    kinds = {
        "binary": made.binary,
        "models": made.two_models,
        "classes": made.many_classes,
        "numbers": made.numbers,
        "hostile": made.hostile,
        "rare": made.rare,
    }
    return {name: make().report(folder / f"{name}.html") for name, make in kinds.items()}
