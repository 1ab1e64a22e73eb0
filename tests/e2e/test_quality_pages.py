"""The daily questions of a head annotator, each answered in two clicks from where the project opens for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from axe import assert_well
from backend.methods.agreement import UNSURE_READINGS, agreement_of, co_ratings, pair_figures
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments
from backend.methods.quality import difference_of_shares, share_of
from engine_labs import judged_with_controls
from nightly import nightly
from walker import Lab, Person

Keep = Callable[[Page, str], Path]
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """Two annotators say the same; the third says good to everything and fails all twelve test questions."""
    return judged_with_controls(site, halfway=write_to_the_third)


def write_to_the_third(lab: Lab) -> None:
    """Feedback between the two halves of the third annotator's work."""
    pairs = [row for row in answers(lab, lab.annotators[-1]) if not row["is_control"]]
    lab.curator.post(f"/projects/{lab.slug}/remarks", {"judgment": pairs[0]["id"], "text": "Look at each image."})


@pytest.fixture(scope="module")
def head(lab: Lab) -> Person:
    return lab.invite("head_annotator")


def answers(lab: Lab, person: Person) -> list[dict[str, Any]]:
    """All answers of an annotator, the newest first."""
    return lab.curator.rows(f"/projects/{lab.slug}/annotators/{person.account()['id']}/judgments?limit=200")


def figures(lab: Lab, address: str) -> Any:
    return lab.curator.get(f"/projects/{lab.slug}/{address}")


