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

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from backend.annotation.answers import Judged
from backend.annotation.leasing import MOST_HELD, NextHit, lease_next
from backend.annotation.models import (
    DONE,
    Assignment,
    AssignmentStatus,
    ControlMeeting,
    ControlOutcome,
    Hit,
    HitItem,
    Label,
    SkipReason,
    Slot,
    Standing,
    StandingState,
)
from backend.annotation.returning import keep_lease, return_assignment, skip_assignment
from backend.annotation.revising import revise_judgment
from backend.annotation.selectors import counted_judgments, current_judgments, read_counts
from backend.annotation.settling import settle_hits, settle_project
from backend.annotation.submitting import submit_assignment
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.errors import Conflict
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
    """One project of two HITs. `said` is what people were told is stored: {(user id, candidate id): label}."""

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
        self.said: dict[tuple[int, int], str] = {}
        self.n_keys = 0
        self.closed: set[int] = set()

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
            self.said[assignment.annotator_id, assignment.shown[position - 1]] = label

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

    @rule(name=person, state=st.sampled_from([StandingState.EXCLUDED, StandingState.ACTIVE, StandingState.PAUSED]))
    def change_standing(self, name: str, state: StandingState) -> None:
        user = self.users[name]
        Standing.objects.update_or_create(project=self.project, user=user, defaults={"state": state})
        judged = Assignment.objects.filter(annotator=user).values_list("hit", flat=True)
        settle_hits(project=self.project, hits=judged)

    @precondition(lambda self: self.said)
    @rule(confidence=st.sampled_from([None, 0.8, 0.95]), overlap=st.integers(1, 3), rate=st.sampled_from([0, 0.4]))
    def change_settings(self, confidence: float | None, overlap: int, rate: float) -> None:
        Project.objects.filter(pk=self.project.pk).update(confidence=confidence, overlap=overlap, control_rate=rate)
        self.project.refresh_from_db()
        settle_project(project=self.project)

    # How.

    def take(self, name: str, *, ahead: bool = False) -> NextHit:
        user = self.users[name]
        held = list(Assignment.objects.filter(annotator=user, status="leased").values_list("pk", flat=True))
        gone = Assignment.objects.filter(annotator=user, status__in=("expired", "returned"))
        gone_before = set(gone.values_list("pk", flat=True))
        found = lease_next(project=self.project, annotator=user, holding=held if ahead else ())
        self.seen["came back"] += bool(found.shown and found.shown.assignment.pk in gone_before)
        return found

    def pick(self, name: str, at: int, *, statuses: tuple[str, ...] = ()) -> Assignment | None:
        """One of the person's assignments, whatever became of it."""
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
        self.said |= {(assignment.annotator_id, assignment.shown[one.position - 1]): str(one.label) for one in judged}
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
    def no_pair_has_more_people_than_places(self) -> None:
        places: dict[int, int] = defaultdict(int)
        for hit in Slot.objects.values_list("hit", flat=True):
            places[hit] += 1
        people: dict[int, int] = defaultdict(int)
        for candidate in counted_judgments(project=self.project).values_list("candidate", flat=True):
            people[candidate] += 1
        for shown in Assignment.objects.filter(status=AssignmentStatus.LEASED).values_list("shown", flat=True):
            for candidate in shown:
                people[candidate] += 1
        for item in HitItem.objects.all():
            assert people[item.candidate_id] <= places[item.hit_id]

    @invariant()
    def what_was_settled(self) -> None:
        closed = set(HitItem.objects.filter(is_open=False).values_list("pk", flat=True))
        self.seen["place added"] += Slot.objects.filter(number__gt=2).exists()
        self.seen["pair closed"] += bool(closed)
        self.seen["pair opened again"] += bool(self.closed - closed)
        self.closed = closed

    @invariant()
    def a_place_belongs_to_who_holds_it_or_submitted_on_it(self) -> None:
        assert set(Assignment.objects.filter(status__in=HELD)) == set(Assignment.objects.exclude(slot=None))
        held = Assignment.objects.filter(status=AssignmentStatus.LEASED).values_list("annotator", flat=True)
        assert all(list(held).count(user) <= MOST_HELD for user in held)

    @invariant()
    def nothing_said_is_lost_or_said_twice(self) -> None:
        rows = list(current_judgments(project=self.project).values_list("annotator", "candidate", "label"))
        assert {(user, candidate): label for user, candidate, label in rows} == self.said
        assert len(rows) == len(self.said)

    @invariant()
    def counters_say_what_the_rows_say(self) -> None:
        for standing in Standing.objects.all():
            met = ControlMeeting.objects.filter(annotator=standing.user)
            failed = met.filter(outcome=ControlOutcome.FAILED).count()
            passed = met.filter(outcome=ControlOutcome.PASSED).count()
            done = Assignment.objects.filter(annotator=standing.user, status__in=DONE).count()
            assert (standing.n_submitted, standing.n_graded, standing.n_failed) == (done, passed + failed, failed)
        counts = read_counts([self.project.pk])[self.project.pk]
        submitted = Assignment.objects.filter(status=AssignmentStatus.SUBMITTED).count()
        assert counts["places"] - counts["places_open"] == submitted
        assert counts["judgments"] == len(self.said)

    @invariant()
    def whatever_wants_judgments_has_a_place_for_them(self) -> None:
        counted = list(counted_judgments(project=self.project).values_list("candidate", flat=True))
        for hit in Hit.objects.prefetch_related("items", "slots__assignment"):
            if any(slot.assignment is None or slot.assignment.status == "leased" for slot in hit.slots.all()):
                continue
            for item in hit.items.all():
                assert counted.count(item.candidate_id) >= self.project.overlap
                assert self.project.confidence is None or not item.is_open

    def teardown(self) -> None:
        """In the end newcomers can finish whatever is left."""
        try:
            self.time.shift(timedelta(hours=2))
            for name in FRESH:
                while (found := self.take(name)).shown:
                    self.judge(found.shown.assignment, ["good"] * 8)
            assert not Slot.objects.exclude(assignment__status=AssignmentStatus.SUBMITTED).exists()
            self.whatever_wants_judgments_has_a_place_for_them()
            self.nothing_said_is_lost_or_said_twice()
        finally:
            transaction.set_rollback(True)
            self.example.__exit__(None, None, None)
            self.clock.stop()


@pytest.mark.parametrize(
    "confidence", [pytest.param(None, id="fixed"), pytest.param(0.9, id="adaptive", marks=pytest.mark.both_engines)]
)
def test_no_walk_through_the_engine_breaks_it(
    project: Project,
    add_image: Callable[..., Image],
    build: Callable[..., list[Hit]],
    confidence: float | None,
) -> None:
    def make() -> Project:
        Project.objects.filter(pk=project.pk).update(
            confidence=confidence, overlap=2, max_overlap=4, control_rate=0.4, lease_minutes=30
        )
        project.refresh_from_db()
        add_image("pier", 2), add_image("lamp", 3)
        build()
        for image in Image.objects.all():
            add_image(image.key, 1, start=9)
            control = Candidate.objects.get(image=image, text=f"{image.key} caption 9")
            World(project).control(control)
        return project

    Annotation.make = staticmethod(make)
    Annotation.seen = Counter()
    run_state_machine_as_test(
        Annotation,
        settings=settings(
            max_examples=12, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
    reached = {"submitted", "late", "came back", "refused", "place added", "pair closed", "pair opened again"}
    assert reached <= set(+Annotation.seen), f"The walks no longer reach {reached - set(+Annotation.seen)}."
