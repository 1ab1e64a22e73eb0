"""Places follow what counts: added where pairs want more, taken away where none does, and never twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.db.models import Count

from backend.annotation.answers import Judged
from backend.annotation.foreign.importing import import_judgments
from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, AssignmentStatus, Hit, HitItem, Label, Slot, Standing, StandingState
from backend.annotation.returning import return_assignment
from backend.annotation.revising import revise_judgment
from backend.annotation.selectors import counted_judgments, get_assignment
from backend.annotation.settling import decide_pair, n_missing, settle_hits, settle_project
from backend.annotation.submitting import submit_assignment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from pages_in_hand import submit, take

Judge = Callable[..., Assignment]


@pytest.fixture
def judge(project: Project) -> Judge:
    """`judge(person, good=[2, 3])`: the page judged, every pair bad but these of the HIT's positions."""

    def work(user: User, *, good: Sequence[int] = (1, 2, 3)) -> Assignment:
        project.refresh_from_db()
        page = take(project, user)
        places = dict(HitItem.objects.filter(hit=page.hit_id).values_list("candidate", "position"))
        judged = [
            Judged(at, Label.GOOD if places[candidate] in good else Label.BAD)
            for at, candidate in enumerate(page.shown, start=1)
        ]
        submit_assignment(assignment=page, judgments=judged, idempotency_key="k")
        return page

    return work


@pytest.fixture
def crowd(project: Project, make_user: Callable[..., User]) -> list[User]:
    """Six people who passed nine of ten controls: each is right with .86."""
    users = [make_user(f"reader{n}") for n in range(6)]
    Membership.objects.bulk_create(Membership(project=project, user=user, role=Role.ANNOTATOR) for user in users)
    Standing.objects.bulk_create(Standing(project=project, user=user, n_graded=10, n_failed=1) for user in users)
    return users


def set_rules(project: Project, **changes: object) -> None:
    Project.objects.filter(pk=project.pk).update(**changes)
    project.refresh_from_db()


def finish(project: Project, users: Sequence[User]) -> None:
    """Everybody judges whatever they are given, until there is nothing."""
    for _ in range(2):
        for user in users:
            while (found := lease_next(project=project, annotator=user)).shown is not None:
                submit(found.shown.assignment)


def votes_of(hit: Hit) -> list[int]:
    """How many judgments of each pair count, in the pairs' order."""
    counted = list(counted_judgments(project=hit.project).values_list("candidate", flat=True))
    return [counted.count(pair) for pair in hit.items.order_by("position").values_list("candidate", flat=True)]


def open_pairs() -> list[int]:
    return list(HitItem.objects.filter(is_open=True).order_by("position").values_list("position", flat=True))


def places() -> list[tuple[int, bool]]:
    """(number, is it taken) of every place."""
    return [(slot.number, slot.assignment_id is not None) for slot in Slot.objects.order_by("number")]


