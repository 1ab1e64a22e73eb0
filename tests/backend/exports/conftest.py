"""A project with answers, a test question and a release, and its exports made in this thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.exports.models import Export
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus
from kept_worlds import own_copy

Make = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def own_media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = own_copy(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture
def judged(project: Project) -> Project:
    """The kept world: see exported_world.py."""
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
