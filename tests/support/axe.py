"""What is wrong with a page as it stands, for everybody who uses it, and whether it fits its window."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
COMPLAINTS = (Path(__file__).parent / "complaints.js").read_text()
SPILLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def complaints(page: Page, *, part: str = "all") -> list[str]:
    """What axe and a pair of eyes would find: `all`, or only `axe`, `colours` or what Tab stops at, `focus`."""
    if part == "focus":
        page.keyboard.press("Tab")  # from now on the browser shows where the focus is
    else:
        page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(COMPLAINTS, {"part": part})
    return found


def assert_accessible(page: Page) -> None:
    """axe finds nothing on the page."""
    found = complaints(page, part="axe")
    assert found == [], found


def assert_well(page: Page) -> None:
    """The same, and nothing is wider than the window."""
    assert_accessible(page)
    assert not page.evaluate(SPILLS)
