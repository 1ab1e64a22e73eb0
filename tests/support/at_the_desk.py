"""Somebody at the annotate page in the browser: sits down, judges by keys, and what the server has of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from walker import Lab, Person


def open_desk(page: Page, lab: Lab, person: Person) -> None:
    """The annotate page with a HIT of five captions on it and the next one in hand."""
    person.let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("region", name="Captions").get_by_role("listitem")).to_have_count(5)
    page.wait_for_load_state("networkidle")


def judge(page: Page, keys: str) -> None:
    """Type the labels of the first captions, none of them judged before."""
    page.keyboard.type(keys)
    judged = page.get_by_role("progressbar", name="Captions judged")
    expect(judged).to_have_attribute("aria-valuenow", str(len(keys)))


def submitted(person: Person, lab: Lab) -> tuple[int, int]:
    """HITs and judgments the server has of this person."""
    mine = person.get(f"/projects/{lab.slug}/progress")["mine"]
    return mine["submitted_total"], mine["judgments_total"]
