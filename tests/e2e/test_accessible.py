"""Every page of the router for everybody: axe finds nothing, nothing spills or is cut, one can see where the focus is.

At a desk, at twice the size (a desk of 1440 x 900 zoomed to 200 % has 720 x 450 pixels of its own) and on a phone by
touch; light, dark, with more contrast and with forced colours. Pictures of all pages are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import complaints
from every_page import World, build_world, settle
from live_stack import LiveStack
from routes import routes
from walker import Person

ZOOMED = {"width": 720, "height": 450}
DESK = {"width": 1440, "height": 900}
QUALITY = "/projects/$slug/quality?tab="
# What stands behind a question mark is a page of its own for whoever looks at it.
MORE = [
    *(QUALITY + tab for tab in ("annotators", "policy", "controls", "forecast")),
    "/projects/$slug/leakage?decision=all",
    "/projects/$slug/walk?start=web_titles",
    "/nowhere",
]
# Where, who, and what opens it: a key, or the name of a button.
GUIDELINES = "i"
DIALOGS = [
    ("/projects/$slug/annotate", "visitor", ("?", "Control+k", GUIDELINES, "s", "l", "c")),
    ("/", "curator", ("n", "alice: account")),
    ("/projects/$slug/walk?stage=import_images", "curator", ("Run again: Import images",)),
    ("/projects/$slug/quality?tab=controls", "curator", ("a", "Import")),
    ("/projects/$slug/corpora", "curator", ("r",)),
    ("/projects/$slug/images/$imageId/captions", "curator", ("a",)),
    ("/projects/$slug/people", "curator", ("Invite someone",)),
]
STILL = "() => document.getAnimations().every(a => a.playState !== 'running')"
OVER = "[role=dialog], [role=alertdialog], [role=menu], [data-in-place]"
HOLDS_FOCUS = f"document.activeElement.closest('{OVER}') !== null"
OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def world(live_stack: LiveStack, tmp_path_factory: pytest.TempPathFactory) -> World:
    return build_world(live_stack, tmp_path_factory.mktemp("corpora"))


def addresses_for(who: str) -> list[str]:
    """The addresses this person opens: strangers those before the gate, the others all behind it."""
    own = [route.address for route in routes() if route.needs_session == (who != "stranger")]
    return own + MORE if who == "curator" else own


def person(world: World, who: str) -> Person | None:
    return {"curator": world.lab.curator, "visitor": world.visitor}.get(who)


def let_in(page: Page, world: World, who: str) -> Page:
    """The page, opened the site as this person; nothing moves on it, so that no colour is half way to another."""
    someone = person(world, who)
    if someone:
        someone.let_in(page)
    page.emulate_media(reduced_motion="reduce")
    return page


def name_of(address: str, who: str) -> str:
    """What the picture of a page is called."""
    words = re.sub(r"\W+", "-", address.replace("/projects/$slug", "").replace("$", "")).strip("-") or "home"
    return f"{words}-{who}"


def shot(page: Page, address: str, who: str, keep: Keep, theme: str) -> None:
    size = "phone" if (page.viewport_size or {})["width"] < 500 else "desk"
    keep(page, f"{name_of(address, who)}-{size}-{theme}")


def is_denied(page: Page) -> bool:
    """Whether it is the one page that says, wherever one is not let in, that it is for others."""
    return page.get_by_role("heading", name="This page is not for your role").is_visible()


def looks(page: Page) -> Iterator[str]:
    """Dress the page for those who ask for something else, one after the other."""
    page.emulate_media(color_scheme="dark")
    yield "dark"
    page.emulate_media(color_scheme="light", contrast="more")
    yield "contrast"
    page.emulate_media(contrast="no-preference", forced_colors="active")
    yield "forced"
    page.emulate_media(forced_colors="none")


@pytest.mark.nightly
@pytest.mark.parametrize("who", ["stranger", "visitor", "curator"])
def test_every_page_is_for_everybody_at_a_desk(world: World, open_page: OpenPage, screenshot: Keep, who: str) -> None:
    page = let_in(open_page("desk"), world, who)
    found: dict[str, list[str]] = {}
    for address in addresses_for(who):
        page.goto(world.fill(address))
        settle(page)
        shot(page, address, who, screenshot, "light")
        found[address] = complaints(page)
        if is_denied(page):
            continue
        for look in looks(page):
            page.wait_for_function(STILL)  # a colour may still change
            found[f"{address} {look}"] = complaints(page, part="colours")
            shot(page, address, who, screenshot, look)
        page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
        found[f"{address} at 200 %"] = complaints(page) + complaints(page, part="focus")
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
    found = {where: what for where, what in found.items() if what}
    assert not found, listed(found)


@pytest.mark.nightly
@pytest.mark.parametrize("who", ["stranger", "visitor", "curator"])
def test_every_page_is_for_everybody_on_a_phone(world: World, open_page: OpenPage, screenshot: Keep, who: str) -> None:
    page = let_in(open_page("phone", has_touch=True), world, who)
    found: dict[str, list[str]] = {}
    n_denied = 0
    for address in addresses_for(who):
        page.goto(world.fill(address))
        settle(page)
        n_denied += is_denied(page)
        if is_denied(page) and n_denied > 1:
            continue  # it is the same page each time
        shot(page, address, who, screenshot, "light")
        found[address] = complaints(page) + complaints(page, part="focus")
        page.emulate_media(color_scheme="dark")
        found[f"{address} dark"] = complaints(page, part="axe")
        shot(page, address, who, screenshot, "dark")
        page.emulate_media(color_scheme="light")
    found = {where: what for where, what in found.items() if what}
    assert not found, listed(found)


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_what_opens_over_a_page_is_for_everybody_too(world: World, open_page: OpenPage, size: str) -> None:
    pages = {who: let_in(open_page(size, has_touch=size == "phone"), world, who) for who in ("visitor", "curator")}
    found: dict[str, list[str]] = {}
    for address, who, openers in DIALOGS:
        page = pages[who]
        page.goto(world.fill(address))
        settle(page)
        for opener in openers:
            if opener == GUIDELINES and size == "desk":
                continue  # a wide window shows the guidelines beside the work
            found[f"{address} {opener}"] = over_the_page(page, opener)
    found = {where: what for where, what in found.items() if what}
    assert not found, listed(found)


def over_the_page(page: Page, opener: str) -> list[str]:
    """Complaints of what a key or a button opens; a button has the focus again once Escape has closed it."""
    over = page.locator(OVER).first
    button = page.get_by_role("button", name=opener, exact=True)
    by_button = len(opener) > 1 and "+" not in opener
    if by_button:
        button.focus()
    page.keyboard.press("Enter" if by_button else opener)
    expect(over).to_be_visible()
    page.wait_for_function(STILL)
    said = complaints(page)
    if not page.evaluate(HOLDS_FOCUS):
        said.append("the focus is not in what was opened")
    page.keyboard.press("Escape")
    expect(over).to_be_hidden()
    if by_button:
        expect(button).to_be_focused()
    return said


def listed(found: dict[str, list[str]]) -> str:
    """The complaints, a line each."""
    return "\n".join(f"{where}: {each}" for where, what in found.items() for each in what)
