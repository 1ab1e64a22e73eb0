"""Judging over HTTP: members judge, each sees their own pages only, and a page tells nothing but texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIClient

from backend.annotation.answers import Judged
from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, Hit, Judgment, Label, Standing
from backend.annotation.serializers import AssignmentSubmitOut, NextAssignmentOut
from backend.annotation.submitting import submit_assignment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project

Clients = Callable[..., APIClient]
NEXT = "/api/v1/projects/skies/assignments/next"
PROGRESS = "/api/v1/projects/skies/progress"
STANDING = "/api/v1/projects/skies/standing"
ANSWERS = [
    {"position": 1, "label": "good", "ms": 1200},
    {"position": 2, "label": "bad"},
    {"position": 3, "label": "unsure"},
]
JUDGED = [Judged(1, Label.GOOD), Judged(2, Label.BAD), Judged(3, Label.UNSURE)]
UNSAID = {"image": None, "label": None, "edits": [], "lens": None, "comment": "", "is_generic": False}
LATE = timedelta(minutes=30, seconds=1)
COSTS_OF_SIGNING_IN = 2  # the session and its user


def send(client: APIClient, page: str, *, key: str | None = "one", **body: Any) -> Response:
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(f"/api/v1/assignments/{page}/submit", {"judgments": ANSWERS} | body, headers=headers)


@pytest.fixture
def page(client_of: Clients, dora: User, hit: Hit) -> str:
    """The id of a page that dora holds."""
    return client_of(dora).post(NEXT).json()["assignment"]["id"]


@pytest.fixture
def submitted_page(page: str, dora: User) -> str:
    submit_assignment(assignment=Assignment.objects.get(pk=page), judgments=JUDGED, idempotency_key="one")
    return page


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
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["details"] == {"missing": [2, 3], "unknown": [], "twice": []}
    assert answer.json()["message"] == "Judge every caption exactly once. Not judged: 2, 3."


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


@pytest.mark.parametrize(("to", "status"), [("others", "skipped"), ("me", "returned")])
def test_a_page_is_skipped_with_a_reason(client_of: Clients, dora: User, page: str, to: str, status: str) -> None:
    body = {"reason": "cannot_see", "comment": "All black.", "to": to}
    assert client_of(dora).post(f"/api/v1/assignments/{page}/skip", body).status_code == 204
    left = Assignment.objects.get(pk=page)
    assert (left.status, left.skip_reason, left.skip_comment) == (status, "cannot_see", "All black.")


@pytest.mark.parametrize(
    "body", [{}, {"reason": "broken"}, {"reason": "bored", "to": "me"}, {"reason": "broken", "to": 1}]
)
def test_a_skip_that_makes_no_sense_is_refused(client_of: Clients, dora: User, page: str, body: Any) -> None:
    assert client_of(dora).post(f"/api/v1/assignments/{page}/skip", body).status_code == 400
    assert Assignment.objects.get(pk=page).status == "leased"


def test_where_one_stands_is_told_to_oneself(client_of: Clients, bob: User, dora: User, submitted_page: str) -> None:
    hers = client_of(dora).get(STANDING).json()
    assert hers == {
        "state": "active",
        "reasons": [],
        "n_submitted": 1,
        "hits_per_annotator": None,
        "needs_qualification": None,
    }
    assert client_of(bob).get(STANDING).json()["n_submitted"] == 0


@pytest.mark.parametrize("holding", ["x", ["x"], {"a": 1}, [str(uuid4())] * 11])
def test_what_one_holds_is_named_by_ids(client_of: Clients, bob: User, hit: Hit, holding: Any) -> None:
    assert client_of(bob).post(NEXT, {"holding": holding}).status_code == 400


SAID = {
    "label": "good",
    "edits": [{"start": 0, "end": 4, "kind": "location", "before": "pier", "after": " a pier "}],
    "lens": "abstract",
    "comment": "Late light.",
    "is_generic": True,
}


def test_everything_said_of_an_item_comes_back(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    more = {"ms": 900, "client_at": "2026-01-02T03:04:05Z"}
    assert send(client, page, judgments=[{"position": 1} | SAID | more, *ANSWERS[1:]]).status_code == 200
    item = client.get(f"/api/v1/assignments/{page}").json()["items"][0]
    assert {name: item[name] for name in SAID} == SAID
    revised = client.post(f"/api/v1/assignments/{page}/judgments/2", SAID)
    assert {name: revised.json()[name] for name in SAID} == SAID


@pytest.mark.parametrize(
    "change",
    [
        {"lens": "sad"},
        {"comment": "x" * 2001},
        {"is_generic": "perhaps"},
        {"client_at": "yesterday"},
        {"edits": "all"},
        {"edits": [{}]},
        {"edits": [SAID["edits"][0] | {"kind": "colour"}]},
        {"edits": [SAID["edits"][0] | {"start": -1}]},
        {"edits": [SAID["edits"][0] | {"end": 10**9}]},
        {"edits": [SAID["edits"][0] | {"after": "x" * 501}]},
        {"edits": [SAID["edits"][0]] * 51},
        {"edits": [SAID["edits"][0]] * 2},
    ],
)
def test_what_cannot_be_said_of_an_item_is_refused(
    client_of: Clients, dora: User, page: str, change: dict[str, Any]
) -> None:
    answer = send(client_of(dora), page, judgments=[{"position": 1} | SAID | change, *ANSWERS[1:]])
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert answer.json()["message"]
    assert Judgment.objects.count() == 0


def test_a_submitted_page_shows_its_labels_to_who_judged_it(
    client_of: Clients, dora: User, submitted_page: str
) -> None:
    body = client_of(dora).get(f"/api/v1/assignments/{submitted_page}").json()
    assert [item["label"] for item in body["items"]] == ["good", "bad", "unsure"]
    assert (body["status"], bool(body["submitted_at"])) == ("submitted", True)


def test_a_change_of_mind_after_the_submit_is_kept_beside_the_first(
    client_of: Clients, dora: User, submitted_page: str
) -> None:
    client = client_of(dora)
    answer = client.post(f"/api/v1/assignments/{submitted_page}/judgments/1", {"label": "bad"})
    assert (answer.status_code, answer.json()["label"], answer.json()["position"]) == (201, "bad", 1)
    assert list(Judgment.objects.filter(position=1).values_list("label", flat=True)) == ["good", "bad"]


@pytest.mark.parametrize(
    ("position", "body", "status"), [(4, {"label": "bad"}, 404), (1, {"label": "x"}, 400), (1, {}, 400)]
)
def test_a_change_of_mind_that_makes_no_sense_is_refused(
    client_of: Clients, dora: User, submitted_page: str, position: int, body: dict[str, str], status: int
) -> None:
    answer = client_of(dora).post(f"/api/v1/assignments/{submitted_page}/judgments/{position}", body)
    assert answer.status_code == status


def test_progress_counts_my_work_and_the_projects(
    client_of: Clients, bob: User, dora: User, submitted_page: str
) -> None:
    mine = client_of(dora).get(PROGRESS).json()
    assert mine["mine"] == {"submitted_today": 1, "submitted_total": 1, "judgments_total": 3, "ms_today": 0}
    assert mine["project"] == {"hits": 1, "assignments_needed": 2, "assignments_submitted": 1}
    his = client_of(bob).get(PROGRESS).json()
    assert his["mine"] == {"submitted_today": 0, "submitted_total": 0, "judgments_total": 0, "ms_today": 0}


def test_time_today_is_the_focus_time_that_was_sent_and_a_change_of_mind_adds_none(
    client_of: Clients, dora: User, submitted_page: str
) -> None:
    Judgment.objects.filter(assignment=submitted_page, position__lte=2).update(ms=1500)
    client_of(dora).post(f"/api/v1/assignments/{submitted_page}/judgments/1", {"label": "unsure", "ms": 9000})
    assert client_of(dora).get(PROGRESS).json()["mine"]["ms_today"] == 3000


def test_yesterdays_work_is_not_todays(client_of: Clients, dora: User, submitted_page: str) -> None:
    Judgment.objects.filter(assignment=submitted_page).update(ms=1500)
    yesterday = timezone.now() - timedelta(days=1)
    Assignment.objects.filter(pk=submitted_page).update(submitted_at=yesterday)
    mine = client_of(dora).get(PROGRESS).json()["mine"]
    assert (mine["submitted_today"], mine["ms_today"]) == (0, 0)


ADDRESSES = [
    ("post", NEXT),
    ("get", PROGRESS),
    ("get", STANDING),
    ("get", "/api/v1/assignments/{page}"),
    ("post", "/api/v1/assignments/{page}/submit"),
    ("post", "/api/v1/assignments/{page}/heartbeat"),
    ("post", "/api/v1/assignments/{page}/skip"),
    ("post", "/api/v1/assignments/{page}/return"),
    ("post", "/api/v1/assignments/{page}/judgments/1"),
]
OWN_ONLY = ADDRESSES[3:]


def knock(client: APIClient, method: str, address: str, page: str) -> Response:
    body = {"judgments": ANSWERS, "label": "bad", "reason": "broken", "to": "others"} if method == "post" else None
    return getattr(client, method)(address.format(page=page), body, headers={"Idempotency-Key": "two"})


@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_nobody_gets_in_without_signing_in(client_of: Clients, page: str, method: str, address: str) -> None:
    answer = knock(client_of(None), method, address, page)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_who_is_on_another_project_sees_nothing(
    client_of: Clients, charlie: User, page: str, method: str, address: str
) -> None:
    answer = knock(client_of(charlie), method, address, page)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(("method", "address"), OWN_ONLY)
@pytest.mark.parametrize("name", ["alice", "bob"])
def test_not_even_the_curator_opens_somebody_elses_page(
    client_of: Clients, submitted_page: str, method: str, address: str, name: str
) -> None:
    answer = knock(client_of(User.objects.get(username=name)), method, address, submitted_page)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert Judgment.objects.count() == 3


@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_who_left_the_project_is_outside_it(
    client_of: Clients, dora: User, project: Project, page: str, method: str, address: str
) -> None:
    project.memberships.filter(user=dora).delete()
    assert knock(client_of(dora), method, address, page).status_code == 404


@pytest.mark.parametrize("name", ["alice", "bob", "dora"])
def test_every_member_may_judge(client_of: Clients, hit: Hit, name: str) -> None:
    client = client_of(User.objects.get(username=name))
    page = client.post(NEXT).json()["assignment"]["id"]
    assert client.get(f"/api/v1/assignments/{page}").status_code == 200
    assert send(client, page).status_code == 200
    assert client.get(PROGRESS).status_code == 200


def test_a_page_that_never_was_is_not_found(client_of: Clients, bob: User, project: Project) -> None:
    assert client_of(bob).get(f"/api/v1/assignments/{uuid4()}").status_code == 404


@pytest.fixture
def n_statements(django_assert_num_queries: Any) -> Callable[[int], Any]:
    """So many, beside the two of signing in. A transaction inside the test's own counts two, as a savepoint."""
    return lambda n: django_assert_num_queries(COSTS_OF_SIGNING_IN + 2 + n)


