"""Suggested edits where captions come later: the curator reads why there are none; test questions get theirs alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine_labs import with_hits
from pipeline_page import show_stage
from walker import Lab, let_in

Keep = Callable[[Page, str], Path]
PATIENCE = 60_000  # milliseconds that a stage may take
WITHHELD = "Annotators see no suggestions for 1 image, because captions were added later."


def wait_for_suggestions(lab: Lab, *, runs: int) -> None:
    """Waits until n runs of Suggest edits have succeeded."""
    deadline = time.monotonic() + PATIENCE / 1000
    address = f"/projects/{lab.slug}/runs"
    ended: list[str] = []
    while len(ended) < runs:
        assert time.monotonic() < deadline, f"{runs} runs of Suggest edits were expected: {ended}"
        time.sleep(0.3)
        found = [run for run in lab.curator.rows(address) if run["stage"] == "suggest_edits"]
        assert not [run["error"] for run in found if run["status"] == "failed"]
        ended = [run["id"] for run in found if run["status"] == "succeeded"]


@pytest.mark.nightly
def test_suggestions_are_withheld_in_words_and_come_back_by_the_primary_button_or_alone(
    site: str, browser_page: Page, screenshot: Keep
) -> None:
    lab, page = with_hits(site, slug="suggestions"), browser_page
    lab.wait(lab.start("suggest_edits"))
    images = lab.curator.rows(f"/projects/{lab.slug}/images")
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/walk")
    suggest = show_stage(page, "Suggest edits")
    expect(suggest).to_be_visible()
    expect(page.get_by_text("Annotators see no suggestions")).to_have_count(0)

    text = {"text": "Two green elephants in a red room"}
    lab.curator.post(f"/projects/{lab.slug}/images/{images[0]['id']}/candidates", text)
    page.reload()
    expect(suggest).to_contain_text(WITHHELD)
    screenshot(page, "suggestions-withheld")
    suggest.get_by_role("button", name="Run again: Suggest edits").click()
    page.get_by_role("dialog").get_by_role("button", name="Start Suggest edits").click()
    wait_for_suggestions(lab, runs=2)
    expect(page.get_by_text("Annotators see no suggestions")).to_have_count(0)

    control = {"image": images[1]["id"], "text": "Three blue elephants in Paris", "accepted": ["bad"]}
    lab.curator.post(f"/projects/{lab.slug}/controls", control)
    wait_for_suggestions(lab, runs=3)
    counters = lab.curator.get(f"/projects/{lab.slug}/walk")["counters"]
    assert counters["without_suggestions"] == 0
    assert suggestions_on_every_page(lab)


def suggestions_on_every_page(lab: Lab) -> bool:
    """Whether an annotator is offered an edit somewhere, while the page of the test question offers them too."""
    (person,) = lab.annotators
    offered = []
    while assignment := person.post(f"/projects/{lab.slug}/assignments/next")["assignment"]:
        items = person.get(f"/assignments/{assignment['id']}/suggestions")["items"]
        offered.append(any(item["suggestions"] for item in items))
        person.submit(assignment, [{"position": item["position"], "label": "bad"} for item in items])
    return sum(offered) > len(offered) // 2
