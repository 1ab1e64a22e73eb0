"""A query judged on a phone by fingers alone: strokes go on and back, the keys are large enough for thumbs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine_labs import with_queries
from touching import touch

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.mark.nightly
def test_a_query_is_judged_by_touch(site: str, open_page: OpenPage, screenshot: Keep) -> None:
    lab, page = with_queries(site), open_page("phone", has_touch=True)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    opened = page.get_by_role("button", name="Image").and_(page.locator("[aria-current=step]"))
    expect(opened).to_have_accessible_name("Image 1 of 5")
    page.wait_for_load_state("networkidle")
    touch(page, [(300, 300)], [(80, 310)])
    expect(opened).to_have_accessible_name("Image 2 of 5")
    touch(page, [(80, 300)], [(300, 310)])
    expect(opened).to_have_accessible_name("Image 1 of 5")
    for name in ("Relevant", "Irrelevant", "Unsure"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    for _ in range(5):
        page.get_by_role("button", name="Irrelevant", exact=True).tap()
    screenshot(page, "day-query-by-touch")
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="Something is about to happen")).to_be_visible()
