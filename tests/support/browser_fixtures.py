"""Fixtures of the real browser: Debian's chromium on the real stack, at a desk and on a phone, by day and by night."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from live_stack import LiveStack

BINARIES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SIZES = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
# Milliseconds for every step and expectation, and for what a worker must do first. A machine that does something else
# besides is slow, and only a test that fails waits so long.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)
DIST = Path(__file__).resolve().parents[2] / "frontend" / "dist" / "index.html"
OpenPage = Callable[..., Page]


def launched(playwright: Playwright) -> Browser:
    """The installed browser, headless. Fails the test where there is none."""
    binary = next((found for name in BINARIES if (found := shutil.which(name))), None)
    if binary is None:
        pytest.fail("chromium is not installed: apt-get install chromium.", pytrace=False)
    return playwright.chromium.launch(executable_path=binary, args=FLAGS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a session."""
    # Playwright's loop runs in this thread, where Django would take every query for an asynchronous one.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture
def open_page(
    chromium: Browser, live_stack: LiveStack, artefacts: Path, request: pytest.FixtureRequest
) -> Iterator[OpenPage]:
    """Open a page of its own session: `open_page("phone", theme="dark")`; a script error, or
    anything that the Content-Security-Policy forbids, fails the test."""
    if not DIST.exists():
        pytest.fail("The front end is not built: run `make frontend`.", pytrace=False)
    pages: list[Page] = []
    errors: list[str] = []

    def open_one(size: str = "desk", *, theme: str = "light", has_touch: bool = False) -> Page:
        looks = {"viewport": SIZES[size], "color_scheme": theme, "has_touch": has_touch}
        context = chromium.new_context(base_url=live_stack.url, **looks)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if "Content Security Policy" in line.text else None)
        pages.append(page)
        return page

    yield open_one
    _keep_screenshots(pages, artefacts / "last", request.node.name)
    for page in pages:
        page.context.close()
    assert not errors, f"The page's scripts failed: {errors}"


def _keep_screenshots(pages: list[Page], folder: Path, test: str) -> None:
    """What each page looked like when its test ended, failed or not."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages):
        page.screenshot(path=folder / f"{re.sub(r'[^a-z0-9]+', '-', test.lower())}-{number}.png")


@pytest.fixture
def browser_page(open_page: OpenPage) -> Page:
    """A page at a desk, 1440 x 900, light."""
    return open_page("desk")


@pytest.fixture
def dark_page(open_page: OpenPage) -> Page:
    """A page at a desk, dark."""
    return open_page("desk", theme="dark")


@pytest.fixture
def phone_page(open_page: OpenPage) -> Page:
    """A page on a phone, 390 x 844, light."""
    return open_page("phone")


@pytest.fixture
def screenshot(artefacts: Path) -> Callable[..., Path]:
    """Keep what a page shows: `screenshot(page, "annotate-dark")` writes screenshots/annotate-dark.png there; `whole`
    also what is below the window."""

    def keep(page: Page, name: str, *, whole: bool = False) -> Path:
        path = artefacts / "screenshots" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=whole)
        return path

    return keep


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the browser, so that `-m browser` finds them."""
    for item in items:
        if "chromium" in item.fixturenames:
            item.add_marker("browser")
