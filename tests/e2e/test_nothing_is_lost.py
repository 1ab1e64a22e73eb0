"""Nothing is lost, in the real browser: offline, a crash before the answer, another machine, a session that ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from at_the_desk import judge, open_desk, submitted
from engine_labs import with_hits
from walker import PASSWORD

OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.mark.nightly
def test_two_hits_judged_offline_are_sent_once_when_the_network_is_back(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab, page = with_hits(site, slug="offline"), browser_page
    person = lab.annotators[0]
    open_desk(page, lab, person)
    page.context.set_offline(True)
    judge(page, "gbugb")
    page.keyboard.press("Enter")
    expect(page.get_by_role("note")).to_contain_text("You are offline. Your 5 answers are saved on this device")
    judge(page, "ggggg")
    page.keyboard.press("Enter")
    expect(page.get_by_role("note")).to_contain_text("This task is sent after the previous task.")
    screenshot(page, "offline")
    assert submitted(person, lab) == (0, 0)
    page.context.set_offline(False)
    expect(page.get_by_role("note")).to_be_hidden()
    expect(page.get_by_text("2 submitted today")).to_be_visible()
    assert submitted(person, lab) == (2, 10)


def test_a_crash_between_the_submit_and_its_answer_counts_once(site: str, browser_page: Page) -> None:
    lab, page = with_hits(site, slug="crash"), browser_page.context.new_page()
    person = lab.annotators[0]
    open_desk(page, lab, person)
    keys: list[str | None] = []

    def arrives_unanswered(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        if len(keys) == 1:
            route.fetch()
            page.close()
        else:
            route.continue_()

    page.context.route("**/submit", arrives_unanswered)
    judge(page, "gbugb")
    with page.expect_event("close"):
        page.keyboard.press("Enter")
    browser_page.goto(f"/projects/{lab.slug}/annotate")
    expect(browser_page.get_by_text("1 submitted today")).to_be_visible()
    assert keys[0] == keys[1]
    assert submitted(person, lab) == (1, 5)


@pytest.mark.nightly
def test_work_goes_on_at_another_machine_and_after_a_reload(site: str, open_page: OpenPage) -> None:
    lab = with_hits(site, slug="machines")
    person = lab.annotators[0]
    here, there = open_page("desk"), open_page("desk", theme="dark")
    open_desk(here, lab, person)
    with here.expect_response(re.compile(r"/draft$")) as kept:
        judge(here, "gb")
    assert kept.value.status == 204
    here.reload()
    expect(here.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "2")
    open_desk(there, lab, person)
    expect(there.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "2")


def test_a_session_that_ends_is_begun_again_in_place(site: str, browser_page: Page, screenshot: Keep) -> None:
    lab, page = with_hits(site, slug="session"), browser_page
    person = lab.annotators[0]
    username = person.account()["username"]
    open_desk(page, lab, person)
    page.context.clear_cookies(name="sessionid")
    judge(page, "gbugb")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Sign in to continue")
    expect(dialog.get_by_label("User name")).to_have_value(username)
    expect(dialog.get_by_label("Password")).to_be_focused()
    screenshot(page, "session-ended")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("1 submitted today")).to_be_visible()
    assert submitted(person, lab) == (1, 5)


@pytest.mark.nightly
def test_a_browser_that_lost_its_token_sends_all_the_same(site: str, browser_page: Page) -> None:
    lab, page = with_hits(site, slug="token"), browser_page
    person = lab.annotators[0]
    open_desk(page, lab, person)
    judge(page, "gbugb")
    page.context.clear_cookies(name="csrftoken")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_visible()
    expect(page.get_by_role("note")).to_be_hidden()
    assert submitted(person, lab) == (1, 5)


@pytest.mark.nightly
def test_two_tabs_never_work_on_the_same_hit(site: str, browser_page: Page, screenshot: Keep) -> None:
    lab, first = with_hits(site, slug="tabs"), browser_page
    person = lab.annotators[0]
    open_desk(first, lab, person)
    judge(first, "gb")
    second = first.context.new_page()
    second.goto(f"/projects/{lab.slug}/annotate")
    expect(second.get_by_role("heading", name="This task is open in another tab")).to_be_visible()
    screenshot(second, "open-elsewhere")
    second.get_by_role("button", name="Continue here").click()
    expect(second.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "2")
    expect(first.get_by_role("heading", name="This task is open in another tab")).to_be_visible()
    second.wait_for_load_state("networkidle")
    second.keyboard.type("uuu")
    second.keyboard.press("Enter")
    expect(second.get_by_text("1 submitted today")).to_be_visible()
    expect(first.get_by_text("You submitted this task in another tab.")).to_be_visible()
    second.close()
    expect(first.get_by_role("region", name="Captions").get_by_role("listitem")).to_have_count(5)
    judge(first, "ggggg")
    first.keyboard.press("Enter")
    expect(first.get_by_text("2 submitted today")).to_be_visible()
    assert submitted(person, lab) == (2, 10)
