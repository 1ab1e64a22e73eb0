"""25,000 images as a map in the real browser: it moves smoothly, shows what it is asked for, and no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from axe import SPILLS
from live_stack import LiveStack
from many_images import project_of, sample_of
from panning import pan
from walker import Lab, let_in

MANY, PICKED = 25_000, 5_000
LONGEST_TASK_MS = 200  # of processor time, as in the gallery
REMEMBER = """() => {
  const map = document.querySelector('canvas')
  window.remembered = map.getContext('2d').getImageData(0, 0, map.width, map.height).data
}"""
# Dots that were shifted differ from dots that were drawn by a shade here and there.
CHANGED = """() => {
  const map = document.querySelector('canvas')
  const now = map.getContext('2d').getImageData(0, 0, map.width, map.height).data
  return now.filter((value, n) => Math.abs(value - window.remembered[n]) > 96).length / now.length
}"""
DRAWN = "() => document.querySelector('canvas').toDataURL().length"


@pytest.fixture(scope="module")
def sampled(live_stack: LiveStack) -> Lab:
    slug = f"sampled-{uuid4().hex[:6]}"
    lab = project_of(live_stack, MANY, slug=slug)
    sample_of(live_stack, slug=slug, k=PICKED)
    return lab


def open_map(page: Page, lab: Lab) -> Locator:
    """The map as its curator sees it, drawn."""
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/explore")
    found = page.get_by_role("application", name="Map of 25,000 images, 5,000 in the sample")
    expect(found).to_be_visible()
    page.wait_for_function(f"({DRAWN})() > 20_000")
    return found


def picture(page: Page) -> str:
    """What the map looks like now."""
    page.wait_for_timeout(200)
    return str(page.evaluate("() => document.querySelector('canvas').toDataURL()"))


def assert_other_picture(page: Page, before: str) -> str:
    now = picture(page)
    assert now != before
    return now


@pytest.mark.nightly
def test_the_map_pans_without_a_long_task_and_zooms_by_wheel_and_keys(
    browser_page: Page, sampled: Lab, screenshot: Callable[[Page, str], Path]
) -> None:
    found = open_map(browser_page, sampled)
    screenshot(browser_page, "explore-25000")
    whole = picture(browser_page)
    browser_page.evaluate(REMEMBER)
    seen = pan(browser_page, moves=60)
    assert seen.longest_task_ms < LONGEST_TASK_MS
    panned = assert_other_picture(browser_page, whole)
    browser_page.mouse.wheel(0, -500)
    zoomed = assert_other_picture(browser_page, panned)
    found.focus()
    browser_page.keyboard.press("ArrowRight")
    assert_other_picture(browser_page, zoomed)
    assert browser_page.evaluate(CHANGED) > 0.005
    browser_page.keyboard.press("0")
    browser_page.mouse.move(0, 0)
    browser_page.wait_for_function(f"({CHANGED})() < 0.005")


@pytest.mark.nightly
def test_resting_on_a_dot_asks_for_that_photograph_alone(browser_page: Page, sampled: Lab) -> None:
    found = open_map(browser_page, sampled)
    asked: list[str] = []
    browser_page.on("request", lambda request: asked.append(request.url) if "/images/" in request.url else None)
    browser_page.keyboard.press("n")
    browser_page.keyboard.press("n")
    expect(browser_page.get_by_text("Image 2 of 5,000 in the sample")).to_be_visible()
    expect(browser_page.locator("main img[alt^='Photograph']").first).to_be_visible()
    assert len(asked) <= 2
    browser_page.keyboard.press("Escape")
    box = found.bounding_box()
    assert box is not None
    for step in range(40):  # some dot lies on the way
        browser_page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.3 + step / 100))
    expect(browser_page.get_by_text("Point at a dot")).to_be_hidden()
    assert len(asked) < 40


@pytest.mark.nightly
def test_the_slider_shows_a_smaller_sample(browser_page: Page, sampled: Lab) -> None:
    open_map(browser_page, sampled)
    whole = picture(browser_page)
    browser_page.get_by_role("slider", name="Number of images in the sample").fill("200")
    legend = browser_page.get_by_role("list", name="Legend")
    expect(legend).to_contain_text("200 in the sample")
    expect(legend).to_contain_text("24,800 not in the sample")
    assert_other_picture(browser_page, whole)


@pytest.mark.nightly
def test_two_fingers_look_closer_on_a_phone(phone_page: Page, sampled: Lab) -> None:
    cdp = phone_page.context.new_cdp_session(phone_page)
    cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    found = open_map(phone_page, sampled)
    phone_page.get_by_role("button", name="Show the next image of the sample").click()
    expect(phone_page.get_by_text("Image 1 of 5,000 in the sample")).to_be_visible()
    box = found.bounding_box()
    assert box is not None and box["width"] <= 390
    assert not phone_page.evaluate(SPILLS)
    before = picture(phone_page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, apart in (("touchStart", 20), ("touchMove", 60), ("touchMove", 120)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert_other_picture(phone_page, before)


@pytest.mark.nightly
def test_a_curator_puts_the_sample_in_force_and_lifts_it_again(browser_page: Page, sampled: Lab) -> None:
    open_map(browser_page, sampled)
    browser_page.get_by_role("button", name="Use this sample").click()
    expect(browser_page.get_by_text("Active", exact=True)).to_be_visible()
    browser_page.get_by_role("button", name="Stop using this sample").click()
    expect(browser_page.get_by_text("Not active", exact=True)).to_be_visible()
