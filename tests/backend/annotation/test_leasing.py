"""One HIT at a time, for so long and no longer, and never more people on it than it has places."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError
from django.utils import timezone

from backend.annotation import leases
from backend.annotation.leases import AlreadySubmitted, lease_next, return_assignment
from backend.annotation.locks import Crowded
from backend.annotation.models import Assignment, AssignmentStatus, Hit, Slot
from backend.annotation.shown_hits import ShownHit
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.methods.assignment import shuffle_order
from backend.people.models import User
from backend.projects.models import Membership, Project
from pages_in_hand import submit, take

pytestmark = pytest.mark.both_engines

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
TTL = timedelta(minutes=30)
SECOND = timedelta(seconds=1)


def test_a_lease_holds_a_place_and_stores_seed_and_order(project: Project, bob: User, hit: Hit) -> None:
    leased = take(project, bob)
    in_cut_order = list(hit.items.order_by("position").values_list("candidate_id", flat=True))
    assert leased.hit == hit
    assert leased.shown == [in_cut_order[index] for index in shuffle_order(3, seed=leased.seed)]
    assert Slot.objects.get(assignment=leased).number == 1


def test_people_see_the_same_hit_in_orders_of_their_own(
    project: Project, alice: User, bob: User, add_image: AddImage, build: Build
) -> None:
    Project.objects.filter(pk=project.pk).update(captions_per_hit=10)
    project.refresh_from_db()
    add_image("pier", 10)
    build()
    one, other = take(project, alice), take(project, bob)
    assert one.hit == other.hit
    assert sorted(one.shown) == sorted(other.shown)
    assert one.shown != other.shown


def test_asking_again_gives_the_same_lease(project: Project, bob: User, hit: Hit) -> None:
    assert take(project, bob) == take(project, bob)
    assert Assignment.objects.count() == 1


def test_every_hit_gets_its_first_person_before_any_gets_its_second(
    project: Project, alice: User, bob: User, dora: User, add_image: AddImage, build: Build
) -> None:
    add_image("pier", 6)
    build()
    numbers = [Slot.objects.get(assignment=take(project, user)).number for user in (alice, bob, dora)]
    assert numbers == [1, 1, 2]


def test_nobody_gets_a_hit_twice(project: Project, bob: User, hit: Hit) -> None:
    submit(take(project, bob))
    found = lease_next(project=project, annotator=bob)
    assert (found.shown, found.reason) == (None, "all_yours_done")


def test_when_every_place_is_taken_there_is_none_left(
    project: Project, alice: User, bob: User, dora: User, hit: Hit
) -> None:
    take(project, alice), take(project, bob)
    found = lease_next(project=project, annotator=dora)
    assert (found.shown, found.reason) == (None, "none_left")


@pytest.mark.parametrize(("waited", "is_hers"), [(TTL - SECOND, False), (TTL + SECOND, True)])
def test_a_lease_falls_to_the_next_after_its_time_and_not_before(
    project: Project, alice: User, bob: User, dora: User, hit: Hit, waited: timedelta, is_hers: bool
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submit(take(project, alice))
        silent = take(project, bob)
        clock.shift(waited)
        assert (lease_next(project=project, annotator=dora).shown is not None) == is_hers
    silent.refresh_from_db()
    assert silent.status == (AssignmentStatus.EXPIRED if is_hers else AssignmentStatus.LEASED)


@pytest.mark.parametrize(("waited", "is_renewed"), [(TTL - SECOND, False), (TTL + SECOND, True)])
def test_the_holder_keeps_the_lease_and_its_time_begins_anew_once_it_ran_out(
    project: Project, bob: User, hit: Hit, waited: timedelta, is_renewed: bool
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        first = take(project, bob)
        clock.shift(waited)
        second = take(project, bob)
    assert (first, first.shown) == (second, second.shown)
    assert (second.expires_at > first.expires_at) == is_renewed
    assert Slot.objects.filter(assignment=None).count() == 1


def test_a_late_lease_stays_with_its_holder_while_other_places_are_free(
    project: Project, bob: User, dora: User, hit: Hit
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        late = take(project, bob)
        clock.shift(TTL + SECOND)
        take(project, dora)
        submit(late)
    late.refresh_from_db()
    assert late.status == AssignmentStatus.SUBMITTED


def test_a_returned_hit_goes_to_others_and_comes_back_last(
    project: Project, bob: User, dora: User, add_image: AddImage, build: Build
) -> None:
    add_image("pier", 6)
    build()
    returned = take(project, bob)
    return_assignment(assignment=returned)
    second = take(project, bob)
    assert second.hit != returned.hit
    assert take(project, dora).hit == returned.hit
    submit(second)
    assert take(project, bob).hit == returned.hit


def test_returning_twice_frees_one_place_once(project: Project, bob: User, dora: User, hit: Hit) -> None:
    returned = take(project, bob)
    return_assignment(assignment=returned)
    hers = take(project, dora)
    return_assignment(assignment=returned)
    assert Slot.objects.get(assignment=hers).number == 1


def test_what_was_submitted_cannot_be_returned(project: Project, bob: User, hit: Hit) -> None:
    done = take(project, bob)
    submit(done)
    with pytest.raises(AlreadySubmitted):
        return_assignment(assignment=done)
    assert Slot.objects.get(assignment=done)


def test_who_left_the_project_gets_nothing(project: Project, bob: User, hit: Hit) -> None:
    Membership.objects.filter(user=bob).delete()
    with pytest.raises(NotFound):
        lease_next(project=project, annotator=bob)


def test_the_database_refuses_a_person_twice_on_a_hit(project: Project, bob: User, hit: Hit) -> None:
    leased = take(project, bob)
    with pytest.raises(IntegrityError):
        Assignment.objects.create(hit=hit, annotator=bob, seed=1, shown=[], expires_at=leased.expires_at)


def test_a_race_that_a_constraint_stopped_is_run_again(
    project: Project, bob: User, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = broken_take(monkeypatch, times=1)
    assert take(project, bob).hit == hit
    assert len(calls) == 2
    assert Assignment.objects.count() == 1


def test_a_race_that_does_not_end_is_a_conflict_and_no_crash(
    project: Project, bob: User, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_take(monkeypatch, times=99)
    with pytest.raises(Crowded):
        lease_next(project=project, annotator=bob)
    assert Assignment.objects.count() == 0


def broken_take(monkeypatch: pytest.MonkeyPatch, *, times: int) -> list[Slot]:
    """Let the first `times` takes be stopped by a unique constraint, after they wrote."""
    real, calls = leases._lease, []

    def lease_then_break(slot: Slot, project: Project, annotator: User) -> ShownHit:
        calls.append(slot)
        leased = real(slot, project, annotator)
        if len(calls) <= times:
            raise IntegrityError("assignment_once_per_annotator")
        return leased

    monkeypatch.setattr(leases, "_lease", lease_then_break)
    return calls
