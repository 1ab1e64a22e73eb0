"""A project full of pages with hidden controls among ordinary pairs, in either direction, and who judges them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice

import pytest
import time_machine

from backend.annotation.building import build_hits, build_query_hits
from backend.annotation.models import Standing
from backend.candidates.queries import add_query
from backend.catalogue.models import Query
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs.models import Run
from hidden_pages import caption, make_controls, new_caption, new_images
from hidden_world import N_CONTROLS, N_SUBJECTS, RATE, SIZES
from world import World


@pytest.fixture
def the_same_moment() -> Iterator[None]:
    """Addresses of pictures carry a time and are signed: at one moment the classifier sees the same bytes every day."""
    with time_machine.travel(datetime(2026, 3, 5, 10, tzinfo=UTC), tick=False):
        yield


@pytest.fixture
def draw() -> random.Random:
    return random.Random(5)


@pytest.fixture
def n_subjects() -> int:
    """Images, or queries, of the world."""
    return N_SUBJECTS


@pytest.fixture
def crowd(project: Project) -> list[User]:
    people = World(project).people(*(f"annotator-{number}" for number in range(4)))
    Project.objects.filter(pk=project.pk).update(
        control_rate=RATE, overlap=4, captions_per_hit=8, shuffles_options=True
    )
    project.refresh_from_db()
    late = World(project).people(*(f"late-{number}" for number in range(8)))
    Standing.objects.bulk_create(Standing(project=project, user=user, n_submitted=1) for user in late)
    return people


@pytest.fixture
def of_images(project: Project, crowd: list[User], draw: random.Random, n_subjects: int) -> list[User]:
    """Images with one to six captions and four controls each, in HITs."""
    images, controls, said = new_images(project, n_subjects), list[dict[str, str]](), set[str]()
    for image in images:
        texts = [caption(draw) for _ in range(draw.choice(SIZES))]
        World(project).captions(image, *dict.fromkeys(texts))
        controls += [{"image_id": image.key, "text": new_caption(draw, said)} for _ in range(N_CONTROLS)]
    make_controls(project, controls)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, images=images)
    return crowd


@pytest.fixture
def of_queries(project: Project, crowd: list[User], draw: random.Random, n_subjects: int) -> list[User]:
    """Queries with one to six images and four controls each, in HITs; no image goes with two of them."""
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images, controls = iter(new_images(project, (6 + N_CONTROLS) * n_subjects)), list[dict[str, str]]()
    for number in range(n_subjects):
        chosen = draw.sample(list(islice(images, 6 + N_CONTROLS)), draw.choice(SIZES) + N_CONTROLS)
        add_query(project=project, text=f"query {number}", images=[one.key for one in chosen[N_CONTROLS:]])
        controls += [{"image_id": image.key, "query": f"query {number}"} for image in chosen[:N_CONTROLS]]
    make_controls(project, controls)
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_query_hits(project=project, run=run, queries=list(Query.objects.filter(project=project)))
    return crowd


@pytest.fixture(params=["of_images", "of_queries"])
def people(request: pytest.FixtureRequest) -> list[User]:
    found: list[User] = request.getfixturevalue(request.param)
    return found
