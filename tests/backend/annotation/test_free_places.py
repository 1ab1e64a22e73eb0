"""Free places that nobody needs, that only others can take, or that a late answer comes to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_projects import make_project
from backend.annotation import places
from backend.annotation.leasing import NextHit, lease_next
from backend.annotation.models import Assignment, Hit, HitItem, Judgment, SkipReason, Slot
from backend.annotation.returning import return_assignment, skip_assignment
from backend.annotation.selectors import counted_judgments, has_work_left
from backend.annotation.settling import settle_project
from backend.catalogue.models import Image
from backend.people.models import User
from backend.projects.models import Membership, Project
from pages_in_hand import submit, take

pytestmark = pytest.mark.both_engines

AddImage = Callable[..., Image]
Build = Callable[..., list[Hit]]


def run_out(assignment: Assignment) -> None:
    """Its time is over, and the place was taken back for somebody else, who has left it again."""
    Assignment.objects.filter(pk=assignment.pk).update(status="expired", expires_at=timezone.now() - timedelta(hours=1))
    Slot.objects.filter(assignment=assignment).update(assignment=None)


def test_a_late_answer_that_nobody_needs_any_more_is_kept_and_costs_no_vote(
    project: Project, bob: User, hit: Hit
) -> None:
    late = take(project, bob)
    run_out(late)
    HitItem.objects.filter(hit=hit).update(is_open=False, is_decided=True)
    assert submit(late).is_late
    assert (Judgment.objects.count(), counted_judgments(project=project).count()) == (3, 0)
    assert not Slot.objects.filter(hit=hit).exists(), "a place that nobody needs would be waited for, for ever"


@pytest.mark.parametrize("lets_go", ["returns it", "skips it", "lets it run out"])
def test_a_place_that_falls_free_once_nobody_is_needed_goes_away(
    project: Project, bob: User, dora: User, hit: Hit, lets_go: str
) -> None:
    """Everybody has met the HIT, so nobody comes along to take the place away."""
    theirs, others = take(project, bob), take(project, dora)
    submit(others)
    HitItem.objects.filter(hit=hit).update(is_open=False, is_decided=True)
    if lets_go == "returns it":
        return_assignment(assignment=theirs)
    elif lets_go == "skips it":
        skip_assignment(assignment=theirs, reason=SkipReason.OTHER)
    else:
        Assignment.objects.filter(pk=theirs.pk).update(expires_at=timezone.now() - timedelta(hours=1))
        lease_next(project=project, annotator=dora)
    assert list(Slot.objects.filter(hit=hit).values_list("assignment", flat=True)) == [others.pk]


@pytest.mark.parametrize("lets_go", ["returns it", "skips it", "lets it run out"])
@pytest.mark.parametrize("asks_for", [{"control_rate": 0.0}, {"control_rate": 0.2}, {"confidence": 0.6}])
def test_a_page_that_others_made_good_meanwhile_is_handed_to_nobody_else(
    project: Project, alice: User, bob: User, charlie: User, dora: User, hit: Hit, asks_for: dict[str, float],
    lets_go: str,
) -> None:  # fmt: skip
    """As of a HIT that is in more hands than it wants, since it is to have fewer judgments than when it was taken."""
    Project.objects.filter(pk=project.pk).update(overlap=3, max_overlap=3, **asks_for)
    Membership.objects.create(project=project, user=charlie, role="annotator")
    project.refresh_from_db()
    settle_project(project=project)
    pages = [take(project, user) for user in (alice, bob, charlie)]
    Project.objects.filter(pk=project.pk).update(overlap=2)
    settle_project(project=project)
    for page in pages:
        page.project.refresh_from_db()
    for page in pages[:2]:
        submit(page)
    if lets_go == "returns it":
        return_assignment(assignment=pages[2])
    elif lets_go == "skips it":
        skip_assignment(assignment=pages[2], reason=SkipReason.OTHER)
    else:
        Assignment.objects.filter(pk=pages[2].pk).update(expires_at=timezone.now() - timedelta(hours=1))
    project.refresh_from_db()
    assert lease_next(project=project, annotator=dora).shown is None
    assert not Slot.objects.filter(hit=hit, assignment=None).exists()


@pytest.mark.django_db(transaction=True)
def test_the_walk_goes_by_the_index_of_free_places() -> None:
    """SQLite took the unique index over who holds a place for a telling one, and read all that were free each time."""
    made = make_project("plans", n_hits=2000, n_annotators=2)
    project = Project.objects.get(slug=made.slug).pk
    given = {"project": project, "annotator": 0, "assignment": None, "priority": 0, "number": 1, "hit_id": 0}
    how = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for part in (places.IN_HEAD, places.BEHIND, places.ALL):
        with connection.cursor() as cursor:
            cursor.execute(f"{how} {places.TAKE.format(lock='', **part)}", given)
            plan = " ".join(str(row[-1]) for row in cursor.fetchall())
        assert "slot_free" in plan
        assert "slot_once_per_assignment" not in plan
    assert "slot_once_per_assignment" in Slot.objects.filter(assignment=uuid4()).explain()


def test_whether_somebody_said_something_else_later_is_found_by_its_index(project: Project) -> None:
    """SQLite takes an index of what is not empty only where its condition is written in these words."""
    if connection.vendor == "postgresql":  # which reads so few rows whichever way it likes
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    for asked in (counted_judgments(project=project), Judgment.objects.filter(superseded_by=None)):
        assert "judgment_superseded_once" in asked.explain()


def test_a_late_answer_counts_where_one_of_its_pairs_is_wanted_still(project: Project, bob: User, hit: Hit) -> None:
    late = take(project, bob)
    run_out(late)
    HitItem.objects.filter(hit=hit, position__gt=1).update(is_open=False)
    assert not submit(late).is_late
    assert counted_judgments(project=project).count() == 3


def test_the_free_place_of_a_hit_that_needs_nobody_goes_away_and_the_next_hit_is_handed_over(
    project: Project, bob: User, add_image: AddImage, build: Build
) -> None:
    add_image("pier", 2)
    add_image("lamp", 2)
    first, second = build()
    HitItem.objects.filter(hit=first).update(is_open=False)
    assert take(project, bob).hit_id == second.pk
    assert Slot.objects.filter(hit=first).count() == 1


def test_a_pair_that_is_opened_while_the_page_is_drawn_keeps_its_place(
    project: Project, bob: User, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who settles the HIT counts on the free place: it is looked at once more with the HIT held."""
    HitItem.objects.filter(hit=hit).update(is_open=False, is_decided=True)

    def opened_just_before(hit_id: int) -> bool:
        HitItem.objects.filter(hit=hit, position=2).update(is_open=True)
        return True

    monkeypatch.setattr("backend.annotation.leasing.may_hold_hit", opened_just_before)
    assert take(project, bob).shown == [HitItem.objects.get(hit=hit, position=2).candidate_id]
    assert Slot.objects.filter(hit=hit).count() == 2


