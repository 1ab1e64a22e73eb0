"""A round of review in the browser: two annotators judge, two head annotators accept, correct, return and decide."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect

from axe import assert_well
from engine_labs import judge_all, with_hits
from live_stack import LiveStack
from walker import Lab, Person

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]
PATIENCE = 60_000  # milliseconds until what was done is in the queue
WORDS = "Look at the boat again. It is not in the image."


@pytest.fixture
def lab(site: str) -> Lab:
    """Sixteen tasks for two annotators; first work is reviewed, and every decision gets a second look."""
    lab = with_hits(site, slug="round", overlap=2)
    rules = {"first_assignments": 1, "sample_percent": 0, "second_look_percent": 100}
    lab.curator.patch(f"/projects/{lab.slug}/review/settings", rules)
    return lab


def review(page: Page, lab: Lab, person: Person) -> Page:
    """The page where a project opens for a head annotator."""
    person.let_in(page)
    page.goto(f"/projects/{lab.slug}")
    expect(page).to_have_url(re.compile(r"/review"))
    expect(page.get_by_role("navigation", name="Parts of the review")).to_be_visible()
    return page


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Cases").get_by_role("listitem")


def done(page: Page, words: str) -> Locator:
    """The line that says what was decided last."""
    return page.get_by_role("main").get_by_text(words)


def wait_for_evidence(page: Page) -> None:
    expect(page.get_by_role("list", name="Answers")).to_be_visible()


def wait_for(is_so: Callable[[], bool]) -> None:
    """A decision shows at once and is stored a moment later; the queue is filled some seconds after it was last."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.3)


def ten_seconds_later(stack: LiveStack) -> None:
    """From now on the next reader fills the queue again, without ten seconds of waiting since the last time."""
    with psycopg.connect(stack.place.database_url) as connection:
        connection.execute("UPDATE review_queuestate SET filled_at = NULL")


def task_of(annotator: Person, lab: Lab, stack: LiveStack) -> dict[str, Any]:
    """The annotator's first work as a case."""
    ten_seconds_later(stack)
    asked = f"/projects/{lab.slug}/review/cases?reason=first_work&annotator={annotator.account()['id']}"
    wait_for(lambda: bool(lab.curator.rows(asked)))
    return lab.curator.rows(asked)[0]


def start_again(page: Page, stack: LiveStack) -> None:
    """What others did since: the list is read from the server."""
    ten_seconds_later(stack)
    page.reload()
    expect(page.get_by_role("navigation", name="Parts of the review")).to_be_visible()


