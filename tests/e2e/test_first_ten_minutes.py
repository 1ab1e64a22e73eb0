"""The first ten minutes of a stranger with `make demo`: look as curator, then judge as annotator to the end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from axe import assert_well
from browser_fixtures import PATIENCE as BROWSER_PATIENCE
from browser_fixtures import SIZES
from demo_site import PATIENCE, DemoSite, demo_site

PROJECT = "/projects/postcards"
ADDRESSES = "links => links.map(link => link.getAttribute('href'))"


@pytest.fixture(scope="module")
def demo(artefacts: Path) -> Iterator[DemoSite]:
    with demo_site(artefacts / "first-ten-minutes", is_migrated=True) as site:
        yield site


@pytest.fixture
def page(chromium: Browser, demo: DemoSite, artefacts: Path) -> Iterator[Page]:
    """A stranger's browser. A script error fails the test."""
    context = chromium.new_context(base_url=demo.url, viewport=SIZES["desk"])
    context.set_default_timeout(BROWSER_PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    (artefacts / "last").mkdir(parents=True, exist_ok=True)
    page.screenshot(path=artefacts / "last" / "first-ten-minutes.png")
    context.close()
    assert not errors, f"The page's scripts failed: {errors}"


def test_a_stranger_sees_the_pipeline_move_and_judges_to_the_end(demo: DemoSite, page: Page) -> None:
    page.goto("/")
    curator = page.get_by_role("button", name="Look around as curator")
    expect(curator).to_be_visible()
    assert_well(page)
    curator.click()
    page.wait_for_url(re.compile(f"{PROJECT}/overview"))
    page.goto(f"{PROJECT}/walk")
    watch_the_pipeline(page)

    wait_for_tasks(demo)
    sign_out(page)
    page.get_by_role("button", name="Look around as annotator").click()
    page.wait_for_url(re.compile(f"{PROJECT}/annotate"))
    read_the_guidelines(page)
    assert judge_with_a_suggested_edit(page), "No caption of the first task has a suggested edit."
    judge_to_the_end(page)
    assert demo.person("annotator").post(f"{PROJECT}/assignments/next")["assignment"] is None


def watch_the_pipeline(page: Page) -> None:
    """Without a reload: more stages have a run after a while than before."""
    runs = page.get_by_role("region", name="Activity").locator("a[href*='/walk/runs/']")
    expect(page.get_by_role("list", name="Phases of the pipeline")).to_be_visible()
    before = len(set(runs.evaluate_all(ADDRESSES)))
    wait_until(lambda: len(set(runs.evaluate_all(ADDRESSES))) > before, "The pipeline did not move.", page)


def wait_for_tasks(demo: DemoSite) -> None:
    curator = demo.person("curator")
    wait_until(lambda: curator.get(f"{PROJECT}/progress")["project"]["hits"] > 0, "No task was built.")


def wait_until(is_so: Callable[[], bool], otherwise: str, page: Page | None = None) -> None:
    """Raises AssertionError with the sentence when it never is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, otherwise
        page.wait_for_timeout(50) if page else time.sleep(0.5)


def sign_out(page: Page) -> None:
    page.get_by_role("button", name=re.compile(": account$")).click()
    page.get_by_role("menuitem", name="Sign out").click()


def read_the_guidelines(page: Page) -> None:
    expect(page.get_by_role("region", name="Captions")).to_be_visible()
    page.keyboard.press("i")
    guidelines = page.get_by_label("Guidelines")
    expect(guidelines.get_by_text("Look at the image first.").first).to_be_visible()
    expect(guidelines.get_by_role("img")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(guidelines.get_by_text("Look at the image first.")).to_have_count(0)


def progress(page: Page) -> tuple[int, int] | None:
    """Captions judged and all captions of the task; None where the page shows no task. It reads both at one moment."""
    read = "bars => bars.map(bar => [+bar.getAttribute('aria-valuenow'), +bar.getAttribute('aria-valuemax')])"
    found = page.get_by_role("progressbar", name="Captions judged").evaluate_all(read)
    return (found[0][0], found[0][1]) if found else None


def is_full(page: Page) -> bool:
    now = progress(page)
    return now is not None and now[0] == now[1]


def judge_with_a_suggested_edit(page: Page) -> bool:
    """One task by keyboard: take the first suggestion there is, judge the rest good, and submit."""
    is_edited = False
    while not is_full(page):
        before = progress(page)
        is_edited = is_edited or take_a_suggestion(page)
        if progress(page) == before:
            page.keyboard.press("g")
        wait_until(lambda before=before: progress(page) != before, "The answer does not count.", page)
    submit(page)
    return is_edited


def take_a_suggestion(page: Page) -> bool:
    """E, a digit, and another one where several words are offered; then keep the edit. False where none is offered.

    Where no words are offered for a place, the first digit marks it in the field, and the second is written there."""
    page.keyboard.press("e")
    field = page.get_by_role("textbox")
    expect(field).to_be_visible()
    offered = page.locator("form [role=group] button[aria-keyshortcuts]")

    def shown() -> tuple[str, list[str], bool]:
        is_in_field = field.evaluate("field => field === document.activeElement")
        return field.input_value(), offered.all_inner_texts(), is_in_field

    before = field.input_value()
    for _ in range(2):
        if offered.count() and field.input_value() == before:
            seen = shown()
            page.keyboard.press("1")
            wait_until(lambda seen=seen: shown() != seen, "The key offers nothing.", page)
    is_changed = field.input_value() != before
    page.keyboard.press("Enter" if is_changed else "Escape")
    expect(field).to_have_count(0)
    return is_changed


def judge_to_the_end(page: Page) -> None:
    """Every task that is left, until the page says that there is none."""
    over = page.get_by_role("main").get_by_role("button", name=re.compile("again$"))
    while True:
        wait_until(lambda: over.is_visible() or progress(page) is not None, "The tasks do not end.", page)
        if over.is_visible():
            return
        while not is_full(page):
            page.keyboard.press("b")
            page.wait_for_timeout(50)
        submit(page)


def submit(page: Page) -> None:
    """Enter, and wait until another task or the end is there."""
    page.keyboard.press("Enter")
    wait_until(lambda: not is_full(page), "The task stays.", page)