def written(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def at_home(lab: Lab, head: Person, page: Page) -> Page:
    """Where the project opens for its head annotator."""
    head.let_in(page)
    page.goto(f"/projects/{lab.slug}")
    expect(page).to_have_url(re.compile("/review"))
    expect(page.get_by_role("navigation", name="Parts of the review")).to_be_visible()
    return page


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_one_click_says_how_far_annotators_agree_and_whether_it_rises(
    lab: Lab, head: Person, open_page: OpenPage, screenshot: Keep, size: str
) -> None:
    page = at_home(lab, head, open_page(size, has_touch=size == "phone"))
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
    expect(page.get_by_role("heading", name="Agreement by day")).to_be_visible()
    assert len(told["trend"]) == 1
    expect(page.get_by_role("main")).to_contain_text("The trend needs two days with an interval.")
    assert_well(page)
    screenshot(page, f"quality-agreement-{size}")


@pytest.mark.nightly
def test_two_clicks_show_what_two_annotators_disagree_on(
    lab: Lab, head: Person, open_page: OpenPage, screenshot: Keep
) -> None:
    careful, _, careless = (person.account() for person in lab.annotators)
    page = at_home(lab, head, open_page())
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
    assert_well(page)
    screenshot(page, "quality-pair")
    page.go_back()
    expect(page.get_by_role("figure", name="Agreement of all annotators")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", nightly("dark")])
def test_two_clicks_show_who_is_unreliable_and_the_third_opens_the_evidence(
    lab: Lab, head: Person, open_page: OpenPage, screenshot: Keep, theme: str
) -> None:
    careless = lab.annotators[-1].account()
    page = at_home(lab, head, open_page(theme=theme))
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
    assert_well(page)
    screenshot(page, f"quality-annotators-{theme}")

    first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(careless["username"])
    own = figures(lab, f"agreement/annotators/{careless['id']}")
    against = page.get_by_role("grid", name="Answers against the majority of others")
    said_bad = against.get_by_role("row").nth(2)  # below the titles and Good
    expect(said_bad).to_contain_text(str(own["confusion"][1][0]))
    expect(page.get_by_text(written(own["kappa"]["value"]), exact=True)).to_be_visible()
    assert_well(page)
    screenshot(page, f"quality-annotator-{theme}")


@pytest.mark.nightly
def test_one_click_shows_which_captions_are_disputed(
    lab: Lab, head: Person, open_page: OpenPage, screenshot: Keep
) -> None:
    """A decision against the two who agree; the second click opens the case of a caption."""
    careful, _, careless = (person.account()["id"] for person in lab.annotators)
    shared = figures(lab, f"agreement/pairs/{careful}/{careless}?first_label=bad&second_label=good")
    pair = shared["items"]["results"][0]
    text = pair["text"]
    head.post(f"/projects/{lab.slug}/verdicts", {"candidate": pair["candidate"], "label": "good"})
    page = at_home(lab, head, open_page())
    page.get_by_role("button", name=re.compile("^Disputed")).click()
    row = page.get_by_role("row").filter(has_text=text)
    expect(row).to_contain_text("Decision against majority")
    assert_well(page)
    screenshot(page, "quality-disputed")
    row.get_by_role("button", name=text).click()
    expect(page.get_by_role("list", name="Answers")).to_be_visible()


@pytest.mark.nightly
def test_figures_on_screen_are_those_of_the_api_and_of_the_methods_on_the_same_rows(
    lab: Lab, head: Person, open_page: OpenPage
) -> None:
    people = [person.account() for person in lab.annotators]
    rows = [answers(lab, person) for person in lab.annotators]
    said = [
        (row["item"]["text"], who, LABELS.index(row["item"]["label"]))
        for who, of_person in enumerate(rows)
        for row in of_person
        if not row["is_control"]
    ]
    texts = sorted({text for text, _, _ in said})
    items = np.array([texts.index(text) for text, _, _ in said])
    judgments = Judgments(items, *(np.array([one[at] for one in said]) for at in (1, 2)), len(texts), len(people), 3)

    # How far annotators agree.
    [alpha] = [
        figure.value
        for figure in agreement_of(judgments)
        if (figure.measure, figure.reading) == ("alpha_nominal", "value")
    ]
    told = figures(lab, "agreement/headline")
    assert (told["n_items"], told["n_judgments"]) == (len(texts), len(said))
    assert told["value"] == pytest.approx(alpha, rel=1e-5)
    page = at_home(lab, head, open_page())
    page.get_by_role("link", name="Quality", exact=True).click()
    expect(page.get_by_role("figure", name="Agreement of all annotators")).to_contain_text(written(told["value"]))

    # How far every two of them agree.
    for pair in pair_figures(co_ratings(judgments), UNSURE_READINGS[0], "nominal"):
        first, second = (people[who] for who in (pair.first, pair.second))
        told = figures(lab, f"agreement/pairs/{first['id']}/{second['id']}")
        assert told["kappa"] == pytest.approx(pair.figure.value, rel=1e-5)
        cell = page.get_by_label(re.compile(f"^{first['username']} and {second['username']}: {written(told['kappa'])}"))
        expect(cell).to_be_visible()

    # How many test questions the third annotator passed.
    graded = [row["item"]["label"] == "bad" for row in rows[-1] if row["is_control"]]
    passed = share_of(sum(graded), len(graded))
    [row] = [each for each in figures(lab, "annotators")["results"] if each["user"]["id"] == people[-1]["id"]]
    assert passed is not None
    assert row["passed"] == pytest.approx(asdict(passed))
    page.get_by_role("tab", name="Annotators").click()
    line = page.get_by_role("grid", name="Annotators").get_by_role("row").filter(has_text=people[-1]["username"])
    expect(line).to_contain_text(f"{round(100 * passed.share)}% n {passed.n}")

    # What feedback to them changed: 30 answers before it and 30 after it, against what both others say.
    [remark] = lab.curator.rows(f"/projects/{lab.slug}/remarks")
    in_time = sorted(rows[-1], key=lambda row: (row["judged_at"], row["item"]["position"]))
    pairs = [row for row in in_time if not row["is_control"]]
    is_right = [row["item"]["label"] == max(row["others"], key=row["others"].get) for row in pairs]
    n_before = sum(row["judged_at"] <= remark["created_at"] for row in pairs)
    before, after = is_right[:n_before][-30:], is_right[n_before:][:30]
    assert (len(before), len(after)) == (30, 30)
    difference = difference_of_shares((sum(before), 30), (sum(after), 30))
    [effect] = figures(lab, "feedback/effect?n=30")["results"]
    assert (effect["before"]["k"], effect["after"]["k"]) == (sum(before), sum(after))
    assert effect["difference"] == pytest.approx(asdict(difference))
    line.get_by_role("link").click()
    points = [f"{round(100 * value):+d}".replace("-", "−").replace("+0", "0") for value in asdict(difference).values()]
    expect(page.get_by_role("main")).to_contain_text(f"{points[0]} points ({points[1]} to {points[2]})")
