"""Suggested edits over HTTP: beside their captions, by kind, of the text as it stands, for reviewers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.candidates.models import Candidate, SuggestedEdit, text_digest
from backend.catalogue.models import Image
from backend.people.models import User

Clients = Callable[..., APIClient]
Adder = Callable[..., Candidate]


def suggest(candidate: Candidate, *places: tuple[str, str, list[str]]) -> None:
    """(kind, what stands there, options), in the order of their places."""
    for position, (kind, before, options) in enumerate(places):
        start = candidate.text.index(before)
        SuggestedEdit.objects.create(
            candidate=candidate, position=position, start=start, end=start + len(before), kind=kind, before=before,
            options=options, text_digest=text_digest(candidate.text),
        )  # fmt: skip


@pytest.fixture
def pool(make_images: Callable[..., list[Image]], add_caption: Adder) -> list[Candidate]:
    """A caption with three suggestions, one with one, one with none, one that was dropped."""
    [image] = make_images("harbour")
    texts = ("🎉 Ada sees two red foxes", "Ada waits", "Nobody waits")
    kept = [add_caption(image, text, text=text, status="kept") for text in texts]
    suggest(kept[0], ("person", "Ada", ["<person>"]), ("number", "two", []), ("color", "red", ["blue", "green"]))
    suggest(kept[1], ("person", "Ada", ["<person>"]))
    return [*kept, add_caption(image, "Ada", status="dropped", drop_rule="too_short")]


def address_of(pool: list[Candidate], more: str = "") -> str:
    return f"/api/v1/projects/skies/images/{pool[0].image_id}/candidates{more}"


def rows(client: APIClient, address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(address).json()["results"]
    return found


def test_a_caption_comes_with_its_suggestions_in_their_order(
    client_of: Clients, alice: User, pool: list[Candidate]
) -> None:
    first, second, *others = rows(client_of(alice), address_of(pool))
    assert first["suggestions"] == [
        {"kind": "person", "start": 2, "end": 5, "before": "Ada", "options": ["<person>"]},
        {"kind": "number", "start": 11, "end": 14, "before": "two", "options": []},
        {"kind": "color", "start": 15, "end": 18, "before": "red", "options": ["blue", "green"]},
    ]
    assert len(second["suggestions"]) == 1
    assert [other["suggestions"] for other in others] == [[], []]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("suggests=person", [0, 1]),
        ("suggests=color", [0]),
        ("suggests=location", []),
        ("suggests=person&text=waits", [1]),
        ("suggests=", [0, 1, 2, 3]),
    ],
)
def test_a_pool_is_narrowed_to_a_kind_of_suggestion(
    client_of: Clients, alice: User, pool: list[Candidate], asked: str, found: list[int]
) -> None:
    asked_for = rows(client_of(alice), address_of(pool, f"?{asked}"))
    assert [row["id"] for row in asked_for] == [pool[place].pk for place in found]


@pytest.mark.parametrize("kind", ["other", "colour", "1"])
def test_a_kind_that_nothing_suggests_is_refused(
    client_of: Clients, alice: User, pool: list[Candidate], kind: str
) -> None:
    answer = client_of(alice).get(address_of(pool, f"?suggests={kind}"))
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["suggests"])


def test_the_summary_counts_the_captions_of_each_kind(client_of: Clients, alice: User, pool: list[Candidate]) -> None:
    summary = client_of(alice).get(address_of(pool, "/summary")).json()
    assert summary["suggests"] == {"color": 1, "number": 1, "person": 2}


def test_what_was_found_in_an_older_text_is_neither_shown_nor_found_nor_counted(
    client_of: Clients, alice: User, pool: list[Candidate]
) -> None:
    Candidate.objects.filter(pk=pool[0].pk).update(text="Ada sees two red foxes")
    client = client_of(alice)
    assert [len(row["suggestions"]) for row in rows(client, address_of(pool))] == [0, 1, 0, 0]
    assert [row["id"] for row in rows(client, address_of(pool, "?suggests=person"))] == [pool[1].pk]
    assert client.get(address_of(pool, "/summary")).json()["suggests"] == {"person": 1}


def test_a_caption_that_is_dropped_shows_no_suggestion_and_restored_shows_them_again(
    client_of: Clients, dora: User, pool: list[Candidate]
) -> None:
    client, address = client_of(dora), f"/api/v1/projects/skies/candidates/{pool[1].pk}"
    assert client.post(f"{address}/drop", {}, format="json").json()["suggestions"] == []
    assert len(client.post(f"{address}/restore", {}, format="json").json()["suggestions"]) == 1


@pytest.mark.parametrize(("who", "status"), [("bob", 403), ("charlie", 404), (None, 401)])
def test_only_reviewers_of_the_project_see_them(
    client_of: Clients, pool: list[Candidate], request: pytest.FixtureRequest, who: str | None, status: int
) -> None:
    client = client_of(request.getfixturevalue(who)) if who else APIClient()
    assert client.get(address_of(pool, "?suggests=person")).status_code == status
