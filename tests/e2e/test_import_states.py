"""A curator in the real browser sees the result of an import: nothing was taken, a part of it, or all of it."""

from __future__ import annotations

import json
import time
from uuid import uuid4

from playwright.sync_api import Page, expect

from drawn import BY, draw
from walker import Lab, let_in

COLOUR = "badge => getComputedStyle(badge).color"


def test_an_import_is_red_yellow_or_green_by_what_it_took(browser_page: Page, site: str) -> None:
    lab, page = Lab(site, slug=f"states-{uuid4().hex[:6]}", overlap=1), browser_page
    let_in(page, "alice")
    colours = set()
    for files, word in (
        (["missing.png"], "Failed"),
        (["1.png", "missing.png"], "Succeeded in part"),
        (["1.png", "2.png"], "Succeeded"),
    ):
        page.goto(f"/projects/{lab.slug}/walk/runs/{imported(lab, files)}")
        badge = page.get_by_role("main").get_by_text(word, exact=True).first
        expect(badge).to_be_visible()
        colours.add(badge.evaluate(COLOUR))
        if word == "Failed":
            expect(page.get_by_role("alert")).to_contain_text("Nothing was imported, because every row was rejected.")
        rejected = page.get_by_role("grid", name="Rejected rows")
        if word != "Succeeded":
            expect(rejected).to_contain_text("The source has no file missing.png.")
        else:
            expect(rejected).to_have_count(0)
    assert len(colours) == 3


def imported(lab: Lab, names: list[str]) -> str:
    """An import of a table that names these files, two of which are there. Returns the run once it is over."""
    table = "\n".join(json.dumps({"file": name, "license": BY}) for name in names)
    files = [
        ("files", ("rows.jsonl", table)),
        *(("files", (f"{n}.png", draw(n))) for n in (1, 2) if f"{n}.png" in names),
    ]
    upload = lab.curator.post(f"/projects/{lab.slug}/uploads", files=files)["id"]
    run = lab.start("import_images", upload=upload)
    deadline = time.monotonic() + 120
    while run["status"] in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(0.1)
        run = lab.curator.get(f"/runs/{run['id']}")
    return str(run["id"])
