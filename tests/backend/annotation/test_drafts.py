"""Drafts: what a person has done of a page is theirs alone, the newest stands, and a submit needs none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, AssignmentStatus, Draft, Hit
from backend.annotation.submissions import submit_assignment
from backend.catalogue.models import Image
from backend.people.models import User
from pages_in_hand import JUDGED

Clients = Callable[..., APIClient]
NEXT = "/api/v1/projects/skies/assignments/next"
ANSWER = {"label": "good", "edits": [], "lens": "", "comment": "", "is_generic": False, "ms": 900, "at": None}
WRITING = {"edit": {"text": "The lake", "kinds": {"4 sea": "location"}}, "comment": None}


def work_of(*positions: int, current: int = 1) -> dict[str, Any]:
    items = [{"position": position, "answer": ANSWER, "unfinished": None} for position in positions]
    return {"items": items, "current": current}


@pytest.fixture
def page(client_of: Clients, dora: User, hit: Hit) -> str:
    """The id of a page that dora holds."""
    return str(client_of(dora).post(NEXT).json()["assignment"]["id"])


def put(client: APIClient, page: str, work: dict[str, Any], *, seconds_ago: float = 0) -> Response:
    saved_at = timezone.now() - timedelta(seconds=seconds_ago)
    body = {"work": work, "saved_at": saved_at.isoformat()}
    return client.put(f"/api/v1/assignments/{page}/draft", body, format="json")


def kept(client: APIClient, page: str) -> Any:
    return client.get(f"/api/v1/assignments/{page}/draft").json()["draft"]


def test_work_in_progress_comes_back_at_another_machine(client_of: Clients, dora: User, page: str) -> None:
    assert kept(client_of(dora), page) is None
    work = {"items": [{"position": 2, "answer": None, "unfinished": WRITING}], "current": 1}
    assert put(client_of(dora), page, work).status_code == 204
    assert kept(client_of(dora), page)["work"] == work


def test_the_newest_work_stands_in_whatever_order_it_arrives(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    put(client, page, work_of(1, 2), seconds_ago=5)
    put(client, page, work_of(1), seconds_ago=9)
    assert len(kept(client, page)["work"]["items"]) == 2
    put(client, page, work_of(1, 2, 3))
    assert len(kept(client, page)["work"]["items"]) == 3


def test_a_clock_that_is_ahead_does_not_shut_out_later_work(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    put(client, page, work_of(1), seconds_ago=-3600)
    with time_machine.travel(timezone.now() + timedelta(seconds=1)):
        put(client, page, work_of(1, 2))
    assert len(kept(client, page)["work"]["items"]) == 2


def test_nobody_else_sees_or_writes_it(client_of: Clients, alice: User, bob: User, charlie: User, page: str) -> None:
    for person in (alice, bob, charlie):
        assert put(client_of(person), page, work_of(1)).status_code == 404
        assert client_of(person).get(f"/api/v1/assignments/{page}/draft").status_code == 404
    assert put(client_of(), page, work_of(1)).status_code == 401
    assert client_of().get(f"/api/v1/assignments/{page}/draft").status_code == 401
    assert not Draft.objects.exists()


def test_of_a_submitted_page_no_draft_is_given_or_taken(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    put(client, page, work_of(1))
    submit_assignment(assignment=Assignment.objects.get(pk=page), judgments=JUDGED, idempotency_key="one")
    assert kept(client, page) is None
    put(client, page, work_of(1, 2))
    assert len(Draft.objects.get().work["items"]) == 1


def test_what_a_submit_left_behind_goes_with_the_next_draft(
    client_of: Clients, dora: User, page: str, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    add_image("quay")
    build()
    client = client_of(dora)
    put(client, page, work_of(1))
    submit_assignment(assignment=Assignment.objects.get(pk=page), judgments=JUDGED, idempotency_key="one")
    following = str(client.post(NEXT).json()["assignment"]["id"])
    put(client, following, work_of(1))
    assert [str(draft.pk) for draft in Draft.objects.all()] == [following]


def test_one_that_ran_out_keeps_its_draft(client_of: Clients, dora: User, page: str) -> None:
    put(client_of(dora), page, work_of(1))
    Assignment.objects.filter(pk=page).update(status=AssignmentStatus.EXPIRED)
    assert kept(client_of(dora), page) is not None


def test_a_long_caption_in_work_is_kept(client_of: Clients, dora: User, page: str) -> None:
    writing = WRITING | {"edit": {"text": "The lake " * 9000, "kinds": {}}}
    work = {"items": [{"position": 2, "answer": None, "unfinished": writing}], "current": 1}
    assert put(client_of(dora), page, work).status_code == 204


@pytest.mark.nightly
@pytest.mark.parametrize(
    "work",
    [
        {"items": [{"position": 1, "answer": ANSWER | {"label": "splendid"}, "unfinished": None}], "current": 0},
        {"items": [{"position": 0, "answer": None, "unfinished": None}], "current": 0},
        {"items": "many", "current": 0},
        {"items": [], "current": -1},
        {
            "items": [{"position": 1, "answer": None, "unfinished": {"edit": {"text": 1}, "comment": None}}],
            "current": 0,
        },
    ],
)
def test_only_work_is_kept(client_of: Clients, dora: User, page: str, work: dict[str, Any]) -> None:
    assert put(client_of(dora), page, work).status_code == 400
    assert not Draft.objects.exists()


def test_a_draft_has_a_longest_size(client_of: Clients, dora: User, page: str) -> None:
    long = {"edit": None, "comment": "x" * 2000}
    items = [{"position": n, "answer": None, "unfinished": long} for n in range(1, 120)]
    answer = put(client_of(dora), page, {"items": items, "current": 0})
    assert (answer.status_code, answer.data["code"]) == (400, "draft_too_long")
