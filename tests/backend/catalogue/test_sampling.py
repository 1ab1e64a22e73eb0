"""Samples over HTTP and in force: who may look, what is sent, and which images later stages take."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.annotation.hits import build_hits, images_to_judge
from backend.candidates.web_titles import estimate_web_titles
from backend.catalogue import sampling
from backend.catalogue.models import Image, Layout, Sample
from backend.catalogue.sampling import Facts, Place
from backend.catalogue.selectors import target_images
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from world import World, new_image

pytestmark = pytest.mark.django_db
ClientOf = Callable[[User | None], APIClient]
FACTS = Facts(
    k=2,
    n_left_out=0,
    is_everything=False,
    is_short=False,
    cover_radius=1.5,
    layout=Layout.UMAP,
    settings={"n_neighbors": 15, "min_dist": 0.1, "metric": "cosine", "seed": 3, "fit_at_most": 500_000},
    versions={"umap-learn": "0.5"},
    model="dots",
    model_digest="0" * 64,
)


def add_images(project: Project, n: int) -> list[Image]:
    Image.objects.bulk_create((new_image(project, f"p{i}", title=f"Title {i}") for i in range(n)), batch_size=1000)
    return list(Image.objects.filter(project=project).order_by("digest"))


def keep(
    project: Project,
    images: list[Image],
    n_picked: int = 2,
    layout: Sequence[tuple[float, float]] | None = None,
    **changes: Any,
) -> Sample:
    """A sample that picked the first `n_picked` of `images` in their order."""
    layout = layout or [(n / 3, -n / 7) for n in range(len(images))]
    run = Run.objects.create(project=project, stage="sample", status=RunStatus.SUCCEEDED)
    places = [
        Place(image.digest, x, y, n + 1 if n < n_picked else None, n * 0.5 if n else None)
        for n, (image, (x, y)) in enumerate(zip(images, layout, strict=True))
    ]
    return sampling.keep_sample(run=run, facts=Facts(**vars(FACTS) | changes), places=places)


@pytest.fixture
def images(project: Project) -> list[Image]:
    return add_images(project, 5)


@pytest.fixture
def sample(project: Project, images: list[Image]) -> Sample:
    return keep(project, images)


def test_points_come_in_columns_with_what_was_left_as_null(
    sample: Sample, images: list[Image], client_of: ClientOf, dora: User
) -> None:
    points = client_of(dora).get(f"/api/v1/samples/{sample.pk}/points").json()
    rows = dict(zip(points["images"], zip(points["x"], points["y"], points["positions"], strict=True), strict=True))
    assert [rows[image.pk] for image in images] == [
        (0.0, 0.0, 1), (0.3333, -0.1429, 2), (0.6667, -0.2857, None), (1.0, -0.4286, None), (1.3333, -0.5714, None),
    ]  # fmt: skip


def test_a_browser_that_holds_the_points_is_sent_nothing(sample: Sample, client_of: ClientOf, alice: User) -> None:
    client, address = client_of(alice), f"/api/v1/samples/{sample.pk}/points"
    tag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.nightly
def test_25_000_points_come_at_once_under_a_megabyte(project: Project, client_of: ClientOf, dora: User) -> None:
    many = add_images(project, 25_000)
    layout = np.random.default_rng(0).normal(size=(25_000, 2)) * 9
    sample = keep(project, many, n_picked=5000, layout=layout.tolist())
    client = client_of(dora)
    answer = client.get(f"/api/v1/samples/{sample.pk}/points")
    assert len(answer.json()["images"]) == 25_000
    assert len(gzip.compress(answer.content, 6)) < 1_000_000


def test_picks_come_in_order_with_their_distances_and_pictures(
    sample: Sample, images: list[Image], client_of: ClientOf, dora: User
) -> None:
    first = client_of(dora).get(f"/api/v1/samples/{sample.pk}/picks?limit=1").json()
    second = client_of(dora).get(first["next"]).json()
    (one,), (two,) = first["results"], second["results"]
    assert (one["position"], one["distance"], one["image"]["key"]) == (1, None, images[0].key)
    assert (two["position"], two["distance"], two["image"]["title"]) == (2, 0.5, images[1].title)
    assert two["image"]["thumbnail"]["small"]["url"].startswith("/media/p0-s.webp?")
    assert second["next"] is None


def test_a_sample_says_what_it_was_made_with(sample: Sample, client_of: ClientOf, dora: User) -> None:
    (listed,) = client_of(dora).get("/api/v1/projects/skies/samples").json()
    assert listed == client_of(dora).get(f"/api/v1/samples/{sample.pk}").json()
    assert (listed["k"], listed["n_images"], listed["n_picked"], listed["in_force_since"]) == (2, 5, 2, None)
    assert listed["settings"] == {"n_neighbors": 15, "min_dist": 0.1, "metric": "cosine", "seed": 3}
    assert (listed["run"], listed["digest"]) == (str(sample.run_id), sample.digest)


ADDRESSES = ("", "/points", "/picks")


def test_reviewers_look_annotators_may_not_and_strangers_find_nothing(
    sample: Sample, client_of: ClientOf, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for address in ["/api/v1/projects/skies/samples", *(f"/api/v1/samples/{sample.pk}{end}" for end in ADDRESSES)]:
        seen = [client_of(user).get(address).status_code for user in (alice, dora, bob, charlie, None)]
        assert seen == [200, 200, 403, 404, 401], address
    assert client_of(alice).get("/api/v1/samples/999999").status_code == 404


@pytest.mark.nightly
@pytest.mark.parametrize("verb", ["put-in-force", "lift"])
def test_only_a_curator_puts_a_sample_in_force_or_lifts_it(
    verb: str, sample: Sample, client_of: ClientOf, alice: User, dora: User, bob: User, charlie: User
) -> None:
    address = f"/api/v1/samples/{sample.pk}/{verb}"
    seen = [client_of(user).post(address).status_code for user in (alice, dora, bob, charlie, None)]
    assert seen == [200, 403, 403, 404, 401]


def test_in_force_later_stages_take_the_picks_alone_and_lifted_all_again(
    sample: Sample, project: Project, images: list[Image], client_of: ClientOf, alice: User
) -> None:
    assert list(target_images(project=project)) == images
    answer = client_of(alice).post(f"/api/v1/samples/{sample.pk}/put-in-force").json()
    assert answer["in_force_since"]
    assert list(target_images(project=project)) == images[:2]
    assert estimate_web_titles(project=project).n_to_ask == 2
    assert client_of(alice).post(f"/api/v1/samples/{sample.pk}/put-in-force").json() == answer
    assert client_of(alice).post(f"/api/v1/samples/{sample.pk}/lift").json()["in_force_since"] is None
    assert list(target_images(project=project)) == images


def test_one_sample_is_in_force_at_a_time_and_another_project_has_its_own(
    sample: Sample, project: Project, images: list[Image], alice: User
) -> None:
    other = keep(project, images[::-1], n_picked=3)
    sampling.put_in_force(sample=sample)
    sampling.put_in_force(sample=other)
    assert [one.pk for one in Sample.objects.exclude(in_force_since=None)] == [other.pk]
    assert list(target_images(project=project)) == images[2:]
    elsewhere = Project.objects.create(slug="plains", name="Plains", created_by=alice)
    (lone,) = add_images(elsewhere, 1)
    assert list(target_images(project=elsewhere)) == [lone]


def test_an_image_that_is_in_a_hit_is_not_taken_out_by_a_sample(
    sample: Sample, project: Project, images: list[Image]
) -> None:
    run = Run.objects.create(project=project, stage="build_hits", status=RunStatus.RUNNING)
    World(project).caption(images[4], "What it may mean")
    assert build_hits(project=project, run=run, subjects=[images[4]]).n_hits == 1
    sampling.put_in_force(sample=sample)
    assert list(images_to_judge(project=project)) == [*images[:2], images[4]]


def test_equal_points_digest_alike_and_keeping_a_run_twice_keeps_one_sample(
    sample: Sample, project: Project, images: list[Image]
) -> None:
    assert keep(project, images).digest == sample.digest
    assert keep(project, images, n_picked=3).digest != sample.digest
    places = [Place(image.digest, 0.0, 1.0, None, 2.0) for image in images]
    again = sampling.keep_sample(run=sample.run, facts=FACTS, places=places)
    assert Sample.objects.filter(run=sample.run).get() == again
    assert again.points.count() == 5


def test_an_image_that_went_meanwhile_has_no_point_and_is_no_fault(project: Project, images: list[Image]) -> None:
    images[3].delete()
    assert keep(project, images).points.count() == 4


def test_a_sample_without_points_is_sent_as_empty_columns(project: Project, client_of: ClientOf, dora: User) -> None:
    empty = keep(project, [])
    points = client_of(dora).get(f"/api/v1/samples/{empty.pk}/points").json()
    assert points == {"images": [], "x": [], "y": [], "positions": []}


def test_samples_are_as_in_their_examples(example: Examples, sample: Sample, client_of: ClientOf, alice: User) -> None:
    client, own = client_of(alice), f"samples/{sample.pk}"
    example("projects_samples_list", client.get, "projects/skies/samples")
    example("samples_retrieve", client.get, own)
    example("samples_points_retrieve", client.get, f"{own}/points")
    example("samples_picks_list", client.get, f"{own}/picks")
    example("samples_put_in_force_create", client.post, f"{own}/put-in-force")
    example("samples_lift_create", client.post, f"{own}/lift")
