"""The difficulty page in the real browser: the bars, another rule by a button, examples, and honest words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from axe import SPILLS
from live_stack import LiveStack
from rated_captions import rated_project
from walker import Lab, let_in

Screenshot = Callable[[Page, str], Path]


@pytest.fixture
def rated(live_stack: LiveStack) -> Lab:
    return rated_project(live_stack, slug=f"rated-{uuid4().hex[:6]}")


def open_difficulty(page: Page, lab: Lab) -> Locator:
    """The page as its curator sees it, with the bars drawn."""
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/difficulty")
    bars = page.get_by_role("figure", name="Captions by difficulty")
    expect(bars.get_by_role("img")).to_be_visible()
    return bars


def rule(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("radio", name=name))


@pytest.mark.nightly
def test_a_curator_sees_the_pie_changes_the_rule_and_the_counts_change(
    rated: Lab, open_page: Callable[..., Page], screenshot: Screenshot
) -> None:
    page = open_page("desk")
    bars = open_difficulty(page, rated)
    summary = rated.curator.get(f"/projects/{rated.slug}/difficulty/summary")
    counts = {one["policy"]: one["counts"] for one in summary["policies"]}
    expect(bars).to_contain_text(f"{counts['unanimous']['hard']} ·")
    expect(page.get_by_role("alert").filter(has_text="learned from drawings")).to_be_visible()
    screenshot(page, "difficulty")
    wanted = rule(page, "Two yes are still hard, one no is still easy")
    expect(wanted).to_contain_text("0–2 | 3–5 | 6–7")
    apply = page.get_by_role("button", name="Use this rule")
    expect(apply).to_be_disabled()
    wanted.get_by_role("radio").check()
    apply.click()
    expect(wanted).to_contain_text("used now")
    expect(bars).to_contain_text(f"{counts['hard<=2,easy>=n-1']['hard']} ·")
    assert counts["hard<=2,easy>=n-1"]["hard"] != counts["unanimous"]["hard"]
    examples = page.get_by_role("region", name="Examples")
    expect(examples.get_by_role("listitem").first).to_contain_text("of 7 models say yes")
    expect(page.get_by_role("figure", name="Agreement between random panels")).to_contain_text("panels of 7 out of 9")
    page.get_by_text("Which models the papers used").click()
    expect(page.get_by_text("ViT-L-14-336/openai")).to_be_visible()


@pytest.mark.nightly
def test_the_page_fits_a_dark_desk_and_a_phone(
    rated: Lab, open_page: Callable[..., Page], screenshot: Screenshot
) -> None:
    for size, theme in (("desk", "dark"), ("phone", "light")):
        page = open_page(size, theme=theme)
        open_difficulty(page, rated)
        influence = page.get_by_role("figure", name="How much each model matters")
        expect(influence.get_by_role("img")).to_be_visible()
        screenshot(page, f"difficulty-{size}-{theme}")
        assert not page.evaluate(SPILLS)
