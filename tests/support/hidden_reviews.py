"""What a head annotator settles of a world of hidden controls, and what its people see of that."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime

import time_machine
from rest_framework.test import APIClient

from backend.annotation.models import Assignment, HitItem
from backend.people.models import User
from backend.review.models import Verdict
from hidden_pages import Page
from hidden_world import kept_page, work

SHARE = 0.3  # of the pairs, or of the images, that a review settles
DAYS = 3  # over which a review settles


def single_pairs(draw: random.Random) -> Collection[int]:
    pairs = list(HitItem.objects.order_by("pk").values_list("candidate", flat=True))
    return draw.sample(pairs, int(len(pairs) * SHARE))


def whole_subjects(draw: random.Random) -> Collection[int]:
    """All pairs of an image, or of a query, or none."""
    of_hit: defaultdict[int, list[int]] = defaultdict(list)
    for hit, pair in HitItem.objects.order_by("pk").values_list("hit", "candidate"):
        of_hit[hit].append(pair)
    return [pair for hit in draw.sample(list(of_hit), int(len(of_hit) * SHARE)) for pair in of_hit[hit]]


def settle(pairs: Collection[int], head: User) -> None:
    """What stands of an earlier review is gone; a part of the pairs is settled on each of some days."""
    Verdict.objects.all().delete()
    rows = sorted(pairs)
    for day in range(DAYS):
        with time_machine.travel(datetime(2026, 3, 6 + day, 10, tzinfo=UTC), tick=False):
            Verdict.objects.bulk_create(
                Verdict(candidate_id=pair, label="good", decided_by=head) for pair in rows[day::DAYS]
            )


def judged_pages(client_of: Callable[..., APIClient], people: list[User]) -> list[Assignment]:
    list(work(client_of, people))
    return list(Assignment.objects.all())


def past_pages(client_of: Callable[..., APIClient], people: list[User]) -> Iterator[Page]:
    """Everybody's past work as the list hands it over, closings as one value each."""
    for person in people:
        client, address = client_of(person), "/api/v1/projects/skies/past-work?limit=100"
        answer = client.get(address)
        for content in answer.json()["results"]:
            assert client.get(f"/api/v1/assignments/{content['id']}/past").json() == content
            flat = [item | {"closed": json.dumps(item["closed"])} for item in content["items"]]
            yield kept_page(answer, content | {"items": flat})
