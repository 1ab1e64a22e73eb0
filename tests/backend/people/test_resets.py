"""New passwords: by a link from a curator, by e-mail, by a command."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.test import APIClient

from backend.people import resets
from backend.people.models import RightsRecord, User
from backend.people.services import create_token, use_token
from backend.projects.models import Membership, Project
from cast import PASSWORD

Clients = Callable[..., APIClient]
MAIL, CHECK, CONFIRM = (f"/api/v1/password-reset{end}" for end in ("", "/check", "/confirm"))
SKIES = "/api/v1/projects/skies"
NEW = "a long walk at dawn"


def parts(link: str) -> dict[str, str]:
    uid, token = link.rpartition("#")[2].split(".")
    return {"uid": uid, "token": token}


def sign_in(password: str) -> int:
    return APIClient().post("/api/v1/session", {"username": "bob", "password": password}).status_code


@pytest.fixture
def post_office(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail server that keeps what it is sent, and a mailer that does not wait for another thread."""
    settings.EMAIL_HOST = "mail.example.org"
    monkeypatch.setattr(resets._mailer, "submit", lambda call, *given: call(*given))
    monkeypatch.setattr(resets, "close_old_connections", lambda: None)


def test_a_curators_link_sets_a_password_once(client_of: Clients, project: Project, alice: User, bob: User) -> None:
    member = Membership.objects.get(user=bob)
    made = client_of(alice).post(f"{SKIES}/members/{member.pk}/reset-link")
    assert (made.status_code, made.json()["username"]) == (201, "bob")
    link = parts(made.json()["url"])
    assert re.fullmatch(r"http://testserver/new-password#\w+\.[\w-]+", made.json()["url"])
    assert client_of().post(CHECK, link).json() == {"username": "bob"}
    assert client_of().post(CONFIRM, {**link, "password": NEW}).status_code == 204
    assert (sign_in(PASSWORD), sign_in(NEW)) == (400, 200)
    for door, body in ((CHECK, link), (CONFIRM, {**link, "password": "another long walk"})):
        spent = client_of().post(door, body)
        assert (spent.status_code, spent.json()["code"]) == (410, "reset_link_spent")


def test_it_ends_every_session_and_every_token(client_of: Clients, bob: User) -> None:
    client, (_, secret) = client_of(bob), create_token(user=bob, name="script")
    User.objects.filter(pk=bob.pk).update(last_login=None)
    bob.refresh_from_db()
    resets.reset_password(**parts(resets.path_of(bob)), password=NEW)
    assert client.get("/api/v1/me").status_code == 401
    assert use_token(secret=secret) is None


def test_of_two_uses_of_a_link_at_once_the_second_is_refused(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    link, find = parts(resets.path_of(bob)), resets.find_person

    def find_and_lose(**given: str) -> User:
        """Between the look at the link and the lock of the account, somebody else uses the link."""
        found = find(**given)
        monkeypatch.setattr(resets, "find_person", find)
        resets.reset_password(**link, password=NEW)
        return found

    monkeypatch.setattr(resets, "find_person", find_and_lose)
    with pytest.raises(resets.ResetLinkSpent):
        resets.reset_password(**link, password="another long walk")


def test_a_weak_password_leaves_the_link_open(client_of: Clients, bob: User) -> None:
    link = parts(resets.path_of(bob))
    refused = client_of().post(CONFIRM, {**link, "password": "short"})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["password"])
    assert client_of().post(CONFIRM, {**link, "password": NEW}).status_code == 204


def test_a_link_ends_with_its_time(client_of: Clients, bob: User) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        link = parts(resets.path_of(bob))
        clock.shift(resets.expiry())
        assert client_of().post(CHECK, link).status_code == 200
        clock.shift(timedelta(seconds=1))
        assert client_of().post(CHECK, link).status_code == 410


