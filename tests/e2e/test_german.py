"""The site in German: chosen on the profile, spoken by every page from then on, and its longer words spill nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from axe import SPILLS
from engine_labs import with_queries
from walker import COMMITTED_PHOTOGRAPHS, Lab, let_in

DESK = {
    "gallery": ("images", "Galerie"),
    "walk": ("walk", "Pipeline"),
    "cleaning": ("cleaning", "Bereinigung"),
    "quality": ("quality", "Qualität"),
    "people": ("people", "Menschen"),
    "settings": ("settings", "Einstellungen"),
}
LINE = 30  # pixels: more than one line of small text, less than two
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def lab(site: str) -> Iterator[Lab]:
    """A project with HITs of which one is judged; its curator, that of other tests too, reads German meanwhile."""
    lab = Lab(site, slug=f"german-{uuid4().hex[:6]}", overlap=1)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    for stage, parameters in (("import_images", {"upload": upload}), ("import_candidates", {"upload": upload})):
        lab.wait(lab.start(stage, **parameters))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    yield lab
    lab.curator.patch("/me", {"preferences": {"language": "system"}})


def speak_german(page: Page) -> None:
    """What a person does: the profile, the choice, and the page comes back in German."""
    page.goto("/profile?tab=look")
    page.get_by_role("button", name=re.compile("Language of the site|Sprache der Seite")).click()
    page.get_by_role("option", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Dein Profil")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_annotate_page_its_keys_and_its_errors_are_german_and_fit(
    lab: Lab, open_page: Callable[..., Page], screenshot: Keep, size: str
) -> None:
    page = open_page(size, has_touch=size == "phone")
    lab.annotators[0].let_in(page)
    speak_german(page)
    screenshot(page, f"german-profile-{size}")
    assert not page.evaluate(SPILLS)

    page.goto(f"/projects/{lab.slug}/annotate")
    for label in ("Gut", "Schlecht", "Unsicher"):
        expect(page.get_by_role("button", name=label, exact=True)).to_be_visible()
    expect(page.get_by_role("progressbar", name="Beurteilte Bildtexte")).to_be_attached()
    screenshot(page, f"german-annotate-{size}")
    assert not page.evaluate(SPILLS)

    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Tastenkürzel")).to_be_visible()
    expect(page.get_by_text("Den Bildtext als gut beurteilen")).to_be_visible()
    screenshot(page, f"german-keys-{size}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Tastenkürzel")).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("heading", name="Befehl finden")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Den Bildtext als unsicher beurteilen")).to_be_visible()
    screenshot(page, f"german-palette-{size}")
    page.keyboard.press("Escape")

    page.route("**/api/v1/projects/**", lambda route: route.abort())
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(
        page.get_by_role("note").filter(has_text="Du bist offline. Diese Aufgabe ist auf diesem Gerät gespeichert.")
    ).to_be_visible()
    page.goto(f"/projects/{lab.slug}/past-work")
    expect(page.get_by_role("heading", name="Du bist offline")).to_be_visible()
    expect(page.get_by_role("button", name="Noch einmal versuchen")).to_be_visible()
    screenshot(page, f"german-error-{size}")
    assert not page.evaluate(SPILLS)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [390, 360])
def test_what_stands_above_a_caption_fits_a_phone_when_time_runs_short(
    lab: Lab, open_page: Callable[..., Page], screenshot: Keep, width: int
) -> None:
    page = open_page("phone", has_touch=True)
    page.set_viewport_size({"width": width, "height": 780})
    lab.annotators[0].let_in(page)
    speak_german(page)
    page.route("**/assignments/**", lambda route: run_short(route, minutes=4))
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_text("noch 4 min").last).to_be_visible()
    screenshot(page, f"german-short-{width}")
    assert not page.evaluate(SPILLS)
    counter = page.get_by_text(re.compile(r"^1 von \d+$")).bounding_box()
    assert counter and counter["height"] < LINE
    assert page.locator("kbd").filter(visible=True).count() == 0, "keys are printed where there is no keyboard"
    page.unroute_all(behavior="wait")


@pytest.mark.nightly
def test_a_query_on_a_phone_fits_in_german(site: str, open_page: Callable[..., Page], screenshot: Keep) -> None:
    lab, page = with_queries(site), open_page("phone", has_touch=True)
    lab.annotators[0].let_in(page)
    speak_german(page)
    page.route("**/assignments/**", lambda route: run_short(route, minutes=4))
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_text("noch 4 min").last).to_be_visible()
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 780})
        screenshot(page, f"german-query-{width}")
        assert not page.evaluate(SPILLS)
    page.unroute_all(behavior="wait")


def run_short(route: Route, *, minutes: int) -> None:
    """Answers as the server does, but for the time that is left."""
    answer = route.fetch()
    said = answer.json() if answer.ok and answer.body() else None
    if said and said.get("assignment"):
        said["assignment"]["expires_at"] = (datetime.now(UTC) + timedelta(minutes=minutes)).isoformat()
        route.fulfill(response=answer, json=said)
    else:
        route.fulfill(response=answer)


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_pages_of_a_curator_are_german_and_fit(
    lab: Lab, open_page: Callable[..., Page], screenshot: Keep, size: str
) -> None:
    page = open_page(size, has_touch=size == "phone")
    let_in(page, "alice")
    speak_german(page)
    for name, (address, heading) in DESK.items():
        page.goto(f"/projects/{lab.slug}/{address}")
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("heading", name=heading).or_(page.get_by_role("tab").first).first).to_be_attached()
        expect(page.get_by_role("main")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        screenshot(page, f"german-{name}-{size}")
        assert not page.evaluate(SPILLS), f"{name} is wider than a {size}"


@pytest.mark.nightly
def test_the_walk_says_its_stages_and_what_they_take_in_german(lab: Lab, browser_page: Page, screenshot: Keep) -> None:
    page, stages = browser_page, lab.curator.get(f"/projects/{lab.slug}/walk")["stages"]
    let_in(page, "alice")
    speak_german(page)
    page.goto(f"/projects/{lab.slug}/walk")
    expect(page.get_by_role("button", name=re.compile("^Bilder importieren"))).to_be_visible()
    for fold in page.get_by_role("main").locator("summary").all():
        fold.click()
    screenshot(page, "german-stages")
    shown = page.get_by_role("main").inner_text()
    said = [stage[field] for stage in stages for field in ("label", "explanation", "why_not") if stage[field]]
    assert [each for each in said if each in shown and each != "Release"] == []


@pytest.mark.nightly
def test_what_the_settings_refuse_is_said_in_german(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    let_in(page, "alice")
    speak_german(page)
    page.goto(f"/projects/{lab.slug}/settings")
    page.get_by_text("Mehr Antworten holen, wenn das Ergebnis unklar ist").click()
    page.get_by_label("Antworten pro Bildtext, höchstens").fill("1")
    page.get_by_role("button", name="Speichern", exact=True).click()
    expect(page.get_by_text("Setze die meisten Antworten pro Bildtext höher")).to_be_visible()
