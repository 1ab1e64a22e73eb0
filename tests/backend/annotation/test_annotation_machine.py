"""Whatever people do to HITs, and in whichever order: nothing is judged too often, twice, or lost, and all gets done.

Hypothesis draws the walks: people lease, look ahead, submit in time, late and twice, skip, give back, keep, change
their minds, fall silent; the lead excludes them and lets them back in, and turns the adaptive overlap and the controls
on and off.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from backend.annotation.allocation import mark_pairs, settle
from backend.annotation.answers import Judged
from backend.annotation.leases import MOST_HELD, NextHit, keep_lease, lease_next, return_assignment, skip_assignment
from backend.annotation.models import (
    DONE,
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    ControlOutcome,
    Hit,
    HitItem,
    Judgment,
    SkipReason,
    Slot,
)
from backend.annotation.selectors import counted_judgments, current_judgments, pairs_in_hits, read_counts
from backend.annotation.submissions import revise_judgment, submit_assignment
from backend.catalogue.models import Image
from backend.common.errors import Conflict
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from world import World

PEOPLE = ["ann", "ben", "cleo", "dan"]
FRESH = [f"fresh{n}" for n in range(8)]
person = st.sampled_from(PEOPLE)
label = st.sampled_from(Label.values)
which = st.integers(min_value=0, max_value=20)
HELD = (AssignmentStatus.LEASED, AssignmentStatus.SUBMITTED)


class Annotation(RuleBasedStateMachine):
    """One project of three HITs, and one of controls alone. `said` is what people were told is stored."""

    make: Callable[[], Project]
    seen: Counter[str]

    def __init__(self) -> None:
        super().__init__()
        self.clock = time_machine.travel(timezone.now(), tick=False)
        self.time = self.clock.start()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.project = self.make()
        self.users = {name: User.objects.create(username=name, email=f"{name}@x.org") for name in (*PEOPLE, *FRESH)}
        for user in self.users.values():
            Membership.objects.create(project=self.project, user=user, role=Role.ANNOTATOR)
        self.said: dict[tuple[UUID, int], str] = {}
        self.n_keys = 0

    # What people do.

    @rule(name=person, ahead=st.booleans())
    def next(self, name: str, ahead: bool) -> None:
        self.take(name, ahead=ahead)

    @rule(name=person, at=which, labels=st.lists(label, min_size=8, max_size=8), wants_next=st.booleans())
    def submit(self, name: str, at: int, labels: list[str], wants_next: bool) -> None:
        if (assignment := self.pick(name, at)) is not None:
            self.judge(assignment, labels, wants_next=wants_next)

    @rule(name=person, labels=st.lists(label, min_size=8, max_size=8))
    def submit_what_is_held(self, name: str, labels: list[str]) -> None:
        found = self.take(name)
        if found.shown:
            self.judge(found.shown.assignment, labels)

    @rule(name=person, at=which, comes_back=st.booleans())
    def skip(self, name: str, at: int, comes_back: bool) -> None:
        if (assignment := self.pick(name, at)) is not None:
            self.attempt(skip_assignment, assignment=assignment, reason=SkipReason.OTHER, comes_back=comes_back)

    @rule(name=person, at=which)
    def give_back(self, name: str, at: int) -> None:
        if (assignment := self.pick(name, at)) is not None:
            self.attempt(return_assignment, assignment=assignment)

    @rule(name=person, at=which)
    def keep(self, name: str, at: int) -> None:
        if (assignment := self.pick(name, at)) is not None:
            self.attempt(keep_lease, assignment=assignment)

    @rule(name=person, at=which, position=st.integers(1, 3), label=label)
    def change_mind(self, name: str, at: int, position: int, label: str) -> None:
        assignment = self.pick(name, at, statuses=DONE)
        if assignment is not None and position <= len(assignment.shown):
            revise_judgment(assignment=assignment, judged=Judged(position, Label(label)))
            self.said[assignment.pk, position] = label

    @rule(minutes=st.sampled_from([5, 31]))
    def wait(self, minutes: int) -> None:
        self.time.shift(timedelta(minutes=minutes))

    @rule(name=person, labels=st.lists(label, min_size=8, max_size=8))
    def fall_silent_until_others_took_over(self, name: str, labels: list[str]) -> None:
        self.take(name)
        self.wait(31)
        for other in PEOPLE:
            if other != name:
                self.take(other), self.take(other, ahead=True)
        for given_away in Assignment.objects.filter(annotator=self.users[name], status="expired"):
            given_away.project = self.project
            self.judge(given_away, labels)

    # What the lead does.

    @rule(
        name=person, state=st.sampled_from([AnnotatorStatus.EXCLUDED, AnnotatorStatus.ACTIVE, AnnotatorStatus.PAUSED])
    )
    def change_status(self, name: str, state: AnnotatorStatus) -> None:
        user = self.users[name]
        AnnotatorState.objects.update_or_create(project=self.project, user=user, defaults={"state": state})
        judged = Assignment.objects.filter(annotator=user).values_list("root", flat=True)
        settle(project=self.project, roots=judged, anew=True)

    @precondition(lambda self: self.said)
    @rule(confidence=st.sampled_from([None, 0.8, 0.95]), overlap=st.integers(1, 3), rate=st.sampled_from([0, 0.3]))
    def change_settings(self, confidence: float | None, overlap: int, rate: float) -> None:
        Project.objects.filter(pk=self.project.pk).update(confidence=confidence, overlap=overlap, control_rate=rate)
        self.project.refresh_from_db()
        settle(project=self.project, roots=self.roots(), anew=True)

    @rule(at=which, is_decided=st.booleans())
    def decide(self, at: int, is_decided: bool) -> None:
        pairs = list(pairs_in_hits(project=self.project).values_list("candidate", flat=True))
        mark_pairs(project=self.project, decided={pairs[at % len(pairs)]: is_decided})

    # How.

    def roots(self) -> list[int]:
        return list(Hit.objects.filter(root=None).values_list("pk", flat=True))

    def take(self, name: str, *, ahead: bool = False) -> NextHit:
        user = self.users[name]
        held = list(Assignment.objects.filter(annotator=user, status="leased").values_list("pk", flat=True))
        gone = Assignment.objects.filter(annotator=user, status__in=("expired", "returned"))
        gone_before = set(gone.values_list("pk", flat=True))
        found = lease_next(project=self.project, annotator=user, holding=held if ahead else ())
        self.seen["came back"] += bool(found.shown and found.shown.assignment.pk in gone_before)
        return found

    def pick(self, name: str, at: int, *, statuses: tuple[str, ...] = ()) -> Assignment | None:
        """One of the person's assignments, in any state."""
        mine = Assignment.objects.filter(annotator=self.users[name]).order_by("created_at", "pk")
        found = list(mine.filter(status__in=statuses) if statuses else mine)
        if not found:
            return None
        found[at % len(found)].project = self.project
        return found[at % len(found)]

    def judge(self, assignment: Assignment, labels: list[str], *, wants_next: bool = False) -> None:
        positions = range(1, len(assignment.shown) + 1)
        judged = [Judged(at, Label(label)) for at, label in zip(positions, labels, strict=False)]
        self.n_keys += 1
        submit = {"judgments": judged, "idempotency_key": str(self.n_keys), "fetch_next": wants_next}
        told = self.attempt(submit_assignment, assignment=assignment, **submit)
        self.seen["refused"] += told is None
        if told is None:
            return
        self.seen["late" if told.is_late else "submitted"] += 1
        self.said |= {(assignment.pk, one.position): str(one.label) for one in judged}
        again = submit_assignment(assignment=assignment, **submit)
        assert (again.submitted_at, again.is_late) == (told.submitted_at, told.is_late)

    @staticmethod
    def attempt(verb: Callable[..., Any], **given: Any) -> Any:
        """A refusal in words is an answer; it must then have changed nothing, which the invariants see."""
        try:
            return verb(**given)
        except Conflict:
            return None

    # What holds whatever happens.

    @invariant()
    def no_hit_has_more_people_than_slots(self) -> None:
        held = Assignment.objects.filter(status__in=HELD)
        n_people = Counter(held.values_list("hit", flat=True))
        assert not n_people - Counter(Slot.objects.values_list("hit", flat=True))

    @invariant()
    def nobody_has_two_hits_of_a_root(self) -> None:
        had = Counter(Assignment.objects.values_list("annotator", "hit__root", "hit"))
        of_root = Counter((who, root or hit) for who, root, hit in had.elements())
        assert set(of_root.values()) <= {1}

    @invariant()
    def everybody_sees_all_of_a_hit(self) -> None:
        items = defaultdict(set)
        for hit, pair in HitItem.objects.values_list("hit", "candidate"):
            items[hit].add(pair)
        for hit, shown in Assignment.objects.values_list("hit", "shown"):
            assert set(shown) == items[hit] and len(shown) == len(items[hit])

    @invariant()
    def what_was_settled(self) -> None:
        self.seen["slot added"] += Slot.objects.filter(number__gt=2, hit__root=None).exists()
        self.seen["follow-up"] += Hit.objects.filter(root__isnull=False).exists()
        self.seen["control alone"] += Hit.objects.filter(part=None).exists()

    @invariant()
    def a_place_belongs_to_who_holds_it_or_submitted_on_it(self) -> None:
        assert set(Assignment.objects.filter(status__in=HELD)) == set(Assignment.objects.exclude(slot=None))
        held = Assignment.objects.filter(status=AssignmentStatus.LEASED).values_list("annotator", flat=True)
        assert all(list(held).count(user) <= MOST_HELD for user in held)

    @invariant()
    def nothing_said_is_lost_or_said_twice(self) -> None:
        rows = list(current_judgments(project=self.project).values_list("assignment", "position", "label"))
        assert {(page, position): label for page, position, label in rows} == self.said
        assert len(rows) == len(self.said)

    @invariant()
    def counters_say_what_the_rows_say(self) -> None:
        for annotator_state in AnnotatorState.objects.all():
            first = Judgment.objects.filter(annotator=annotator_state.user, supersedes=None)
            failed = first.filter(outcome=ControlOutcome.FAILED).count()
            graded = failed + first.filter(outcome=ControlOutcome.PASSED).count()
            done = Assignment.objects.filter(annotator=annotator_state.user, status__in=DONE).count()
            assert (annotator_state.n_submitted, annotator_state.n_graded, annotator_state.n_failed) == (
                done,
                graded,
                failed,
            )
            assert annotator_state.n_judgments == first.count()
        counts = read_counts([self.project.pk])[self.project.pk]
        submitted = Assignment.objects.filter(status=AssignmentStatus.SUBMITTED).count()
        assert counts["slots"] - counts["slots_open"] == submitted
        assert counts["judgments"] == len(self.said)

    @invariant()
    def whatever_needs_judgments_has_a_slot_for_them(self) -> None:
        ahead = Slot.objects.exclude(assignment__status=AssignmentStatus.SUBMITTED).values_list("root", flat=True)
        counted = Counter(counted_judgments(project=self.project).values_list("candidate", flat=True))
        undecided = pairs_in_hits(project=self.project).filter(is_decided=False)
        for hit, pair in undecided.values_list("hit", "candidate"):
            assert hit in ahead or counted[pair] >= self.project.overlap

    @invariant()
    def no_pair_is_asked_for_too_often(self) -> None:
        """What is free is asked of everybody; leased ones may have been needed when they were taken."""
        free = Counter(Slot.objects.filter(assignment=None).values_list("hit", flat=True))
        counted = Counter(counted_judgments(project=self.project).values_list("candidate", flat=True))
        for hit, pair in HitItem.objects.filter(control=None).values_list("hit", "candidate"):
            assert not free[hit] or counted[pair] + free[hit] <= self.project.most_votes

    def teardown(self) -> None:
        """In the end newcomers can finish whatever is left."""
        try:
            self.time.shift(timedelta(hours=2))
            for name in FRESH:
                while (found := self.take(name)).shown:
                    self.judge(found.shown.assignment, ["good"] * 8)
            assert not Slot.objects.exclude(assignment__status=AssignmentStatus.SUBMITTED).exists()
            self.whatever_needs_judgments_has_a_slot_for_them()
            self.nothing_said_is_lost_or_said_twice()
        finally:
            transaction.set_rollback(True)
            self.example.__exit__(None, None, None)
            self.clock.stop()


