from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.annotation.models import Assignment, Judgment
from backend.people.models import User
from backend.projects.models import Project
from writing import REMARKS, TEXT, Clients, opinion


@pytest.fixture
def judged(project: Project, bob: User, dora: User, alice: User, make_judged: Callable[..., Project]) -> list[Judgment]:
    """Bob's three judgments of one image's captions, by position; alice and dora judged them too."""
    make_judged(project, images=1, captions=3, people=(bob, dora, alice), opinion=opinion)
    for assignment in Assignment.objects.filter(project=project):
        own = assignment.judgments.order_by("position").values_list("candidate", flat=True)
        Assignment.objects.filter(pk=assignment.pk).update(shown=list(own))
    return list(Judgment.objects.filter(annotator=bob).order_by("position"))


@pytest.fixture
def write(client_of: Clients, dora: User) -> Callable[..., dict[str, Any]]:
    """The head annotator writes about one answer; what the API says of it."""

    def send(judgment: Judgment, text: str = TEXT, **more: Any) -> dict[str, Any]:
        answer = client_of(dora).post(REMARKS, {"judgment": judgment.pk, "text": text, **more}, "json")
        assert answer.status_code == 201, answer.json()
        written: dict[str, Any] = answer.json()
        return written

    return send
