"""Migrations that find rows, gone back over and forth again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, DecidedState, Standing, StandingDecision
from backend.people.models import User
from backend.projects.models import Project
from hidden_world import work

pytest_plugins = ("hidden_fixtures",)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

BEFORE_LOOKS = [("annotation", "0018_standings_of_foreigners")]
WITHOUT_NOTES = [("annotation", "0020_what_gave_way")]


def migrate_to(targets: list[tuple[str, str]]) -> None:
    MigrationExecutor(connection).migrate(targets)


@pytest.fixture
def n_subjects() -> int:
    """Enough that some pages have a pair that gave way, and others none."""
    return 12


@pytest.fixture
def forth_again() -> Iterator[None]:
    """The tables as everybody else's tests want them, whatever happens."""
    yield
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())


def test_looks_become_what_they_came_to_where_there_were_none(
    project: Project, bob: User, alice: User, forth_again: None
) -> None:
    """Who was looked at is left to the rules, and the constraint of before knows no look."""
    standing = Standing.objects.create(project=project, user=bob)
    for state in DecidedState:
        StandingDecision.objects.create(standing=standing, state=state, reason="A word.", decided_by=alice)
    migrate_to(BEFORE_LOOKS)
    left = StandingDecision.objects.order_by("pk").values_list("state", flat=True)
    assert list(left) == ["active", "paused", "excluded", "policy", "policy"]


@pytest.mark.parametrize("rate", [0.15, 0, 0.5], ids=["as then", "none now", "more now"])
def test_pages_from_before_note_what_gave_way_to_their_controls(
    client_of: Callable[..., APIClient], of_images: list[User], forth_again: None, rate: float
) -> None:
    """The first person's, who met every HIT with all of its pairs open; whatever the rate has become since."""
    list(work(client_of, of_images[:1]))
    noted = dict(Assignment.objects.values_list("pk", "gave_way"))
    assert any(noted.values()) and not all(noted.values())
    migrate_to(WITHOUT_NOTES)
    Assignment.objects.update(gave_way=[])
    Project.objects.update(control_rate=rate)
    migrate_to(MigrationExecutor(connection).loader.graph.leaf_nodes())
    assert dict(Assignment.objects.values_list("pk", "gave_way")) == noted
