"""What a policy finds of people: whom each rule meets, and that a replay finds the same again."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from backend.annotation.models import AnnotatorState, DecidedStatus, Judgment
from backend.controls.services import change_control
from backend.methods.quality import default_rules
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control, ControlState
from backend.quality.decisions import decide_status
from backend.quality.horizon import Horizon, take_horizon
from backend.quality.replay import evaluate
from backend.quality.services import preview_policy
from policed_world import EXCLUDE, apply_policy, fail_controls, policy_of, rule, state_of
from world import World

pytest_plugins = ("policed_fixtures",)


@pytest.mark.parametrize(
    ("failed", "graded", "state"), [(7, 10, "excluded"), (6, 9, "active"), (2, 3, "active"), (3, 4, "excluded")]
)
def test_seventy_percent_of_graded_controls_failed_excludes(
    world: World, bob: User, failed: int, graded: int, state: str
) -> None:
    fail_controls(world, bob, failed=failed, graded=graded)
    apply_policy(policy=policy_of(world.project, EXCLUDE))
    assert state_of(bob) == state


@pytest.mark.parametrize(("failed", "graded", "state"), [(3, 4, "excluded"), (2, 2, "warned"), (1, 1, "active")])
def test_the_defaults_warn_before_they_exclude(world: World, bob: User, failed: int, graded: int, state: str) -> None:
    fail_controls(world, bob, failed=failed, graded=graded)
    apply_policy(policy=policy_of(world.project, *[each.as_json() for each in default_rules()]))
    assert state_of(bob) == state


def test_unsure_on_a_control_fails_only_where_the_rule_says_so(world: World, bob: User) -> None:
    world.submit(bob, 0, ["good"] * 3, controls=dict.fromkeys(range(4), "unsure"))
    apply_policy(policy=policy_of(world.project, EXCLUDE))
    assert state_of(bob) == "active"
    apply_policy(policy=policy_of(world.project, rule("control_failures", "exclude", min_n=2, unsure_fails=True)))
    assert state_of(bob) == "excluded"


def test_a_window_forgets_what_came_before_it(world: World, bob: User) -> None:
    fail_controls(world, bob, failed=4, graded=4)
    world.submit(bob, 1, ["good"] * 3, controls={4: "good", 5: "good"})
    apply_policy(policy=policy_of(world.project, rule("control_failures", "exclude", min_n=2, threshold=0.6)))
    assert state_of(bob) == "excluded"
    lately = rule("control_failures", "exclude", min_n=2, threshold=0.6, window=1)
    apply_policy(policy=policy_of(world.project, lately))
    assert state_of(bob) == "active"


@pytest.mark.parametrize(
    "out",
    [
        rule("control_failures", "exclude", min_n=2, threshold=0.7),
        rule("control_failures", "exclude", min_n=2, threshold=0.7, window=5),
        rule("skips", "exclude", min_n=3, threshold=0.5),
    ],
    ids=["all controls", "controls in a window", "skips"],
)
def test_nobody_is_held_against_people_whom_another_rule_excludes(
    world: World, project: Project, bob: User, dora: User, out: dict[str, Any]
) -> None:
    spoilers, others = world.people("spoiler-0", "spoiler-1"), world.people("other")
    for user in spoilers:
        world.submit(user, 0, ["bad"] * 3, controls=dict.fromkeys(range(4), "bad"))
        for at in (1, 2, 3):
            world.turn(user, at, status="skipped")
    world.submit(bob, 0, ["good"] * 3)
    for user, at in itertools.product((dora, *others), (1, 2, 3)):
        world.submit(user, at, ["good"] * 3)
    alike = rule("disagreement", "review", min_n=3, threshold=0.5, p_value=0.05)
    held = evaluate(policy=policy_of(project, alike))
    assert bob.pk in {each.user_id for each in held.people if each.findings}
    view = evaluate(policy=policy_of(project, out, alike))
    assert view.excluded == {user.pk for user in spoilers}
    assert not [each for each in view.people if each.user_id == bob.pk and each.findings]


def test_a_control_that_good_annotators_fail_is_left_out(world: World, project: Project, bob: User) -> None:
    people = world.people(*(f"person-{n}" for n in range(8)))
    project.overlap = 20
    for person in people:
        world.submit(person, 0, ["good"] * 3, controls={n: "bad" if n == 0 else "good" for n in range(6)})
    world.submit(bob, 0, ["good"] * 3, controls={0: "bad", 1: "bad"})
    strict = rule("control_failures", "exclude", min_n=2, threshold=0.9)
    apply_policy(policy=policy_of(project, strict))
    assert Control.objects.get(state="quarantined") == world.controls[0]
    assert state_of(bob) == "active"
    apply_policy(policy=policy_of(project, rule("control_failures", "exclude", min_n=1, threshold=0.9)))
    assert state_of(bob) == "excluded"


def test_whom_a_wrong_control_excluded_is_let_back_in_once_it_is_quarantined(judged: World, bob: User) -> None:
    """Of three failures and a pass, one failure leaves 2 of 3, which is no longer enough; retiring it leaves all."""
    policy = policy_of(judged.project, EXCLUDE)
    apply_policy(policy=policy)
    change_control(control=judged.controls[0], state=ControlState.RETIRED, reason="Its answer is wrong.")
    apply_policy(policy=policy)
    assert state_of(bob) == "excluded"
    change_control(control=judged.controls[0], state=ControlState.QUARANTINED)
    assert preview_policy(policy=policy)[1].n_pairs_close == 6
    apply_policy(policy=policy)
    assert state_of(bob) == "active"


def test_a_replay_over_the_same_horizon_gives_the_same_bytes(judged: World, bob: User, dora: User) -> None:
    policy = policy_of(judged.project, *[each.as_json() for each in default_rules()])
    replay = apply_policy(policy=policy)
    first = evaluate(policy=policy, horizon=Horizon(**replay.horizon)).as_bytes()
    mind = Judgment.objects.filter(annotator=bob, candidate=judged.controls[0].candidate).get()
    judged.change_mind(mind, "good")
    judged.submit(bob, 2, ["bad"] * 3, controls={4: "good", 5: "good", 6: "good", 7: "good"})
    judged.submit(dora, 2, ["bad"] * 3)
    decide_status(
        project=judged.project, user_id=dora.pk, state=DecidedStatus.PAUSED, reason="A word.", decided_by=dora
    )
    again = evaluate(policy=policy, horizon=Horizon(**replay.horizon))
    assert again.as_bytes() == first
    assert again.digest == replay.digest
    assert evaluate(policy=policy).digest != replay.digest


def test_an_older_judgment_is_a_horizon_too(judged: World, bob: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    second = Judgment.objects.filter(annotator=bob, candidate__control__isnull=False).order_by("pk")[1]
    horizon = replace(take_horizon(project=judged.project), until=second.pk)
    view = evaluate(policy=policy, horizon=horizon)
    evidence = next(each for each in view.people if each.user_id == bob.pk).findings[0].evidence
    assert (evidence["n"], evidence["n_failed"]) == (2, 2)


def test_a_person_reads_sentences_without_a_figure(judged: World, bob: User) -> None:
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    reasons = AnnotatorState.objects.get(user=bob).reasons
    assert reasons == ["rule_control_failures"]
