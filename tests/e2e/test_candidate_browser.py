"""A curator in the real browser goes through a pool of 3,000, decides by keys, and undoes what a rule did."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from axe import assert_accessible
from live_stack import LiveStack
from scrolling import scroll
from walker import COMMITTED_PHOTOGRAPHS, Lab, let_in

LARGE = 3_000
LONGEST_TASK_MS = 200  # of processor time, as for the gallery
# A few screens of captions with their facts, and the page around them.
MOST_NODES = 1500
ROWS = """
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image

image = Image.objects.filter(project__slug={slug!r}).order_by("id")[{place}]
for_all = {{"project_id": image.project_id, "image": image, "source": {source!r}}}

def row(n, text):
    key = candidate_key(digest=image.digest, source={source!r}, raw_text=text)
    return Candidate(key=key, raw_text=text, rank=n, similarity=0.8 - n / 100000, **for_all, **{more!r})

Candidate.objects.filter(image=image).delete()
Candidate.objects.bulk_create([row(n, text) for n, text in enumerate({texts})])
"""
MANY = f"[f'Number {{n}} of many captions about a red sky' for n in range({LARGE})]"
HOSTILE = "A sign: 3 < 5 & 7 > 2 \u202e and left open"
FEW = ["Boats wait for the tide", "Boats wait for the tide!", "Sea  ", HOSTILE]


@pytest.fixture(scope="module")
def lab(live_stack: LiveStack, site: str) -> Lab:
    """A project with one pool of 3,000 kept captions and one of a few that were cleaned."""
    lab = Lab(site, slug=f"pools-{uuid4().hex[:6]}", overlap=1)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    for stage in ("import_images", "import_candidates"):
        lab.wait(lab.start(stage, upload=upload))
    fill = {"slug": lab.slug, "source": "corpus"}
    live_stack.manage("shell", "-c", ROWS.format(**fill, place=1, texts=FEW, more={}))
    lab.wait(lab.start("clean"))
    # Numbers alone make no captions of their own: cleaning would drop them as near-duplicates.
    live_stack.manage(
        "shell", "-c", ROWS.format(**fill, place=0, texts=MANY, more={"status": "kept", "text": "A red sky"})
    )
    return lab


def image_ids(lab: Lab) -> list[int]:
    return [image["id"] for image in lab.curator.get(f"/projects/{lab.slug}/images")["results"]]


def open_as_curator(page: Page, address: str) -> Page:
    let_in(page, "alice")
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


@pytest.mark.nightly
def test_a_pool_of_3_000_scrolls_smoothly_and_holds_a_few_screens(
    browser_page: Page, lab: Lab, screenshot: Callable[[Page, str], Path]
) -> None:
    first = image_ids(lab)[0]
    page = open_as_curator(browser_page, f"/projects/{lab.slug}/images/{first}/captions?sort=similarity")
    expect(page.get_by_role("main").get_by_role("listitem").first).to_contain_text("similarity 0.800")
    seen = scroll(page, turns=80)
    page.wait_for_function("() => +[...document.querySelectorAll('[data-index]')].at(-1).dataset.index > 100")
    screenshot(page, "pool-scrolled")
    assert seen.n_nodes < MOST_NODES
    assert seen.longest_task_ms < LONGEST_TASK_MS


@pytest.mark.nightly
def test_by_keys_alone_captions_are_found_restored_dropped_added_and_taken_back(browser_page: Page, lab: Lab) -> None:
    first, second = image_ids(lab)[:2]
    page = open_as_curator(browser_page, f"/projects/{lab.slug}/images/{first}")
    expect(page.get_by_role("button", name="All captions")).to_be_visible()
    page.keyboard.press("c")
    page.wait_for_url(f"**/images/{first}/captions")
    expect(page.get_by_text("captions:")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/images/{second}/captions")
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="Too short")
    expect(row).to_have_count(1)
    expect(page.get_by_text("3 < 5 & 7 > 2")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("Sea")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main").get_by_role("listitem").first).to_contain_text("Too short")
    page.keyboard.press("j")
    page.keyboard.press("r")
    kept = page.get_by_role("main").get_by_role("listitem").first
    expect(kept).to_contain_text("Kept by alice")
    page.keyboard.press("x")
    page.get_by_label("Why").fill("says too little")
    page.keyboard.press("Enter")
    expect(kept).to_contain_text("says too little")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()  # once the server has said yes
    page.keyboard.press("z")
    expect(kept).to_contain_text("Kept by alice")
    page.keyboard.press("a")
    page.get_by_label("Caption", exact=True).fill("Sea, and nothing else until noon")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Sea, and nothing else until noon")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_axe_finds_nothing_in_the_pool_or_the_funnel(
    open_page: Callable[..., Page], lab: Lab, size: str, theme: str
) -> None:
    second = image_ids(lab)[1]
    page = open_as_curator(open_page(size, theme=theme), f"/projects/{lab.slug}/images/{second}/captions")
    expect(page.get_by_text("Boats wait for the tide").first).to_be_visible()
    assert_accessible(page)
    page.goto(f"/projects/{lab.slug}/cleaning?rule=duplicate")
    expect(page.get_by_role("region", name="Examples: Duplicate").get_by_role("button", name="Restore")).to_be_visible()
    assert_accessible(page)


@pytest.mark.nightly
def test_in_the_funnel_a_caption_is_undone_and_the_numbers_follow(browser_page: Page, lab: Lab) -> None:
    page = open_as_curator(browser_page, f"/projects/{lab.slug}/cleaning")
    rule = page.get_by_role("link", name=re.compile(r"^Duplicate \d"))
    expect(rule).to_contain_text("1 removed")
    rule.click()
    example = page.get_by_role("region", name="Examples: Duplicate").get_by_role("listitem")
    expect(example.get_by_role("link", name="Boats wait for the tide")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(example).to_contain_text("Kept by alice")
    expect(page.get_by_role("link", name="Kept by hand")).to_be_visible()
    expect(page.get_by_role("link", name="1 removed").filter(has_text="Duplicate")).to_have_count(0)
