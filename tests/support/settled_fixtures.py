"""People of whom the stop rule believes the same, and how they judge."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backend.annotation.answers import Judged
from backend.annotation.models import AnnotatorState, Assignment, HitItem
from backend.annotation.submissions import submit_assignment
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from pages_in_hand import take
from settled import Judge
from world import World


@pytest.fixture
def judge(project: Project) -> Judge:
    """`judge(person, good=[2, 3])`: the page judged, every pair bad but these of the HIT's positions."""

    def work(user: User, *, good: Sequence[int] = (1, 2, 3)) -> Assignment:
        project.refresh_from_db()
        page = take(project, user)
        places = dict(HitItem.objects.filter(hit=page.hit_id).values_list("candidate", "position"))
        judged = [
            Judged(at, Label.GOOD if places[candidate] in good else Label.BAD)
            for at, candidate in enumerate(page.shown, start=1)
        ]
        submit_assignment(assignment=page, judgments=judged, idempotency_key="k")
        return page

    return work


@pytest.fixture
def readers(project: Project) -> list[User]:
    """Six people who passed nine of ten controls: each is right with .86."""
    users = World(project).people(*(f"reader{n}" for n in range(6)))
    AnnotatorState.objects.bulk_create(
        AnnotatorState(project=project, user=user, n_graded=10, n_failed=1) for user in users
    )
    return users
