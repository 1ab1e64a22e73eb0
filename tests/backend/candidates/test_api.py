"""Candidates over HTTP: reviewers see them with their sources and drops, annotators and strangers do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project

Clients = Callable[..., APIClient]


@pytest.fixture
def pool(make_images: Callable[..., list[Image]], add_caption: Callable[..., Candidate]) -> list[Candidate]:
    """Of one image: a kept caption, a dropped one, a new one."""
    image, _ = make_images("skyline", "bare")
    return [
        add_caption(image, "A city under a red sky", status="kept", text="A city under a red sky", source_ref="17"),
        add_caption(image, "Untitled", status="dropped", drop_rule="too_short", drop_detail="1 word, 3 needed"),
        add_caption(image, "A red evening", source="web"),
    ]


@pytest.fixture
def addresses(pool: list[Candidate]) -> list[str]:
    image_id = pool[0].image_id
    return [
        f"/api/v1/projects/skies/images/{image_id}/candidates",
        f"/api/v1/projects/skies/images/counts?images={image_id}",
    ]


def test_curator_and_head_annotator_see_candidates_and_counts(
    client_of: Clients, alice: User, dora: User, addresses: list[str]
) -> None:
    assert {client_of(user).get(url).status_code for user in (alice, dora) for url in addresses} == {200}


def test_an_annotator_is_told_that_the_role_does_not_allow_it(
    client_of: Clients, bob: User, addresses: list[str]
) -> None:
    answers = [client_of(bob).get(url) for url in addresses]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(403, "only_reviewers")] * 2


def test_an_outsider_finds_nothing(client_of: Clients, charlie: User, addresses: list[str]) -> None:
    assert [client_of(charlie).get(url).status_code for url in addresses] == [404, 404]


def test_nobody_sees_anything_without_signing_in(client_of: Clients, addresses: list[str]) -> None:
    assert [client_of().get(url).status_code for url in addresses] == [401, 401]


def test_an_image_of_another_project_is_not_reached_through_ones_own(
    client_of: Clients, charlie: User, pool: list[Candidate]
) -> None:
    mine = f"/api/v1/projects/elsewhere/images/{pool[0].image_id}/candidates"
    assert client_of(charlie).get(mine).status_code == 404
    counts = client_of(charlie).get(f"/api/v1/projects/elsewhere/images/counts?images={pool[0].image_id}")
    assert (counts.status_code, counts.json()) == (200, [])


def test_a_candidate_shows_where_it_came_from_and_why_it_went(
    client_of: Clients, alice: User, addresses: list[str]
) -> None:
    kept, dropped, new = client_of(alice).get(addresses[0]).json()["results"]
    assert (kept["text"], kept["source"], kept["source_ref"], kept["status"]) == (
        kept["raw_text"],
        "human",
        "17",
        "kept",
    )
    assert (dropped["drop_rule"], dropped["drop_detail"], dropped["text"]) == ("too_short", "1 word, 3 needed", "")
    assert (new["source"], new["status"], new["drop_rule"]) == ("web", "new", "")


@pytest.mark.parametrize(("status", "n_found"), [("kept", 1), ("dropped", 1), ("new", 1)])
def test_candidates_are_narrowed_by_status(
    client_of: Clients, alice: User, addresses: list[str], status: str, n_found: int
) -> None:
    results = client_of(alice).get(f"{addresses[0]}?status={status}").json()["results"]
    assert [one["status"] for one in results] == [status] * n_found


def test_an_unknown_status_is_refused(client_of: Clients, alice: User, addresses: list[str]) -> None:
    answer = client_of(alice).get(f"{addresses[0]}?status=lost")
    assert (answer.status_code, answer.json()["code"], list(answer.json()["details"])) == (400, "invalid", ["status"])


def test_candidates_come_in_pages(client_of: Clients, alice: User, addresses: list[str]) -> None:
    client, seen, url = client_of(alice), [], f"{addresses[0]}?limit=2"
    while url:
        page = client.get(url).json()
        seen += [one["raw_text"] for one in page["results"]]
        url = page["next"]
    assert seen == ["A city under a red sky", "Untitled", "A red evening"]


def test_counts_come_in_the_order_asked_for_and_leave_out_what_is_not_there(
    client_of: Clients, alice: User, pool: list[Candidate]
) -> None:
    full, bare = Image.objects.order_by("id").values_list("id", flat=True)
    client = client_of(alice)
    answer = client.get(f"/api/v1/projects/skies/images/counts?images={bare},{full},999999,{bare}")
    assert answer.json() == [
        {"image": bare, "n_candidates": 0, "n_kept": 0},
        {"image": full, "n_candidates": 3, "n_kept": 1},
    ]


@pytest.mark.parametrize("images", ["", "one", "1,", "-1", "1;2", ",".join(["7"] * 20_000)])
def test_counts_of_nonsense_are_refused(client_of: Clients, alice: User, project: Project, images: str) -> None:
    answer = client_of(alice).get("/api/v1/projects/skies/images/counts", {"images": images})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_more_images_than_a_page_can_hold_are_refused(client_of: Clients, alice: User, project: Project) -> None:
    ids = ",".join(map(str, range(1, 502)))
    answer = client_of(alice).get("/api/v1/projects/skies/images/counts", {"images": ids})
    assert "at most 500" in answer.json()["message"]


def test_counters_count_any_number_of_projects_at_once(pool: list[Candidate], charlie: User) -> None:
    skies, elsewhere = Project.objects.get(slug="skies").pk, Project.objects.get(slug="elsewhere").pk
    counters = read_counters([skies, elsewhere])
    assert {name: counters[skies][name] for name in ("candidates", "kept", "new_candidates")} == {
        "candidates": 3,
        "kept": 1,
        "new_candidates": 1,
    }
    assert counters[elsewhere]["candidates"] == counters[elsewhere]["kept"] == 0