@pytest.mark.parametrize(
    ("confidence", "n_walks"),
    [
        pytest.param(0.9, 2, id="adaptive"),
        pytest.param(None, 30, id="fixed overlap", marks=pytest.mark.nightly),
        pytest.param(0.9, 30, id="adaptive, many walks", marks=pytest.mark.nightly),
    ],
)
def test_no_walk_through_the_engine_breaks_it(
    project: Project,
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
    confidence: float | None,
    n_walks: int,
) -> None:
    def make() -> Project:
        Project.objects.filter(pk=project.pk).update(
            confidence=confidence, overlap=2, max_overlap=4, control_rate=0.3, lease_minutes=30
        )
        project.refresh_from_db()
        for key, n in (("lamp", 3), ("moon", 1), ("reed", 1)):
            for caption in add_image(key, 2, start=9).candidates.all():
                World(project).control(caption)
            add_image(key, n)
        build()
        return project

    Annotation.make = staticmethod(make)
    Annotation.seen = Counter()
    run_state_machine_as_test(
        Annotation,
        settings=settings(
            max_examples=n_walks, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
    if n_walks < 30:  # a few walks need not come everywhere
        return
    reached = {"submitted", "late", "came back", "refused", "slot added", "follow-up", "control alone"}
    assert reached <= set(+Annotation.seen), f"The walks no longer reach {reached - set(+Annotation.seen)}."
