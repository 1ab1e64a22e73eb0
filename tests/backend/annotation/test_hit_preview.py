"""The preview of a HIT: for those who run the project, without a lease, an annotator state, a judgment or a control."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Assignment, Hit, Judgment, Slot
from backend.catalogue.models import Image
from backend.controls.imports import import_controls
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control
from judging_api import PROGRESS
from world import World

Clients = Callable[..., APIClient]
PREVIEW = "/api/v1/projects/skies/preview"


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [(None, 401, "not_signed_in"), ("bob", 403, "only_reviewers"), ("charlie", 404, "not_found")],
)
def test_no_stranger_and_no_annotator_sees_a_preview(
    client_of: Clients, hit: Hit, charlie: User, name: str | None, status: int, code: str
) -> None:
    answer = client_of(name and User.objects.get(username=name)).get(PREVIEW)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "pier" not in answer.content.decode()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["alice", "dora"])
def test_whoever_runs_the_project_sees_a_hit_and_nothing_comes_of_it(
    client_of: Clients, project: Project, hit: Hit, name: str
) -> None:
    import_controls(
        project=project, rows=[(1, {"image": "pier", "text": "A violin.", "accepted": "bad"})], made_by=None
    )
    Project.objects.update(control_rate=0.5)
    client = client_of(User.objects.get(username=name))
    for _ in range(2):
        shown = client.get(PREVIEW).json()["hit"]
    assert shown["image"]["thumbnail"]["large"]["url"]
    assert sorted(item["text"] for item in shown["items"]) == [f"pier caption {n}" for n in (1, 2, 3)]
    assert {item["label"] for item in shown["items"]} == {None}
    assert client.get(PROGRESS).status_code == 200
    assert Control.objects.count() == 1
    assert not Assignment.objects.exists() and not AnnotatorState.objects.exists() and not Judgment.objects.exists()
    assert not Slot.objects.exclude(assignment=None).exists()


@pytest.mark.nightly
def test_after_a_hit_comes_the_next_and_after_the_last_the_first(
    curator: APIClient, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    assert curator.get(PREVIEW).json() == {"hit": None}
    for key in ("pier", "quay", "mole"):
        add_image(key, 2)
    hits = [hit.pk for hit in build()]
    seen, after = [], 0
    for _ in range(4):
        after = curator.get(PREVIEW, {"after": after}).json()["hit"]["id"]
        seen.append(after)
    assert seen == [*hits, hits[0]]
    assert curator.get(PREVIEW, {"after": 2**63 - 1}).json()["hit"]["id"] == hits[0]
    for wrong in (-1, 2**63, "x"):
        assert curator.get(PREVIEW, {"after": wrong}).status_code == 400


def test_only_hits_of_the_project_are_shown(
    curator: APIClient, alice: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=alice)
    add_image("wreck", 2, into=other)
    build(other)
    assert curator.get(PREVIEW).json() == {"hit": None}


def test_of_a_query_the_images_are_shown(curator: APIClient, project: Project) -> None:
    world = World(project)
    world.hit(*world.query("solitude", world.images("pier", "lamp")))
    shown = curator.get(PREVIEW).json()["hit"]
    assert (shown["kind"], shown["query"], shown["image"]) == ("images_of_query", {"text": "solitude"}, None)
    pictures = [item["image"]["thumbnail"]["small"]["url"] for item in shown["items"]]
    assert ["pier-s.webp" in pictures[0], "lamp-s.webp" in pictures[1]] == [True, True]
