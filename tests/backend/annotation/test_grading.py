"""Hidden controls on a page: shown once, graded at the submit, by the first word alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.annotation.answers import Judged
from backend.annotation.models import Control, ControlMeeting, ControlState, Hit, Label, Standing
from backend.annotation.quality.replay_reads import read_control_answers
from backend.annotation.returning import return_assignment
from backend.annotation.revising import revise_judgment
from backend.annotation.selectors import newest_judgment_id
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take
from world import World

AddImage = Callable[..., Image]


@pytest.fixture
def controls(project: Project, hit: Hit) -> list[Control]:
    """Two on the image of the HIT; a page gets both."""
    project.control_rate = 0.5
    world = World(project)
    return [world.control(pair, "bad") for pair in world.captions(hit.image, "pier caption 9", "pier caption 10")]


def test_controls_stand_among_the_others_and_are_met_once(
    project: Project, bob: User, hit: Hit, controls: list[Control]
) -> None:
    page = take(project, bob)
    hidden = [control.candidate_id for control in controls]
    assert sorted(page.shown) == sorted([*hit.items.values_list("candidate", flat=True), *hidden])
    assert sorted(page.shown[int(at) - 1] for at in page.controls) == sorted(hidden)
    assert ControlMeeting.objects.filter(annotator=bob, assignment=page).count() == 2


@pytest.mark.parametrize(
    ("label", "outcome", "counted"),
    [("bad", "passed", (2, 0)), ("good", "failed", (2, 2)), ("unsure", "unsure", (0, 0))],
)
def test_controls_are_graded_at_the_submit(
    project: Project, bob: User, controls: list[Control], label: str, outcome: str, counted: tuple[int, int]
) -> None:
    submit(take(project, bob), label)
    standing = Standing.objects.get(user=bob)
    assert set(ControlMeeting.objects.values_list("outcome", flat=True)) == {outcome}
    assert (standing.n_graded, standing.n_failed) == counted
    assert standing.n_submitted == 1


def test_a_control_in_quarantine_by_then_counts_for_nobody(
    project: Project, bob: User, controls: list[Control]
) -> None:
    page = take(project, bob)
    Control.objects.filter(pk=controls[0].pk).update(state=ControlState.QUARANTINED)
    submit(page, "good")
    standing = Standing.objects.get(user=bob)
    assert (standing.n_graded, standing.n_failed) == (1, 1)


def test_a_change_of_mind_on_a_control_leaves_its_grade(project: Project, bob: User, controls: list[Control]) -> None:
    """The first word is graded, in the counters and in every replay: nobody mends their record afterwards."""
    page = take(project, bob)
    submit(page, "good")
    for at in page.controls:
        revise_judgment(assignment=page, judged=Judged(int(at), Label.BAD))
    standing = Standing.objects.get(user=bob)
    assert (standing.n_graded, standing.n_failed) == (2, 2)
    assert set(ControlMeeting.objects.values_list("outcome", flat=True)) == {"failed"}
    until = newest_judgment_id(project=project)
    answers = read_control_answers(project=project, until=until, without=())[bob.pk]
    assert [answer.grade for answer in answers] == ["failed", "failed"]


def test_a_page_that_comes_back_has_its_controls_still(project: Project, bob: User, controls: list[Control]) -> None:
    page = take(project, bob)
    return_assignment(assignment=page)
    again = take(project, bob)
    assert (again.shown, again.controls) == (page.shown, page.controls)
    assert ControlMeeting.objects.count() == 2