def test_a_round_of_review_between_two_annotators_and_two_heads(
    live_stack: LiveStack, lab: Lab, open_page: OpenPage, screenshot: Keep
) -> None:
    first, second = lab.annotators
    ana, eva = lab.invite("head_annotator"), lab.invite("head_annotator")

    # A head annotator turns the gate on; both annotators wait after their first task.
    page = review(open_page(), lab, ana)
    expect(page.get_by_role("heading", name="Nothing to review")).to_be_visible()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("spinbutton", name="Tasks before the review").fill("1")
    page.get_by_role("button", name="Save the rules").click()
    expect(page.get_by_role("button", name="Save the rules")).to_be_disabled()
    first.judge_next(lab.slug, "good")
    judged = second.judge_next(lab.slug, "bad")
    annotator = open_page()
    second.let_in(annotator)
    annotator.goto(f"/projects/{lab.slug}/annotate")
    expect(annotator.get_by_role("heading", name="Your first tasks are being reviewed")).to_be_visible()
    screenshot(annotator, "waiting-for-review")

    # The first work of one annotator is accepted with one key, and the gate opens.
    task = task_of(first, lab, live_stack)
    page.goto(f"/projects/{lab.slug}/review?case={task['id']}")
    wait_for_evidence(page)
    assert_well(page)
    screenshot(page, "review-task")
    page.keyboard.press("Shift+A")
    expect(done(page, "Task accepted")).to_be_visible()
    wait_for(lambda: first.post(f"/projects/{lab.slug}/assignments/next")["assignment"] is not None)

    # The other work is corrected in one caption and returned with words, while the image stays in sight.
    task = task_of(second, lab, live_stack)
    page.goto(f"/projects/{lab.slug}/review?case={task['id']}")
    wait_for_evidence(page)
    page.keyboard.press("g")
    expect(page.get_by_role("region", name="Good: why?")).to_be_visible()
    screenshot(page, "review-why")
    page.keyboard.press("1")
    expect(page.get_by_role("list", name="Captions of the task").get_by_text("Good")).to_be_visible()
    page.keyboard.press("r")
    page.get_by_role("textbox", name="Your feedback").fill(WORDS)
    expect(page.get_by_role("img", name="image", exact=False).first).to_be_visible()
    screenshot(page, "review-return")
    page.keyboard.press("Enter")
    expect(done(page, "Returned with feedback")).to_be_visible()

    # The annotator reads it, and changes the returned answers; the other head annotator finds the rework.
    wait_for(lambda: {remark["text"] for remark in second.rows(f"/projects/{lab.slug}/inbox")} == {WORDS})
    for item in judged["items"][:2]:
        changed = {"label": "good", "edits": [], "lens": "", "comment": "", "is_generic": False}
        second.post(f"/assignments/{judged['id']}/judgments/{item['position']}", changed)
    ten_seconds_later(live_stack)
    other = review(open_page(), lab, eva)
    expect(other.get_by_role("button", name=re.compile("Rework done")).first).to_be_visible()
    other.get_by_role("button", name=re.compile("^New annotators")).click()
    expect(other.get_by_text("1 task submitted")).to_be_visible()
    screenshot(other, "review-gate")
    other.get_by_role("button", name="Let them continue").click()
    expect(other.get_by_role("heading", name="Nobody is waiting")).to_be_visible()
    annotator.get_by_role("button", name="Check again").click()
    expect(annotator.get_by_role("region", name="Captions").get_by_role("listitem").first).to_be_visible()

    # Both judge the rest and never agree. Captions in dispute are decided from their table, and with one key each.
    judge_all(lab, first, says="good")
    judge_all(lab, second, says="bad")
    start_again(other, live_stack)
    other.get_by_role("button", name=re.compile("^Disputed")).click()
    table = other.get_by_role("grid")
    expect(table.get_by_role("row").nth(1)).to_be_visible()
    assert_well(other)
    screenshot(other, "review-disputes")
    table.get_by_role("button").first.click()
    wait_for_evidence(other)
    expect(other.get_by_text("Tied", exact=True)).to_be_visible()
    other.keyboard.press("b")
    expect(done(other, "Decided: Bad")).to_be_visible()
    expect(rows(other).first).to_be_visible()

    # The decision of one head annotator is looked at by the other, who does not see it.
    ten_seconds_later(live_stack)
    page.goto(f"/projects/{lab.slug}/review?reason=second_look")
    wait_for_evidence(page)
    expect(page.get_by_text("Their decision is hidden until you decide.")).to_be_visible()
    page.keyboard.press("b")
    expect(done(page, "Decided: Bad")).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text("The decision is undone.").first).to_be_visible()
    page.reload()
    wait_for_evidence(page)
    page.keyboard.press("b")
    expect(done(page, "Decided: Bad")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Second looks")).click()
    expect(page.get_by_text("Same decision")).to_be_visible()
    screenshot(page, "review-heads")


@pytest.mark.nightly
def test_on_a_phone_the_queue_and_each_case_are_a_screen(lab: Lab, phone_page: Page, screenshot: Keep) -> None:
    first, second = lab.annotators
    judge_all(lab, first, says="good")
    judge_all(lab, second, says="bad")
    head = lab.invite("head_annotator")
    page = review(phone_page, lab, head)
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Tie")).click()
    expect(page).to_have_url(re.compile("reason=tie"))
    expect(page.get_by_role("button", name=re.compile("^Tie"))).to_have_attribute("aria-pressed", "true")
    assert_well(page)
    screenshot(page, "review-phone-queue")
    caption = rows(page).first.inner_text()
    rows(page).first.get_by_role("button").click()
    wait_for_evidence(page)
    expect(rows(page).first).not_to_be_visible()
    expect(page.get_by_role("button", name="Good")).to_be_in_viewport()
    assert_well(page)
    screenshot(page, "review-phone-case")
    page.get_by_role("button", name="Good").click()
    expect(done(page, "Decided: Good")).to_be_visible()
    page.get_by_role("button", name="Queue").click()
    expect(rows(page).first).to_be_visible()
    expect(rows(page).first).not_to_have_text(caption)
