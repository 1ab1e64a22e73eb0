"""Policies as views: what putting one in force changes, that it was told before, and that it can all be taken back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotation.models import DecidedStatus, HitItem, Judgment, Slot
from backend.annotation.selectors import counted_judgments
from backend.annotation.settle_stage import settle_changed
from backend.people.models import User
from backend.projects.models import Project
from backend.quality import effects as previewing
from backend.quality import services as policies
from backend.quality.decisions import decide_status
from backend.quality.models import PolicyReplay, QualityPolicy
from backend.quality.services import Moved, enforce_view, preview_policy, work_out
from backend.runs.models import Run
from backend.runs.services import start_run
from judged_project import PulledPlug, fall_silent, work_on
from nightly import examples, nightly
from policed_world import EXCLUDE, apply_policy, counted, policy_of, rule, state_of
from settled import wanting
from world import World, make_world

pytestmark = pytest.mark.both_engines

pytest_plugins = ("policed_fixtures",)


@pytest.mark.nightly
def test_an_exclusion_opens_places_for_what_no_longer_counts(judged: World, bob: User) -> None:
    """Two HITs of three pairs lose one of two votes each."""
    policy = policy_of(judged.project, EXCLUDE)
    before = wanting(judged.project)
    _, effect = preview_policy(policy=policy)
    assert (effect.n_judgments_stop, effect.n_pairs_reopen) == (6, 6)
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 0
    apply_policy(policy=policy)
    free = Slot.objects.filter(assignment=None, hit__in=judged.hits[:2])
    assert sorted(free.values_list("hit_id", "number")) == [(hit.pk, 3) for hit in judged.hits[:2]]
    assert len(wanting(judged.project) - before) == effect.n_pairs_reopen


@pytest.mark.nightly
def test_a_lifted_exclusion_restores_exactly_the_former_view(judged: World, bob: User) -> None:
    before, rows = counted(judged.project), Judgment.objects.count()
    places = set(Slot.objects.values_list("hit", "number", "assignment"))
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    assert not Judgment.objects.filter(pk__in=counted(judged.project), annotator=bob).exists()
    lenient = policy_of(judged.project, rule("control_failures", "exclude", min_n=90))
    _, effect = preview_policy(policy=lenient)
    assert (effect.n_judgments_start, effect.n_pairs_close) == (6, 6)
    apply_policy(policy=lenient)
    assert counted(judged.project) == before
    assert set(Slot.objects.values_list("hit", "number", "assignment")) == places
    assert Judgment.objects.count() == rows


@pytest.mark.nightly
def test_one_version_is_in_force_and_the_history_says_what_each_did(judged: World, alice: User, bob: User) -> None:
    first, second = policy_of(judged.project, EXCLUDE), policy_of(judged.project)
    apply_policy(policy=first, applied_by=alice)
    apply_policy(policy=second, applied_by=alice)
    assert list(QualityPolicy.objects.filter(in_force_since__isnull=False)) == [second]
    told = [(row.policy.version, [c["becomes"] for c in row.effect["changes"]]) for row in PolicyReplay.objects.all()]
    assert told == [(2, ["active"]), (1, ["excluded"])]
    assert state_of(bob) == "active"


@pytest.mark.nightly
def test_applying_again_keeps_no_second_replay_until_something_is_found(judged: World, dora: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    first = apply_policy(policy=policy)
    assert apply_policy(policy=policy) == first
    judged.submit(dora, 2, ["good"] * 3, controls=dict.fromkeys(range(4, 8), "good"))
    assert apply_policy(policy=policy) == first
    judged.submit(judged.person("late"), 2, ["good"] * 3, controls={0: "bad", 1: "bad"})
    assert apply_policy(policy=policy) != first
    assert PolicyReplay.objects.count() == 2


def test_a_decision_while_it_was_worked_out_is_not_run_over(judged: World, bob: User, alice: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    view, effect = work_out(policy=policy)
    decide_status(
        project=judged.project, user_id=bob.pk, state=DecidedStatus.ACTIVE, reason="Unclear controls.", decided_by=alice
    )
    with pytest.raises(Moved):
        enforce_view(policy=policy, view=view, effect=effect)
    apply_policy(policy=policy)
    assert state_of(bob) == "active"


@pytest.mark.nightly
def test_pairs_are_counted_before_anything_is_locked(judged: World, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a million pairs it takes 20 seconds, in which nobody could be decided of."""
    hold, count, done = policies.lock_policies, previewing.count_pairs, []
    monkeypatch.setattr(policies, "lock_policies", lambda project: (done.append("locked"), hold(project)))
    monkeypatch.setattr(previewing, "count_pairs", lambda *told: (done.append("counted"), count(*told))[1])
    assert apply_policy(policy=policy_of(judged.project, EXCLUDE)).effect["n_pairs_reopen"] == 6
    assert done == ["counted", "locked"]


