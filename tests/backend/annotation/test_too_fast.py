"""Who answers too fast for the others is found, whatever part of the work is theirs, and by the same figures again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotation.models import Assignment, DecidedStatus, Judgment
from backend.methods.quality import floor_of, quick_of
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.decisions import decide_status
from backend.quality.horizon import Horizon, read_floor
from backend.quality.models import QualityPolicy
from backend.quality.replay import PolicyView, evaluate
from backend.quality.services import create_policy
from nightly import examples
from policed_world import apply_policy
from world import World, make_world

TOO_FAST: dict[str, Any] = {"collector": "too_fast", "condition": {}, "action": "exclude"}
FAILING: dict[str, Any] = {"collector": "control_failures", "condition": {}, "action": "exclude"}
PAGE = 60


@pytest.fixture
def world(project: Project) -> World:
    return make_world(project, images=2, captions=PAGE, controls=4)


def spend(world: World, user: User, ms: Sequence[int], at: int = 0, **more: Any) -> Assignment:
    return world.submit(user, at, ["good"] * PAGE, ms=ms, **more)


def people_at_work(world: World, n: int, start: int = 0) -> list[User]:
    """Each of n people spends three to nine seconds on an item."""
    rng = np.random.default_rng(start)
    people = world.people(*(f"person-{start + at}" for at in range(n)))
    for person in people:
        spend(world, person, rng.integers(3000, 9000, PAGE).tolist())
    return people


def policy_of(project: Project, *rules: dict[str, Any]) -> QualityPolicy:
    return create_policy(project=project, rules=list(rules), created_by=None)


def flagged(view: PolicyView) -> set[int]:
    return {each.user_id for each in view.people if any(found.collector == "too_fast" for found in each.findings)}


@pytest.mark.nightly
@pytest.mark.parametrize("n_honest", [2, 5, 18])
@pytest.mark.parametrize("ms", [0, 200])
def test_a_bot_is_found_whatever_part_of_the_answers_is_its_own(
    world: World, bob: User, ms: int, n_honest: int
) -> None:
    spend(world, bob, [ms] * PAGE)
    people_at_work(world, n_honest)
    view = evaluate(policy=policy_of(world.project, TOO_FAST))
    assert flagged(view) == view.excluded == {bob.pk}


@pytest.mark.nightly
def test_a_replay_over_the_same_horizon_finds_the_same_floor(world: World, bob: User) -> None:
    spend(world, bob, [200] * PAGE)
    people_at_work(world, 3)
    policy = policy_of(world.project, TOO_FAST)
    replay = apply_policy(policy=policy)
    first = evaluate(policy=policy, horizon=Horizon(**replay.horizon)).as_bytes()
    for person in people_at_work(world, 9, start=3):
        spend(world, person, [90_000] * PAGE, at=1)
    again = evaluate(policy=policy, horizon=Horizon(**replay.horizon))
    assert (again.as_bytes(), again.digest) == (first, replay.digest)
    assert evaluate(policy=policy).digest != replay.digest


@pytest.mark.nightly
def test_who_is_out_for_another_reason_does_not_say_how_long_answers_take(world: World, bob: User, alice: User) -> None:
    """Four bots and three people: the bots are the middle until three of them are out."""
    people_at_work(world, 3)
    bots = [bob, *world.people(*(f"bot-{n}" for n in range(3)))]
    for bot, controls in zip(bots, ({}, {}, *2 * [dict.fromkeys(range(4), "bad")]), strict=True):
        spend(world, bot, [200] * PAGE, controls=controls)
    assert not flagged(evaluate(policy=policy_of(world.project, TOO_FAST)))
    both = policy_of(world.project, TOO_FAST, FAILING)
    assert flagged(evaluate(policy=both)) == {bot.pk for bot in bots}
    for bot in bots[1:]:
        decide_status(
            project=world.project, user_id=bot.pk, state=DecidedStatus.EXCLUDED, reason="A script.", decided_by=alice
        )
    assert bob.pk in evaluate(policy=policy_of(world.project, TOO_FAST)).excluded


@pytest.mark.nightly
def test_those_too_fast_do_not_vote_on_others(world: World, bob: User, dora: User) -> None:
    bots = world.people("bot-0", "bot-1")
    for bot in bots:
        world.submit(bot, 0, ["bad"] * PAGE, ms=[200] * PAGE)
    people_at_work(world, 3)
    alike = {"collector": "disagreement", "condition": {"p_value": 0.05}, "action": "review"}
    view = evaluate(policy=policy_of(world.project, TOO_FAST, alike))
    told = {each.user_id: {found.evidence["n"] for found in each.findings} for each in view.people if each.findings}
    assert set(told) == view.excluded == {bot.pk for bot in bots}


TIMES = st.lists(st.none() | st.integers(0, 400), max_size=45)


@pytest.mark.nightly
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TIMES, min_size=1, max_size=5), st.integers(0, 5), st.data())
def test_the_database_takes_the_floor_that_the_definition_does(
    project: Project, told: list[list[int | None]], n_without: int, data: st.DataObject
) -> None:
    with transaction.atomic():
        world = make_world(project, images=1, captions=45)
        people = world.people(*(f"person-{at}" for at in range(len(told))))
        for person, times in zip(people, told, strict=True):
            world.submit(person, 0, ["good"] * 45, ms=[*times, *[None] * (45 - len(times))])
        rows = list(Judgment.objects.order_by("pk"))
        until = data.draw(st.sampled_from([row.pk for row in rows] or [0]))
        without = [person.pk for person in people[:n_without]]
        assert read_floor(project=project, until=until, without=without) == floor_over(rows, until, without)
        transaction.set_rollback(True)


def floor_over(rows: Sequence[Judgment], until: int, without: Sequence[int]) -> float | None:
    """The slow way: everybody's times, read one by one."""
    times: dict[int, list[float]] = {}
    for row in rows:
        if row.pk <= until and row.ms is not None and row.annotator_id not in without:
            times.setdefault(row.annotator_id, []).append(row.ms / 1000)
    return floor_of(quick for each in times.values() if (quick := quick_of(each)) is not None)
