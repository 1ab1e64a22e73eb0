"""What a review closes is no evidence of what a hidden control is: not on a page, and not of a page."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection
from itertools import product
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.closing import read_closings
from backend.annotation.models import Assignment, HitItem
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Verdict
from hidden_reviews import single_pairs
from hidden_world import FEWER, work

pytest_plugins = ("hidden_fixtures",)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("the_same_moment"), pytest.mark.nightly]


@pytest.fixture
def n_subjects() -> int:
    return FEWER


@pytest.mark.parametrize("adaptive", [{}, {"confidence": 0.95, "max_overlap": 6}], ids=["fixed", "adaptive"])
def test_a_page_closes_by_each_pair_that_was_open_when_it_was_drawn_and_by_no_other(
    client_of: Callable[..., APIClient],
    people: list[User],
    project: Project,
    dora: User,
    draw: random.Random,
    adaptive: dict[str, Any],
) -> None:
    """Whether controls stand on it or not. Pairs of the HIT that were done before closed pages with a control alone."""
    Project.objects.filter(pk=project.pk).update(**adaptive)
    late = list(User.objects.filter(username__startswith="late").order_by("username"))
    seen: Counter[tuple[bool, bool]] = Counter()
    for page in work(client_of, [*people, *late]):
        assignment = Assignment.objects.get(pk=page.content["id"])
        pairs = dict(HitItem.objects.filter(hit=assignment.hit_id).values_list("candidate", "is_open"))
        was_open = [pair for pair, is_open in pairs.items() if is_open]
        was_done = [pair for pair, is_open in pairs.items() if not is_open]
        assert not closes(assignment, was_done, dora)
        assert closes(assignment, [draw.choice(was_open)], dora)
        seen[bool(page.controls), bool(was_done)] += 1
    assert set(seen) == set(product((True, False), repeat=2))


def closes(page: Assignment, settled: Collection[int], head: User) -> bool:
    Verdict.objects.bulk_create(Verdict(candidate_id=pair, label="good", decided_by=head) for pair in settled)
    closed = read_closings([page])
    Verdict.objects.filter(candidate__in=settled).delete()
    assert len(closed) in (0, len(page.shown))
    return bool(closed)


def test_a_verdict_that_is_changed_closes_no_page_that_was_drawn_without_its_pair(
    client_of: Callable[..., APIClient], people: list[User], dora: User, draw: random.Random
) -> None:
    """Else it closed pages on which a control stands, and no others."""
    list(work(client_of, people[:2]))
    settled, head = single_pairs(draw), client_of(dora)
    decide(head, settled, "good")
    before = set(Assignment.objects.values_list("pk", flat=True))
    list(work(client_of, people[2:]))
    for label in ("bad", None, "good"):
        decide(head, settled, label)
    later = Assignment.objects.exclude(pk__in=before)
    assert any(page.controls for page in later)
    assert not read_closings(list(later))
    assert read_closings(list(Assignment.objects.filter(pk__in=before)))


def decide(head: APIClient, pairs: Collection[int], label: str | None) -> None:
    for pair in pairs:
        assert head.post("/api/v1/projects/skies/verdicts", {"candidate": pair, "label": label}).status_code == 201