def test_pairs_that_people_agree_on_are_closed_and_the_others_asked_again(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    judge(crowd[0], good=[1, 2, 3])
    assert open_pairs() == [1, 2, 3]
    judge(crowd[1], good=[1, 3])
    assert open_pairs() == [2]
    assert places() == [(1, True), (2, True), (3, False)]


def test_a_later_place_shows_only_what_is_still_open(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    judge(crowd[0]), judge(crowd[1], good=[1, 3])
    third = judge(crowd[2])
    assert third.shown == [HitItem.objects.get(position=2).candidate_id]
    assert open_pairs() == []
    assert places() == [(1, True), (2, True), (3, True)]


def test_what_is_finished_stays_so_when_a_control_makes_somebody_less_believed(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    """Pairs 1 and 3 are finished by two, pair 2 by four; then whoever finished the two fails controls."""
    set_rules(project, confidence=0.9)
    judge(crowd[0]), judge(crowd[1], good=[1, 3])
    Standing.objects.filter(user=crowd[0]).update(n_failed=6)
    judge(crowd[2]), judge(crowd[3])
    assert open_pairs() == []
    assert not Slot.objects.filter(hit=hit, assignment=None).exists()
    settle_hits(project=project, hits=[hit.pk])
    assert open_pairs() == [1, 3]


def test_what_somebody_changes_their_mind_about_is_asked_again(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    first, _ = judge(crowd[0]), judge(crowd[1])
    assert open_pairs() == []
    at = first.shown.index(HitItem.objects.get(position=2).candidate_id) + 1
    revise_judgment(assignment=first, judged=Judged(at, Label.BAD))
    assert open_pairs() == [2]


def test_what_somebody_changes_their_mind_about_is_asked_again_while_another_pair_is_open(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    first, _ = judge(crowd[0]), judge(crowd[1], good=[1, 3])
    assert open_pairs() == [2]
    at = first.shown.index(HitItem.objects.get(position=1).candidate_id) + 1
    revise_judgment(assignment=first, judged=Judged(at, Label.BAD))
    assert open_pairs() == [1, 2]
    judge(crowd[2])
    assert open_pairs() == []


def test_nobody_is_asked_beyond_the_most_votes(project: Project, hit: Hit, crowd: list[User], judge: Judge) -> None:
    set_rules(project, confidence=0.999, max_overlap=4)
    for n, user in enumerate(crowd[:4]):
        judge(user, good=[1, 2, 3] if n % 2 else [])
    assert open_pairs() == []
    assert places() == [(n, True) for n in (1, 2, 3, 4)]


def test_where_no_control_was_met_everybody_is_a_coin_and_all_is_asked_to_the_end(
    project: Project, hit: Hit, alice: User, bob: User, judge: Judge
) -> None:
    set_rules(project, confidence=0.9, max_overlap=3)
    judge(alice), judge(bob)
    assert places() == [(1, True), (2, True), (3, False)]


def test_a_fixed_overlap_adds_and_closes_nothing(project: Project, hit: Hit, crowd: list[User], judge: Judge) -> None:
    judge(crowd[0], good=[1]), judge(crowd[1], good=[2])
    assert places() == [(1, True), (2, True)]
    settle_hits(project=project, hits=[hit.pk])
    assert places() == [(1, True), (2, True)]


def exclude(project: Project, user: User, state: str = StandingState.EXCLUDED) -> None:
    Standing.objects.filter(project=project, user=user).update(state=state)
    settle_hits(project=project, hits=Hit.objects.values_list("pk", flat=True))


def test_who_is_excluded_is_replaced_and_who_is_let_back_in_is_not(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    judge(crowd[0]), judge(crowd[1])
    exclude(project, crowd[0])
    assert places() == [(1, True), (2, True), (3, False)]
    exclude(project, crowd[0], StandingState.ACTIVE)
    assert places() == [(1, True), (2, True)]
    assert open_pairs() == []


def test_a_place_that_somebody_holds_is_not_taken_from_them(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    judge(crowd[0]), judge(crowd[1])
    exclude(project, crowd[0])
    held = take(project, crowd[2])
    exclude(project, crowd[0], StandingState.ACTIVE)
    assert Slot.objects.get(assignment=held).number == 3


def test_a_place_of_a_hit_that_needs_nobody_any_more_is_taken_away_instead_of_shown_empty(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    judge(crowd[0]), judge(crowd[1])
    exclude(project, crowd[0])
    held = take(project, crowd[2])
    exclude(project, crowd[0], StandingState.ACTIVE)
    return_assignment(assignment=held)
    found = lease_next(project=project, annotator=crowd[3])
    assert (found.shown, found.reason) == (None, "none_left")
    assert places() == [(1, True), (2, True)]


def test_what_somebody_submits_after_they_were_excluded_is_replaced_at_once(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    judge(crowd[0])
    held = take(project, crowd[1])
    exclude(project, crowd[1])
    assert places() == [(1, True), (2, True)]
    submit(held)
    assert places() == [(1, True), (2, True), (3, False)]


def test_what_somebody_excluded_submits_is_replaced_while_others_have_the_hit_still_before_them(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    held = take(project, crowd[0])
    exclude(project, crowd[0])
    submit(held)
    assert places() == [(1, True), (2, False), (3, False)]
    judge(crowd[1]), judge(crowd[2])
    assert counted_judgments(project=project).count() == 6


@pytest.fixture
def partial_page(project: Project, hit: Hit, crowd: list[User], judge: Judge) -> Assignment:
    """Crowd 1's, on the HIT's third place: without pair 1, which crowd 0 and two people from elsewhere judged."""
    pair = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told(worker, pair.key, worker, "good") for worker in ("W1", "W2")])
    judge(crowd[0])
    page = take(project, crowd[1])
    assert pair.pk not in page.shown
    return page


def test_a_pair_that_a_page_in_hand_does_not_show_waits_for_that_page(
    project: Project, partial_page: Assignment, crowd: list[User], judge: Judge
) -> None:
    """A place for it alone there is not: the pairs that are on their way would be shown there too."""
    before = len(places())
    exclude(project, User.objects.get(display_name="W1"))
    assert open_pairs() == [1, 2, 3]
    assert places()[before:] == []
    submit(partial_page)
    assert places()[before:] == [(before + 1, False)]
    assert open_pairs() == [1]
    assert judge(crowd[2]).shown == [HitItem.objects.get(position=1).candidate_id]
    assert open_pairs() == []


def test_a_page_that_did_not_show_every_pair_settles_its_hit_when_it_is_submitted(
    project: Project, partial_page: Assignment
) -> None:
    """As where a pair was opened while the page was drawn: the place was counted for it and brings it nothing."""
    Standing.objects.filter(user__display_name="W1").update(state=StandingState.EXCLUDED)
    HitItem.objects.update(is_open=True)
    before = len(places())
    submit(partial_page)
    assert open_pairs() == [1]
    assert places()[before:] == [(before + 1, False)]


def test_a_page_on_which_a_control_took_the_place_of_a_pair_is_one_pair_short_once_controls_end(
    project: Project, hit: Hit, crowd: list[User], judge: Judge, add_image: Callable[..., Image]
) -> None:
    """As long as any it is: the pairs that it does show were judged once too often."""
    set_rules(project, control_rate=0.1)
    page = take(project, crowd[0])
    add_image("pier", 1, start=9)
    control = Candidate.objects.get(text="pier caption 9")
    page.gave_way, page.controls = [page.shown[0]], {"1": ["good"]}
    page.shown[0] = control.pk
    page.save(force_update=True)
    submit(page)
    set_rules(project, control_rate=0)
    settle_project(project=project)
    finish(project, crowd)
    assert votes_of(hit) == [2, 2, 2]
    assert open_pairs() == []


@pytest.mark.parametrize("rate", [0, 0.1])
def test_a_pair_that_pages_in_hand_bring_all_it_wants_is_shown_to_nobody_else(
    project: Project, hit: Hit, crowd: list[User], rate: float
) -> None:
    set_rules(project, control_rate=rate)
    page, pair = take(project, crowd[0]), HitItem.objects.get(position=2).candidate
    import_judgments(project=project, told=[Told("W1", pair.key, "W1", "good")])
    assert lease_next(project=project, annotator=crowd[1]).shown is None
    submit(page)
    finish(project, crowd)
    assert votes_of(hit) == [2, 2, 2]


@pytest.mark.parametrize("rate", [0, 0.1])
def test_pairs_wait_for_a_page_that_was_drawn_while_another_was_decided(
    project: Project, hit: Hit, crowd: list[User], rate: float
) -> None:
    set_rules(project, control_rate=rate)
    decided = HitItem.objects.get(position=1).candidate_id
    decide_pair(project=project, candidate_id=decided, is_decided=True)
    page = take(project, crowd[0])
    decide_pair(project=project, candidate_id=decided, is_decided=False)
    finish(project, crowd[1:])
    submit(page)
    finish(project, crowd)
    assert votes_of(hit) == [2, 2, 2]


@pytest.mark.parametrize(("before", "after"), [(None, 0.9), (0.9, None)])
def test_a_page_that_was_read_under_other_settings_is_settled_by_those_in_force(
    project: Project, hit: Hit, crowd: list[User], before: float | None, after: float | None
) -> None:
    """Whoever goes through all HITs for the new ones has been here already."""
    set_rules(project, confidence=before, max_overlap=4)
    pages = [take(project, user) for user in crowd[:2]]
    submit(pages[0], "bad")
    read_before = get_assignment(user=crowd[1], assignment_id=pages[1].pk)
    set_rules(project, confidence=after, version=project.version + 1)
    settle_project(project=project)
    submit(read_before)
    settled = open_pairs(), places()
    settle_project(project=project)
    assert (open_pairs(), places()) == settled
    assert settled[0] == ([1, 2, 3] if after else [])


@pytest.mark.parametrize("rate", [0, 0.1])
def test_nobody_is_asked_of_a_pair_that_has_all_its_judgments_from_elsewhere(
    project: Project, hit: Hit, crowd: list[User], judge: Judge, rate: float
) -> None:
    """Without controls whole pages settle nothing, and what wants nothing any more was shown to everybody: a pair of
    which two of three judgments were imported got five."""
    set_rules(project, overlap=3, control_rate=rate)
    first = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told(worker, first.key, worker, "good") for worker in ("W1", "W2")])
    assert [taken for _, taken in places()].count(False) == 1  # it comes again
    assert [len(judge(person).shown) for person in crowd[:3]] == [3, 2, 2]
    assert lease_next(project=project, annotator=crowd[3]).reason == "none_left"
    assert open_pairs() == []
    votes = counted_judgments(project=project).order_by().values_list("candidate").annotate(n=Count("pk"))
    assert {n for _, n in votes} == {3}


def test_a_page_taken_before_an_import_leaves_no_pair_behind(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    """It was read before the import and submitted after it."""
    set_rules(project, overlap=2, control_rate=0)
    page = get_assignment(user=crowd[0], assignment_id=take(project, crowd[0]).pk)
    first = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told("1", first.key, "W1", "good")])
    submit(page)
    judge(crowd[1])
    assert lease_next(project=project, annotator=crowd[2]).reason == "none_left"
    assert counted_judgments(project=project).exclude(candidate=first).count() == 4


def test_a_page_comes_back_only_while_one_of_its_pairs_is_open(
    project: Project, partial_page: Assignment, crowd: list[User]
) -> None:
    return_assignment(assignment=partial_page)
    HitItem.objects.filter(position=1).update(is_open=True)
    HitItem.objects.exclude(position=1).update(is_open=False)
    found = lease_next(project=project, annotator=crowd[1])
    assert (found.shown, found.reason) == (None, "all_yours_done")
    HitItem.objects.exclude(position=1).update(is_open=True)
    assert take(project, crowd[1]).pk == partial_page.pk


def test_a_place_that_no_pair_needs_is_taken_away_from_who_gave_it_back_too(
    project: Project, partial_page: Assignment, crowd: list[User]
) -> None:
    return_assignment(assignment=partial_page)
    HitItem.objects.update(is_open=False, is_decided=True)
    found = lease_next(project=project, annotator=crowd[1])
    assert (found.shown, found.reason) == (None, "none_left")
    assert all(is_taken for _, is_taken in places())


def test_a_change_of_mind_asks_again_where_it_left_doubt(
    project: Project, hit: Hit, crowd: list[User], judge: Judge
) -> None:
    set_rules(project, confidence=0.9)
    judge(crowd[0]), (last := judge(crowd[1]))
    assert open_pairs() == []
    revise_judgment(assignment=last, judged=Judged(1, Label.BAD))
    assert HitItem.objects.get(is_open=True).candidate_id == last.shown[0]
    assert places() == [(1, True), (2, True), (3, False)]


@pytest.mark.parametrize(("overlap", "expected"), [(4, 4), (2, 2), (1, 2)])
def test_another_overlap_adds_places_and_takes_only_free_ones_away(
    project: Project, hit: Hit, crowd: list[User], judge: Judge, overlap: int, expected: int
) -> None:
    judge(crowd[0]), judge(crowd[1])
    set_rules(project, overlap=overlap)
    settle_project(project=project)
    assert len(places()) == expected
    set_rules(project, overlap=2)
    settle_project(project=project)
    assert len(places()) == 2


def test_settling_again_changes_nothing(project: Project, hit: Hit, crowd: list[User], judge: Judge) -> None:
    set_rules(project, confidence=0.9)
    judge(crowd[0]), judge(crowd[1], good=[1])
    before = (places(), open_pairs())
    for _ in range(2):
        settle_hits(project=project, hits=[hit.pk, hit.pk])
    assert (places(), open_pairs()) == before


def test_a_hit_without_a_place_is_given_its_places(project: Project, hit: Hit) -> None:
    Slot.objects.all().delete()
    settle_project(project=project)
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


def test_places_numbered_by_nobody_else(project: Project, hit: Hit, crowd: list[User], judge: Judge) -> None:
    judge(crowd[0]), judge(crowd[1])
    exclude(project, crowd[0]), exclude(project, crowd[1])
    assert places() == [(1, True), (2, True), (3, False), (4, False)]
    judge(crowd[2]), judge(crowd[3])
    assert Assignment.objects.filter(status=AssignmentStatus.SUBMITTED).count() == 4
    assert lease_next(project=project, annotator=crowd[4]).reason == "none_left"


@pytest.mark.parametrize("confidence", [None, 0.9])
def test_a_hit_whose_pairs_are_gone_waits_for_nobody(project: Project, hit: Hit, confidence: float | None) -> None:
    set_rules(project, confidence=confidence)
    HitItem.objects.filter(hit=hit).delete()
    settle_hits(project=project, hits=[hit.pk])
    assert not Slot.objects.filter(hit=hit).exists()
