"""A policy in force looks again by the clock, where there is something to look at."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from backend.annotation.models import AnnotatorState
from backend.controls.services import change_control
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import ControlState
from backend.quality.chores import reapply_policies
from backend.quality.services import create_policy
from backend.runs.models import Run
from backend.runs.services import start_run
from judged_project import work_on
from world import World, make_world

RULES = [{"collector": "control_failures", "condition": {"min_n": 2}, "action": "exclude"}]
LATER = timedelta(hours=1, seconds=1)


@pytest.fixture
def world(project: Project) -> World:
    """A policy that was applied before anybody worked."""
    made = make_world(project, images=2, captions=3, controls=4)
    policy = create_policy(project=project, rules=RULES, created_by=None)
    work_on(start_run(project=project, stage="apply_policy", parameters={"version": policy.version}))
    return made


def test_new_judgments_are_looked_at_once_the_hour_is_over(world: World, bob: User) -> None:
    world.submit(bob, 0, ["good"] * 3, controls=dict.fromkeys(range(4), "bad"))
    assert reapply_policies() == 0
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert reapply_policies() == 1
        assert reapply_policies() == 0  # it is queued
        work_on(Run.objects.get(status="queued"))
    assert AnnotatorState.objects.get(user=bob).state == "excluded"


@pytest.mark.nightly
def test_controls_whose_answer_is_wrong_let_people_back_in_without_a_new_judgment(world: World, bob: User) -> None:
    world.submit(bob, 0, ["good"] * 3, controls={0: "bad", 1: "bad", 2: "good"})
    work_on(start_run(project=world.project, stage="apply_policy", parameters={"version": 1}))
    control, other = world.controls[:2]
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert reapply_policies() == 0
        change_control(control=other, state=ControlState.RETIRED)
        assert reapply_policies() == 0  # nothing that counts is another one
        change_control(control=control, state=ControlState.QUARANTINED)
        assert reapply_policies() == 1
        work_on(Run.objects.get(status="queued"))
        assert reapply_policies() == 0


def test_a_run_that_noted_no_controls_is_followed_by_one_that_does(world: World, bob: User) -> None:
    world.submit(bob, 0, ["good"] * 3)
    work_on(start_run(project=world.project, stage="apply_policy", parameters={"version": 1}))
    run = Run.objects.latest("created_at")
    del run.cursor["quarantined"]  # as runs of before this was kept
    run.save()
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert reapply_policies() == 1


def test_without_a_new_judgment_there_is_nothing_to_do(world: World) -> None:
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert reapply_policies() == 0


def test_a_project_without_a_policy_in_force_is_left_alone(world: World, bob: User) -> None:
    world.project.policies.update(in_force_since=None)
    world.submit(bob, 0, ["good"] * 3)
    with time_machine.travel(timezone.now() + LATER, tick=False):
        assert reapply_policies() == 0
