"""How far a project is, where some of its pairs were judged elsewhere: one by one, more often than it asks for, by
people who are excluded, and beside pages that were judged here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from backend.annotation.foreign.importing import import_judgments
from backend.annotation.models import Assignment, Hit, HitItem, Slot, Standing
from backend.annotation.progress import get_progress
from backend.annotation.settling import settle_project
from backend.catalogue.models import Image
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def hits(add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> list[Hit]:
    """Two of three captions, each to be judged by two people."""
    add_image("pier", 3)
    add_image("cat", 3)
    return build()


def bring(hit: Hit, *workers: str, positions: Sequence[int] = (1, 2, 3)) -> None:
    """What each worker said elsewhere of the pairs at these positions, in small letters a voter of each pair."""
    items = HitItem.objects.filter(hit=hit, position__in=positions).order_by("position").select_related("candidate")
    told = [
        Told(f"{who} {at}", item.candidate.key, f"{who} {at}" if who.islower() else who, "good")
        for who in workers
        for at, item in enumerate(items)
    ]
    assert not import_judgments(project=hit.project, told=told).refused


def done(project: Project, user: User) -> tuple[int, int]:
    found = get_progress(project=project, user=user)
    return found.assignments_submitted, found.assignments_needed


def test_one_pair_judged_elsewhere_is_no_turn_at_its_hit(project: Project, hits: list[Hit], dora: User) -> None:
    bring(hits[0], "W1", "W2", "W3", "W4", positions=[1])
    assert done(project, dora) == (0, 4)


def test_pairs_judged_one_by_one_come_to_turns_once_each_of_them_is_judged(
    project: Project, hits: list[Hit], dora: User
) -> None:
    bring(hits[0], "one")
    assert done(project, dora) == (1, 4)
    bring(hits[0], "two", positions=[1, 2])
    assert done(project, dora) == (1, 4)
    bring(hits[0], "two", positions=[3])
    assert done(project, dora) == (2, 4)


def test_judgments_beyond_what_a_hit_wants_are_no_turns_at_another(
    project: Project, hits: list[Hit], dora: User
) -> None:
    bring(hits[0], "W1", "W2", "W3", "one")
    assert done(project, dora) == (2, 4)


def test_turns_here_and_elsewhere_are_counted_together(
    project: Project, hits: list[Hit], alice: User, dora: User
) -> None:
    page = take(project, dora)
    submit(page)
    bring(page.hit, "one", positions=[1, 2])
    assert done(project, dora) == (1, 4)
    bring(page.hit, "W1", "W2")
    assert done(project, dora) == (2, 4)
    submit(take(project, alice))
    assert done(project, dora) == (3, 4)


def test_who_is_excluded_here_or_elsewhere_has_done_no_turn(project: Project, hits: list[Hit], dora: User) -> None:
    submit(page := take(project, dora))
    bring(page.hit, "W1", "W2")
    Standing.objects.filter(user=dora).update(state="excluded")
    assert done(project, dora) == (2, 4)
    Standing.objects.filter(user__display_name="W1").update(state="excluded")
    assert done(project, dora) == (1, 4)


def test_a_turn_beyond_what_a_hit_wants_stands_in_for_no_other_hit(
    project: Project, hits: list[Hit], alice: User, bob: User, dora: User
) -> None:
    """As after a lower overlap: the bar said that all was done while places stood free."""
    for user in (alice, bob):
        submit(take(project, user))
        submit(take(project, user))
    Project.objects.filter(pk=project.pk).update(overlap=1)
    project.refresh_from_db()
    assert done(project, dora) == (2, 2)
    Standing.objects.filter(user=alice).update(state="excluded")
    Project.objects.filter(pk=project.pk).update(overlap=3)
    project.refresh_from_db()
    settle_project(project=project)
    assert done(project, dora) == (2, 6)
    Standing.objects.filter(user=alice).update(state="active")
    page = take(project, dora)
    submit(page)
    assert done(project, dora) == (5, 6)
    Project.objects.filter(pk=project.pk).update(overlap=2)
    project.refresh_from_db()
    assert done(project, dora) == (4, 4)


@pytest.mark.parametrize("is_late", [False, True])
def test_pages_are_counted_by_those_who_count_and_not_when_they_came_too_late(
    project: Project, hits: list[Hit], alice: User, bob: User, dora: User, is_late: bool
) -> None:
    page = take(project, dora)
    if is_late:
        Assignment.objects.filter(pk=page.pk).update(status="expired")
        Slot.objects.filter(hit=page.hit).delete()
    assert submit(page).is_late is is_late
    assert done(project, bob) == (0 if is_late else 1, 4)
    assert Standing.objects.get(user=dora).n_submitted == 1
