"""A control that good annotators fail is put aside, and everybody's past scores are counted without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.annotation.models import AnnotatorState, Hit, Judgment
from backend.controls.audit import audit_controls, recount_controls
from backend.controls.services import OutAlready, change_control
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, ControlNews, ControlState
from world import World

pytestmark = pytest.mark.both_engines

Meet = Callable[[User, dict[int, str]], None]


@pytest.fixture
def people(project: Project) -> list[User]:
    """Eight who know what they do."""
    found = World(project).people(*(f"person-{number}" for number in range(8)))
    AnnotatorState.objects.bulk_create(AnnotatorState(project=project, user=user) for user in found)
    return found


@pytest.fixture
def controls(hit: Hit) -> list[Control]:
    return World(hit.project).add_controls(5, "bad")


@pytest.fixture
def meet(hit: Hit, controls: list[Control]) -> Meet:
    """A person's outcomes by the number of the control; passed where nothing is said."""

    def answer(user: User, outcomes: dict[int, str]) -> None:
        turn = World(hit.project).turn(user, hit)
        Judgment.objects.bulk_create(
            Judgment(
                control=control,
                candidate=control.candidate,
                annotator=user,
                assignment=turn,
                position=number + 1,
                label="bad",
                outcome=outcomes.get(number, "passed"),
            )
            for number, control in enumerate(controls)
        )

    return answer


def scores(project: Project) -> set[tuple[int, int]]:
    return set(AnnotatorState.objects.filter(project=project).values_list("n_graded", "n_failed"))


@pytest.fixture
def all_fail_the_first(project: Project, people: list[User], meet: Meet) -> None:
    for user in people:
        meet(user, {0: "failed", 4: "unsure"})
    recount_controls(project)


@pytest.mark.nightly
def test_what_all_good_annotators_fail_is_quarantined_with_the_reason_and_no_longer_held_against_them(
    project: Project, controls: list[Control], all_fail_the_first: None
) -> None:
    assert scores(project) == {(4, 1)}
    (put_aside,) = audit_controls(project)
    assert put_aside.pk == controls[0].pk
    put_aside.refresh_from_db()
    assert put_aside.state == ControlState.QUARANTINED
    assert put_aside.why.message.startswith("8 of 8 good annotators failed it")
    assert scores(project) == {(3, 0)}


def test_auditing_again_changes_nothing(project: Project, all_fail_the_first: None) -> None:
    audit_controls(project)
    before = list(Control.objects.values_list("state", "state_code"))
    assert audit_controls(project) == []
    assert list(Control.objects.values_list("state", "state_code")) == before
    assert recount_controls(project) == 0


def test_a_careless_person_makes_no_control_suspect(project: Project, people: list[User], meet: Meet) -> None:
    for user in people[1:]:
        meet(user, {})
    meet(people[0], dict.fromkeys(range(5), "failed"))
    assert audit_controls(project) == []
    recount_controls(project)
    assert scores(project) == {(5, 0), (5, 5)}


@pytest.mark.nightly
def test_a_control_that_a_person_puts_back_counts_again_and_stays(
    project: Project, controls: list[Control], all_fail_the_first: None
) -> None:
    audit_controls(project)
    change_control(control=controls[0], state=ControlState.ACTIVE)
    assert scores(project) == {(4, 1)}
    assert audit_controls(project) == []


def test_a_control_whose_answer_is_wrong_is_quarantined_by_hand_and_scores_are_counted_anew(
    project: Project, controls: list[Control], people: list[User], meet: Meet
) -> None:
    meet(people[0], {0: "failed", 1: "failed"})
    recount_controls(project)
    assert change_control(control=controls[0], state=ControlState.QUARANTINED).state_code == ControlNews.WRONG
    assert scores(project) == {(4, 1), (0, 0)}
    told = change_control(control=controls[1], state=ControlState.QUARANTINED, reason="It is a seal.").state_detail
    assert (told, scores(project)) == ("It is a seal.", {(3, 0), (0, 0)})
    change_control(control=controls[0], state=ControlState.ACTIVE)
    assert scores(project) == {(4, 1), (0, 0)}


def test_a_control_that_is_merely_retired_goes_on_counting_until_it_is_quarantined(
    project: Project, controls: list[Control], people: list[User], meet: Meet
) -> None:
    meet(people[0], {0: "failed"})
    recount_controls(project)
    change_control(control=controls[0], state=ControlState.RETIRED, reason="Shown often enough.")
    assert scores(project) == {(5, 1), (0, 0)}
    change_control(control=controls[0], state=ControlState.QUARANTINED)
    assert scores(project) == {(4, 0), (0, 0)}


def test_what_is_quarantined_cannot_be_retired_which_would_let_it_count_again(
    project: Project, controls: list[Control], people: list[User], meet: Meet
) -> None:
    meet(people[0], {0: "failed"})
    change_control(control=controls[0], state=ControlState.QUARANTINED)
    with pytest.raises(OutAlready, match="is in quarantine"):
        change_control(control=controls[0], state=ControlState.RETIRED)
    assert scores(project) == {(4, 0), (0, 0)}
    change_control(control=controls[0], state=ControlState.ACTIVE)
    change_control(control=controls[0], state=ControlState.RETIRED)
    assert scores(project) == {(5, 1), (0, 0)}


def test_the_annotator_states_of_another_project_are_left_alone(
    project: Project, charlie: User, people: list[User], all_fail_the_first: None
) -> None:
    theirs = AnnotatorState.objects.create(project=Project.objects.get(slug="elsewhere"), user=people[0], n_graded=7)
    audit_controls(project)
    theirs.refresh_from_db()
    assert theirs.n_graded == 7
