"""Signing in and out at the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.utils import timezone
from rest_framework.test import APIClient

from backend.catalogue.media import check_link, media_url
from backend.people.models import User
from backend.people.services import create_token
from cast import PASSWORD

Clients = Callable[..., APIClient]
SESSION = "/api/v1/session"
BOB = {"username": "bob", "password": PASSWORD}


@pytest.fixture
def browser() -> APIClient:
    """A browser that has opened the page, and is asked for its CSRF token like a real one."""
    client = APIClient(enforce_csrf_checks=True)
    client.get(SESSION)
    return client


def with_csrf(browser: APIClient) -> dict[str, str]:
    return {"X-CSRFToken": browser.cookies["csrftoken"].value}


def test_nobody_is_signed_in_at_first(client_of: Clients, db: None) -> None:
    answer = client_of().get(SESSION)
    assert (answer.status_code, answer.json()) == (
        200,
        {"user": None, "sign_up_open": False, "mails_passwords": False, "demo_roles": []},
    )
    assert "csrftoken" in answer.cookies
    assert "no-store" in answer["Cache-Control"]


def test_bob_signs_in_and_out(browser: APIClient, bob: User) -> None:
    answer = browser.post(SESSION, BOB, headers=with_csrf(browser))
    assert answer.status_code == 200
    assert answer.json()["user"] == {
        "id": bob.pk,
        "username": "bob",
        "email": "bob@example.org",
        "display_name": "",
        "is_staff": False,
        "preferences": {"theme": "system", "language": "system", "break_minutes": 50, "keys": {}},
    }
    assert browser.get(SESSION).json()["user"]["username"] == "bob"
    assert browser.delete(SESSION, headers=with_csrf(browser)).status_code == 204
    assert browser.get(SESSION).json()["user"] is None
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [{"password": "wrong"}, {"username": "nobody"}, {"username": "BOB"}, {"password": PASSWORD + " "}],
    ids=["password", "name", "case of the name", "a space behind"],
)
def test_wrong_credentials_all_sound_the_same(client_of: Clients, bob: User, wrong: dict[str, str]) -> None:
    answer = client_of().post(SESSION, BOB | wrong)
    assert (answer.status_code, answer.json()["code"]) == (400, "wrong_credentials")
    assert answer.json()["message"].startswith("This name and password do not match.")
    assert "sessionid" not in answer.cookies


def test_an_account_that_was_closed_does_not_open(client_of: Clients, make_user: Callable[..., User]) -> None:
    make_user("bob", is_active=False)
    assert client_of().post(SESSION, BOB).json()["code"] == "wrong_credentials"


def test_a_name_in_another_unicode_form_is_the_same(client_of: Clients, make_user: Callable[..., User]) -> None:
    make_user("zo\u00eb")
    answer = client_of().post(SESSION, {"username": "zoe\u0308", "password": PASSWORD})
    assert answer.json()["user"]["username"] == "zo\u00eb"


@pytest.mark.parametrize("body", [{}, {"username": "bob"}, {"username": ["bob"], "password": {}}, [], "bob", None])
def test_a_sign_in_without_name_and_password_says_which_is_missing(client_of: Clients, db: None, body: object) -> None:
    answer = client_of().post(SESSION, body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_signing_in_asks_for_the_csrf_token_of_the_anonymous(browser: APIClient, bob: User) -> None:
    answer = browser.post(SESSION, BOB)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    assert browser.get(SESSION).json()["user"] is None


def test_signing_out_asks_for_it_too(browser: APIClient, bob: User) -> None:
    browser.force_login(bob)
    assert browser.delete(SESSION).status_code == 403
    assert browser.get(SESSION).json()["user"]["username"] == "bob"


def test_signing_in_gives_a_new_session_and_a_new_csrf_token(browser: APIClient, bob: User) -> None:
    """So that whoever planted a session in this browser does not share it afterwards."""
    browser.force_login(bob)
    planted, old_token = browser.cookies["sessionid"].value, browser.cookies["csrftoken"].value
    browser.post(SESSION, BOB, headers=with_csrf(browser))
    assert browser.cookies["sessionid"].value != planted
    assert browser.cookies["csrftoken"].value != old_token
    assert not Session.objects.filter(session_key=planted).exists()


def test_signing_in_as_somebody_else_takes_nothing_along(browser: APIClient, alice: User, bob: User) -> None:
    browser.force_login(alice)
    session = browser.session
    session["secret"] = "of alice"
    session.save()
    assert browser.post(SESSION, BOB, headers=with_csrf(browser)).json()["user"]["username"] == "bob"
    assert "secret" not in browser.session


def test_a_token_is_no_way_to_a_session(client_of: Clients, bob: User) -> None:
    _, secret = create_token(user=bob, name="script")
    assert client_of().get(SESSION, headers={"Authorization": f"Token {secret}"}).json()["user"] is None


def test_the_session_cookie_is_closed_to_scripts_and_to_other_sites(client_of: Clients, bob: User) -> None:
    cookie = client_of().post(SESSION, BOB).cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_writes_of_a_signed_in_browser_need_the_csrf_token(browser: APIClient, bob: User) -> None:
    browser.force_login(bob)
    answer = browser.patch("/api/v1/me", {"display_name": "Mallory"})
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
    assert browser.patch("/api/v1/me", {"display_name": "Bob"}, headers=with_csrf(browser)).status_code == 200


def test_a_session_that_nobody_uses_ends(client_of: Clients, bob: User, settings: Any) -> None:
    settings.SESSION_COOKIE_AGE = 3600 * 72
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = client_of()
        client.post(SESSION, {"username": "bob", "password": PASSWORD})
        for _ in range(3):  # used every two days it goes on
            clock.shift(timedelta(days=2))
            assert client.get("/api/v1/me").status_code == 200
        clock.shift(timedelta(hours=72, seconds=1))
        assert client.get("/api/v1/me").status_code == 401


def test_a_person_was_last_seen_when_they_last_used_the_site(client_of: Clients, bob: User) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = client_of()
        client.post(SESSION, BOB)
        signed_in = timezone.now()
        assert User.objects.get(username="bob").seen_at == signed_in
        clock.shift(timedelta(days=1))
        assert client.get("/api/v1/me").status_code == 200
        seen = User.objects.get(username="bob")
        assert (seen.seen_at, seen.last_login) == (timezone.now(), signed_in)


def test_a_session_that_somebody_uses_ends_in_the_end(client_of: Clients, bob: User, settings: Any) -> None:
    settings.SESSION_COOKIE_AGE, settings.SESSION_DAYS = 3600 * 72, 14
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = client_of()
        client.post(SESSION, {"username": "bob", "password": PASSWORD})
        for _ in range(14):
            clock.shift(timedelta(days=1))
            assert client.get("/api/v1/me").status_code == 200
        clock.shift(timedelta(hours=1))
        assert client.get("/api/v1/me").status_code == 401
        assert client.get("/api/v1/me").status_code == 401


def test_a_new_secret_key_ends_no_session_while_the_earlier_one_is_kept(
    client_of: Clients, bob: User, settings: Any
) -> None:
    client, earlier = client_of(bob), settings.SECRET_KEY
    link = media_url("originals/aa/picture.jpg")
    query = dict(parse_qsl(urlsplit(link).query))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 40, [earlier]
    assert client.get("/api/v1/me").status_code == 200
    given = {"expires": query["expires"], "signature": query["signature"], "download_as": ""}
    assert check_link("originals/aa/picture.jpg", **given) > 0
    settings.SECRET_KEY_FALLBACKS = []
    assert client_of().get(link).status_code == 403
