"""A project with answers, a test question and a release, and its exports made in this thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Judgment
from backend.exports.models import Export
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus
from world import World

Make = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def own_media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def judged(
    project: Project,
    make_judged: Callable[..., Project],
    run_stage: Callable[..., Run],
    alice: User,
    bob: User,
    dora: User,
) -> Project:
    """Three people judged three images with seven captions: the first is bad, one finds the second bad. Bob changed one
    answer. One more pair is a test question."""
    people = (bob, dora, alice)
    make_judged(
        project, images=3, captions=7, people=people,
        opinion=lambda at, caption, person: "bad" if caption == 0 or (caption == 1 and person == 2) else "good",
    )  # fmt: skip
    world = World(project)
    for person in people:
        AnnotatorState.objects.get_or_create(project=project, user=person)
    first = Judgment.objects.filter(annotator=bob).earliest("pk")
    world.change_mind(first, "unsure", comment="=Too dark", ms=2500, edits=[
        {"start": 0, "end": 3, "kind": "replace", "before": "The", "after": "A"},
    ])  # fmt: skip
    pair = world.caption(first.candidate.image, "Nobody may learn of this test question")
    world.judge(dora, world.hit(first.candidate.image, [pair], part=9), ["bad"])
    world.control(pair, "bad")
    assert run_stage(project, "consensus", min_votes=1).status == RunStatus.SUCCEEDED
    return project


@pytest.fixture
def release(judged: Project, run_stage: Callable[..., Run]) -> Release:
    for run in (run_stage(judged, "select", k=6), run_stage(judged, "release")):
        assert run.status == RunStatus.SUCCEEDED, run.error
    return Release.objects.get(project=judged)


@pytest.fixture
def make(
    client_of: Callable[..., APIClient], alice: User, judged: Project, django_capture_on_commit_callbacks: Callable
) -> Make:
    """Ask for an export, let the worker do it, and give what the API says of it then."""
    client = client_of(alice)

    def ask(what: str, format: str, **more: Any) -> dict[str, Any]:
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(
                f"/api/v1/projects/{judged.slug}/exports", {"what": what, "format": format, **more}, "json"
            )
        assert answer.status_code == 202, answer.json()
        assert answer["Location"] == f"/api/v1/exports/{answer.json()['id']}"
        return dict(client.get(answer["Location"]).json())

    return ask


@pytest.fixture
def content(client_of: Callable[..., APIClient], alice: User) -> Callable[[dict[str, Any]], bytes]:
    """The bytes of an export that is ready."""

    def read(export: dict[str, Any]) -> bytes:
        assert export["state"] == "ready", export["error"]
        return b"".join(client_of(alice).get(export["url"]).streaming_content)

    return read


@pytest.fixture
def waiting(judged: Project, alice: User) -> Export:
    """An export that no worker has taken."""
    return Export.objects.create(project=judged, created_by=alice, what="judgments", format="jsonl")
