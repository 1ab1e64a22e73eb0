"""Slots follow what counts: added where pairs need more, removed where none does; doubtful pairs in follow-up HITs."""

from __future__ import annotations

import pytest

from backend.annotation.allocation import mark_pairs, n_missing, settle
from backend.annotation.answers import Judged
from backend.annotation.leases import lease_next, return_assignment
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, Hit, HitItem, Slot
from backend.annotation.selectors import counted_judgments
from backend.annotation.submissions import revise_judgment
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take
from settled import Judge, exclude, places, set_rules

pytestmark = pytest.mark.both_engines

pytest_plugins = ("settled_fixtures",)


def followups() -> list[list[int]]:
    """Of each follow-up HIT, in order, the positions that its pairs have in the first one."""
    at = dict(HitItem.objects.filter(hit__root=None).values_list("candidate", "position"))
    return [
        [at[pair] for pair in hit.items.order_by("position").values_list("candidate", flat=True)]
        for hit in Hit.objects.filter(root__isnull=False).order_by("round")
    ]


def test_pairs_that_stay_doubtful_become_a_followup_that_others_get(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    judge(readers[0], good=[1, 2, 3])
    assert followups() == []
    judge(readers[1], good=[1, 3])
    assert followups() == [[2]]
    assert lease_next(project=project, annotator=readers[0]).reason == "all_yours_done"
    third = judge(readers[2])
    assert (third.root, third.shown) == (hit, [HitItem.objects.filter(position=2)[0].candidate_id])
    assert not Slot.objects.filter(assignment=None).exists()


def test_a_followup_has_followups_until_the_most_votes(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.95, max_overlap=4)
    judge(readers[0], good=[2]), judge(readers[1], good=[1])
    assert followups() == [[1, 2]]
    judge(readers[2], good=[1, 2]), judge(readers[3], good=[1, 2])
    assert followups() == [[1, 2]], "all of its pairs need one more, so the same HIT has one more slot"
    assert sorted(counted_votes(project).values()) == [2, 4, 4]
    assert lease_next(project=project, annotator=readers[4]).reason == "none_left"


def counted_votes(project: Project) -> dict[int, int]:
    votes: dict[int, int] = {}
    for pair in counted_judgments(project=project).values_list("candidate", flat=True):
        votes[pair] = votes.get(pair, 0) + 1
    return votes


def test_what_is_finished_stays_so_when_a_control_makes_somebody_less_believed(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    """Pairs 1 and 3 are finished by two, pair 2 by four; then whoever finished the two fails controls."""
    set_rules(project, confidence=0.9)
    judge(readers[0]), judge(readers[1], good=[1, 3])
    AnnotatorState.objects.filter(user=readers[0]).update(n_failed=6)
    judge(readers[2]), judge(readers[3])
    assert followups() == [[2]]
    assert not Slot.objects.filter(assignment=None).exists()
    settle(project=project, roots=[hit.pk], anew=True)
    assert followups() == [[2], [1, 3]]


def test_a_followup_that_nobody_began_is_made_again_for_what_is_doubtful_now(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    first, _ = judge(readers[0]), judge(readers[1], good=[1, 3])
    assert followups() == [[2]]
    at = first.shown.index(HitItem.objects.filter(position=1)[0].candidate_id) + 1
    revise_judgment(assignment=first, judged=Judged(at, Label.BAD))
    assert followups() == [[1, 2]]
    judge(readers[2])
    assert not Slot.objects.filter(assignment=None).exists()


def test_pairs_that_a_head_annotator_decided_need_nobody(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    pairs = list(hit.items.order_by("position").values_list("candidate", flat=True))
    judge(readers[0])
    mark_pairs(project=project, decided={pairs[0]: True})
    assert places() == [(1, True), (3, False)], "the free slot is the one of the follow-up"
    assert followups() == [[2, 3]]
    mark_pairs(project=project, decided={pairs[0]: False})
    assert followups() == []
    assert places() == [(1, True), (2, False)]
    for pair in pairs:
        mark_pairs(project=project, decided={pair: True})
    assert places() == [(1, True)]


def test_nobody_is_asked_beyond_the_most_votes(project: Project, hit: Hit, readers: list[User], judge: Judge) -> None:
    set_rules(project, confidence=0.999, max_overlap=4)
    for n, user in enumerate(readers[:4]):
        judge(user, good=[1, 2, 3] if n % 2 else [])
    assert places() == [(n, True) for n in (1, 2, 3, 4)]


def test_where_no_control_was_met_everybody_is_a_coin_and_all_is_asked_to_the_end(
    project: Project, hit: Hit, alice: User, bob: User, judge: Judge
) -> None:
    set_rules(project, confidence=0.9, max_overlap=3)
    judge(alice), judge(bob)
    assert places() == [(1, True), (2, True), (3, False)]


def test_a_fixed_overlap_adds_and_closes_nothing(project: Project, hit: Hit, readers: list[User], judge: Judge) -> None:
    judge(readers[0], good=[1]), judge(readers[1], good=[2])
    assert places() == [(1, True), (2, True)]
    settle(project=project, roots=[hit.pk])
    assert places() == [(1, True), (2, True)]


def test_who_is_excluded_is_replaced_and_who_is_let_back_in_is_not(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    judge(readers[0]), judge(readers[1])
    exclude(project, readers[0])
    assert places() == [(1, True), (2, True), (3, False)]
    exclude(project, readers[0], AnnotatorStatus.ACTIVE)
    assert places() == [(1, True), (2, True)]


def test_a_place_that_somebody_holds_is_not_taken_from_them(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    judge(readers[0]), judge(readers[1])
    exclude(project, readers[0])
    held = take(project, readers[2])
    exclude(project, readers[0], AnnotatorStatus.ACTIVE)
    assert Slot.objects.get(assignment=held).number == 3


def test_a_place_of_a_hit_that_needs_nobody_any_more_is_taken_away_instead_of_shown_empty(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    judge(readers[0]), judge(readers[1])
    exclude(project, readers[0])
    held = take(project, readers[2])
    exclude(project, readers[0], AnnotatorStatus.ACTIVE)
    return_assignment(assignment=held)
    found = lease_next(project=project, annotator=readers[3])
    assert (found.shown, found.reason) == (None, "none_left")
    assert places() == [(1, True), (2, True)]


def test_what_somebody_submits_after_they_were_excluded_is_replaced_at_once(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    judge(readers[0])
    held = take(project, readers[1])
    exclude(project, readers[1])
    assert places() == [(1, True), (2, True)]
    submit(held)
    assert places() == [(1, True), (2, True), (3, False)]


def test_what_somebody_excluded_submits_is_replaced_while_others_have_the_hit_still_before_them(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    held = take(project, readers[0])
    exclude(project, readers[0])
    submit(held)
    judge(readers[1])
    assert places() == [(1, True), (2, True), (3, False)]
    judge(readers[2])
    assert counted_judgments(project=project).count() == 6


@pytest.mark.parametrize(("overlap", "expected"), [(4, 4), (2, 2), (1, 2)])
def test_another_overlap_adds_places_and_takes_only_free_ones_away(
    project: Project, hit: Hit, readers: list[User], judge: Judge, overlap: int, expected: int
) -> None:
    judge(readers[0]), judge(readers[1])
    set_rules(project, overlap=overlap)
    settle(project=project, roots=[hit.pk], anew=True)
    assert len(places()) == expected
    set_rules(project, overlap=2)
    settle(project=project, roots=[hit.pk], anew=True)
    assert len(places()) == 2


def test_settling_again_changes_nothing(project: Project, hit: Hit, readers: list[User], judge: Judge) -> None:
    set_rules(project, confidence=0.9)
    judge(readers[0]), judge(readers[1], good=[1])
    before = (places(), followups(), list(Hit.objects.values_list("pk", flat=True)))
    for anew in (False, True):
        settle(project=project, roots=[hit.pk, hit.pk], anew=anew)
    assert (places(), followups(), list(Hit.objects.values_list("pk", flat=True))) == before


def test_a_hit_without_a_place_is_given_its_places(project: Project, hit: Hit) -> None:
    Slot.objects.all().delete()
    settle(project=project, roots=[hit.pk], anew=True)
    assert places() == [(1, False), (2, False)]


@pytest.mark.parametrize(
    ("votes", "missing"),
    [
        ({}, 2),
        ({"good": [0.9]}, 1),
        ({"good": [0.9, 0.9]}, 0),
        ({"good": [0.9], "bad": [0.9]}, 1),
        ({"good": [0.5, 0.5, 0.5]}, 1),
    ],
)
def test_how_many_more_a_pair_wants(votes: dict[str, list[float]], missing: int) -> None:
    """By hand: two who are right with .9 give .9 * .9 / (.9 * .9 + 2 * .05 * .05) = .994; three coins .8."""
    project = Project(overlap=2, confidence=0.9, max_overlap=5)
    assert n_missing(project, votes) == missing


def test_places_numbered_by_nobody_else(project: Project, hit: Hit, readers: list[User], judge: Judge) -> None:
    judge(readers[0]), judge(readers[1])
    exclude(project, readers[0]), exclude(project, readers[1])
    assert places() == [(1, True), (2, True), (3, False), (4, False)]
    judge(readers[2]), judge(readers[3])
    assert Assignment.objects.filter(status=AssignmentStatus.SUBMITTED).count() == 4
    assert lease_next(project=project, annotator=readers[4]).reason == "none_left"
