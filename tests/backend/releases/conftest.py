"""A project with its captions chosen, and what its releases hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

import cast
import released_worlds
from backend.projects.models import Project
from backend.releases.models import Release
from kept_worlds import own_copy


@pytest.fixture(autouse=True)
def own_media(tmp_path: Path, settings: Any) -> Path:
    """A media folder for each test: empty, or with the files of the kept world."""
    settings.MEDIA_ROOT = own_copy(tmp_path / "media")
    return tmp_path / "media"


@pytest.fixture
def chosen(project: Project) -> Project:
    """Three images with five of seven captions chosen; bob finds a few of the others bad."""
    if not cast.is_kept:
        released_worlds.choose(project)
    return project


@pytest.fixture
def release(chosen: Project) -> Release:
    return released_worlds.release(chosen)


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
