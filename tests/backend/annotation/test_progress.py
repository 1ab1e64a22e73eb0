"""How far a project is, where some of its pairs were judged elsewhere: one by one, more often than it asks for, by
people who are excluded, and beside pages that were judged here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db.models import Count

from backend.annotation import progress
from backend.annotation.foreign.importing import import_judgments
from backend.annotation.models import Hit, HitItem, Standing
from backend.annotation.progress import get_progress
from backend.catalogue.models import Image
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take

pytestmark = pytest.mark.django_db


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


def test_what_took_long_to_count_stands_for_a_while_whatever_is_brought_in_meanwhile(
    project: Project, hits: list[Hit], dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import brings pages in again and again: each person's progress after each page was a count of its own."""
    monkeypatch.setattr(progress, "_counted", {})
    monkeypatch.setattr(progress, "LONG", -1.0)
    monkeypatch.setattr(progress, "STANDS", 1e9)
    bring(hits[0], "one")
    assert done(project, dora) == (1, 4)
    monkeypatch.setattr(progress, "_count_brought_in", lambda project: 4)
    assert done(project, dora) == (1, 4)
    bring(hits[0], "two")
    assert done(project, dora) == (1, 4)
    progress._counted[project.pk] = progress._counted[project.pk]._replace(until=0.0)
    assert done(project, dora) == (4, 4)


def test_while_one_counts_the_others_go_on_with_what_was(
    project: Project, hits: list[Hit], dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_counted", {project.pk: progress.Brought(1, project.overlap, 0.0)})
    bring(hits[0], "one")
    asked = []

    def count(project: Project) -> int:
        asked.append(done(project, dora))
        return 2

    monkeypatch.setattr(progress, "_count_brought_in", count)
    assert (done(project, dora), asked) == ((2, 4), [(1, 4)])


def test_what_was_judged_elsewhere_takes_no_more_statements(
    project: Project, hits: list[Hit], dora: User, django_assert_num_queries: Callable[..., object]
) -> None:
    bring(hits[0], "one")
    assert Hit.objects.annotate(n=Count("assignments")).get(pk=hits[0].pk).n == 3
    with django_assert_num_queries(6):
        get_progress(project=project, user=dora)
