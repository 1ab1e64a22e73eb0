"""Progress comes from counters: it costs the same after a million assignments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.annotation.answers import Judged
from backend.annotation.models import Assignment, Hit
from backend.annotation.selectors import SECONDS, get_progress
from backend.annotation.submissions import submit_assignment
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import take


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


def judge(page: Assignment, ms: int = 1000) -> None:
    judged = [Judged(at, Label.GOOD, ms=ms) for at in range(1, len(page.shown) + 1)]
    submit_assignment(assignment=page, judgments=judged, idempotency_key=str(page.pk))


def test_counts_are_of_this_person_of_today_and_of_the_project(
    project: Project, bob: User, dora: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    add_image("pier", 6)
    build()
    with time_machine.travel(datetime(2026, 5, 1, 23, 50, tzinfo=UTC), tick=False) as clock:
        judge(take(project, bob)), judge(take(project, dora))
        clock.shift(timedelta(minutes=20))
        judge(take(project, bob), ms=500)
        found = get_progress(project=project, user=bob)
        assert (found["submitted_today"], found["submitted_total"], found["judgments_total"], found["ms_today"]) == (
            1,
            2,
            6,
            1500,
        )
        assert (found["hits"], found["assignments_needed"], found["assignments_submitted"]) == (2, 4, 3)
        clock.shift(timedelta(days=1))
        found = get_progress(project=project, user=bob)
        assert (found["submitted_today"], found["submitted_total"], found["ms_today"]) == (0, 2, 0)


def test_the_counts_of_the_project_stand_for_a_few_seconds(project: Project, bob: User, hit: Hit) -> None:
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False) as clock:
        assert get_progress(project=project, user=bob)["assignments_submitted"] == 0
        judge(take(project, bob))
        with CaptureQueriesContext(connection) as captured:
            found = get_progress(project=project, user=bob)
        assert (len(captured), found["submitted_total"], found["assignments_submitted"]) == (1, 1, 0)
        clock.shift(timedelta(seconds=SECONDS + 1))
        assert get_progress(project=project, user=bob)["assignments_submitted"] == 1


def test_a_person_who_did_nothing_has_done_nothing(project: Project, dora: User, hit: Hit) -> None:
    found = get_progress(project=project, user=dora)
    assert (found["submitted_total"], found["judgments_total"], found["assignments_needed"]) == (0, 0, 2)
