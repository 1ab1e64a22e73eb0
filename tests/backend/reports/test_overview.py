"""The overview of a project: worked numbers, its cost in statements, and who may read it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from api_examples import Examples
from backend.annotation.models import AnnotatorState, Assignment, Judgment
from backend.methods.budget.finish import finish_of
from backend.methods.budget.left import Span
from backend.people.models import User
from backend.projects.models import Project
from world import World

pytestmark = pytest.mark.both_engines

Clients = Callable[[User | None], APIClient]
OVERVIEW = "/api/v1/projects/skies/overview"


def submit_on(world: World, person: User, hit: int, labels: list[str], days_ago: int, **fields: Any) -> None:
    """A submit of that day at noon, UTC, on a free slot."""
    world.submit(person, hit, labels, **fields)
    day = timezone.now().astimezone(UTC).date() - timedelta(days=days_ago)
    moment = datetime.combine(day, time(12), tzinfo=UTC)
    turn = Assignment.objects.get(hit=world.hits[hit], annotator=person)
    Assignment.objects.filter(pk=turn.pk).update(submitted_at=moment)
    Judgment.objects.filter(assignment=turn).update(created_at=moment)


def test_days_labels_and_money_add_up(client_of: Clients, project: Project, alice: User, bob: User, dora: User) -> None:
    """Three HITs of two pairs need two judgments each: 6 assignments. Four came in: two 4 days ago, two 2 days ago."""
    project.pay_per_hit, project.pay_fee = "0.50", 0.1
    project.save()
    world = World(project)
    world.add_hits(3, 2)
    submit_on(world, bob, 0, ["good", "bad"], 4)
    submit_on(world, dora, 0, ["good", "good"], 4)
    submit_on(world, bob, 1, ["good", "unsure"], 2)
    submit_on(world, dora, 1, ["good", "bad"], 2)
    told = client_of(alice).get(OVERVIEW).json()
    today = date.fromisoformat(told["today"])
    assert (told["slots"], told["slots_open"], told["hits"], told["judgments"]) == (6, 2, 3, 8)
    assert told["labels"] == {"good": 5, "bad": 2, "unsure": 1}
    assert told["sources"] == [{"source": "human", "labels": {"good": 5, "bad": 2, "unsure": 1}}]
    assert [(day["day"], day["assignments"], day["left"]) for day in told["days"]] == [
        ((today - timedelta(days=4)).isoformat(), 2, 4),
        ((today - timedelta(days=2)).isoformat(), 2, 2),
    ]
    assert told["days"][0]["labels"] == {"good": 3, "bad": 1, "unsure": 0}
    assert told["assignments_left"] == {"mean": 2, "low": 2, "high": 2}
    assert told["finish"]["per_day"]["mean"] == 1  # 2, 0, 2, 0
    assert told["finish"]["n_days"] == 4
    assert told["finish"]["expected"] == (today + timedelta(days=2)).isoformat()
    assert told["finish"]["earliest"] <= told["finish"]["expected"] <= told["finish"]["latest"]
    assert told["budget"]["spent"] == "2.20"  # 4 x 0.50 x 1.1
    assert told["budget"]["left"]["mean"] == "1.10"
    assert [(each["user"]["username"], each["hits"], each["judgments"]) for each in told["people"]] == [
        ("bob", 2, 4), ("dora", 2, 4),
    ]  # fmt: skip
    assert (told["agreement"]["n_items"], told["is_stale"]) == (4, False)
    assert (told["waiting"]["disputes"], told["release"]) == (0, None)


def test_an_empty_project_has_an_overview(client_of: Clients, project: Project, alice: User) -> None:
    told = client_of(alice).get(OVERVIEW).json()
    assert (told["slots"], told["days"], told["people"], told["finish"]) == (0, [], [], None)
    assert told["labels"] == {"good": 0, "bad": 0, "unsure": 0}
    assert told["budget"] == {"spent": None, "left": None}
    assert told["agreement"]["value"] is None


@pytest.mark.nightly
def test_only_reviewers_of_the_project_read_it(
    client_of: Clients, project: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for person, status in ((alice, 200), (dora, 200), (bob, 403), (charlie, 404), (None, 401)):
        assert client_of(person).get(OVERVIEW).status_code == status, person


def test_its_statements_do_not_grow_with_the_project(
    client_of: Clients, project: Project, alice: User, bob: User, dora: User, django_assert_max_num_queries: Any
) -> None:
    """Judgments are read by whoever keeps the snapshot, and never by a request on a snapshot that is up to date."""
    world = World(project)
    world.add_hits(12, 2)
    for hit in range(10):
        for person in (bob, dora):
            submit_on(world, person, hit, ["good", "bad"], hit % 5 + 1)
    AnnotatorState.objects.filter(project=project).update(n_graded=4, n_failed=1)
    client = client_of(alice)
    client.get(OVERVIEW)
    with django_assert_max_num_queries(45) as asked:
        client.get(OVERVIEW)
    timing = [query["sql"] for query in asked if 'FROM "annotation_judgment"' in query["sql"]]
    assert len(timing) <= 1  # the pace, of a few newest assignments


@pytest.mark.parametrize(
    ("daily", "left"), [([2, 4], 10), ([0, 0, 0, 0], 10), ([2, 4, 3], 0)], ids=["two days", "idle", "nothing left"]
)
def test_no_date_is_told_of_too_little(daily: list[int], left: int) -> None:
    assert finish_of(Span(left, left, left), daily) is None


def test_the_date_is_as_uncertain_as_the_pace_and_what_is_left() -> None:
    steady = finish_of(Span(100, 100, 100), [10] * 14)
    assert steady is not None and steady.days == Span(10, 10, 10)
    uneven = finish_of(Span(100, 100, 100), [0, 20] * 7)
    vague = finish_of(Span(100, 60, 180), [0, 20] * 7)
    assert uneven is not None and vague is not None
    assert uneven.days.mean == 10 and uneven.days.low < 9 and uneven.days.high > 11
    assert vague.days.high - vague.days.low > uneven.days.high - uneven.days.low
    rare = finish_of(Span(50_000, 50_000, 50_000), [0] * 13 + [1])
    assert rare is not None and rare.days.high == 3650


@pytest.mark.nightly
def test_the_overview_is_as_in_its_example(
    example: Examples, client_of: Clients, project: Project, alice: User, bob: User
) -> None:
    world = World(project)
    world.add_hits(2, 2)
    submit_on(world, bob, 0, ["good", "bad"], 4)
    submit_on(world, bob, 1, ["good", "unsure"], 2)
    example("projects_overview_retrieve", client_of(alice).get, "projects/skies/overview")
