"""Folding: whatever happens to judgments, the tables are those that counting from nothing would make."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import combinations, count
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, AssignmentStatus, Judgment
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.methods.agreement import groups_of
from backend.methods.agreement.kept_tables import TWO_WIDTH, item_width, unpack
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.services import recount
from backend.review import folding
from backend.review.models import AgreementTable
from world import World, make_world

pytestmark = pytest.mark.both_engines

LABELS = ("good", "bad", "unsure")
MONDAY = datetime(2026, 11, 16, 12, tzinfo=UTC)
N_PAIRS = 4
Sums = dict[tuple[str, str], tuple[Counter[Any], Counter[Any]]]

PEOPLE, PAIRS = st.integers(0, 2), st.integers(0, N_PAIRS - 1)
SAID = st.tuples(st.sampled_from(LABELS), st.sets(st.sampled_from(("color", "number")), max_size=2), st.integers(0, 20))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), PEOPLE, PAIRS, SAID),
        st.tuples(st.just("exclude"), PEOPLE),
        st.tuples(st.just("lift"), PEOPLE),
        st.tuples(st.just("fold"), st.integers(1, 3)),
    ),
    max_size=25,
)
numbers = count(1)


def kept(project: Project) -> Sums:
    """The tables as they are kept."""
    return {
        (table.scope, table.value): (
            rows(table.items, item_width(table.scope)), rows(table.twos, TWO_WIDTH)
        )
        for table in AgreementTable.objects.filter(project=project)
        if table.items and len(unpack(table.items, width=item_width(table.scope)))
    }  # fmt: skip


def rows(packed: bytes, width: int) -> Counter[Any]:
    return Counter({tuple(row[:-1]): row[-1] for row in unpack(packed, width=width).tolist()})


def counted_anew(project: Project) -> Sums:
    """The same, pair by pair, from the judgments that count."""
    of_pairs: dict[int, list[Judgment]] = defaultdict(list)
    for judgment in counted_judgments(project=project).select_related("candidate__image").order_by("annotator_id"):
        of_pairs[judgment.candidate_id].append(judgment)
    sums: Sums = defaultdict(lambda: (Counter(), Counter()))
    for said in of_pairs.values():
        newest = max(one.created_at for one in said)
        year, week, _ = newest.isocalendar()
        labels = [(one.annotator_id, LABELS.index(one.label)) for one in said]
        for place in (("overall", ""), ("source", said[0].candidate.source), ("week", f"{year}-W{week:02d}")):
            add(sums[place], said[0], labels, 3)
        for kind in {edit["kind"] for one in said for edit in one.edits}:
            would = [(one.annotator_id, int(any(edit["kind"] == kind for edit in one.edits))) for one in said]
            add(sums["edit", kind], said[0], would, 2)
    return dict(sums)


def add(sums: tuple[Counter[Any], Counter[Any]], one: Judgment, labels: list[tuple[int, int]], k: int) -> None:
    [bucket] = groups_of([int(one.candidate.image.digest[:16], 16)]).tolist()
    given = Counter(label for _, label in labels)
    sums[0][(bucket, *(given[label] for label in range(k)))] += 1
    for (first, one_label), (second, other) in combinations(labels, 2):
        sums[1][first, second, one_label * k + other] += 1


def fold_all(project: Project) -> None:
    while folding.fold(project=project, most=3):
        pass


class Table:
    """Three people round one HIT of a new project, two pairs of each source."""

    def __init__(self, owner: User, people: list[User]) -> None:
        self.project = Project.objects.create(slug=f"table-{next(numbers)}", name="Table", created_by=owner)
        world = make_world(self.project, images=1, captions=N_PAIRS)
        self.pairs = world.pairs
        Candidate.objects.filter(pk__in=[pair.pk for pair in self.pairs[:2]]).update(source="web")
        self.people = people
        self.turns = [world.turn(person, 0, status=AssignmentStatus.SUBMITTED) for person in people]

    def say(self, person: int, pair: int, said: tuple[str, set[str], int]) -> None:
        label, kinds, days = said
        mine = Judgment.objects.filter(annotator=self.people[person], candidate=self.pairs[pair])
        earlier = mine.filter(superseded_by=None).first()
        mine.update(is_dirty=True)
        made = Judgment.objects.create(
            assignment=self.turns[person], candidate=self.pairs[pair], annotator=self.people[person], label=label,
            position=pair + 1, edits=[{"kind": kind} for kind in sorted(kinds)], supersedes=earlier,
        )  # fmt: skip
        Judgment.objects.filter(pk=made.pk).update(created_at=MONDAY + timedelta(days=days))

    def exclude(self, person: int) -> None:
        self._stand(person, AnnotatorStatus.EXCLUDED)

    def lift(self, person: int) -> None:
        self._stand(person, AnnotatorStatus.ACTIVE)

    def _stand(self, person: int, state: AnnotatorStatus) -> None:
        who = self.people[person]
        AnnotatorState.objects.update_or_create(project=self.project, user=who, defaults={"state": state})
        Judgment.objects.filter(annotator=who, candidate__project=self.project).update(is_dirty=True)

    def fold(self, most: int) -> None:
        folding.fold(project=self.project, most=most)


@pytest.fixture
def people(alice: User, bob: User, dora: User) -> list[User]:
    return [alice, bob, dora]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_after_any_judgments_revisions_exclusions_and_lifts_the_tables_are_those_counted_anew(
    people: list[User], steps: list[tuple[Any, ...]]
) -> None:
    table = Table(people[0], people)
    for name, *given_to_it in steps:
        getattr(table, name)(*given_to_it)
    fold_all(table.project)
    assert kept(table.project) == counted_anew(table.project)
    assert not Judgment.objects.filter(candidate__project=table.project, is_dirty=True).exists()


@pytest.fixture
def table(people: list[User]) -> Iterator[Table]:
    table = Table(people[0], people)
    for person, pair in ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1)):
        table.say(person, pair, (LABELS[(person + pair) % 3], {"color"} if person else set(), pair))
    yield table


def test_a_fold_that_is_killed_half_way_changes_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    class PulledPlug(BaseException): ...

    def stop(*_: object) -> None:
        raise PulledPlug

    table.fold(1)
    before, marks = kept(table.project), list(Judgment.objects.order_by("pk").values_list("is_dirty", "is_tallied"))
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(folding, "_mark", stop)
        table.fold(5)
    assert kept(table.project) == before
    assert list(Judgment.objects.order_by("pk").values_list("is_dirty", "is_tallied")) == marks
    fold_all(table.project)
    assert kept(table.project) == counted_anew(table.project) != before


def test_late_judgments_and_controls_stand_in_no_table(table: Table) -> None:
    Assignment.objects.filter(pk=table.turns[2].pk).update(status=AssignmentStatus.LATE)
    World(table.project).control(table.pairs[1])
    fold_all(table.project)
    [(items, _)] = [sums for place, sums in kept(table.project).items() if place == ("overall", "")]
    assert sum(sum(row[1:]) * n for row, n in items.items()) == 2
    assert not Judgment.objects.filter(is_dirty=True).exists()


def test_sums_that_are_wrong_are_counted_anew_and_not_shown(table: Table) -> None:
    fold_all(table.project)
    AgreementTable.objects.filter(scope="overall").update(items=b"", twos=b"")
    table.exclude(0)
    fold_all(table.project)
    assert not AgreementTable.objects.exists()
    fold_all(table.project)
    assert kept(table.project) == counted_anew(table.project)


def test_pairs_that_very_many_judged_are_folded_a_few_at_a_time(
    project: Project, make_judged: Callable[..., Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred people who judged 5,000 pairs are 25 million twos, however few judgments wait."""
    make_judged(project, images=2, captions=3, opinion=lambda i, c, p: LABELS[(i + c * p) % 3])
    monkeypatch.setattr(folding, "MOST_TWOS", 4)
    assert [folding.fold(project=project) for _ in range(4)] == [4, 4, 4, 0]
    assert kept(project) == counted_anew(project)
    Judgment.objects.update(is_dirty=True)
    monkeypatch.setattr(folding, "MOST_TWOS", 1)
    assert folding.fold(project=project) == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_folders_do_not_meet(project: Project, make_judged: Callable[..., Project]) -> None:
    make_judged(project, images=20, captions=5, opinion=lambda i, c, p: LABELS[(i + c * p) % 3])

    def work() -> None:
        try:
            for _ in range(30):
                folding.fold(project=project, most=20)
        finally:
            connection.close()

    folders = [Thread(target=work) for _ in range(3)]
    for folder in folders:
        folder.start()
    for folder in folders:
        folder.join()
    fold_all(project)
    assert kept(project) == counted_anew(project)


