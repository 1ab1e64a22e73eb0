"""The annotation engine in the real browser: from guidelines to the first HIT, a skip, edits, a query, a policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from engine_labs import ask_for_a_quiz, judged_with_controls, with_hits, with_queries
from walker import Lab, Person, let_in

COVERED_KEYS = """() => {
  const said = document.querySelector('[role=status] > div')
  const toast = said ? said.getBoundingClientRect() : new DOMRect()  // gone again where the machine is slow
  return [...document.querySelectorAll('footer button')].filter((key) => {
    const { top, bottom, left, right } = key.getBoundingClientRect()
    return top < toast.bottom && toast.top < bottom && left < toast.right && toast.left < right
  }).map((key) => key.textContent)
}"""
Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.mark.nightly
def test_a_newcomer_reads_passes_the_quiz_and_judges_the_first_hit(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab, page = with_hits(site, slug="newcomer"), browser_page
    ask_for_a_quiz(lab)
    newcomer = lab.invite()
    newcomer.let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("heading", name="What is good")).to_be_visible()
    assert_well(page)
    page.get_by_role("button", name="I have read the guidelines").click()
    page.get_by_role("button", name="Start the quiz").click()
    answer(page, 1, key="g", feedback="Wrong")  # the caption speaks of penguins, and there are none
    expect(page.get_by_text("There are no penguins in it.")).to_be_visible()
    screenshot(page, "quiz-feedback")
    page.keyboard.press("Enter")
    answer(page, 2, key="b", feedback="Correct")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Not passed")).to_be_visible()
    assert newcomer.post(f"/projects/{lab.slug}/assignments/next")["reason"] == "not_qualified"

    page.get_by_role("button", name="See what to do next").click()
    page.get_by_role("button", name="Start the quiz").click()
    for number in (1, 2):
        answer(page, number, key="b", feedback="Correct")
        page.keyboard.press("Enter")
    page.get_by_role("link", name="Start the first task").click()
    captions = page.get_by_role("region", name="Captions").get_by_role("listitem")
    expect(captions).to_have_count(5)
    assert_well(page)
    page.keyboard.type("ggggg")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_visible()


def answer(page: Page, number: int, *, key: str, feedback: str) -> None:
    expect(page.get_by_role("heading", name=f"Question {number} of 2")).to_be_visible()
    page.keyboard.press(key)
    expect(page.get_by_text(feedback, exact=True)).to_be_visible()


@pytest.mark.nightly
def test_a_skip_leaves_the_hit_to_others_and_the_next_one_is_there(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab, page = with_hits(site, slug="skip"), browser_page
    person = lab.annotators[0]
    person.let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    photograph = page.get_by_role("main").get_by_role("img").first
    expect(photograph).to_be_visible()
    page.wait_for_load_state("networkidle")  # the next one is in hand
    before, first = photograph.get_attribute("src"), held(person, lab)
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog", name="Skip this task")
    dialog.get_by_role("radio", name=re.compile("I do not want to look at this")).check()
    dialog.get_by_role("textbox", name="More details").fill("An accident.")
    screenshot(page, "skip")
    dialog.get_by_role("button", name="Skip").click()
    expect(photograph).not_to_have_attribute("src", before or "")
    assert page.evaluate(COVERED_KEYS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(COVERED_KEYS) == []
    assert person.get(f"/assignments/{first}")["status"] == "skipped"
    assert held(person, lab) != first


def held(person: Person, lab: Lab) -> str:
    """The HIT on this person's desk."""
    return str(person.post(f"/projects/{lab.slug}/assignments/next")["assignment"]["id"])


@pytest.mark.nightly
def test_edits_and_a_lens_arrive_with_the_judgment(site: str, browser_page: Page, screenshot: Keep) -> None:
    lab, page = with_hits(site, slug="edits"), browser_page
    person = lab.annotators[0]
    person.let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    captions = page.get_by_role("region", name="Captions").get_by_role("listitem")
    expect(captions).to_have_count(5)
    page.wait_for_load_state("networkidle")
    assignment = held(person, lab)
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Caption")
    before = field.input_value()
    field.fill(f"Surely: {before}")
    screenshot(page, "edit")
    page.keyboard.press("Enter")
    expect(field).to_be_hidden()
    page.keyboard.press("l")
    expect(page.get_by_role("group", name="Why does it fit?")).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "1")
    expect(page.locator("[data-open]")).to_be_focused()  # on the next caption: the one it was opened on is closed
    page.keyboard.type("bbbb")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_visible()
    [first, *_] = person.get(f"/assignments/{assignment}")["items"]
    assert (first["label"], first["lens"]) == ("good", "figurative")
    assert [edit["after"].strip() for edit in first["edits"]] == ["Surely:"]


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_query_is_judged_by_touch_on_a_phone(site: str, open_page: OpenPage, screenshot: Keep, theme: str) -> None:
    lab, page = with_queries(site), open_page("phone", theme=theme)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("heading", name="A quiet place to wait")).to_be_visible()
    photographs = page.get_by_role("button", name=re.compile(r"^Image \d"))
    expect(photographs).to_have_count(5)
    page.wait_for_load_state("networkidle")
    assert_well(page)
    photographs.nth(2).click()
    page.get_by_role("button", name="Irrelevant").click()
    expect(page.get_by_role("button", name="Image 3 of 5, irrelevant")).to_be_visible()
    for _ in range(4):
        page.get_by_role("button", name="Relevant", exact=True).click()
    screenshot(page, f"query-phone-{theme}")
    expect(page.get_by_text("All 5 judged.")).to_be_visible()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Something is about to happen")).to_be_visible()
    expect(photographs).to_have_count(3)


@pytest.mark.nightly
def test_a_policy_is_looked_at_before_it_is_applied(site: str, browser_page: Page, screenshot: Keep) -> None:
    lab, page = judged_with_controls(site), browser_page
    by_rules = {"state": "policy", "reason": "The rules decide again."}
    lab.curator.post(f"/projects/{lab.slug}/annotators/{lab.annotators[-1].account()['id']}/state", by_rules)
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/quality?tab=policy")
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("form", name="New version")).to_be_visible()
    page.get_by_role("textbox", name="Why do you make this version?").fill("Somebody says good to everything.")
    page.get_by_role("button", name="Save the version").click()
    page.get_by_role("button", name="Preview the changes").click()
    row = page.get_by_role("grid", name="Annotators with a new status").get_by_role("row").nth(1)
    expect(row).to_contain_text("Excluded")
    expect(page.get_by_text("80 answers would no longer count.")).to_be_visible()
    assert_well(page)
    screenshot(page, "policy-preview")
    assert "excluded" not in states(lab)  # the default rules may have paused somebody meanwhile

    page.get_by_role("button", name="Apply version 2").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Version 2 is active.")).to_be_visible()
    assert states(lab) == ["active", "active", "excluded"]
    page.get_by_role("tab", name="Annotators").click()
    expect(page.get_by_role("grid", name="Annotators")).to_contain_text("Excluded")
    page.get_by_role("tab", name="Agreement").click()
    page.get_by_text("All measures and groups").click()
    expect(page.get_by_role("grid", name="Agreement").first).to_contain_text("Krippendorff")
    assert_well(page)


def states(lab: Lab) -> list[str]:
    return sorted(row["state"] for row in lab.curator.rows(f"/projects/{lab.slug}/annotators"))