def test_a_status_that_changed_while_it_was_worked_out_is_not_run_over(judged: World, bob: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    view, effect = work_out(policy=policy)
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    with pytest.raises(Moved):
        enforce_view(policy=policy, view=view, effect=effect)
    kept = apply_policy(policy=policy)
    assert (effect.n_pairs_reopen, kept.effect["n_pairs_reopen"], kept.effect["changes"]) == (6, 0, [])


def test_a_manual_exclusion_counts_out_and_back_in(judged: World, bob: User, alice: User) -> None:
    before = counted(judged.project)
    terms = {"project": judged.project, "user_id": bob.pk, "decided_by": alice}
    decide_status(state=DecidedStatus.EXCLUDED, reason="Shared account.", **terms)
    assert len(before) - len(counted(judged.project)) == 6
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 2
    decide_status(state=DecidedStatus.POLICY, reason="Settled.", **terms)
    assert counted(judged.project) == before
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 0


def test_a_killed_apply_leaves_nothing_half_done(judged: World, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    run = start_run(project=judged.project, stage="apply_policy", parameters={"version": policy.version})

    def pull(**_: Any) -> None:
        raise PulledPlug

    with monkeypatch.context() as patched:
        patched.setattr("backend.quality.services.settle", pull)
        with pytest.raises(PulledPlug):
            work_on(run)
    assert (state_of(bob), PolicyReplay.objects.count(), Slot.objects.filter(number=3).count()) == ("active", 0, 0)
    assert not QualityPolicy.objects.filter(in_force_since__isnull=False).exists()
    fall_silent(run)
    assert work_on(run).status == "succeeded"
    assert (state_of(bob), PolicyReplay.objects.count(), Slot.objects.filter(number=3).count()) == ("excluded", 1, 2)


def test_the_stage_without_a_policy_says_so(judged: World) -> None:
    run = work_on(start_run(project=judged.project, stage="apply_policy"))
    assert (run.status, run.error["code"]) == ("failed", "no_policy")


LABELS = st.sampled_from(["good", "bad", "unsure"])
TURN = st.tuples(
    st.integers(0, 3),  # who
    st.integers(0, 2),  # which HIT
    st.lists(LABELS, min_size=2, max_size=2),
    st.lists(LABELS, max_size=2),  # what was said of controls
)


@pytest.mark.parametrize("most_at_once", [nightly(policies.MOST_AT_ONCE), 0])  # settled at once, or by the chore
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TURN, max_size=12, unique_by=lambda turn: turn[:2]))
def test_whatever_people_said_applying_does_what_the_preview_told_and_can_be_taken_back(
    project: Project, most_at_once: int, turns: list[tuple[int, int, list[str], list[str]]]
) -> None:
    with transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(policies, "MOST_AT_ONCE", most_at_once)
        check_that_the_preview_holds(project, turns)
        transaction.set_rollback(True)


def check_that_the_preview_holds(project: Project, turns: list[tuple[int, int, list[str], list[str]]]) -> None:
    world = make_world(project, images=3, captions=2, controls=6)
    people = world.people(*(f"person-{n}" for n in range(4)))
    for who, at, labels, answers in turns:
        world.submit(people[who], at, labels, controls={2 * at + n: label for n, label in enumerate(answers)})
    before, rows = counted(project), Judgment.objects.count()
    empty = policy_of(project)
    apply_policy(policy=empty)
    policy = policy_of(project, rule("control_failures", "exclude", min_n=1, threshold=0.5))
    effect = preview_policy(policy=policy)[1]
    was_enough = {item.pk for item in HitItem.objects.all() if n_counted(project, item) >= 2}
    assert apply_policy(policy=policy).effect == asdict(effect)
    assert len(before) - len(counted(project)) == effect.n_judgments_stop
    if not policies.MOST_AT_ONCE:
        settle_changed()
    reopened = [item for item in HitItem.objects.filter(pk__in=was_enough) if n_counted(project, item) < 2]
    assert len(reopened) == effect.n_pairs_reopen
    assert {item.candidate_id for item in reopened} <= wanting(project)
    apply_policy(policy=empty)
    assert counted(project) == before
    assert Judgment.objects.count() == rows


def n_counted(project: Project, item: HitItem) -> int:
    return counted_judgments(project=project).filter(candidate=item.candidate_id).count()


@pytest.mark.nightly
def test_nobody_is_held_back_who_was_handed_back(judged: World, bob: User, alice: User) -> None:
    """A person handed back to the policy stands as the version in force found them."""
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    terms = {"project": judged.project, "user_id": bob.pk, "decided_by": alice}
    decide_status(state=DecidedStatus.ACTIVE, reason="We spoke.", **terms)
    assert state_of(bob) == "active"
    decide_status(state=DecidedStatus.POLICY, reason="By the rules.", **terms)
    assert state_of(bob) == "excluded"


@pytest.mark.nightly
def test_runs_of_the_policy_name_what_they_changed(judged: World, alice: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    told = {"version": policy.version}
    run = work_on(start_run(project=judged.project, stage="apply_policy", parameters=told, started_by=alice))
    assert run.counts == {
        "changed": 1, "dropped": {}, "in": 2, "n_judgments_start": 0, "n_judgments_stop": 6, "n_pairs_reopen": 6,
        "out": 2,
    }  # fmt: skip
    again = work_on(start_run(project=judged.project, stage="apply_policy"))
    assert again.log_tail == ["Version 1 finds the same as before. Nothing changes."]
    assert Run.objects.filter(status="succeeded").count() == 2
