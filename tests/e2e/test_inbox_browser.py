"""Remarks in the real browser: the head writes on a caption, the person finds it, agrees, mends; and past work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import ANNOUNCER, assert_well
from engine_labs import judge_all, with_hits
from walker import Lab, Person

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]
TEXT = "The second half is a guess. I would not call it good."


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """One of the annotators said good to everything."""
    lab = with_hits(site, slug="inbox")
    judge_all(lab, lab.annotators[0], says="good")
    return lab


def write(lab: Lab, text: str = TEXT) -> None:
    body = {"judgment": lab.newest_judgment(lab.annotators[0])["id"], "text": text, "label": "bad"}
    lab.curator.post(f"/projects/{lab.slug}/remarks", body)


def open_as(person: Person, page: Page, address: str) -> Page:
    person.let_in(page)
    page.goto(address)
    return page


def test_the_head_writes_and_the_person_agrees_and_mends(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    head = open_as(lab.curator, open_page(), f"/projects/{lab.slug}/quality?tab=annotators")
    head.get_by_role("row").nth(1).click()
    head.get_by_role("link", name="Read their answers").click()
    expect(head.get_by_role("listitem").first).to_be_visible()
    assert_well(head)
    screenshot(head, "judged")
    head.keyboard.press("w")
    dialog = head.get_by_role("dialog", name="Write feedback")
    dialog.get_by_role("textbox").fill(TEXT)
    dialog.get_by_role("button", name="Correct answer").click()
    head.get_by_role("option", name="Bad").click()
    screenshot(head, "write-remark")
    dialog.get_by_role("button", name="Send feedback").click()
    expect(head.get_by_role("button", name="Write more feedback")).to_be_visible()

    page = open_as(lab.annotators[0], open_page(), f"/projects/{lab.slug}/inbox")
    expect(page.get_by_text(TEXT)).to_be_visible()
    expect(page.get_by_role("link", name="Inbox 1 unread")).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "inbox")
    page.keyboard.press("a")
    page.get_by_role("button", name="Change my answer to Bad").click()
    expect(page.get_by_text("Your answer was")).to_contain_text("and is now")
    assert lab.newest_judgment(lab.annotators[0])["item"]["label"] == "bad"
    page.get_by_role("link", name="Change my answer").click()
    expect(page.get_by_role("heading", name="A submitted task")).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "past-page")


def test_past_work_is_changed_by_keyboard(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page = open_as(lab.annotators[0], browser_page, f"/projects/{lab.slug}/past-work")
    first = page.get_by_role("link", name="captions submitted").first
    expect(first).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "past-work")
    first.click()
    expect(page.get_by_role("button", name="Change", exact=True).first).to_be_visible()
    page.keyboard.press("e")
    page.get_by_role("textbox", name="Comment").fill("It is the light.")
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "past-revise")
    page.get_by_role("button", name="Save the change").click()
    expect(page.get_by_text("It is the light.")).to_be_visible()


@pytest.mark.nightly
def test_what_was_written_is_read_beside_the_work(site: str, browser_page: Page, screenshot: Keep) -> None:
    lab = with_hits(site, slug="beside", overlap=2)
    person, page = lab.annotators[0], browser_page
    person.judge_next(lab.slug)
    write(lab)
    open_as(person, page, f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("region", name="Captions").get_by_role("listitem").first).to_be_visible()
    page.keyboard.press("f")
    drawer = page.get_by_role("dialog", name="Feedback")
    expect(drawer.get_by_text(TEXT)).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "feedback-beside")
    drawer.get_by_role("button", name="Seen").click()
    expect(drawer.get_by_role("button", name="Seen", pressed=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).not_to_be_visible()
    expect(page).to_have_url(f"{site}/projects/{lab.slug}/annotate")


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_pages_are_well_on_every_screen(
    lab: Lab, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    write(lab, f"{TEXT} ({size}, {theme})")
    page = open_page(size, theme=theme)
    lab.annotators[0].let_in(page)
    for place in ("inbox", "past-work"):
        page.goto(f"/projects/{lab.slug}/{place}")
        expect(page.get_by_role("main").get_by_role("img").first).to_be_visible()
        assert_well(page, but=[ANNOUNCER])
        screenshot(page, f"{place}-{size}-{theme}")
