"""A survey from its making to its table: two people answer it on a phone, and one of them does not look."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine_labs import with_hits
from live_stack import LiveStack
from walker import Lab

pytestmark = pytest.mark.browser
SUPPORT = Path(__file__).resolve().parents[1] / "support"
RATE = f"import sys; sys.path.insert(0, {str(SUPPORT)!r}); from surveyed import rate_all; rate_all({{slug!r}}, hard=2)"
OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.fixture
def lab(live_stack: LiveStack, site: str) -> Lab:
    """Sixteen images with five chosen captions each; those of two images are hard."""
    lab = with_hits(site, slug="survey")
    live_stack.manage("shell", "-v", "0", "-c", RATE.format(slug=lab.slug))
    return lab


def test_a_curator_asks_two_people_and_leaves_out_the_one_who_does_not_look(
    lab: Lab, open_page: OpenPage, screenshot: Keep
) -> None:
    desk = open_page("desk")
    lab.curator.let_in(desk)
    url = make_survey(desk, lab, screenshot)
    hard = {row["text"] for row in lab.curator.get(f"/projects/{lab.slug}/surveys/1/preview")["pairs"]}
    answer(open_page("phone", has_touch=True), url, lambda text: text in hard, screenshot, "careful")
    answer(open_page("phone", theme="dark", has_touch=True), url, lambda text: True, screenshot, "careless")
    desk.reload()
    desk.get_by_role("tab", name="Results").click()
    expect(desk.get_by_text("100%", exact=True).first).to_be_visible()
    figures = desk.get_by_role("figure", name="Pairs by their share of good")
    expect(figures).to_contain_text("n = 4 pairs with answers")
    screenshot(desk, "survey-results")
    with desk.expect_download() as saved:
        desk.get_by_role("link", name="Pairs as CSV").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text())))
    assert len(rows) == 10
    assert sorted(row["n"] for row in rows) == ["0"] * 6 + ["1"] * 4
    assert {row["share_good"] for row in rows if row["n"] == "1"} == {"1.0"}
    desk.get_by_role("tab", name="Participants").click()
    table = desk.get_by_role("grid", name="Participants")
    expect(table.get_by_role("row", name="Participant 1")).to_contain_text("Counts")
    expect(table.get_by_role("row", name="Participant 2")).to_contain_text("Excluded")
    screenshot(desk, "survey-participants")
    late = open_page("phone")
    late.goto(url)
    expect(late.get_by_text("All places of this survey are taken.")).to_be_visible()


def make_survey(desk: Page, lab: Lab, screenshot: Keep) -> str:
    """Make and open a survey of four pairs and two distractors for two people. Returns its link."""
    desk.goto(f"/projects/{lab.slug}/surveys")
    desk.get_by_role("button", name="Make a survey").click()
    desk.get_by_label("Title").fill("Hard captions")
    desk.get_by_label("Run by").fill("The lab, lab@example.org")
    desk.get_by_label("Consent text").fill("We ask **ten minutes** of your time.")
    for label, value in (("Pairs for each", "4"), ("Distractors for each", "2"), ("Participants", "2")):
        field = desk.get_by_role("textbox", name=label)
        field.fill(value)
        field.blur()
    screenshot(desk, "survey-form")
    desk.get_by_role("button", name="Make the draft").click()
    expect(desk.get_by_role("heading", name="10 hardest pairs")).to_be_visible()
    expect(desk.get_by_text("There are only 10 hard captions")).to_be_visible()
    screenshot(desk, "survey-preview")
    desk.get_by_role("button", name="Open the survey").click()
    desk.get_by_role("tab", name="Links").click()
    url = desk.locator("code").inner_text()
    assert "/s/" in url
    return url


def answer(phone: Page, url: str, fits: Callable[[str], bool], screenshot: Keep, name: str) -> None:
    """Agree and answer all six pairs by finger; after the second, the page is loaded again."""
    phone.goto(url)
    expect(phone.get_by_text("ten minutes")).to_be_visible()
    screenshot(phone, f"survey-consent-{name}")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("button", name="I agree, start the survey").tap()
    for number in range(1, 7):
        expect(phone.get_by_text(f"{number} of 6")).to_be_visible()
        text = phone.locator("p[aria-live]").inner_text()
        if number == 3:
            with phone.expect_response(lambda told: told.url.endswith("/answers/2")):
                phone.get_by_role("button", name="Back").tap()
                chosen = phone.locator("button[aria-pressed=true]")
                chosen.tap()
            phone.reload()
            expect(phone.get_by_text("3 of 6")).to_be_visible()
            screenshot(phone, f"survey-pair-{name}")
            assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.get_by_role("button", name="Good" if fits(text) else "Bad").tap()
    expect(phone.get_by_role("heading", name="Thank you")).to_be_visible()
    expect(phone.get_by_text("The survey has all your answers.")).to_be_visible()
    screenshot(phone, f"survey-thanks-{name}")
    phone.reload()
    expect(phone.get_by_text("You finished this survey.")).to_be_visible()
