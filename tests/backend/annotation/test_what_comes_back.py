"""Pages of which a pair wants no more once they come back: all of it or nothing, and others first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from backend.annotation import leasing
from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, Hit, HitItem, Slot, Standing
from backend.annotation.returning import return_assignment
from backend.annotation.selectors import counted_judgments
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take
from world import World

pytestmark = pytest.mark.both_engines


@pytest.fixture
def others(project: Project) -> list[User]:
    """Two who have never met the HIT."""
    users = World(project).people("other0", "other1")
    Standing.objects.bulk_create(Standing(project=project, user=user) for user in users)
    return users


@pytest.fixture
def partly_wanted(project: Project, bob: User, hit: Hit) -> Assignment:
    """Bob gave it back, and two of its three pairs have had all they want since."""
    page = take(project, bob)
    return_assignment(assignment=page)
    HitItem.objects.filter(hit=hit, position__gt=1).update(is_open=False, is_decided=True)
    return page


def test_it_is_left_to_those_who_never_met_the_hit(
    project: Project, partly_wanted: Assignment, bob: User, others: list[User]
) -> None:
    """Its settled pairs would be judged once more than they may be."""
    found = lease_next(project=project, annotator=bob)
    assert (found.shown, found.reason) == (None, "all_yours_done")
    assert len(take(project, others[0]).shown) == 1


def test_it_comes_back_where_nobody_else_can_come(
    project: Project, partly_wanted: Assignment, bob: User, others: list[User]
) -> None:
    Standing.objects.filter(user__in=others).update(state="paused")
    assert take(project, bob).pk == partly_wanted.pk


def test_it_comes_back_once_nobody_came_for_as_long_as_a_lease_takes(
    project: Project, partly_wanted: Assignment, bob: User, others: list[User]
) -> None:
    nobody_came = partly_wanted.expires_at + timedelta(minutes=project.lease_minutes)
    with time_machine.travel(nobody_came - timedelta(minutes=1), tick=False):
        assert lease_next(project=project, annotator=bob).shown is None
    with time_machine.travel(nobody_came, tick=False):
        assert take(project, bob).shown == partly_wanted.shown


def test_what_gave_way_to_a_control_is_wanted_like_any_pair(
    project: Project, partly_wanted: Assignment, bob: User, others: list[User]
) -> None:
    """The page would come back else where it holds a control, and not where it holds none."""
    [wanted] = HitItem.objects.filter(is_open=True).values_list("candidate", flat=True)
    HitItem.objects.update(is_open=True)
    HitItem.objects.filter(candidate=wanted).update(is_open=False)
    control_at = str(partly_wanted.shown.index(wanted) + 1)
    Assignment.objects.update(gave_way=[wanted], controls={control_at: ["bad"]})
    assert lease_next(project=project, annotator=bob).shown is None


def test_the_wait_begins_with_the_last_page_of_the_others(
    project: Project, partly_wanted: Assignment, bob: User, others: list[User]
) -> None:
    much_later = partly_wanted.expires_at + timedelta(hours=5)
    with time_machine.travel(much_later, tick=False):
        page = take(project, others[0])
        submit(page)
        assert lease_next(project=project, annotator=bob).shown is None
    with time_machine.travel(much_later + timedelta(minutes=project.lease_minutes), tick=False):
        assert take(project, bob).pk == partly_wanted.pk


@pytest.mark.parametrize("wanted", [1, 5])
def test_one_that_is_wanted_whole_is_found_behind_any_number_that_are_left_to_others(
    project: Project, bob: User, others: list[User], add_image: Callable[..., Image], build: Callable[..., list[Hit]],
    monkeypatch: pytest.MonkeyPatch, wanted: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(leasing, "LOOKS_BACK", 2)
    for number in range(6):
        add_image(f"pier {number}", 2)
    build()
    pages = give_back(project, bob, 6)
    HitItem.objects.filter(position__gt=1).exclude(hit=pages[wanted].hit_id).update(is_open=False)
    assert take(project, bob).pk == pages[wanted].pk


def give_back(project: Project, user: User, n: int) -> list[Assignment]:
    pages: list[Assignment] = []
    for _ in range(n):
        pages.append(take(project, user))
        Assignment.objects.filter(pk=pages[-1].pk).update(status="returned")
        Slot.objects.filter(assignment=pages[-1]).update(assignment=None)
    return pages


def test_a_late_answer_to_it_counts_as_it_is_said_already(
    project: Project, bob: User, hit: Hit, others: list[User]
) -> None:
    page = take(project, bob)
    Assignment.objects.filter(pk=page.pk).update(status="expired", expires_at=timezone.now())
    Slot.objects.filter(assignment=page).update(assignment=None)
    HitItem.objects.filter(hit=hit, position__gt=1).update(is_open=False)
    assert not submit(page).is_late
    assert counted_judgments(project=project).count() == 3
