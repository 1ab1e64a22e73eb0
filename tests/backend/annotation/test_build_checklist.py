"""What a curator looks at before tasks are built."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.annotation.models import Hit
from backend.catalogue.models import Image
from backend.forecast.checklist import CODES, count_new_tasks, get_checklist
from backend.people.models import User
from backend.projects.invitations import create_invitation
from backend.projects.models import Direction, Invitation, Project, Role
from backend.qualification.models import Qualification
from backend.runs.models import Run
from world import World

pytestmark = pytest.mark.django_db
PLACE = "/api/v1/projects/skies/hits/checklist"


def told(project: Project) -> dict[str, Any]:
    return {item.code: item for item in get_checklist(project=project)}


def settings(project: Project, **changes: Any) -> Project:
    Project.objects.filter(pk=project.pk).update(**changes)
    return Project.objects.get(pk=project.pk)


@pytest.mark.both_engines
def test_each_line_warns_until_what_it_asks_for_is_there(project: Project, alice: User) -> None:
    world = World(project)
    project = settings(project, guidelines="", overlap=4, control_rate=0.1, pay_per_hit=None)
    items = told(project)
    assert tuple(items) == CODES
    states = {code: item.state for code, item in items.items()}
    assert states == {
        "guidelines": "warning", "test_questions": "warning", "quiz": "info", "annotators": "warning", "cost": "info",
    }  # fmt: skip
    there = items["annotators"].n

    world.add_controls(10)
    quiz = world.add_controls(1)
    for control in quiz:
        control.is_quiz = True
        control.save()
    Qualification.objects.create(project=project, n_questions=2)
    for _ in range(4 - there):
        create_invitation(project=project, role=Role.ANNOTATOR, created_by=alice)
    project = settings(project, guidelines="Look at the image first.", pay_per_hit=Decimal("0.20"), pay_fee=0.1)
    items = told(project)
    assert (items["guidelines"].n, items["guidelines"].state) == (5, "ok")
    assert (items["test_questions"].n, items["test_questions"].state) == (10, "ok")
    assert (items["quiz"].n, items["quiz"].params, items["quiz"].state) == (1, {"asked": 2}, "warning")
    assert (items["annotators"].params, items["annotators"].state) == ({"invited": 4 - there, "wanted": 4}, "ok")
    Invitation.objects.update(expires_at=timezone.now())
    assert told(project)["annotators"].state == "warning"


@pytest.mark.both_engines
def test_the_tasks_that_it_counts_are_those_that_the_stage_builds(project: Project) -> None:
    """11 captions in tasks of 5 are 3 tasks, 5 are one, and a removed caption is in none."""
    world = World(project)
    project = settings(project, captions_per_hit=5, overlap=3, pay_per_hit=Decimal("0.20"), pay_fee=0.1)
    for name, n in (("many", 11), ("few", 5), ("one", 1)):
        world.captions(world.image(name), *(f"{name} {at}" for at in range(n)), status="kept")
    world.captions(world.image("none"), "lamp", status="dropped")
    cost = told(project)["cost"]
    assert (cost.n, cost.params) == (15, {"tasks": 5, "cost": "3.30"})
    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    build_hits(project=project, run=run, subjects=list(Image.objects.filter(project=project)))
    assert Hit.objects.filter(project=project).count() == 5
    assert count_new_tasks(project=project) == 0


def test_tasks_of_queries_are_counted_by_query(project: Project) -> None:
    world = World(project)
    project = settings(project, direction=Direction.IMAGES_OF_A_QUERY, captions_per_hit=2)
    world.query("A quiet place", world.photos(5))
    assert count_new_tasks(project=project) == 3


def test_reviewers_see_it_and_nobody_else(
    project: Project, client_of: Callable[..., APIClient], alice: User, bob: User, charlie: User, dora: User
) -> None:
    shown = client_of(alice).get(PLACE).json()
    assert (len(shown["items"]), shown["is_clear"]) == (len(CODES), False)
    assert client_of(dora).get(PLACE).status_code == 200
    assert client_of(bob).get(PLACE).status_code == 403
    assert client_of(charlie).get(PLACE).status_code == 404
    assert APIClient().get(PLACE).status_code in (401, 403)
