"""Who is told that something is left to judge: as much as is true and tells nobody what a control is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from backend.annotation.leasing import lease_next
from backend.annotation.models import Assignment, Control, Hit, HitItem, Slot, Standing
from backend.annotation.progress import get_progress
from backend.annotation.selectors import has_work_left
from backend.annotation.settling import decide_pair, settle_hits, settle_project
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Project
from foreign_judgments import keys, run
from pages_in_hand import submit, take
from world import World

Seen = tuple[str | None, int, bool]


@pytest.fixture
def people(project: Project) -> list[User]:
    return World(project).people("ann", "ben", "cleo")


@pytest.fixture
def control(project: Project, hit: Hit) -> Control:
    """The project has something to hide."""
    world = World(project)
    return world.control(world.caption(hit.image, "c"), "bad")


def seen_by(project: Project, user: User) -> Seen:
    """Why there is no page, how many turns are done, and whether releases stay shut."""
    found = lease_next(project=project, annotator=user)
    assert found.shown is None
    done = get_progress(project=project, user=user).assignments_submitted
    return found.reason, done, has_work_left(project_id=project.pk, user=user)


def of_the_hit(hit: Hit) -> list[int]:
    return list(HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate", flat=True))


def test_judgments_of_one_pair_made_elsewhere_are_no_turns_at_the_others(
    project: Project, people: list[User], hit: Hit, control: Control
) -> None:
    run(project, [Told(f"{worker} 1", keys(hit)[0], worker, "good") for worker in ("W1", "W2")])
    submit(take(project, people[0]))
    assert seen_by(project, people[0]) == ("all_yours_done", 1, True)


@pytest.mark.parametrize("became", ["returned", "expired"])
def test_a_page_that_may_come_back_is_left_once_anothers_has_run_out(
    project: Project, people: list[User], hit: Hit, became: str
) -> None:
    page = take(project, people[0])
    Assignment.objects.update(status=became)
    Slot.objects.update(assignment=None)
    for user in people[1:]:
        take(project, user)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert has_work_left(project_id=project.pk, user=people[0])
    assert take(project, people[0]).pk == page.pk


def test_pages_without_a_pair_are_no_turns_at_it(
    project: Project, people: list[User], hit: Hit, control: Control
) -> None:
    pair = of_the_hit(hit)[1]
    decide_pair(project=project, candidate_id=pair, is_decided=True)
    for person in people[:2]:
        submit(take(project, person))
    assert seen_by(project, people[0]) == ("none_left", 2, False)
    decide_pair(project=project, candidate_id=pair, is_decided=False)
    assert seen_by(project, people[0]) == ("all_yours_done", 2, True)


@pytest.mark.parametrize("is_one_there", [True, False])
def test_what_an_adaptive_overlap_asks_beyond_the_first_is_told_where_there_are_no_controls(
    project: Project, people: list[User], hit: Hit, control: Control, is_one_there: bool
) -> None:
    if not is_one_there:
        control.delete()
    Project.objects.filter(pk=project.pk).update(confidence=0.99, overlap=1, max_overlap=5)
    project.refresh_from_db()
    settle_project(project=project)
    submit(take(project, people[0]))
    assert Slot.objects.filter(assignment=None).exists()
    assert seen_by(project, people[0]) == (("none_left", 1, False) if is_one_there else ("all_yours_done", 1, True))


def test_a_page_that_ran_out_is_work_left_for_whoever_can_take_it(
    project: Project, people: list[User], hit: Hit
) -> None:
    """They could read a release first, and then judge."""
    Project.objects.filter(pk=project.pk).update(overlap=1)
    settle_project(project=project)
    page = take(project, people[0])
    Assignment.objects.filter(pk=page.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert has_work_left(project_id=project.pk, user=people[1])
    assert take(project, people[1]).hit_id == hit.pk


@pytest.mark.parametrize("has_control", [True, False])
def test_a_page_in_the_hands_of_somebody_excluded_tells_no_control(
    project: Project, people: list[User], hit: Hit, control: Control, has_control: bool
) -> None:
    """What gave way on a page of one's own opened a place beside that page."""
    HitItem.objects.filter(hit=hit, position__gt=1).delete()
    mine, theirs = take(project, people[0]), take(project, people[1])
    if has_control:
        [pair] = of_the_hit(hit)
        Assignment.objects.filter(pk=mine.pk).update(
            shown=[control.candidate_id], controls={"1": ["bad"]}, gave_way=[pair]
        )
        mine.refresh_from_db()
    submit(mine)
    Standing.objects.filter(user=people[1]).update(state="excluded")
    settle_hits(project=project, hits=[hit.pk])
    assert Slot.objects.filter(hit=hit, assignment=None).exists() == has_control
    assert theirs.status == "leased"
    assert seen_by(project, people[0])[0] == "none_left"
