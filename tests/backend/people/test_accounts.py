"""Making accounts, and changing their passwords."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.common.errors import InvalidInput
from backend.people import services
from backend.people.models import User
from cast import PASSWORD

Clients = Callable[..., APIClient]
SIGN_UP = "/api/v1/sign-up"
CHANGE = "/api/v1/me/password"
NEWCOMER = {"username": "emma", "email": "emma@example.org", "password": "a long walk at dawn"}


@pytest.fixture
def open_house(settings: object) -> None:
    settings.SIGN_UP_OPEN = True


def test_sign_up_is_closed_unless_a_setting_opens_it(client_of: Clients, db: None) -> None:
    answer = client_of().post(SIGN_UP, NEWCOMER)
    assert (answer.status_code, answer.json()["code"]) == (403, "sign_up_closed")
    assert "You need an invitation" in answer.json()["message"]
    assert not User.objects.exists()


def test_where_it_is_open_emma_is_in_at_once(client_of: Clients, open_house: None, db: None) -> None:
    client = client_of()
    answer = client.post(SIGN_UP, NEWCOMER)
    assert (answer.status_code, answer.json()["sign_up_open"]) == (201, True)
    assert client.get("/api/v1/me").json()["username"] == "emma"
    emma = User.objects.get()
    assert (emma.is_staff, emma.is_superuser, emma.memberships.count()) == (False, False, 0)


def test_sign_up_asks_for_the_csrf_token(open_house: None, db: None) -> None:
    answer = APIClient(enforce_csrf_checks=True).post(SIGN_UP, NEWCOMER)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": "bob"}, "username"),
        ({"username": "two words"}, "username"),
        ({"username": "<script>"}, "username"),
        ({"username": ""}, "username"),
        ({"username": "e" * 151}, "username"),
        ({"email": "nowhere"}, "email"),
        ({"password": "short"}, "password"),
        ({"password": "password123"}, "password"),
        ({"password": "emma@example.org"}, "password"),
        ({"password": ""}, "password"),
    ],
)
def test_an_account_that_would_not_do_says_which_field(
    client_of: Clients, open_house: None, bob: User, change: dict[str, str], field: str
) -> None:
    answer = client_of().post(SIGN_UP, NEWCOMER | change)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["details"]) == [field]
    assert User.objects.count() == 1


def test_a_name_taken_in_the_last_moment_is_refused_like_any_taken_name(
    make_user: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user("emma")
    monkeypatch.setattr(User, "full_clean", lambda self: None)  # as if it had looked before the other one wrote
    with pytest.raises(InvalidInput) as refused:
        services.create_account(**NEWCOMER)
    assert "username" in (refused.value.details or {})


def test_a_new_password_keeps_this_session_and_ends_the_others(client_of: Clients, bob: User) -> None:
    here, elsewhere = client_of(), client_of(bob)
    here.post("/api/v1/session", {"username": "bob", "password": PASSWORD})
    assert elsewhere.get("/api/v1/me").status_code == 200
    answer = here.post(CHANGE, {"current": PASSWORD, "new": "another walk at dusk"})
    assert answer.status_code == 204
    assert here.get("/api/v1/me").status_code == 200
    assert elsewhere.get("/api/v1/me").status_code == 401
    again = {"username": "bob", "password": "another walk at dusk"}
    assert client_of().post("/api/v1/session", again).status_code == 200


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"current": "guess", "new": "another walk at dusk"}, "wrong_password", "current"),
        ({"current": PASSWORD, "new": "12345678"}, "invalid", "new"),
        ({"current": PASSWORD}, "invalid", "new"),
    ],
)
def test_a_password_that_would_not_do_changes_nothing(
    client_of: Clients, bob: User, body: dict[str, str], code: str, field: str
) -> None:
    answer = client_of(bob).post(CHANGE, body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert list(answer.json()["details"]) == [field]
    bob.refresh_from_db()
    assert bob.check_password(PASSWORD)


def test_a_token_cannot_change_the_password(client_of: Clients, bob: User) -> None:
    _, secret = services.create_token(user=bob, name="script")
    body = {"current": PASSWORD, "new": "another walk at dusk"}
    answer = client_of().post(CHANGE, body, headers={"Authorization": f"Token {secret}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_by_token")
    assert answer.json()["message"] == "A token cannot do this. Sign in on the site."
