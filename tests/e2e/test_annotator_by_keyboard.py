"""An annotator in the real browser: signs in, judges a whole HIT without the mouse, and the next release holds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from walker import COMMITTED_PHOTOGRAPHS, PASSWORD, Lab

TO_A_RELEASE = ("consensus", "select", "release")
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """A project whose only annotator has judged every HIT but one, released once."""
    lab = with_hits(site)
    judge_all_but_one(lab)
    release(lab)
    return lab


def with_hits(site: str) -> Lab:
    """A project of sixteen photographs, one HIT of five captions each, nothing judged."""
    lab = Lab(site, slug=f"by-keyboard-{uuid4().hex[:6]}", overlap=1)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    for stage, parameters in (("import_images", {"upload": upload}), ("import_candidates", {"upload": upload})):
        lab.wait(lab.start(stage, **parameters))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    return lab


def judge_all_but_one(lab: Lab) -> None:
    person = lab.annotators[0]
    n_hits = person.get(f"/projects/{lab.slug}/progress")["project"]["hits"]
    for _ in range(n_hits - 1):
        person.judge_next(lab.slug)


def release(lab: Lab) -> dict[str, Any]:
    for stage in TO_A_RELEASE:
        lab.wait(lab.start(stage))
    return dict(lab.curator.get(f"/projects/{lab.slug}/releases")["results"][0])


def sign_in(page: Page, username: str, address: str) -> None:
    page.goto(address)
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def test_a_hit_judged_by_keyboard_changes_the_release(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    first = lab.curator.get(f"/projects/{lab.slug}/releases")["results"][0]
    page = browser_page
    username = lab.annotators[0].account()["username"]
    sign_in(page, username, f"/projects/{lab.slug}/annotate")

    captions = page.get_by_role("region", name="Captions").get_by_role("listitem")
    expect(captions).to_have_count(5)
    photograph = page.get_by_role("img").first
    expect(photograph).to_be_visible()
    screenshot(page, "annotate-by-keyboard")

    for n, key in enumerate(("1", "g", "1", "2", "g"), start=1):
        page.keyboard.press(key)
        expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", str(n))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("g")  # the fourth was a slip
    expect(page.get_by_text(re.compile("5 good, 0 bad, 0 unsure"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("No tasks right now|You are done"))).to_be_visible()

    second = release(lab)
    assert second["version"] == first["version"] + 1
    assert second["n_images"] == first["n_images"] + 1
    assert second["n_captions"] == first["n_captions"] + 5
    page.goto(f"/projects/{lab.slug}/releases")
    newest = page.get_by_role("grid", name="Releases").get_by_role("row").nth(1)
    expect(newest.get_by_role("gridcell").nth(1)).to_have_text("16 +1")
    screenshot(page, "releases")


@pytest.mark.nightly
def test_undo_takes_back_a_judgment_and_a_reload_keeps_the_rest(
    site: str, lab: Lab, open_page: Callable[..., Page]
) -> None:
    other = with_hits(site)
    page = open_page("phone", theme="dark")
    username = other.annotators[0].account()["username"]
    sign_in(page, username, f"/projects/{other.slug}/annotate")
    judged = page.get_by_role("progressbar", name="Captions judged")
    page.get_by_role("button", name="Bad").click()
    expect(judged).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("z")
    expect(judged).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("3")
    page.reload()
    expect(judged).to_have_attribute("aria-valuenow", "1")
