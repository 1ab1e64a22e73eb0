"""A reload without a network, in the real browser: the HIT in hand stands there with its draft, and work goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from at_the_desk import judge, open_desk, submitted
from engine_labs import with_hits

OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]
KEPT = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
PICTURE_SHOWN = "() => { const img = document.querySelector('main img'); return img.complete && img.naturalWidth > 0 }"
CACHED = """
async () => {
  const found = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
  return found
}
"""


def wait_until_kept(page: Page) -> None:
    """Until the browser has taken the built page in, and the HIT behind the one on the desk is in hand."""
    page.wait_for_function(KEPT)
    page.wait_for_load_state("networkidle")


def test_a_reload_offline_brings_the_hit_with_its_draft_and_everything_is_sent_once(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab, page = with_hits(site, slug="reload"), browser_page
    person = lab.annotators[0]
    open_desk(page, lab, person)
    wait_until_kept(page)
    caption = page.get_by_role("region", name="Captions").get_by_role("listitem").first
    words = caption.inner_text()
    judge(page, "gb")

    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "2")
    expect(
        page.get_by_role("note").filter(has_text="You are offline. This task is saved on this device")
    ).to_be_visible()
    assert caption.inner_text().split("\n")[-1] in words
    page.wait_for_function(PICTURE_SHOWN)
    screenshot(page, "reload-offline")

    page.keyboard.type("ugb")
    page.keyboard.press("Enter")
    expect(page.get_by_role("note").filter(has_text="Your 5 answers are saved on this device")).to_be_visible()
    judge(page, "gg")
    page.reload()
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "2")
    page.wait_for_function(PICTURE_SHOWN)
    screenshot(page, "reload-offline-again")
    assert submitted(person, lab) == (0, 0)

    page.context.set_offline(False)
    expect(page.get_by_text("1 submitted today")).to_be_visible()
    expect(page.get_by_role("note")).to_be_hidden()
    assert submitted(person, lab) == (1, 5)
    page.keyboard.type("ggg")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 submitted today")).to_be_visible()
    assert submitted(person, lab) == (2, 10)


@pytest.mark.nightly
def test_who_signed_out_leaves_nothing_for_a_reload_offline(site: str, open_page: OpenPage) -> None:
    lab, page = with_hits(site, slug="leaves"), open_page(theme="dark")
    open_desk(page, lab, lab.annotators[0])
    wait_until_kept(page)
    page.goto("/")
    page.get_by_role("button", name=": account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.context.set_offline(True)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    expect(page.get_by_role("region", name="Captions")).to_be_hidden()


@pytest.mark.nightly
def test_the_worker_keeps_files_of_the_build_and_no_answers(site: str, browser_page: Page) -> None:
    lab = with_hits(site, slug="kept")
    open_desk(browser_page, lab, lab.annotators[0])
    wait_until_kept(browser_page)
    kept: list[str] = browser_page.evaluate(CACHED)
    assert "/" in kept
    assert [path for path in kept if path != "/" and not path.startswith("/assets/")] == []


@pytest.mark.nightly
def test_the_worker_is_asked_for_anew(site: str, browser_page: Page) -> None:
    answer = browser_page.request.get("/service-worker.js")
    assert answer.status == 200
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" not in answer.headers.get("cache-control", "")
