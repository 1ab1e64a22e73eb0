"""Worked examples in the real browser: a curator writes them, annotators find them beside the work."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from engine_labs import GUIDELINES, TERMS, change, with_hits
from walker import Lab

OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """Photographs with HITs and guidelines, two examples among them."""
    lab = with_hits(site, slug="examples")
    change(lab, guidelines=GUIDELINES)
    first, second = lab.curator.rows(f"/projects/{lab.slug}/images")[:2]
    project = lab.curator.get(f"/projects/{lab.slug}")
    examples = [
        {
            "image": first["id"], "label": "good", "text": "What one brings along when nobody is waiting.",
            "explanation": "It says more than is to be seen, and the photograph bears it out.",
        },
        {
            "image": second["id"], "label": "good", "text": "Three boats under a red sky.",
            "edited_text": "Two boats under a grey sky.", "explanation": "Number and colour are wrong; the rest fits.",
        },
    ]  # fmt: skip
    lab.curator.put(f"/projects/{lab.slug}/guidelines/examples", {"version": project["version"], "examples": examples})
    return lab


@pytest.mark.nightly
def test_a_curator_writes_an_example_and_it_is_saved(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    page = open_page()
    lab.curator.let_in(page)
    page.goto(f"/projects/{lab.slug}/settings")
    page.get_by_role("button", name="Add an example").click()
    dialog = page.get_by_role("dialog", name="Add an example")
    dialog.get_by_role("radio", name=re.compile("^Image")).nth(2).check(force=True)
    dialog.get_by_label("Caption", exact=True).fill("Somebody was here a moment ago.")
    dialog.get_by_label("Unsure").check()
    dialog.get_by_label("Explanation, in one sentence").fill("One cannot see whether it is so.")
    assert_well(page)
    dialog.get_by_text("Image", exact=True).scroll_into_view_if_needed()
    screenshot(page, "example-dialog")
    dialog.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="Save the examples").click()
    expect(page.get_by_text("The examples are saved.")).to_be_visible()
    page.get_by_role("heading", name="Examples").scroll_into_view_if_needed()
    screenshot(page, "examples-settings")
    assert len(lab.curator.get(f"/projects/{lab.slug}/guidelines/examples")["examples"]) == 3


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("size", "theme"), [("desk", "light"), ("desk", "dark"), ("phone", "light"), ("phone", "dark")]
)
def test_the_examples_stand_in_the_guidelines_beside_the_work(
    lab: Lab, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    page = open_page(size, theme=theme)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("region", name="Captions")).to_be_visible()
    screenshot(page, f"annotate-tools-{size}-{theme}")
    page.keyboard.press("i")
    drawer = page.get_by_role("dialog" if size == "phone" else "complementary", name="Guidelines")
    expect(drawer.get_by_role("img", name="Image of example 2")).to_be_visible()
    expect(drawer.get_by_text("Number and colour are wrong; the rest fits.")).to_be_visible()
    assert_well(page)
    screenshot(page, f"examples-{size}-{theme}")


@pytest.mark.nightly
def test_a_newcomer_reads_them_before_the_quiz(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    lab.curator.put(f"/projects/{lab.slug}/qualification", TERMS | {"n_questions": 0})
    page = open_page("phone")
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/qualify")
    expect(page.get_by_role("img", name="Image of example 1")).to_be_visible()
    assert_well(page)
    screenshot(page, "examples-before-the-quiz")
    page.get_by_role("button", name="I have read the guidelines").click()
    expect(page.get_by_role("heading", name="You can start")).to_be_visible()
