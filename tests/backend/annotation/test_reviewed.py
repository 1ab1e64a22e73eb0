"""A rule asks for a look at somebody, who is looked at: it asks again of what comes after, and no other rule rests."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.annotation.models import AnnotatorState, Assignment, DecidedStatus
from backend.common.errors import Conflict, NotAllowed
from backend.people.models import User
from backend.quality.decisions import decide_status
from backend.quality.horizon import Horizon, skips_since
from backend.quality.models import PolicyReplay
from backend.quality.replay import evaluate
from policed_world import apply_policy, policy_of, rule, state_of
from world import World

pytestmark = pytest.mark.both_engines

pytest_plugins = ("policed_fixtures",)


def is_flagged(user: User) -> bool:
    return AnnotatorState.objects.get(user=user).needs_review


def decide(world: World, user: User, by: User, state: DecidedStatus, *, may_curate: bool = False) -> None:
    decide_status(
        project=world.project, user_id=user.pk, state=state, reason="I looked.", decided_by=by, may_curate=may_curate
    )


@pytest.mark.parametrize("window", [None, 20], ids=["of counts", "of turns"])
def test_who_was_looked_at_is_flagged_again_by_what_comes_after_alone(
    judged: World, bob: User, dora: User, window: int | None
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2, window=window))
    apply_policy(policy=policy)
    assert is_flagged(bob)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    assert not is_flagged(bob)
    judged.submit(bob, 2, ["good"] * 3, controls={4: "bad"})  # one since then, where the rule wants two
    apply_policy(policy=policy)
    assert not is_flagged(bob)
    judged.submit(bob, 3, ["good"] * 3, controls={5: "bad"})
    apply_policy(policy=policy)
    assert is_flagged(bob)


@pytest.mark.nightly
def test_the_other_rules_look_at_everything_as_ever(judged: World, bob: User, dora: User) -> None:
    review = rule("control_failures", "review", threshold=0.5, min_n=2)
    policy = policy_of(judged.project, review, rule("control_failures", "exclude", threshold=0.8, min_n=5))
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    judged.submit(bob, 2, ["good"] * 3, controls={4: "bad"})
    apply_policy(policy=policy)
    assert (state_of(bob), is_flagged(bob)) == ("excluded", False)


@pytest.mark.nightly
def test_what_was_left_to_others_before_the_look_is_not_asked_about_again(judged: World, bob: User, dora: User) -> None:
    policy = policy_of(judged.project, rule("skips", "review", threshold=0.5, min_n=2))
    judged.add_hits(2, 3)
    for at in (2, 3):
        judged.turn(bob, at, status="skipped")
    apply_policy(policy=policy)
    assert is_flagged(bob)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    judged.turn(bob, 4, status="skipped")
    apply_policy(policy=policy)
    assert not is_flagged(bob)
    judged.turn(bob, 5, status="skipped")
    apply_policy(policy=policy)
    assert is_flagged(bob)


def test_every_replay_around_a_look_gives_the_same_bytes_again(judged: World, bob: User, dora: User) -> None:
    asked = rule("skips", "review", threshold=0.1, min_n=1)
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2), asked)
    judged.turn(bob, 2, status="skipped")
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    apply_policy(policy=policy)
    judged.add_hits(1, 3)
    judged.submit(bob, 3, ["good"] * 3, controls={4: "bad", 5: "bad"})
    apply_policy(policy=policy)
    judged.turn(bob, 4, status="skipped")
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    replays = PolicyReplay.objects.all()
    assert len(replays) == 4
    for each in replays:
        again = evaluate(policy=policy, horizon=Horizon(**each.horizon))
        assert again.digest == each.digest


def test_only_what_is_asked_is_answered(judged: World, bob: User, dora: User, alice: User) -> None:
    """Nobody is looked at ahead of time, and no decision of a curator's is put aside by a look."""
    with pytest.raises(Conflict):
        decide(judged, bob, dora, DecidedStatus.REVIEWED)
    apply_policy(policy=policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2)))
    decide(judged, bob, alice, DecidedStatus.ACTIVE, may_curate=True)
    with pytest.raises(Conflict):
        decide(judged, bob, dora, DecidedStatus.REVIEWED)
    with pytest.raises(NotAllowed):
        decide(judged, bob, dora, DecidedStatus.POLICY)


