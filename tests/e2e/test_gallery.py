"""8,000 photographs in the real browser: the gallery holds a few screens of them and is as quick at any depth.

`make bench-gallery` scrolls through 25,000.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Request, expect

from live_stack import LiveStack
from many_images import project_of
from scrolling import Scrolled, scroll, watch
from walker import Lab, let_in

MANY = 8_000
PAGE = 100
LONGEST_TASK_MS = 200  # of processor time; by the clock, a busy machine would decide
# A few screens of photographs with their captions, and the page around them.
MOST_NODES = 1500
PATIENCE = 240  # seconds


@dataclass
class Asked:
    """The requests of a page, by what they were for."""

    pages: list[str] = field(default_factory=list)
    counts: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)

    def note(self, request: Request) -> None:
        if "/media/" in request.url:
            self.pictures.append(request.url)
        elif "/images/counts" in request.url:
            self.counts.append(request.url)
        elif "/images?" in request.url:
            self.pages.append(request.url)


@pytest.fixture(scope="module")
def large(live_stack: LiveStack) -> Lab:
    return project_of(live_stack, MANY, slug=f"large-{uuid4().hex[:6]}")


@pytest.fixture
def asked(browser_page: Page) -> Asked:
    """What the page asks of the site from now on."""
    asked = Asked()
    browser_page.on("request", asked.note)
    return asked


@pytest.fixture
def gallery(browser_page: Page, asked: Asked, large: Lab) -> Page:
    """The gallery as its curator sees it, at its top."""
    page = browser_page
    let_in(page, "alice")
    page.goto(f"/projects/{large.slug}/images")
    expect(page.get_by_text(f"{MANY:,} images")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("listitem").first.get_by_role("img")).to_be_visible()
    return page


def last_drawn(page: Page) -> int:
    """The place in the project of the last photograph that the page holds."""
    return int(page.locator("[data-tile]").last.get_attribute("data-tile") or 0) + 1


def wait_for_pictures(page: Page) -> None:
    """Until every photograph in the window is painted."""
    page.wait_for_function(
        """() => {
          const inside = [...document.querySelectorAll('[data-tile] img')].filter((img) => {
            const box = img.getBoundingClientRect()
            return box.bottom > 0 && box.top < innerHeight
          })
          return inside.length > 3 && inside.every((img) => img.complete && img.naturalWidth > 0)
        }"""
    )


def assert_smooth(seen: Scrolled) -> None:
    assert seen.n_nodes < MOST_NODES
    assert seen.longest_task_ms < LONGEST_TASK_MS


def press_end_until(page: Page, n: int) -> None:
    """Go to the last photograph loaded, again and again, until the page holds the `n`-th."""
    deadline = time.monotonic() + PATIENCE
    while (reached := last_drawn(page)) < n:
        assert time.monotonic() < deadline, f"The gallery came no further than photograph {reached}."
        page.keyboard.press("End")
        page.wait_for_timeout(30)


@pytest.mark.nightly
def test_the_wheel_brings_photographs_and_asks_for_no_more_pages_than_it_needs(gallery: Page, asked: Asked) -> None:
    assert len(asked.pages) == 1, "The top needs one page."
    seen = scroll(gallery, turns=80)
    wait_for_pictures(gallery)
    shown = last_drawn(gallery)
    assert shown > 2 * PAGE
    assert len(asked.pages) == len(set(asked.pages)) <= shown / PAGE + 2
    assert len(asked.counts) == len(set(asked.counts)) <= len(asked.pages)
    # The wheel passes the last row by one or two rows before it rests.
    assert len(asked.pictures) == len(set(asked.pictures)) <= shown + 2 * 4
    assert_smooth(seen)


@pytest.mark.nightly
def test_at_the_end_of_8_000_the_page_is_as_light_as_at_the_top(
    gallery: Page, asked: Asked, screenshot: Callable[[Page, str], Path]
) -> None:
    press_end_until(gallery, MANY - 10 * PAGE)
    last_pages = watch(gallery, lambda: press_end_until(gallery, MANY))
    wait_for_pictures(gallery)
    screenshot(gallery, "gallery-at-the-end")
    assert len(asked.pages) == len(set(asked.pages)) == MANY // PAGE
    assert_smooth(last_pages)

    gallery.keyboard.press("PageUp")
    back = scroll(gallery, turns=40, pixels=-250)
    wait_for_pictures(gallery)
    assert len(asked.pages) == MANY // PAGE, "What was fetched is not fetched again."
    assert last_drawn(gallery) < MANY - PAGE // 2
    assert_smooth(back)


@pytest.mark.nightly
def test_page_down_and_the_arrows_walk_through_the_photographs(gallery: Page) -> None:
    for _ in range(12):
        gallery.keyboard.press("PageDown")
    expect(gallery.locator("[data-tile='0']")).to_have_count(0)
    wait_for_pictures(gallery)
    gallery.locator("[data-tile][tabindex='0']").focus()
    before = int(gallery.evaluate("document.activeElement.dataset.tile"))
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        gallery.keyboard.press(key)
    gallery.wait_for_function(f"() => +document.activeElement.dataset.tile > {before} + 2")
