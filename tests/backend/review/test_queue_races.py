"""Several head annotators and fillers at the same moment, on real threads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from django.db import connection

from at_once import at_once
from backend.annotation.models import Judgment
from backend.people.models import User
from backend.projects.models import Project, Role
from backend.review.models import CaseDecision, ReviewCase, ReviewReason, Verdict
from backend.review.queue.decisions import Done, decide
from backend.review.queue.filling import fill_cases
from backend.review.queue.leases import CaseClosed, CaseHeld, lease_case, lease_next
from world import World

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def heads(project: Project) -> list[User]:
    n = 8 if connection.vendor == "postgresql" else 3
    return World(project).people(*(f"head{number}" for number in range(n)), role=Role.HEAD_ANNOTATOR)


@pytest.fixture
def judged(project: Project, bob: User, finn: User, switch: Callable[..., None]) -> World:
    """Ten HITs of two pairs, tied on the first."""
    world = World(project)
    world.add_hits(10, 2)
    for hit in range(10):
        world.submit(bob, hit, ["good", "good"])
        world.submit(finn, hit, ["bad", "good"])
    switch(ties=True, first_assignments=50, second_look_percent=50)
    return world


def test_heads_who_ask_at_once_get_different_cases(project: Project, judged: World, heads: list[User]) -> None:
    fill_cases(project=project)
    found = at_once([partial(lease_next, project=project, reader=head) for head in heads])
    assert all(isinstance(case, ReviewCase) for case in found), found
    assert len({case.pk for case in found}) == len(heads)
    held = dict(ReviewCase.objects.filter(leased_by__isnull=False).values_list("pk", "leased_by"))
    assert held == {case.pk: head.pk for case, head in zip(found, heads, strict=True)}


def test_of_all_who_want_one_case_one_gets_it_and_one_decides(
    project: Project, judged: World, heads: list[User]
) -> None:
    fill_cases(project=project)
    case = ReviewCase.objects.filter(candidate__isnull=False)[0]
    got = at_once([partial(lease_case, case=case, reader=head) for head in heads])
    assert [type(one) for one in got if one is not None] == [CaseHeld] * (len(heads) - 1)
    ReviewCase.objects.update(leased_by=None, leased_until=None)
    item = {"candidate": case.candidate_id, "label": "good"}
    done = at_once(
        [partial(decide, project=project, case=case, action="settle", items=[item], decided_by=head) for head in heads]
    )
    assert sorted({type(one).__name__ for one in done}) == ["CaseClosed", "Done"]
    assert len([one for one in done if isinstance(one, CaseClosed)]) == len(heads) - 1
    assert (Verdict.objects.count(), CaseDecision.objects.count()) == (1, 1)


def test_fillers_at_once_add_every_reason_once(project: Project, judged: World) -> None:
    found = at_once([partial(fill_cases, project=project)] * 4)
    assert [one for one in found if isinstance(one, Exception)] == []
    fill_cases(project=project)
    assert (ReviewCase.objects.count(), ReviewReason.objects.count()) == (30, 30)


@pytest.mark.nightly
def test_heads_decide_while_the_queue_is_filled(project: Project, judged: World, heads: list[User]) -> None:
    """Pages and pairs are decided together: a decision on a page also closes the cases of its pairs, which other heads
    may hold at this moment. Such a head is told so and takes the next case."""
    fill_cases(project=project)

    def settle_all(head: User) -> int:
        n = 0
        while (case := lease_next(project=project, reader=head)) is not None:
            pairs = [case.candidate_id] if case.candidate_id else case.assignment.shown  # type: ignore[union-attr]  # one of the two
            items = [{"candidate": pair, "label": "good"} for pair in pairs]
            with suppress(CaseClosed):
                n += isinstance(decide(project=project, case=case, action="settle", items=items, decided_by=head), Done)
        return n

    def refill() -> int:
        for _ in range(10):
            fill_cases(project=project)
        return 0

    found = at_once([*(partial(settle_all, head) for head in heads), refill, refill])
    assert [one for one in found if not isinstance(one, int)] == []
    assert CaseDecision.objects.count() == sum(found)
    fill_cases(project=project)
    open_reasons = ReviewReason.objects.filter(closed_at=None)
    assert set(open_reasons.values_list("case__closed_at", flat=True)) <= {None}
    assert not ReviewCase.objects.filter(closed_at=None).exclude(reasons__in=open_reasons).exists()
    assert Judgment.objects.count() == 40
