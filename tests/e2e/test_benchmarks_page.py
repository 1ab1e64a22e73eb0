"""Benchmarks in the browser: measure and import models, sort the table, look at a model and at two, take files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from engine_labs import RATE, with_hits
from live_stack import LiveStack
from walker import CREATE_CURATOR, Lab, let_in

LONG_NAME = "ViT-bigG-14-CLIPA-336/datacomp1b_s13b_b160k_finetuned_on_every_second_postcard"
pytestmark = pytest.mark.nightly
OpenPage = Callable[..., Page]
Keep = Callable[..., Path]


@pytest.fixture(scope="module")
def released(live_stack: LiveStack) -> Lab:
    """Sixteen images with judged and rated captions, and a release of them."""
    live_stack.manage("shell", "-c", CREATE_CURATOR)
    lab = with_hits(live_stack.url, slug=f"measured-{uuid4().hex[:6]}")
    lab.judge_everything()
    lab.wait(lab.start("consensus", min_votes=1))
    lab.wait(lab.start("select", k=2, variant="least_alike"))
    live_stack.manage("shell", "-v", "0", "-c", RATE.format(slug=lab.slug))
    lab.wait(lab.start("release"))
    return lab


@pytest.fixture(scope="module")
def elsewhere(live_stack: LiveStack, released: Lab, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a worse model that the command measured."""
    out = tmp_path_factory.mktemp("result")
    asked = ("--data", f"{released.slug}:1.0.0", "--model", "mock", "--set", "strength=0.05", "--out", str(out))
    live_stack.manage("evaluate", "retrieval", *asked)
    body = json.loads((out / "result.json").read_text())
    body["model"]["name"] = LONG_NAME
    (out / "result.json").write_text(json.dumps(body))
    return out


def test_a_lab_measures_models_and_takes_the_table_and_the_ranks_with_it(
    released: Lab, elsewhere: Path, browser_page: Page, open_page: OpenPage, screenshot: Keep
) -> None:
    page, address = browser_page, f"/projects/{released.slug}/benchmarks"
    let_in(page, "alice")
    page.goto(address)
    expect(page.get_by_text("No model measured yet")).to_be_visible()
    for task in ("Retrieval", "Relevance"):
        measure(page, "mock", task)
        choose(page, "Task", task)
        expect(page.get_by_role("row").filter(has_text="mock")).to_be_visible()
    choose(page, "Task", "Retrieval")
    expect(page).to_have_url(re.compile("task=retrieval"))

    page.get_by_role("button", name="Import results").click()
    dialog = page.get_by_role("dialog", name="Import results")
    dialog.locator("input[type=file]").set_input_files(
        [elsewhere / name for name in ("result.json", "per_query.parquet")]
    )
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog).to_be_hidden()
    rows = page.get_by_role("grid", name="Benchmarks").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("mock")
    expect(rows.nth(2)).to_contain_text("Imported")
    page.get_by_role("columnheader", name="hit@1", exact=True).click()
    expect(rows.nth(1)).to_contain_text("ViT-bigG-14")
    page.get_by_role("columnheader", name="Model").click()
    expect(rows.nth(1)).to_contain_text("mock")

    choose(page, "Compare with", "mock")
    expect(page.get_by_text(re.compile("a real difference from mock"))).to_be_visible()
    expect(rows.nth(2).get_by_text("worse").first).to_be_attached()
    whole = rows.nth(2).inner_text()
    choose(page, "Category", "Difficulty: hard")
    expect(page).to_have_url(re.compile("category=difficulty"))
    expect(rows.nth(2)).not_to_have_text(whole)
    table = list(csv.DictReader(downloaded(page, "CSV").splitlines()))
    assert {row["model"] for row in table} == {"mock", LONG_NAME}
    worse = next(row for row in table if row["model"] == LONG_NAME)
    assert float(worse["image_to_text.rsum.difference"]) < 0 and worse["image_to_text.rsum.is_real"] == "True"
    latex = downloaded(page, "LaTeX")
    assert "\\begin{tabular}" in latex and "difficulty=hard" in latex
    assert_well(page)
    screenshot(page, "benchmarks", whole=True)

    page.get_by_role("link", name=LONG_NAME).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(LONG_NAME)
    strip = page.get_by_role("figure", name="The rank of every right item, Image to text")
    strip.get_by_text("Show as a table").click()
    groups = [row.inner_text().split("\t") for row in strip.get_by_role("row").all()[1:]]
    ranks = [row for row in csv.DictReader(downloaded(page, "ranks.csv").splitlines()) if row["direction"][0] == "i"]
    assert {group[0] for group in groups} == {"All", "easy", "hard"}
    for name, within in (("All", ""), ("hard", "difficulty=hard")):
        n_of = sum(int(group[2]) for group in groups if group[0] == name)
        assert n_of == sum(within in row["categories"] for row in ranks) > 0
    strip.get_by_text("Show as a table").click()
    queries = page.get_by_role("list", name="What the model found")
    expect(queries.get_by_role("img").first).to_be_visible()
    assert_well(page)
    screenshot(page, "benchmarks-model", whole=True)
    model = page.url

    page.get_by_role("link", name="Compare two models").click()
    both = page.get_by_role("list", name="Two models, the same queries")
    expect(both.get_by_role("group", name="mock").first).to_be_visible()
    differences = page.get_by_role("region", name="Differences of the figures")
    expect(differences.get_by_role("heading", level=3)).to_have_count(3)
    expect(differences.get_by_role("row").filter(has_text="rsum").filter(has_text="mock")).to_have_count(3)
    assert_well(page)
    screenshot(page, "benchmarks-two", whole=True)
    pair = page.url
    for size, theme in (("phone", "light"), ("phone", "dark"), ("desk", "dark")):
        other = open_page(size, theme=theme)
        let_in(other, "alice")
        for name, where in (("benchmarks", address), ("benchmarks-model", model), ("benchmarks-two", pair)):
            other.goto(where)
            name_of_model = other.get_by_text(re.compile("mock|ViT-bigG")).locator("visible=true")
            expect(name_of_model.first).to_be_visible()
            other.wait_for_load_state("networkidle")
            assert_well(other)
            screenshot(other, f"{name}-{size}-{theme}", whole=True)


def measure(page: Page, models: str, task: str) -> None:
    """Measure models from the page."""
    page.get_by_role("button", name="Measure models").click()
    dialog = page.get_by_role("dialog", name="Measure models")
    dialog.get_by_label("Models").fill(models)
    dialog.get_by_role("button", name=re.compile("Task")).click()
    page.get_by_role("option", name=task).click()
    dialog.get_by_role("button", name="Measure models").click()
    expect(dialog).to_be_hidden()


def choose(page: Page, label: str, choice: str) -> None:
    """Choose in one of the lists above the table."""
    page.get_by_role("main").get_by_role("button", name=re.compile(label)).first.click()
    page.get_by_role("option", name=choice).first.click()


def downloaded(page: Page, name: str) -> str:
    """The text of a file behind a link of the page."""
    with page.expect_download() as saved:
        page.get_by_role("link", name=name, exact=True).click()
    return saved.value.path().read_text(encoding="utf-8")
