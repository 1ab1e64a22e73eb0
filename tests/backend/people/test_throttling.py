"""Guessing passwords is slow, and nobody can be locked out by somebody elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from at_once import at_once
from backend.common.cached import SharedCache
from backend.people.models import User
from backend.people.services import create_token
from backend.people.throttles import SignInAddressThrottle, SignInPersonThrottle, WindowThrottle
from cast import PASSWORD

SESSION = "/api/v1/session"
WRONG = {"username": "bob", "password": "guess"}
MINUTE_START = timezone.now().replace(second=0, microsecond=0)


@pytest.fixture(autouse=True)
def three_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"sign_in_person": "3/minute", "sign_in_address": "8/minute", "sign_up": "2/hour", "password": "3/minute"}
    rates |= {"reset_person": "2/hour", "reset_address": "3/hour", "reset_link": "3/minute"}
    monkeypatch.setattr(WindowThrottle, "THROTTLE_RATES", rates)


def status_of(client: APIClient, body: dict[str, str] = WRONG, address: str = "192.0.2.1") -> int:
    return client.post(SESSION, body, REMOTE_ADDR=address).status_code


@time_machine.travel(MINUTE_START + timedelta(seconds=20), tick=False)
def test_the_fourth_guess_in_a_minute_waits(bob: User) -> None:
    client = APIClient()
    assert [status_of(client) for _ in range(3)] == [400, 400, 400]
    answer = client.post(SESSION, WRONG, REMOTE_ADDR="192.0.2.1")
    assert (answer.status_code, answer["Retry-After"]) == (429, "40")
    assert answer.json()["code"] == "too_many_requests"
    assert answer.json()["message"] == "You sent too many requests. Wait 40 seconds, then try again."


@time_machine.travel(MINUTE_START, tick=False)
def test_even_the_right_password_waits_its_turn(bob: User) -> None:
    client = APIClient()
    [status_of(client) for _ in range(3)]
    assert status_of(client, {"username": "bob", "password": PASSWORD}) == 429


def test_the_wait_ends_when_the_minute_does(bob: User) -> None:
    client = APIClient()
    with time_machine.travel(MINUTE_START, tick=False) as clock:
        [status_of(client) for _ in range(4)]
        clock.shift(59)
        assert status_of(client) == 429
        clock.shift(1)
        assert status_of(client) == 400


@time_machine.travel(MINUTE_START, tick=False)
def test_an_attacker_elsewhere_does_not_lock_bob_out_of_his_own_desk(bob: User) -> None:
    client = APIClient()
    assert [status_of(client, address="203.0.113.9") for _ in range(4)][-1] == 429
    assert status_of(client, {"username": "bob", "password": PASSWORD}, address="192.0.2.1") == 200


@time_machine.travel(MINUTE_START, tick=False)
def test_one_password_on_many_names_is_counted_by_address(db: None) -> None:
    client = APIClient()
    statuses = [status_of(client, {"username": f"name{number}", "password": "guess"}) for number in range(9)]
    assert statuses == [400] * 8 + [429]


@time_machine.travel(MINUTE_START, tick=False)
def test_another_spelling_of_the_name_is_no_further_try(bob: User) -> None:
    client = APIClient()
    statuses = [status_of(client, WRONG | {"username": name}) for name in ("bob", "BOB", "Bob", "\uff42ob")]
    assert statuses == [400, 400, 400, 429]


@time_machine.travel(MINUTE_START, tick=False)
def test_the_addresses_of_one_ipv6_network_are_one(bob: User) -> None:
    client = APIClient()
    statuses = [status_of(client, address=f"2001:db8:1:2::{number}") for number in range(1, 5)]
    assert statuses == [400, 400, 400, 429]
    assert status_of(client, address="2001:db8:1:3::1") == 400


@time_machine.travel(MINUTE_START, tick=False)
def test_a_made_up_forwarding_header_is_not_believed_without_proxies(bob: User) -> None:
    client = APIClient()
    send = {"REMOTE_ADDR": "203.0.113.9"}
    statuses = [
        client.post(SESSION, WRONG, headers={"X-Forwarded-For": f"192.0.2.{number}"}, **send).status_code
        for number in range(4)
    ]
    assert statuses[-1] == 429


@time_machine.travel(MINUTE_START, tick=False)
def test_behind_one_proxy_only_the_address_it_added_counts(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_settings, "NUM_PROXIES", 1)
    client = APIClient()

    def status(forwarded: str) -> int:
        return client.post(SESSION, WRONG, headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="10.0.0.1").status_code

    assert [status(f"192.0.2.{number}, 203.0.113.9") for number in range(4)][-1] == 429
    assert status("203.0.113.9, 198.51.100.7") == 400


def test_tries_sent_at_the_same_moment_are_all_counted() -> None:
    def one_try() -> bool:
        throttle = SignInAddressThrottle()
        return bool(throttle._count("at-once") <= throttle.num_requests)

    SignInAddressThrottle.cache.add("at-once", 0)
    allowed = at_once([one_try] * 20, needs_database=False)
    assert allowed.count(True) == 8


@time_machine.travel(MINUTE_START, tick=False)
def test_a_redis_cache_counts_the_same(bob: User, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = SharedCache(redis_url, {"KEY_PREFIX": "throttle-test"})
    cache.clear()
    monkeypatch.setattr(WindowThrottle, "cache", cache)
    client = APIClient()
    assert [status_of(client) for _ in range(4)] == [400, 400, 400, 429]
    cache.close()


def test_while_redis_is_away_nobody_guesses_uncounted(bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WindowThrottle, "cache", SharedCache("redis://127.0.0.1:1/0", {}))
    answer = APIClient().post(SESSION, {"username": "bob", "password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "sessionid" not in answer.cookies


@time_machine.travel(MINUTE_START, tick=False)
def test_guessing_the_current_password_waits_too(client_of: Callable[..., APIClient], bob: User) -> None:
    client = client_of(bob)
    guess = {"current": "guess", "new": "a much better one"}
    statuses = [client.post("/api/v1/me/password", guess).status_code for _ in range(4)]
    assert statuses == [400, 400, 400, 429]


@time_machine.travel(MINUTE_START, tick=False)
def test_the_admins_own_sign_in_form_shares_the_count(bob: User) -> None:
    client, form = Client(), {"username": "bob", "password": "guess"}
    [status_of(APIClient(), address="127.0.0.1") for _ in range(2)]
    assert client.post("/admin/login/", form).status_code == 200
    answer = client.post("/admin/login/", form)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")


def test_opening_the_page_costs_no_try(bob: User) -> None:
    client = APIClient()
    assert {client.get(SESSION).status_code for _ in range(20)} == {200}


def test_the_shipped_rates_let_a_person_mistype_and_a_lab_sign_in() -> None:
    shipped = api_settings.DEFAULT_THROTTLE_RATES
    assert shipped[SignInPersonThrottle.scope] == "10/minute"
    assert shipped[SignInAddressThrottle.scope] == "60/minute"


def test_only_tries_are_counted(db: None, settings: object) -> None:
    settings.SIGN_UP_OPEN = True
    client, sign_up = APIClient(), "/api/v1/sign-up"
    for method in ("options", "get", "put", "delete"):
        assert [getattr(client, method)(sign_up).status_code for _ in range(3)].count(429) == 0, method
    assert [client.post(sign_up, {"username": ""}).status_code for _ in range(3)] == [400, 400, 429]


@pytest.fixture
def four_calls(settings: Any) -> None:
    settings.TOKEN_CALLS_PER_MINUTE, settings.SESSION_CALLS_PER_MINUTE = 4, 6


def with_token(user: User) -> APIClient:
    _, secret = create_token(user=user, name="bot")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


@time_machine.travel(MINUTE_START + timedelta(seconds=20), tick=False)
def test_a_program_that_calls_too_often_hears_when_to_go_on(four_calls: None, bob: User) -> None:
    client = with_token(bob)
    answers = [getattr(client, method)("/api/v1/me") for method in ("get", "head", "options", "put", "get")]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 405, 429]
    assert (answers[-1]["Retry-After"], answers[-1].json()["code"]) == ("40", "too_many_requests")
    assert answers[-1].json()["details"] == {"seconds": 40}


@time_machine.travel(MINUTE_START, tick=False)
def test_each_token_and_each_person_has_calls_of_their_own(
    four_calls: None, client_of: Callable[..., APIClient], bob: User, alice: User
) -> None:
    clients = [with_token(bob), with_token(bob), client_of(bob), client_of(alice)]
    allowed = [[client.get("/api/v1/me").status_code for _ in range(7)].count(200) for client in clients]
    assert allowed == [4, 4, 6, 6]


def test_the_next_minute_begins_anew_and_zero_is_no_limit(four_calls: None, bob: User, settings: Any) -> None:
    client = with_token(bob)
    with time_machine.travel(MINUTE_START, tick=False) as clock:
        assert [client.get("/api/v1/me").status_code for _ in range(5)] == [200] * 4 + [429]
        clock.shift(60)
        assert client.get("/api/v1/me").status_code == 200
        settings.TOKEN_CALLS_PER_MINUTE = 0
        assert {client.get("/api/v1/me").status_code for _ in range(9)} == {200}


def test_while_redis_is_away_calls_are_answered(four_calls: None, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = with_token(bob)
    monkeypatch.setattr(WindowThrottle, "cache", SharedCache("redis://127.0.0.1:1/0", {}))
    assert {client.get("/api/v1/me").status_code for _ in range(6)} == {200}
