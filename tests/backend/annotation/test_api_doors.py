"""Who gets in: members judge, each sees their own pages only."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from backend.annotation.models import Hit, Judgment
from backend.people.models import User
from backend.projects.models import Project
from judging_api import ANSWERS, MY_STATE, NEXT, PROGRESS, send

Clients = Callable[..., APIClient]


ADDRESSES = [
    ("post", NEXT),
    ("get", PROGRESS),
    ("get", MY_STATE),
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


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_who_is_on_another_project_sees_nothing(
    client_of: Clients, charlie: User, page: str, method: str, address: str
) -> None:
    answer = knock(client_of(charlie), method, address, page)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "address"), OWN_ONLY)
@pytest.mark.parametrize("name", ["alice", "bob"])
def test_not_even_the_curator_opens_somebody_elses_page(
    client_of: Clients, submitted_page: str, method: str, address: str, name: str
) -> None:
    answer = knock(client_of(User.objects.get(username=name)), method, address, submitted_page)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert Judgment.objects.count() == 3


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "address"), ADDRESSES)
def test_who_left_the_project_is_outside_it(
    client_of: Clients, dora: User, project: Project, page: str, method: str, address: str
) -> None:
    project.memberships.filter(user=dora).delete()
    assert knock(client_of(dora), method, address, page).status_code == 404


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["alice", "bob", "dora"])
def test_every_member_may_judge(client_of: Clients, hit: Hit, name: str) -> None:
    client = client_of(User.objects.get(username=name))
    page = client.post(NEXT).json()["assignment"]["id"]
    assert client.get(f"/api/v1/assignments/{page}").status_code == 200
    assert send(client, page).status_code == 200
    assert client.get(PROGRESS).status_code == 200


def test_a_page_that_never_was_is_not_found(client_of: Clients, bob: User, project: Project) -> None:
    assert client_of(bob).get(f"/api/v1/assignments/{uuid4()}").status_code == 404
