"""Real threads on a real database: 32 of them on PostgreSQL, four on SQLite."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db.models import Count
from django.utils import timezone

from at_once import at_once
from backend.annotation import selectors
from backend.annotation.allocation import settle
from backend.annotation.answers import Judged
from backend.annotation.leases import AlreadySubmitted, lease_next, return_assignment
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Hit, Judgment, Slot
from backend.annotation.selectors import read_counts
from backend.annotation.submissions import MindChangedTwice, revise_judgment, submit_assignment
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import JUDGED, submit, take
from world import World

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = [Judged(1, Label.BAD), Judged(2, Label.BAD), Judged(3, Label.BAD)]


@pytest.fixture
def crowd(project: Project, n_threads: int) -> list[User]:
    return World(project).people(*(f"reader{n}" for n in range(n_threads)))


def work_until_nothing_is_left(project: Project, user: User) -> int:
    """Judge page after page as a client does; how many pages."""
    n_pages, shown = 0, lease_next(project=project, annotator=user).shown
    while shown is not None:
        assignment = selectors.get_assignment(user=user, assignment_id=shown.assignment.pk)
        answer = submit(assignment, idempotency_key=str(assignment.pk), fetch_next=True)
        n_pages, shown = n_pages + 1, answer.next.shown
    return n_pages


def test_of_all_who_ask_for_the_last_place_one_gets_it(
    project: Project, bob: User, hit: Hit, crowd: list[User]
) -> None:
    take(project, bob)
    found = at_once([partial(lease_next, project=project, annotator=user) for user in crowd])
    assert [type(one).__name__ for one in found] == ["NextHit"] * len(crowd)
    assert len([one for one in found if one.shown]) == 1
    assert {one.reason for one in found if not one.shown} == {"none_left"}
    assert Assignment.objects.count() == Slot.objects.exclude(assignment=None).count() == 2


def test_tabs_of_one_person_share_one_lease(project: Project, bob: User, hit: Hit, n_threads: int) -> None:
    found = at_once([partial(take, project, bob)] * n_threads)
    assert len({assignment.pk for assignment in found}) == 1
    assert Assignment.objects.count() == 1


@pytest.mark.nightly
def test_eight_who_work_at_once_stop_at_the_quota(
    project: Project,
    crowd: list[User],
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
) -> None:
    for key in ("pier", "lamp", "meadow", "tram", "owl"):
        add_image(key, 6)
    hits = build()
    pages = at_once([partial(work_until_nothing_is_left, project, user) for user in crowd[:8]])
    assert sum(pages) == len(hits) * project.overlap == 20
    assert Judgment.objects.count() == 30 * project.overlap
    per_pair = Judgment.objects.order_by().values("candidate").annotate(n=Count("annotator", distinct=True))
    assert {row["n"] for row in per_pair} == {project.overlap}
    assert not Slot.objects.exclude(assignment__status=AssignmentStatus.SUBMITTED).exists()


def test_a_double_click_stores_one_set(project: Project, bob: User, hit: Hit, n_threads: int) -> None:
    leased = selectors.get_assignment(user=bob, assignment_id=take(project, bob).pk)
    send = partial(submit_assignment, assignment=leased, judgments=JUDGED, idempotency_key="one")
    answers = at_once([send] * n_threads)
    assert len({answer.submitted_at for answer in answers}) == 1
    assert Judgment.objects.count() == 3


def test_two_submits_with_two_keys_store_the_set_of_one(project: Project, bob: User, hit: Hit) -> None:
    pk = take(project, bob).pk

    def send(judgments: list[Judged], key: str) -> Any:
        assignment = selectors.get_assignment(user=bob, assignment_id=pk)
        return submit_assignment(assignment=assignment, judgments=judgments, idempotency_key=key)

    answers = at_once([partial(send, JUDGED, "one"), partial(send, OTHER, "two")])
    losers = [answer for answer in answers if isinstance(answer, AlreadySubmitted)]
    assert len(losers) == 1
    stored = list(Judgment.objects.order_by("position").values_list("label", flat=True))
    assert stored == [judged.label for judged in (OTHER if losers[0] is answers[0] else JUDGED)]


def test_of_two_changes_of_mind_at_once_one_wins(
    project: Project, bob: User, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    leased = take(project, bob)
    submit_assignment(assignment=leased, judgments=JUDGED, idempotency_key="one")
    both_have_read, read = Barrier(2), selectors.get_judgment

    def read_together(**given: Any) -> Judgment:
        found = read(**given)
        both_have_read.wait(timeout=30)
        return found

    monkeypatch.setattr(selectors, "get_judgment", read_together)
    revise = partial(revise_judgment, assignment=leased)
    minds = [Judged(1, Label.BAD), Judged(1, Label.UNSURE)]
    answers = at_once([partial(revise, judged=judged) for judged in minds])
    assert sorted(type(answer).__name__ for answer in answers) == ["Judgment", MindChangedTwice.__name__]
    assert Judgment.objects.filter(position=1).count() == 2


def test_a_return_and_a_submit_at_once_do_one_of_the_two(project: Project, bob: User, hit: Hit) -> None:
    leased = selectors.get_assignment(user=bob, assignment_id=take(project, bob).pk)
    give_back = partial(return_assignment, assignment=leased)
    send = partial(submit_assignment, assignment=leased, judgments=JUDGED, idempotency_key="one")
    at_once([give_back, send])
    leased.refresh_from_db()
    is_done = leased.status == AssignmentStatus.SUBMITTED
    assert Judgment.objects.count() == (3 if is_done else 0)
    assert Slot.objects.filter(assignment=leased).exists() == is_done


@pytest.mark.nightly
def test_32_who_look_ahead_at_once_hold_two_each_and_no_place_twice(
    project: Project,
    crowd: list[User],
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
) -> None:
    """One HIT is over: else the last place could be one of the HIT that who comes last has in hand."""
    add_image("pier", 3 * (len(crowd) + 1))
    build()

    def take_two(user: User) -> None:
        desk = take(project, user)
        assert lease_next(project=project, annotator=user, holding=[desk.pk]).shown

    assert at_once([partial(take_two, user) for user in crowd]) == [None] * len(crowd)
    assert Assignment.objects.count() == Slot.objects.exclude(assignment=None).count() == 2 * len(crowd)


def test_a_submit_at_the_moment_the_page_is_given_away_is_kept_either_way(
    project: Project, alice: User, bob: User, crowd: list[User], hit: Hit
) -> None:
    submit_assignment(assignment=take(project, alice), judgments=JUDGED, idempotency_key="hers")
    leased = selectors.get_assignment(user=bob, assignment_id=take(project, bob).pk)
    Assignment.objects.filter(pk=leased.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    send = partial(submit_assignment, assignment=leased, judgments=JUDGED, idempotency_key="his")
    told, *found = at_once([send, *(partial(lease_next, project=project, annotator=user) for user in crowd[:7])])
    leased.refresh_from_db()
    is_theirs = any(one.shown for one in found)
    assert told.is_late == is_theirs
    assert leased.status == (AssignmentStatus.LATE if is_theirs else AssignmentStatus.SUBMITTED)
    assert Judgment.objects.filter(assignment=leased).count() == 3
    assert Slot.objects.exclude(assignment=None).count() == 2


def test_who_fill_the_last_places_at_once_leave_no_hit_unsettled(project: Project, crowd: list[User], hit: Hit) -> None:
    """Each of the two sees the other's place as held unless one of them waits."""
    Project.objects.filter(pk=project.pk).update(confidence=0.9, overlap=4, max_overlap=8)
    project.refresh_from_db()
    settle(project=project, roots=[hit.pk])
    pages = [selectors.get_assignment(user=user, assignment_id=take(project, user).pk) for user in crowd[:4]]
    send = partial(submit_assignment, judgments=JUDGED, idempotency_key="k")
    told = at_once([partial(send, assignment=page) for page in pages])
    assert [one.is_late for one in told] == [False] * 4
    assert list(Slot.objects.filter(assignment=None).values_list("number", flat=True)) == [5]


@pytest.mark.nightly
def test_settlers_who_come_at_once_add_each_place_once(project: Project, hit: Hit, n_threads: int) -> None:
    Project.objects.filter(pk=project.pk).update(overlap=7)
    settle_it = partial(settle, project=project, roots=[hit.pk])
    assert at_once([settle_it] * n_threads) == [None] * n_threads
    assert list(Slot.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]


def test_counts_read_while_others_write_are_of_one_moment(
    project: Project,
    crowd: list[User],
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
) -> None:
    """Never more submitted than there are places, never fewer than before, and in the end what the rows say."""
    for key in ("pier", "lamp", "meadow"):
        add_image(key, 6)
    build()

    def read() -> list[int]:
        found = (read_counts([project.pk])[project.pk] for _ in range(40))
        return [counts["slots"] - counts["slots_open"] for counts in found]

    read_out, *pages = at_once([read, *(partial(work_until_nothing_is_left, project, user) for user in crowd[:4])])
    assert read_out == sorted(read_out)
    assert 0 <= read_out[0] <= read_out[-1] <= 12
    assert sum(pages) == 12
    assert sum(AnnotatorState.objects.values_list("n_submitted", flat=True)) == 12
