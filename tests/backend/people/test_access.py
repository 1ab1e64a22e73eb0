"""What is each person's own is nobody else's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.people import services
from backend.people.models import ApiToken, User
from backend.projects.models import Project

Clients = Callable[..., APIClient]
CALLS = [
    ("get", "/api/v1/me", None),
    ("patch", "/api/v1/me", {"display_name": "X"}),
    ("post", "/api/v1/me/password", {}),
    ("get", "/api/v1/me/tokens", None),
    ("post", "/api/v1/me/tokens", {"name": "x"}),
    ("delete", "/api/v1/me/tokens/1", None),
]


@pytest.mark.parametrize(("method", "address", "body"), CALLS)
def test_the_anonymous_are_told_to_sign_in(
    client_of: Clients, db: None, method: str, address: str, body: dict | None
) -> None:
    answer = getattr(client_of(), method)(address, body)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("who", ["alice", "dora", "charlie"])
def test_bobs_tokens_are_bobs(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, bob: User, who: str
) -> None:
    token, _ = services.create_token(user=bob, name="bob's")
    client = client_of(request.getfixturevalue(who))
    assert client.get("/api/v1/me/tokens").json()["results"] == []
    assert client.delete(f"/api/v1/me/tokens/{token.pk}").status_code == 404
    assert ApiToken.objects.get().is_live


@pytest.mark.parametrize("who", ["alice", "bob", "dora", "charlie"])
def test_me_is_whoever_asks(request: pytest.FixtureRequest, client_of: Clients, project: Project, who: str) -> None:
    user = request.getfixturevalue(who)
    assert client_of(user).get("/api/v1/me").json()["username"] == who


def test_tokens_page_both_ways(client_of: Clients, bob: User) -> None:
    for number in range(5):
        services.create_token(user=bob, name=f"{number}")
    client = client_of(bob)
    first = client.get("/api/v1/me/tokens?limit=2").json()
    second = client.get(first["next"]).json()
    assert [token["name"] for token in second["results"]] == ["2", "1"]
    assert client.get(second["previous"]).json()["results"] == first["results"]
