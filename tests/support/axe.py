"""A page as it stands is for everybody, and fits its window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
ANNOUNCER = "[data-live-announcer]"  # what is read out for a moment names buttons that are gone by then
# A bar that stays at the foot covers only what one can scroll away from it: it takes its place in the page meanwhile.
VIOLATIONS = """async (leftOut) => {
    const bars = [...document.querySelectorAll("body *")].filter(each => {
        const {position, bottom} = getComputedStyle(each)
        return position === "sticky" && bottom === "0px"
    })
    for (const bar of bars) bar.style.position = "static"
    const {violations} = await axe.run({exclude: leftOut.map(each => [each])})
    for (const bar of bars) bar.style.position = ""
    return violations.map(v => `${v.id}: ${v.nodes.map(n => n.html).join(" ")}`)
}"""
SPILLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def assert_accessible(page: Page, *, but: Sequence[str] = ()) -> None:
    """axe finds nothing on the page, or nothing outside of what these selectors leave out."""
    page.evaluate(AXE.read_text())
    found = page.evaluate(VIOLATIONS, list(but))
    assert found == [], found


def assert_well(page: Page, *, but: Sequence[str] = ()) -> None:
    """The same, and nothing is wider than the window."""
    assert_accessible(page, but=but)
    assert not page.evaluate(SPILLS)
