"""Suggested edits of a page: whose they are, at which position, and that no control can be told by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.candidates.models import Candidate, text_digest
from backend.candidates.queries import add_query
from backend.candidates.suggesting import suggest_for_captions
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs import services
from backend.runs.ledger import Ledger
from backend.runs.models import Run
from suggestions import colours
from world import World

pytestmark = pytest.mark.django_db
NEXT = "/api/v1/projects/skies/assignments/next"
CHANCE = 0.1


def suggest(project: Project) -> None:
    run = Run.objects.create(project=project, stage="suggest_edits", parameters={"parser": "colours"}, seed=0)
    claimed = services.claim_run(run_id=str(run.pk))
    assert claimed is not None
    ledger = Ledger(claimed)
    suggest_for_captions(ledger=ledger, parse=colours, models_used={"colours": "0"})
    Run.objects.filter(pk=run.pk).update(status="succeeded")


def keep(image: Image, text: str) -> Candidate:
    return World(image.project).caption(image, text)


def build(project: Project, *images: Image) -> None:
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, subjects=list(images))


def asked(client: APIClient) -> tuple[dict[str, Any], Any]:
    """The page that this person is handed, and its suggestions."""
    page = client.post(NEXT).json()["assignment"]
    return page, client.get(f"/api/v1/assignments/{page['id']}/suggestions")


@pytest.fixture
def pier(project: Project, bob: User) -> Image:
    image = World(project).image("pier")
    keep(image, "A red sky over the hill")
    keep(image, "Nothing to repair here")
    build(project, image)
    return image


def test_suggestions_come_by_position_in_code_points_of_the_text(
    client_of: Callable[..., APIClient], bob: User, pier: Image, project: Project
) -> None:
    suggest(project)
    page, answer = asked(client_of(bob))
    assert answer.status_code == 200
    assert [item["position"] for item in answer.json()["items"]] == [item["position"] for item in page["items"]]
    by_text = {
        item["text"]: said["suggestions"] for item, said in zip(page["items"], answer.json()["items"], strict=True)
    }
    assert by_text["Nothing to repair here"] == []
    (red,) = by_text["A red sky over the hill"]
    assert {name: red[name] for name in ("kind", "start", "end", "before")} == {
        "kind": "color", "start": 0, "end": 5, "before": "A red",
    }  # fmt: skip
    assert len(red["options"]) == 10 and "A red" not in red["options"]


def test_only_who_holds_the_page_is_told(
    client_of: Callable[..., APIClient], bob: User, alice: User, charlie: User, pier: Image, project: Project
) -> None:
    suggest(project)
    page, _ = asked(client_of(bob))
    address = f"/api/v1/assignments/{page['id']}/suggestions"
    assert [client_of(who).get(address).status_code for who in (bob, alice, charlie)] == [200, 404, 404]
    assert APIClient().get(address).status_code == 401


def test_a_text_that_was_repaired_since_has_none_and_takes_those_of_its_neighbours(
    client_of: Callable[..., APIClient], bob: User, pier: Image, project: Project
) -> None:
    suggest(project)
    Candidate.objects.filter(text="Nothing to repair here").update(text="Nothing to repair there")
    _, answer = asked(client_of(bob))
    assert [item["suggestions"] for item in answer.json()["items"]] == [[], []]


def test_a_run_notes_what_it_looked_into_even_where_it_found_nothing(pier: Image, project: Project) -> None:
    suggest(project)
    assert all(one.suggested_digest == text_digest(one.text) for one in Candidate.objects.all())


def test_pictures_of_a_query_have_none(client_of: Callable[..., APIClient], bob: User, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images = World(project).images("pier", "lamp")
    query = add_query(project=project, text="A red sky", images=[image.key for image in images]).query
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, subjects=[query])
    _, answer = asked(client_of(bob))
    assert answer.json() == {"items": [{"position": at, "suggestions": []} for at in (1, 2)]}
