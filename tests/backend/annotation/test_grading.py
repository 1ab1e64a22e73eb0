"""Controls in a HIT: graded at the submit, by the first answer alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.annotation.answers import Judged
from backend.annotation.models import AnnotatorState, Hit, Judgment
from backend.annotation.selectors import newest_judgment_id
from backend.annotation.submissions import revise_judgment
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState
from backend.quality.horizon import read_control_answers
from pages_in_hand import submit, take
from settled import set_rules
from world import World


@pytest.fixture
def controls(project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> list[Control]:
    """Two that stand in both HITs of an image."""
    set_rules(project, control_rate=0.4, captions_per_hit=3)
    image, world = add_image("pier", 6), World(project)
    made = [world.control(pair, "bad") for pair in world.captions(image, "pier caption 9", "pier caption 10")]
    build()
    return made


@pytest.mark.parametrize(
    ("label", "outcome", "counted"),
    [("bad", "passed", (2, 0)), ("good", "failed", (2, 2)), ("unsure", "unsure", (0, 0))],
)
def test_controls_are_graded_at_the_submit(
    project: Project, bob: User, controls: list[Control], label: str, outcome: str, counted: tuple[int, int]
) -> None:
    submit(take(project, bob), label)
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert list(Judgment.objects.filter(control__in=controls).values_list("outcome", flat=True)) == [outcome] * 2
    assert set(Judgment.objects.filter(control=None).values_list("outcome", flat=True)) == {""}
    assert (annotator_state.n_graded, annotator_state.n_failed, annotator_state.n_submitted) == (*counted, 1)


def test_only_the_first_answer_of_a_person_is_graded(project: Project, bob: User, controls: list[Control]) -> None:
    submit(take(project, bob), "bad")
    submit(take(project, bob), "good")
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert (annotator_state.n_graded, annotator_state.n_failed, annotator_state.n_judgments) == (2, 0, 10)
    outcomes = Judgment.objects.filter(control=controls[0]).order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["passed", ""]


def test_a_control_in_quarantine_by_then_counts_for_nobody(
    project: Project, bob: User, controls: list[Control]
) -> None:
    page = take(project, bob)
    Control.objects.filter(pk=controls[0].pk).update(state=ControlState.QUARANTINED)
    submit(page, "good")
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert (annotator_state.n_graded, annotator_state.n_failed) == (1, 1)


def test_a_change_of_mind_on_a_control_leaves_its_grade(project: Project, bob: User, controls: list[Control]) -> None:
    """The first answer is graded, in the counters and in every replay: nobody repairs their record afterwards."""
    page = take(project, bob)
    submit(page, "good")
    for control in controls:
        at = page.shown.index(control.candidate_id) + 1
        revised = revise_judgment(assignment=page, judged=Judged(at, Label.BAD))
        assert (revised.control, revised.outcome) == (control, "")
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert (annotator_state.n_graded, annotator_state.n_failed) == (2, 2)
    until = newest_judgment_id(project=project)
    answers = read_control_answers(project=project, until=until, without=())[bob.pk]
    assert [answer.grade for answer in answers] == ["failed", "failed"]
