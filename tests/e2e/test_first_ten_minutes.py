"""The first ten minutes of a stranger with `make demo`: look as curator, then judge as annotator to the end."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from axe import assert_well
from browser_fixtures import SIZES
from demo_site import PATIENCE, DemoSite, demo_site

PROJECT = "/projects/postcards"
MINUTES = PATIENCE * 1000


@pytest.fixture(scope="module")
def demo(artefacts: Path) -> Iterator[DemoSite]:
    with demo_site(artefacts / "first-ten-minutes") as site:
        yield site


@pytest.fixture
def page(chromium: Browser, demo: DemoSite, artefacts: Path) -> Iterator[Page]:
    """A stranger's browser. A script error fails the test."""
    context = chromium.new_context(base_url=demo.url, viewport=SIZES["desk"])
    context.set_default_timeout(60_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    (artefacts / "last").mkdir(parents=True, exist_ok=True)
    page.screenshot(path=artefacts / "last" / "first-ten-minutes.png")
    context.close()
    assert not errors, f"The page's scripts failed: {errors}"


def test_a_stranger_sees_the_pipeline_move_and_judges_to_the_end(demo: DemoSite, page: Page) -> None:
    page.goto("/")
    assert_well(page)
    page.get_by_role("button", name="Look around as curator").click()
    page.wait_for_url(re.compile(f"{PROJECT}/walk"))
    watch_the_pipeline(page)

    demo.wait_until_said("Build HITs: succeeded|Build tasks: succeeded")
    sign_out(page)
    page.get_by_role("button", name="Look around as annotator").click()
    page.wait_for_url(re.compile(f"{PROJECT}/annotate"))
    read_the_guidelines(page)
    assert judge_with_a_suggested_edit(page), "No caption of the first task has a suggested edit."
    judge_to_the_end(page)


def watch_the_pipeline(page: Page) -> None:
    """Without a reload: more stages are done after a while than before."""
    done = page.get_by_role("main").get_by_role("listitem").filter(has_text=re.compile("succeeded|Done", re.IGNORECASE))
    expect(page.get_by_role("heading", level=2).first).to_be_visible()
    before, deadline = done.count(), time.monotonic() + PATIENCE
    while done.count() <= before:
        assert time.monotonic() < deadline, "The pipeline did not move."
        page.wait_for_timeout(500)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile(": account$")).click()
    page.get_by_role("menuitem", name="Sign out").click()


def read_the_guidelines(page: Page) -> None:
    expect(page.get_by_role("region", name="Captions")).to_be_visible()
    page.keyboard.press("i")
    guidelines = page.get_by_label("Guidelines")
    expect(guidelines.get_by_text("Look at the image first.").first).to_be_visible()
    expect(guidelines.get_by_role("img", name=re.compile("^Example 3"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(guidelines.get_by_text("Look at the image first.")).to_have_count(0)


def judge_with_a_suggested_edit(page: Page) -> bool:
    """One task by keyboard: take the first suggestion there is, judge the rest good, and submit."""
    judged = page.get_by_role("progressbar", name="Captions judged")
    is_edited = False
    while (n := int(judged.get_attribute("aria-valuenow") or 0)) < int(judged.get_attribute("aria-valuemax") or 0):
        is_edited = is_edited or take_a_suggestion(page)
        if int(judged.get_attribute("aria-valuenow") or 0) == n:
            page.keyboard.press("g")
        expect(judged).not_to_have_attribute("aria-valuenow", str(n))
    submit(page)
    return is_edited


def take_a_suggestion(page: Page) -> bool:
    """E, a digit, and another one where several words are offered; then keep the edit. False where none is offered."""
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Caption")
    expect(field).to_be_visible()
    before = field.input_value()
    offered = page.get_by_role("group", name="Suggested edits").get_by_role("button")
    for _ in range(2):
        if offered.count() and field.input_value() == before:
            page.keyboard.press("1")
            page.wait_for_timeout(200)
    if field.input_value() == before:
        page.keyboard.press("Escape")
        expect(field).to_have_count(0)
        return False
    field.press("Enter")
    expect(field).to_have_count(0)
    return True


def judge_to_the_end(page: Page) -> None:
    """Every task that is left, until the page says that there is none."""
    over = page.get_by_role("button", name="Look again")
    judged = page.get_by_role("progressbar", name="Captions judged")
    deadline = time.monotonic() + PATIENCE
    while not over.is_visible():
        assert time.monotonic() < deadline, "The tasks do not end."
        expect(judged.or_(over).first).to_be_visible()
        while judged.is_visible() and judged.get_attribute("aria-valuenow") != judged.get_attribute("aria-valuemax"):
            page.keyboard.press("b")
            page.wait_for_timeout(50)
        submit(page)


def submit(page: Page) -> None:
    """Enter, and wait until another task or the end is there."""
    judged = page.get_by_role("progressbar", name="Captions judged")
    if judged.is_visible() and judged.get_attribute("aria-valuenow") == judged.get_attribute("aria-valuemax"):
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
