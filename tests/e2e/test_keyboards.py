"""The whole loop on keyboards that are printed otherwise, and no key of the page while somebody writes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from at_the_desk import open_desk
from engine_labs import with_hits
from layouts import CONTROL, Keyboard, azerty, dvorak
from walker import Lab

EDITABLE = """() => {
  const field = document.createElement('div')
  field.contentEditable = 'true'
  document.body.append(field)
  field.focus()
}"""


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    return with_hits(site, slug="keyboards", overlap=3)


def judged(page: Page, n: int) -> None:
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", str(n))


@pytest.mark.nightly
@pytest.mark.parametrize(("layout", "annotator"), [(azerty, 0), (dvorak, 1)])
def test_a_hit_is_judged_by_what_is_printed_on_the_keys(
    lab: Lab, browser_page: Page, layout: Callable[[Page], Keyboard], annotator: int
) -> None:
    page, keys = browser_page, layout(browser_page)
    open_desk(page, lab, lab.annotators[annotator])
    keys.type("gbu")
    judged(page, 3)
    keys.type("zzz")
    judged(page, 0)
    keys.type("123")
    judged(page, 3)
    labels = page.get_by_role("region", name="Captions").get_by_role("listitem").get_by_role("button")
    for label in ("Good: ", "Bad: ", "Unsure: "):
        expect(labels.filter(has_text=label)).to_have_count(1)
    keys.press("e")
    field = page.get_by_role("textbox", name="Caption")
    expect(field).to_be_focused()
    keys.type("zugb")
    expect(field).to_have_value(re.compile("zugb$"))
    keys.press("Escape")
    judged(page, 3)
    keys.press("k", modifiers=CONTROL)
    expect(page.get_by_role("dialog", name="Find a command")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    keys.type("gg")
    keys.press("Enter")
    expect(page.get_by_text("1 submitted today")).to_be_visible()


@pytest.mark.nightly
def test_no_key_of_the_page_answers_to_somebody_who_writes(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    open_desk(page, lab, lab.annotators[2])
    page.evaluate(EDITABLE)
    page.keyboard.type("gbu123")
    expect(page.locator("[contenteditable]")).to_have_text("gbu123")
    judged(page, 0)
    page.locator("[contenteditable]").evaluate("field => field.remove()")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Caption")
    expect(field).to_be_focused()
    client = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    composing = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}
    client.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **composing})
    client.send("Input.insertText", {"text": "日本"})
    expect(field).to_be_visible()
    expect(field).to_have_value(re.compile("日本$"))
    page.keyboard.press("Escape")
    judged(page, 0)
    page.keyboard.type("gb")
    judged(page, 2)
