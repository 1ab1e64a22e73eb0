"""What is said of an item and changed later, and the progress it makes, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.candidates.models import Candidate
from backend.people.models import User
from judging_api import ANSWERS, PROGRESS, send

Clients = Callable[..., APIClient]


SAID = {
    "label": "good",
    "edits": [{"start": 0, "end": 4, "kind": "location", "before": "pier", "after": " a pier "}],
    "lens": "abstract",
    "comment": "Late light.",
    "is_generic": True,
}


@pytest.mark.nightly
def test_everything_said_of_an_item_comes_back(client_of: Clients, dora: User, page: str) -> None:
    client = client_of(dora)
    more = {"ms": 900, "client_at": "2026-01-02T03:04:05Z"}
    assert send(client, page, judgments=[{"position": 1} | SAID | more, *ANSWERS[1:]]).status_code == 200
    item = client.get(f"/api/v1/assignments/{page}").json()["items"][0]
    assert {name: item[name] for name in SAID} == SAID
    revised = client.post(f"/api/v1/assignments/{page}/judgments/2", SAID)
    assert {name: revised.json()[name] for name in SAID} == SAID


@pytest.mark.nightly
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
        {"edits": [SAID["edits"][0] | {"after": "x" * 100_001}]},
        {"edits": [SAID["edits"][0]] * 51},
        {"edits": [SAID["edits"][0]] * 2},
    ],
)
def test_what_cannot_be_said_of_an_item_is_refused(
    client_of: Clients, dora: User, page: str, change: dict[str, Any]
) -> None:
    answer = send(client_of(dora), page, judgments=[{"position": 1} | SAID | change, *ANSWERS[1:]])
    assert (answer.status_code, answer.json()["code"] in ("invalid", "edits_overlap")) == (400, True)
    assert answer.json()["message"]
    assert Judgment.objects.count() == 0


def test_all_of_a_long_caption_may_be_left_out_and_a_long_one_written(
    client_of: Clients, dora: User, page: str
) -> None:
    """As long as a caption may be when it comes, and longer than the field of the page."""
    long = "On the pier a man waits. " * 100
    Candidate.objects.filter(pk=Assignment.objects.get(pk=page).shown[0]).update(text=long)
    edit = {"start": 0, "end": len(long), "kind": "other", "before": long, "after": long.replace("man", "woman")}
    answer = send(client_of(dora), page, judgments=[{"position": 1} | SAID | {"edits": [edit]}, *ANSWERS[1:]])
    assert answer.status_code == 200, answer.json()
    assert Judgment.objects.get(position=1).edits == [edit]


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


@pytest.mark.nightly
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
    AnnotatorState.objects.filter(user=dora).update(ms_today=3000)
    client_of(dora).post(f"/api/v1/assignments/{submitted_page}/judgments/1", {"label": "unsure", "ms": 9000})
    assert client_of(dora).get(PROGRESS).json()["mine"]["ms_today"] == 3000


def test_yesterdays_work_is_not_todays(client_of: Clients, dora: User, submitted_page: str) -> None:
    AnnotatorState.objects.filter(user=dora).update(ms_today=4500, today=timezone.now().date() - timedelta(days=1))
    mine = client_of(dora).get(PROGRESS).json()["mine"]
    assert (mine["submitted_today"], mine["ms_today"]) == (0, 0)