@pytest.mark.parametrize(
    ("rate", "drawn", "looked"), [(0, 0, 0), (0.5, 1, 2)]  # controls drawn with a page; HIT held and its places read
)  # fmt: skip
def test_statements_of_next_and_submit_are_few_and_stay_so(
    client_of: Clients,
    bob: User,
    project: Project,
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
    n_statements: Callable[[int], Any],
    rate: float,
    drawn: int,
    looked: int,
) -> None:
    Project.objects.filter(pk=project.pk).update(control_rate=rate)
    for key in ("pier", "lamp", "meadow"):
        add_image(key, 9)
    build()
    Standing.objects.create(project=project, user=bob)
    client = client_of(bob)
    with n_statements(6 + drawn):  # project, standing, leases, place taken, pairs, assignment
        page = client.post(NEXT).json()["assignment"]["id"]
    with n_statements(5):
        client.post(NEXT)
    # assignment, standing, closed, judgments, counters; leases, place, pairs, assignment
    with n_statements(9 + looked + drawn):
        page = send(client, page, fetch_next=True).json()["next"]["id"]
    with n_statements(6 + drawn):
        ahead = client.post(NEXT, {"holding": [page]}).json()["assignment"]["id"]
    with n_statements(9 + looked + drawn):
        send(client, page, fetch_next=True, holding=[ahead])
    with n_statements(5 + looked):
        send(client, ahead)


def test_what_next_and_submit_answer_is_what_the_schema_says(
    client_of: Clients, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    """They are not passed through their serializers, for speed: these would change nothing."""
    add_image("pier", 6)
    build()
    client = client_of(bob)
    body = client.post(NEXT).json()
    assert body == json.loads(json.dumps(NextAssignmentOut(body).data))
    body = send(client, body["assignment"]["id"], fetch_next=True).json()
    assert body == json.loads(json.dumps(AssignmentSubmitOut(body).data))
