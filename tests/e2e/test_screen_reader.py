"""What a screen reader meets: the tree of each page of an annotator, what is said of each step, where the focus is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from at_the_desk import judge, open_desk
from engine_labs import ask_for_a_quiz, with_hits, with_queries
from every_page import pass_the_quiz, settle
from walker import Lab

QUIZ = """
- main:
  - progressbar "Questions answered"
  - figure:
    - img "The image of this question."
  - region "Question":
    - heading "Question 1 of 2" [level=1]
    - paragraph: /penguins/
    - group "Your answer":
      - button "Good"
      - button "Bad"
      - button "Unsure"
"""
CAPTIONS = """
- main:
  - heading "Judge the captions of an image" [level=1]
  - progressbar "Captions judged"
  - figure:
    - img "The image of this task."
    - button "Zoom out" [disabled]
    - status "Zoom": 100%
    - button "Zoom in"
    - button "Fit the image to the window" [disabled]
    - button "Turn full screen on or off"
  - region "Captions":
    - button "Skip"
    - button "Guidelines"
    - button "Feedback"
    - paragraph: Does each of these 5 captions fit the image?
    - list:
      - listitem:
        - button /^Good. .+/
      - listitem:
        - paragraph
        - group "Add details":
          - button "Edit"
          - button "Reason"
          - button "Too generic"
          - button "Comment"
      - listitem:
        - button
      - listitem:
        - button
      - listitem:
        - button
    - group "Choose an answer":
      - button "Good"
      - button "Bad"
      - button "Unsure"
    - button "Undo"
    - button "Submit" [disabled]
"""
QUERY = """
- main:
  - progressbar "Images judged"
  - paragraph: Which images fit this text?
  - heading "A quiet place to wait" [level=1]
  - list:
    - listitem:
      - button "Image 1 of 5, relevant"
    - listitem:
      - button "Image 2 of 5"
    - listitem:
      - button "Image 3 of 5"
    - listitem:
      - button "Image 4 of 5"
    - listitem:
      - button "Image 5 of 5"
  - button "Zoom in"
  - region "Your answer":
    - group "Add details":
      - button "Reason"
      - button "Comment"
    - group "Choose an answer":
      - button "Relevant"
      - button "Irrelevant"
      - button "Unsure"
    - button "Undo"
    - button "Submit" [disabled]
"""
GUIDELINES = """
- complementary "Guidelines":
  - heading "Guidelines" [level=2]
  - button "Close"
  - group "Guidelines":
    - heading "What is good" [level=2]
    - paragraph
"""
PAST_WORK = """
- main:
  - heading "Past work" [level=1]
  - search:
    - searchbox "Search captions"
    - group "Show":
      - button "All" [pressed]
  - list:
    - listitem:
      - paragraph:
        - link /5 captions submitted .+/
        - time
  - group "A submitted task":
    - img "The image of these captions."
    - heading "5 captions" [level=2]
    - list:
      - listitem:
        - paragraph
        - button "Change"
        - list "Feedback"
"""
INBOX = """
- main:
  - heading "Inbox" [level=1]
  - list "All feedback":
    - listitem:
      - paragraph:
        - button "alice"
        - time
  - list:
    - listitem "Feedback from alice":
      - img "The image of this caption."
      - paragraph
      - paragraph: "Your answer: Good Correct answer: Bad"
      - list:
        - listitem:
          - paragraph: /alice/
          - paragraph: A guess.
      - group "Your reply":
        - button "Got it"
        - button "I agree"
        - button "Reply"
      - button "Change my answer to Bad"
      - link "Change my answer"
