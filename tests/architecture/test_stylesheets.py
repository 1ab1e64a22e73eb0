"""Stylesheets name no side of the screen, as the site may read from right to left; and no finger leaves a hover."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "frontend" / "src"
PHYSICAL = re.compile(
    r"^\s*((?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:left|right)[\w-]*|left|right"
    r"|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear):\s*(?:left|right)\b)",
    re.MULTILINE,
)
SIDED = re.compile(r"^\s*(?:margin|padding|inset|border-(?:width|color|style)):\s*([^;{}]+);", re.MULTILINE)


HOVERS = re.compile(r"@media[^{]*\(hover: hover\)[^{]*\{")


def physical_lines(css: str) -> list[str]:
    """The declarations that name a side of the screen, or give the two sides of a line different sizes."""
    declared = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    named = [found[1].strip() for found in PHYSICAL.finditer(declared)]
    return named + [found[0].strip() for found in SIDED.finditer(declared) if _differs(found[1])]


def _differs(sizes: str) -> bool:
    """Whether four sizes, which run clockwise from the top, differ between right and left."""
    parts = re.findall(r"(?:[^\s(]*\((?:[^()]|\([^()]*\))*\)|[^\s()]+)", sizes)
    return len(parts) == 4 and parts[1] != parts[3]


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.css")), ids=lambda path: path.name)
def test_a_stylesheet_names_no_side_of_the_screen(path: Path) -> None:
    assert physical_lines(path.read_text()) == []


def test_what_names_a_side_is_found() -> None:
    assert physical_lines("a {\n  margin-left: 1px;\n  right: 0;\n  text-align: left;\n}") == [
        "margin-left",
        "right",
        "text-align: left",
    ]
    assert physical_lines("a {\n  padding: 0 var(--a) 0 calc(1px + 2px);\n}") == [
        "padding: 0 var(--a) 0 calc(1px + 2px);"
    ]
    assert physical_lines("a {\n  padding: 1px var(--a) 2px var(--a);\n  inset-inline: 0 1px;\n}") == []


def unguarded_hovers(css: str) -> list[str]:
    """The lines with `:hover` outside `@media (hover: hover)`: after a tap they stay on a screen that is touched."""
    declared = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    while guard := HOVERS.search(declared):
        declared = declared[: guard.start()] + declared[_end_of_block(declared, guard.end()) :]
    return [line.strip() for line in declared.splitlines() if ":hover" in line]


def _end_of_block(css: str, start: int) -> int:
    """Where the block that is open at `start` has been closed."""
    depth, place = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(css[place], 0)
        place += 1
    return place


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.css")), ids=lambda path: path.name)
def test_a_hover_style_is_for_a_pointer_that_hovers(path: Path) -> None:
    assert unguarded_hovers(path.read_text()) == []