def test_a_pause_taken_back_after_a_look_leaves_them_looked_at(judged: World, bob: User, dora: User) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    for state in (DecidedStatus.REVIEWED, DecidedStatus.PAUSED, DecidedStatus.POLICY):
        decide(judged, bob, dora, state)
    apply_policy(policy=policy)
    assert (state_of(bob), is_flagged(bob)) == ("active", False)


@pytest.mark.nightly
def test_a_pause_that_a_curator_takes_back_leaves_them_looked_at(
    judged: World, bob: User, dora: User, alice: User
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    for _ in range(2):
        decide(judged, bob, dora, DecidedStatus.PAUSED)
        decide(judged, bob, alice, DecidedStatus.POLICY, may_curate=True)
        told_at_once = is_flagged(bob)
        apply_policy(policy=policy)
        assert (state_of(bob), told_at_once, is_flagged(bob)) == ("active", False, False)
    judged.submit(bob, 2, ["good"] * 3, controls={4: "bad"})
    judged.submit(bob, 3, ["good"] * 3, controls={5: "bad"})
    apply_policy(policy=policy)
    assert is_flagged(bob)


@pytest.mark.nightly
def test_who_is_handed_back_to_the_rules_without_a_pause_is_looked_at_anew(
    judged: World, bob: User, dora: User, alice: User
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    decide(judged, bob, alice, DecidedStatus.POLICY, may_curate=True)
    told_at_once = is_flagged(bob)
    apply_policy(policy=policy)
    assert (told_at_once, is_flagged(bob)) == (True, True)


@pytest.mark.nightly
def test_a_pause_that_a_curator_takes_back_twice_leaves_the_look_standing(
    judged: World, bob: User, dora: User, alice: User
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    for _ in range(2):
        decide(judged, bob, alice, DecidedStatus.POLICY, may_curate=True)
        assert not is_flagged(bob)


@pytest.mark.nightly
@pytest.mark.parametrize("by", ["head", "curator"])
@pytest.mark.parametrize("replayed_when", ["before the pause", "in the pause"])
def test_a_pause_taken_back_hides_nothing_that_came_after_the_look(
    judged: World, bob: User, dora: User, alice: User, replayed_when: str, by: str
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    for at in (2, 3):
        judged.submit(bob, at, ["good"] * 3, controls={at + 2: "bad"})
    if replayed_when == "before the pause":
        apply_policy(policy=policy)
        assert is_flagged(bob)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    apply_policy(policy=policy)
    decide(judged, bob, dora if by == "head" else alice, DecidedStatus.POLICY, may_curate=by == "curator")
    told_at_once = is_flagged(bob)
    apply_policy(policy=policy)
    assert (told_at_once, is_flagged(bob)) == (True, True)


@pytest.mark.nightly
def test_what_was_looked_at_is_not_asked_about_again_after_a_replay_in_the_pause(
    judged: World, bob: User, dora: User
) -> None:
    policy = policy_of(judged.project, rule("control_failures", "review", threshold=0.5, min_n=2))
    apply_policy(policy=policy)
    for _ in range(2):
        decide(judged, bob, dora, DecidedStatus.PAUSED)
        decide(judged, bob, dora, DecidedStatus.POLICY)
    decide(judged, bob, dora, DecidedStatus.REVIEWED)
    decide(judged, bob, dora, DecidedStatus.PAUSED)
    apply_policy(policy=policy)
    decide(judged, bob, dora, DecidedStatus.POLICY)
    assert not is_flagged(bob)


def test_skips_are_counted_for_however_many_were_looked_at(judged: World, bob: User) -> None:
    """SQLite takes no expression of a thousand parts."""
    now = timezone.now()
    judged.add_hits(2, 3)
    for at in (4, 5):
        judged.turn(bob, at, status="skipped")
    looked_at = dict.fromkeys(range(10000, 13000), now)
    first = Assignment.objects.filter(annotator=bob, status="skipped").earliest("leased_at").leased_at
    assert skips_since(judged.project, looked_at | {bob.pk: first}) == ((bob.pk, 1, 1),)
    assert skips_since(judged.project, {}) == ()
