"""Exports and webhooks in the real browser: a worker makes the file, and a message can only go to a public address."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from engine_labs import with_hits
from live_stack import LiveStack
from walker import CREATE_CURATOR, Lab, let_in

pytestmark = pytest.mark.nightly
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def lab(live_stack: LiveStack) -> Lab:
    live_stack.manage("shell", "-c", CREATE_CURATOR)
    made = with_hits(live_stack.url, slug=f"handed-{uuid4().hex[:6]}")
    made.judge_everything()
    return made


def test_a_curator_exports_the_answers_and_opens_the_file(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page = browser_page
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/exports")
    expect(page.get_by_text("No exports yet")).to_be_visible()
    page.get_by_role("button", name="New export").click()
    dialog = page.get_by_role("dialog", name="New export")
    dialog.get_by_role("button", name="Start the export").click()
    expect(dialog).to_be_hidden()
    line = page.get_by_role("main").get_by_role("listitem").filter(has_text="Answers, CSV")
    expect(line.get_by_text("Ready", exact=True)).to_be_visible()
    with page.expect_download() as download:
        line.get_by_role("link", name=".csv").click()
    rows = list(csv.DictReader(download.value.path().read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(lab.curator.rows(f"/projects/{lab.slug}/judgments")) > 0
    assert {row["label"] for row in rows} <= {"good", "bad", "unsure"}
    screenshot(page, "exports")
    line.get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No exports yet")).to_be_visible()


def test_a_webhook_has_a_public_address_that_exists(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page = browser_page
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/webhooks")
    page.get_by_role("button", name="Create a webhook").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Nightly training")
    dialog.get_by_text("A release was made").click()
    for address, refused in (("192.168.0.1", "only to public addresses"), ("receiver.invalid", "finds no host")):
        dialog.get_by_label("Address").fill(f"https://{address}/connote")
        dialog.get_by_role("button", name="Create a webhook").click()
        expect(dialog.get_by_text(refused)).to_be_visible()
    screenshot(page, "webhooks")
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_text("No webhooks yet")).to_be_visible()
