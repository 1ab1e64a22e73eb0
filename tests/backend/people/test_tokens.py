"""API tokens: shown once, kept as a digest, ended by time or by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from backend.people import services
from backend.people.models import ApiToken, User

Clients = Callable[..., APIClient]
TOKENS = "/api/v1/me/tokens"
ME = "/api/v1/me"


def bearing(secret: str, scheme: str = "Token") -> dict[str, str]:
    return {"Authorization": f"{scheme} {secret}"}


def test_a_token_is_shown_once_and_kept_as_a_digest(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    answer = client.post(TOKENS, {"name": "evaluation script"})
    assert answer.status_code == 201
    secret = answer.json()["token"]
    assert secret.startswith("connote_")
    assert secret.startswith(answer.json()["prefix"])
    listed = client.get(TOKENS)
    assert [token["name"] for token in listed.json()["results"]] == ["evaluation script"]
    assert secret not in listed.content.decode()
    kept = ApiToken.objects.values().get()
    assert secret not in str(kept)
    assert len(secret) > 8 + 40


def test_a_token_opens_the_api_without_csrf(bob: User) -> None:
    _, secret = services.create_token(user=bob, name="script")
    client = APIClient(enforce_csrf_checks=True)
    answer = client.patch(ME, {"display_name": "Bob's script"}, headers=bearing(secret))
    assert (answer.status_code, answer.json()["username"]) == (200, "bob")
    for scheme in ("token", "Bearer", "BEARER"):
        assert client.get(ME, headers=bearing(secret, scheme)).json()["username"] == "bob", scheme
    assert "sessionid" not in answer.cookies


@pytest.mark.parametrize("scheme", ["Token", "Bearer"])
@pytest.mark.parametrize("secret", ["", "connote_wrong", "connote_" + "a" * 43, "é", "a b c"])
def test_a_token_nobody_made_is_an_error_and_never_an_anonymous_caller(
    client_of: Clients, bob: User, secret: str, scheme: str
) -> None:
    answer = client_of(bob).get(ME, headers=bearing(secret, scheme))
    assert (answer.status_code, answer.json()["code"]) == (401, "token_not_valid")
    assert answer["WWW-Authenticate"] == "Token"
    assert "not valid any more" in answer.json()["message"]


def test_a_revoked_token_ends_at_once_and_leaves_the_list(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    made = client.post(TOKENS, {"name": "script"}).json()
    assert client.delete(f"{TOKENS}/{made['id']}").status_code == 204
    assert client_of().get(ME, headers=bearing(made["token"])).status_code == 401
    assert client.get(TOKENS).json()["results"] == []
    assert client.delete(f"{TOKENS}/{made['id']}").status_code == 404


def test_a_token_expires_on_the_second(bob: User) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        _, secret = services.create_token(user=bob, name="script", expires_in_days=1)
        clock.shift(timedelta(days=1) - timedelta(seconds=1))
        assert services.use_token(secret=secret)
        clock.shift(timedelta(seconds=2))
        assert services.use_token(secret=secret) is None
        assert not ApiToken.objects.get().is_live


def test_the_token_of_a_closed_account_opens_nothing(bob: User) -> None:
    _, secret = services.create_token(user=bob, name="script")
    User.objects.update(is_active=False)
    assert services.use_token(secret=secret) is None


def test_its_last_use_is_kept_to_the_minute(bob: User) -> None:
    _, secret = services.create_token(user=bob, name="script")
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        services.use_token(secret=secret)
        services.use_token(secret=secret)
        clock.shift(61)
        services.use_token(secret=secret)
        assert ApiToken.objects.get().last_used_at == timezone.now()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 81},
        {"name": "x", "expires_in_days": 0},
        {"name": "x", "expires_in_days": "soon"},
        {"name": "x", "expires_in_days": 10**9},
    ],
    ids=str,
)
def test_a_token_that_makes_no_sense_is_refused(client_of: Clients, bob: User, body: dict[str, object]) -> None:
    assert client_of(bob).post(TOKENS, body).status_code == 400
    assert not ApiToken.objects.exists()


def test_a_token_makes_lists_and_ends_no_tokens(client_of: Clients, bob: User) -> None:
    token, secret = services.create_token(user=bob, name="leaked")
    client, header = client_of(), bearing(secret)
    answers = [
        client.get(TOKENS, headers=header),
        client.post(TOKENS, {"name": "another"}, headers=header),
        client.delete(f"{TOKENS}/{token.pk}", headers=header),
    ]
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert ApiToken.objects.count() == 1
