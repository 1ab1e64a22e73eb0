"""A project of queries from an empty site to its first answered task, in the browser alone, by the primary button."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import FilePayload, Page, expect

from axe import SPILLS, assert_accessible
from engine_labs import with_queries
from pipeline_page import expect_next, import_by_upload, photographs, primary, show_stage, sign_in
from walker import COMMITTED_PHOTOGRAPHS, PASSWORD, let_in

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]
STAGES = ["Import images", "Import queries", "Build tasks", "Annotate", "Consensus"]


def queries() -> FilePayload:
    """Two queries with three images and one, and a row whose image is not in the project."""
    keys = [row["image_id"] for row in json.loads(COMMITTED_PHOTOGRAPHS.read_text())[:4]]
    pairs = [("A quiet place to wait", key) for key in keys[:3]] + [("Something is about to happen", keys[3])]
    lines = [f"{text},conceptual,{key}" for text, key in [*pairs, ("Something is about to happen", "nowhere")]]
    table = "\n".join(["query,kind,image", *lines])
    return {"name": "queries.csv", "mimeType": "text/csv", "buffer": table.encode()}


def start_query_project(page: Page, name: str) -> None:
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill(name)
    dialog.get_by_role("button", name=re.compile("Captions of an image")).click()
    page.get_by_role("option", name=re.compile("Images of a query")).click()
    dialog.locator("button[type=submit]").click()
    page.wait_for_url("**/walk")


def test_a_query_project_goes_from_nothing_to_its_first_answered_task_in_the_browser(
    site: str, browser_page: Page, open_page: OpenPage, screenshot: Keep
) -> None:
    page = browser_page
    sign_in(page, "alice")
    start_query_project(page, f"Quiet places {uuid4().hex[:6]}")
    rows = page.get_by_role("list", name="Phases of the pipeline").get_by_role("button")
    expect(rows).to_have_text([re.compile(f"^{stage}") for stage in STAGES])

    expect_next(page, "Start: Import images")
    primary(page).click()
    import_by_upload(page, "Import images", photographs())
    expect_next(page, "Start: Import queries")
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="Import queries")
    expect(dialog).to_contain_text(re.compile("CSV or JSON file.*query, kind.*image"))
    screenshot(page, "query-project-import")
    import_by_upload(page, "Import queries", queries())
    expect_next(page, "Start: Build tasks")
    expect(show_stage(page, "Import queries").get_by_role("link", name="1 rejected row")).to_be_visible()
    page.keyboard.press("n")
    page.get_by_role("button", name="Start Build tasks").click()
    expect_next(page, "Invite annotators")
    expect(show_stage(page, "Annotate")).to_contain_text("0 of 6 assignments done.")
    screenshot(page, "query-project-built")
    pipeline = page.url

    page.keyboard.press("n")
    page.wait_for_url("**/people")
    link = invitation_of(page)
    newcomer = open_page()
    newcomer.goto(link)
    answer_first_task(newcomer)
    screenshot(newcomer, "query-project-answered")

    page.goto(pipeline)
    expect(page.get_by_text("1 of 6 assignments done.")).to_be_visible()
    expect_next(page, "Invite annotators")
    assert not page.evaluate(SPILLS)


def invitation_of(page: Page) -> str:
    """The link for one annotator, made on the page of the people."""
    page.get_by_role("button", name=re.compile("^Invite")).first.click()
    page.get_by_role("dialog").locator("button[type=submit]").click()
    link = page.get_by_role("dialog").get_by_text("/invitations/")
    expect(link).to_be_visible()
    return link.inner_text()


def answer_first_task(page: Page) -> None:
    page.get_by_label("User name").fill(f"reader-{uuid4().hex[:8]}")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Relevant", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    for _ in range(3):  # as many images as the longer query has
        page.keyboard.press("g")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_pipeline_and_the_dialogs_of_a_query_project_fit(
    site: str, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    lab, page = with_queries(site), open_page(size, theme=theme)
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/walk")
    expect_next(page, "Invite annotators")
    assert not page.evaluate(SPILLS)
    page.screenshot(path=screenshot(page, f"query-pipeline-{size}-{theme}"), full_page=True)
    for stage in ("import_queries", "make_controls", "consensus"):
        page.goto(f"/projects/{lab.slug}/walk?start={stage}")
        page.get_by_role("dialog").get_by_text("Advanced").click()
        assert_accessible(page)
        assert not page.evaluate(SPILLS)
        screenshot(page, f"query-{stage}-{size}-{theme}")
