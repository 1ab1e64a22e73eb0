"""The daily questions of a head annotator, each answered in two clicks, with the figures of the API."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from axe import ANNOUNCER, assert_well
from engine_labs import judged_with_controls
from nightly import nightly
from walker import Lab, let_in

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """Two annotators say the same; the third says good to everything and fails all twelve test questions."""
    return judged_with_controls(site)


def figures(lab: Lab, address: str) -> Any:
    return lab.curator.get(f"/projects/{lab.slug}/{address}")


def written(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def at_home(lab: Lab, page: Page) -> Page:
    let_in(page, "alice")
    page.goto(f"/projects/{lab.slug}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


@pytest.mark.parametrize("size", ["desk", nightly("phone")])
def test_one_click_says_how_far_annotators_agree_and_whether_it_rises(
    lab: Lab, open_page: OpenPage, screenshot: Keep, size: str
) -> None:
    page = at_home(lab, open_page(size, has_touch=size == "phone"))
    if size == "phone":
        page.goto(f"/projects/{lab.slug}/quality")
    else:
        page.get_by_role("link", name="Quality", exact=True).click()
    told = figures(lab, "agreement/headline")
    whole = page.get_by_role("figure", name="Agreement of all annotators")
    expect(whole).to_contain_text(
        f"{written(told['value'])} moderate 95% interval {written(told['low'])} to {written(told['high'])}"
        if 0.4 <= told["value"] < 0.667
        else written(told["value"])
    )
    expect(whole).to_contain_text(f"n = {told['n_items']} pairs, {told['n_judgments']} answers")
    by_day = page.get_by_role("figure", name="Agreement by day")
    assert len(told["trend"]) == 1
    expect(by_day).to_contain_text("The trend needs two days with an interval.")
    expect(by_day.get_by_role("img")).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, f"quality-agreement-{size}")


def test_two_clicks_show_what_two_annotators_disagree_on(lab: Lab, open_page: OpenPage, screenshot: Keep) -> None:
    careful, _, careless = (person.account() for person in lab.annotators)
    page = at_home(lab, open_page())
    page.get_by_role("link", name="Quality", exact=True).click()
    cell = page.get_by_label(re.compile(f"^{careful['username']} and {careless['username']}: "))
    told = figures(lab, f"agreement/pairs/{careful['id']}/{careless['id']}")
    expect(cell).to_have_attribute(
        "aria-label", re.compile(f"{written(told['kappa'])}, .* of {told['n_items']} pairs$")
    )
    cell.click()

    expect(page.get_by_role("heading", level=1)).to_have_text(f"{careful['username']} and {careless['username']}")
    n_bad = told["confusion"][1][0]  # the careful one said bad, the careless one good
    assert n_bad > 0
    assert told["confusion"][0][1] == 0
    page.get_by_role("button", name=f"{careful['username']} Bad, {careless['username']} Good: {n_bad}").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text(f"{n_bad} pairs")
    narrowed = figures(lab, f"agreement/pairs/{careful['id']}/{careless['id']}?first_label=bad&second_label=good")
    texts = [each["text"] for each in narrowed["items"]["results"]]
    rows = page.get_by_role("main").get_by_role("listitem")
    expect(rows).to_have_count(len(texts))
    expect(rows.first).to_contain_text(texts[0])
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, "quality-pair")
    page.go_back()
    expect(page.get_by_role("figure", name="Agreement of all annotators")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", nightly("dark")])
def test_two_clicks_show_who_is_unreliable_and_the_third_opens_the_evidence(
    lab: Lab, open_page: OpenPage, screenshot: Keep, theme: str
) -> None:
    careless = lab.annotators[-1].account()
    page = at_home(lab, open_page(theme=theme))
    page.get_by_role("link", name="Quality", exact=True).click()
    page.get_by_role("tab", name="Annotators").click()
    table = page.get_by_role("grid", name="Annotators")
    table.get_by_role("columnheader", name="Test questions passed").click()
    first = table.get_by_role("row").nth(1)
    expect(first).to_contain_text(careless["username"])
    [told] = [each for each in figures(lab, "annotators")["results"] if each["user"]["id"] == careless["id"]]
    assert told["passed"]["k"] == 0
    expect(first).to_contain_text(f"0% n {told['passed']['n']}")
    assert page.url.endswith("tab=annotators&sort=passed")
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, f"quality-annotators-{theme}")

    first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(careless["username"])
    own = figures(lab, f"agreement/annotators/{careless['id']}")
    against = page.get_by_role("table", name="Answers against the majority of others")
    expect(against.get_by_role("row").nth(3)).to_contain_text(str(own["confusion"][1][0]))
    expect(page.get_by_text(written(own["kappa"]["value"]), exact=True)).to_be_visible()
    assert_well(page, but=[ANNOUNCER])
    screenshot(page, f"quality-annotator-{theme}")
