"""A curator in the real browser: corpora shard by shard, suspects decided by keys, and what web titles would cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from corpora import caption, picture, tar_corpus
from drawn import write_tar
from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, Lab, let_in

SEEN = "() => [...document.images].filter(i => i.src.includes('/suspects/')).every(i => i.naturalWidth > 0)"


@pytest.fixture(scope="module")
def lab(live_stack: LiveStack, site: str, tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A project with two corpora: one holds its own photographs, so that they are suspects; the other is torn."""
    folder = tmp_path_factory.mktemp("corpora")
    lab = Lab(site, slug=f"corpora-{uuid4().hex[:6]}", overlap=1)
    lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    for corpus in (own_photographs(folder / "own"), tar_corpus(folder / "torn")):
        live_stack.manage("register_corpus", str(corpus), "--project", lab.slug, "--licence", "various")
    torn = folder / "torn" / "00001.tar"
    torn.write_bytes(torn.read_bytes()[:-600] + b"?" * 600)
    lab.wait(lab.start("embed_corpus", corpus="own"))
    with pytest.raises(AssertionError, match="shards_refused"):
        lab.wait(lab.start("embed_corpus", corpus="torn"))
    lab.wait(lab.start("retrieve", corpora="own", mode="knn", low=0))
    return lab


def own_photographs(folder: Path) -> Path:
    """A tar of the project's own photographs and of some other pictures."""
    folder.mkdir(parents=True)
    members: dict[str, bytes] = {}
    photographs = sorted((COMMITTED_PHOTOGRAPHS.parent / "images").iterdir())
    drawn = [picture(n, size=(320, 240)) for n in range(20)]
    for n, data in enumerate([*(path.read_bytes() for path in photographs), *drawn]):
        members |= {f"{n:09d}.jpg": data, f"{n:09d}.txt": caption(n).encode()}
    write_tar(folder / "00000.tar", members)
    return folder


def open_page_of(page: Page, lab: Lab, address: str) -> Page:
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}/{address}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


@pytest.mark.nightly
def test_from_the_corpora_to_the_suspects_which_are_decided_by_keys(browser_page: Page, lab: Lab) -> None:
    page = open_page_of(browser_page, lab, "corpora")
    own = page.get_by_role("region", name="own", exact=True)
    expect(own.get_by_text("1 of 1 shard done.")).to_be_visible()
    torn = page.get_by_role("region", name="torn", exact=True)
    expect(torn.get_by_role("grid", name="Rejected shards")).to_contain_text("00001.tar")
    page.keyboard.press("l")
    page.wait_for_url("**/leakage")
    first = page.get_by_role("main").get_by_role("listitem").first
    expect(first).to_contain_text("To decide (excluded for now)")
    expect(first.get_by_role("list", name="Why this may be a copy")).to_be_visible()
    page.wait_for_function(SEEN)
    page.keyboard.press("x")
    expect(first).to_contain_text("by alice")
    expect(page.get_by_role("link", name="Excluded")).to_contain_text("1")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()  # once the server has said yes
    page.keyboard.press("z")
    expect(first).to_contain_text("To decide (excluded for now)")
    expect(page.get_by_text("The decision is undone.")).to_be_visible()
    first.get_by_role("button", name="Allow").click()
    expect(first).to_contain_text("by alice")
    page.get_by_role("link", name="Allowed").click()
    expect(page.get_by_role("list", name="Possible copies").get_by_text("by alice")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert '"allowed","alice"' in Path(download.value.path()).read_text()


@pytest.mark.nightly
def test_a_corpus_is_embedded_from_its_page_and_web_titles_say_what_they_cost(browser_page: Page, lab: Lab) -> None:
    page = open_page_of(browser_page, lab, "corpora")
    page.get_by_role("link", name="Prepare again torn").click()
    dialog = page.get_by_role("dialog", name="Prepare corpora")
    expect(dialog.get_by_label("Corpus", exact=True)).to_have_value("torn")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.goto(f"/projects/{lab.slug}/walk?start=web_titles")
    cost = page.get_by_role("dialog", name="Web titles").get_by_role("region", name="Expected cost")
    expect(cost).to_contain_text("units")
    expect(cost).to_contain_text("CONNOTE_GOOGLE_VISION_KEY")


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_axe_finds_nothing_and_nothing_spills(
    open_page: Callable[..., Page], screenshot: Callable[[Page, str], Path], lab: Lab, size: str, theme: str
) -> None:
    page = open_page_of(open_page(size, theme=theme), lab, "corpora")
    expect(page.get_by_role("grid", name="Rejected shards")).to_be_visible()
    assert_well(page)
    screenshot(page, f"corpora-{size}-{theme}")
    page.goto(f"/projects/{lab.slug}/leakage?decision=all")
    expect(page.get_by_role("main").get_by_role("listitem").first).to_be_visible()
    assert_well(page)
    screenshot(page, f"leakage-{size}-{theme}")
    page.goto(f"/projects/{lab.slug}/walk?start=web_titles")
    expect(page.get_by_text("CONNOTE_GOOGLE_VISION_KEY")).to_be_visible()
    assert_well(page)
    screenshot(page, f"web-titles-{size}-{theme}")
