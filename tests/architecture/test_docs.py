"""The documents for people: their links lead somewhere, and the page on the architecture stays one page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.compose import ROOT

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
NOT_A_LETTER = re.compile(r"[^\w\- ]")
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / name / "README.md" for name in ("frontend", "clients/python")),
    ],
    key=lambda page: str(page.relative_to(ROOT)),
)


def _prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """The fragments that GitHub gives to the headings of a page."""
    return {NOT_A_LETTER.sub("", title.lower()).replace(" ", "-") for title in HEADING.findall(_prose(page))}


def _is_there(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _links(page: Path) -> list[str]:
    return [link for link in LINK.findall(_prose(page)) if "://" not in link]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_document_leads_to_a_file_and_a_heading_that_exist(page: Path) -> None:
    assert [link for link in _links(page) if not _is_there(page, link)] == []


def test_the_readme_links_to_documents_and_pictures() -> None:
    assert {"docs/annotate.webp", "docs/pipeline.webp", "docs/api.md", "ARCHITECTURE.md"} <= set(
        _links(ROOT / "README.md")
    )


def test_the_index_of_the_documents_names_each_of_them_once() -> None:
    index = ROOT / "docs" / "README.md"
    others = sorted(page.name for page in (ROOT / "docs").glob("*.md") if page != index)
    assert sorted(_links(index)) == others


def test_the_page_on_the_architecture_keeps_to_one_hundred_lines_of_120_columns() -> None:
    lines = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 100
    assert [line for line in lines if len(line) > 120] == []
