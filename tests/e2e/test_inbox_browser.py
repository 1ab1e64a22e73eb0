"""Feedback in the real browser, from the head to the person and back; and past work."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
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


@pytest.mark.nightly
def test_feedback_goes_from_the_head_to_the_person_and_back(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    """By a template, seen, acknowledged, answered: the head reads it, replies, and withdraws."""
    head = open_as(lab.curator, open_page(), f"/projects/{lab.slug}/quality?tab=annotators")
    head.get_by_role("row").nth(1).click()
    head.get_by_role("link", name="Read their answers").click()
    expect(head.get_by_role("heading", name=re.compile("^Answers of "))).to_be_visible()
    expect(head.get_by_role("main").get_by_role("listitem").first).to_be_visible()
    assert_well(head)
    screenshot(head, "judged")
    head.keyboard.press("w")
    form = head.get_by_role("form")
    form.get_by_role("button", name="Wrong count").click()
    expect(form.get_by_role("textbox")).to_have_value(re.compile("Please count again"))
    form.get_by_role("button", name="Bad").click()
    assert_well(head)
    screenshot(head, "write-feedback")
    expect(head.get_by_role("main").get_by_role("listitem").first.get_by_role("img")).to_be_in_viewport()
    head.keyboard.press("Control+Enter")
    expect(head.get_by_role("button", name="Write more feedback")).to_be_visible()

    page = open_as(lab.annotators[0], open_page(), f"/projects/{lab.slug}/inbox")
    card = page.get_by_role("listitem", name="Feedback from").first
    expect(card.get_by_text("Please count again")).to_be_visible()
    expect(card.get_by_role("img")).to_be_visible()
    expect(card.get_by_text("New", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Inbox", exact=True)).to_be_visible()  # the mark goes once it was shown
    assert_well(page)
    screenshot(page, "inbox")

    threads = f"/projects/{lab.slug}/feedback"
    head.goto(threads)
    thread = head.get_by_role("listitem", name="To ").first
    expect(thread.get_by_text("Seen").first).to_be_visible()
    page.keyboard.press("a")
    page.get_by_role("button", name="Change my answer to Bad").click()
    expect(page.get_by_text("Your answer was")).to_contain_text("and is now")
    assert lab.newest_judgment(lab.annotators[0])["item"]["label"] == "bad"
    head.reload()
    expect(thread.get_by_text("Agrees")).to_be_visible()
    expect(head.get_by_text("Needs your reply 0")).to_be_visible()

    page.keyboard.press("r")
    page.get_by_role("textbox", name="Your reply").fill("Do you count the shadow?")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("The head annotator can answer here")).to_be_visible()
    head.reload()
    expect(head.get_by_role("link", name="Feedback 1 unread")).to_be_visible()
    head.get_by_role("button", name="Needs your reply 1").click()
    expect(head).to_have_url(re.compile("state=waiting"))
    expect(thread.get_by_text("Do you count the shadow?")).to_be_visible()
    assert_well(head)
    screenshot(head, "feedback-waiting")
    thread.get_by_role("button", name="Reply").click()
    thread.get_by_role("textbox", name="Your reply").fill("No, only the boats.")
    thread.get_by_role("button", name="Send reply").click()
    expect(head.get_by_text("No feedback matches.")).to_be_visible()
    expect(head.get_by_role("link", name="Feedback", exact=True)).to_be_visible()

    head.get_by_role("button", name="All 1").click()
    thread.get_by_role("button", name="Withdraw").click()
    head.get_by_role("alertdialog").get_by_role("button", name="Withdraw").click()
    expect(thread.get_by_text("Withdrawn").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("withdrew this feedback")).to_be_visible()
    expect(page.get_by_text("Please count again")).to_have_count(0)
    expect(page.get_by_text("No, only the boats.")).to_have_count(0)
    expect(page.get_by_text("Do you count the shadow?")).to_be_visible()


@pytest.mark.nightly
def test_the_last_answers_get_one_message(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    person = lab.annotators[0]
    address = f"/projects/{lab.slug}/quality/annotators/{person.account()['id']}/answers"
    head = open_as(lab.curator, open_page(), address)
    expect(head.get_by_role("checkbox", name="Select").first).to_be_visible()
    head.keyboard.press("l")
    head.get_by_role("button", name="Write one message").click()
    form = head.get_by_role("form", name="about the last 20 answers")
    form.get_by_role("button", name="Read the guidelines again").click()
    assert_well(head)
    screenshot(head, "last-20")
    form.get_by_role("button", name="Send feedback").click()
    expect(form).not_to_be_visible()
    page = open_as(person, open_page(), f"/projects/{lab.slug}/inbox")
    rows = page.get_by_role("list", name="Answers that this message is about").first.get_by_role("listitem")
    expect(rows).to_have_count(20)
    assert_well(page)
    screenshot(page, "inbox-last-20")


@pytest.mark.nightly
def test_past_work_is_changed_by_keyboard(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page = open_as(lab.annotators[0], browser_page, f"/projects/{lab.slug}/past-work")
    first = page.get_by_role("link", name="captions submitted").first
    expect(first).to_be_visible()
    assert_well(page)
    screenshot(page, "past-work")
    first.click()
    expect(page.get_by_role("button", name="Change", exact=True).first).to_be_visible()
    page.keyboard.press("e")
    page.get_by_role("textbox", name="Comment").fill("It is the light.")
    assert_well(page)
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
    drawer = page.get_by_role("complementary", name="Feedback")
    expect(drawer.get_by_text(TEXT)).to_be_visible()
    assert_well(page)
    screenshot(page, "feedback-beside")
    drawer.get_by_role("button", name="Got it").click()
    expect(drawer.get_by_text("You confirmed this.")).to_be_visible()
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
        assert_well(page)
        screenshot(page, f"{place}-{size}-{theme}")
    head = open_as(lab.curator, open_page(size, theme=theme), f"/projects/{lab.slug}/feedback")
    for tab in ("Sent feedback", "Effect", "Templates"):
        head.get_by_role("tab", name=tab).click()
        expect(head.get_by_role("tabpanel").get_by_role("button").first).to_be_visible()
        assert_well(head)
        screenshot(head, f"feedback-{tab.split()[0].lower()}-{size}-{theme}")
