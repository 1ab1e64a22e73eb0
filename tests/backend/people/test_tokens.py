"""API tokens: shown once, kept as a digest, ended by time or by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from backend.people import services
from backend.people.models import ApiToken, RightsAction, RightsRecord, User
from backend.projects.models import Membership, Project, Role
from backend.runs.models import Run
from cast import PASSWORD

Clients = Callable[..., APIClient]
TOKENS = "/api/v1/me/tokens"
ME = "/api/v1/me"
SKIES = "/api/v1/projects/skies"
SCHEMA = Path(__file__).resolve().parents[3] / "frontend" / "schema.json"


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
    answer = client.post("/api/v1/projects", {}, headers=bearing(secret))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
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


def test_a_token_does_not_change_the_profile(client_of: Clients, bob: User) -> None:
    """With the e-mail it could ask for a new password, and take the account."""
    _, secret = services.create_token(user=bob, name="leaked")
    answer = client_of().patch(ME, {"email": "thief@example.org"}, headers=bearing(secret))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_by_token")
    assert client_of(bob).patch(ME, {"email": "new@example.org"}).status_code == 200


def test_a_token_that_reads_changes_nothing(client_of: Clients, project: Project, alice: User) -> None:
    _, secret = services.create_token(user=alice, name="report", is_read_only=True)
    client, header = client_of(), bearing(secret)
    assert client.get(SKIES, headers=header).status_code == 200
    refused = client.patch(SKIES, {"version": 1, "name": "X"}, headers=header)
    assert (refused.status_code, refused.json()["code"]) == (403, "token_reads_only")


@pytest.fixture
def two_projects(project: Project, alice: User, bob: User) -> list[Run]:
    """alice curates both, bob annotates in both; a run in each."""
    other = Project.objects.create(slug="seas", name="Seas", created_by=alice)
    Membership.objects.create(project=other, user=alice, role=Role.CURATOR)
    Membership.objects.create(project=other, user=bob, role=Role.ANNOTATOR)
    return [Run.objects.create(project=each, stage="clean") for each in (project, other)]


def test_a_token_for_releases_reads_them_and_nothing_else(client_of: Clients, project: Project, alice: User) -> None:
    made = client_of(alice).post(TOKENS, {"name": "training", "is_for_releases": True}).json()
    assert (made["is_for_releases"], made["is_read_only"]) == (True, True)
    client, asks = APIClient(), {"headers": bearing(made["token"])}
    assert client.get(f"{SKIES}/releases", **asks).json()["results"] == []
    for address in (ME, "/api/v1/projects", SKIES, f"{SKIES}/controls", f"{SKIES}/members", f"{SKIES}/webhooks"):
        answer = client.get(address, **asks)
        assert (answer.status_code, answer.json()["code"]) == (403, "token_for_releases"), address
    assert client.post(f"{SKIES}/runs", {"stage": "release"}, **asks).json()["code"] == "token_reads_only"


def test_a_token_for_one_project_opens_no_other(client_of: Clients, two_projects: list[Run], alice: User) -> None:
    _, secret = services.create_token(user=alice, name="skies alone", project="skies")
    client, header = client_of(), bearing(secret)
    own, others = two_projects
    assert client.get(SKIES, headers=header).status_code == 200
    assert client.get("/api/v1/projects/seas", headers=header).status_code == 404
    assert [row["slug"] for row in client.get("/api/v1/projects", headers=header).json()["results"]] == ["skies"]
    assert client.get(f"/api/v1/runs/{own.pk}", headers=header).status_code == 200
    assert client.get(f"/api/v1/runs/{others.pk}", headers=header).status_code == 404
    assert client_of(alice).get(f"/api/v1/runs/{others.pk}").status_code == 200


GET_OF_SEAS = [
    path for path, methods in json.loads(SCHEMA.read_text())["paths"].items() if "{slug}" in path and "get" in methods
]


@pytest.mark.nightly
def test_no_address_of_another_project_answers_such_a_token(
    client_of: Clients, two_projects: list[Run], alice: User
) -> None:
    _, secret = services.create_token(user=alice, name="skies alone", project="skies")
    assert len(GET_OF_SEAS) > 50
    for path in GET_OF_SEAS:
        address = re.sub(r"\{(?!slug)\w+\}", "1", path).replace("{slug}", "seas")
        assert client_of().get(address, headers=bearing(secret)).status_code == 404, path


def test_a_token_for_one_project_does_not_annotate_by_the_id_of_a_page(
    client_of: Clients, two_projects: list[Run], bob: User
) -> None:
    _, secret = services.create_token(user=bob, name="skies alone", project="skies")
    refused = client_of().get(f"/api/v1/assignments/{uuid4()}", headers=bearing(secret))
    assert (refused.status_code, refused.json()["code"]) == (403, "token_of_one_project")


def test_a_token_is_only_for_a_project_of_its_owner(client_of: Clients, project: Project, charlie: User) -> None:
    for slug in ("skies", "nowhere"):
        refused = client_of(charlie).post(TOKENS, {"name": "x", "project": slug})
        assert (refused.status_code, refused.json()["code"]) == (400, "not_your_project")
    made = client_of(charlie).post(TOKENS, {"name": "x", "project": "elsewhere"}).json()
    assert (made["project"], made["is_read_only"]) == ("elsewhere", False)


def test_a_token_expires_unless_somebody_says_that_it_does_not(client_of: Clients, bob: User) -> None:
    client = client_of(bob)
    assert client.post(TOKENS, {"name": "usual"}).json()["expires_at"]
    assert client.post(TOKENS, {"name": "for ever", "expires_in_days": None}).json()["expires_at"] is None


@pytest.mark.parametrize("revokes", [True, False])
def test_a_changed_password_is_recorded_and_ends_tokens_where_the_person_wants_it(
    client_of: Clients, bob: User, revokes: bool
) -> None:
    _, secret = services.create_token(user=bob, name="script")
    body = {"current": PASSWORD, "new": "a long walk at dawn", "revoke_tokens": revokes}
    assert client_of(bob).post("/api/v1/me/password", body).status_code == 204
    assert (services.use_token(secret=secret) is None) == revokes
    entry = RightsRecord.objects.get(action=RightsAction.PASSWORD_CHANGED)
    assert (entry.actor, entry.subject, entry.after) == (bob, bob, {"tokens_revoked": int(revokes)})
