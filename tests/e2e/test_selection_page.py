"""The selection in the real browser: a method is chosen, a caption pinned, and the next run keeps it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from agreed_captions import agreed_project
from live_stack import LiveStack
from pipeline_page import show_stage
from walker import Lab, let_in


@pytest.fixture
def lab(live_stack: LiveStack) -> Lab:
    return agreed_project(live_stack, slug=f"selected-{uuid4().hex[:6]}")


def start_select(page: Page, lab: Lab) -> None:
    """Open the stage in the pipeline, choose a method and a number, and wait for the run."""
    page.goto(f"/projects/{lab.slug}/walk")
    show_stage(page, "Select captions").get_by_role("button", name=re.compile("Select captions")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(re.compile("Captions to choose")).fill("2")
    dialog.get_by_role("button", name=re.compile("Method")).click()
    page.get_by_role("option", name="Least similar captions").click()
    dialog.get_by_role("button", name="Start Select captions").click()
    expect(dialog).to_be_hidden()
    lab.wait(lab.curator.rows(f"/projects/{lab.slug}/runs")[0])


@pytest.mark.nightly
def test_a_curator_chooses_the_method_pins_a_caption_and_the_next_run_keeps_it(
    lab: Lab, browser_page: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    page = browser_page
    let_in(page, "alice")
    start_select(page, lab)
    page.goto(f"/projects/{lab.slug}/selection?status=selected")
    expect(page.get_by_role("heading", name="Selection", level=1)).to_be_visible()
    page.get_by_text("How they were selected").click()
    expect(page.get_by_text("Least similar captions", exact=True)).to_be_visible()
    [row, *_] = lab.curator.get(f"/projects/{lab.slug}/selection/images?status=selected")["results"]
    chosen = {caption["candidate"] for caption in row["captions"]}
    votes = lab.curator.rows(f"/projects/{lab.slug}/images/{row['image']['id']}/votes")
    left = next(vote for vote in votes if vote["candidate"] not in chosen)
    page.goto(f"/projects/{lab.slug}/images/{row['image']['id']}")
    page.get_by_role("button", name=f"Pin “{left['text']}”").click()
    dialog = page.get_by_role("dialog", name="Pin this caption")
    dialog.get_by_label("Reason").fill("It names the mood.")
    dialog.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text("Pinned", exact=True).first).to_be_visible()
    page.goto(f"/projects/{lab.slug}/selection")
    expect(page.get_by_text("1 image has new pins or bans.")).to_be_visible()
    lab.wait(lab.start("select", k=2, variant="least_alike"))
    page.reload()
    kept = page.get_by_role("main").get_by_role("listitem").filter(has_text=left["text"]).last
    expect(kept.get_by_text("Pinned", exact=True)).to_be_visible()
    expect(page.get_by_text("1 image has new pins or bans.")).to_be_hidden()
    screenshot(page, "selection")
