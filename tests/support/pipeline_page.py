"""The page Pipeline in a browser: its primary button, and what the dialogs behind it ask for."""

from __future__ import annotations

import re

from playwright.sync_api import FilePayload, Locator, Page, expect

from walker import COMMITTED_PHOTOGRAPHS, PASSWORD, zip_of

NAMED = re.compile(r"^(Start|Run again|Try again): |^Invite annotators|^Open the releases")


def photographs() -> FilePayload:
    return {"name": "photographs.zip", "mimeType": "application/zip", "buffer": zip_of(COMMITTED_PHOTOGRAPHS).read()}


def sign_in(page: Page, username: str) -> None:
    page.goto("/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Connote: your projects").click()  # who has one project lands in it
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()


def primary(page: Page) -> Locator:
    """The one button or link of the pipeline that says what comes next."""
    return page.get_by_role("main").locator("header").locator("button, a").filter(has_text=NAMED)


def expect_next(page: Page, words: str) -> None:
    expect(primary(page)).to_contain_text(words)
    expect(primary(page)).to_have_count(1)


def import_by_upload(page: Page, stage: str, file: FilePayload) -> None:
    dialog = page.get_by_role("dialog", name=stage)
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.get_by_role("button", name="Upload and import").click()
    expect(dialog).to_be_hidden()


def show_stage(page: Page, stage: str) -> Locator:
    """Open the details of a stage, first its phase's optional stages where it is among them."""
    row = page.get_by_role("button", name=re.compile(f"^{re.escape(stage)} ?, "))
    phases = page.get_by_role("list", name="Phases of the pipeline")
    expect(phases).to_be_visible()
    for fold in phases.locator("summary").all():
        if row.count() == 0:
            fold.click()
    row.click()
    return page.get_by_role("region", name=stage, exact=True)
