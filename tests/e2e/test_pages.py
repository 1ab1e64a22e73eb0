"""Every page, at a desk and on a phone, light and dark: it opens, fits its screen, and its picture is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, PASSWORD, Lab

PAGES = {
    "projects": "/",
    "gallery": "/projects/{slug}/images",
    "walk": "/projects/{slug}/walk",
    "image": "/projects/{slug}/images/{image}",
    "pool": "/projects/{slug}/images/{image}/captions",
    "cleaning": "/projects/{slug}/cleaning",
    "explore": "/projects/{slug}/explore",
    "run": "/projects/{slug}/walk/runs/{run}",
    "quality": "/projects/{slug}/quality",
    "qualify": "/projects/{slug}/qualify",
    "releases": "/projects/{slug}/releases",
    "release": "/projects/{slug}/releases/{release}",
    "people": "/projects/{slug}/people",
    "settings": "/projects/{slug}/settings",
    "profile": "/profile",
    "annotate": "/projects/{slug}/annotate",
    "api-docs": "/api/docs",
}
SPILLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def walked(live_stack: LiveStack) -> Lab:
    """A project walked to a release, with one annotator's share still open."""
    live_stack.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(live_stack.url, slug=f"pages-{uuid4().hex[:6]}", overlap=2)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    lab.wait(lab.start("import_images", upload=upload))
    lab.wait(lab.start("sample", k=5))
    lab.wait(lab.start("import_candidates", upload=upload, borrow=4))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    lab.judge_everything(but_for=1)
    lab.wait(lab.start("consensus", min_votes=1))
    for stage in ("select", "release"):
        lab.wait(lab.start(stage))
    return lab


def newest_ids(lab: Lab) -> dict[str, object]:
    """One image, run and release to look at."""
    lists = {"image": "images", "run": "runs", "release": "releases"}
    return {
        name: lab.curator.get(f"/projects/{lab.slug}/{address}")["results"][0]["id"] for name, address in lists.items()
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_every_page_opens_and_fits(
    walked: Lab, open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path], size: str, theme: str
) -> None:
    page = open_page(size, theme=theme)
    page.goto("/sign-in")
    expect(page.get_by_role("heading", name="Connote")).to_be_visible()
    screenshot(page, f"sign-in-{size}-{theme}")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Connote")).to_be_hidden()
    ids = {"slug": walked.slug, **newest_ids(walked)}
    for name, address in PAGES.items():
        page.goto(address.format(**ids))
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("main")).to_be_visible()
        expect(page.get_by_role("heading").first).to_be_attached()
        expect(page.get_by_text("There is no page here")).to_be_hidden()
        screenshot(page, f"{name}-{size}-{theme}")
        assert not page.evaluate(SPILLS), f"{name} is wider than a {size}"
