"""A project from an empty site to a release, by the primary button of the pipeline alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from axe import SPILLS
from pipeline_page import expect_next, import_by_upload, photographs, primary, sign_in
from walker import Lab

Keep = Callable[[Page, str], Path]


def start(page: Page, stage: str, verb: str | None = None) -> None:
    """Press the primary button, which must propose this stage, and start the stage as its dialog proposes it."""
    expect_next(page, f"Start: {stage}")
    primary(page).click()
    dialog = page.get_by_role("dialog", name=stage)
    dialog.get_by_role("button", name=re.compile(verb or f"^Start {stage}")).click()
    expect(dialog).to_be_hidden()


@pytest.mark.nightly  # a stage loads its models; the project of queries has a short journey by the same button
def test_a_curator_comes_from_nothing_to_a_release_by_the_primary_button_alone(
    tiny_panel: dict[str, str], site: str, browser_page: Page, screenshot: Keep
) -> None:
    page = browser_page
    sign_in(page, "alice")
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill(f"Harbours {uuid4().hex[:6]}")
    page.get_by_role("dialog").locator("button[type=submit]").click()
    page.wait_for_url("**/walk")
    pipeline = page.url

    for stage in ("Import images", "Import captions"):
        expect_next(page, f"Start: {stage}")
        primary(page).click()
        import_by_upload(page, stage, photographs())
    start(page, "Clean captions")
    start(page, "Suggest edits")
    expect_next(page, "Start: Build tasks")
    primary(page).click()
    checklist = page.get_by_role("region", name="Before the tasks are built")
    expect(checklist.get_by_role("listitem")).to_have_count(5)
    expect(checklist).to_contain_text("There are no guidelines yet.")
    expect(checklist).to_contain_text("16 new tasks, 48 assignments.")
    screenshot(page, "pipeline-before-tasks")
    page.get_by_role("dialog").get_by_role("button", name="Start Build tasks").click()
    expect_next(page, "Invite annotators")
    screenshot(page, "pipeline-judging")
    primary(page).click()
    page.wait_for_url("**/people")

    lab = Lab.of_project(site, slug=pipeline.split("/")[-2], n_annotators=3)
    assert lab.judge_everything() == 3 * 80
    page.goto(pipeline)
    for stage in ("Consensus", "Select captions", "Rate difficulty"):
        start(page, stage)
    start(page, "Release", "^(Start Release|Release anyway)")
    expect_next(page, "Open the releases")
    assert not page.evaluate(SPILLS)
    screenshot(page, "pipeline-done")
    primary(page).click()
    expect(page.get_by_role("link", name=re.compile("1.0.0|Version 1")).first).to_be_visible()
    ended = {run["stage"]: run["status"] for run in lab.curator.rows(f"/projects/{lab.slug}/runs")}
    assert set(ended.values()) == {"succeeded"}, ended
