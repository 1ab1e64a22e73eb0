"""Who fails control after control is paused within a few pages, and no answer tells by which page."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from backend.annotation import standings
from backend.annotation.leasing import lease_next
from backend.annotation.models import DecidedState, Label, Standing
from backend.annotation.quality.deciding import decide_standing
from backend.annotation.quality.policies import apply_policy, create_policy
from backend.annotation.standings import LOOKS_EVERY
from backend.methods.quality import default_rules
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import submit, take
from world import World, make_world


@pytest.fixture
def world(project: Project) -> World:
    """Many HITs of two pairs, each image with a control of its own, and the default rules in force."""
    project.control_rate = 0.5
    project.save()
    made = make_world(project, images=24, captions=2)
    for hit in made.hits:
        assert hit.image
        made.control(made.caption(hit.image, "known"))
    rules: list[dict[str, Any]] = [rule.as_json() for rule in default_rules()]
    apply_policy(policy=create_policy(project=project, rules=rules, created_by=None))
    return made


def judge_one(project: Project, user: User, label: Label = Label.BAD) -> str | None:
    """Judge everything the same, controls too, and ask for the next HIT; the reason why there is none."""
    return submit(take(project, user), label, fetch_next=True).next.reason


def fail_until(project: Project, user: User, n_failed: int) -> list[str | None]:
    reasons = []
    while Standing.objects.filter(user=user, n_failed__gte=n_failed).count() == 0:
        reasons.append(judge_one(project, user))
    return reasons


def fail_until_it_is(state: str, project: Project, user: User) -> list[str | None]:
    reasons: list[str | None] = []
    while not Standing.objects.filter(user=user, state=state).exists():
        reasons.append(judge_one(project, user))
    return reasons


def test_failing_controls_warns_and_then_pauses(world: World, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "LOOKS_EVERY", 1)
    fail_until(world.project, bob, 2)
    fail_until_it_is("warned", world.project, bob)
    assert fail_until_it_is("paused", world.project, bob)[-1] == "paused"
    assert Standing.objects.get(user=bob).reasons == ["rule_control_failures"]
    assert lease_next(project=world.project, annotator=bob).reason == "paused"


def test_who_failed_enough_controls_is_paused_within_a_few_pages(world: World, bob: User) -> None:
    fail_until(world.project, bob, 4)
    assert len(fail_until_it_is("paused", world.project, bob)) <= LOOKS_EVERY


def test_what_follows_a_page_is_the_same_whatever_was_said_of_its_controls(world: World, bob: User) -> None:
    """At each page all answers are tried, and taken back: no state, no sentence and no reason hangs on them."""
    after(world.project, bob, Label.GOOD)  # what is read once of a project is read
    for _ in range(3 * LOOKS_EVERY):
        followed = [after(world.project, bob, label) for label in (Label.GOOD, Label.BAD, Label.UNSURE)]
        assert followed[0] == followed[1] == followed[2]
        if judge_one(world.project, bob) == "paused":
            break
    assert Standing.objects.get(user=bob).state == "paused"


def after(project: Project, user: User, label: Label) -> tuple[str | None, str, list[str]]:
    with transaction.atomic():
        reason = judge_one(project, user, label)
        standing = Standing.objects.get(user=user)
        transaction.set_rollback(True)
    return reason, standing.state, standing.reasons


def test_the_next_replay_makes_the_pause_an_exclusion(world: World, bob: User) -> None:
    fail_until_it_is("paused", world.project, bob)
    policy = world.project.policies.get()
    apply_policy(policy=policy)
    assert Standing.objects.get(user=bob).state == "excluded"


def test_whom_somebody_decided_of_is_left_alone(world: World, bob: User, alice: User) -> None:
    terms = {"project": world.project, "user_id": bob.pk, "reason": "They learn.", "decided_by": alice}
    fail_until(world.project, bob, 1)
    decide_standing(state=DecidedState.ACTIVE, **terms)
    fail_until(world.project, bob, 5 + LOOKS_EVERY)
    assert Standing.objects.get(user=bob).state == "active"


def test_whom_the_counters_paused_stays_so_when_handed_back_to_the_rules(world: World, bob: User, alice: User) -> None:
    """The last replay found nothing yet; what is in force says pause all the same."""
    fail_until_it_is("paused", world.project, bob)
    terms = {"project": world.project, "user_id": bob.pk, "reason": "By the rules.", "decided_by": alice}
    told = Standing.objects.get(user=bob).reasons
    decide_standing(state=DecidedState.POLICY, **terms)
    standing = Standing.objects.get(user=bob)
    assert (standing.state, standing.reasons) == ("paused", told)
    decide_standing(state=DecidedState.ACTIVE, **terms)
    assert Standing.objects.get(user=bob).state == "active"


def test_whom_somebody_looked_at_is_paused_by_the_counters_as_ever(world: World, bob: User, alice: User) -> None:
    fail_until(world.project, bob, 1)
    Standing.objects.filter(user=bob).update(needs_review=True)
    decide_standing(
        project=world.project, user_id=bob.pk, state=DecidedState.REVIEWED, reason="I looked.", decided_by=alice
    )
    fail_until(world.project, bob, 4)
    assert len(fail_until_it_is("paused", world.project, bob)) <= LOOKS_EVERY


def test_without_a_policy_nobody_is_paused(world: World, bob: User) -> None:
    world.project.policies.update(in_force_since=None)
    fail_until(world.project, bob, 5 + LOOKS_EVERY)
    assert Standing.objects.get(user=bob).state == "active"
