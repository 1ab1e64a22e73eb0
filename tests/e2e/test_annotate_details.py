"""Details of the annotate page: an edit kept by Enter, taps that leave nothing behind, tooltips, and the preview."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from at_the_desk import judge, open_desk
from engine_labs import with_hits
from walker import Lab

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]
LONGER_THAN_A_TAP_MS = 300
OUTLINES = "buttons => buttons.map(one => [one.ariaPressed, getComputedStyle(one).borderTopColor])"
NOT_OUTLINED = ["false", "rgba(0, 0, 0, 0)"]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    return with_hits(site, slug="details")


def test_a_suggested_edit_is_kept_in_four_keys(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page = browser_page
    first, later = (0, 1, ["Surely a", "Never a"]), (2, 4, ["no", "some"])

    def suggest(route: Route) -> None:
        text = page.locator("[data-open] p").first.inner_text()
        found = [
            {"kind": "number", "start": start, "end": end, "before": text[start:end], "options": options}
            for start, end, options in (first, later)
        ]
        route.fulfill(json={"items": [{"position": 1, "suggestions": found}]})

    page.route("**/suggestions", suggest)
    with page.expect_response("**/suggestions"):
        open_desk(page, lab, lab.annotators[0])
    page.keyboard.press("e")
    expect(page.get_by_role("group", name="Suggested edits")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.press("1")
    field = page.get_by_role("textbox", name="Caption")
    expect(field).to_have_value(re.compile("^Surely a"))
    expect(page.get_by_role("button", name="Save edit").locator("kbd")).to_have_text("Enter")
    expect(page.locator("button[aria-keyshortcuts=Escape] kbd")).to_have_text("Esc")
    screenshot(page, "suggested-edit")
    page.keyboard.press("Enter")
    expect(field).to_be_hidden()
    expect(page.locator("[data-open]")).to_contain_text("Surely a")
    page.keyboard.press("z")
    expect(page.locator("[data-open]")).not_to_contain_text("Surely a")


def test_a_tap_leaves_no_answer_outlined_for_the_next_caption(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    page = open_page("phone", has_touch=True)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_text("1 of 5", exact=True)).to_be_visible()
    good = page.get_by_role("button", name="Good", exact=True)
    good.tap()
    expect(page.get_by_text("2 of 5", exact=True)).to_be_visible()
    page.wait_for_timeout(LONGER_THAN_A_TAP_MS)
    screenshot(page, "after-a-tap")
    assert good.evaluate("button => button.matches(':hover')"), "The browser keeps no hover: nothing is tested here."
    answers = page.get_by_role("group", name="Choose an answer").get_by_role("button")
    assert answers.evaluate_all(OUTLINES) == [NOT_OUTLINED] * 3


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_icon_buttons_tell_their_name_and_key(lab: Lab, open_page: OpenPage, screenshot: Keep, theme: str) -> None:
    page = open_page(theme=theme)
    open_desk(page, lab, lab.annotators[0])
    tip = page.locator("[popover]:popover-open")
    page.locator("button[aria-keyshortcuts=v]").hover()
    expect(tip).to_contain_text("V")
    screenshot(page, f"tooltip-{theme}")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.mouse.move(5, 300)
    page.get_by_role("link", name="Connote").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if "heme" in (page.evaluate("document.activeElement.ariaLabel") or ""):
            break
    expect(tip).to_have_text("Theme: system. Change to: light")
    page.keyboard.press("Tab")
    expect(tip).to_contain_text("?")
    page.keyboard.press("g")
    expect(tip).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "theme"), [("desk", "light"), ("phone", "dark")])
def test_a_curator_sees_a_preview_before_any_work_is_theirs(
    site: str, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    lab, page = with_hits(site, slug="preview"), open_page(size, theme=theme)
    lab.curator.let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    note = page.get_by_role("note").filter(has_text="This is a preview.")
    expect(note).to_be_visible()
    screenshot(page, f"preview-{size}-{theme}")
    first = page.locator("[data-open] p").first.inner_text()
    judge(page, "ggggg")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing was sent")).to_be_visible()
    expect(page.locator("[data-open] p").first).not_to_have_text(first)
    assert lab.curator.rows(f"/projects/{lab.slug}/annotators") == []
    page.reload()
    note.get_by_role("button", name="Annotate yourself").click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(note).to_be_hidden()
    judge(page, "bbbbb")
    assert [row["user"]["username"] for row in lab.curator.rows(f"/projects/{lab.slug}/annotators")] == ["alice"]
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_attached()
    page.reload()
    expect(page.get_by_text("1 submitted today")).to_be_attached()
    expect(note).to_be_hidden()
