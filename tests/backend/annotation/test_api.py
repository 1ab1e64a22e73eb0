"""Judging over HTTP: members judge, each sees their own pages only, and a page tells nothing but texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.leases import lease_next
from backend.annotation.models import AnnotatorState, Assignment, Hit, Judgment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from judging_api import ANSWERS, MY_STATE, NEXT, PROGRESS, send

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
AtWork = Callable[..., APIClient]
UNSAID = {"image": None, "label": None, "edits": [], "lens": None, "comment": "", "is_generic": False}
LATE = timedelta(minutes=30, seconds=1)
COSTS_OF_SIGNING_IN = 2  # the session and its user


def test_a_page_holds_the_photograph_the_texts_and_its_time(
    client_of: Clients, bob: User, hit: Hit, project: Project
) -> None:
    answer = client_of(bob).post(NEXT)
    assert answer.status_code == 200
    body = answer.json()
    page = body["assignment"]
    leased = Assignment.objects.get()
    texts = Candidate.objects.in_bulk(leased.shown)
    assert (body["reason"], page["id"], page["status"]) == (None, str(leased.pk), "leased")
    assert page["guidelines_version"] == project.version
    assert page["items"] == [
        UNSAID | {"position": n, "text": texts[candidate].text} for n, candidate in enumerate(leased.shown, 1)
    ]
    assert set(page["image"]) == {"alt", "thumbnail"}
    assert set(page["image"]["thumbnail"]) == {"small", "large"}
    assert set(page["image"]["thumbnail"]["large"]) == {"url", "width", "height"}
    assert page["image"]["thumbnail"]["large"]["url"].startswith("/media/")


def test_a_page_carries_nothing_that_tells_one_caption_from_another(
    client_of: Clients, bob: User, hit: Hit, project: Project
) -> None:
    page = client_of(bob).post(NEXT).json()["assignment"]
    sent = json.dumps(page["items"])
    for candidate in Candidate.objects.all():
        assert candidate.key not in sent
        assert candidate.source not in sent
    assert {frozenset(item) for item in page["items"]} == {frozenset({"position", "text", *UNSAID})}
    assert "seed" not in page
    assert "shown" not in page


def test_asking_in_another_tab_shows_the_same_page(client_of: Clients, bob: User, hit: Hit) -> None:
    pages = [client_of(bob).post(NEXT).json()["assignment"] for _ in range(2)]
    assert pages[0] == pages[1]


def test_a_project_without_work_says_so(client_of: Clients, bob: User, project: Project) -> None:
    assert client_of(bob).post(NEXT).json() == {"assignment": None, "reason": "none_left"}


def test_who_judged_everything_is_told_so(client_of: Clients, dora: User, submitted_page: str) -> None:
    assert client_of(dora).post(NEXT).json() == {"assignment": None, "reason": "all_yours_done"}


def test_a_submit_stores_the_answers_and_hands_over_the_next_page(
    client_of: Clients, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    add_image("pier", 6)
    build()
    client = client_of(bob)
    page = client.post(NEXT).json()["assignment"]["id"]
    body = send(client, page, fetch_next=True).json()
    assert body["submitted_at"]
    assert body["next"]["id"] != page
    assert client.post(NEXT).json()["assignment"] == body["next"]
    assert Judgment.objects.filter(annotator=bob).count() == 3


def test_a_submit_that_wants_no_next_gets_none(client_of: Clients, dora: User, page: str) -> None:
    body = send(client_of(dora), page).json()
    assert (body["next"], body["reason"]) == (None, None)


def test_a_repeated_submit_gets_the_same_answer(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    first, again = (send(client, page, fetch_next=True) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert Judgment.objects.count() == 3


def test_a_second_submit_is_a_conflict(client_of: Clients, dora: User, submitted_page: str) -> None:
    answer = send(client_of(dora), submitted_page, key="two")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_submitted")


def test_a_late_submit_of_a_page_that_was_taken_is_kept_and_says_so(
    client_of: Clients, alice: User, bob: User, dora: User, page: str, project: Project
) -> None:
    lease_next(project=project, annotator=alice)
    with time_machine.travel(timezone.now() + LATE, tick=False):
        for user in (bob, alice):
            lease_next(project=project, annotator=user)
        answer = send(client_of(dora), page)
    assert (answer.status_code, answer.json()["is_late"]) == (200, True)
    assert Judgment.objects.count() == 3


def test_a_page_with_gaps_is_refused_and_names_them(client_of: Clients, dora: User, page: str) -> None:
    answer = send(client_of(dora), page, judgments=ANSWERS[:1])
    assert (answer.status_code, answer.json()["code"]) == (400, "answers_incomplete")
    assert answer.json()["details"].items() >= {"missing": [2, 3], "unknown": [], "twice": []}.items()
    assert answer.json()["message"].startswith("Answer each item once. Without answer: 2, 3.")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "change",
    [
        {"label": "fine"},
        {"label": None},
        {"position": 0},
        {"position": "x"},
        {"ms": -1},
        {"ms": 10**12},
        {"position": 10**30},
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(client_of: Clients, dora: User, page: str, change: Any) -> None:
    answer = send(client_of(dora), page, judgments=[ANSWERS[0] | change, *ANSWERS[1:]])
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert Judgment.objects.count() == 0


@pytest.mark.nightly
@pytest.mark.parametrize("judgments", [None, "all good", [1, 2, 3], {"position": 1}, [ANSWERS[0]] * 2000])
def test_a_body_of_another_shape_is_refused(client_of: Clients, dora: User, page: str, judgments: Any) -> None:
    assert send(client_of(dora), page, judgments=judgments).status_code == 400


@pytest.mark.parametrize("key", [None, "", "   ", "k" * 81, "k\0"])
def test_a_submit_needs_a_name_of_its_own(client_of: Clients, dora: User, page: str, key: str | None) -> None:
    answer = send(client_of(dora), page, key=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_needed")


def test_a_returned_page_is_free_for_others(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    assert client.post(f"/api/v1/assignments/{page}/return").status_code == 204
    answer = send(client, page)
    assert (answer.status_code, answer.json()["code"]) == (409, "already_returned")


def test_a_heartbeat_says_until_when_the_page_is_held(client_of: Clients, dora: User, page: str) -> None:
    before = Assignment.objects.get(pk=page).expires_at
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        until = client_of(dora).post(f"/api/v1/assignments/{page}/heartbeat").json()["expires_at"]
    held = Assignment.objects.get(pk=page)
    assert held.expires_at.isoformat().replace("+00:00", "Z") == until
    assert held.expires_at > before


@pytest.mark.nightly
@pytest.mark.parametrize(("to", "status"), [("others", "skipped"), ("me", "returned")])
def test_a_page_is_skipped_with_a_reason(client_of: Clients, dora: User, page: str, to: str, status: str) -> None:
    body = {"reason": "cannot_see", "comment": "All black.", "to": to}
    assert client_of(dora).post(f"/api/v1/assignments/{page}/skip", body).status_code == 204
    left = Assignment.objects.get(pk=page)
    assert (left.status, left.skip_reason, left.skip_comment) == (status, "cannot_see", "All black.")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "body", [{}, {"reason": "broken"}, {"reason": "bored", "to": "me"}, {"reason": "broken", "to": 1}]
)
def test_a_skip_that_makes_no_sense_is_refused(client_of: Clients, dora: User, page: str, body: Any) -> None:
    assert client_of(dora).post(f"/api/v1/assignments/{page}/skip", body).status_code == 400
    assert Assignment.objects.get(pk=page).status == "leased"


def test_where_one_stands_is_told_to_oneself(client_of: Clients, bob: User, dora: User, submitted_page: str) -> None:
    hers = client_of(dora).get(MY_STATE).json()
    assert hers == {
        "state": "active",
        "reasons": [],
        "n_submitted": 1,
        "hits_per_annotator": None,
    }
    assert client_of(bob).get(MY_STATE).json()["n_submitted"] == 0


@pytest.mark.parametrize("holding", ["x", ["x"], {"a": 1}, [str(uuid4())] * 11])
def test_what_one_holds_is_named_by_ids(client_of: Clients, bob: User, hit: Hit, holding: Any) -> None:
    assert client_of(bob).post(NEXT, {"holding": holding}).status_code == 400


@pytest.fixture
def at_work(
    client_of: Clients,
    bob: User,
    project: Project,
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
) -> AtWork:
    """`at_work(pier=9)`: an image with so many captions in HITs, and the client of somebody who has begun."""

    def begin(**n_captions: int) -> APIClient:
        for key, n in n_captions.items():
            add_image(key, n)
        build()
        AnnotatorState.objects.create(project=project, user=bob)
        return client_of(bob)

    return begin


def test_no_call_of_the_loop_grows_with_what_a_person_did(project: Project, at_work: AtWork) -> None:
    """As many statements for the sixth page as for the second; the first one finds no slot that it came from."""
    client = at_work(pier=9, lamp=9, meadow=9)
    pages = []
    for _ in range(6):
        with CaptureQueriesContext(connection) as asked:
            page = client.post(NEXT).json()["assignment"]["id"]
        with CaptureQueriesContext(connection) as sent:
            assert send(client, page).status_code == 200
        with CaptureQueriesContext(connection) as told:
            assert client.get(PROGRESS).status_code == 200
        pages.append((len(asked), len(sent), len(told)))
    assert pages[1] == pages[5]
    assert pages[5] <= (COSTS_OF_SIGNING_IN + 16, COSTS_OF_SIGNING_IN + 14, COSTS_OF_SIGNING_IN + 3), pages
