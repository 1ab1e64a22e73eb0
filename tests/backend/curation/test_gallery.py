"""The gallery: images by words, state and order, with their marks, for reviewers and nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.curation.models import Selection, SelectionItem, SelectionStatus
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import PairTally
from world import World

pytestmark = pytest.mark.both_engines

Clients = Callable[[User | None], APIClient]
GALLERY = "/api/v1/projects/skies/gallery"


@pytest.fixture
def world(project: Project, bob: User) -> World:
    """c.jpg is judged, with one caption in dispute and one chosen; a.jpg waits; b.jpg is in no task and too poor."""
    world = World(project)
    c, a, b = world.images("c.jpg", "a.jpg", "b.jpg")
    first, second = world.captions(c, "Fog over the Pier", "a quiet morning")
    world.captions(b, "a street_lamp")
    world.hit(c, [first, second])
    world.hit(a, world.captions(a, "two boats", "100% blue"))
    world.submit(bob, 0, ["good", "unsure"])
    PairTally.objects.create(candidate=second, project=project, n_good=1, n_bad=1, is_tie=True, entropy=1)
    chosen = Selection.objects.create(image=c, status=SelectionStatus.SELECTED, method="all", n_good=1)
    SelectionItem.objects.create(selection=chosen, candidate=first, position=1)
    Selection.objects.create(image=b, status=SelectionStatus.SHORT_POOL)
    return world


def test_words_state_and_order_choose_the_images(client_of: Clients, world: World, dora: User) -> None:
    client = client_of(dora)

    def keys(**asked: str) -> str:
        return " ".join(image["key"][0] for image in client.get(GALLERY, asked).json()["results"])

    assert (keys(), keys(sort="newest"), keys(sort="name"), keys(sort="disputes")) == (
        "c a b",
        "b a c",
        "a b c",
        "c a b",
    )
    assert (keys(q="fog over"), keys(q="A.JPG"), keys(q="100%"), keys(q="_"), keys(q="%%")) == ("c", "a", "a", "b", "")
    states = ("selected", "short_pool", "disputed", "unjudged", "in_no_task")
    assert [keys(state=state) for state in states] == ["c", "b", "c", "a", "b"]
    assert keys(state="disputed", q="boats") == ""
    assert client.get(GALLERY, {"state": "lovely"}).status_code == 400
    c, a = (image["id"] for image in client.get(GALLERY).json()["results"][:2])
    assert (keys(images=f"{a},{c}"), keys(images=str(a), q="fog"), keys(images="999999")) == ("c a", "", "")
    assert client.get(GALLERY, {"images": "a"}).status_code == 400


@pytest.mark.nightly
@pytest.mark.parametrize("sort", ["oldest", "newest", "name", "disputes"])
def test_pages_hold_each_image_once(client_of: Clients, world: World, dora: User, sort: str) -> None:
    client, found = client_of(dora), []
    address: str | None = f"{GALLERY}?limit=1&sort={sort}"
    while address:
        page = client.get(address).json()
        found += [image["key"] for image in page["results"]]
        address = page["next"]
    assert sorted(found) == ["a.jpg", "b.jpg", "c.jpg"]


def test_marks_are_those_of_the_images_asked_for(client_of: Clients, world: World, dora: User) -> None:
    images = list(world.project.images.order_by("id"))
    asked = ",".join(str(pk) for pk in [images[2].pk, images[0].pk, 999_999])
    assert client_of(dora).get(f"{GALLERY}/marks", {"images": asked}).json() == [
        {"image": images[2].pk, "n_selected": 0, "n_disputed": 0, "n_assignments": 0, "n_hits": 0},
        {"image": images[0].pk, "n_selected": 1, "n_disputed": 1, "n_assignments": 1, "n_hits": 1},
    ]


@pytest.mark.nightly
def test_only_reviewers_of_the_project_see_it(
    client_of: Clients, world: World, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for person, status in ((alice, 200), (dora, 200), (bob, 403), (charlie, 404), (None, 401)):
        assert client_of(person).get(GALLERY).status_code == status
        assert client_of(person).get(f"{GALLERY}/marks", {"images": "1"}).status_code == status


def test_the_gallery_is_as_in_its_examples(example: Examples, client_of: Clients, world: World, dora: User) -> None:
    client, own = client_of(dora), "projects/skies/gallery"
    [first, *_] = example("projects_gallery_list", client.get, own)["results"]
    example("projects_gallery_marks_list", client.get, f"{own}/marks?images={first['id']}")
