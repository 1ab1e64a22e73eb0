"""HITs of which some pairs want more than others, or that are settled while pages are in hand: never once too often."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import Count

from backend.annotation.foreign.importing import import_judgments
from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, Hit, HitItem, Standing, StandingState
from backend.annotation.returning import return_assignment
from backend.annotation.selectors import counted_judgments, get_assignment
from backend.annotation.settling import decide_pair, settle_project
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take
from settled import Judge, exclude, finish, open_pairs, places, set_rules, votes_of

pytest_plugins = ("settled_fixtures",)


@pytest.fixture
def partial_page(project: Project, hit: Hit, readers: list[User], judge: Judge) -> Assignment:
    """Reader 1's, on the HIT's third place: without pair 1, which reader 0 and two people from elsewhere judged."""
    pair = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told(worker, pair.key, worker, "good") for worker in ("W1", "W2")])
    judge(readers[0])
    page = take(project, readers[1])
    assert pair.pk not in page.shown
    return page


def test_a_pair_that_a_page_in_hand_does_not_show_waits_for_that_page(
    project: Project, partial_page: Assignment, readers: list[User], judge: Judge
) -> None:
    """A place for it alone there is not: the pairs that are on their way would be shown there too."""
    before = len(places())
    exclude(project, User.objects.get(display_name="W1"))
    assert open_pairs() == [1, 2, 3]
    assert places()[before:] == []
    submit(partial_page)
    assert places()[before:] == [(before + 1, False)]
    assert open_pairs() == [1]
    assert judge(readers[2]).shown == [HitItem.objects.get(position=1).candidate_id]
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
    project: Project, hit: Hit, readers: list[User], judge: Judge, add_image: Callable[..., Image]
) -> None:
    """As long as any it is: the pairs that it does show were judged once too often."""
    set_rules(project, control_rate=0.1)
    page = take(project, readers[0])
    add_image("pier", 1, start=9)
    control = Candidate.objects.get(text="pier caption 9")
    page.gave_way, page.controls = [page.shown[0]], {"1": ["good"]}
    page.shown[0] = control.pk
    page.save(force_update=True)
    submit(page)
    set_rules(project, control_rate=0)
    settle_project(project=project)
    finish(project, readers)
    assert votes_of(hit) == [2, 2, 2]
    assert open_pairs() == []


@pytest.mark.parametrize("rate", [0, 0.1])
def test_a_pair_that_pages_in_hand_bring_all_it_wants_is_shown_to_nobody_else(
    project: Project, hit: Hit, readers: list[User], rate: float
) -> None:
    set_rules(project, control_rate=rate)
    page, pair = take(project, readers[0]), HitItem.objects.get(position=2).candidate
    import_judgments(project=project, told=[Told("W1", pair.key, "W1", "good")])
    assert lease_next(project=project, annotator=readers[1]).shown is None
    submit(page)
    finish(project, readers)
    assert votes_of(hit) == [2, 2, 2]


@pytest.mark.parametrize("rate", [0, 0.1])
def test_pairs_wait_for_a_page_that_was_drawn_while_another_was_decided(
    project: Project, hit: Hit, readers: list[User], rate: float
) -> None:
    set_rules(project, control_rate=rate)
    decided = HitItem.objects.get(position=1).candidate_id
    decide_pair(project=project, candidate_id=decided, is_decided=True)
    page = take(project, readers[0])
    decide_pair(project=project, candidate_id=decided, is_decided=False)
    finish(project, readers[1:])
    submit(page)
    finish(project, readers)
    assert votes_of(hit) == [2, 2, 2]


@pytest.mark.parametrize(("before", "after"), [(None, 0.9), (0.9, None)])
def test_a_page_that_was_read_under_other_settings_is_settled_by_those_in_force(
    project: Project, hit: Hit, readers: list[User], before: float | None, after: float | None
) -> None:
    """Whoever goes through all HITs for the new ones has been here already."""
    set_rules(project, confidence=before, max_overlap=4)
    pages = [take(project, user) for user in readers[:2]]
    submit(pages[0], "bad")
    read_before = get_assignment(user=readers[1], assignment_id=pages[1].pk)
    set_rules(project, confidence=after, version=project.version + 1)
    settle_project(project=project)
    submit(read_before)
    settled = open_pairs(), places()
    settle_project(project=project)
    assert (open_pairs(), places()) == settled
    assert settled[0] == ([1, 2, 3] if after else [])


@pytest.mark.parametrize("rate", [0, 0.1])
def test_nobody_is_asked_of_a_pair_that_has_all_its_judgments_from_elsewhere(
    project: Project, hit: Hit, readers: list[User], judge: Judge, rate: float
) -> None:
    """Without controls whole pages settle nothing, and what wants nothing any more was shown to everybody: a pair of
    which two of three judgments were imported got five."""
    set_rules(project, overlap=3, control_rate=rate)
    first = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told(worker, first.key, worker, "good") for worker in ("W1", "W2")])
    assert [taken for _, taken in places()].count(False) == 1  # it comes again
    assert [len(judge(person).shown) for person in readers[:3]] == [3, 2, 2]
    assert lease_next(project=project, annotator=readers[3]).reason == "none_left"
    assert open_pairs() == []
    votes = counted_judgments(project=project).order_by().values_list("candidate").annotate(n=Count("pk"))
    assert {n for _, n in votes} == {3}


def test_a_page_taken_before_an_import_leaves_no_pair_behind(
    project: Project, hit: Hit, readers: list[User], judge: Judge
) -> None:
    """It was read before the import and submitted after it."""
    set_rules(project, overlap=2, control_rate=0)
    page = get_assignment(user=readers[0], assignment_id=take(project, readers[0]).pk)
    first = HitItem.objects.get(position=1).candidate
    import_judgments(project=project, told=[Told("1", first.key, "W1", "good")])
    submit(page)
    judge(readers[1])
    assert lease_next(project=project, annotator=readers[2]).reason == "none_left"
    assert counted_judgments(project=project).exclude(candidate=first).count() == 4


def test_a_page_comes_back_only_while_one_of_its_pairs_is_open(
    project: Project, partial_page: Assignment, readers: list[User]
) -> None:
    return_assignment(assignment=partial_page)
    HitItem.objects.filter(position=1).update(is_open=True)
    HitItem.objects.exclude(position=1).update(is_open=False)
    found = lease_next(project=project, annotator=readers[1])
    assert (found.shown, found.reason) == (None, "all_yours_done")
    HitItem.objects.exclude(position=1).update(is_open=True)
    assert take(project, readers[1]).pk == partial_page.pk


def test_a_place_that_no_pair_needs_is_taken_away_from_who_gave_it_back_too(
    project: Project, partial_page: Assignment, readers: list[User]
) -> None:
    return_assignment(assignment=partial_page)
    HitItem.objects.update(is_open=False, is_decided=True)
    found = lease_next(project=project, annotator=readers[1])
    assert (found.shown, found.reason) == (None, "none_left")
    assert all(is_taken for _, is_taken in places())
