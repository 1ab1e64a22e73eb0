"""The moment that a consensus stands for: no judgment before it is still under way."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from backend.annotation.locks import lock_annotator_state
from backend.annotation.models import Judgment
from backend.curation.selectors import get_last_judgment_id
from backend.people.models import User
from backend.projects.models import Project
from world import make_world

pytestmark = pytest.mark.both_engines


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_moment_of_a_consensus_waits_for_submits_that_are_under_way(
    project: Project, bob: User, dora: User
) -> None:
    world = make_world(project, images=2, captions=3)
    world.submit(bob, 0, ["good"] * 3)
    world.submit(dora, 0, ["good"] * 3)
    moments: list[int] = []
    asking = threading.Thread(target=ask, args=(project, moments))
    with transaction.atomic():
        lock_annotator_state(project=project, annotator=bob)
        world.submit(bob, 1, ["good"] * 3)
        asking.start()
        asking.join(timeout=0.5)
    asking.join(timeout=30)
    assert moments == [Judgment.objects.order_by("-pk").values_list("pk", flat=True)[0]]


def ask(project: Project, moments: list[int]) -> None:
    try:
        moments.append(get_last_judgment_id(project=project))
    finally:
        connection.close()