def test_judgments_of_another_project_are_left_alone(
    table: Table, project: Project, bob: User, make_judged: Callable[..., Project]
) -> None:
    make_judged(project, images=1, captions=2)
    fold_all(table.project)
    assert not kept(project)
    assert Judgment.objects.filter(candidate__project=project, is_dirty=True).count() == 4


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_exclusion_in_the_middle_of_a_fold_is_not_lost(
    project: Project, make_judged: Callable[..., Project], bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_judged(project, images=2, captions=3)
    has_read, mark = Event(), folding._mark

    def mark_slowly(*given: Any) -> None:
        has_read.set()
        time.sleep(0.5)
        mark(*given)

    def exclude() -> None:
        has_read.wait()
        try:
            with transaction.atomic():
                AnnotatorState.objects.create(project=project, user=bob, state=AnnotatorStatus.EXCLUDED)
                recount(project=project, users=[bob.pk])
        finally:
            connection.close()

    other = Thread(target=exclude)
    other.start()
    with monkeypatch.context() as patch:
        patch.setattr(folding, "_mark", mark_slowly)
        folding.fold(project=project)
    other.join()
    assert Judgment.objects.filter(is_dirty=True).count() == 6
    fold_all(project)
    assert kept(project) == counted_anew(project)
    assert Judgment.objects.filter(is_tallied=True).count() == 6
