"""Policies as views: who is excluded, what that changes, that it was told before, and that it can all be taken back."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotation.controls.keeping import change_control
from backend.annotation.models import (
    Assignment,
    AssignmentStatus,
    Control,
    ControlState,
    DecidedState,
    HitItem,
    Judgment,
    PolicyReplay,
    QualityPolicy,
    Slot,
    Standing,
)
from backend.annotation.quality.deciding import decide_standing
from backend.annotation.quality.policies import (
    Moved,
    apply_policy,
    create_policy,
    enforce_view,
    preview_policy,
    work_out,
)
from backend.annotation.quality.replay_reads import read_horizon
from backend.annotation.quality.replaying import evaluate
from backend.annotation.selectors import counted_judgments
from backend.methods.quality import default_rules
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run
from backend.runs.services import start_run
from judged_project import PulledPlug, fall_silent, work_on
from policed_world import World, add_person

EXCLUDE = {"collector": "control_failures", "condition": {"threshold": 0.7, "min_n": 2}, "action": "exclude"}


@pytest.fixture
def world(project: Project) -> World:
    """Four HITs of three pairs with two places each, and ten hidden controls that accept good."""
    made = World(project)
    made.add_hits(4, 3)
    made.add_controls(10)
    return made


@pytest.fixture
def judged(world: World, bob: User, dora: User) -> World:
    """bob fails three controls of four, dora passes hers; both judged two HITs, which have no place left."""
    fail_controls(world, bob, failed=3, graded=4)
    fail_controls(world, dora, failed=0, graded=4)
    for user in (bob, dora):
        world.submit(user, 1, ["bad"] * 3)
    return world


def policy_of(project: Project, *rules: dict[str, Any]) -> QualityPolicy:
    return create_policy(project=project, rules=list(rules), created_by=None)


def rule(collector: str, action: str, **condition: Any) -> dict[str, Any]:
    return {"collector": collector, "condition": condition, "action": action}


def fail_controls(world: World, user: User, *, failed: int, graded: int, at: int = 0) -> None:
    said = dict(enumerate(["bad"] * failed + ["good"] * (graded - failed)))
    world.submit(user, at, ["good"] * 3, controls=said)


def skip(world: World, user: User, at: int) -> None:
    now = timezone.now()
    told = {"seed": 0, "shown": [], "leased_at": now, "expires_at": now, "status": AssignmentStatus.SKIPPED}
    Assignment.objects.create(project=world.project, hit=world.hits[at], annotator=user, **told)


def state_of(user: User) -> str:
    return Standing.objects.get(user=user).state


def counted(project: Project) -> set[int]:
    return set(counted_judgments(project=project).values_list("pk", flat=True))


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
    spoilers, others = [add_person(project, f"spoiler-{n}") for n in range(2)], [add_person(project, "other")]
    for user in spoilers:
        world.submit(user, 0, ["bad"] * 3, controls=dict.fromkeys(range(4), "bad"))
        for at in (1, 2, 3):
            skip(world, user, at)
    world.submit(bob, 0, ["good"] * 3)
    for user, at in itertools.product((dora, *others), (1, 2, 3)):
        world.submit(user, at, ["good"] * 3)
    alike = rule("disagreement", "review", min_n=3, threshold=0.5, p_value=0.05)
    held = evaluate(policy=policy_of(project, alike), project=project)
    assert bob.pk in {each.user_id for each in held.people if each.findings}
    view = evaluate(policy=policy_of(project, out, alike), project=project)
    assert view.excluded == {user.pk for user in spoilers}
    assert not [each for each in view.people if each.user_id == bob.pk and each.findings]


def test_a_control_that_good_annotators_fail_is_left_out(world: World, project: Project, bob: User) -> None:
    people = [add_person(project, f"person-{n}") for n in range(8)]
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
    first = evaluate(policy=policy, project=judged.project, horizon=read_horizon(replay.horizon)).as_bytes()
    mind = Judgment.objects.filter(annotator=bob, candidate=judged.controls[0].candidate).get()
    Judgment.objects.create(
        assignment=mind.assignment, candidate=mind.candidate, annotator=bob, label="good", position=mind.position,
        supersedes=mind,
    )  # fmt: skip
    judged.submit(bob, 2, ["bad"] * 3, controls={4: "good", 5: "good", 6: "good", 7: "good"})
    judged.submit(dora, 2, ["bad"] * 3)
    decide_standing(
        project=judged.project, user_id=dora.pk, state=DecidedState.PAUSED, reason="A word.", decided_by=dora
    )
    again = evaluate(policy=policy, project=judged.project, horizon=read_horizon(replay.horizon))
    assert again.as_bytes() == first
    assert again.digest == replay.digest
    assert evaluate(policy=policy, project=judged.project).digest != replay.digest


def test_an_older_judgment_is_a_horizon_too(judged: World, bob: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    second = Judgment.objects.filter(annotator=bob, candidate__control__isnull=False).order_by("pk")[1]
    view = evaluate(policy=policy, project=judged.project, until=second.pk)
    evidence = next(each for each in view.people if each.user_id == bob.pk).findings[0].evidence
    assert (evidence["n"], evidence["n_failed"]) == (2, 2)


def test_an_exclusion_opens_places_for_what_no_longer_counts(judged: World, bob: User) -> None:
    """Two HITs of three pairs lose one of two votes each."""
    policy = policy_of(judged.project, EXCLUDE)
    _, effect = preview_policy(policy=policy)
    assert (effect.n_judgments_stop, effect.n_pairs_reopen) == (6, 6)
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 0
    apply_policy(policy=policy)
    free = Slot.objects.filter(assignment=None, hit__in=judged.hits[:2])
    assert sorted(free.values_list("hit_id", "number")) == [(hit.pk, 3) for hit in judged.hits[:2]]
    assert HitItem.objects.filter(hit__in=judged.hits[:2], is_open=True).count() == effect.n_pairs_reopen


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


def test_judgments_whose_counting_changed_are_marked_and_no_others(judged: World, bob: User, dora: User) -> None:
    Judgment.objects.update(is_dirty=False)
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    dirty = Judgment.objects.filter(is_dirty=True)
    assert set(dirty.values_list("annotator", flat=True)) == {bob.pk}
    assert dirty.count() == 6  # the answers to controls never count


def test_one_version_is_in_force_and_the_history_says_what_each_did(judged: World, alice: User, bob: User) -> None:
    first, second = policy_of(judged.project, EXCLUDE), policy_of(judged.project)
    apply_policy(policy=first, applied_by=alice)
    apply_policy(policy=second, applied_by=alice)
    assert list(QualityPolicy.objects.filter(in_force_since__isnull=False)) == [second]
    told = [(row.policy.version, [c["becomes"] for c in row.summary["changes"]]) for row in PolicyReplay.objects.all()]
    assert told == [(2, ["active"]), (1, ["excluded"])]
    assert state_of(bob) == "active"


def test_applying_again_keeps_no_second_replay_until_something_is_found(judged: World, dora: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    first = apply_policy(policy=policy)
    assert apply_policy(policy=policy) == first
    judged.submit(dora, 2, ["good"] * 3, controls=dict.fromkeys(range(4, 8), "good"))
    assert apply_policy(policy=policy) == first
    judged.submit(add_person(judged.project, "late"), 2, ["good"] * 3, controls={0: "bad", 1: "bad"})
    assert apply_policy(policy=policy) != first
    assert PolicyReplay.objects.count() == 2


def test_a_decision_while_it_was_worked_out_is_not_run_over(judged: World, bob: User, alice: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    view = work_out(policy=policy)
    decide_standing(
        project=judged.project, user_id=bob.pk, state=DecidedState.ACTIVE, reason="Unclear controls.", decided_by=alice
    )
    with pytest.raises(Moved):
        enforce_view(policy=policy, view=view)
    apply_policy(policy=policy)
    assert state_of(bob) == "active"


def test_a_manual_exclusion_counts_out_and_back_in(judged: World, bob: User, alice: User) -> None:
    before = counted(judged.project)
    terms = {"project": judged.project, "user_id": bob.pk, "decided_by": alice}
    decide_standing(state=DecidedState.EXCLUDED, reason="Shared account.", **terms)
    assert len(before) - len(counted(judged.project)) == 6
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 2
    decide_standing(state=DecidedState.POLICY, reason="Settled.", **terms)
    assert counted(judged.project) == before
    assert Slot.objects.filter(assignment=None, hit__in=judged.hits[:2]).count() == 0


def test_a_killed_apply_leaves_nothing_half_done(judged: World, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    run = start_run(project=judged.project, stage="apply_policy", parameters={"version": policy.version})

    def pull(**_: Any) -> None:
        raise PulledPlug

    with monkeypatch.context() as patched:
        patched.setattr("backend.annotation.quality.policies.settle_hits", pull)
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


def test_replaying_takes_as_many_statements_however_much_was_judged(world: World, bob: User, dora: User) -> None:
    policy = policy_of(world.project, *[each.as_json() for each in default_rules()])
    for user in (bob, dora):
        world.submit(user, 0, ["good"] * 3, controls={0: "good"})
    with CaptureQueriesContext(connection) as few:
        preview_policy(policy=policy)
    for user, at in itertools.product((bob, dora), (1, 2, 3)):
        world.submit(user, at, ["good"] * 3, controls={at: "good"})
    with CaptureQueriesContext(connection) as many:
        preview_policy(policy=policy)
    assert len(many) == len(few) <= 20


LABELS = st.sampled_from(["good", "bad", "unsure"])
TURN = st.tuples(
    st.integers(0, 3),  # who
    st.integers(0, 2),  # which HIT
    st.lists(LABELS, min_size=2, max_size=2),
    st.lists(LABELS, max_size=2),  # what was said of controls
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TURN, max_size=12, unique_by=lambda turn: turn[:2]))
def test_whatever_people_said_applying_does_what_the_preview_told_and_can_be_taken_back(
    project: Project, turns: list[tuple[int, int, list[str], list[str]]]
) -> None:
    with transaction.atomic():
        check_that_the_preview_holds(project, turns)
        transaction.set_rollback(True)


def check_that_the_preview_holds(project: Project, turns: list[tuple[int, int, list[str], list[str]]]) -> None:
    world, people = World(project), [add_person(project, f"person-{n}") for n in range(4)]
    world.add_hits(3, 2)
    world.add_controls(6)
    for who, at, labels, answers in turns:
        world.submit(people[who], at, labels, controls={2 * at + n: label for n, label in enumerate(answers)})
    before, rows = counted(project), Judgment.objects.count()
    empty = policy_of(project)
    apply_policy(policy=empty)
    policy = policy_of(project, rule("control_failures", "exclude", min_n=1, threshold=0.5))
    effect = preview_policy(policy=policy)[1]
    was_enough = {item.pk for item in HitItem.objects.all() if n_counted(project, item) >= 2}
    assert apply_policy(policy=policy).summary == effect.as_json()
    assert len(before) - len(counted(project)) == effect.n_judgments_stop
    reopened = [item for item in HitItem.objects.filter(pk__in=was_enough) if n_counted(project, item) < 2]
    assert len(reopened) == effect.n_pairs_reopen
    assert all(item.is_open for item in reopened)
    apply_policy(policy=empty)
    assert counted(project) == before
    assert Judgment.objects.count() == rows


def n_counted(project: Project, item: HitItem) -> int:
    return counted_judgments(project=project).filter(candidate=item.candidate_id).count()


def test_nobody_is_held_back_who_was_handed_back(judged: World, bob: User, alice: User) -> None:
    """A person handed back to the policy stands as the version in force found them."""
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    terms = {"project": judged.project, "user_id": bob.pk, "decided_by": alice}
    decide_standing(state=DecidedState.ACTIVE, reason="We spoke.", **terms)
    assert state_of(bob) == "active"
    decide_standing(state=DecidedState.POLICY, reason="By the rules.", **terms)
    assert state_of(bob) == "excluded"


def test_a_person_reads_sentences_without_a_figure(judged: World, bob: User) -> None:
    apply_policy(policy=policy_of(judged.project, EXCLUDE))
    reasons = Standing.objects.get(user=bob).reasons
    assert reasons == ["Too many of your answers differ from what is known to be right."]


def test_runs_of_the_policy_name_what_they_changed(judged: World, alice: User) -> None:
    policy = policy_of(judged.project, EXCLUDE)
    told = {"version": policy.version}
    run = work_on(start_run(project=judged.project, stage="apply_policy", parameters=told, started_by=alice))
    assert run.counts == {
        "changed": 1, "dropped": {}, "in": 2, "n_judgments_start": 0, "n_judgments_stop": 6, "n_pairs_reopen": 6,
        "out": 2,
    }  # fmt: skip
    again = work_on(start_run(project=judged.project, stage="apply_policy"))
    assert again.log_tail == ["Version 1 finds what it found before; nothing changes."]
    assert Run.objects.filter(status="succeeded").count() == 2