@pytest.fixture
def met_all(project: Project, bob: User, add_image: AddImage, build: Build, monkeypatch: pytest.MonkeyPatch) -> User:
    """bob has met every HIT, all of which others are still asked for, and every walk is a long one."""
    monkeypatch.setattr(places, "LONG", -1.0)
    monkeypatch.setattr(places, "RESTS", 1e9)
    monkeypatch.setattr(places, "_rests_until", {})
    add_image("pier", 2)
    add_image("lamp", 2)
    for _ in build():
        submit(take(project, bob))
    return bob


def ask(project: Project, user: User) -> tuple[NextHit, int]:
    """What `next` finds, and how often it looked for a place."""
    looks: list[bool] = []

    def look(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        looks.append("UPDATE annotation_slot SET" in sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        found = lease_next(project=project, annotator=user)
    return found, sum(looks)


def test_who_has_met_all_that_is_free_does_not_walk_it_all_each_time_they_ask(project: Project, met_all: User) -> None:
    places._rests_until.clear()
    (first, n_walks), (second, n_looks) = ask(project, met_all), ask(project, met_all)
    assert (first.reason, second.reason) == ("all_yours_done", "all_yours_done")
    assert (n_walks, n_looks) == (3, 1)


def test_those_who_have_rested_are_forgotten(project: Project, met_all: User) -> None:
    places._rests_until.clear()
    places._rests_until[(project.pk, 0)] = 0.0
    ask(project, met_all)
    assert list(places._rests_until) == [(project.pk, met_all.pk)]


def test_who_rests_from_a_walk_gets_what_is_new_near_the_head(
    project: Project, met_all: User, add_image: AddImage, build: Build
) -> None:
    lease_next(project=project, annotator=met_all)
    add_image("meadow", 2)
    build()
    found, n_looks = ask(project, met_all)
    assert (found.shown is not None, n_looks) == (True, 1)


def test_who_rests_from_a_walk_walks_again_for_what_ran_out_in_other_hands(
    project: Project, met_all: User, dora: User, add_image: AddImage, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_image("meadow", 2)
    new = build()[-1]
    Slot.objects.filter(assignment=None).exclude(hit=new).delete()
    theirs = take(project, dora)
    Slot.objects.filter(assignment=None).delete()
    lease_next(project=project, annotator=met_all)
    Assignment.objects.filter(pk=theirs.pk).update(expires_at=timezone.now() - timedelta(hours=1))
    monkeypatch.setattr(places, "IN_HEAD", places.IN_HEAD | {"behind": "AND slot.id < 0"})  # it lies far behind
    assert take(project, met_all).hit_id == theirs.hit_id == new.pk


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_postgresql_plans_the_walk_through_the_head_once() -> None:
    """Five times for the values of the moment, as it always does; planning takes it longer than the walk itself."""
    project = Project.objects.get(slug=make_project("walked", n_hits=3000, n_annotators=1, answered=1).slug)
    person = User.objects.get(memberships__project=project, memberships__role="annotator")
    with transaction.atomic(), connection.cursor() as cursor:
        for _ in range(14):
            assert places.take_first_free(project=project, annotator=person, assignment_id=uuid4())
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE strpos(statement, %s) > 0",
            ["LIMIT 32"],
        )
        n_plans = cursor.fetchall()
        transaction.set_rollback(True)
    assert n_plans == [(9, 5)]


def test_a_change_of_mind_that_opens_nothing_hides_no_work_that_is_left(
    project: Project, bob: User, hit: Hit, client_of: Callable[..., APIClient]
) -> None:
    """Under a fixed overlap: one word changed in each HIT, and releases would open while others judge."""
    page = take(project, bob)
    submit(page)
    assert client_of(bob).post(f"/api/v1/assignments/{page.pk}/judgments/1", {"label": "bad"}).status_code == 201
    assert has_work_left(project_id=project.pk, user=bob)
    assert lease_next(project=project, annotator=bob).reason == "all_yours_done"
