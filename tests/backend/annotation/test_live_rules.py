"""Failing control after control has effect between two replays, by a chore."""

from __future__ import annotations

from typing import Any

import pytest

from backend.annotation.leases import lease_next
from backend.annotation.models import AnnotatorState, DecidedStatus, HitItem
from backend.common.labels import Label
from backend.methods.quality import default_rules
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.chores import act_on_controls
from backend.quality.decisions import decide_status
from backend.quality.services import create_policy
from pages_in_hand import submit, take
from policed_world import apply_policy
from world import World, make_world


@pytest.fixture
def world(project: Project) -> World:
    """Many HITs of two pairs and a control, and the default rules in force."""
    made = make_world(project, images=24, captions=2)
    for hit in made.hits:
        pair = made.caption(hit.image, "known")
        HitItem.objects.create(hit=hit, candidate=pair, position=9, control=made.control(pair))
    rules: list[dict[str, Any]] = [rule.as_json() for rule in default_rules()]
    apply_policy(policy=create_policy(project=project, rules=rules, created_by=None))
    return made


def judge_one(project: Project, user: User, label: Label = Label.BAD) -> str | None:
    """Judge everything the same, controls too, and ask for the next HIT; the reason why there is none."""
    submit(take(project, user), label)
    act_on_controls()
    return lease_next(project=project, annotator=user).reason


def fail_until(project: Project, user: User, n_failed: int) -> list[str | None]:
    reasons = []
    while AnnotatorState.objects.filter(user=user, n_failed__gte=n_failed).count() == 0:
        reasons.append(judge_one(project, user))
    return reasons


def fail_until_it_is(state: str, project: Project, user: User) -> list[str | None]:
    reasons: list[str | None] = []
    while not AnnotatorState.objects.filter(user=user, state=state).exists():
        reasons.append(judge_one(project, user))
    return reasons


@pytest.mark.nightly
def test_failing_controls_warns_and_then_pauses(world: World, bob: User) -> None:
    fail_until(world.project, bob, 2)
    assert AnnotatorState.objects.get(user=bob).state == "warned"
    assert fail_until_it_is("paused", world.project, bob)[-1] == "paused"
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert (annotator_state.n_failed, annotator_state.reasons) == (4, ["rule_control_failures"])
    assert act_on_controls() == 0


def test_the_next_replay_makes_the_pause_an_exclusion(world: World, bob: User) -> None:
    fail_until_it_is("paused", world.project, bob)
    policy = world.project.policies.get()
    apply_policy(policy=policy)
    assert AnnotatorState.objects.get(user=bob).state == "excluded"


def test_whom_somebody_decided_of_is_left_alone(world: World, bob: User, alice: User) -> None:
    terms = {"project": world.project, "user_id": bob.pk, "reason": "They learn.", "decided_by": alice}
    fail_until(world.project, bob, 1)
    decide_status(state=DecidedStatus.ACTIVE, **terms)
    fail_until(world.project, bob, 6)
    assert AnnotatorState.objects.get(user=bob).state == "active"


def test_whom_the_counters_paused_stays_so_when_handed_back_to_the_rules(world: World, bob: User, alice: User) -> None:
    """The last replay found nothing yet; what is in force says pause all the same."""
    fail_until_it_is("paused", world.project, bob)
    terms = {"project": world.project, "user_id": bob.pk, "reason": "By the rules.", "decided_by": alice}
    told = AnnotatorState.objects.get(user=bob).reasons
    decide_status(state=DecidedStatus.POLICY, **terms)
    annotator_state = AnnotatorState.objects.get(user=bob)
    assert (annotator_state.state, annotator_state.reasons) == ("paused", told)
    decide_status(state=DecidedStatus.ACTIVE, **terms)
    assert AnnotatorState.objects.get(user=bob).state == "active"


@pytest.mark.nightly
def test_whom_somebody_looked_at_is_paused_by_the_counters_as_ever(world: World, bob: User, alice: User) -> None:
    fail_until(world.project, bob, 1)
    AnnotatorState.objects.filter(user=bob).update(needs_review=True)
    decide_status(
        project=world.project, user_id=bob.pk, state=DecidedStatus.REVIEWED, reason="I looked.", decided_by=alice
    )
    fail_until_it_is("paused", world.project, bob)
    assert AnnotatorState.objects.get(user=bob).n_failed == 4


@pytest.mark.nightly
def test_without_a_policy_nobody_is_paused(world: World, bob: User) -> None:
    world.project.policies.update(in_force_since=None)
    fail_until(world.project, bob, 6)
    assert AnnotatorState.objects.get(user=bob).state == "active"
