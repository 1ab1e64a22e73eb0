"""The workbench on a page that is read from right to left, with captions in Arabic, Hebrew and English on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from axe import complaints
from engine_labs import with_queries
from every_page import settle
from walker import COMMITTED_PHOTOGRAPHS, Lab

ARABIC, HEBREW = "رجل عجوز يمشي وحده تحت الجسور", "הים שומר את סודותיו לעצמו"
DIRECTION = "element => getComputedStyle(element).direction"
OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def lab(site: str, tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """Each photograph has a caption in Arabic and one in Hebrew among its five."""
    lab = Lab(site, slug="right-to-left", overlap=4)
    upload = lab.upload(with_other_scripts(tmp_path_factory.mktemp("photographs")))
    for stage in ("import_images", "import_candidates"):
        lab.wait(lab.start(stage, upload=upload))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    return lab


def with_other_scripts(folder: Path) -> Path:
    """A copy of the description of the photographs, two captions of each in Arabic and Hebrew."""
    (folder / "images").symlink_to(COMMITTED_PHOTOGRAPHS.parent / "images")
    photographs = json.loads(COMMITTED_PHOTOGRAPHS.read_text())
    for number, photograph in enumerate(photographs):
        for caption, words in zip(photograph["captions"], (ARABIC, HEBREW), strict=False):
            caption["text"] = f"{words} {number}"
    described = folder / "photos.json"
    described.write_text(json.dumps(photographs, ensure_ascii=False))
    return described


def turn_round(page: Page) -> None:
    """From now on pages come as those of a language that is read from right to left."""

    def turn(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("<html ", '<html dir="rtl" ', 1))

    page.route(lambda url: url.endswith("/annotate"), turn)


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_captions_are_judged_from_right_to_left(
    lab: Lab, open_page: OpenPage, screenshot: Keep, size: str, theme: str
) -> None:
    page = open_page(size, theme=theme, has_touch=size == "phone")
    turn_round(page)
    lab.annotators[["desk", "phone"].index(size) + 2 * (theme == "dark")].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.locator("[data-open]")).to_be_visible()
    settle(page)
    assert complaints(page) == []
    for _ in range(5):
        caption = page.locator("[data-open] p").first
        isolated = "ltr" if (caption.text_content() or "").isascii() else "rtl"
        assert caption.evaluate(DIRECTION) == isolated
        if isolated == "rtl":
            screenshot(page, f"rtl-captions-{size}-{theme}")
        page.keyboard.press("b")
    if size == "desk":
        photograph, captions = page.locator("figure").bounding_box(), page.get_by_role("region").bounding_box()
        assert photograph and captions
        assert photograph["x"] > captions["x"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Caption")
    field.fill(HEBREW)
    assert field.evaluate(DIRECTION) == "rtl"
    assert complaints(page) == []
    screenshot(page, f"rtl-edit-{size}-{theme}")


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_arrows_and_the_line_above_run_from_right_to_left(
    site: str, open_page: OpenPage, screenshot: Keep, size: str
) -> None:
    lab, page = with_queries(site), open_page(size)
    turn_round(page)
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    opened = page.get_by_role("button", name="Image").and_(page.locator("[aria-current=step]"))
    expect(opened).to_have_accessible_name("Image 1 of 5")
    settle(page)
    page.keyboard.press("ArrowLeft")
    expect(opened).to_have_accessible_name("Image 2 of 5")
    page.keyboard.press("ArrowRight")
    expect(opened).to_have_accessible_name("Image 1 of 5")
    first, second = (page.get_by_role("button", name=f"Image {n} of 5").bounding_box() for n in (1, 2))
    assert first and second
    assert first["x"] > second["x"]
    page.keyboard.press("g")
    origin = page.locator("[role=progressbar] > *").evaluate("bar => getComputedStyle(bar).transformOrigin")
    assert not origin.startswith("0px")
    assert complaints(page) == []
    screenshot(page, f"rtl-query-{size}")
