"""From an invitation link to the first judged HIT, at the pace of a person, in under a minute."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine_labs import ask_for_a_quiz, with_hits
from walker import PASSWORD

KEY_MS, GLANCE_MS, READ_MS = 60, 1_000, 3_000
Keep = Callable[[Page, str], Path]


@dataclass
class Newcomer:
    """Somebody who reads before they act and types with a delay. Counts what they did and how long it took."""

    page: Page
    began: float = field(default_factory=time.monotonic)
    steps: list[tuple[str, float]] = field(default_factory=list)

    def did(self, step: str) -> None:
        self.steps.append((step, time.monotonic() - self.began))

    def writes(self, label: str, text: str) -> None:
        expect(self.page.get_by_label(label, exact=True)).to_be_focused()
        self.page.keyboard.type(text, delay=KEY_MS)
        self.did(f"writes the {label.lower()}")

    def presses(self, key: str, why: str) -> None:
        self.page.wait_for_timeout(GLANCE_MS)
        self.page.keyboard.press(key)
        self.did(why)

    def reads(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", name=heading)).to_be_visible()
        self.page.wait_for_timeout(READ_MS)


@pytest.mark.nightly
def test_from_an_invitation_to_the_first_judged_hit_in_under_a_minute(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab = with_hits(site, slug="onboarding")
    ask_for_a_quiz(lab)
    invitation = lab.curator.post(f"/projects/{lab.slug}/invitations", {"role": "annotator"})
    page, newcomer = browser_page, Newcomer(browser_page)

    page.goto(f"/invitations/{invitation['token']}")
    newcomer.reads("Photographs")
    screenshot(page, "onboarding-1-invitation")
    newcomer.writes("User name", f"newcomer-{lab.slug[-6:]}")
    for _ in ("e-mail address, which may stay empty", "password"):
        page.keyboard.press("Tab")
    newcomer.writes("Password", PASSWORD)
    newcomer.presses("Enter", "joins")
    newcomer.reads("What is good")
    screenshot(page, "onboarding-2-guidelines")
    page.get_by_role("button", name="I have read the guidelines").click()
    newcomer.did("has read the guidelines")
    expect(page.get_by_role("button", name="Start the quiz")).to_be_focused()
    newcomer.presses("Enter", "begins the quiz")
    for number in (1, 2):
        newcomer.reads(f"Question {number} of 2")
        newcomer.presses("b", "answers")
        newcomer.presses("Enter", "goes on")
    expect(page.get_by_role("link", name="Start the first task")).to_be_focused()
    newcomer.presses("Enter", "goes to the first photograph")
    captions = page.get_by_role("region", name="Captions").get_by_role("listitem")
    expect(captions).to_have_count(5)
    for _ in range(5):
        newcomer.presses("g", "judges a caption")
    newcomer.presses("Enter", "submits")
    expect(page.get_by_text("1 submitted today")).to_be_visible()
    newcomer.did("has sent the first one")

    for step, seconds in newcomer.steps:
        print(f"{seconds:5.1f} s  {step}")
    assert len(newcomer.steps) <= 20
    assert newcomer.steps[-1][1] < 60
