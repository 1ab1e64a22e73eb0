"""Demo accounts: one click signs in on the machine of the demo. Everywhere else nothing is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.people.models import User

SESSION = "/api/v1/session"
DEMO = "/api/v1/session/demo"


@pytest.fixture
def head(make_user: Callable[..., User]) -> User:
    """The demo's head annotator, without a password as the demo makes it."""
    user = make_user("head")
    user.set_unusable_password()
    user.save()
    return user


@pytest.fixture
def browser(db: None) -> APIClient:
    """A browser that is asked for its CSRF token like a real one."""
    client = APIClient(enforce_csrf_checks=True)
    client.get(SESSION)
    client.credentials(HTTP_X_CSRFTOKEN=client.cookies["csrftoken"].value)
    return client


@pytest.fixture
def demo(settings: Any) -> None:
    settings.DEMO = True


def test_in_demo_mode_one_click_signs_in(browser: APIClient, demo: None, head: User) -> None:
    assert browser.get(SESSION).json()["demo_roles"] == ["head_annotator"]
    answer = browser.post(DEMO, {"role": "head_annotator"})
    assert (answer.status_code, answer.json()["user"]["username"]) == (200, "head")
    assert browser.get(SESSION).json()["user"]["username"] == "head"


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_without_demo_mode_there_is_nothing(browser: APIClient, head: User, method: str) -> None:
    answer = getattr(browser, method)(DEMO, {"role": "head_annotator"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert browser.get(SESSION).json()["demo_roles"] == []
    assert browser.get(SESSION).json()["user"] is None


@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8::1", ""], ids=["IPv4", "IPv6", "a socket behind a proxy"])
def test_another_machine_finds_nothing_even_in_demo_mode(
    browser: APIClient, demo: None, head: User, address: str
) -> None:
    assert browser.post(DEMO, {"role": "head_annotator"}, REMOTE_ADDR=address).status_code == 404
    assert browser.get(SESSION, REMOTE_ADDR=address).json()["demo_roles"] == []


def test_a_page_of_another_site_cannot_sign_a_visitor_in(browser: APIClient, demo: None, head: User) -> None:
    browser.credentials()
    answer = browser.post(DEMO, {"role": "head_annotator"})
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


def test_an_account_with_a_password_is_a_persons_own(
    browser: APIClient, demo: None, make_user: Callable[..., User]
) -> None:
    make_user("curator")
    assert browser.get(SESSION).json()["demo_roles"] == []
    assert browser.post(DEMO, {"role": "curator"}).status_code == 404


def test_an_account_that_was_closed_is_not_offered(browser: APIClient, demo: None, head: User) -> None:
    User.objects.filter(pk=head.pk).update(is_active=False)
    assert browser.get(SESSION).json()["demo_roles"] == []
    assert browser.post(DEMO, {"role": "head_annotator"}).status_code == 404


@pytest.mark.parametrize("body", [{}, {"role": "staff"}, {"role": ["curator"]}, [], "curator"])
def test_a_role_that_the_demo_does_not_have_is_refused(browser: APIClient, demo: None, body: object) -> None:
    assert browser.post(DEMO, body).status_code == 400
