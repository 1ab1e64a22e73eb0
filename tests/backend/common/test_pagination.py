"""Keyset pages: whatever stands in the address, the answer is a page or a 4xx."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest
from rest_framework.test import APIClient

from backend.people.models import ApiToken, User
from backend.people.services import create_token
from backend.projects.models import Project
from world import World

pytestmark = pytest.mark.both_engines

TOKENS = "/api/v1/me/tokens"


@pytest.fixture
def client(client_of: Callable[..., APIClient], bob: User) -> APIClient:
    for number in range(7):
        create_token(user=bob, name=f"{number}")
    return client_of(bob)


def names(answer: dict) -> list[str]:
    return [row["name"] for row in answer["results"]]


@pytest.mark.nightly
@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
def test_forwards_and_back_every_row_comes_once_in_order(client: APIClient, limit: int) -> None:
    pages = [client.get(f"{TOKENS}?limit={limit}").json()]
    while pages[-1]["next"]:
        pages.append(client.get(pages[-1]["next"]).json())
    assert [name for page in pages for name in names(page)] == ["6", "5", "4", "3", "2", "1", "0"]
    back = [pages[-1]]
    while back[-1]["previous"]:
        back.append(client.get(back[-1]["previous"]).json())
    assert sorted(name for page in back for name in names(page)) == ["0", "1", "2", "3", "4", "5", "6"]


def cursor(text: str) -> str:
    return quote(b64encode(text.encode()))


MADE_UP = ("p=apple", "p=\x00", "p=" + "9" * 40, "p=1.5", "p=é", "p=", "o=5&r=1", "o=-1", "=")


@pytest.mark.parametrize("bad", [*map(cursor, MADE_UP), "%%%", "x", "é", "%00"])
def test_a_cursor_somebody_made_up_is_never_our_failure(client: APIClient, bad: str) -> None:
    answer = client.get(f"{TOKENS}?cursor={bad}")
    assert answer.status_code in (200, 404)
    if answer.status_code == 404:
        assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("limit", ["0", "-1", "x", "", "1e9", "1.5", "%00", "%D9%A3"])
def test_a_limit_that_makes_no_sense_is_refused(client: APIClient, limit: str) -> None:
    answer = client.get(f"{TOKENS}?limit={limit}")
    assert (answer.status_code, answer.json()["code"]) == (400, "unfit_limit")
    assert answer.json()["message"] == "Set limit to a whole number from 1 to 500."


def test_no_limit_reaches_beyond_the_largest_page(bob: User, client_of: Callable[..., APIClient]) -> None:
    ApiToken.objects.bulk_create(ApiToken(user=bob, name=f"{n}", prefix="x", digest=f"{n}") for n in range(501))
    assert len(client_of(bob).get(f"{TOKENS}?limit=100000").json()["results"]) == 500
    assert len(client_of(bob).get(f"{TOKENS}?limit=99999999999999999999").json()["results"]) == 500


PLACES = (
    "[1]",
    "[1, 2, 3]",
    '["x", 1]',
    "[1, [2]]",
    "[1e999, 1]",
    "[NaN, 1]",
    "[null, null]",
    "7",
    "{}",
    "[0.5, 1e40]",
)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_of_several_keys_that_somebody_made_up_is_never_our_failure(
    client_of: Callable[..., APIClient], alice: User, project: Project, place: str
) -> None:
    image = World(project).image("one")
    address = (
        f"/api/v1/projects/skies/images/{image.pk}/candidates?sort=similarity&cursor={cursor('p=' + quote(place))}"
    )
    answer = client_of(alice).get(address)
    assert answer.status_code in (200, 404)
    if answer.status_code == 404:
        assert answer.json()["code"] == "not_found"
