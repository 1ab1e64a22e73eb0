"""The map of captions in the real browser: a hard caption is found, a lasso takes it, and its file has the rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from axe import SPILLS
from live_stack import LiveStack
from many_captions import map_of
from many_images import project_of
from walker import Lab, let_in

IMAGES, PER_IMAGE = 60, 5


@pytest.fixture(scope="module")
def mapped(live_stack: LiveStack) -> Lab:
    slug = f"mapped-{uuid4().hex[:6]}"
    lab = project_of(live_stack, IMAGES, slug=slug)
    map_of(live_stack, slug=slug, per_image=PER_IMAGE)
    return lab


def open_map(page: Page, lab: Lab) -> Locator:
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/map")
    found = page.get_by_role("application")
    expect(found).to_be_visible()
    return found


def entry(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=False)


def saved(page: Page) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))


def outline(page: Page, found: Locator) -> None:
    """Lead the pressed mouse along the edge of the map, and back to where it began."""
    box = found.bounding_box()
    assert box is not None
    left, top, right, bottom = box["x"] + 4, box["y"] + 4, box["x"] + box["width"] - 4, box["y"] + box["height"] - 4
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom), (left, top)):
        page.mouse.move(x, y, steps=6)
    page.mouse.up()


@pytest.mark.nightly
def test_a_hard_caption_is_found_and_the_lasso_round_it_is_saved(
    browser_page: Page, mapped: Lab, screenshot: Callable[[Page, str], Path]
) -> None:
    found = open_map(browser_page, mapped)
    expect(found).to_have_accessible_name("Map of 300 captions: All captions")
    browser_page.get_by_label("Search").fill("lantern 7 ")
    expect(browser_page.get_by_role("heading", name="5 captions")).to_be_visible()
    browser_page.get_by_role("button", name="Hard 60").click()
    expect(browser_page.get_by_role("heading", name="1 caption")).to_be_visible()
    browser_page.get_by_role("button", name="caption 0 about lantern 7 by the hill").click()
    detail = browser_page.get_by_role("region", name="Details")
    expect(detail.get_by_role("img")).to_be_visible()
    expect(detail).to_contain_text("Hard")
    screenshot(browser_page, "map-found")
    link = detail.get_by_role("link", name="Open the image")
    assert "/images/" in (link.get_attribute("href") or "")
    detail.get_by_role("button", name="Close").click()

    browser_page.get_by_label("Lasso").check(force=True)
    outline(browser_page, found)
    browser_page.get_by_label("Search").fill("")
    expect(browser_page.get_by_role("heading", name="60 captions")).to_be_visible()
    rows = saved(browser_page)
    assert len(rows) == IMAGES
    assert {row["difficulty"] for row in rows} == {"hard"}
    assert {row["caption"] for row in rows} == {f"caption 0 about lantern {n} by the hill" for n in range(IMAGES)}
    one = next(row for row in rows if row["caption"] == "caption 0 about lantern 7 by the hill")
    assert (one["source"], one["selection"]) == ("web", "chosen")
    image = mapped.curator.get(f"/projects/{mapped.slug}/images?limit=60")["results"][7]
    assert one["image"] == image["key"]


@pytest.mark.nightly
def test_two_data_sets_lie_beside_each_other_and_move_together(browser_page: Page, mapped: Lab) -> None:
    open_map(browser_page, mapped)
    browser_page.get_by_role("button", name="Second map").click()
    browser_page.get_by_role("option", name="Selected: Selected").click()
    first, second = browser_page.get_by_role("application").all()
    expect(second).to_have_accessible_name("Map of 120 captions: Selected: Selected")
    browser_page.wait_for_timeout(300)
    before = second.screenshot()
    first.focus()
    browser_page.keyboard.press("+")
    browser_page.wait_for_timeout(300)
    assert second.screenshot() != before


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_map_fits_a_phone_and_both_themes(
    open_page: Callable[..., Page], mapped: Lab, screenshot: Callable[[Page, str], Path], theme: str
) -> None:
    for size in ("desk", "phone"):
        page = open_page(size, theme=theme)
        open_map(page, mapped)
        page.wait_for_timeout(500)
        assert not page.evaluate(SPILLS)
        screenshot(page, f"map-{size}-{theme}")
