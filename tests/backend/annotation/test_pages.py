"""A page in a person's hands: a page ahead, skipping, keeping."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from backend.annotation.leases import (
    LONGEST,
    AlreadySkipped,
    AlreadySubmitted,
    LeaseExpired,
    keep_lease,
    lease_next,
    return_assignment,
    skip_assignment,
)
from backend.annotation.models import (
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    Hit,
    SkipReason,
    Slot,
)
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]
TTL = timedelta(minutes=30)
SECOND = timedelta(seconds=1)


@pytest.fixture
def hits(add_image: AddImage, build: Build) -> list[Hit]:
    """Four HITs of three captions."""
    add_image("pier", 12)
    return build()


@pytest.fixture
def leased(project: Project, bob: User, hit: Hit) -> Assignment:
    return take(project, bob)


# A page ahead.


def test_one_page_ahead_may_be_had_and_no_more(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert desk.hit != ahead.hit
    third = lease_next(project=project, annotator=bob, holding=[desk.pk, ahead.pk])
    assert (third.shown, third.reason) == (None, "holds_enough")


def test_who_holds_nothing_in_hand_is_shown_what_they_had_first(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert take(project, bob) == desk
    assert take(project, bob, (desk,)) == ahead


def test_a_submit_hands_over_the_page_after_the_one_ahead(project: Project, bob: User, hits: list[Hit]) -> None:
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    following = submit(desk, fetch_next=True, holding=[ahead.pk]).next.shown
    assert following
    assert following.assignment.hit not in (desk.hit, ahead.hit)


# Who gets none, and why.


@pytest.mark.parametrize(("state", "reason"), [("paused", "paused"), ("excluded", "excluded"), ("warned", None)])
def test_who_may_not_work_is_told_so_even_with_a_page_in_hand(
    project: Project, bob: User, leased: Assignment, state: AnnotatorStatus, reason: str | None
) -> None:
    AnnotatorState.objects.filter(user=bob).update(state=state)
    found = lease_next(project=project, annotator=bob)
    assert (found.reason, found.shown is None) == (reason, reason is not None)


def test_who_has_done_as_many_as_one_may_gets_no_more(project: Project, bob: User, hits: list[Hit]) -> None:
    Project.objects.update(hits_per_annotator=2)
    desk = take(project, bob)
    ahead = take(project, bob, (desk,))
    assert submit(desk, fetch_next=True, holding=[ahead.pk]).next.reason == "cap_reached"
    assert submit(ahead, fetch_next=True).next.reason == "cap_reached"


def test_nobody_looks_ahead_beyond_what_one_may_do(project: Project, bob: User, hits: list[Hit]) -> None:
    Project.objects.update(hits_per_annotator=1)
    desk = take(project, bob)
    assert lease_next(project=project, annotator=bob, holding=[desk.pk]).reason == "cap_reached"


# Which page.


def test_a_higher_priority_comes_first_and_then_everybodys_first_place(
    project: Project, alice: User, bob: User, hits: list[Hit]
) -> None:
    Slot.objects.filter(hit=hits[2]).update(priority=5)
    assert take(project, bob).hit == hits[2]
    assert take(project, alice).hit == hits[2]
    assert take(project, alice, (alice.assignments.get(),)).hit == hits[0]


def test_a_slot_far_behind_what_one_had_is_found(project: Project, bob: User, hits: list[Hit]) -> None:
    seen = []
    while (found := lease_next(project=project, annotator=bob).shown) is not None:
        seen.append(found.assignment.hit_id)
        submit(found.assignment)
    assert seen == [hit.pk for hit in hits]


def test_what_fell_free_before_ones_last_slot_is_found_again(
    project: Project, alice: User, bob: User, hits: list[Hit]
) -> None:
    first = take(project, alice)
    for _ in hits[1:]:
        submit(take(project, bob))
    Slot.objects.filter(number=2).delete()
    return_assignment(assignment=first)
    assert take(project, bob).hit == first.hit


# Skipping, giving back, keeping.


def test_what_is_left_to_others_never_comes_back_and_others_get_it(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    skip_assignment(assignment=leased, reason=SkipReason.LANGUAGE, comment="Not mine.")
    leased.refresh_from_db()
    assert (leased.status, leased.skip_reason, leased.skip_comment) == ("skipped", "language", "Not mine.")
    assert lease_next(project=project, annotator=bob).reason == "all_yours_done"
    assert take(project, alice).hit == take(project, dora).hit == leased.hit
    assert lease_next(project=project, annotator=bob).reason == "none_left"


def test_what_is_skipped_for_later_comes_back_last_as_the_same_page(
    project: Project, bob: User, hits: list[Hit]
) -> None:
    first = take(project, bob)
    skip_assignment(assignment=first, reason=SkipReason.CANNOT_TELL, comes_back=True)
    for _ in hits[1:]:
        other = take(project, bob)
        assert other.hit != first.hit
        submit(other)
    again = take(project, bob)
    assert (again.pk, again.shown, again.seed) == (first.pk, first.shown, first.seed)
    submit(again)


def test_a_page_that_ran_out_and_was_taken_comes_back_if_it_is_free_again(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submit(take(project, alice))
        clock.shift(TTL + SECOND)
        hers = take(project, dora)
        assert lease_next(project=project, annotator=bob).reason == "none_left"
        return_assignment(assignment=hers)
        again = take(project, bob)
    assert (again.pk, again.shown) == (leased.pk, leased.shown)


def test_what_was_submitted_cannot_be_skipped_and_what_was_skipped_not_submitted(
    project: Project, bob: User, hits: list[Hit]
) -> None:
    done, left = take(project, bob), None
    left = take(project, bob, (done,))
    submit(done)
    skip_assignment(assignment=left, reason=SkipReason.BROKEN)
    with pytest.raises(AlreadySubmitted):
        skip_assignment(assignment=done, reason=SkipReason.BROKEN)
    with pytest.raises(AlreadySkipped):
        submit(left)
    with pytest.raises(AlreadySkipped):
        skip_assignment(assignment=left, reason=SkipReason.BROKEN)


def test_a_heartbeat_starts_the_time_anew(project: Project, alice: User, dora: User, leased: Assignment) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        submit(take(project, alice))
        clock.shift(TTL - SECOND)
        assert keep_lease(assignment=leased) == timezone.now() + TTL
        clock.shift(TTL - SECOND)
        assert lease_next(project=project, annotator=dora).shown is None
        clock.shift(2 * SECOND)
        assert lease_next(project=project, annotator=dora).shown


def test_who_is_excluded_keeps_their_page_no_longer(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice))
    AnnotatorState.objects.filter(user=bob).update(state=AnnotatorStatus.EXCLUDED)
    with time_machine.travel(leased.leased_at + TTL - SECOND, tick=False) as clock:
        assert keep_lease(assignment=leased) == leased.expires_at
        assert lease_next(project=project, annotator=dora).shown is None
        clock.shift(2 * SECOND)
        with pytest.raises(LeaseExpired):
            keep_lease(assignment=leased)
        assert take(project, dora).hit == leased.hit


def test_no_page_is_kept_for_longer_than_a_working_day(
    project: Project, alice: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice))
    with time_machine.travel(leased.leased_at, tick=False) as clock:
        last = leased.leased_at + LONGEST
        while leased.expires_at < last:
            clock.shift(TTL - SECOND)
            assert keep_lease(assignment=leased) == min(timezone.now() + TTL, last)
            leased.refresh_from_db()
        clock.move_to(last)
        assert take(project, dora).hit == leased.hit


def test_a_heartbeat_after_a_working_day_promises_nothing(project: Project, bob: User, leased: Assignment) -> None:
    """It used to answer with an end that lay in the past, each time. The page counts for as long as nobody took it."""
    with time_machine.travel(leased.leased_at + LONGEST - SECOND, tick=False) as clock:
        assert keep_lease(assignment=leased) == timezone.now() + SECOND
        clock.shift(SECOND)
        with pytest.raises(LeaseExpired):
            keep_lease(assignment=leased)
        assert not submit(leased).is_late
        with pytest.raises(AlreadySubmitted):
            keep_lease(assignment=leased)


def test_who_asks_for_the_page_again_and_again_keeps_it_no_longer(
    project: Project, alice: User, bob: User, dora: User, leased: Assignment
) -> None:
    """Heartbeats or not: what counts is when it was handed over."""
    submit(take(project, alice))
    with time_machine.travel(leased.leased_at, tick=False) as clock:
        last = leased.leased_at + LONGEST
        while timezone.now() < last:
            clock.shift(TTL + SECOND)
            again = take(project, bob)
            assert (again, again.leased_at, again.expires_at) == (
                leased, leased.leased_at, min(timezone.now() + TTL, last)
            )  # fmt: skip
        clock.shift(TTL - 60 * SECOND)
        assert take(project, bob) == leased
        assert take(project, dora).hit == leased.hit


def test_a_page_that_nobody_took_for_as_long_as_a_lease_is_handed_over_anew(
    project: Project, bob: User, leased: Assignment
) -> None:
    with time_machine.travel(leased.leased_at + 2 * LONGEST, tick=False):
        again = take(project, bob)
        assert (again, again.leased_at, again.expires_at) == (leased, timezone.now(), timezone.now() + TTL)


def test_a_lease_of_a_whole_day_is_not_cut_short_by_a_heartbeat(project: Project, leased: Assignment) -> None:
    Assignment.objects.update(expires_at=leased.leased_at + 3 * LONGEST)
    leased.refresh_from_db()
    project.lease_minutes = 24 * 60
    leased.project = project
    assert keep_lease(assignment=leased) == leased.leased_at + 3 * LONGEST


def test_a_heartbeat_of_a_page_that_is_gone_says_so(
    project: Project, alice: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice))
    with time_machine.travel(timezone.now() + TTL + SECOND, tick=False):
        assert keep_lease(assignment=leased) > timezone.now()
    with time_machine.travel(timezone.now() + 2 * TTL + 2 * SECOND, tick=False):
        take(project, dora)
        with pytest.raises(LeaseExpired):
            keep_lease(assignment=leased)


def test_the_order_of_the_buttons_is_drawn_where_the_project_says_so(
    project: Project, alice: User, bob: User, dora: User, hits: list[Hit]
) -> None:
    assert take(project, bob).options == ["good", "bad", "unsure"]
    Project.objects.update(shuffles_options=True)
    pages = [take(project, user) for user in (alice, dora)]
    pages += [take(project, user, (page,)) for user, page in zip((alice, dora), pages, strict=True)]
    assert all(sorted(page.options) == ["bad", "good", "unsure"] for page in pages)
    assert len({tuple(page.options) for page in pages}) > 1