"""


@pytest.fixture(scope="module")
def lab(site: str) -> Lab:
    """Who comes to it reads guidelines and passes a quiz; the second annotator has."""
    lab = with_hits(site, slug="aloud", overlap=2)
    ask_for_a_quiz(lab)
    pass_the_quiz(lab, lab.annotators[1])
    return lab


def said(page: Page) -> Locator:
    """What was said last, the newest at the end; it comes a moment after what is seen."""
    return page.get_by_test_id("said-polite").locator("p")


@pytest.mark.nightly
def test_the_quiz_has_its_question_its_words_and_its_answers(lab: Lab, browser_page: Page) -> None:
    page = browser_page
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/qualify")
    page.get_by_role("button", name="I have read the guidelines").press("Enter")
    page.get_by_role("button", name="Start the quiz").press("Enter")
    expect(page.get_by_role("main")).to_match_aria_snapshot(QUIZ)
    expect(page.get_by_role("heading", name="Question 1 of 2")).to_be_focused()
    page.keyboard.press("b")
    expect(page.get_by_role("button", name="Continue")).to_be_focused()


def test_a_hit_of_captions_is_heard_and_the_focus_is_never_lost(lab: Lab, browser_page: Page) -> None:
    page, opened = browser_page, browser_page.locator("[data-open]")
    open_desk(page, lab, lab.annotators[1])
    region = page.get_by_test_id("said-polite").element_handle()
    expect(opened).to_be_focused()
    judge(page, "g")
    expect(page.get_by_role("main")).to_match_aria_snapshot(CAPTIONS)
    expect(said(page).last).to_have_text(re.compile(r"^Caption 1 is good\. Caption 2 of 5: "))
    page.keyboard.press("i")
    drawer = page.get_by_role("complementary", name="Guidelines")
    expect(drawer).to_match_aria_snapshot(GUIDELINES)
    page.keyboard.press("Escape")
    expect(opened).to_be_focused()
    page.keyboard.type("gggg")
    page.keyboard.press("Enter")
    expect(page.get_by_role("progressbar", name="Captions judged")).to_have_attribute("aria-valuenow", "0")
    expect(said(page)).to_have_text(["Submitted. This was task 1 today.", re.compile("^Caption 1 of 5: ")])
    expect(opened).to_be_focused()
    assert page.get_by_test_id("said-polite").evaluate("(now, before) => now === before", region)


@pytest.mark.nightly
def test_the_palette_acts_on_the_open_caption_and_gives_the_focus_back(lab: Lab, browser_page: Page) -> None:
    page, opened = browser_page, browser_page.locator("[data-open]")
    open_desk(page, lab, lab.annotators[1])
    page.keyboard.press("ArrowDown")
    words = opened.locator("p").first.inner_text()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Find a command")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(opened).to_be_focused()
    guidelines = page.get_by_role("button", name="Guidelines").first
    guidelines.focus()
    page.keyboard.press("Control+k")
    page.keyboard.type("too generic")
    page.keyboard.press("Enter")
    expect(opened.get_by_text("Too generic", exact=True).first).to_be_visible()
    expect(opened).to_contain_text(words)
    expect(opened.get_by_role("button", name="Too generic")).to_have_attribute("aria-pressed", "true")
    expect(said(page).last).to_have_text("Marked as too generic.")
    expect(guidelines).to_be_focused()


@pytest.mark.nightly
def test_a_hit_of_photographs_is_heard(site: str, browser_page: Page) -> None:
    lab, page = with_queries(site), browser_page
    lab.annotators[0].let_in(page)
    page.goto(f"/projects/{lab.slug}/annotate")
    expect(page.get_by_role("heading", name="A quiet place to wait")).to_be_visible()
    settle(page)
    page.keyboard.press("g")
    expect(page.get_by_role("main")).to_match_aria_snapshot(QUERY)
    expect(said(page).last).to_have_text("Image 1 is relevant. Image 2 of 5.")
    expect(page.get_by_role("main").get_by_role("listitem").nth(1)).to_be_focused()


@pytest.mark.nightly
def test_past_work_and_the_inbox_are_lists_of_what_was_sent_and_said(lab: Lab, browser_page: Page) -> None:
    page, person = browser_page, lab.annotators[1]
    person.judge_next(lab.slug)
    remark = {"judgment": lab.newest_judgment(person)["id"], "text": "A guess.", "label": "bad"}
    lab.curator.post(f"/projects/{lab.slug}/remarks", remark)
    person.let_in(page)
    for address, tree in (("past-work", PAST_WORK), ("inbox", INBOX)):
        page.goto(f"/projects/{lab.slug}/{address}")
        settle(page)
        expect(page.get_by_role("main")).to_match_aria_snapshot(tree)
