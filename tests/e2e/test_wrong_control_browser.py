"""A control whose answer is wrong, in the real browser: it leaves everybody's score at once, and can be put back."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from axe import assert_well
from engine_labs import judged_with_controls
from walker import Lab, let_in

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    return judged_with_controls(site)


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_control_whose_answer_is_wrong_leaves_the_scores_and_is_put_back(
    lab: Lab, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    page = open_page(size, theme=theme, has_touch=size == "phone")
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="Number 7 of the penguins")
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/quality?tab=annotators")
    expect(scores_of(page, 12)).to_have_count(3)

    page.get_by_role("tab", name="Test questions").click()
    wrong = row.get_by_role("button", name="Mark as wrong")
    wrong.press("Enter")
    expect(row).to_contain_text("Marked as wrong")
    expect(row).to_contain_text("A person says that its answer is wrong. It counts for nobody.")
    expect(wrong).to_be_hidden()
    expect(row.get_by_role("button", name="Activate again")).to_be_focused()
    expect(page.locator(".react-aria-Tabs")).to_have_css("outline-style", "none")  # the ring is round the button alone
    assert_well(page)
    screenshot(page, f"control-quarantined-{size}-{theme}")
    page.get_by_role("tab", name="Annotators").click()
    expect(scores_of(page, 11)).to_have_count(3)

    page.get_by_role("tab", name="Test questions").click()
    row.get_by_role("button", name="Activate again").press("Enter")
    expect(row).to_contain_text("Active")
    page.get_by_role("tab", name="Annotators").click()
    expect(scores_of(page, 12)).to_have_count(3)


def scores_of(page: Page, n_controls: int) -> Locator:
    """The scores that stand on so many hidden controls."""
    return page.get_by_role("grid", name="Annotators").get_by_text(re.compile(rf"^n {n_controls}$"))


@pytest.mark.nightly
def test_a_row_that_leaves_the_list_leaves_the_focus_to_the_next(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/quality?tab=controls")
    page.get_by_role("group", name="Status").get_by_role("button", name="Active", exact=True).click()
    expect(page).to_have_url(re.compile("controls=active"))
    rows = page.get_by_role("main").get_by_role("listitem").filter(has_text="of the penguins")
    expect(rows).to_have_count(12)
    following = rows.nth(1).get_by_role("button").first
    name = following.get_attribute("aria-label") or ""
    rows.first.get_by_role("button", name="Deactivate").press("Enter")
    expect(rows).to_have_count(11)
    expect(page.get_by_role("button", name=name)).to_be_focused()
