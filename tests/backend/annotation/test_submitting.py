"""All answers or none, stored once, appended and never changed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from backend.annotation.answers import Judged
from backend.annotation.leases import AlreadyReturned, AlreadySubmitted, return_assignment
from backend.annotation.models import Assignment, AssignmentStatus, Hit, Judgment, Slot
from backend.annotation.selectors import counted_judgments, current_judgments
from backend.annotation.shown_hits import show_assignments
from backend.annotation.submissions import Submitted, revise_judgment, submit_assignment
from backend.catalogue.models import Image
from backend.common.errors import InvalidInput, NotFound
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import take

pytestmark = pytest.mark.both_engines

ANSWERS = [Judged(1, Label.GOOD, 900), Judged(2, Label.BAD), Judged(3, Label.UNSURE, 0)]
OTHER = [Judged(1, Label.BAD), Judged(2, Label.BAD), Judged(3, Label.BAD)]
LATE = timedelta(minutes=30, seconds=1)


def submit(assignment: Assignment, judgments: list[Judged] = ANSWERS, **more: Any) -> Submitted:
    return submit_assignment(assignment=assignment, judgments=judgments, **{"idempotency_key": "first", **more})


@pytest.fixture
def leased(project: Project, bob: User, hit: Hit) -> Assignment:
    return take(project, bob)


def test_answers_are_stored_with_their_position_and_time(leased: Assignment, bob: User) -> None:
    submit(leased, list(reversed(ANSWERS)))
    rows = Judgment.objects.values_list("position", "candidate_id", "label", "ms", "annotator_id", "supersedes")
    assert list(rows) == [
        (1, leased.shown[0], "good", 900, bob.pk, None),
        (2, leased.shown[1], "bad", None, bob.pk, None),
        (3, leased.shown[2], "unsure", 0, bob.pk, None),
    ]
    leased.refresh_from_db()
    assert leased.status == AssignmentStatus.SUBMITTED
    assert leased.submitted_at


@pytest.mark.parametrize(
    ("judgments", "details", "sentence"),
    [
        (ANSWERS[:1], {"missing": [2, 3], "unknown": [], "twice": []}, "Without answer: 2, 3."),
        ([*ANSWERS, Judged(4, Label.BAD)], {"missing": [], "unknown": [4], "twice": []}, "Not in this task: 4."),
        ([*ANSWERS, ANSWERS[0]], {"missing": [], "unknown": [], "twice": [1]}, "Answered twice: 1."),
        ([], {"missing": [1, 2, 3], "unknown": [], "twice": []}, "Without answer: 1, 2, 3."),
    ],
)
def test_an_incomplete_page_is_refused_whole_and_says_what_is_missing(
    leased: Assignment, judgments: list[Judged], details: dict[str, list[int]], sentence: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        submit(leased, judgments)
    assert (refused.value.details or {}).items() >= details.items()
    assert sentence in refused.value.message
    assert Judgment.objects.count() == 0


def test_the_same_key_again_gets_the_same_answer_and_stores_nothing(leased: Assignment) -> None:
    first = submit(leased)
    again = submit(leased)
    assert again.submitted_at == first.submitted_at
    assert Judgment.objects.count() == 3


def test_a_repeat_gets_the_same_next_hit(
    project: Project, bob: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    add_image("pier", 6)
    build()
    leased = take(project, bob)
    answers = [submit(leased, fetch_next=True) for _ in "ab"]
    held = [answer.next.shown.assignment for answer in answers if answer.next.shown]
    assert len(held) == 2
    assert held[0] == held[1]
    assert held[0].hit != leased.hit


def test_the_last_page_hands_over_none_and_says_why(leased: Assignment) -> None:
    submitted = submit(leased, fetch_next=True)
    assert (submitted.next.shown, submitted.next.reason) == (None, "all_yours_done")


def test_another_key_on_a_submitted_page_is_a_conflict(leased: Assignment) -> None:
    submit(leased)
    with pytest.raises(AlreadySubmitted):
        submit(leased, OTHER, idempotency_key="second")
    assert set(Judgment.objects.values_list("label", flat=True)) == {"good", "bad", "unsure"}


def test_other_answers_under_the_same_key_are_not_swallowed(leased: Assignment) -> None:
    submit(leased)
    with pytest.raises(AlreadySubmitted, match="with other answers"):
        submit(leased, OTHER)
    assert Judgment.objects.count() == 3


def test_a_late_answer_is_welcome_while_nobody_took_the_page(leased: Assignment) -> None:
    with time_machine.travel(timezone.now() + LATE, tick=False):
        submit(leased)
    assert Judgment.objects.count() == 3
    assert Slot.objects.get(assignment=leased)


def test_a_late_answer_to_a_page_that_another_took_is_kept_as_surplus(
    project: Project, alice: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice), OTHER)
    with time_machine.travel(timezone.now() + LATE, tick=False):
        hers = take(project, dora)
        told = submit(leased)
        submit(hers)
    leased.refresh_from_db()
    assert (told.is_late, leased.status) == (True, AssignmentStatus.LATE)
    assert Judgment.objects.count() == 9
    assert not counted_judgments(project=project).filter(assignment=leased).exists()


def test_a_late_answer_repeated_is_stored_once(project: Project, alice: User, dora: User, leased: Assignment) -> None:
    take(project, alice)
    with time_machine.travel(timezone.now() + LATE, tick=False):
        take(project, dora)
        told = [submit(leased) for _ in "ab"]
    assert told[0] == told[1]
    assert Judgment.objects.count() == 3


def test_a_late_answer_to_a_page_that_is_free_again_counts(
    project: Project, alice: User, dora: User, leased: Assignment
) -> None:
    submit(take(project, alice), OTHER)
    with time_machine.travel(timezone.now() + LATE, tick=False):
        return_assignment(assignment=take(project, dora))
        told = submit(leased)
    assert not told.is_late
    assert counted_judgments(project=project).filter(assignment=leased).count() == 3
    assert Slot.objects.get(assignment=leased)


def test_a_page_that_was_returned_cannot_be_submitted(leased: Assignment) -> None:
    return_assignment(assignment=leased)
    with pytest.raises(AlreadyReturned):
        submit(leased)
    assert Judgment.objects.count() == 0


def test_a_change_of_mind_is_a_new_row_and_the_old_one_stays(project: Project, leased: Assignment) -> None:
    submit(leased)
    revise_judgment(assignment=leased, judged=Judged(1, Label.BAD))
    revise_judgment(assignment=leased, judged=Judged(1, Label.UNSURE))
    history = Judgment.objects.filter(position=1).values_list("label", flat=True)
    standing = current_judgments(project=project).values_list("position", "label")
    assert list(history) == ["good", "bad", "unsure"]
    assert sorted(standing) == [(1, "unsure"), (2, "bad"), (3, "unsure")]
    leased.refresh_from_db()
    [shown] = show_assignments([leased])
    assert {item.position: item.said.label for item in shown.items} == {1: "unsure", 2: "bad", 3: "unsure"}


def test_the_same_mind_again_adds_nothing(leased: Assignment) -> None:
    submit(leased)
    revise_judgment(assignment=leased, judged=Judged(1, Label.GOOD))
    assert Judgment.objects.count() == 3


def test_a_mind_cannot_change_before_it_was_made_up(leased: Assignment) -> None:
    with pytest.raises(NotFound, match="Submit the whole task first"):
        revise_judgment(assignment=leased, judged=Judged(1, Label.GOOD))


def test_another_projects_judgments_are_not_in_the_current_ones(charlie: User, leased: Assignment) -> None:
    submit(leased)
    assert not current_judgments(project=Project.objects.get(slug="elsewhere")).exists()
