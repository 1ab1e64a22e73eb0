"""Images with kept captions, HITs over them, and how many threads may want them at the same moment."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.annotation.models import Assignment, Hit
from backend.annotation.submissions import submit_assignment
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.services import set_terms
from backend.runs.models import Run
from judging_api import NEXT
from pages_in_hand import JUDGED
from quizzes import Asks
from world import World


@pytest.fixture
def add_image(project: Project) -> Callable[..., Image]:
    """An image called `key` of the project, with `n` kept captions from the `start`th on."""

    def add(
        key: str = "pier", n: int = 3, *, start: int = 1, into: Project | None = None, status: str = "kept"
    ) -> Image:
        world = World(into or project)
        digest = hashlib.sha256(key.encode()).hexdigest()  # the same in every project
        image = world.project.images.filter(key=key).first() or world.image(key, digest=digest)
        world.captions(image, *(f"{key} caption {number}" for number in range(start, start + n)), status=status)
        return image

    return add


@pytest.fixture
def build(project: Project) -> Callable[..., list[Hit]]:
    """Build the HITs of the project's images; gives the HITs in their order."""

    def build_all(into: Project | None = None) -> list[Hit]:
        owner = into or project
        run = Run.objects.create(project=owner, stage="build_hits", seed=1, status="succeeded")
        build_hits(project=owner, run=run, subjects=list(Image.objects.filter(project=owner).order_by("digest")))
        return list(Hit.objects.filter(project=owner))

    return build_all


@pytest.fixture
def hit(add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> Hit:
    """One HIT of three captions, with two places."""
    add_image("pier", 3)
    return build()[0]


@pytest.fixture
def n_threads() -> int:
    """As many as PostgreSQL takes with ease; SQLite has one writer at a time, so four show as much."""
    return 32 if connection.vendor == "postgresql" else 4


@pytest.fixture
def page(client_of: Callable[..., APIClient], dora: User, hit: Hit) -> str:
    """The id of a page that dora holds."""
    return client_of(dora).post(NEXT).json()["assignment"]["id"]


@pytest.fixture
def submitted_page(page: str, dora: User) -> str:
    submit_assignment(assignment=Assignment.objects.get(pk=page), judgments=JUDGED, idempotency_key="one")
    return page


@pytest.fixture
def curator(client_of: Callable[..., APIClient], alice: User) -> APIClient:
    return client_of(alice)


@pytest.fixture
def image(add_image: Callable[..., Image]) -> Image:
    return add_image("pier", 3)


@pytest.fixture
def asks(project: Project, add_image: Callable[..., Image]) -> Asks:
    """`asks(n_items, **terms)`: a quiz over `n_items` controls, all of them good."""

    def make(n_items: int = 6, **terms: Any) -> None:
        for pair in add_image("quiz", n_items).candidates.all():
            World(project).control(pair, is_quiz=True, explanation=f"see {pair.text}")
        set_terms(project=project, version=0, passes_anew=False, changes={"n_questions": 3, **terms})

    return make
