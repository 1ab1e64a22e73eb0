"""A whole day in small, by keyboard alone: joining, ten HITs, an edit, slips, no network, a crash, an ended session."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Error, Locator, Page, Request, Route, expect

from annotation_audits import AUDITS
from engine_labs import ask_for_a_quiz, with_hits
from live_stack import LiveStack
from walker import PASSWORD, Lab

N_HITS, N_CAPTIONS = 10, 5
BESIDE = re.compile(r"/api/v1/(?!session$)(?!assignments/[^/]+/submit$)")  # all that the page asks but its submit
A_MOMENT_MS = 500  # what the browser needs to keep a row, on a busy machine as well
SUBMITTED = """
    SELECT count(*) FROM annotation_assignment a JOIN projects_project p ON p.id = a.project_id
    WHERE p.slug = %s AND a.status = 'submitted'"""
EDITED = """
    SELECT j.edits FROM annotation_judgment j JOIN annotation_assignment a ON a.id = j.assignment_id
    JOIN projects_project p ON p.id = a.project_id WHERE p.slug = %s AND j.edits <> '[]'::jsonb"""
Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    lab = with_hits(site, slug="day")
    ask_for_a_quiz(lab)
    return lab


@pytest.mark.nightly
def test_a_day_by_keyboard_loses_nothing(
    live_stack: LiveStack, lab: Lab, open_page: OpenPage, screenshot: Keep
) -> None:
    page = open_page()
    join(page, lab)
    pass_the_quiz(page)
    judge_with_an_edit(page)
    judge_with_a_slip(page)
    judge_without_a_network(page)
    judge_over_a_crash(page)
    submit_over_the_end_of_a_session(page)
    judge_over_the_end_of_a_session(page)
    judge_in_two_tabs(page)
    screenshot(page, "day-late")
    for n in range(8, N_HITS + 1):
        judge(page)
        sent(page, n)

    with psycopg.connect(live_stack.place.database_url) as connection:
        assert connection.execute(SUBMITTED, [lab.slug]).fetchone() == (N_HITS,)
        [[[edit]]] = connection.execute(EDITED, [lab.slug]).fetchall()
        for rule, question in AUDITS.items():
            found = connection.execute(question.format(length="jsonb_array_length"), [lab.slug]).fetchone()
            assert found == (0,), rule
    assert edit["after"].strip() == "Surely:"


def join(page: Page, lab: Lab) -> None:
    invitation = lab.curator.post(f"/projects/{lab.slug}/invitations", {"role": "annotator"})
    page.goto(f"/invitations/{invitation['token']}")
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type(f"early-{lab.slug[-6:]}")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def pass_the_quiz(page: Page) -> None:
    expect(page.get_by_role("main").get_by_role("link").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="I have read the guidelines")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start the quiz")).to_be_focused()
    page.keyboard.press("Enter")
    for number in (1, 2):
        expect(page.get_by_role("heading", name=f"Question {number} of 2")).to_be_visible()
        page.keyboard.press("b")
        expect(page.get_by_text("Correct", exact=True)).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Start the first task")).to_be_focused()
    page.keyboard.press("Enter")
    on_the_desk(page)


def on_the_desk(page: Page) -> None:
    """A HIT stands there, and the next one is in hand."""
    expect(page.get_by_role("region", name="Captions").get_by_role("listitem")).to_have_count(N_CAPTIONS)
    page.wait_for_load_state("networkidle")


def judged(page: Page, n: int) -> None:
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", str(n))


def sent(page: Page, n: int) -> None:
    expect(page.get_by_text(f"{n} submitted today")).to_be_visible()


def judge(page: Page, *, but: int = 0) -> None:
    """Judge all but the first `but`, and submit."""
    for n in range(but + 1, N_CAPTIONS + 1):
        page.keyboard.press("gbu"[n % 3])
        judged(page, n)
    page.keyboard.press("Enter")
    judged(page, 0)


def judge_with_an_edit(page: Page) -> None:
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Caption")
    expect(field).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.type("Surely: ")
    page.keyboard.press("Enter")
    expect(field).to_be_hidden()
    judge(page)
    sent(page, 1)


def judge_with_a_slip(page: Page) -> None:
    page.keyboard.press("b")
    judged(page, 1)
    page.keyboard.press("z")
    judged(page, 0)
    judge(page)
    sent(page, 2)


def judge_without_a_network(page: Page) -> None:
    on_the_desk(page)
    page.context.set_offline(True)
    judge(page)
    expect(page.get_by_role("note").get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    sent(page, 3)
    expect(page.get_by_role("note").get_by_text("You are offline.")).to_be_hidden()


def judge_over_a_crash(page: Page) -> None:
    """The process of a page is killed in the middle of a HIT; another page goes on where it was."""
    address = page.url
    doomed = page.context.new_page()
    page.goto("about:blank")
    doomed.goto(address)
    on_the_desk(doomed)
    doomed.keyboard.type("gb")
    judged(doomed, 2)
    doomed.wait_for_timeout(A_MOMENT_MS)
    with doomed.expect_event("crash"), suppress(Error):
        doomed.goto("chrome://crash")
    doomed.close()
    page.goto(address)
    judged(page, 2)
    judge(page, but=2)
    sent(page, 4)


def submit_over_the_end_of_a_session(page: Page) -> None:
    """The submit is the first request that finds the session ended."""
    on_the_desk(page)
    held: list[Route] = []
    page.route(BESIDE, lambda route: held.append(route))
    page.context.clear_cookies(name="sessionid")
    judge(page)
    expect(dialog_of(page)).to_be_visible()
    for route in held:  # before unroute, which lets the held requests go
        route.continue_()
    page.unroute(BESIDE)
    sign_in_again(page)
    sent(page, 5)


def judge_over_the_end_of_a_session(page: Page) -> None:
    """The draft is: nobody is asked, no key goes astray, and the page is judged and submitted as ever."""
    on_the_desk(page)
    page.context.clear_cookies(name="sessionid")
    with page.expect_request_finished(is_draft) as found:
        page.keyboard.press("g")
    answer = found.value.response()
    assert answer and answer.status == 401
    expect(page.get_by_role("note").get_by_text("Your session has ended.")).to_be_visible()
    expect(dialog_of(page)).to_be_hidden()
    judge(page, but=1)
    sign_in_again(page)
    expect(page.get_by_role("note").get_by_text("Your session has ended.")).to_be_hidden()
    sent(page, 6)


def is_draft(request: Request) -> bool:
    return request.method == "PUT" and request.url.endswith("/draft")


def dialog_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Sign in to continue")


def sign_in_again(page: Page) -> None:
    expect(dialog_of(page).get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog_of(page)).to_be_hidden()


def judge_in_two_tabs(page: Page) -> None:
    """Only one of them works on a HIT: the second takes it over and sends it, the first goes on with the next."""
    on_the_desk(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("heading", name="This task is open in another tab")).to_be_visible()
    other.keyboard.press("Enter")
    on_the_desk(other)
    judge(other)
    sent(other, 7)
    expect(page.get_by_text("You submitted this task in another tab.")).to_be_visible()
    other.close()
    on_the_desk(page)
