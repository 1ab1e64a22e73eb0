"""Who gets into the review queue: reviewers of the project, and nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Slot
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import ReviewCase
from backend.review.queue.filling import fill_cases

Clients = Callable[..., APIClient]
BASE = "/api/v1/projects/skies/review"


@pytest.fixture
def case(project: Project, make_judged: Callable[..., Project]) -> ReviewCase:
    """A tied pair."""
    make_judged(project, images=1, captions=3, opinion=lambda image, caption, person: ("good", "bad")[person])
    Slot.objects.all().delete()
    fill_cases(project=project)
    return ReviewCase.objects.filter(candidate__isnull=False).latest("priority")


READS = [
    "settings",
    "counts",
    "cases",
    "cases/{case}",
    "disputes",
    "disputes?format=csv",
    "pages/summary",
    "gate",
    "heads",
]


def test_only_reviewers_read_the_queue(
    client_of: Clients, case: ReviewCase, alice: User, dora: User, bob: User, charlie: User
) -> None:
    clients = [client_of(user) for user in (alice, dora, bob, charlie, None)]
    for path in READS:
        asked = f"{BASE}/{path.format(case=case.pk)}"
        assert [client.get(asked).status_code for client in clients] == [200, 200, 403, 404, 401], path


WRITES = [
    ("patch", "settings", {"sample_percent": 7}, 200),
    ("post", "next", {}, 200),
    ("post", "cases/{case}/lease", {}, 200),
    ("delete", "cases/{case}/lease", {}, 204),
    ("post", "cases/{case}/decisions", {"action": "dismiss"}, 200),
    ("post", "decisions", {"action": "ask_more", "cases": [1]}, 200),
    ("post", "undo", {"token": "none"}, 400),
    ("post", "gate/1/release", {}, 404),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "path", "sent", "status"), WRITES)
def test_only_reviewers_change_the_queue(
    client_of: Clients, case: ReviewCase, alice: User, dora: User, bob: User, charlie: User,
    method: str, path: str, sent: dict[str, object], status: int,
) -> None:  # fmt: skip
    asked = f"{BASE}/{path.format(case=case.pk)}"
    if path.startswith("gate"):
        asked = asked.replace("/1/", f"/{alice.pk}/")
    refused = [getattr(client_of(user), method)(asked, sent, "json").status_code for user in (bob, charlie, None)]
    assert refused == [403, 404, 401]
    assert getattr(client_of(dora), method)(asked, sent, "json").status_code == status


@pytest.mark.nightly
def test_a_case_of_another_project_is_not_found(client_of: Clients, case: ReviewCase, charlie: User) -> None:
    elsewhere = f"/api/v1/projects/elsewhere/review/cases/{case.pk}"
    client = client_of(charlie)
    assert client.get(elsewhere).status_code == 404
    assert client.post(f"{elsewhere}/lease").status_code == 404
    assert client.post(f"{elsewhere}/decisions", {"action": "dismiss"}, "json").status_code == 404
    many = {"action": "settle", "cases": [case.pk], "label": "good"}
    answer = client.post("/api/v1/projects/elsewhere/review/decisions", many, "json").json()
    assert (answer["n_done"], [refused["code"] for refused in answer["refused"]]) == (0, ["no_such_case"])