@pytest.mark.parametrize(
    ("uid", "token"),
    [("", ""), ("MQ", "x-y"), ("é", "a"), ("A" * 64, "b"), ("OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "c-d"), ("bm9uZQ", "e")],
)
def test_a_link_that_nobody_made_opens_nothing(client_of: Clients, bob: User, uid: str, token: str) -> None:
    assert client_of().post(CHECK, {"uid": uid, "token": token}).status_code in (400, 410)


def test_one_persons_link_is_not_anothers(client_of: Clients, bob: User, dora: User) -> None:
    mixed = {"uid": parts(resets.path_of(dora))["uid"], "token": parts(resets.path_of(bob))["token"]}
    assert client_of().post(CHECK, mixed).status_code == 410


@pytest.mark.parametrize(
    ("who", "status"), [("alice", 201), ("dora", 403), ("bob", 403), ("charlie", 404), (None, 401)]
)
def test_only_a_curator_makes_a_link(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, bob: User, charlie: User, who: str | None,
    status: int,
) -> None:  # fmt: skip
    member = Membership.objects.get(user=bob, project=project)
    client = client_of(request.getfixturevalue(who) if who else None)
    assert client.post(f"{SKIES}/members/{member.pk}/reset-link").status_code == status


def test_the_record_says_who_made_the_link_and_that_it_was_used(
    client_of: Clients, project: Project, alice: User, bob: User
) -> None:
    member = Membership.objects.get(user=bob)
    url = client_of(alice).post(f"{SKIES}/members/{member.pk}/reset-link").json()["url"]
    client_of().post(CONFIRM, {**parts(url), "password": NEW})
    told = client_of(alice).get(f"{SKIES}/history").json()["results"]
    assert [(row["action"], row["actor"] and row["actor"]["username"]) for row in told] == [
        ("password_reset", None),
        ("reset_link_made", "alice"),
    ]


def test_a_mail_brings_a_link_in_the_persons_language(
    client_of: Clients, bob: User, dora: User, post_office: None
) -> None:
    User.objects.filter(pk=dora.pk).update(preferences={"language": "de"})
    for who in ("bob@example.org", "DORA@example.org"):
        assert client_of().post(MAIL, {"email": who}).status_code == 202
    english, german = mail.outbox
    assert (english.to, german.to) == (["bob@example.org"], ["dora@example.org"])
    assert "Open this link" in english.body and "Öffne diesen Link" in german.body
    link = re.search(r"http://testserver/new-password#\S+", english.body)
    assert link and client_of().post(CHECK, parts(link[0])).json() == {"username": "bob"}


def test_the_language_of_the_browser_decides_where_the_person_has_chosen_none(
    client_of: Clients, bob: User, post_office: None
) -> None:
    client_of().post(MAIL, {"email": "bob@example.org"}, headers={"Accept-Language": "fr-FR, de-AT;q=0.8, en"})
    assert "Öffne" in mail.outbox[0].body


def test_the_answer_is_the_same_for_every_address(client_of: Clients, bob: User, dora: User, post_office: None) -> None:
    User.objects.filter(pk=dora.pk).update(is_active=False)
    told = [client_of().post(MAIL, {"email": who}) for who in ("bob@example.org", "dora@example.org", "no@example.org")]
    assert {(answer.status_code, answer.content) for answer in told} == {(202, b"")}
    assert [sent.to for sent in mail.outbox] == [["bob@example.org"]]


def test_an_account_without_a_password_gets_no_mail(client_of: Clients, bob: User, post_office: None) -> None:
    bob.set_unusable_password()
    bob.save()
    client_of().post(MAIL, {"email": "bob@example.org"})
    assert mail.outbox == []


def test_a_mail_server_that_fails_is_no_error_of_who_asked(
    client_of: Clients, bob: User, post_office: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise OSError("connection refused")

    monkeypatch.setattr(resets, "send_mail", fails)
    assert client_of().post(MAIL, {"email": "bob@example.org"}).status_code == 202
    assert "mail_not_sent" in caplog.text


def test_without_a_mail_server_the_site_says_whom_to_ask(client_of: Clients, bob: User) -> None:
    refused = client_of().post(MAIL, {"email": "bob@example.org"})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_mail_server")
    assert client_of().get("/api/v1/session").json()["mails_passwords"] is False


def test_the_command_prints_a_link(bob: User) -> None:
    out = StringIO()
    call_command("reset_link", "bob", "--site", "https://connote.example.org/", stdout=out, stderr=StringIO())
    link = out.getvalue().strip()
    assert link.startswith("https://connote.example.org/new-password#")
    assert resets.find_person(**parts(link)) == bob
    assert RightsRecord.objects.get().action == "reset_link_made"
    with pytest.raises(CommandError, match="no open account"):
        call_command("reset_link", "nobody")
