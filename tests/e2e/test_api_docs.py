"""The reference of the API in a browser: one language for all examples, a search, and each look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well

pytestmark = [pytest.mark.browser]


def test_a_visitor_reads_the_docs_in_python_and_finds_an_operation(browser_page: Page) -> None:
    page = browser_page
    page.goto("/api/docs")
    expect(page.get_by_role("heading", name="Sign in with a token")).to_be_visible()
    page.get_by_role("button", name="Python").click()
    expect(page.get_by_text("from connote_client import Client").first).to_be_visible()
    expect(page.get_by_text("SITE=http")).to_be_hidden()
    page.get_by_role("searchbox", name="Find an operation").fill("start stage")
    page.get_by_role("link", name="POST /api/v1/projects/{slug}/runs Start a stage of the pipeline").click()
    expect(page.get_by_role("heading", name="Start a stage of the pipeline")).to_be_in_viewport()
    example = page.locator("section", has=page.get_by_role("heading", name="Start a stage of the pipeline"))
    expect(example.get_by_label("Example for Python")).to_contain_text('"/projects/photographs/runs"')
    expect(example.get_by_label("Example for curl")).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desk", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_docs_are_well_in_each_look(open_page: Callable[..., Page], size: str, theme: str) -> None:
    page = open_page(size, theme=theme)
    for address in ("/api/docs", "/api/docs/catalogue"):
        page.goto(address)
        expect(page.get_by_role("group", name="Language of the examples")).to_be_visible()
        assert_well(page)
