"""The photograph under two fingers, and under the keys of who has no pointer: nearer, about, over all, and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from at_the_desk import open_desk
from engine_labs import with_hits
from touching import touch
from walker import Lab

OpenPage = Callable[..., Page]
PLACE = re.compile(r"translate\((-?[\d.]+)px, (-?[\d.]+)px\)")


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    return with_hits(site, slug="by-hand", overlap=2)


def place(page: Page) -> tuple[float, float]:
    """How far the photograph stands from the middle of its frame, to the right and down."""
    style = page.get_by_role("main").get_by_role("img").first.get_attribute("style") or ""
    found = PLACE.search(style)
    assert found, style
    return float(found[1]), float(found[2])


@pytest.mark.nightly
def test_two_fingers_bring_it_near_and_one_leads_it_about(lab: Lab, open_page: OpenPage) -> None:
    page = open_page("phone", has_touch=True)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_text("1 of 5", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    scale = page.get_by_label("Zoom", exact=True)
    expect(scale).to_have_text("100%")
    touch(page, [(180, 200), (220, 240)], [(120, 140), (280, 300)])
    expect(scale).to_have_text("400%")
    left, _ = place(page)
    touch(page, [(200, 200)], [(140, 200)])
    assert place(page)[0] == pytest.approx(left - 60, abs=2)
    touch(page, [(120, 140), (280, 300)], [(190, 210), (210, 230)])
    expect(scale).to_have_text("100%")
    assert place(page) == (0, 0)
    expect(page.get_by_text("1 of 5", exact=True)).to_be_visible()


@pytest.mark.nightly
def test_shift_and_arrows_lead_it_about_and_space_puts_it_back(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    open_desk(page, lab, lab.annotators[1])
    page.keyboard.press("Shift+ArrowRight")
    assert place(page) == (0, 0)
    for _ in range(3):
        page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowRight")
    assert place(page)[0] < 0
    page.keyboard.press("Shift+ArrowDown")
    assert place(page)[1] < 0
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    assert place(page) == (0, 0)
    page.keyboard.press("Space")
    expect(page.get_by_label("Zoom", exact=True)).to_have_text("100%")
    expect(page.get_by_role("button", name="Fit the image to the window")).to_be_disabled()


@pytest.mark.nightly
def test_over_the_whole_screen_the_keys_judge_on_and_the_focus_comes_back(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    open_desk(page, lab, lab.annotators[1])
    page.keyboard.press("v")
    page.wait_for_function("document.fullscreenElement?.localName === 'figure'")
    page.keyboard.press("g")
    page.keyboard.press("v")
    page.wait_for_function("document.fullscreenElement === null")
    judged = page.get_by_role("progressbar", name="Captions judged")
    expect(judged).to_have_attribute("aria-valuenow", "1")
    expect(page.locator("[data-open]")).to_be_focused()
