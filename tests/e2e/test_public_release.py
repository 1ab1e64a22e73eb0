"""A stranger's path: from the public page of a release to a loaded dataset with its difficulty, without an account."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from engine_labs import RATE, with_hits
from live_stack import LiveStack
from walker import Lab

pytestmark = pytest.mark.browser
LONGEST = 120  # seconds for the whole path, on a machine that does something else besides
OpenPage = Callable[..., Page]
Keep = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def released(live_stack: LiveStack, site: str) -> Lab:
    """Sixteen images with judged and rated captions, and a release of them."""
    lab = with_hits(site, slug="public")
    lab.judge_everything()
    lab.wait(lab.start("consensus", min_votes=1))
    lab.wait(lab.start("select", k=2, variant="least_alike"))
    live_stack.manage("shell", "-v", "0", "-c", RATE.format(slug=lab.slug))
    lab.wait(lab.start("release"))
    return lab


@pytest.fixture
def link(released: Lab) -> str:
    """The address of its public page."""
    release = released.curator.get(f"/projects/{released.slug}/releases")["results"][0]
    body = {"despite_work": True}
    return str(released.curator.post(f"/releases/{release['id']}/link", body)["url"])


def test_a_stranger_reads_the_page_downloads_everything_and_loads_it_with_its_code(
    link: str, open_page: OpenPage, screenshot: Keep, tmp_path: Path
) -> None:
    began = time.monotonic()
    page = open_page("desk")
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_contain_text("version 1.0.0")
    assert page.locator('meta[property="og:title"]').get_attribute("content") in page.title()
    figure = page.get_by_role("figure", name="Difficulty for the models")
    expect(figure.get_by_role("img")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download all files").first.click()
    with zipfile.ZipFile(io.BytesIO(saved.value.path().read_bytes())) as archive:
        name = next(name for name in archive.namelist() if name.endswith("captions.jsonl"))
        lines = archive.read(name).splitlines()
    for tab in ("datasets", "pandas"):
        page.get_by_role("tab", name=tab, exact=True).click()
        said = run(page.get_by_role("group", name="the code").first.inner_text(), tmp_path)
        assert said, tab
        if tab == "datasets":
            first = json.loads(lines[0])
            assert first["text"] in said
            assert first["difficulty"]["category"] in said
    assert_well(page)
    screenshot(page, "public-release")
    phone = open_page("phone", theme="dark", has_touch=True)
    phone.goto(link)
    expect(phone.get_by_role("figure", name="Difficulty for the models").get_by_role("img")).to_be_visible()
    assert_well(phone)
    screenshot(phone, "public-release-phone")
    assert time.monotonic() - began < LONGEST


def test_a_script_without_packages_loads_the_same(released: Lab, link: str) -> None:
    """It runs in this process, with the standard library alone."""
    began = time.monotonic()
    site, _, token = link.rpartition("/r/")
    with urllib.request.urlopen(f"{site}/api/v1/public/releases/{token}") as answer:
        release = json.load(answer)
    files = {file["name"]: file for file in release["files"]}
    with urllib.request.urlopen(site + files["captions.jsonl"]["url"]) as answer:
        captions = [json.loads(line) for line in answer]
    assert len(captions) == release["n_captions"]
    assert {caption["difficulty"]["category"] for caption in captions} >= {"easy", "hard"}
    with urllib.request.urlopen(f"{site}/api/v1/public/releases/{token}/entries?difficulty=hard&limit=500") as answer:
        hard = [one for entry in json.load(answer)["results"] for one in entry["captions"] if one["is_match"]]
    assert len(hard) == sum(caption["difficulty"]["category"] == "hard" for caption in captions)
    assert time.monotonic() - began < LONGEST


def run(code: str, folder: Path) -> str:
    """What the code prints, run as a stranger would: in a new process, with a cache of its own."""
    own = {"HF_HOME": str(folder / "hf"), "HOME": str(folder)}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "CONNOTE_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=inherited | own, timeout=100
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
