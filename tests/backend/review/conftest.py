"""A project whose review queue is switched off, to be switched on rule by rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.review.models import QueueState, ReviewSettings
from world import World

OFF: dict[str, Any] = {
    "first_assignments": 0, "sample_percent": 0, "ties": False, "low_agreement": False, "failed_controls": False,
    "comments": False, "edits": False, "generic": False, "policy_requests": False, "replies": False,
    "second_look_percent": 0,
}  # fmt: skip


@pytest.fixture
def switch(project: Project) -> Callable[..., None]:
    """Switch the queue's rules off but for these, and look at everything again."""

    def change(**rules: Any) -> None:
        ReviewSettings.objects.update_or_create(project=project, defaults=OFF | rules)
        QueueState.objects.filter(project=project).delete()

    return change


@pytest.fixture
def world(project: Project) -> World:
    """Two HITs of two captions each, with two places; and two controls."""
    world = World(project)
    world.add_hits(2, 2)
    world.add_controls(2)
    return world


@pytest.fixture
def erin(project: Project, make_user: Callable[..., User]) -> User:
    """A second head annotator."""
    erin = make_user("erin")
    Membership.objects.create(project=project, user=erin, role=Role.HEAD_ANNOTATOR)
    return erin


@pytest.fixture
def finn(project: Project, make_user: Callable[..., User]) -> User:
    """A second annotator."""
    finn = make_user("finn")
    Membership.objects.create(project=project, user=finn, role=Role.ANNOTATOR)
    return finn
