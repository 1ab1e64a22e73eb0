"""Votes and chosen captions over HTTP: for curators and head annotators, and for nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run

Clients = Callable[..., APIClient]


@pytest.fixture
def image(project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]) -> Image:
    opinion = lambda image, caption, person: "bad" if (caption, person) in ((0, 0), (1, 0), (1, 1)) else "good"  # noqa: E731
    make_judged(project, images=1, captions=7, opinion=opinion)
    run_stage(project, "consensus")
    return Image.objects.get(project=project)


def address(image: Image, what: str) -> str:
    return f"/api/v1/projects/skies/images/{image.pk}/{what}"


def test_reviewers_see_the_votes_on_every_caption(client_of: Clients, dora: User, image: Image) -> None:
    rows = client_of(dora).get(address(image, "votes")).json()["results"]
    assert [(row["label"], row["n_good"], row["n_bad"]) for row in rows[:3]] == [
        (None, 1, 1),
        ("bad", 0, 2),
        ("good", 2, 0),
    ]
    assert set(rows[0]) == {"candidate", "key", "text", "label", "n_good", "n_bad", "n_unsure"}


def test_votes_come_in_pages(client_of: Clients, alice: User, image: Image) -> None:
    client = client_of(alice)
    page = client.get(address(image, "votes"), {"limit": 4}).json()
    more = client.get(page["next"]).json()
    assert (len(page["results"]), len(more["results"]), more["next"]) == (4, 3, None)


def test_the_selection_is_null_until_select_ran_and_then_has_its_captions(
    client_of: Clients, alice: User, image: Image, project: Project, run_stage: Callable[..., Run]
) -> None:
    before = client_of(alice).get(address(image, "selection")).json()
    assert before == {"status": None, "method": "", "mean_similarity": None, "n_good": 0, "captions": []}
    run_stage(project, "select", k=3)
    after = client_of(alice).get(address(image, "selection")).json()
    assert (after["status"], after["method"], after["n_good"]) == ("selected", "exact", 5)
    assert [caption["position"] for caption in after["captions"]] == [1, 2, 3]
    assert set(after["captions"][0]) == {"position", "candidate", "key", "text"}


@pytest.mark.parametrize("what", ["votes", "selection"])
def test_only_reviewers_of_the_project_get_in(
    client_of: Clients, image: Image, alice: User, dora: User, bob: User, charlie: User, what: str
) -> None:
    statuses = [client_of(user).get(address(image, what)).status_code for user in (alice, dora, bob, charlie, None)]
    assert statuses == [200, 200, 403, 404, 401]


@pytest.mark.parametrize("what", ["votes", "selection"])
def test_an_image_of_another_project_is_not_found(client_of: Clients, image: Image, charlie: User, what: str) -> None:
    through_his_own = f"/api/v1/projects/elsewhere/images/{image.pk}/{what}"
    assert client_of(charlie).get(through_his_own).status_code == 404
