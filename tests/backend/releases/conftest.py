"""A project with its captions chosen, and what its releases hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run, RunStatus


@pytest.fixture(autouse=True)
def own_media(tmp_path: Path, settings: Any) -> Path:
    """An empty media folder for each test."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def chosen(project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run]) -> Project:
    """Three images with five of seven captions chosen; bob finds a few of the others bad."""
    make_judged(
        project, images=3, captions=7, opinion=lambda at, caption, person: "bad" if caption < person else "good"
    )
    run_stage(project, "consensus", min_votes=1)
    run_stage(project, "select")
    return project


@pytest.fixture
def release(chosen: Project, run_stage: Callable[..., Run], alice: User) -> Release:
    run = run_stage(chosen, "release", started_by=alice)
    assert run.status == RunStatus.SUCCEEDED, run.error
    return Release.objects.get(project=chosen)


@pytest.fixture
def contents() -> Callable[[Release], dict[str, bytes]]:
    """The bytes of a release, by file name."""

    def read(release: Release) -> dict[str, bytes]:
        found = {}
        for file in release.files.all():
            with default_storage.open(file.stored_as) as stored:
                found[file.name] = stored.read()
        return found

    return read
